// Bad input never gets further than a typed error, and never breaks what comes after it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as cotulenh from '../lib/cotulenh.js';
import { Engine, TractorPlayer } from '../lib/engine.js';
import { coach, judge } from '../lib/lessons.js';
import * as protocol from '../lib/protocol.js';
import { StackTable } from '../lib/stack.js';
import { Table } from '../lib/table.js';
import * as tractor from '../lib/tractor.js';

const { ConvoyError, Game, Position, START_FEN } = cotulenh;

/** The same numbers in every run. */
function randomNumbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const trap = new Proxy({}, {
  get() {
    throw new RangeError('a getter of the caller');
  },
});
const inherited = Object.create({
  get from() {
    return 'e4';
  },
  moves: { T: 'e6' },
});

const ODD = [
  undefined, null, true, false, 0, -0, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, 7n, '', ' ', '\0', '\n', '\t',
  '\ud800', 'a\udfffb', '𝔠4', 'Ic6', 'Ic5c6', START_FEN, `${START_FEN} e4:T:F>e8`, '.', '...', '<>', '((((', 'e4', 'z99',
  'x'.repeat(100_000), 'é'.repeat(3000), [], [1], ['AS0'], ['AS0 AS0'], [[]], {}, { from: 'e4' }, inherited, trap, () => {},
  Symbol('s'), new Date(0), new Uint8Array(8), new Map(), Object.create(null), '{"a":', '[Red "x"]\n\n1. Ic6 *',
  'tractor 1\nrules default', 'play 0 AS0', 'default throw_penalty=-1', 12_345_678, 0x1ffffff,
];

/** What may be called with odd arguments; each call may throw a `ConvoyError`, or what the caller's own code throws. */
function calls(random) {
  const position = Position.start();
  const game = new Game();
  const cards = new tractor.Game({ seed: 1 });
  const table = new StackTable();
  const place = new Table({ seed: '07'.repeat(32) });
  const odd = () => ODD[random(ODD.length)];
  return [
    () => Position.fromFen(odd()), () => new Position(odd()), () => cotulenh.isFen(odd()), () => position.play(odd()),
    () => position.parse(odd()), () => position.san(odd()), () => position.lan(odd()), () => position.isLegal(odd()),
    () => position.stackAt(odd()), () => position.attackers(odd(), odd()), () => position.airCover(odd()),
    () => position.commander(odd()), () => position.perft([-1, 'x', 1.5, NaN, 1e9][random(5)]),
    () => position.turns({ from: odd() }), () => position.deploy({ from: odd(), moves: odd(), stay: odd() }),
    () => position.deploy(odd()), () => position.equals(odd()),
    () => cotulenh.moveFrom(odd()), () => cotulenh.moveTo(odd()), () => cotulenh.moveKind(odd()), () => cotulenh.isCapture(odd()),
    () => new Game(odd()), () => new Game(undefined, { victories: odd() }), () => Game.fromPgn(odd()), () => game.play(odd()),
    () => game.setHeader(odd(), odd()), () => game.setComment(odd(), odd()), () => game.setClock(odd(), odd()),
    () => game.comment(odd()), () => game.clock(odd()), () => game.pgn({ width: odd() }), () => game.positionAfter(odd()),
    () => protocol.query(odd(), odd()), () => protocol.query('draft', { fen: odd(), steps: odd(), at: odd(), parts: odd() }),
    () => new tractor.Game({ seed: odd(), rules: odd() }), () => tractor.Game.fromRecord(odd()), () => cards.apply(odd()),
    () => cards.deal(odd()), () => cards.declare(odd(), odd()), () => cards.pass(odd()), () => cards.bury(odd()),
    () => cards.play(odd()), () => cards.nextRound(odd()), () => cards.hand(odd()), () => cards.view(odd()),
    () => tractor.legalPlays(odd(), odd()), () => tractor.checkPlay(odd(), odd()), () => tractor.parseRules(odd()),
    () => tractor.switches(odd()), () => tractor.query(odd(), odd()), () => tractor.query('follow', { trump: odd(), lead: odd() }),
    () => position.moves(odd()), () => position.verboseMoves(odd()), () => position.turns(odd()), () => new Game(position, odd()),
    () => game.pgn(odd()), () => new tractor.Game(odd()),
    () => new Table(odd()), () => new Table({ seed: odd(), record: odd() }), () => place.apply(odd()), () => place.nextRound(odd()),
    () => place.fields(odd()), () => place.view(odd()), () => place.check(odd(), odd()), () => place.check(0, { cards: odd(), parts: odd() }),
    () => place.moment(odd()), () => place.moment({ round: odd(), step: odd(), seat: odd() }),
    () => judge(odd()), () => judge({ game: 'tractor', chapter: odd(), step: odd(), lang: odd(), tried: odd() }),
    () => coach([null, 7, { plays: odd(), hint: 7 }, { plays: [odd()], hint: odd() }][random(4)]),
    () => new Engine([null, { level: odd(), hash: 0 }, { seed: -1 }][random(3)]), () => new TractorPlayer({ level: odd() || 'no level' }),
    () => new StackTable(odd()), () => table.combine(odd()), () => table.splits(odd()), () => table.isLawful(odd()),
  ];
}

