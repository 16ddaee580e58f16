// A game's position: what stands where, put and remove, whose turn it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoTuLenh, DEFAULT_POSITION, SQUARE_MAP } from '../../lib/compat.js';

/** An empty board with these pieces, each as `(N+F)c3`. */
function boardWith(...texts) {
  const game = new CoTuLenh();
  game.clear();
  for (const text of texts) {
    const [, letters, square] = /^(.+?)([a-k]\d+)$/.exec(text);
    const pieces = [...letters.matchAll(/(\+?)([A-Za-z])/g)].map(([, plus, letter]) => (
      { type: letter.toLowerCase(), color: letter < 'a' ? 'r' : 'b', heroic: plus === '+' }));
    const [carrier, ...carrying] = pieces;
    game.put(carrying.length > 0 ? { ...carrier, carrying } : carrier, square);
  }
  return game;
}
const COMMANDERS = ['Cf1', 'cg12'];

test('clear empties everything', () => {
  const game = new CoTuLenh();
  game.setHeader('Red', 'An');
  game.setComment('hello');
  game.move('Ic6');
  game.clear({ preserveHeaders: true });
  assert.equal(game.fen(), '11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1');
  assert.deepEqual([game.turn(), game.halfMoves(), game.moveNumber()], ['r', 0, 1]);
  assert.deepEqual([game.history(), game.getSession(), game.getComment()], [[], null, undefined]);
  assert.equal(game.getHeaders().Red, 'An');
  game.clear();
  assert.equal(game.getHeaders().Red, '?');
  game.undo();
  assert.equal(game.fen().startsWith('11/11/'), true, 'there is nothing to undo');
});

test('get answers a piece, a member of a stack, or undefined', () => {
  const game = boardWith('(N+FT)c3', 'id5', ...COMMANDERS);
  const single = (type, heroic, color = 'r') => ({ type, color, heroic });
  const stack = { ...single('n', false), carrying: [single('f', true), single('t', false)] };
  assert.deepEqual(game.get('c3'), stack);
  assert.deepEqual(game.get(SQUARE_MAP.c3), stack);
  assert.deepEqual(game.get('c3', 'f'), single('f', true));
  assert.deepEqual(game.get('c3', 'n'), single('n', false));
  assert.deepEqual(game.get('d5'), single('i', false, 'b'));
  assert.equal('carrying' in game.get('d5'), false);
  for (const answer of [game.get('e5'), game.get('z9'), game.get('c3', 'i'), game.get('d5', 't'), game.get(-1),
    game.get(undefined), game.get('e5', 't'), game.get('constructor')]) assert.equal(answer, undefined);
  game.get('c3').type = 'x';
  assert.equal(game.get('c3').type, 'n', 'what is handed out is a copy');
});

test('put answers true and replaces what stands there', () => {
  const game = boardWith(...COMMANDERS);
  assert.equal(game.put({ type: 't', color: 'r' }, 'e4'), true);
  assert.deepEqual(game.get('e4'), { type: 't', color: 'r', heroic: false });
  assert.equal(game.put({ type: 'i', color: 'b', heroic: true }, 'e4'), true);
  assert.deepEqual(game.get('e4'), { type: 'i', color: 'b', heroic: true });
  assert.equal(game.put({ type: 'a', color: 'r' }, SQUARE_MAP.e5), true);
  assert.equal(game.get('e5').type, 'a');
});

test('put refuses squares, terrain, pieces and second commanders', () => {
  const game = boardWith(...COMMANDERS);
  const before = game.fen();
  const refused = (piece, square, code, combine) => {
    assert.throws(() => game.put(piece, square, combine), { name: 'CotulenhError', code });
    assert.equal(game.fen(), before);
  };
  refused({ type: 't', color: 'r' }, 'z9', 'BOARD_INVALID_SQUARE');
  refused({ type: 't', color: 'r' }, 'a5', 'BOARD_INVALID_TERRAIN');
  refused({ type: 'n', color: 'r' }, 'f5', 'BOARD_INVALID_TERRAIN');
  refused({ type: 'f', color: 'r', carrying: [{ type: 't', color: 'r' }] }, 'b5', 'BOARD_INVALID_TERRAIN');
  refused({ type: 'c', color: 'r' }, 'f2', 'COMMANDER_LIMIT_EXCEEDED');
  refused({ type: 't', color: 'b', carrying: [{ type: 'c', color: 'b' }] }, 'f9', 'COMMANDER_LIMIT_EXCEEDED');
  refused({ type: 't', color: 'r', carrying: [{ type: 'a', color: 'r' }] }, 'e4', 'COMBINATION_FAILED');
  refused({ type: 't', color: 'r', carrying: [{ type: 'i', color: 'b' }] }, 'e4', 'COMBINATION_FAILED');
  refused({ type: 'q', color: 'r' }, 'e4', 'FEN_INVALID_PIECE');
  refused({ type: 't', color: 'w' }, 'e4', 'FEN_INVALID_PIECE');
  refused(null, 'e4', 'FEN_INVALID_PIECE');
});

