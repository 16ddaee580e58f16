/**
 * A table of Tractor on this device: a person and three bots without the server. The page talks to it as to a connection,
 * and is shown what the person's seat may know.
 *
 * @typedef {import('../tractor/tableau.js').View} View
 * @typedef {import('../socket.js').Frame} Frame
 * @typedef {import('./games.js').StoredMatch} StoredMatch
 */
import { TractorPlayer } from '../../lib/engine.js';
import { ConvoyError, Table } from '../../lib/table.js';
import { t as words } from '../i18n.js';
import { beginMatch, matchPath, randomHex, storeMatch, storedMatch, storedRecord } from './games.js';

/** The levels of the bots by number, as the server counts them. @type {import('../../lib/engine.js').TractorLevel[]} */
const LEVELS = ['easy', 'normal', 'strong', 'master'];
const SEATS = /** @type {const} */ ([0, 1, 2, 3]);
/** The seat of the person. */
const YOU = 0;
/** How fast things go, in milliseconds: between two times that each seat is dealt a card, and while a trick lies. */
const PACE = { deal: 80, trick: 1300 };
/** The words of the server for what has happened, by the first word of the event. @type {Record<string, string>} */
const KINDS = {
  deal: 'dealt', declare: 'declared', retract: 'retracted', pass: 'passed', close: 'closed', bury: 'buried', play: 'played', throw: 'played',
  'take-back': 'tookback', 'end-early': 'ended',
};
const NONE = [false, false, false, false];

/** The table of the game that the address names; without one, back to the list. @returns {Promise<CardTable>} */
export async function openTable() {
  const stored = storedMatch(new URLSearchParams(location.search).get('id'));
  if (stored) return new CardTable(stored);
  location.replace('/offline');
  return new Promise(() => undefined);
}

/** 256 bits by which the cards of a round are dealt. */
const seed = () => randomHex(32);
/** @param {number} time in milliseconds @returns {Promise<void>} */
const pause = (time) => new Promise((done) => setTimeout(done, time));

export class CardTable {
  /** @param {StoredMatch} stored */
  constructor(stored) {
    this.stored = stored;
    const record = storedRecord(stored.id);
    this.table = new Table(record === null ? { seed: seed() } : { record });
    this.rounds = this.table.rounds();
    this.player = new TractorPlayer({ level: LEVELS[stored.level - 1], seed: Number.parseInt(randomHex(4), 16) });
    this.seq = 0;
    this.number = 0;
    this.fields = this.table.fields(YOU);
    /** Whoever looks at the table. @type {(frame: Frame) => void} */
    this.tell = () => undefined;
    this.isRunning = false;
    /** Until when the last trick lies. */
    this.restUntil = 0;
    if (record === null) this.store();
  }

  /** What of the table may change with an event, without the tricks. */
  changing() {
    const { turns, ...fields } = this.fields;
    const { stage, winner } = fields;
    const more = stage !== 'over' ? [] : winner ? ['rematch'] : ['next'];
    return { ...fields, phase: winner ? 'over' : 'playing', rounds: this.rounds, can: [...fields.can, ...more] };
  }

  /** Everything that the page shows. @returns {View} */
  get view() {
    const { id, level } = this.stored;
    const seats = SEATS.map((seat) => (seat === YOU ? { kind: /** @type {const} */ ('human'), name: words('guest') } : { kind: /** @type {const} */ ('bot'), name: '', level }));
    return /** @type {any} */ ({
      id, seq: this.seq, you: YOU, local: true, seats, seconds: null, shuffle: null, voids: [], dropped: NONE, timer: null, ready: NONE,
      standIn: NONE, next: null, turns: this.fields.turns.slice(), ...this.changing(),
    });
  }

  /** Somebody looks: as a connection that is always open. @param {{frame: (frame: Frame) => void, state: (online: boolean) => void}} on */
  connect(on) {
    this.tell = on.frame;
    queueMicrotask(() => {
      on.state(true);
      on.frame({ t: 'presence', d: { online: [true, true, true, true], spectators: 0 } });
      void this.run();
    });
    return { isOpen: true, send: (/** @type {string} */ t, /** @type {any} */ d = {}) => this.hear(t, d) };
  }

