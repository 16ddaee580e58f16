// checkFen and load: every fault with its code, category, words and place.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoTuLenh, CotulenhError, DEFAULT_POSITION } from '../../lib/compat.js';

const REST = '11/11/11/11/11/11/11/11/11/11';
/** A FEN with both commanders and this rank 1. */
const withRank = (rank) => `6c4/${REST}/${rank} r - - 0 1`;
const LAWFUL = withRank('5C5');

/** The only fault of a FEN. */
function fault(fen, options) {
  const { valid, errors } = CoTuLenh.checkFen(fen, options);
  assert.equal(valid, false, fen);
  assert.equal(errors.length, 1, JSON.stringify(errors));
  return errors[0];
}

function expectFault(fen, code, category, text = '') {
  const found = fault(fen);
  assert.deepEqual([found.code, found.category], [code, category], fen);
  assert.ok(found.message.includes(text), `${found.message} has ${text}`);
  return found;
}

test('lawful positions have no fault', () => {
  for (const fen of [DEFAULT_POSITION, LAWFUL, withRank('2(NFT)2C5'), withRank('2(TNF)2C5'), withRank('4C42'),
    withRank('4C(T)5'), `${DEFAULT_POSITION} junk`, `${DEFAULT_POSITION} \n`, DEFAULT_POSITION.replaceAll(' ', '\t')]) {
    assert.deepEqual(CoTuLenh.checkFen(fen), { valid: true, errors: [] }, fen);
  }
});

test('fields', () => {
  const [placement] = LAWFUL.split(' ');
  expectFault(placement, 'FEN_INVALID_FORMAT', 'structure', 'Expected at least 6 FEN tokens, got 1');
  expectFault(`${placement} r - - 0`, 'FEN_INVALID_FORMAT', 'structure', 'Expected at least 6 FEN tokens, got 5');
  expectFault(`${placement} w - - 0 1`, 'FEN_INVALID_FORMAT', 'structure', "Invalid turn 'w'");
  expectFault(`${placement} r KQ - 0 1`, 'FEN_INVALID_FORMAT', 'structure', 'Castling field must be');
  expectFault(`${placement} r - e3 0 1`, 'FEN_INVALID_FORMAT', 'structure', 'En passant field must be');
  for (const count of ['-1', '1.5', 'x', '99999999999']) {
    expectFault(`${placement} r - - ${count} 1`, 'FEN_INVALID_FORMAT', 'structure', 'Invalid half move count');
  }
  for (const number of ['0', '-1', 'x', '99999999999']) {
    expectFault(`${placement} r - - 0 ${number}`, 'FEN_INVALID_FORMAT', 'structure', 'Invalid move number');
  }
});

test('ranks', () => {
  expectFault(`6c4/${REST} r - - 0 1`, 'FEN_INVALID_RANK_COUNT', 'structure', 'Expected 12 ranks, got 11');
  expectFault(`6c4/${REST}/5C5/11 r - - 0 1`, 'FEN_INVALID_RANK_COUNT', 'structure', 'Expected 12 ranks, got 13');
  expectFault(withRank('5C4'), 'FEN_INVALID_FILE_COUNT', 'structure', 'has 10 squares');
  expectFault(withRank('5C6'), 'FEN_INVALID_FILE_COUNT', 'structure', 'has 12 squares');
  expectFault(withRank('12'), 'FEN_INVALID_FILE_COUNT', 'lexical', '12');
  expectFault(withRank('05C5'), 'FEN_INVALID_FILE_COUNT', 'lexical', '0');
});

test('an unknown character is told with its place', () => {
  const found = expectFault(withRank('4CX5'), 'FEN_INVALID_PIECE', 'lexical', "'X'");
  assert.deepEqual(found.location, { rank: 1, charIndex: 2, context: 'X' });
  const above = fault(`6c4/11/3b7/${'11/'.repeat(8)}5C5 r - - 0 1`);
  assert.deepEqual([above.code, above.location.rank, above.location.context], ['FEN_INVALID_PIECE', 10, 'b']);
});