test('put with allowCombine joins', () => {
  const game = boardWith('Te4', ...COMMANDERS);
  assert.equal(game.put({ type: 'i', color: 'r', heroic: true }, 'e4', true), true);
  assert.equal(game.fen().includes('(T+I)'), true);
  assert.throws(() => game.put({ type: 'a', color: 'r' }, 'e4', true), { code: 'COMBINATION_FAILED' });
  assert.throws(() => game.put({ type: 'f', color: 'b' }, 'e4', true), { code: 'COMBINATION_FAILED' });
  assert.equal(game.put({ type: 'f', color: 'r' }, 'e4', true), true);
  assert.deepEqual(game.get('e4').carrying.map((piece) => piece.type), ['t', 'i']);
  assert.equal(game.put({ type: 'm', color: 'b' }, 'h8', true), true, 'an empty square needs no joining');
});

test('a lawful set is arranged, whoever is told to carry', () => {
  for (const order of [['t', 'f', 'n'], ['f', 'n', 't'], ['n', 't', 'f']]) {
    const game = boardWith(...COMMANDERS);
    const [type, ...cargo] = order;
    game.put({ type, color: 'r', carrying: cargo.map((letter) => ({ type: letter, color: 'r' })) }, 'c3');
    assert.equal(game.get('c3').type, 'n');
    assert.deepEqual(game.get('c3').carrying.map((piece) => piece.type), ['f', 't']);
  }
  const sea = boardWith(...COMMANDERS);
  assert.equal(sea.put({ type: 'f', color: 'r', carrying: [{ type: 'n', color: 'r' }] }, 'a3'), true);
});

test('commanders may be put again, covered and moved', () => {
  const game = boardWith(...COMMANDERS);
  assert.equal(game.put({ type: 'c', color: 'r', heroic: true }, 'f1'), true);
  assert.equal(game.getCommanderSquare('r'), SQUARE_MAP.f1);
  assert.equal(game.put({ type: 'i', color: 'r' }, 'f1'), true, 'a piece put over it frees it');
  assert.equal(game.getCommanderSquare('r'), -1);
  assert.equal(game.put({ type: 'c', color: 'r' }, 'g2'), true);
  assert.equal(game.remove('g2').type, 'c');
  assert.equal(game.put({ type: 't', color: 'r', carrying: [{ type: 'c', color: 'r' }] }, 'h3'), true);
  assert.equal(game.getCommanderSquare('r'), SQUARE_MAP.h3, 'a carried one is found too');
  assert.equal(game.getCommanderSquare('b'), SQUARE_MAP.g12);
});

test('remove answers what went', () => {
  const game = boardWith('(N+FT)c3', 'Ie4', ...COMMANDERS);
  assert.deepEqual(game.remove('e4'), { type: 'i', color: 'r', heroic: false });
  assert.equal(game.get('e4'), undefined);
  for (const square of ['e4', 'z9', undefined]) assert.equal(game.remove(square), undefined);
  assert.deepEqual(game.remove('c3', { type: 'f', color: 'r' }), { type: 'f', color: 'r', heroic: true });
  assert.equal(game.fen().includes('(NT)'), true);
  assert.throws(() => game.remove('c3', { type: 'i', color: 'r' }), { code: 'MOVE_PIECE_NOT_FOUND' });
  assert.equal(game.remove('c3', 'n').type, 'n');
  assert.deepEqual(game.get('c3'), { type: 't', color: 'r', heroic: false }, 'the next one carries');
});

