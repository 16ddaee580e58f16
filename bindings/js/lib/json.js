// What callers hand in, as JSON.

import { badArgument, ConvoyError } from './error.js';

/** JSON of what a caller handed in. */
export function json(value, name) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ConvoyError('bad-argument', `${name} cannot be written as JSON: ${cause.message}`, { argument: name, cause });
  }
  if (typeof text !== 'string') throw badArgument(name, 'an object', value);
  return text;
}
