import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rules } from '../lib/rules.js';
import {
  ConvoyError, Game, isCapture, isCommit, isFen, isRecombine, isStep, moveFrom, moveKind, moveRole, moveTo, Position,
  ROLES, SQUARES, START_FEN,
} from '../lib/cotulenh.js';

const DEPLOY = '6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1';

test('the start of a game', () => {
  const start = Position.start();
  assert.equal(start.fen(), START_FEN);
  assert.equal(`${start}`, START_FEN);
  assert.equal(JSON.stringify({ start }), JSON.stringify({ start: START_FEN }));
  assert.ok(start.equals(Position.fromFen(START_FEN)));
  assert.deepEqual([start.turn, start.halfmoveClock, start.moveNumber], ['r', 0, 1]);
  assert.deepEqual([start.commander('r'), start.commander('b')], ['g1', 'g12']);
  assert.equal(start.outcome(), null);
  assert.equal(start.stacks().size, 38);
  assert.equal(start.stackAt('g5'), 'M');
  assert.equal(start.stackAt('g6'), null);
  assert.equal(start.moves().length, 116);
  assert.equal(start.sans()[0], 'Ic6');
  assert.equal(start.lans()[0], 'Ic5c6');
  assert.equal(start.perft(3), 1_578_799);
});

test('a position is a value', () => {
  const start = Position.start();
  const [move] = start.moves();
  const next = start.play(move);
  assert.equal(next.turn, 'b');
  assert.equal(start.turn, 'r');
  assert.equal(start.play('Ic6').fen(), next.fen());
  assert.equal(start.san(move), 'Ic6');
  assert.equal(start.lan(move), 'Ic5c6');
  assert.ok(start.isLegal(move));
  assert.ok(!next.isLegal(move));
  assert.notEqual(start.key(), next.key());
  assert.equal(start.key(), Position.fromFen(START_FEN.replace('0 1', '5 9')).key());
});

test('a move is a number with parts', () => {
  const position = Position.fromFen('6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1');
  const [capture] = position.parse('Txe6');
  assert.deepEqual(
    [moveFrom(capture), moveTo(capture), moveRole(capture), moveKind(capture)],
    ['e5', 'e6', 'T', 'capture'],
  );
  assert.ok(isCapture(capture) && !isStep(capture) && !isCommit(capture) && !isRecombine(capture));
  const found = position.verboseMoves().find(({ move }) => move === capture);
  assert.deepEqual([found.san, found.lan, found.piece, found.captured], ['Txe6', 'Te5xe6', 'T', 'i']);
  assert.equal(found.before, position);
  assert.equal(found.after.fen().split(' ')[1], 'b');
  assert.equal(SQUARES.length, 132);
  assert.equal(ROLES.join(''), 'CIMAGSTFENH');
});

test('a deploy, step by step and at once', () => {
  const position = Position.fromFen(DEPLOY);
  const open = position.play('T>e6');
  assert.deepEqual([open.deployFrom(), open.turn, open.canCommit()], ['e4', 'r', true]);
  const commit = open.moves().find(isCommit);
  const ended = open.play(commit);
  assert.deepEqual([ended.deployFrom(), ended.turn], [null, 'b']);
  const moves = position.deploy({ from: 'e4', moves: { T: 'e6', I: 'e5' }, stay: 'F' });
  assert.equal(position.play(moves).fen(), position.play('F<T>e6,I>e5').fen());
  const turns = position.turns({ from: 'e4' });
  assert.ok(turns.some((turn) => turn.san === 'F<T>e6,I>e5'));
  for (const turn of turns.slice(0, 50)) assert.equal(position.play(turn.moves).fen(), position.play(turn.lan).fen());
  assert.throws(() => position.deploy({ from: 'e4', moves: { T: 'e6' } }), { code: 'piece-forgotten' });
});

test('attackers and air cover', () => {
  const position = Position.fromFen('6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1');
  assert.deepEqual(position.attackers('e6', 'r'), [{ square: 'e5', role: 'T' }]);
  assert.deepEqual(position.airCover('r'), []);
  assert.ok(Position.start().airCover('b').includes('c9'));
});

test('mate', () => {
  const mate = Position.fromFen('4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1');
  assert.deepEqual(mate.outcome(), { winner: 'b', reason: 'checkmate' });
  assert.ok(mate.isCheckmate() && mate.isCheck() && !mate.isStalemate());
});

