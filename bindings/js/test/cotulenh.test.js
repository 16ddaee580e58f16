import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConvoyError, Position, query } from '../lib/cotulenh.js';

test('the start of a game', () => {
  const start = Position.start();
  const moves = start.moves();
  assert.equal(moves.length, 116);
  assert.equal(start.sans()[0], 'Ic6');
  assert.equal(start.perft(3), 1_578_799);
  const next = start.play(moves[0]);
  assert.equal(next.fen().split(' ')[1], 'b');
  assert.equal(start.fen().split(' ')[1], 'r');
});

test('a position outlives its slot', () => {
  const start = Position.start();
  const [move] = start.moves();
  const played = start.play(move);
  for (let i = 0; i < 5000; i++) Position.start();
  assert.equal(played.fen(), start.play(move).fen());
});

test('the protocol', () => {
  assert.deepEqual(query('perft', { depth: 2 }), { nodes: 13_460 });
  assert.throws(() => query('moves', { fenn: 'x' }), { name: 'ConvoyError', code: 'unknown-field' });
  assert.throws(() => Position.fromFen('x'), ConvoyError);
});
