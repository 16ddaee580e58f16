import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkPlay, ConvoyError, Game, legalPlays, parseRules, PRESETS, query, switches } from '../lib/tractor.js';
import { askNative, readLines } from './native.js';

function begun(seed) {
  const game = new Game({ seed });
  game.deal().close();
  return game.bury(game.hand(game.turn).slice(0, 8));
}

test('a whole round', () => {
  const game = begun(7);
  while (game.stage !== 'over') {
    const view = game.view(game.turn);
    const { plays, count } = legalPlays(view, 5);
    assert.ok(count >= plays.length && plays.length > 0);
    checkPlay(view, plays[0]);
    game.play(plays[0]);
  }
  assert.ok(['A', 'B'].includes(game.result.winner));
  assert.equal(Game.fromRecord(game.record()).record(), game.record());
  game.nextRound(8);
  assert.deepEqual([game.round, game.stage], [2, 'dealing']);
});

test('what is refused changes nothing', () => {
  const game = begun(3);
  const record = game.record();
  assert.throws(() => game.play(['bj0', 'bj1', '2C0']), ConvoyError);
  assert.throws(() => game.apply('dance'), { code: 'malformed' });
  assert.throws(() => game.nextRound(1), { code: 'illegal' });
  assert.equal(game.record(), record);
  assert.throws(() => checkPlay(game.view(game.turn), ['no']), { code: 'cards' });
});

test('a view hides the other hands', () => {
  const game = begun(5);
  const view = game.view(1);
  assert.deepEqual([...view.hand].sort(), game.hand(1).sort());
  assert.ok(!JSON.stringify(game.view()).includes(game.hand(2).join('","')));
});

test('house rules', () => {
  assert.equal(parseRules('default follow_policy=loose'), 'default');
  assert.equal(switches('shengji')[0].name, 'throw_mode');
  assert.equal(switches('shengji')[0].value, 'challenge');
  for (const preset of PRESETS) assert.equal(new Game({ rules: preset }).rules, parseRules(preset));
  assert.throws(() => new Game({ rules: 'x' }), { code: 'rules' });
});

test('games outlive their slots', () => {
  const game = begun(11);
  const before = [game.record(), game.stage, game.hand(2)];
  for (let i = 0; i < 300; i++) new Game({ seed: i });
  assert.deepEqual([game.record(), game.stage, game.hand(2)], before);
  game.free();
  assert.throws(() => game.record(), { code: 'freed' });
});

/** What a recorded question hands in, by its kind. */
const INPUTS = {
  combo: ['trump', 'cards'],
  identify: ['trump', 'hand'],
  lead: ['trump', 'seat', 'starterSeat', 'hand', 'played', 'voids', 'kitty', 'cards'],
  follow: ['trump', 'lead', 'hand'],
  trick: ['trump', 'plays'],
  memory: ['trump', 'tricks', 'current'],
  cmp: ['trump', 'cmps'],
  score: ['in'],
  kitty: ['trump', 'finalLead', 'kitty', 'winnerSeat', 'defending'],
  decl: ['rank', 'seat', 'hand', 'current'],
  round: ['roundNumber', 'trumpRank', 'starterIn', 'teamsIn', 'deck', 'decls', 'kittyBuried', 'tricks'],
  throw: ['trump', 'hand', 'cards', 'others'],
};

function question(record, preset) {
  const fields = { rules: preset };
  for (const name of INPUTS[record.k]) if (record[name] !== undefined) fields[name] = record[name];
  if (record.k === 'follow') fields.tries = record.tries.map(([cards]) => cards);
  if (record.k === 'cmp') fields.cmps = record.cmps.map(([a, b]) => [a, b]);
  if (record.k === 'round') fields.tricks = record.tricks.map(([plays]) => ({ plays }));
  // One of the references leaves the seats out.
  if (record.k === 'trick' && preset === 'shengji') fields.plays = record.plays.map((cards, seat) => [seat, cards]);
  return { op: record.k, fields };
}

for (const [file, preset] of [['ejfn-play', 'ejfn'], ['ejfn-round', 'ejfn'], ['shengji-play', 'shengji']]) {
  test(`every record of ${file}, as the native code answers it`, () => {
    const questions = readLines(`tractor/tests/data/${file}.jsonl.gz`).map((line) => question(JSON.parse(line), preset));
    const natives = askNative(questions.map(({ op, fields }) => ({ game: 'tractor', op, ...fields })));
    let answered = 0;
    natives.forEach((native, i) => {
      const { op, fields } = questions[i];
      if (native.error !== undefined) {
        assert.throws(() => query(op, fields), { code: native.error.code, message: native.error.message });
        return;
      }
      assert.deepEqual(query(op, fields), native);
      answered++;
    });
    assert.ok(answered > 0.9 * questions.length, `${answered} of ${questions.length} were answered`);
  });
}
