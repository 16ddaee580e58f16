/**
 * The list of turns, and walking through it: by turns, and inside a deploy by its steps.
 * @typedef {import('./types.js').Turn} Turn
 */
import { html } from './html.js';
import { icon } from './icon.js';
import { t } from './i18n.js';
import { stepsOf } from './lan.js';
import { settings } from './settings.js';
import { pieceIcon } from './view.js';
import { turnWords } from './words.js';

/** A move with its pieces as pictures, where the player wants them. @param {string} san @param {string} color @returns {(Node|string)[]} */
export function figurines(san, color) {
  if (settings.notation === 'letters') return [san];
  return san.split(/([CITMEAGSFNH])/).filter(Boolean).map((part) => (/^[A-Z]$/.test(part) ? pieceIcon(part.toLowerCase(), color) : part));
}

export class Turns {
  /**
   * @param {HTMLElement} host
   * @param {(state: {ply: number, step: number|null}) => void} moved
   */
  constructor(host, moved) {
    this.moved = moved;
    this.start = '';
    /** @type {Turn[]} */
    this.turns = [];
    this.ply = 0;
    /** Steps of the turn at `ply` already shown; null when between turns. @type {number|null} */
    this.step = null;
    this.list = html('ol', { class: 'turns', 'aria-label': t('turns-label'), tabindex: '0' });
    /** @param {string} name @param {string} key @param {() => void} act */
    const button = (name, key, act) => {
      const node = html('button', { type: 'button', 'aria-label': t(key), title: t(key) }, [icon(name)]);
      node.addEventListener('click', act);
      return node;
    };
    this.buttons = html('div', { class: 'walk' }, [
      button('first', 'walk-first', () => this.go(0)),
      button('back', 'walk-back', () => this.back()),
      button('step-back', 'walk-step-back', () => void this.walk(-1)),
      button('step', 'walk-step', () => void this.walk(1)),
      button('on', 'walk-on', () => this.go(this.ply + 1)),
      button('last', 'walk-last', () => this.go(this.turns.length)),
    ]);
    host.append(this.list, this.buttons);
    document.addEventListener('keydown', (e) => this.key(e));
    document.addEventListener('settings', () => this.draw());
  }

  /** Arrows walk by turns, Home and End go to the ends. On the board the arrows move the focus instead. @param {KeyboardEvent} e */
  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    const within = (/** @type {string} */ selector) => e.target instanceof Element && e.target.closest(selector);
    if (within('input, textarea, select, dialog')) return;
    const arrow = e.key === 'ArrowLeft' || e.key === 'ArrowRight';
    if (arrow && within('.cells')) return;
    if (e.key === 'ArrowLeft') this.back();
    else if (e.key === 'ArrowRight') this.go(this.ply + 1);
    else if (e.key === 'Home') this.go(0);
    else if (e.key === 'End') this.go(this.turns.length);
    else return;
    e.preventDefault();
  }

  /** The wheel over the board walks by turns. @param {HTMLElement} stage */
  wheel(stage) {
    let rolled = 0;
    stage.addEventListener('wheel', (e) => {
      if (e.ctrlKey || !this.turns.length) return;
      e.preventDefault();
      rolled += e.deltaY;
      // A wheel tells about 100 a notch; a touchpad tells many small numbers.
      if (Math.abs(rolled) < 50) return;
      if (rolled < 0) this.back();
      else this.go(this.ply + 1);
      rolled = 0;
    }, { passive: false });
  }

  /** To the beginning of the turn that is shown, or one turn back. */
  back() {
    this.go(this.step !== null ? this.ply : this.ply - 1);
  }

  get atEnd() {
    return this.ply === this.turns.length && this.step === null;
  }

  /** FEN after `ply` turns. @param {number} [ply] */
  fen(ply = this.ply) {
    return ply ? this.turns[ply - 1].fen : this.start;
  }

  /** @param {string} start @param {Turn[]} turns @param {number} [ply] */
  set(start, turns, ply = turns.length) {
    this.start = start;
    this.turns = turns;
    this.ply = Math.max(0, Math.min(ply, turns.length));
    this.step = null;
    this.draw();
  }

  draw() {
    const [, side, , , , number] = this.start.split(' ');
    const first = Number(number) || 1;
    const offset = side === 'b' ? 1 : 0;
    /** @type {HTMLElement[]} */
    const rows = [];
    this.turns.forEach((turn, i) => {
      const at = i + offset;
      if (at % 2 === 0 || !rows.length) {
        rows.push(html('li', {}, [html('span', { class: 'number' }, [`${first + Math.floor(at / 2)}.`]), ...(at % 2 ? [html('span', { class: 'gap' }, ['…'])] : [])]));
      }
      const button = html('button', { type: 'button', class: 'turn', title: turnWords(turn.lan) }, figurines(turn.san, at % 2 ? 'b' : 'r'));
      if (i + 1 === this.ply && this.step === null) button.setAttribute('aria-current', 'step');
      if (i === this.ply && this.step !== null) button.setAttribute('aria-current', 'step');
      button.addEventListener('click', () => this.go(i + 1));
      rows[rows.length - 1].append(button);
    });
    this.list.replaceChildren(...(rows.length ? rows : [html('li', { class: 'none' }, [t('no-turns')])]));
    const current = this.list.querySelector('[aria-current]');
    if (current instanceof HTMLElement) {
      // The list is the offset parent of its rows.
      const { scrollTop, clientHeight } = this.list;
      const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
      if (top < scrollTop || bottom > scrollTop + clientHeight) this.list.scrollTop = (top + bottom - clientHeight) / 2;
    }
  }

  /** @param {number} ply */
  go(ply) {
    const to = Math.max(0, Math.min(ply, this.turns.length));
    if (to === this.ply && this.step === null) return;
    this.ply = to;
    this.step = null;
    this.draw();
    this.moved({ ply: to, step: null });
  }

  /** One step on or back, into deploys. @param {1|-1} way */
  async walk(way) {
    if (this.step === null && way < 0) {
      if (!this.ply) return;
      const steps = await stepsOf(this.fen(this.ply - 1), this.turns[this.ply - 1]);
      if (steps.length < 2) return this.go(this.ply - 1);
      this.ply -= 1;
      this.step = steps.length - 1;
    } else {
      if (this.ply >= this.turns.length) return;
      const steps = await stepsOf(this.fen(), this.turns[this.ply]);
      const step = (this.step ?? 0) + way;
      if (step >= Math.max(steps.length, 1)) return this.go(this.ply + 1);
      if (step <= 0) {
        this.step = null;
        this.draw();
        return this.moved({ ply: this.ply, step: null });
      }
      this.step = step;
    }
    this.draw();
    this.moved({ ply: this.ply, step: this.step });
  }
}
