/**
 * A table on this device: a game against the computer without the server. The page talks to it as to a connection.
 *
 * @typedef {import('../game.js').GameView} GameView
 * @typedef {import('../socket.js').Frame} Frame
 * @typedef {import('./games.js').StoredGame} StoredGame
 */
import { Game, Position } from '../../lib/cotulenh.js';
import { ConvoyError, Engine } from '../../lib/engine.js';
import { t as words } from '../i18n.js';
import { beginGame, gamePath, reviewPath, storedGame, storeGame } from './games.js';

/** How long the computer thinks at most, in milliseconds; weak levels think less. */
const LONGEST = 3000;

/** The table of the game that the address names; without one, back to the list. @returns {Promise<LocalTable>} */
export async function openTable() {
  const stored = storedGame(new URLSearchParams(location.search).get('id'));
  if (stored) return new LocalTable(stored);
  location.replace('/offline');
  return new Promise(() => undefined);
}

export class LocalTable {
  /** @param {StoredGame} stored */
  constructor(stored) {
    this.stored = stored;
    this.game = new Game(Position.fromFen(stored.start));
    for (const lan of stored.turns) this.game.play(lan);
    this.engine = new Engine({ level: stored.level, seed: Number.parseInt(stored.id.slice(0, 8), 16) || 0 });
    this.seq = 0;
    this.number = 0;
    /** Whoever looks at the table. @type {(frame: Frame) => void} */
    this.tell = () => undefined;
    /** What the computer thinks about. @type {import('../../lib/engine.js').Analysis|null} */
    this.thought = null;
  }

  /** Where it can be looked back on when it is over. */
  get reviewPath() {
    return reviewPath(this.stored.id);
  }

  /** The turns with their names. */
  turns() {
    const lans = this.game.lans();
    return this.game.sans().map((san, i) => ({ san, lan: lans[i], fen: this.game.positionAfter(i + 1).fen() }));
  }

  /** What changes with every turn. */
  fields() {
    const { position } = this.game;
    const { outcome, you } = this.stored;
    const mine = this.game.turnCount > 1 || (this.game.turnCount === 1 && position.turn !== this.color(you));
    return {
      fen: position.fen(),
      turn: position.turn,
      check: position.isCheck(),
      phase: /** @type {'playing'|'over'} */ (outcome ? 'over' : 'playing'),
      outcome,
      can: outcome ? ['rematch'] : ['move', 'resign', ...(mine ? ['takeback'] : [])],
    };
  }

  /** @param {number} seat @returns {'r'|'b'} */
  color(seat) {
    return seat === 0 ? 'r' : 'b';
  }

  /** Everything that the page shows. @returns {GameView} */
  get view() {
    const { id, start, you, level } = this.stored;
    const seats = [0, 1].map((seat) => (seat === you ? { kind: /** @type {const} */ ('human'), name: words('guest') } : { kind: /** @type {const} */ ('bot'), name: '', level }));
    return { id, seq: this.seq, you, seats, start, turns: this.turns(), clock: null, offer: null, rematch: [], next: null, ...this.fields() };
  }

  /** Somebody looks: as a connection that is always open. @param {{frame: (frame: Frame) => void, state: (online: boolean) => void}} on */
  connect(on) {
    this.tell = on.frame;
    queueMicrotask(() => {
      on.state(true);
      on.frame({ t: 'presence', d: { online: [true, true], spectators: 0 } });
      void this.think();
    });
    return { isOpen: true, send: (/** @type {string} */ t, /** @type {any} */ d = {}) => this.act(t, d) };
  }

  /** @param {string} t @param {any} [d] */
  act(t, d) {
    this.number += 1;
    const re = `c${this.number}`;
    queueMicrotask(() => {
      try {
        this.take(t, d);
      } catch (error) {
        const code = error instanceof ConvoyError ? error.code : 'internal';
        this.tell({ t: 'refused', d: { re, code, message: String(error) } });
      }
    });
    return re;
  }

  /** @param {string} t @param {any} d */
  take(t, d) {
    const { you } = this.stored;
    if (t === 'move') this.play(d.steps, you);
    else if (t === 'resign') this.end({ winner: this.color(1 - you), reason: 'resign' });
    else if (t === 'takeback') this.takeBack();
    else if (t === 'rematch') location.assign(gamePath(beginGame({ ...this.stored, you: /** @type {0|1} */ (1 - you) })));
    else if (t === 'sync') this.tell({ t: 'view', d: this.view });
  }

  /** Plays a turn, all steps or none. @param {string[]} steps @param {number} by */
  play(steps, by) {
    if (this.stored.outcome || this.game.position.turn !== this.color(by)) throw new ConvoyError('illegal-move', 'it is not your turn');
    try {
      for (const step of steps) this.game.play(step);
      if (this.game.position.deployFrom() !== null) throw new ConvoyError('deploy-open', 'the turn is not complete');
    } catch (error) {
      if (this.game.position.deployFrom() !== null) this.game.undo();
      throw error;
    }
    this.stored.outcome = this.game.outcome();
    this.changed('moved', by, this.turns().at(-1));
    if (this.stored.outcome) this.changed('ended');
    else void this.think();
  }

  /** @param {import('../types.js').Outcome} outcome */
  end(outcome) {
    this.stored.outcome = outcome;
    this.changed('ended');
  }

  /** Back to one's own last turn. */
  takeBack() {
    const mine = this.color(this.stored.you);
    this.thought?.stop();
    do this.game.undo();
    while (this.game.position.turn !== mine && this.game.turnCount > 0);
    this.seq += 1;
    this.store();
    this.tell({ t: 'event', seq: this.seq, d: { kind: 'takenback', set: this.fields(), turns: this.game.turnCount } });
    void this.think();
  }

  /** @param {string} kind @param {number} [by] @param {object} [turn] */
  changed(kind, by, turn) {
    this.seq += 1;
    this.store();
    this.tell({ t: 'event', seq: this.seq, d: { kind, by, set: this.fields(), turn } });
  }

  store() {
    this.stored.turns = this.game.lans();
    try {
      storeGame(this.stored);
    } catch {
      // A full storage ends the game with the page, not before.
    }
  }

  /** The computer plays, if it is its turn. */
  async think() {
    const bot = 1 - this.stored.you;
    if (this.stored.outcome || this.game.position.turn !== this.color(bot)) return;
    const { seq } = this;
    this.thought = this.engine.analyse(this.game, { time: LONGEST });
    const report = await this.thought.result;
    const lan = report?.lines[0]?.turns[0]?.lan;
    // Meanwhile the game may be over, or a turn taken back.
    if (lan && seq === this.seq) this.play([lan], bot);
  }
}
