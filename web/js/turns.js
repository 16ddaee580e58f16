/**
 * The list of turns, and walking through it: by turns, and inside a deploy by its steps.
 * @typedef {import('./types.js').Turn} Turn
 */
import { html } from './dock.js';
import { icon } from './icon.js';
import { t } from './i18n.js';
import { stepsOf } from './lan.js';
import { turnWords } from './words.js';

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
      button('back', 'walk-back', () => this.go(this.step !== null ? this.ply : this.ply - 1)),
      button('step-back', 'walk-step-back', () => void this.walk(-1)),
      button('step', 'walk-step', () => void this.walk(1)),
      button('on', 'walk-on', () => this.go(this.ply + 1)),
      button('last', 'walk-last', () => this.go(this.turns.length)),
    ]);
    host.append(this.list, this.buttons);
    document.addEventListener('keydown', (e) => {
      if (e.target instanceof Element && e.target.closest('input, textarea, select, .cells, dialog')) return;
      if (e.key === 'ArrowLeft') this.go(this.step !== null ? this.ply : this.ply - 1);
      else if (e.key === 'ArrowRight') this.go(this.ply + 1);
      else return;
      e.preventDefault();
    });
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
      const button = html('button', { type: 'button', class: 'turn', title: turnWords(turn.lan) }, [turn.san]);
      if (i + 1 === this.ply && this.step === null) button.setAttribute('aria-current', 'step');
      if (i === this.ply && this.step !== null) button.setAttribute('aria-current', 'step');
      button.addEventListener('click', () => this.go(i + 1));
      rows[rows.length - 1].append(button);
    });
    this.list.replaceChildren(...(rows.length ? rows : [html('li', { class: 'none' }, [t('no-turns')])]));
    const current = this.list.querySelector('[aria-current]');
    if (current instanceof HTMLElement) {
      const top = current.offsetTop - this.list.offsetTop;
      if (top < this.list.scrollTop || top > this.list.scrollTop + this.list.clientHeight - 40) this.list.scrollTop = top - this.list.clientHeight / 2;
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
