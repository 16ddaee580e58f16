// Deploys step by step, plain moves that wait, undo and history.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoTuLenh, MoveResult, SQUARE_MAP } from '../../lib/compat.js';

const FTI = '6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1';
const piece = (type, color = 'r', heroic = false) => ({ type, color, heroic });
const types = (pieces) => pieces.map((single) => single.type).join('');

test('a step opens a session: the board changes, the turn does not', () => {
  const game = new CoTuLenh(FTI);
  assert.deepEqual([game.getSession(), game.getDeployState(), game.canCommitSession()], [null, null, false]);
  const result = game.move({ from: 'e4', to: 'e8', piece: 'f', deploy: true });
  assert.ok(result instanceof MoveResult);
  assert.deepEqual({ ...result, to: [...result.to] }, {
    color: 'r', from: 'e4', to: [['e8', piece('f')]], piece: piece('f'), captured: undefined, flags: 'dn', before: FTI,
    after: `${FTI} e4:(TI):F>e8...`, san: '(TI)<F>e8', lan: 'e4:(TI):F>e8', completed: false,
    stay: { ...piece('t'), carrying: [piece('i')] },
  });
  assert.ok(result.to instanceof Map && result.isDeploy);
  assert.deepEqual(result.getHighlightSquares(), ['e4', 'e8']);
  assert.deepEqual([game.turn(), game.moveNumber(), game.halfMoves()], ['r', 1, 0]);
  assert.equal(game.get('e8').type, 'f');
  assert.equal(game.fen(), `${FTI} e4:(TI):F>e8...`);
  assert.equal(game.fen(false), '6c4/9ii/11/11/4F6/11/11/11/4(TI)6/11/9II/5C5 r - - 0 1');
  assert.deepEqual(game.history(), []);
  assert.equal(game.isGameOver(), false);
});

test('the session tells its state', () => {
  const game = new CoTuLenh(FTI);
  game.move('F>e8');
  const session = game.getSession();
  assert.equal(session, game.getSession());
  assert.deepEqual([session.stackSquare, session.turn, session.startFEN, session.isDeploy, session.isEmpty, session.isComplete],
    [SQUARE_MAP.e4, 'r', FTI, true, false, false]);
  assert.deepEqual(session.originalPiece, { ...piece('f'), carrying: [piece('t'), piece('i')] });
  assert.equal(types(session.remaining), 'ti');
  assert.deepEqual(session.moves, [{ color: 'r', from: SQUARE_MAP.e4, to: SQUARE_MAP.e8, piece: piece('f'), flags: 17 }]);
  assert.deepEqual([session.commands.length, session.commands[0].move.piece.type], [1, 'f']);
  assert.equal(session.canCommit(), true);
  assert.equal(session.getCurrentResult().san, '(TI)<F>e8');
  game.move('T>e6');
  assert.deepEqual([session.commands.length, types(session.remaining)], [2, 'i'], 'it follows the game');
  session.undoLastMove();
  assert.equal(types(session.remaining), 'ti');
  session.cancel();
  assert.deepEqual([game.fen(), game.getSession(), session.canCommit()], [FTI, null, false]);
  session.cancel();
  session.undoLastMove();
  assert.equal(game.fen(), FTI, 'a closed session does nothing');
});

test('the deploy state for a board', () => {
  const game = new CoTuLenh(FTI);
  game.move('T>e6');
  assert.deepEqual(game.getDeployState(), {
    stackSquare: 'e4', turn: 'r', originalPiece: { ...piece('f'), carrying: [piece('t'), piece('i')] },
    movedPieces: [piece('t')], remainingPieces: [piece('f'), piece('i')],
    stayPiece: { ...piece('f'), carrying: [piece('i')] }, canCommit: true, isComplete: false,
  });
  game.commitSession();
  assert.equal(game.getDeployState(), null);
});

test('in a session only the stack moves', () => {
  const game = new CoTuLenh(FTI);
  game.move('F>e8');
  for (const options of [{}, { square: 'e4' }, { square: 'f1' }]) {
    const list = game.moves({ verbose: true, ...options });
    assert.ok(list.length > 0 && list.every((move) => move.from === 'e4' && move.isDeploy && typeof move.to === 'string'));
  }
  assert.ok(game.moves({ verbose: true, pieceType: 'i' }).every((move) => move.piece.type === 'i'));
  assert.deepEqual(game.moves({ pieceType: 'f' }), []);
  assert.throws(() => game.move('Cf2'), /Invalid or illegal move/);
  assert.throws(() => game.move({ from: 'f1', to: 'f2' }), /No matching legal move found/);
  assert.equal(game.move({ from: 'e4', to: 'e6', piece: 't' }).san, 'I<F>e8,T>e6');
});

