// Lists of moves, results, and what move() reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BITS, CoTuLenh, DEFAULT_POSITION, MoveResult, SQUARE_MAP } from '../../lib/compat.js';

const STACKS = '6c4/11/11/8i2/11/11/11/2(NI)3(TM)4/11/11/11/4C4I1 r - - 0 1';
const piece = (type, color = 'r', heroic = false) => ({ type, color, heroic });

test('moves are listed in the order of the rules', () => {
  const game = new CoTuLenh();
  const sans = game.moves();
  assert.equal(sans.length, 116);
  assert.deepEqual(sans.slice(0, 4), ['Ic6', 'I&c4', 'Ed6', 'Ee5']);
  assert.equal(sans.at(-1), 'Cc1');
  const stacks = new CoTuLenh(STACKS).moves({ square: 'g5' });
  assert.deepEqual(stacks.slice(0, 3), ['T>g6', 'T>g7', 'T>h5'], 'steps first, the carrier before its cargo');
  assert.ok(stacks.indexOf('(TM)g6') > stacks.indexOf('M>g6'));
  const f = new CoTuLenh('6c4/9ii/11/11/11/4i6/11/4F6/11/11/9II/5C5 r - - 0 1').moves({ square: 'e5' });
  assert.equal(f.indexOf('F_e7'), f.indexOf('Fxe7') + 1, 'x before _');
});

test('filters: square, piece type, the side not to move', () => {
  const game = new CoTuLenh();
  assert.deepEqual(game.moves({ square: 'c4' }),
    ['N&c5', 'Nc6', 'Nc7', 'Nc3', 'Nc2', 'Nc1', 'Nb4', 'Na4', 'Nb5', 'Na6', 'Nb3', 'Na2']);
  for (const square of ['c8', 'e6', 'z9', 42.5]) assert.deepEqual(game.moves({ square }), [], String(square));
  const tanks = game.moves({ verbose: true }).filter((move) => move.piece.type === 't').map((move) => move.san);
  assert.deepEqual(game.moves({ pieceType: 't' }), tanks);
  assert.deepEqual(game.moves({ pieceType: 'x' }), []);
  const stacks = new CoTuLenh(STACKS);
  const militia = stacks.moves({ pieceType: 'm', verbose: true });
  assert.ok(militia.length > 0 && militia.every((move) => move.isDeploy && move.piece.type === 'm'));
  assert.equal(stacks.moves({ pieceType: 'm', square: 'c5' }).length, 0);
  assert.deepEqual(game.moves(null), game.moves());
});

test('verbose moves are results with every field', () => {
  const fen = '6c4/9ii/11/11/11/11/4(ti)6/11/4T6/11/9II/5C5 r - - 0 1';
  const list = new CoTuLenh(fen).moves({ verbose: true });
  assert.ok(list.every((move) => move instanceof MoveResult));
  const capture = list.find((move) => move.san === 'Txe6');
  assert.deepEqual({ ...capture }, {
    color: 'r', from: 'e4', to: 'e6', piece: piece('t'), captured: [piece('t', 'b'), piece('i', 'b')], flags: 'c',
    before: fen, san: 'Txe6', lan: 'Te4xe6', completed: true, stay: undefined,
  });
  assert.equal(capture.after, '6c4/9ii/11/11/11/11/4T6/11/11/11/9II/5C5 b - - 0 1');
  assert.equal(JSON.parse(JSON.stringify(capture)).after, capture.after);
  const quiet = list.find((move) => move.san === 'Te5');
  assert.equal(quiet.captured, undefined);
  assert.deepEqual(quiet.getHighlightSquares(), ['e4', 'e5']);
});

test('getters tell what a move is; isCapture is x alone', () => {
  const kinds = (fen, san) => {
    const { isDeploy, isCapture, isStayCapture, isSuicideCapture, flags } = new CoTuLenh(fen).moves({ verbose: true })
      .find((move) => move.san === san);
    return [isDeploy, isCapture, isStayCapture, isSuicideCapture, flags];
  };
  const air = '6c4/9ii/11/11/8g2/4i6/11/4(FI)3F2/11/11/9II/5C5 r - - 0 1';
  assert.deepEqual(kinds(air, '(FI)xe7'), [false, true, false, false, 'c']);
  assert.deepEqual(kinds(air, '(FI)_e7'), [false, false, true, false, 's']);
  assert.deepEqual(kinds(air, 'F@i8'), [false, false, false, true, 'k']);
  assert.deepEqual(kinds(air, 'I>e6'), [true, false, false, false, 'nd']);
  assert.deepEqual(kinds(DEFAULT_POSITION, 'I&c4'), [false, false, false, false, 'b']);
});

