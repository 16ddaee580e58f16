// What the entry exports: names, tables, helpers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as compat from '../../lib/compat.js';

test('the names of sides and pieces are their letters', () => {
  const { RED, BLUE, COMMANDER, INFANTRY, TANK, MILITIA, ENGINEER, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY,
    HEADQUARTER } = compat;
  assert.deepEqual([RED, BLUE], ['r', 'b']);
  const letters = [COMMANDER, INFANTRY, TANK, MILITIA, ENGINEER, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY, HEADQUARTER];
  assert.equal(letters.join(''), 'citmeagsfnh');
  assert.deepEqual([...compat.PIECE_SYMBOLS], letters);
  assert.deepEqual([...compat.VALID_PIECE_TYPES], letters);
});

test('the entry has named exports only', () => {
  assert.equal('default' in compat, false);
  assert.equal(typeof compat.CoTuLenh, 'function');
  assert.equal(typeof compat.MoveResult, 'function');
});

test('the start position', () => {
  assert.equal(compat.DEFAULT_POSITION, `${compat.INITIAL_BOARD_FEN} r - - 0 1`);
  assert.equal(new compat.CoTuLenh().fen(), compat.DEFAULT_POSITION);
});

test('squares have indices, and indices names', () => {
  const { SQUARE_MAP, algebraic } = compat;
  assert.equal(Object.keys(SQUARE_MAP).length, 132);
  assert.deepEqual([SQUARE_MAP.a12, SQUARE_MAP.k12, SQUARE_MAP.a1, SQUARE_MAP.k1, SQUARE_MAP.i4], [0, 10, 176, 186, 136]);
  for (const [name, index] of Object.entries(SQUARE_MAP)) {
    assert.equal(algebraic(index), name);
    assert.equal(16 * compat.rank(index) + compat.file(index), index);
    assert.ok(compat.isSquareOnBoard(index));
  }
  assert.equal(compat.VALID_SQUARES.length, 132);
  for (const index of [-1, 11, 15, 187, 192, 255, 0.5, NaN, undefined, null, 'a1']) {
    assert.throws(() => algebraic(index), { code: 'BOARD_INVALID_SQUARE' });
    assert.equal(compat.isSquareOnBoard(index), false);
  }
});

test('flags have letters and bits', () => {
  assert.deepEqual({ ...compat.BITS },
    { NORMAL: 1, CAPTURE: 2, STAY_CAPTURE: 4, SUICIDE_CAPTURE: 8, DEPLOY: 16, COMBINATION: 32 });
  assert.deepEqual({ ...compat.FLAGS },
    { NORMAL: 'n', CAPTURE: 'c', STAY_CAPTURE: 's', SUICIDE_CAPTURE: 'k', DEPLOY: 'd', COMBINATION: 'b' });
  assert.equal(compat.CAPTURE_MASK, 14);
  assert.deepEqual([...compat.HEAVY_PIECES].sort(), ['a', 'g', 's']);
});

test('the masks tell where pieces may stand, as the rules do', () => {
  const { getMovementMask, SQUARE_MAP } = compat;
  for (const mask of [getMovementMask('n'), getMovementMask('f')]) assert.equal(mask.length, 256);
  assert.equal(getMovementMask('n'), compat.NAVY_MASK);
  assert.equal(getMovementMask('c'), compat.LAND_MASK);
  const count = (mask) => mask.reduce((sum, entry) => sum + entry, 0);
  assert.deepEqual([count(compat.NAVY_MASK), count(compat.LAND_MASK)], [40, 108]);
  // A FEN is judged by the masks and read by the rules: a mask that is too wide would be refused there.
  for (const type of ['n', 't']) {
    for (const [name, index] of Object.entries(SQUARE_MAP)) {
      const game = new compat.CoTuLenh();
      game.clear();
      const put = () => game.put({ type, color: 'r' }, name);
      if (getMovementMask(type)[index] === 0) assert.throws(put, { code: 'BOARD_INVALID_TERRAIN' });
      else assert.equal(put() && game.isCommanderInDanger('r'), true);
    }
  }
});

test('roles and letters name each other', () => {
  const { SYMBOL_TO_ROLE, ROLE_TO_SYMBOL, ROLES, Role } = compat;
  assert.deepEqual({ ...SYMBOL_TO_ROLE }, { c: 'commander', i: 'infantry', t: 'tank', m: 'militia', e: 'engineer',
    a: 'artillery', g: 'anti_air', s: 'missile', f: 'air_force', n: 'navy', h: 'headquarter' });
  for (const [symbol, role] of Object.entries(SYMBOL_TO_ROLE)) {
    assert.equal(ROLE_TO_SYMBOL[role], symbol);
    assert.ok(ROLES.includes(role));
    assert.equal(Role[role.toUpperCase()], role);
    assert.equal(compat[`ROLE_${role.toUpperCase()}`], role);
  }
  assert.equal(ROLES.length, 11);
});

test('the seven tags have defaults', () => {
  assert.deepEqual({ ...compat.SEVEN_TAG_ROSTER },
    { Event: '?', Site: '?', Date: '????.??.??', Round: '?', Red: '?', Blue: '?', Result: '*' });
});

test('flattenPiece gives the carrier without cargo, and the cargo', () => {
  const tank = { type: 't', color: 'r', heroic: true };
  const navy = { type: 'n', color: 'r', heroic: false };
  assert.deepEqual(compat.flattenPiece({ ...navy, carrying: [tank] }), [navy, tank]);
  assert.deepEqual(compat.flattenPiece(tank), [tank]);
});

test('swapColor and isDigit', () => {
  assert.deepEqual([compat.swapColor('r'), compat.swapColor('b')], ['b', 'r']);
  assert.deepEqual(['0', '9', 'a', '', '10', undefined].map(compat.isDigit), [true, true, false, false, false, false]);
});

test('validateFenString is the verdict of checkFen', () => {
  assert.equal(compat.validateFenString(compat.DEFAULT_POSITION), true);
  assert.equal(compat.validateFenString('11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1'), false);
});

test('errors have a name, a code and metadata', () => {
  const { CotulenhError, ErrorCode, createError } = compat;
  const error = createError(ErrorCode.BOARD_INVALID_SQUARE, 'no such square', { square: 'z9' });
  assert.ok(error instanceof CotulenhError && error instanceof Error);
  assert.deepEqual(error.toJSON(), { name: 'CotulenhError', code: 'BOARD_INVALID_SQUARE', message: 'no such square',
    metadata: { square: 'z9' } });
  assert.equal(createError('COMBINATION_FAILED').message, 'COMBINATION_FAILED');
  assert.equal(createError('COMBINATION_FAILED').metadata, undefined);
  assert.deepEqual(Object.keys(ErrorCode).sort(), ['BOARD_INVALID_SQUARE', 'BOARD_INVALID_TERRAIN',
    'CAPTURE_INVALID_TARGET', 'COMBINATION_FAILED', 'COMMANDER_LIMIT_EXCEEDED', 'FEN_INVALID_FILE_COUNT',
    'FEN_INVALID_FORMAT', 'FEN_INVALID_PIECE', 'FEN_INVALID_RANK_COUNT', 'FEN_MISMATCH_PARENTHESES',
    'INTERNAL_INCONSISTENCY', 'MOVE_INVALID_DESTINATION', 'MOVE_NO_PIECE_TO_MOVE', 'MOVE_PIECE_NOT_FOUND',
    'SESSION_INVALID_OPERATION']);
  for (const [name, code] of Object.entries(ErrorCode)) assert.equal(name, code);
});
