/**
 * Clocks that run down between the server's frames; the server alone decides whose time is over.
 * @typedef {{initial: number, increment: number, left: number[], running: number|null, paused?: boolean, credit: number[]}} Clock `credit`: the lag that each side may still be credited
 */
import { lang, t } from './i18n.js';
import { play } from './sound.js';

/** @param {number} ms */
export function clockText(ms) {
  const rest = Math.max(0, ms);
  const seconds = Math.floor(rest / 1000);
  const [m, s] = [Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0')];
  if (m >= 60) return `${Math.floor(m / 60)}:${String(m % 60).padStart(2, '0')}:${s}`;
  return rest < 20000 ? `${m}:${s}.${Math.floor((rest % 1000) / 100)}` : `${m}:${s}`;
}

/** Milliseconds as seconds with a tenth, where it is not zero. @param {number} ms */
export const seconds = (ms) => Intl.NumberFormat(lang, { maximumFractionDigits: 1 }).format(Math.floor(ms / 100) / 10);

/** The server credits so much lag a turn. */
const CREDIT_PER_TURN = 1000;

/** What the clock does while there is no connection. @param {Clock} clock @param {number} seat */
export function lagWords({ credit }, seat) {
  const most = Math.min(CREDIT_PER_TURN, credit[seat]);
  return most >= 100 ? t('clock-runs', { seconds: seconds(most) }) : t('clock-runs-on');
}

export class Clocks {
  /** @param {(seat: number, text: string, low: boolean, running: boolean) => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {Clock|null} */
    this.clock = null;
    this.since = 0;
    this.warned = false;
    /** The seat whose last seconds tick aloud. @type {number|null} */
    this.mine = null;
    setInterval(() => this.tick(), 100);
  }

  /** @param {Clock|null} clock */
  set(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.tick();
  }

  tick() {
    const { clock } = this;
    if (!clock) return;
    clock.left.forEach((left, seat) => {
      const running = clock.running === seat && !clock.paused;
      const now = running ? left - (performance.now() - this.since) : left;
      const low = now < 10000;
      this.draw(seat, clockText(now), low, running);
      if (seat !== this.mine || !running) return;
      if (low && !this.warned) play('low');
      this.warned = low;
    });
  }
}
