/** The engine of this device, as WebAssembly in a worker. */
import { Position } from '../../lib/cotulenh.js';
import { Engine } from '../../lib/engine.js';

/** @typedef {import('../engine.js').Opinion} Opinion */

export class LocalEngine {
  constructor() {
    this.engine = new Engine();
    /** @type {import('../../lib/engine.js').Analysis|null} */
    this.analysis = null;
  }

  /**
   * Searches a position, and tells every iteration; whatever was searched before is given up.
   * @param {import('../engine.js').Question} question @param {(opinion: Opinion) => void} tell
   */
  async analyse({ fen, lines, time }, tell) {
    this.stop();
    const position = Position.fromFen(fen);
    const analysis = this.engine.analyse(position, { lines, time });
    this.analysis = analysis;
    for await (const report of analysis) tell(opinion(report, position.turn));
  }

  stop() {
    this.analysis?.stop();
    this.analysis = null;
  }
}

/** A report with its scores from red's side. @param {import('../../lib/engine.js').Report} report @param {'r'|'b'} turn @returns {Opinion} */
function opinion({ depth, nodes, lines }, turn) {
  const sign = turn === 'r' ? 1 : -1;
  /** @param {number|null} score */
  const fromRed = (score) => (score === null ? null : score * sign);
  return {
    depth,
    nodes,
    lines: lines.map(({ score, mate, turns }) => ({
      cp: fromRed(score),
      mate: fromRed(mate),
      san: turns.map(({ san }) => san),
      lan: turns.map(({ lan }) => lan),
    })),
  };
}