test('the last step commits by itself', () => {
  const game = new CoTuLenh(FTI);
  game.move('F>e8');
  game.move('T>e6');
  const result = game.move('I>d4');
  assert.deepEqual([result.completed, result.san, result.lan, result.flags, result.stay],
    [true, 'F>e8,T>e6,I>d4', 'e4::F>e8,T>e6,I>d4', 'dn', undefined]);
  assert.deepEqual([...result.to.keys()], ['e8', 'e6', 'd4']);
  assert.equal(result.after, '6c4/9ii/11/11/4F6/11/4T6/11/3I7/11/9II/5C5 b - - 1 1');
  assert.deepEqual([game.fen(), game.getSession(), game.history()], [result.after, null, [result.san]]);
});

test('a deploy ends by itself when the rest cannot move', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(HC)6/11/10I/11 r - - 0 1');
  assert.deepEqual([game.move('C>e5').completed, game.turn()], [true, 'b']);
});

test('a whole turn is read at once', () => {
  for (const text of ['(FI)<T>e6', 'e4:(FI):T>e6', 'T>e6,(FI)<']) {
    const game = new CoTuLenh(FTI);
    const result = game.move(text);
    assert.deepEqual([result.completed, result.san, game.turn()], [true, '(FI)<T>e6', 'b'], text);
  }
  const game = new CoTuLenh(FTI);
  assert.equal(game.move('F>e8,T>e6,I>d4').completed, true);
  game.undo();
  assert.equal(game.fen(), FTI);
  assert.throws(() => game.move('F<T>e6'), /Invalid or illegal move/);
  assert.equal(game.fen(), FTI);
});

test('commitSession ends the turn; the rest stays as one stack', () => {
  const game = new CoTuLenh(FTI);
  assert.deepEqual(game.commitSession().success, false);
  game.move('T>e6');
  assert.equal(game.canCommitSession(), true);
  const { success, result } = game.commitSession();
  assert.deepEqual([success, result.completed, result.san], [true, true, '(FI)<T>e6']);
  assert.equal(game.fen(), '6c4/9ii/11/11/11/11/4T6/11/4(FI)6/11/9II/5C5 b - - 1 1');
  assert.equal(result.after, game.fen());
  assert.deepEqual([game.getSession(), game.history()], [null, ['(FI)<T>e6']]);
});

test('a commit that the rules forbid says why, and the session stays open', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/11/1(NF)9/9II/5C5 r - - 0 1');
  game.move('N>b5');
  const { success, reason } = game.commitSession();
  assert.deepEqual([success, typeof reason, game.canCommitSession()], [false, 'string', false]);
  assert.match(reason, /b3/);
  assert.equal(types(game.getSession().remaining), 'f');
  assert.equal(game.move('F>e3').completed, true);
  assert.equal(game.fen(), '6c4/9ii/11/11/11/11/11/1N9/11/4F6/9II/5C5 b - - 1 1');
  game.undo();
  assert.equal(game.fen(), '6c4/9ii/11/11/11/11/11/11/11/1(NF)9/9II/5C5 r - - 0 1', 'a deploy from the sea is undone whole');
});

test('a step that leads nowhere can be made and undone, not committed', () => {
  const game = new CoTuLenh('4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1');
  game.move('T>g6');
  assert.equal(game.moves().includes('I>f6'), false);
  assert.equal(game.move('I>f6').completed, false);
  const { success, reason } = game.commitSession();
  assert.deepEqual([success, game.turn(), game.canCommitSession()], [false, 'r', false]);
  assert.match(reason, /commander/);
  assert.equal(game.fen().endsWith(' e6::T>g6,I>f6'), true);
  game.undo();
  assert.equal(game.commitSession().success, true);
  assert.equal(game.fen(), '4c6/9ii/11/11/11/11/4I1T4/11/11/11/9II/4C6 b - - 1 1');
});

test('undo takes back a step, then closes the session', () => {
  const game = new CoTuLenh(FTI);
  game.move('F>e8');
  game.move('T>e6');
  assert.equal(game.undo(), undefined);
  assert.equal(game.fen(), `${FTI} e4:(TI):F>e8...`);
  game.undo();
  assert.deepEqual([game.fen(), game.getSession()], [FTI, null]);
  game.undo();
  assert.equal(game.fen(), FTI);
});

