/**
 * The review of a game that is kept on this device: the engine of the device makes it, it is kept beside the game, and
 * nobody else is told. By which measures turns are weighed, the page says, which has them from the reviews of the server.
 *
 * @typedef {object} Scoring
 * @property {number} nodes how long a position is looked at
 * @property {number} line how many turns of a better line are told
 * @property {number} choices how many turns may be right where somebody tries again
 * @property {number} lead so many hundredths of an infantry bring the chance of winning from 1/2 to 1/(1 + 1/e)
 * @property {number} strictness how fast accuracy falls with what turns cost
 * @property {{name: 'inaccuracy'|'mistake'|'blunder', least: number, nag: number}[]} judgements the gravest first
 *
 * @typedef {{score: number|null, mate: number|null}} Score for the side to move
 * @typedef {import('../../lib/cotulenh.js').Turn} Turn
 * @typedef {Score & {turns: Turn[], next: string|null}} Opinion of a position; `next` is the position after the best turn
 * @typedef {import('../review/board.js').Review} Review
 * @typedef {import('../review/board.js').Marked} Marked
 */
import { Game, Position } from '../../lib/cotulenh.js';
import { Engine } from '../../lib/engine.js';
import { rules } from '../rules.js';
import { storeReview, storedReview } from './games.js';

/** @param {number} value @param {number} unit */
const rounded = (value, unit) => Math.round(value * unit) / unit;

export class Scales {
  /** @param {Scoring} scoring */
  constructor(scoring) {
    this.scoring = scoring;
  }

  /** The share of games that the side to move wins from here. @param {Score} score */
  chance({ score, mate }) {
    if (mate !== null) return mate > 0 ? 1 : 0;
    return 1 / (1 + Math.exp(-(score ?? 0) / this.scoring.lead));
  }

  /** How much of the chance of winning a turn has cost. @param {Opinion} before @param {Score} after @param {string} fen that of `after` */
  loss(before, after, fen) {
    if (before.next === fen) return 0;
    return Math.max(0, this.chance(before) - (1 - this.chance(after)));
  }

  /** What is to be said of a turn that costs so much; nothing of a good one. @param {number} loss */
  judgement(loss) {
    return this.scoring.judgements.find(({ least }) => loss >= least) ?? null;
  }

  /** In percent; null without a turn. @param {number[]} losses */
  accuracy(losses) {
    const each = losses.map((loss) => 100 * Math.exp(-this.scoring.strictness * loss));
    return each.length ? each.reduce((sum, one) => sum + one, 0) / each.length : null;
  }
}

/** What is told of a side. @param {Scales} scales @param {number[]} losses */
function side(scales, losses) {
  const count = (/** @type {string} */ name) => losses.filter((loss) => scales.judgement(loss)?.name === name).length;
  const accuracy = scales.accuracy(losses);
  return {
    accuracy: accuracy === null ? null : rounded(accuracy, 10),
    inaccuracies: count('inaccuracy'),
    mistakes: count('mistake'),
    blunders: count('blunder'),
  };
}

class Reviewer {
  /** @param {import('./games.js').StoredGame} stored @param {Scoring} scoring */
  constructor(stored, scoring) {
    this.stored = stored;
    this.scoring = scoring;
    this.scales = new Scales(scoring);
    this.engine = new Engine();
    /** Grows with the review: the engine is shown the game as far as it has come. */
    this.game = new Game(Position.fromFen(stored.start));
    /** @type {Review['scores']} */
    this.scores = [];
    /** @type {Marked[]} */
    this.marked = [];
    /** @type {{r: number[], b: number[]}} */
    this.losses = { r: [], b: [] };
    /** The game as the rules write it, the better lines as variations. @type {import('../tree.js').Written[]} */
    this.nodes = [{}];
    this.at = 0;
  }

  /** @returns {Promise<Opinion>} */
  async look() {
    const { position } = this.game;
    const outcome = position.outcome();
    if (outcome) {
      const mate = outcome.winner ? Number(outcome.winner === position.turn) : null;
      return { score: mate === null ? 0 : null, mate, turns: [], next: null };
    }
    const report = await this.engine.analyse(this.game, { nodes: this.scoring.nodes }).result;
    const best = report?.lines[0] ?? { score: 0, mate: null, turns: [] };
    const [first] = best.turns;
    return { ...best, next: first ? position.play(first.lan).fen() : null };
  }

  /** The turns that cost nothing to speak of here. */
  async right() {
    const { position } = this.game;
    const report = await this.engine.analyse(this.game, { nodes: 2 * this.scoring.nodes, lines: this.scoring.choices }).result;
    const lines = report?.lines ?? [];
    const best = lines[0] ? this.scales.chance(lines[0]) : 0;
    const good = lines.filter((line) => line.turns.length && !this.scales.judgement(best - this.scales.chance(line)));
    return good.map(({ turns: [{ san, lan }] }) => ({ san, fen: position.play(lan).fen() }));
  }

  /** A score as red sees it. @param {Score} score */
  note(score) {
    const isRed = this.game.position.turn === 'r';
    const fromRed = (/** @type {number|null} */ value) => (value === null || isRed ? value : -value);
    const chance = this.scales.chance(score);
    this.scores.push({ cp: fromRed(score.score), mate: fromRed(score.mate), chance: rounded(isRed ? chance : 1 - chance, 1000) });
  }

  /** @param {string} lan @param {Opinion} before @returns {Promise<Opinion>} of the position after the turn */
  async judge(lan, before) {
    const { position, turnCount } = this.game;
    this.game.play(lan);
    const after = await this.look();
    this.note(after);
    const loss = this.scales.loss(before, after, this.game.position.fen());
    this.losses[position.turn].push(loss);
    const judgement = this.scales.judgement(loss);
    this.nodes.push({ parent: this.at, lan, ...(judgement && { nags: [judgement.nag] }) });
    const next = this.nodes.length - 1;
    if (judgement) {
      const better = before.turns.slice(0, this.scoring.line);
      let parent = this.at;
      for (const turn of better) parent = this.nodes.push({ parent, lan: turn.lan }) - 1;
      this.game.undo();
      this.marked.push({
        ply: turnCount + 1, judgement: judgement.name, loss: rounded(loss, 1000), fen: position.fen(), better: better.map(({ san }) => san), right: await this.right(),
      });
      this.game.play(lan);
    }
    this.at = next;
    return after;
  }

  /** @param {(done: number, all: number) => void} tell @returns {Promise<Review>} */
  async review(tell) {
    const { start, turns } = this.stored;
    const all = turns.length + 1;
    tell(0, all);
    let opinion = await this.look();
    this.note(opinion);
    for (const [ply, lan] of turns.entries()) {
      tell(ply + 1, all);
      opinion = await this.judge(lan, opinion);
    }
    const { pgn } = await rules.writePgn([{ headers: [], start, nodes: this.nodes }]);
    const sides = { r: side(this.scales, this.losses.r), b: side(this.scales, this.losses.b) };
    return { pgn, scores: this.scores, turns: this.game.sans(), marked: this.marked, sides };
  }
}

/**
 * The review of a game, made now unless it was before.
 * @param {import('./games.js').StoredGame} stored @param {Scoring} scoring @param {(done: number, all: number) => void} tell
 * @returns {Promise<Review>}
 */
export async function reviewOf(stored, scoring, tell) {
  const known = storedReview(stored.id);
  if (known) return known;
  const reviewer = new Reviewer(stored, scoring);
  try {
    const made = await reviewer.review(tell);
    storeReview(stored.id, made);
    return made;
  } finally {
    reviewer.engine.free();
  }
}
