import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConvoyError, Table } from '../lib/table.js';
import { Game, legalPlays } from '../lib/tractor.js';

const SEED = '07'.repeat(32);

/** Buries eight cards of whoever starts, and plays the round to its end. */
function playOut(table) {
  table.apply('deal 100').apply('close');
  const { turn } = table.fields(0);
  table.apply(`bury ${turn} ${table.view(turn).hand.slice(0, 8).join(' ')}`);
  for (let fields = table.fields(0); fields.stage !== 'over'; fields = table.fields(0)) {
    const [cards] = legalPlays(table.view(fields.turn), 1).plays;
    table.apply(`play ${fields.turn} ${cards.join(' ')}`);
  }
  return table;
}

test('rounds follow each other, and the record has them all', () => {
  const table = playOut(new Table({ seed: SEED }));
  const over = table.fields(0);
  assert.equal(over.hands.flat().flatMap(({ cards }) => cards).length, 100);
  assert.equal(over.kitty.length, 8);
  assert.deepEqual(table.rounds().map(({ number }) => number), [1]);
  table.nextRound(SEED);
  assert.deepEqual(table.fields(0).levels, table.rounds()[0].next);
  playOut(table);
  const again = new Table({ record: table.record() });
  assert.deepEqual(again.rounds(), table.rounds());
  assert.equal(again.rounds().length, 2);
  // The rules of the package say the same.
  const game = Game.fromRecord(table.record());
  assert.equal(game.result.points, table.rounds()[1].points);
  const end = table.moment({ round: 1 });
  assert.equal(end.step, end.steps);
  assert.equal(end.view.turns.length, over.turns.length);
  const before = table.moment({ round: 1, step: 1, seat: 2 });
  assert.equal(before.view.hands[2].flatMap(({ cards }) => cards).length, 25);
  assert.deepEqual(before.view.hands[1], []);
});

test('a seat is shown its own cards and nobody else\'s', () => {
  const table = new Table({ seed: SEED }).apply('deal 100');
  const shown = table.fields(0);
  assert.deepEqual(shown.groups.flatMap(({ cards }) => cards).sort(), [...table.view(0).hand].sort());
  const text = JSON.stringify(shown);
  const declared = shown.declarations.flatMap(({ cards }) => cards);
  for (const card of table.view(1).hand) assert.ok(declared.includes(card) || !text.includes(`"${card}"`), card);
});

test('selections are judged, and refusals tell why', () => {
  const table = new Table({ seed: SEED }).apply('deal 100').apply('close');
  const { turn } = table.fields(0);
  const hand = table.view(turn).hand;
  assert.equal(table.check(turn, { cards: hand.slice(0, 8) }).ok, true);
  const { ok, why, name } = table.check(turn, { cards: hand.slice(0, 7) });
  assert.deepEqual([ok, why.code, why.given, name.count], [false, 'bury', 7, 7]);
  const record = table.record();
  const refused = (change, code, why) => assert.throws(change, (error) => error instanceof ConvoyError && error.code === code && error.data.why?.code === why);
  refused(() => table.apply(`bury ${turn} ${hand.slice(0, 7).join(' ')}`), 'illegal', 'bury');
  refused(() => table.apply(`bury ${(turn + 1) % 4} ${hand.slice(0, 8).join(' ')}`), 'not-your-turn', 'turn');
  refused(() => table.apply('dance'), 'malformed');
  refused(() => table.check(turn, { cards: table.view((turn + 1) % 4).hand.slice(0, 1) }), 'illegal');
  refused(() => table.moment({ round: 1 }), 'not-now');
  refused(() => table.moment({ round: 0 }), 'not-now');
  refused(() => table.nextRound(SEED), 'illegal');
  refused(() => new Table({ record: 'x' }), 'malformed');
  refused(() => new Table({ seed: 7 }), 'bad-argument');
  assert.equal(table.record(), record);
});