test('a game', () => {
  const game = new Game();
  game.play('Ic6').play('Mg7');
  assert.deepEqual(game.sans(), ['Ic6', 'Mg7']);
  assert.deepEqual(game.lans(), ['Ic5c6', 'Mg8g7']);
  assert.equal(game.turnCount, 2);
  assert.equal(game.repetitions(), 1);
  assert.throws(() => game.play('Ic9'), ConvoyError);
  assert.equal(game.turnCount, 2);
  game.setHeader('Red', 'An');
  game.setComment(2, 'quick');
  game.setClock(1, 61_000);
  assert.deepEqual([...game.headers()], [['Red', 'An']]);
  assert.deepEqual([game.comment(0), game.comment(2), game.clock(1), game.clock(2)], [null, 'quick', 61_000, null]);
  const again = Game.fromPgn(game.pgn());
  assert.equal(again.pgn(), game.pgn());
  assert.equal(again.comment(2), 'quick');
  assert.ok(game.undo());
  assert.deepEqual(game.sans(), ['Ic6']);
  assert.equal(game.positionAfter(0).fen(), START_FEN);
  assert.ok(game.undo() && !game.undo());
  assert.equal(game.start.fen(), START_FEN);
});

test('further ways to win', () => {
  const start = Position.fromFen('6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1');
  const game = new Game(start, { victories: ['marine'] });
  game.play('Nxc7');
  assert.deepEqual(game.outcome(), { winner: 'r', reason: 'marine' });
  assert.throws(() => game.play('Cg12f12'), { code: 'game-over' });
});

test('a threefold repetition', () => {
  const game = new Game(Position.fromFen('6c4/11/11/11/11/11/11/11/11/11/11/4C6 r - - 0 1'));
  for (let i = 0; i < 2; i++) game.play('Cd1').play('Ch12').play('Ce1').play('Cg12');
  assert.equal(game.repetitions(), 3);
  assert.deepEqual(game.outcome(), { winner: null, reason: 'threefold' });
});

test('values outlive their slots', () => {
  const start = Position.start();
  const played = start.play('Ic6');
  const game = new Game(Position.fromFen(DEPLOY));
  game.play('T>e6');
  const before = [played.key(), game.position.fen(), game.pgn()];
  for (let i = 0; i < 3000; i++) Position.start();
  for (let i = 0; i < 600; i++) new Game();
  assert.equal(start.play('Ic6').fen(), played.fen());
  assert.deepEqual([played.key(), game.position.fen(), game.pgn()], before);
  assert.ok(game.undoStep());
  assert.equal(game.position.fen(), DEPLOY);
});

test('discarded values take no memory', () => {
  const make = (count) => {
    for (let i = 0; i < count; i++) new Game(Position.start()).play('Ic6');
  };
  make(2000);
  const before = process.memoryUsage().arrayBuffers;
  make(20_000);
  // The memory of a module is an array buffer: it has not grown by a page for each.
  assert.ok(process.memoryUsage().arrayBuffers - before < 4 << 20);
});

test('values outlive a stop of the module', () => {
  const position = Position.start().play('Ic6');
  const game = new Game(Position.fromFen(DEPLOY)).play('T>e6');
  const before = [position.sans(), game.position.fen()];
  // Any exception out of WebAssembly starts the module anew: so does a call of nothing.
  assert.throws(() => rules.call('no_such_export'), { code: 'internal' });
  assert.deepEqual([position.sans(), game.position.fen()], before);
});

test('whoever is freed says so', () => {
  const position = Position.start();
  position.free();
  assert.throws(() => position.moves(), { code: 'freed' });
  assert.throws(() => position.fen(), { code: 'freed' });
  const game = new Game();
  game.free();
  assert.throws(() => game.pgn(), { code: 'freed' });
});

test('isFen', () => {
  assert.ok(isFen(START_FEN));
  for (const text of ['', 'x', `${START_FEN} x`, null, 3, {}]) assert.ok(!isFen(text));
});

test('as texts and as JSON, positions are FENs and games PGNs', () => {
  const [position, game] = [Position.start().play('Ic6'), new Game().play('Ic6')];
  assert.deepEqual([`${position}`, `${game}`], [position.fen(), game.pgn()]);
  const { at, all } = JSON.parse(JSON.stringify({ at: position, all: game }));
  assert.deepEqual([Position.fromFen(at).equals(position), Game.fromPgn(all).sans()], [true, ['Ic6']]);
  position.free();
  assert.throws(() => String(position), { code: 'freed' });
});
