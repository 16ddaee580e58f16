// Check, mate, draws, and the end of the game.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoTuLenh, DEFAULT_POSITION } from '../../lib/compat.js';

/** check, mate, stalemate, draw, commander captured, over */
const ends = (fen) => {
  const game = typeof fen === 'string' ? new CoTuLenh(fen) : fen;
  return [game.isCheck(), game.isCheckmate(), game.isStalemate(), game.isDraw(), game.isCommanderCaptured(), game.isGameOver()];
};

test('the start is none of them', () => {
  assert.deepEqual(ends(DEFAULT_POSITION), [false, false, false, false, false, false]);
});

test('check', () => {
  assert.deepEqual(ends('6c4/10i/11/11/11/11/11/11/11/11/5i4I/5(HC)5 r - - 0 1'), [true, false, false, false, false, false]);
});

test('checkmate', () => {
  assert.deepEqual(ends('4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1'), [true, true, false, false, false, true]);
  const carried = '4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2(HC) r - - 0 1';
  assert.deepEqual(ends(carried), [true, true, false, false, false, true], 'a carried commander is mated too');
});

test('stalemate is a draw', () => {
  assert.deepEqual(ends('11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4'), [false, false, true, true, false, true]);
});

test('an empty board is checkmate, not stalemate', () => {
  const game = new CoTuLenh();
  game.clear();
  assert.deepEqual(ends(game), [true, true, false, false, true, true]);
});

test('a lone commander that can move is not mated', () => {
  const game = new CoTuLenh('11/11/4a6/11/11/11/11/11/11/11/11/5C5 r - - 0 1');
  assert.deepEqual(ends(game), [false, false, false, false, true, true]);
});

test('a missing commander is check and ends the game', () => {
  assert.deepEqual(ends('6c4/9ii/11/11/11/11/11/11/11/11/9II/11 r - - 0 1'), [true, true, false, false, true, true]);
  assert.equal(new CoTuLenh('11/9ii/11/11/11/11/11/11/11/11/9II/5C5 r - - 0 1').isCommanderCaptured(), true);
});

test('a commander falls to two strikes of one deploy', () => {
  const game = new CoTuLenh('11/9ii/11/11/11/11/11/(nc)n(TI)8/11/11/9II/5C5 r - - 0 1');
  game.move('I>_b5');
  assert.equal(game.isGameOver(), false, 'never while a deploy is open');
  game.move('T>_a5');
  assert.deepEqual([game.isCommanderCaptured(), game.isCheckmate(), game.isGameOver()], [true, true, true]);
});

test('a hundred turns without a capture are a draw; any capture begins anew', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 99 60');
  assert.equal(game.isDrawByFiftyMoves(), false);
  game.move('Te5');
  assert.deepEqual([game.halfMoves(), game.isDrawByFiftyMoves(), game.isDraw(), game.isGameOver()], [100, true, true, true]);
  const stay = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/11/11/1n1A5II/5C5 r - - 7 9');
  stay.move('A_b2');
  assert.equal(stay.halfMoves(), 0);
  const later = new CoTuLenh('6c4/9ii/11/11/11/11/11/7m3/11/7(TI)3/9II/5C5 r - - 7 9');
  later.move('I>g3,T>xh5');
  assert.equal(later.halfMoves(), 0);
});

test('the same position for the third time is a draw', () => {
  const game = new CoTuLenh();
  const shuffle = ['Cf1', 'Cf12', 'Cg1', 'Cg12'];
  for (const san of shuffle) game.move(san);
  assert.equal(game.isThreefoldRepetition(), false);
  for (const san of shuffle) game.move(san);
  assert.deepEqual([game.isThreefoldRepetition(), game.isDraw(), game.isGameOver()], [true, true, true]);
  game.undo();
  assert.equal(game.isThreefoldRepetition(), false);
});

test('occurrences may be told', () => {
  const game = new CoTuLenh();
  game.incrementPositionCount(game.fen());
  game.incrementPositionCount(game.fen());
  assert.equal(game.isThreefoldRepetition(), true);
  game.decrementPositionCount(game.fen());
  assert.equal(game.isThreefoldRepetition(), false);
});

test('a plain move that waits is judged as if it were committed', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 99 60');
  game.move('Te5', { autoCommit: false });
  assert.deepEqual([game.isDrawByFiftyMoves(), game.isGameOver(), game.isStalemate()], [true, true, false]);
});
