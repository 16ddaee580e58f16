// The rules of Tractor (升级, Shengji): games, views, legal plays, house rules, and every op of the protocol.

import { badArgument, optionsOf } from './error.js';
import { json } from './json.js';
import { Module } from './module.js';
import { Slots, Slotted } from './slots.js';
import * as packed from './wasm/tractor.js';

export { ConvoyError } from './error.js';

const rules = new Module(packed);
const slots = new Slots(rules, 128, 'tractor_save', 'tractor_read');
const ONLOOKER = 4;

/** The names of the sets of house rules. */
export const PRESETS = Object.freeze(['default', 'ejfn', 'shengji']);

function seatNumber(seat) {
  if (!Number.isInteger(seat) || seat < 0 || seat > 3) throw badArgument('seat', 'a seat, 0 to 3', seat);
  return seat;
}

function seedText(seed) {
  if (typeof seed === 'string') return seed;
  if (typeof seed === 'bigint' && seed >= 0n && seed < 1n << 64n) return String(seed);
  if (Number.isSafeInteger(seed) && seed >= 0) return String(seed);
  throw badArgument('seed', 'a whole number from 0, or 64 hexadecimal digits', seed);
}

function cardText(cards) {
  if (!Array.isArray(cards)) throw badArgument('cards', 'an array of cards', cards);
  for (const card of cards) {
    if (typeof card !== 'string' || /\s/.test(card)) throw badArgument('cards', 'of cards like "AS0"', card);
  }
  return cards.join(' ');
}

/** How a game comes about that does not begin with a seed. */
class Source {
  constructor(record) {
    this.record = record;
  }
}

/**
 * A game: rounds until the last level is defended. Every change is an event; one that the rules forbid is refused and
 * changes nothing. Cards are texts: rank, suit and copy, `TS0`, `sj1`.
 */
export class Game {
  #game;
  #facts = null;

  /** `rules` is a preset and switches, `'default throw_penalty=10'`. */
  constructor(options, source = null) {
    const { seed = 0, rules: houseRules = 'default' } = optionsOf(options);
    if (source instanceof Source) {
      this.#game = new Slotted(slots, (slot) => {
        rules.write(source.record, 'record');
        rules.call('tractor_read', slot);
      });
      return;
    }
    if (typeof houseRules !== 'string') throw badArgument('rules', 'a string', houseRules);
    const text = `${houseRules.replaceAll('\n', ' ')}\n${seedText(seed)}`;
    this.#game = new Slotted(slots, (slot) => {
      rules.write(text, 'rules');
      rules.call('tractor_new', slot);
    });
  }

  /** Reads the record that `record` wrote. */
  static fromRecord(record) {
    return new Game({}, new Source(record));
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
    this.#facts = null;
    return this;
  }

  /** Makes an event of the record's notation happen, `'play 2 AS0 AS1'`. */
  apply(event) {
    return this.#change('tractor_apply', event);
  }

  /** Deals so many of the 100 cards. */
  deal(count = 100) {
    if (!Number.isInteger(count) || count < 0 || count > 100) throw badArgument('count', 'a number of cards', count);
    return this.apply(`deal ${count}`);
  }

  /** A seat declares with these cards. */
  declare(seat, cards) {
    return this.apply(`declare ${seatNumber(seat)} ${cardText(cards)}`);
  }

  /** A seat declares nothing more. */
  pass(seat) {
    return this.apply(`pass ${seatNumber(seat)}`);
  }

  /** The table ends the declaring. */
  close() {
    return this.apply('close');
  }

  /** Whose turn it is buries these cards. */
  bury(cards) {
    return this.apply(`bury ${this.turn} ${cardText(cards)}`);
  }

  /** Whose turn it is plays these cards. */
  play(cards) {
    return this.apply(`play ${this.turn} ${cardText(cards)}`);
  }

  /** Begins the next round once this one is over. */
  nextRound(seed) {
    return this.#change('tractor_next_round', seedText(seed));
  }

  #fact(name) {
    this.#facts ??= JSON.parse(rules.text(rules.call('tractor_facts', this.#game.slot)));
    return this.#facts[name];
  }

  /** `'dealing'`, `'burying'`, `'stealing'`, `'playing'` or `'over'`. */
  get stage() {
    return this.#fact('stage');
  }

  /** Whose turn it is, where it is one seat's, or `null`. */
  get turn() {
    return this.#fact('turn');
  }

  /** Who starts the round, as it stands. */
  get starter() {
    return this.#fact('starter');
  }

  /** The team that defends, `'A'` or `'B'`. */
  get defending() {
    return this.#fact('defending');
  }

  /** The trump as it stands, `'2H'`, or `'2N'` without a suit. */
  get trump() {
    return this.#fact('trump');
  }

  /** The number of the round, from 1. */
  get round() {
    return this.#fact('round');
  }

  /** The levels of A and B. */
  get levels() {
    return this.#fact('levels');
  }

  /** The house rules. */
  get rules() {
    return this.#fact('rules');
  }

  /** The result of the round: winner, the attackers' points, levels gained; `null` before its end. */
  get result() {
    return this.#fact('result');
  }

  /** The team that has won the game, or `null`. */
  get winner() {
    return this.#fact('winner');
  }

  /** The cards of a seat: the table knows them all, players should be shown a `view`. */
  hand(seat) {
    const text = rules.text(rules.call('tractor_hand', this.#game.slot, seatNumber(seat)));
    return text === '' ? [] : text.split(' ');
  }

  /** Everything that happened in the round, one text an event. */
  events() {
    const text = rules.text(rules.call('tractor_events', this.#game.slot));
    return text === '' ? [] : text.split('\n');
  }

  /** What a seat may know; without a seat, what an onlooker may. A plain object, the same as the server sends. */
  view(seat) {
    const viewer = seat === undefined || seat === null ? ONLOOKER : seatNumber(seat);
    return JSON.parse(rules.text(rules.call('tractor_view', this.#game.slot, viewer)));
  }

  /** Gives its memory back at once; nothing is lost if it is never called. */
  free() {
    this.#game.free();
  }
}

/** The viewer's legal plays, at most `limit` of them, and how many there are. */
export function legalPlays(view, limit = 1000) {
  if (!Number.isInteger(limit) || limit < 0 || limit > 100_000) throw badArgument('limit', 'a number of plays', limit);
  rules.write(json(view, 'view'), 'view');
  return JSON.parse(rules.text(rules.call('tractor_legal_plays', limit)));
}

/** Refuses cards that the viewer may not play now, with the reason. */
export function checkPlay(view, cards) {
  rules.write(`${cardText(cards)}\n${json(view, 'view')}`, 'view');
  rules.call('tractor_check');
}

/** House rules in full, as `Game` takes them. */
export function parseRules(text) {
  rules.write(text, 'text');
  return rules.text(rules.call('tractor_rules'));
}

/** Every switch of the house rules: its name, its value in the given rules, and what it decides. */
export function switches(text = 'default') {
  rules.write(text, 'text');
  return rules.text(rules.call('tractor_switches')).trimEnd().split('\n').map((line) => {
    const [name, value, meaning] = line.split('\t');
    return { name, value, meaning };
  });
}

/** Answers an op of the protocol about Tractor: `query('follow', { trump, lead, hand, tries })`. */
export function query(op, fields = {}) {
  if (typeof op !== 'string') throw badArgument('op', 'a string', op);
  rules.write(`${op.replaceAll('\n', ' ')}\n${json(fields, 'fields')}`, 'fields');
  return JSON.parse(rules.text(rules.call('tractor_query')));
}
