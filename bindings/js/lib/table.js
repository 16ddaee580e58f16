// A table of Tractor for a page that knows no rules: it is shown and answered what the server would show and answer.

import { badArgument, optionsOf } from './error.js';
import { json } from './json.js';
import { Module } from './module.js';
import { Slots, Slotted } from './slots.js';
import * as packed from './wasm/table.js';

export { ConvoyError } from './error.js';

const rules = new Module(packed);
const slots = new Slots(rules, 16, 'tractor_save', 'tractor_read');

function seatNumber(seat) {
  if (!Number.isInteger(seat) || seat < 0 || seat > 3) throw badArgument('seat', 'a seat, 0 to 3', seat);
  return seat;
}

function seedText(seed) {
  if (typeof seed !== 'string') throw badArgument('seed', '64 hexadecimal digits', seed);
  return seed;
}

/** A game with all its hidden cards. Whoever plays at it should be handed `fields` and `view` of their own seat. */
export class Table {
  #game;

  /** A game from the `record` of one, or a new one whose cards are dealt by a `seed`. */
  constructor(options) {
    const { record, seed } = optionsOf(options);
    this.#game = new Slotted(slots, (slot) => {
      if (record === undefined) rules.write(`default\n${seedText(seed)}`, 'seed');
      else rules.write(record, 'record');
      rules.call(record === undefined ? 'tractor_new' : 'tractor_read', slot);
    });
  }

  /** All rounds so far as text: seeds and events, enough to play them again. */
  record() {
    return this.#game.saved();
  }

  #change(name, text) {
    const { slot } = this.#game;
    rules.write(text, 'event');
    rules.call(name, slot);
    this.#game.changed();
    return this;
  }

  /** Makes an event of the record's notation happen, `'play 2 AS0 AS1'`. */
  apply(event) {
    return this.#change('table_apply', event);
  }

  /** Begins the next round once this one is over. */
  nextRound(seed) {
    return this.#change('tractor_next_round', seedText(seed));
  }

  #answer(name, ...numbers) {
    return JSON.parse(rules.text(rules.call(name, this.#game.slot, ...numbers)));
  }

  #ask(name, question, ...numbers) {
    // Before the slot is looked for: a getter of the caller may use other tables.
    const text = json(question, 'question');
    const { slot } = this.#game;
    rules.write(text, 'question');
    return JSON.parse(rules.text(rules.call(name, slot, ...numbers)));
  }

  /** What a seat may know of the round, for a player. */
  view(seat) {
    return this.#answer('tractor_view', seatNumber(seat));
  }

  /** All that a page shows to a seat, and what the seat `can` do. */
  fields(seat) {
    return this.#answer('table_fields', seatNumber(seat));
  }

  /** What came of the rounds that are over. */
  rounds() {
    return this.#answer('table_rounds');
  }

  /** What a selection of a seat's cards is called, and whether it may be played or buried now. */
  check(seat, selection) {
    const { cards, parts } = optionsOf(selection, 'selection');
    return this.#ask('table_check', { cards, parts }, seatNumber(seat));
  }

  /** A moment of a round that is over, as a seat saw it, or without a seat with all hands open. */
  moment(wanted) {
    const { round, step, seat } = optionsOf(wanted, 'moment');
    return this.#ask('table_moment', { round, step, seat });
  }

  /** Gives its memory back at once; nothing is lost if it is never called. */
  free() {
    this.#game.free();
  }
}