test('cancelSession takes all steps back', () => {
  const game = new CoTuLenh(FTI);
  game.move('Cf2');
  game.move('Ch12');
  const before = game.fen();
  game.move('F>e8');
  game.move('T>e6');
  game.cancelSession();
  assert.deepEqual([game.fen(), game.history().length, game.getSession()], [before, 2, null]);
  game.cancelSession();
  game.move('T>e6');
  game.setSession(null);
  assert.deepEqual([game.fen(), game.getSession()], [before, null]);
  assert.throws(() => game.setSession({}), { code: 'SESSION_INVALID_OPERATION' });
});

test('pieces rejoin: the step is rewritten, and is one step', () => {
  const fen = '6c4/9ii/11/11/11/11/11/2i8/11/2(NT)8/9II/5C5 r - - 0 1';
  const game = new CoTuLenh(fen);
  game.move('N>xc5');
  const result = game.move({ from: 'c3', to: 'c5', piece: 't' });
  assert.deepEqual([result.completed, result.san, result.flags, result.captured], [true, '(NT)>xc5', 'dc', [piece('i', 'b')]]);
  assert.deepEqual(result.to.get('c5'), { ...piece('n'), carrying: [piece('t')] });
  assert.equal(game.turn(), 'b');
  const open = new CoTuLenh(FTI);
  open.move('T>e6');
  assert.equal(open.move('F>e8').piece.type, 'f');
  assert.deepEqual(open.move('I>&e6').piece, { ...piece('t'), carrying: [piece('i')] }, 'the group that it joined');
  assert.equal(open.fen(), '6c4/9ii/11/11/4F6/11/4(TI)6/11/11/11/9II/5C5 b - - 1 1');
  const middle = new CoTuLenh(FTI);
  middle.move('T>e6');
  assert.equal(middle.move('I>&e6').san, 'F<(TI)>e6');
  assert.deepEqual([middle.getSession().commands.length, middle.getSession().commands[0].move.piece.type], [1, 't']);
  middle.undo();
  assert.deepEqual([middle.fen(), middle.getSession()], [FTI, null]);
});

test('undo takes back the last step and leaves those that were rewritten', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/2(NFT)8/11/9II/5C5 r - - 0 1');
  game.move('F>f7');
  game.move('N>c6');
  game.move('T>&f7', { autoCommit: false });
  assert.equal(game.getSession().getCurrentResult().lan, 'c4::(FT)>f7,N>c6');
  game.undo();
  assert.equal(game.getSession().getCurrentResult().lan, 'c4:N:(FT)>f7');
});

test('a hero that rejoins stays one', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(FT+I)6/11/9II/5C5 r - - 0 1');
  game.move('F>e8');
  game.move('+I>&e8');
  game.move('T>e6');
  assert.equal(game.fen(), '6c4/9ii/11/11/4(F+I)6/11/4T6/11/11/11/9II/5C5 b - - 1 1');
});

test('what a deploy takes: one entry for each stack', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/4(ti)6/11/4(FTI)6/11/9II/5C5 r - - 3 1');
  const result = game.move('(FI)<T>xe6');
  assert.deepEqual(result.captured, [{ ...piece('t', 'b'), carrying: [piece('i', 'b')] }]);
  assert.deepEqual([result.flags, result.isCapture, game.halfMoves()], ['dc', true, 0]);
});

test('flags of a turn: d, then the others as they occur', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/1n9/11/1(NT)9/9II/5C5 r - - 0 1');
  const result = game.move('T>_b5');
  assert.deepEqual([result.flags, result.isStayCapture, result.isCapture, result.stay.type], ['ds', true, false, 'n']);
  assert.deepEqual(game.get('b3').carrying, [piece('t')], 'the shooter has not moved');
  game.commitSession();
  assert.equal(game.fen(), '6c4/9ii/11/11/11/11/11/11/11/1(NT)9/9II/5C5 b - - 0 1');
});

test('autoCommit: false keeps a deploy open when nothing remains', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(TI)6/11/9II/5C5 r - - 0 1');
  game.move('T>e6', { autoCommit: false });
  const result = game.move('I>d4', { autoCommit: false });
  assert.deepEqual([result.completed, game.turn(), game.canCommitSession()], [false, 'r', true]);
  assert.deepEqual([game.getSession().isComplete, game.getSession().remaining], [true, []]);
  assert.equal(game.fen().endsWith(' e4::T>e6,I>d4'), true);
  assert.deepEqual([game.moves(), game.isGameOver(), game.isCheckmate(), game.isStalemate()], [[], false, false, false]);
  assert.equal(game.commitSession().result.san, 'T>e6,I>d4');
  assert.equal(game.turn(), 'b');
});

