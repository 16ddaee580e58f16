/**
 * Every refusal of this package. `code` is a word for programs (those of `docs/protocol.md`, and `bad-argument`,
 * `freed`, `internal`), `message` a sentence for people, `data` what else is known: `reason`, `at`.
 */
export class ConvoyError extends Error {
  constructor(code, message, data = {}) {
    super(message);
    this.name = 'ConvoyError';
    this.code = code;
    this.data = data;
  }
}

/** For an argument of the wrong kind. */
export function badArgument(name, wanted, value) {
  return new ConvoyError('bad-argument', `${name} must be ${wanted}, not ${described(value)}`, { argument: name });
}

/** The options of a call: an object, or nothing. */
export function optionsOf(value, name = 'options') {
  if (value === undefined) return {};
  if (value === null || typeof value !== 'object') throw badArgument(name, 'an object', value);
  return value;
}

function described(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'undefined': return 'undefined';
    case 'string': return 'a string';
    case 'object': return 'an object';
    case 'function': return 'a function';
    default: return `the ${typeof value} ${String(value)}`;
  }
}