test('parentheses', () => {
  expectFault(withRank('4CTI)4'), 'FEN_MISMATCH_PARENTHESES', 'structure');
  expectFault(withRank('4C(TI5'.replace('5', '')), 'FEN_MISMATCH_PARENTHESES', 'structure');
  expectFault(withRank('4C((TI))5'), 'FEN_INVALID_FORMAT', 'structure', 'Nested parentheses');
  expectFault(withRank('4C()5'), 'FEN_INVALID_FORMAT', 'structure');
  expectFault(withRank('4C(T1I)5'), 'FEN_INVALID_FORMAT', 'structure');
  const codes = CoTuLenh.checkFen(withRank('4C(TX5')).errors.map((error) => error.code);
  assert.ok(codes.includes('FEN_MISMATCH_PARENTHESES') && codes.includes('FEN_INVALID_PIECE'), String(codes));
});

test('heroic marks', () => {
  expectFault(withRank('4++C6'), 'FEN_INVALID_FORMAT', 'lexical', '++');
  expectFault(withRank('4C5T+'), 'FEN_INVALID_FORMAT', 'lexical', 'Dangling');
  expectFault(withRank('4C+6'), 'FEN_INVALID_FORMAT', 'lexical');
  expectFault(withRank('4C+(TI)5'), 'FEN_INVALID_FORMAT', 'lexical');
});

test('what stands where', () => {
  expectFault(withRank('4C1N4'), 'BOARD_INVALID_TERRAIN', 'terrain', 'Navy cannot be placed on g1');
  expectFault(withRank('T3C6'), 'BOARD_INVALID_TERRAIN', 'terrain', 't cannot be placed on a1');
  assert.equal(CoTuLenh.checkFen(withRank('(FN)3C6')).valid, true, 'the carrier decides, whatever the order');
  for (const stack of ['(TT)', '(Ti)', '(NTI)', '(TA)']) {
    expectFault(withRank(`2${stack}2C5`), 'COMBINATION_FAILED', 'combination', 'c1');
  }
  expectFault(withRank('4C1C4'), 'COMMANDER_LIMIT_EXCEEDED', 'semantic', 'r');
  expectFault(withRank('4C1(TC)4'), 'COMMANDER_LIMIT_EXCEEDED', 'semantic', 'r');
});

test('each side has one commander', () => {
  expectFault(withRank('11'), 'FEN_INVALID_FORMAT', 'semantic', 'Expected 1 red commander');
  expectFault(`11/${REST}/5C5 r - - 0 1`, 'FEN_INVALID_FORMAT', 'semantic', 'Expected 1 blue commander');
  assert.equal(CoTuLenh.checkFen(withRank('5(TC)5')).valid, true);
  assert.equal(CoTuLenh.checkFen(`11/${REST}/11 r - - 0 1`).errors.length, 2);
});

test('all faults are collected, those of the form first', () => {
  const { errors } = CoTuLenh.checkFen(`6c4/${REST}/5X4 w - - 0 0`);
  assert.deepEqual(errors.map((error) => error.code),
    ['FEN_INVALID_FORMAT', 'FEN_INVALID_FORMAT', 'FEN_INVALID_PIECE']);
  const placing = CoTuLenh.checkFen(`T10/N10/3N7/${'11/'.repeat(8)}11 r - - 0 1`).errors;
  assert.deepEqual(placing.map((error) => error.category), ['terrain', 'terrain', 'semantic', 'semantic']);
});

test('checkSemantics: false stops after the form', () => {
  for (const rank of ['T10', '(TTA)10', '11', '4C1C4']) {
    assert.equal(CoTuLenh.checkFen(withRank(rank), { checkSemantics: false }).valid, true, rank);
  }
  assert.equal(CoTuLenh.checkFen(withRank('5C4'), { checkSemantics: false }).valid, false);
});

test('throwOnError throws the first fault', () => {
  const check = () => CoTuLenh.checkFen(withRank('5X4'), { throwOnError: true });
  assert.throws(check, (error) => error instanceof CotulenhError && error.code === 'FEN_INVALID_PIECE');
  assert.equal(CoTuLenh.checkFen(LAWFUL, { throwOnError: true, roundTripTest: true }).valid, true);
});