test('what was set up is in force at once', () => {
  const game = boardWith('Ff5', ...COMMANDERS);
  assert.ok(game.moves().includes('Ff9'));
  game.put({ type: 'g', color: 'b' }, 'f8');
  assert.ok(!game.moves().includes('Ff9') && game.moves().includes('F@f8'));
  assert.deepEqual(game.getAirDefense().b.get(SQUARE_MAP.f7), [SQUARE_MAP.f8]);
  assert.equal(game.getAttackers(SQUARE_MAP.f1, 'b').length, 0);
  game.put({ type: 't', color: 'b' }, 'f3');
  assert.equal(game.isCheck(), true);
  assert.deepEqual(game.getAttackers(SQUARE_MAP.f1, 'b'), [{ square: SQUARE_MAP.f3, type: 't' }]);
  game.remove('f3');
  assert.equal(game.isCheck(), false);
  game.setHeroicStatus('f5', 'f', true);
  assert.ok(game.moves().includes('+Fxf8'), 'a heroic aircraft fears no gun');
});

test('heroic flags are read and written, cargo too', () => {
  const game = boardWith('(NF)c3', ...COMMANDERS);
  assert.equal(game.setHeroicStatus('c3', 'f', true), true);
  assert.deepEqual([game.getHeroicStatus('c3'), game.getHeroicStatus('c3', 'f'), game.getHeroicStatus(SQUARE_MAP.c3, 'n')],
    [false, true, false]);
  assert.equal(game.setHeroicStatus('c3', undefined, true), true);
  assert.equal(game.fen().includes('(+N+F)'), true);
  game.setHeroicStatus('c3', 'f', false);
  assert.equal(game.fen().includes('(+NF)'), true);
  for (const [square, type] of [['e5', 't'], ['z9', undefined], ['c3', 'i']]) {
    assert.equal(game.getHeroicStatus(square, type), false);
    assert.equal(game.setHeroicStatus(square, type, true), false);
  }
});

test('setMetadata hands the move to a side and changes nothing else', () => {
  const game = new CoTuLenh();
  game.move('Ic6');
  const [placement] = game.fen().split(' ');
  game.setMetadata({ turn: 'r' });
  assert.equal(game.fen(), `${placement} r - - 1 1`);
  assert.deepEqual(game.history(), ['Ic6']);
  assert.deepEqual(game.getMetadata(), { turn: 'r', halfMoves: 1, moveNumber: 1, fen: game.fen() });
  game.setMetadata({ halfMoves: 12, moveNumber: 30 });
  assert.deepEqual([game.turn(), game.halfMoves(), game.moveNumber()], ['r', 12, 30]);
  game.move('Ic7');
  game.setMetadata({ turn: 'r' });
  game.undo();
  assert.equal(game.fen(), `${placement} r - - 12 30`);
  game.undo();
  assert.equal(game.fen(), DEFAULT_POSITION);
  for (const bad of [{ turn: 'w' }, { halfMoves: -1 }, { moveNumber: 0 }, { halfMoves: 1.5 }, { moveNumber: '3' }]) {
    assert.throws(() => game.setMetadata(bad), { code: 'FEN_INVALID_FORMAT' });
  }
  assert.equal(game.fen(), DEFAULT_POSITION);
});

test('what was put since stays when a turn is taken back', () => {
  const game = boardWith('Te4', ...COMMANDERS);
  game.move('Te5');
  game.put({ type: 'i', color: 'b' }, 'h8');
  game.undo();
  assert.equal(game.get('e4').type, 't');
  assert.equal(game.get('e5'), undefined);
  assert.equal(game.get('h8').type, 'i');
  assert.equal(game.turn(), 'r');
});

test('board has twelve rows from rank 12, without cargo', () => {
  const rows = boardWith('(N+F)c3', 'cg12').board();
  assert.deepEqual([rows.length, ...new Set(rows.map((row) => row.length))], [12, 11]);
  assert.deepEqual(rows[0][6], { square: 'g12', type: 'c', color: 'b', heroic: false });
  assert.deepEqual(rows[9][2], { square: 'c3', type: 'n', color: 'r', heroic: false });
  assert.equal(rows.flat().filter((cell) => cell !== null).length, 2);
});

test('counters: the number rises after blue', () => {
  const game = new CoTuLenh();
  const numbers = ['Ic6', 'Ic7', 'Ik6', 'Ik7'].map((san) => {
    game.move(san);
    return [game.turn(), game.moveNumber(), game.halfMoves()];
  });
  assert.deepEqual(numbers, [['b', 1, 1], ['r', 2, 2], ['b', 2, 3], ['r', 3, 4]]);
});