test('after each listed move is what playing it gives', () => {
  for (const fen of [DEFAULT_POSITION, STACKS]) {
    const list = new CoTuLenh(fen).moves({ verbose: true });
    for (const move of list) {
      const game = new CoTuLenh(fen);
      assert.equal(game.move(move).after, move.after, move.lan);
      assert.equal(game.fen(), move.after);
    }
  }
});

test('every field of a listed move can be set', () => {
  const [move, other] = new CoTuLenh().moves({ verbose: true });
  assert.equal(Object.assign(move, { after: 'mine', san: 'Mine' }).after, 'mine');
  assert.deepEqual([{ ...move }.after, JSON.parse(JSON.stringify(move)).after, move.san], ['mine', 'mine', 'Mine']);
  assert.notEqual(other.after, 'mine');
});

test('the list stays true when the game goes on', () => {
  const game = new CoTuLenh();
  const [first] = game.moves({ verbose: true });
  game.move('Ik6');
  assert.ok(first.after.includes('/2I8/3E2M2EI/'));
});

test('a played move has a result of its own', () => {
  const game = new CoTuLenh();
  const result = game.move('Ic6');
  assert.ok(result instanceof MoveResult);
  assert.deepEqual({ ...result }, {
    color: 'r', from: 'c5', to: 'c6', piece: piece('i'), captured: undefined, flags: 'n', before: DEFAULT_POSITION,
    after: game.fen(), san: 'Ic6', lan: 'Ic5c6', completed: true, stay: undefined,
  });
  assert.equal(game.turn(), 'b');
});

test('SAN and LAN are read, with more of the origin than needed', () => {
  for (const [fen, texts, san] of [
    [DEFAULT_POSITION, ['Ic6', 'Ic5c6', 'Icc6', 'I5c6', 'Ic6!?', 'Ic6+', 'Ic6#', 'Ic5-c6', 'c5-c6', 'c5c6'], 'Ic6'],
    [DEFAULT_POSITION, ['Ncb4', 'Nc4b4', 'N4b4'], 'Ncb4'],
    [DEFAULT_POSITION, ['I&c4', 'Ic5&c4', 'c5&c4'], 'I&c4'],
    ['6c4/9ii/11/11/11/11/11/3i7/3I7/11/9II/5C5 r - - 0 1', ['Ixd5', 'Id4xd5', 'd4xd5', 'd4d5'], 'Ixd5'],
    ['6c4/9ii/11/11/11/11/11/11/11/11/1n1F5II/5C5 r - - 0 1', ['F@b2', 'Fd2@b2', 'd2@b2'], 'F@b2'],
    ['6c4/9ii/11/11/11/4i6/11/4F6/11/11/9II/5C5 r - - 0 1', ['F_e7', 'Fe5_e7', 'F<e7', 'e5_e7'], 'F_e7'],
    ['6c4/9ii/11/11/11/11/11/4+I6/11/11/9II/5C5 r - - 0 1', ['+Ie6', 'Ie6', '+Ie5e6'], '+Ie6'],
    [STACKS, ['(NI)c7', '(NI)c5c7', '(IN)c7', 'c5c7'], '(NI)c7'],
    ['n5c4/n10/11/8i2/11/11/11/11/11/11/11/4C4I1 b - - 0 1', ['N11b12', 'Na11b12'], 'N11b12'],
  ]) {
    for (const text of texts) assert.equal(new CoTuLenh(fen).move(text).san, san, text);
  }
});

test('turns are read as the reference writes them', () => {
  const deploys = '11/5hch3/4s6/2n1(eg)4t1/3t7/11/2i7T/11/4G6/3+A2(FT)4/5H1H(FI)2/4C6 r - - 6 44';
  const tanks = '7a3/5hch3/6gt1g1/4e6/11/7t3/11/2A4E2I/2E1G6/7AG2/1NC2H1H3/11 b - - 2 49';
  for (const [fen, text, lan] of [
    [deploys, 'T<F>i1', 'g3:T:F>i1'], // without the origin: the stack that has these pieces
    [deploys, 'F>i1,T>e3', 'g3::F>i1,T>e3'],
    [tanks, 'T1h9', 'Th10h9'], // rank 10 cut to 1
  ]) {
    assert.deepEqual([new CoTuLenh(fen).move(text).lan, new CoTuLenh(fen).move(text).completed], [lan, true], text);
    assert.throws(() => new CoTuLenh(fen).move(text, { strict: true }), /Invalid or illegal move/);
  }
  for (const [fen, text] of [
    [deploys, 'F>i1'], // two stacks, and nothing tells which
    ['3T2c4/10i/3T7/11/11/11/11/11/11/11/10I/5C5 r - - 0 1', 'T1d11'], // from rank 10 or 12
    ['6c4/4F5i/11/11/11/11/11/11/11/11/10I/4FC5 r - - 0 1', 'F1e8'], // there is one on rank 1
  ]) assert.throws(() => new CoTuLenh(fen).move(text), /Invalid or illegal move/, text);
});

