import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Game, Position } from '../lib/cotulenh.js';
import { Engine, TRACTOR_LEVELS, TractorPlayer } from '../lib/engine.js';
import { Game as TractorGame } from '../lib/tractor.js';
import { nativeNodes } from './native.js';

const POSITIONS = [
  Position.start().fen(),
  '6c1f2/5h1h3/3a2s4/1n2gt1tg1a/3ie3e1i/11/3A7/2E4F2(fm)/4G2TGE1/6M2A1/1Nn2TSH1F1/6C4 r - - 0 19',
  '6c4/9ii/11/11/11/4g6/4(FTI)6/11/2(NT)8/11/9II/5C5 r - - 0 40',
  '4c6/3h7/4g6/11/11/3a7/11/4T6/5S5/11/6H4/6C4 b - - 11 60',
];
const DEPTH = 6;

for (const simd of [true, false]) {
  test(`searches visit the same nodes as the native engine, ${simd ? 'with' : 'without'} SIMD`, async () => {
    const engine = new Engine({ simd });
    const ours = [];
    for (const fen of POSITIONS) {
      await engine.clear();
      ours.push((await engine.analyse(Position.fromFen(fen), { depth: DEPTH }).result).nodes);
    }
    engine.free();
    assert.deepEqual(ours, await nativeNodes(POSITIONS, DEPTH));
  });
}

test('an analysis is read line by line', async () => {
  const engine = new Engine();
  const analysis = engine.analyse(Position.start(), { depth: 3, lines: 2 });
  const depths = [];
  for await (const report of analysis) {
    depths.push(report.depth);
    assert.equal(report.lines.length, 2);
  }
  assert.deepEqual(depths, [1, 2, 3]);
  const { lines } = await analysis.result;
  const position = Position.start().play(lines[0].turns[0].moves);
  assert.equal(position.turn, 'b');
  assert.ok(Number.isInteger(lines[0].score) && lines[0].mate === null);
  engine.free();
});

test('an endless search is stopped', async () => {
  const engine = new Engine();
  const analysis = engine.analyse(Position.start());
  let reports = 0;
  for await (const report of analysis) {
    assert.ok(report.depth > 0);
    if (++reports === 3) break;
  }
  assert.ok((await analysis.result).depth >= 3);
  const next = engine.analyse(Position.start());
  next.stop();
  assert.equal(await next.result, null);
  const mate = Position.fromFen('11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1');
  assert.equal((await engine.analyse(mate, { nodes: 5000 }).result).lines[0].mate, 1);
  engine.free();
});

test('without shared memory a stop ends the worker and nothing else', async () => {
  const shared = globalThis.SharedArrayBuffer;
  delete globalThis.SharedArrayBuffer;
  try {
    const engine = new Engine();
    const analysis = engine.analyse(Position.start());
    let evaluated;
    for await (const report of analysis) {
      evaluated = engine.evaluate(Position.start());
      if (report.depth >= 2) break;
    }
    assert.ok((await analysis.result).depth >= 2);
    assert.equal(typeof await evaluated, 'number');
    const unwanted = engine.analyse(Position.start());
    const wanted = engine.analyse(Position.start(), { depth: 2 });
    await unwanted[Symbol.asyncIterator]().next();
    unwanted.stop();
    assert.equal((await wanted.result).depth, 2);
    engine.free();
  } finally {
    globalThis.SharedArrayBuffer = shared;
  }
});

test('a game against itself, and its end', async () => {
  const engine = new Engine({ level: 2 });
  const game = new Game();
  for (let i = 0; i < 4; i++) game.play((await engine.bestTurn(game, { nodes: 300 })).moves);
  assert.equal(game.turnCount, 4);
  const mated = Position.fromFen('4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1');
  assert.equal(await engine.bestTurn(mated, { depth: 2 }), null);
  assert.ok(Math.abs(await engine.evaluate(Position.start())) < 200);
  engine.free();
});

test('what is wrong is told', async () => {
  assert.throws(() => new Engine({ level: 11 }), { code: 'bad-argument' });
  const engine = new Engine();
  assert.throws(() => engine.analyse('x'), { code: 'bad-argument' });
  assert.throws(() => engine.analyse(Position.start(), { depth: 0.5 }), { code: 'bad-argument' });
  const open = Position.fromFen('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1').play('T>e6');
  await assert.rejects(engine.evaluate(open), { code: 'deploy-open' });
  const waiting = engine.analyse(Position.start()).result;
  await engine.evaluate(Position.start()).catch(() => {});
  engine.free();
  await assert.rejects(waiting, { code: 'freed' });
  await assert.rejects(engine.evaluate(Position.start()), { code: 'freed' });
});

test('a round of Tractor at every level', async () => {
  for (const level of TRACTOR_LEVELS) {
    const player = new TractorPlayer({ level, seed: 1, rollouts: 40 });
    const game = new TractorGame({ seed: 7 });
    game.deal().close();
    // A few tricks of the levels that think, and whole rounds of the others.
    const most = level === 'strong' || level === 'master' ? 13 : 200;
    for (let i = 0; i < most && game.stage !== 'over'; i++) game.apply(await player.act(game.view(game.turn)));
    if (most === 200) assert.notEqual(game.result, null);
    else {
      const { cards, points, why, instead, words } = await player.hint(game.view(game.turn));
      assert.ok(cards.length > 0 && typeof points === 'number' && words.startsWith('play '));
      assert.ok(['lead', 'win', 'overtake', 'give', 'keep', 'must', 'save'].includes(why), why);
      assert.ok(instead === null || (instead.cards.length > 0 && typeof instead.points === 'number'));
    }
    await assert.rejects(player.act({ stage: 'no view' }), { name: 'ConvoyError' });
    player.free();
  }
});
