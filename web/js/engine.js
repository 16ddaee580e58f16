/**
 * Engines to ask about a position: that of this device, or the server's. Both tell the same, and neither helps in a running
 * game between people.
 *
 * @typedef {object} EngineLine
 * @property {number|null} cp hundredths of an infantry, from red's side
 * @property {number|null} mate turns to mate, below zero for blue
 * @property {string[]} san
 * @property {string[]} lan
 *
 * @typedef {object} Opinion
 * @property {number} depth
 * @property {number} nodes
 * @property {EngineLine[]} lines best first
 *
 * @typedef {object} Listener
 * @property {(opinion: Opinion) => void} opinion
 * @property {() => void} done
 * @property {(words: string) => void} refused
 * @property {() => void} unreached there is no connection to the server that is asked
 *
 * @typedef {object} Question
 * @property {string} fen
 * @property {number} lines
 * @property {number} time in milliseconds
 *
 * @typedef {{ask: (question: Question) => void, stop: () => void}} Engine
 */
import { refusalWords, t } from './i18n.js';
import { Refused } from './refused.js';
import { post } from './rules.js';
import { Line } from './socket.js';

/** The server's engine. @implements {Engine} */
export class ServerEngine {
  /** @param {Listener} on */
  constructor(on) {
    this.on = on;
    this.number = 0;
    /** What is asked as soon as there is a connection. @type {Question|null} */
    this.question = null;
    this.line = new Line('/ws/analysis', {
      state: (up) => up && this.send(),
      failed: () => this.question && this.on.unreached(),
      frame: ({ t: kind, d }) => this.hear(kind, d),
    });
  }

  /** @param {Question} question */
  ask(question) {
    this.question = question;
    this.send();
  }

  send() {
    if (!this.question || !this.line.isOpen) return;
    this.number += 1;
    const { fen, lines, time } = this.question;
    this.line.socket?.send(JSON.stringify({ t: 'analyse', id: `a${this.number}`, d: { fen, moves: [], lines, ms: time, depth: null } }));
  }

  stop() {
    this.question = null;
    this.number += 1;
    this.line.send('stop');
  }

  /** @param {string} kind @param {any} d */
  hear(kind, d) {
    if (d?.re !== `a${this.number}`) return;
    if (kind === 'line') return this.on.opinion(d);
    this.question = null;
    if (kind === 'refused') this.on.refused(refusalWords(d));
    else if (kind === 'done') this.on.done();
  }
}

/** The engine of this device; where it cannot run, the server's. @implements {Engine} */
export class DeviceEngine {
  /** @param {Listener} on */
  constructor(on) {
    this.on = on;
    this.number = 0;
    /** @type {Promise<import('./local/engine.js').LocalEngine>|null} */
    this.local = null;
    /** @type {ServerEngine|null} */
    this.server = null;
  }

  /** @param {Question} question */
  async ask(question) {
    if (this.server) return this.server.ask(question);
    this.number += 1;
    const { number } = this;
    const isWanted = () => number === this.number;
    try {
      this.local ??= import('./local/engine.js').then(({ LocalEngine }) => new LocalEngine());
      const [local] = await Promise.all([this.local, permission(question.fen)]);
      if (!isWanted()) return;
      await local.analyse(question, (opinion) => isWanted() && this.on.opinion(opinion));
      if (isWanted()) this.on.done();
    } catch (error) {
      if (!isWanted()) return;
      if (error instanceof Refused) return this.on.refused(error.message);
      // Old browsers, or no network for the first load.
      this.server = new ServerEngine(this.on);
      this.server.ask(question);
    }
  }

  stop() {
    this.number += 1;
    this.server?.stop();
    void this.local?.then((local) => local.stop(), () => undefined);
  }
}

/** Refused in the middle of a game against a person. Without a connection there is no such game. @param {string} fen */
async function permission(fen) {
  try {
    await post('/api/v1/analysis/permission', { fen });
  } catch (error) {
    if (error instanceof Refused) throw error;
  }
}

/** @param {EngineLine} score */
export function scoreText({ cp, mate }) {
  if (mate != null) return `#${mate}`;
  const pawns = (cp ?? 0) / 100;
  return (pawns > 0 ? '+' : '') + pawns.toFixed(2);
}

/** How far a search has come. @param {Opinion} opinion */
export const depthText = ({ depth, nodes }) =>
  t('engine-depth', { depth, nodes: Intl.NumberFormat(document.documentElement.lang).format(nodes) });