test('a stack is matched by its pieces', () => {
  const fen = '6c4/11/11/8i2/11/11/11/4(TI)1(FM)4/11/11/11/4C4I1 r - - 0 1';
  assert.equal(new CoTuLenh(fen).move('(TI)f5').lan, '(TI)e5f5');
  assert.equal(new CoTuLenh(fen).move('(FM)e7').lan, '(FM)g5e7');
});

test('whatever names no single legal move throws a plain error, and nothing changes', () => {
  const game = new CoTuLenh();
  for (const text of ['', '   ', 'ic6', 'IC6', 'c6', 'Ic6 ', 'I c6', 'Ic99', 'Ic7', 'Zc6', 'Nb4', '0-0', '--', '(TI)g5', '+Ic6',
    'a1-z9', 'é', '\ud800', 'x'.repeat(1_000_000), 'F>e5', 'T<I>c3']) {
    assert.throws(() => game.move(text), (error) => (
      error.constructor === Error && error.message.startsWith('Invalid or illegal move: "')), text.slice(0, 20));
  }
  for (const value of [undefined, null, 42, true, Symbol('x'), 10n]) {
    assert.throws(() => game.move(value), /^Error: Invalid or illegal move: /, String(value));
  }
  assert.deepEqual([game.fen(), game.history(), game.getSession()], [DEFAULT_POSITION, [], null]);
});

test('the reason is the cause', () => {
  assert.throws(() => new CoTuLenh().move('Ic5c7'), { cause: 'the infantry on c5 does not reach c7' });
});

test('strict reads SAN and LAN alone', () => {
  for (const text of ['Ic6', 'Ic5c6']) assert.equal(new CoTuLenh().move(text, { strict: true }).san, 'Ic6');
  for (const text of ['c5c6', 'c5-c6', 'Ic5-c6']) {
    assert.throws(() => new CoTuLenh().move(text, { strict: true }), /Invalid or illegal move/);
  }
});

test('objects: what is given must match, false too', () => {
  const lan = (move, fen = STACKS) => new CoTuLenh(fen).move(move).lan;
  assert.equal(lan({ from: 'c5', to: 'c6' }, DEFAULT_POSITION), 'Ic5c6');
  assert.equal(lan({ from: 'c5', to: 'c7', deploy: false }), '(NI)c5c7');
  assert.equal(lan({ from: 'c5', to: 'c7', deploy: true }), 'c5:I:N>c7');
  assert.equal(lan({ from: 'g5', to: 'g6', piece: 'm' }), 'g5:T:M>g6', 'cargo needs no more than its letter');
  assert.equal(lan({ from: 'g5', to: 'g6', piece: 't', deploy: true }), 'g5:M:T>g6');
  assert.equal(lan({ from: 'g5', to: 'g6', piece: 't', deploy: false, color: 'x', promotion: 1 }), '(TM)g5g6');
  const air = '6c4/9ii/11/11/11/4i6/11/4F6/11/11/9II/5C5 r - - 0 1';
  assert.equal(lan({ from: 'e5', to: 'e7', stay: true }, air), 'Fe5_e7');
  assert.equal(lan({ from: 'e5', to: 'e7', stay: false }, air), 'Fe5xe7');
  assert.equal(lan({ from: 'e5', to: 'e6', piece: 'f', stay: false, deploy: false }, air), 'Fe5e6');
  assert.equal(lan({ from: 'e5', to: 'e6', piece: undefined, stay: undefined, deploy: undefined }, air), 'Fe5e6');
});

test('objects that fit no move, several, or no square throw plain errors', () => {
  const game = new CoTuLenh(STACKS);
  const refused = (move, message) => {
    assert.throws(() => game.move(move), (error) => error.constructor === Error && error.message.startsWith(message),
      JSON.stringify(move));
    assert.deepEqual([game.fen(), game.getSession()], [STACKS, null]);
  };
  refused({ from: 'c5', to: 'c7' }, 'Multiple matching legal moves found: {"from":"c5","to":"c7"}');
  refused({ from: 'g5', to: 'g6' }, 'Multiple matching legal moves found');
  refused({ from: 'c5', to: 'c7', stay: true }, 'No matching legal move found');
  refused({ from: 'c5', to: 'k9' }, 'No matching legal move found');
  refused({ from: 'c5', to: 'c7', piece: 't' }, 'No matching legal move found');
  refused({ from: 'c5', to: 'c7', piece: 'zzz' }, 'No matching legal move found');
  refused({ from: 'c5', to: 'zz' }, 'Invalid square in move object: {"from":"c5","to":"zz"}');
  refused({ from: 'zz', to: 'c5' }, 'Invalid square in move object');
  refused({}, 'Invalid square in move object: {}');
  refused({ from: 'toString', to: 'c5' }, 'Invalid square in move object');
});

