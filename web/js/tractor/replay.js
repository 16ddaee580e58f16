/** Looking back at a finished round, step by step, from any seat. The server shows each moment. */
import { html } from '../html.js';
import { icon } from '../icon.js';
import { t } from '../i18n.js';
import { cardSigns } from './cards.js';
import { drawFacts, drawFelt, seatName } from './tableau.js';
import { openHand } from './result.js';

export class Replay {
  /** @param {HTMLElement} host @param {(d: object) => Promise<any>} ask @param {() => import('./tableau.js').View} view */
  constructor(host, ask, view) {
    this.host = host;
    this.ask = ask;
    this.view = view;
    this.round = 0;
    this.step = 0;
    this.steps = 0;
    this.seat = '';
  }

  /** @param {number} round */
  open(round) {
    this.round = round;
    this.step = 0;
    this.seat = String(this.view().you ?? '');
    const button = (/** @type {string} */ name, /** @type {() => number} */ to) => {
      const node = html('button', { type: 'button', id: `replay-${name}`, 'aria-label': t(`tr-replay-${name}`) }, [icon(name)]);
      node.addEventListener('click', () => this.go(to()));
      return node;
    };
    const close = html('button', { type: 'button', id: 'replay-close' }, [t('close')]);
    close.addEventListener('click', () => {
      this.host.hidden = true;
      document.getElementById('replay-round')?.focus();
    });
    const seats = html('select', { id: 'replay-seat', 'aria-label': t('tr-replay-seat') }, [
      html('option', { value: '' }, [t('tr-all-hands')]),
      ...[0, 1, 2, 3].map((seat) => html('option', { value: String(seat) }, [seatName(this.view(), seat)])),
    ]);
    seats.value = this.seat;
    seats.addEventListener('change', () => {
      this.seat = seats.value;
      this.go(this.step);
    });
    this.slider = html('input', { type: 'range', id: 'replay-step', min: '0', max: '1', value: '0', 'aria-label': t('tr-replay-step') });
    this.slider.addEventListener('input', () => this.go(Number(this.slider?.value)));
    this.words = html('p', { class: 'status', role: 'status', id: 'replay-words' });
    this.facts = html('dl', { class: 'facts' });
    this.felt = html('div', { class: 'felt' });
    this.hands = html('div', { class: 'all-hands' });
    this.host.replaceChildren(
      html('h2', {}, [t('tr-replay-title', { number: round })]),
      html('div', { class: 'walk' }, [
        button('first', () => 0), button('back', () => this.step - 1), button('on', () => this.step + 1), button('last', () => this.steps),
        seats, close,
      ]),
      this.slider, this.words, this.facts, this.felt, this.hands,
    );
    this.host.hidden = false;
    this.go(0);
    document.getElementById('replay-on')?.focus();
  }

  /** Asks once more: what was asked without a connection has no answer. */
  again() {
    if (!this.host.hidden) void this.go(this.step);
  }

  /** @param {number} step */
  async go(step) {
    const wanted = Math.max(0, step);
    const answer = await this.ask({ what: 'replay', round: this.round, step: wanted, seat: this.seat === '' ? null : Number(this.seat) });
    if (!answer || !this.slider || !this.felt || !this.facts || !this.words || !this.hands) return;
    this.step = answer.step;
    this.steps = answer.steps;
    this.slider.max = String(answer.steps);
    this.slider.value = String(answer.step);
    const live = this.view();
    const shown = { ...live, ...answer.view, phase: 'playing' };
    drawFacts(this.facts, shown);
    drawFelt(this.felt, shown, Number(this.seat || live.you || 0), []);
    this.hands.replaceChildren(
      ...answer.view.hands.flatMap((/** @type {any} */ groups, /** @type {number} */ seat) =>
        groups.length ? [html('div', { class: 'one-hand' }, [html('h3', {}, [seatName(live, seat)]), openHand(groups)])] : []),
    );
    const { happened } = answer.view;
    this.words.textContent = happened
      ? t(`tr-did-${happened.kind}`, { name: happened.seat === null ? '' : seatName(live, happened.seat), cards: cardSigns(happened.cards ?? []), step: answer.step, steps: answer.steps })
      : t('tr-did-nothing', { steps: answer.steps });
  }
}
