/** Hints for card players from the engine of this device, in a worker: the same as the server's. */
import { TractorPlayer } from '../../lib/engine.js';

/** How strong hints are, as on the server. */
const LEVEL = 'strong';

/** @typedef {{cards: string[]|null, why?: string, points?: number, instead?: {cards: string[], points: number}|null}} Hint */

export class Adviser {
  constructor() {
    this.player = new TractorPlayer({ level: LEVEL, seed: crypto.getRandomValues(new Uint32Array(1))[0] });
  }

  /** What the viewer may do best. @param {any} view what the seat knows, from a table of any kind @returns {Promise<Hint>} */
  async hint(view) {
    const hint = view.stage === 'playing' ? await this.player.hint(view) : null;
    if (hint) return hint;
    // What is to be buried, without the words of the event and its seat.
    const event = await this.player.act(view);
    return { cards: event && /^(?:bury|play) /.test(event) ? event.split(' ').slice(2) : null };
  }
}