  /** @param {string} t @param {any} d */
  hear(t, d) {
    this.number += 1;
    const re = `c${this.number}`;
    queueMicrotask(() => {
      try {
        if (t === 'ask') this.tell({ t: 'answer', d: { re, ...this.answer(d) } });
        else this.take(t, d);
      } catch (error) {
        const { code, data } = error instanceof ConvoyError ? error : { code: 'internal', data: undefined };
        this.tell({ t: 'refused', d: { re, code, message: error instanceof Error ? error.message : String(error), why: data?.why } });
      }
    });
    return re;
  }

  /** What a selection is, or a moment of a finished round. @param {any} d @returns {object} */
  answer(d) {
    if (d.what === 'check') return this.table.check(YOU, d);
    return this.table.moment(d);
  }

  /** What the person wants to do. @param {string} t @param {any} d */
  take(t, d) {
    const cards = () => d.cards.join(' ');
    if (t === 'declare' || t === 'bury' || t === 'play') this.apply(`${t} ${YOU} ${cards()}`, YOU);
    else if (t === 'throw') this.apply(`throw ${YOU} ${d.parts.map((/** @type {string[]} */ part) => part.join(' ')).join(' + ')}`, YOU);
    else if (t === 'pass' || t === 'retract') this.apply(`${t} ${YOU}`, YOU);
    else if (t === 'takeback') this.apply(`take-back ${YOU}`, YOU);
    else if (t === 'endearly') this.apply(`end-early ${YOU}`, YOU);
    else if (t === 'next') {
      this.table.nextRound(seed());
      this.changed('shuffled', undefined, 0);
    } else if (t === 'rematch') return location.assign(matchPath(beginMatch(this.stored.level)));
    else if (t === 'sync') return this.tell({ t: 'view', d: this.view });
    void this.run();
  }

  /** Makes an event happen. @param {string} event @param {number} [by] */
  apply(event, by) {
    const tricks = this.fields.turns.length;
    this.table.apply(event);
    this.changed(KINDS[event.split(' ')[0]] ?? '', by, tricks);
  }

  /** Stores and tells what has changed. @param {string} kind @param {number|undefined} by @param {number} tricks how many there were */
  changed(kind, by, tricks) {
    this.seq += 1;
    this.fields = this.table.fields(YOU);
    const { stage, turns } = this.fields;
    if (stage === 'over' && this.rounds.at(-1)?.number !== this.fields.number) this.rounds = this.table.rounds();
    if (turns.length > tricks) this.restUntil = performance.now() + PACE.trick;
    this.store();
    const turn = turns.length > tricks ? turns.at(-1) : undefined;
    const fewer = turns.length < tricks || kind === 'shuffled' ? turns.length : undefined;
    this.tell({ t: 'event', seq: this.seq, d: { kind, by, set: this.changing(), turn, turns: fewer } });
  }

  store() {
    const { number: round, levels, winner } = this.fields;
    Object.assign(this.stored, { round, levels, winner });
    try {
      storeMatch(this.stored, this.table.record());
    } catch {
      // A full storage ends the game with the page, not before.
    }
  }

  /** Whatever does not wait for the person happens, step by step. */
  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (await this.step());
    } finally {
      this.isRunning = false;
    }
  }

  /** One step of the table: dealing, or what a bot does; says whether there is more to do. */
  async step() {
    const { stage, turn, dealt, passed } = this.fields;
    if (stage === 'over') return false;
    if (stage === 'dealing' && dealt < 100) {
      await pause(PACE.deal);
      if (!(await this.askBots(() => true)) && this.fields.dealt === dealt) this.apply(`deal ${Math.min(4, 100 - dealt)}`);
      return true;
    }
    if (turn === null) return this.askBots((seat) => !passed[seat]);
    if (turn === YOU) return false;
    await pause(Math.max(0, this.restUntil - performance.now()));
    return this.askBots((seat) => seat === turn);
  }

  /** The first of these bots that does something does it; says whether one did, or the table has changed meanwhile. @param {(seat: number) => boolean} asked */
  async askBots(asked) {
    for (const seat of SEATS) {
      if (seat === YOU || !asked(seat)) continue;
      const { seq } = this;
      const view = this.table.view(seat);
      // Most cards of a deal offer nothing.
      if (view.stage === 'dealing' && this.fields.dealt < 100 && !(/** @type {unknown[]} */ (view.offers).length)) continue;
      const event = await this.player.act(view);
      // The person may have declared before the bot.
      if (seq !== this.seq) return true;
      if (!event) continue;
      this.apply(event, seat);
      return true;
    }
    return false;
  }
}
