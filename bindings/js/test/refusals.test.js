// Whatever is wrong with a question is told in the words of the native code of this checkout.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { ConvoyError } from '../lib/error.js';
import * as protocol from '../lib/protocol.js';
import * as tractor from '../lib/tractor.js';
import { askNative } from './native.js';

const docs = new URL('../../../docs/', import.meta.url);

/** The questions that the pages about the protocol show. */
const examples = ['protocol.md', 'protocol-tractor.md'].flatMap((page) => {
  const lines = readFileSync(new URL(page, docs), 'utf8').split('\n').filter((line) => /^\{.*"op":/.test(line));
  return lines.map((line) => JSON.parse(line));
});

const WRONG = [null, true, -1, 1.5, '', 'zz', '\ud800x', [], [[1]], {}, { zz: 1 }];

/** The value with each of its parts wrong, missing, misspelt or beside a stranger, one at a time. */
function* spoilt(value) {
  yield* WRONG;
  if (typeof value === 'string') yield* [value.toLowerCase(), `${value} `, `${value}${value}`, value.slice(1)].filter((text) => text !== value);
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    yield [...value, 'zz'];
    for (const [i, part] of value.entries()) {
      yield value.toSpliced(i, 1);
      yield value.toSpliced(i, 0, part);
      for (const wrong of spoilt(part)) yield value.with(i, wrong);
    }
    return;
  }
  yield { ...value, zz: 1 };
  for (const [name, part] of Object.entries(value)) {
    const { [name]: _, ...others } = value;
    yield others;
    yield { ...others, [`${name}s`]: part };
    for (const wrong of spoilt(part)) yield { ...value, [name]: wrong };
  }
}

/** Every question that is almost one of the examples, without its game and op. */
function almost({ game, op, id: _, ...fields }) {
  const asked = new Map();
  for (const wrong of spoilt(fields)) {
    if (wrong === null || typeof wrong !== 'object' || Array.isArray(wrong)) continue;
    asked.set(JSON.stringify(wrong), { game, op, fields: wrong });
  }
  return [...asked.values()];
}

function answered({ game, op, fields }) {
  try {
    return (game === 'tractor' ? tractor : protocol).query(op, fields);
  } catch (error) {
    assert.ok(error instanceof ConvoyError, error.stack);
    return { error: { code: error.code, message: error.message, ...error.data } };
  }
}

/** The answer without the column of what is no JSON: natively game and op stand before the fields, in the same line. */
function placeless(answer) {
  const message = answer.error?.message;
  return message === undefined ? answer : { error: { ...answer.error, message: message.replace(/ at line 1 column \d+$/, '') } };
}

/** Compares all answers with those of the native code; how many of them are refusals. */
function compare(asked) {
  const native = askNative(asked.map(({ op, fields, game }) => ({ game, op, ...fields })));
  const different = asked.flatMap((question, i) => {
    const [here, there] = [answered(question), native[i]].map(placeless);
    return isDeepStrictEqual(here, there) ? [] : [{ question, here, there }];
  });
  assert.deepEqual(different.slice(0, 5), [], `${different.length} of ${asked.length} answers differ`);
  return native.filter(({ error }) => error !== undefined).length;
}

test('the pages show every op', () => {
  assert.ok(new Set(examples.map(({ game, op }) => `${game} ${op}`)).size > 35);
});

for (const game of ['cotulenh', 'tractor']) {
  test(`questions about ${game} that are almost right`, (t) => {
    const asked = examples.filter((example) => example.game === game).flatMap(almost);
    const refused = compare(asked);
    t.diagnostic(`${refused} of ${asked.length} are refused`);
    assert.ok(refused > 1000 && refused < asked.length, `${refused} of ${asked.length} are refused`);
  });
}

// WebAssembly counts seats and limits by 32 bits: beyond them a number is refused before it is known what it is too great for.
test('numbers beyond 32 bits', () => {
  const asked = examples.flatMap(almost).map((question) => JSON.stringify(question)).filter((text) => text.includes(':-1') || text.includes('[-1'));
  const greater = asked.map((text) => JSON.parse(text.replace(/(?<=[:[])-1(?=[,\]}])/, '5000000000')));
  const native = askNative(greater.map(({ game, op, fields }) => ({ game, op, ...fields })));
  greater.forEach((question, i) => assert.equal(answered(question).error === undefined, native[i].error === undefined, JSON.stringify(question)));
  assert.ok(greater.length > 100, `${greater.length}`);
});

test('ops that there are not', () => {
  const names = ['', 'mvoes', 'folow', 'moves ', 'perftt'];
  const asked = ['cotulenh', 'tractor'].flatMap((game) => names.map((op) => ({ game, op, fields: {} })));
  assert.equal(compare(asked), asked.length);
});