test('air defence: covered squares with their providers, by index and by name', () => {
  const game = boardWith('Gf5', 'se9', ...COMMANDERS);
  const { r, b } = game.getAirDefense();
  assert.ok(r instanceof Map && b instanceof Map);
  assert.deepEqual([r.size, b.size], [5, 13]);
  assert.deepEqual(r.get(SQUARE_MAP.f5), [SQUARE_MAP.f5], 'its own square included');
  const names = game.getAirDefenseInfluence();
  assert.deepEqual([...names.r.keys()].sort(), ['e5', 'f4', 'f5', 'f6', 'g5']);
  assert.deepEqual(names.b.get('e7'), ['e9']);
  game.put({ type: 'g', color: 'r' }, 'g5');
  assert.deepEqual(game.getAirDefenseInfluence().r.get('f5').sort(), ['f5', 'g5']);
  const empty = boardWith(...COMMANDERS).getAirDefense();
  assert.deepEqual([empty.r.size, empty.b.size], [0, 0]);
});

test('attackers: each member by itself, from near to far by direction, also of an empty square', () => {
  const game = boardWith('(FT)e7', 'Ae2', 'Nc5', ...COMMANDERS);
  const attackers = game.getAttackers(SQUARE_MAP.e5, 'r');
  assert.deepEqual(attackers, [
    { square: SQUARE_MAP.e7, type: 'f' }, { square: SQUARE_MAP.e7, type: 't' },
    { square: SQUARE_MAP.e2, type: 'a' }, { square: SQUARE_MAP.c5, type: 'n' },
  ]);
  assert.deepEqual(game.getAttackers(SQUARE_MAP.e5, 'b'), []);
  assert.deepEqual(game.getAttackers(255, 'r'), []);
  const ship = boardWith('Nc1', ...COMMANDERS);
  assert.equal(ship.getAttackers(SQUARE_MAP.c5, 'r').length, 0, 'guns reach three squares');
  assert.equal(ship.getAttackers(SQUARE_MAP.c5, 'r', 'n').length, 1, 'torpedoes four');
  const missile = boardWith('Se10', ...COMMANDERS);
  assert.deepEqual(missile.getAttackers(SQUARE_MAP.g12, 'r'), [], 'a missile reaches one square diagonally');
});

test('danger of either commander, whoever is to move', () => {
  const facing = new CoTuLenh('4c6/10i/11/11/11/11/11/4C6/11/11/10I/11 r - - 0 1');
  assert.deepEqual([facing.isCommanderInDanger('r'), facing.isCommanderInDanger('b'), facing.isCheck()], [true, true, false]);
  const start = new CoTuLenh();
  assert.deepEqual([start.isCommanderInDanger('r'), start.isCommanderInDanger('b')], [false, false]);
  assert.equal(boardWith('Cf1').isCommanderInDanger('b'), true, 'a missing one is in danger');
  assert.throws(() => start.isCommanderInDanger('w'), TypeError);
});

test('options are kept, and the board can be printed', (t) => {
  const game = new CoTuLenh(undefined, { skipLastGuardPromotion: true });
  assert.deepEqual(game.getOptions(), { skipLastGuardPromotion: true });
  assert.deepEqual(new CoTuLenh().getOptions(), { skipLastGuardPromotion: false });
  const log = t.mock.method(console, 'log', () => {});
  game.printBoard();
  assert.equal(log.mock.callCount(), 1);
  assert.equal(log.mock.calls[0].arguments[0].split('\n').length, 13);
});

test('skipLastGuardPromotion leaves the last guard as it is', () => {
  const fen = '4c6/10t/11/11/11/11/11/3i7/11/3I7/11/5C5 r - - 0 1';
  const [usual, exercise] = [undefined, { skipLastGuardPromotion: true }].map((options) => new CoTuLenh(fen, options));
  usual.move('Id4');
  exercise.move('Id4');
  assert.deepEqual([usual.getHeroicStatus('d4'), exercise.getHeroicStatus('d4')], [true, false]);
  exercise.undo();
  assert.equal(exercise.moves({ verbose: true }).find((move) => move.to === 'd4').after.includes('3I7'), true);
});
