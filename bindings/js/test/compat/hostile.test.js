// Whatever is handed in: an error, and later calls work.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { CoTuLenh, DEFAULT_POSITION, validateFenString } from '../../lib/compat.js';

const thrower = { get from() { throw new RangeError('from a getter'); } };
const inherited = Object.create({ from: 'c5', to: 'c6' });
const proxy = new Proxy({}, { get() { throw new RangeError('from a proxy'); } });
const ring = { from: 'c5', to: 'zz' };
ring.self = ring;

const VALUES = [undefined, null, true, NaN, -1, 1e99, 10n, Symbol('s'), '', ' ', 'e4', 'c5', 'Ic6', '\0', '\ud800', '💥',
  'x'.repeat(100_000), [], ['c5'], {}, ring, thrower, inherited, proxy, () => 'c5', new Map(), new Date(NaN), 255, 77,
  'r', 'b', 't', '__proto__', 'toString', { type: 't', color: 'r' }, { type: 't', color: 'r', carrying: 7 },
  { type: 't', color: 'r', carrying: [null] }, { toString() { throw new RangeError('from toString'); } }, DEFAULT_POSITION];

/** A small generator, so that a failure can be repeated. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CALLS = ['load', 'clear', 'fen', 'turn', 'moveNumber', 'halfMoves', 'setMetadata', 'getMetadata', 'get', 'put', 'remove',
  'board', 'moves', 'move', 'undo', 'history', 'getSession', 'setSession', 'getDeployState', 'commitSession',
  'canCommitSession', 'cancelSession', 'isCheck', 'isCheckmate', 'isStalemate', 'isDraw', 'isDrawByFiftyMoves',
  'isThreefoldRepetition', 'isCommanderCaptured', 'isGameOver', 'isCommanderInDanger', 'getCommanderSquare', 'getAttackers',
  'getHeroicStatus', 'setHeroicStatus', 'getAirDefense', 'getAirDefenseInfluence', 'setHeader', 'getHeaders',
  'removeHeader', 'setComment', 'getComment', 'removeComment', 'pgn', 'loadPgn', 'getOptions',
  'incrementPositionCount', 'decrementPositionCount'];

test('every member takes anything, and throws nothing but errors', () => {
  const next = random(20_26);
  const values = [...VALUES, ...CALLS.slice(0, 3)];
  let game = new CoTuLenh();
  let [thrown, played] = [0, 0];
  for (let call = 0; call < 100_000; call++) {
    const name = CALLS[next(CALLS.length)];
    const given = Array.from({ length: next(4) }, () => values[next(values.length)]);
    try {
      game[name](...given);
    } catch (error) {
      assert.ok(error instanceof Error, `${name}: ${String(error)}`);
      assert.ok(error.code !== 'internal' && !(error instanceof WebAssembly.RuntimeError), `${name}: ${error.message}`);
      thrown++;
    }
    // The game is still one: what it lists can be played.
    const list = game.moves();
    if (list.length > 0 && next(4) === 0) {
      game.move(list[next(list.length)], { autoCommit: next(5) > 0 });
      played++;
    }
    if (next(200) === 0) game = new CoTuLenh();
  }
  assert.ok(thrown > 10_000 && played > 5_000, `${thrown} thrown, ${played} played`);
});

test('errors of the caller are thrown as they are, before anything changes', () => {
  const game = new CoTuLenh();
  assert.throws(() => game.move(thrower), { name: 'RangeError', message: 'from a getter' });
  assert.throws(() => game.move('Ic6', proxy), { name: 'RangeError' });
  assert.throws(() => game.put({ get type() { throw new RangeError('from type'); } }, 'e4'), { name: 'RangeError' });
  assert.throws(() => game.move(ring), /Invalid square in move object/);
  assert.equal(game.move(inherited).san, 'Ic6', 'inherited parts count');
  game.undo();
  assert.equal(game.fen(), DEFAULT_POSITION);
});

test('a getter that plays on the same game does no harm', () => {
  const game = new CoTuLenh();
  const sly = { from: 'c5', get to() { game.move('Ik6'); return 'c6'; } };
  assert.throws(() => game.move(sly), /No matching legal move/, 'it is blue to move by then');
  assert.deepEqual(game.history(), ['Ik6']);
});

test('more games than there is room for go on side by side', () => {
  const games = Array.from({ length: 200 }, () => new CoTuLenh());
  const texts = ['Ic6', 'Ic7', 'Ik6', 'Ik7', 'Mg6', 'Mg7'];
  texts.forEach((san, turn) => games.forEach((game, i) => {
    if (i % 7 !== turn) game.move(game.moves().includes(san) ? san : game.moves()[0]);
  }));
  games.forEach((game, i) => {
    const alone = new CoTuLenh();
    game.history().forEach((san) => alone.move(san));
    assert.equal(game.fen(), alone.fen(), String(i));
  });
});

test('discarded games leave nothing behind', async () => {
  const { rules } = await import('../../lib/rules.js');
  const play = (count) => {
    for (let i = 0; i < count; i++) new CoTuLenh().move('Ic6');
  };
  play(1_000);
  const before = rules.exports.memory.buffer.byteLength;
  play(50_000);
  assert.equal(rules.exports.memory.buffer.byteLength, before, 'the memory of WebAssembly has not grown');
});

test('games outlive a stop of the module', async () => {
  const { rules } = await import('../../lib/rules.js');
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1');
  game.move('F>e8');
  const before = [game.fen(), game.moves()];
  // Any exception out of WebAssembly starts the module anew: so does a call of nothing.
  assert.throws(() => rules.call('no_such_export'), { code: 'internal' });
  assert.deepEqual([game.fen(), game.moves()], before);
  assert.throws(() => rules.call('no_such_export'), { code: 'internal' });
  assert.equal(game.move('T>e6').san, 'I<F>e8,T>e6');
  game.undo();
  assert.equal(game.fen(), before[0]);
});

test('hosts without encoders of texts get the same answers', () => {
  const script = `delete globalThis.TextEncoder;
    delete globalThis.TextDecoder;
    const { CoTuLenh } = await import('${new URL('../../lib/compat.js', import.meta.url)}');
    const { Game } = await import('${new URL('../../lib/cotulenh.js', import.meta.url)}');
    const game = new Game();
    game.setHeader('Red', 'Nguyễn 𝔠\\ud800');
    let cause;
    try { new CoTuLenh().move('é'); } catch (error) { cause = error.cause; }
    console.log(JSON.stringify([new CoTuLenh().moves(), game.headers().get('Red'), cause]));`;
  const told = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  assert.throws(() => new CoTuLenh().move('é'), { cause: told[2] });
  assert.deepEqual(told.slice(0, 2), [new CoTuLenh().moves(), 'Nguyễn 𝔠\ufffd']);
});

test('huge texts are refused at once', () => {
  const huge = 'a'.repeat(20_000_000);
  const game = new CoTuLenh();
  assert.equal(validateFenString(huge), false);
  assert.throws(() => game.load(huge), { code: 'FEN_INVALID_FORMAT' });
  assert.throws(() => game.load(huge, { skipValidation: true }), { code: 'FEN_INVALID_FORMAT' });
  assert.throws(() => game.move(huge), (error) => error.message.length < 1_000);
  assert.equal(game.fen(), DEFAULT_POSITION);
});