test('autoCommit: false lets a plain move wait', () => {
  const start = new CoTuLenh().fen();
  const game = new CoTuLenh();
  const waiting = game.move('Ic6', { autoCommit: false });
  assert.deepEqual([waiting.completed, waiting.san, game.turn(), game.get('c6').type], [false, 'Ic6', 'r', 'i']);
  const session = game.getSession();
  assert.deepEqual([session.isDeploy, session.isEmpty, session.isComplete, session.commands.length, session.startFEN],
    [false, false, true, 1, start]);
  assert.deepEqual([game.getDeployState(), game.history(), game.moves()], [null, [], []]);
  assert.deepEqual([game.isGameOver(), game.isStalemate(), game.isCheckmate(), game.isDraw()], [false, false, false, false]);
  assert.throws(() => game.move('Ik6'), /Invalid or illegal move/);
  assert.equal(game.canCommitSession(), true);
  const { success, result } = game.commitSession();
  assert.deepEqual([success, result.completed, result.after], [true, true, game.fen()]);
  assert.deepEqual([game.turn(), game.history(), game.getSession()], ['b', ['Ic6'], null]);
  game.undo();
  assert.equal(game.fen(), start);
  game.move('Ic6', { autoCommit: false });
  game.undo();
  assert.deepEqual([game.fen(), game.getSession()], [start, null]);
  game.move('Ic6', { autoCommit: false });
  game.cancelSession();
  assert.deepEqual([game.fen(), game.getSession()], [start, null]);
});

test('undo restores promotions and counters', () => {
  const fen = '6c4/9ii/11/6(TI)4/11/11/11/11/11/11/9II/5C5 r - - 7 9';
  const game = new CoTuLenh(fen);
  game.move('(TI)g10');
  assert.equal(game.getHeroicStatus('g10', 't'), true);
  game.undo();
  assert.equal(game.fen(), fen);
  game.undo();
  assert.equal(game.fen(), fen);
});

test('history tells turns and disturbs nothing', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1');
  game.move('(FI)<T>e6');
  game.move('Ch12');
  game.move('F>e8');
  const before = game.fen();
  assert.deepEqual(game.history(), ['(FI)<T>e6', 'Ch12']);
  const verbose = game.history({ verbose: true });
  assert.ok(verbose.every((result) => result instanceof MoveResult && result.completed));
  assert.deepEqual(verbose.map((result) => result.san), game.history());
  assert.equal(verbose[0].after, verbose[1].before);
  assert.ok(verbose[0].to instanceof Map && verbose[1].to === 'h12');
  assert.equal(game.fen(), before);
  assert.equal(game.getSession().commands.length, 1);
});

test('a session is not disturbed by hand', () => {
  const game = new CoTuLenh(FTI);
  game.move('F>e8');
  const before = game.fen();
  for (const act of [() => game.put(piece('t'), 'h5'), () => game.remove('f1'), () => game.setMetadata({ turn: 'b' }),
    () => game.setHeroicStatus('e8', 'f', true)]) {
    assert.throws(act, { code: 'SESSION_INVALID_OPERATION' });
    assert.equal(game.fen(), before);
  }
  game.setMetadata({ turn: 'r' });
  assert.equal(game.fen(), before, 'what is so already may be said');
  game.load(FTI);
  assert.equal(game.getSession(), null);
});

test('whatever is open is read again from its FEN', () => {
  const legal = false;
  for (const [fen, ...steps] of [
    [FTI, 'F>e8', 'T>e6'],
    // Nobody has a commander.
    ['11/11/11/11/11/11/11/11/4(FTI)6/11/11/11 r - - 0 1', 'F>e8', 'T>e6'],
    // The commanders see each other, and the deploy cannot end.
    ['4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1', 'T>g6', 'I>f6'],
  ]) {
    const game = new CoTuLenh(fen);
    for (const step of steps) game.move(step, { legal, autoCommit: false });
    const read = new CoTuLenh(game.fen());
    assert.deepEqual([read.fen(), read.moves({ legal }), read.canCommitSession(), read.getDeployState()],
      [game.fen(), game.moves({ legal }), game.canCommitSession(), game.getDeployState()]);
    read.cancelSession();
    assert.equal(read.fen(), fen);
  }
  for (const told of ['e6::T>g6,I>k1', 'e6:I:T>g6,I>f6', 'e6::T>g6', 'e6:::', 'e6::', 'z9::T>g6,I>f6', ':']) {
    const fen = `4c6/9ii/11/11/11/11/4(TI)6/11/11/11/9II/4C6 r - - 0 1 ${told}`;
    assert.throws(() => new CoTuLenh(fen), { code: 'FEN_INVALID_FORMAT' }, told);
  }
});