test('results and internal moves can be played', () => {
  const game = new CoTuLenh(STACKS);
  const step = game.moves({ verbose: true }).find((move) => move.san === 'N>c7');
  assert.equal(game.move(step).lan, 'c5:I:N>c7');
  game.undo();
  const whole = { color: 'r', from: SQUARE_MAP.c5, to: SQUARE_MAP.c7, piece: { type: 'n', color: 'r' }, flags: BITS.NORMAL };
  assert.equal(game.move(whole).lan, '(NI)c5c7');
  game.undo();
  const turn = game.move('I<N>c7');
  const again = new CoTuLenh(STACKS);
  assert.equal(again.move(turn).after, game.fen());
});

test('copies of results can be played, after a journey as JSON too', () => {
  const game = new CoTuLenh(STACKS);
  const copied = (move) => [{ ...move }, JSON.parse(JSON.stringify(move))];
  for (const move of game.moves({ verbose: true })) {
    for (const copy of copied(move)) {
      assert.equal(game.move(copy).after, move.after, move.san);
      game.undo();
    }
  }
  const turn = game.move('I<N>c7');
  for (const copy of copied(turn)) assert.equal(new CoTuLenh(STACKS).move(copy).after, turn.after);
  const [move] = game.moves({ verbose: true });
  for (const change of [{ from: 'zz' }, { to: 'zz' }, { from: undefined }]) {
    assert.throws(() => game.move({ ...move, ...change }), { name: 'Error', message: /^Invalid square in move object/ });
  }
  assert.throws(() => game.move({ ...turn, lan: 'nonsense' }), { name: 'Error', message: /^Invalid or illegal move/ });
});

test('legal: false asks for rays alone, with or without commanders', () => {
  const lesson = new CoTuLenh('11/11/11/11/11/11/11/4I6/11/11/11/11 r - - 0 1', { skipLastGuardPromotion: true });
  assert.deepEqual(lesson.moves(), []);
  assert.deepEqual(lesson.moves({ legal: false }), ['Ie6', 'If5', 'Ie4', 'Id5']);
  assert.throws(() => lesson.move('Ie6'), /Invalid or illegal move/);
  assert.equal(lesson.move('Ie6', { legal: false }).completed, true);
  lesson.setMetadata({ turn: 'r' });
  assert.equal(lesson.move({ from: 'e6', to: 'e7', piece: 'i' }, { legal: false }).san, 'Ie7');
  assert.deepEqual(lesson.history(), ['Ie6', 'Ie7']);
  lesson.undo();
  assert.equal(lesson.get('e6').type, 'i');
  const pinned = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/11/11/9II/6C4 r - - 0 1');
  assert.ok(pinned.moves({ legal: false }).length > pinned.moves().length);
});

test('legal: false plays a move into danger out', () => {
  const game = new CoTuLenh('4c6/9ii/11/11/11/11/4T6/11/11/11/9II/4C6 r - - 0 1');
  assert.throws(() => game.move('Tf6'));
  const result = game.move('Tf6', { legal: false });
  assert.deepEqual([result.completed, game.turn(), game.isCommanderInDanger('r')], [true, 'b', true]);
});

test('a deploy without commanders ends by itself', () => {
  const lesson = new CoTuLenh('11/11/11/11/11/11/11/11/2(NT)8/11/11/11 r - - 0 1', { skipLastGuardPromotion: true });
  const legal = false;
  assert.equal(lesson.move('N>c6', { legal }).completed, false);
  assert.equal(lesson.canCommitSession(), true);
  assert.ok(lesson.moves({ legal }).includes('T>&c6'), 'the tank may rejoin the ship');
  assert.equal(lesson.move({ from: 'c4', to: 'c6', piece: 't' }, { legal }).completed, true);
  assert.equal(lesson.fen(), '11/11/11/11/11/11/2(NT)8/11/11/11/11/11 b - - 1 1');
});

test('play goes on when the game is over', () => {
  const lost = new CoTuLenh('11/11/11/11/11/11/11/4T6/11/11/11/5C5 r - - 0 1');
  assert.equal(lost.isGameOver(), true);
  assert.equal(lost.move('Te6').completed, true, 'with the enemy commander missing');
  const drawn = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4T6/11/9II/5C5 r - - 120 60');
  assert.equal(drawn.isDraw(), true);
  assert.equal(drawn.move('Te5').completed, true);
});
