// Every answer of the protocol equals that of the native code of this checkout.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConvoyError, query } from '../lib/protocol.js';
import { askNative, readLines } from './native.js';

const positions = readLines('cotulenh/tests/data/positions.jsonl.gz').map((line) => JSON.parse(line));

function same(op, questions) {
  const native = askNative(questions.map((fields) => ({ game: 'cotulenh', op, ...fields })));
  questions.forEach((fields, i) => assert.deepEqual(query(op, fields), native[i], JSON.stringify(fields)));
}

test('the drafts of every recorded position', () => {
  same('draft', positions.map(({ fen, steps = [] }) => ({ fen, steps })));
});

test('what stacks are forbidden, and where their parts can go', () => {
  const asked = [];
  for (const { fen, steps = [] } of positions.filter((_, i) => i % 10 === 0)) {
    const { moves } = query('draft', { fen, steps });
    const from = new Set(moves.filter((move) => move.deploy).map((move) => move.from));
    for (const at of from) {
      const letters = new Set(moves.filter((move) => move.from === at && move.deploy).map((move) => move.type));
      asked.push({ fen, steps, at }, { fen, steps, at, parts: [...letters].join('').toUpperCase() });
    }
  }
  assert.ok(asked.length > 100, `${asked.length} questions`);
  same('draft', asked);
});

test('games, their steps and their PGN', () => {
  const fen = '6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1';
  same('steps', [{ moves: ['Ic6', 'Mg7'] }, { fen, moves: ['F<T>e6,I>e5'] }]);
  same('fen', [{ fen }]);
  same('cover', [{ fen }, {}]);
  const pgn = '[Red "An"]\n\n1. Ic6 {first} (1. Mg6) Mg7 $1 *';
  same('readPgn', [{ pgn }]);
  same('writePgn', [{ games: query('readPgn', { pgn }).games }]);
});

test('what is refused is refused with its reason', () => {
  assert.throws(() => query('draft', { fen: 'x' }), (error) => error instanceof ConvoyError && error.code === 'bad-fen');
  assert.throws(() => query('draft', { steps: ['Ic9'] }), { code: 'illegal-move' });
  assert.throws(() => query('dance'), { code: 'unknown-op' });
  assert.throws(() => query(7), { code: 'bad-argument' });
  assert.equal(query('draft').moves.length, 116);
});