/** Whatever happened before, the rules are the rules. */
function assertSound() {
  assert.equal(Position.start().sans().length, 116);
  assert.equal(new Game().play('Ic6').sans()[0], 'Ic6');
  assert.equal(new tractor.Game({ seed: 7 }).deal().hand(0).length, 25);
  assert.equal(new StackTable().combine('TNF'), 'NFT');
}

function isExpected(error) {
  if (error instanceof ConvoyError) return error.code !== 'internal' && typeof error.message === 'string';
  // What the caller's own getters throw is theirs.
  return error instanceof RangeError && error.message === 'a getter of the caller';
}

test('a hundred thousand calls with odd arguments', () => {
  const random = randomNumbers(20_261_116);
  let list = calls(random);
  let refused = 0;
  for (let i = 0; i < 100_000; i++) {
    if (i % 5000 === 0) {
      assertSound();
      list = calls(random);
    }
    try {
      list[random(list.length)]();
    } catch (error) {
      assert.ok(isExpected(error), `${error.stack}`);
      refused++;
    }
  }
  assertSound();
  assert.ok(refused > 50_000 && refused < 100_000, `${refused} were refused`);
});

test('moves of random bits are refused or legal', () => {
  const random = randomNumbers(5);
  let position = Position.start();
  for (let i = 0; i < 2000; i++) {
    const legal = position.moves();
    if (legal.length === 0) position = Position.start();
    const bits = random(2) === 0 ? random(1 << 25) : legal[random(legal.length)] ^ (1 << random(25));
    try {
      position.play(bits);
      assert.ok(legal.includes(bits));
    } catch (error) {
      assert.ok(error instanceof ConvoyError && !legal.includes(bits));
    }
    if (legal.length > 0) position = position.play(legal[random(legal.length)]);
  }
});

test('texts that are too long are refused before they are copied', () => {
  const long = 'x'.repeat((1 << 20) + 1);
  for (const call of [() => Position.fromFen(long), () => Game.fromPgn(long), () => tractor.parseRules(long)]) {
    assert.throws(call, { name: 'ConvoyError', code: 'too-long' });
  }
  assertSound();
});

test('random play loses nothing', () => {
  const random = randomNumbers(9);
  const kept = [];
  let position = Position.start();
  for (let i = 0; i < 5000; i++) {
    const moves = position.moves();
    position = moves.length === 0 || position.outcome() ? Position.start() : position.play(moves[random(moves.length)]);
    if (i % 50 === 0) kept.push([position, position.fen(), position.sans().length]);
  }
  for (const [value, fen, count] of kept) assert.deepEqual([value.fen(), value.sans().length], [fen, count]);
});