test('it needs no receiver, and unknown options are ignored', () => {
  const check = CoTuLenh.checkFen.bind(null);
  assert.equal(check(LAWFUL, { roundTripTest: true }).valid, true);
  assert.equal([LAWFUL].every((fen) => check(fen).valid), true);
});

test('anything but a string is a fault', () => {
  for (const value of [undefined, null, 42, {}, [], Symbol('x')]) assert.equal(CoTuLenh.checkFen(value).valid, false);
  assert.equal(CoTuLenh.checkFen('x'.repeat(5_000_000)).valid, false);
  assert.equal(CoTuLenh.checkFen('').valid, false);
});

test('load throws the first fault and leaves the game as it was', () => {
  const game = new CoTuLenh();
  game.move('Ic6');
  const before = game.fen();
  for (const [fen, code, text] of [
    [`6c4/${REST} r - - 0 1`, 'FEN_INVALID_RANK_COUNT', /Expected 12 ranks/],
    [withRank('T3C6'), 'BOARD_INVALID_TERRAIN', /Invalid terrain/],
    [withRank('4C1C4'), 'COMMANDER_LIMIT_EXCEEDED', /Commander limit reached/],
    [null, 'FEN_INVALID_FORMAT', /string/],
  ]) {
    assert.throws(() => game.load(fen), (error) => error.code === code && text.test(error.message), String(fen));
    assert.deepEqual([game.fen(), game.history()], [before, ['Ic6']]);
  }
});

test('load and the constructor take positions without commanders', () => {
  for (const fen of [`11/${REST}/11 r - - 0 1`, withRank('11'), `11/${REST}/5C5 b - - 3 7`]) {
    assert.equal(new CoTuLenh(fen).fen(), fen);
    const game = new CoTuLenh();
    game.load(fen);
    assert.equal(game.fen(), fen);
  }
  assert.throws(() => new CoTuLenh('nonsense'));
  assert.throws(() => new CoTuLenh(null));
  assert.equal(new CoTuLenh(undefined).fen(), DEFAULT_POSITION);
});

test('a FEN is told as this package writes it', () => {
  assert.equal(new CoTuLenh(withRank('2(TNF)1C42')).fen(), withRank('2(NFT)1C6'));
  assert.equal(new CoTuLenh(`${DEFAULT_POSITION} junk`).fen(), DEFAULT_POSITION);
});

test('skipValidation lets the turn and the counters be missing', () => {
  const game = new CoTuLenh();
  const [placement] = LAWFUL.split(' ');
  game.load(placement, { skipValidation: true });
  assert.equal(game.fen(), LAWFUL);
  game.load(`${placement} b`, { skipValidation: true });
  assert.equal(game.fen(), LAWFUL.replace(' r ', ' b '));
  game.load(`${placement} b - - 7 9`, { skipValidation: true });
  assert.deepEqual([game.turn(), game.halfMoves(), game.moveNumber()], ['b', 7, 9]);
  game.load(withRank('5C4'), { skipValidation: true });
  assert.equal(game.fen(), LAWFUL, 'a rank that is too short is filled up');
  assert.throws(() => game.load('11/11', { skipValidation: true }), /Expected 12 ranks/);
  assert.throws(() => game.load(withRank('T3C6'), { skipValidation: true }), { code: 'BOARD_INVALID_TERRAIN' });
  assert.equal(game.fen(), LAWFUL);
});

test('an extended FEN opens its deploy again', () => {
  const fen = '6c4/9ii/11/11/11/11/4i6/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(FI):T>xe6...';
  const game = new CoTuLenh(fen);
  assert.equal(game.fen(), fen);
  assert.deepEqual(game.getSession().remaining.map((piece) => piece.type), ['f', 'i']);
  assert.deepEqual(game.getSession().getCurrentResult().captured, [{ type: 'i', color: 'b', heroic: false }]);
  game.undo();
  assert.equal(game.fen(), fen.split(' ').slice(0, 6).join(' '));
  const wrong = fen.replace('T>xe6', 'T>e9');
  assert.throws(() => game.load(wrong), { code: 'FEN_INVALID_FORMAT' });
  assert.equal(CoTuLenh.checkFen(wrong).valid, false);
  assert.equal(CoTuLenh.checkFen(fen).valid, true);
});
