/**
 * One's own cards: grouped by effective suit, chosen by taps that know pairs and tractors because the server said so.
 *
 * @typedef {{group: string, cards: string[]}} Group
 */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { cardButton, fan } from './cards.js';
import { groupName } from './words.js';

/** The room that a finger needs on each card of a row, and the width of the last card, in pixels. */
const FINGER = 44;
const CARD = 60;

export class Hand {
  /** @param {HTMLElement} host @param {(cards: string[]) => void} changed */
  constructor(host, changed) {
    this.host = host;
    this.changed = changed;
    /** @type {string[][]} what was picked, tap by tap */
    this.picks = [];
    /** @type {Record<string, string[][]>} */
    this.naturals = {};
    /** @type {string|null} */
    this.focus = null;
    this.text = '';
    /** The moment that the room for the hand belongs to. */
    this.moment = '';
    this.width = 0;
    this.height = 0;
    new ResizeObserver(() => this.fit()).observe(host);
    host.addEventListener('click', (event) => {
      const card = /** @type {HTMLElement} */ (event.target).closest?.('[data-card]');
      if (card instanceof HTMLElement && !this.locked) this.tap(card.dataset.card ?? '');
    });
    host.addEventListener('keydown', (event) => this.key(event));
    host.addEventListener('focusin', (event) => {
      const card = /** @type {HTMLElement} */ (event.target).dataset?.card;
      if (card) this.rove(card);
    });
  }

  get chosen() {
    return this.picks.flat();
  }

  /** A hand of another width has other rows, and its height is measured anew. */
  fit() {
    const { clientWidth } = this.host;
    if (clientWidth && clientWidth !== this.width) {
      this.width = clientWidth;
      this.height = 0;
      this.host.style.removeProperty('--most-height');
      this.draw();
      this.mark();
    }
    // The tallest the hand has been in this part of the round: it keeps that room, so that nothing moves as cards go.
    const height = this.host.offsetHeight;
    if (height > this.height) {
      this.height = height;
      this.host.style.setProperty('--most-height', `${height}px`);
    }
  }

  /** @param {Group[]} groups @param {Record<string, string[][]>} naturals @param {boolean} locked @param {string} moment the part of the round */
  show(groups, naturals, locked, moment) {
    if (moment !== this.moment) {
      this.moment = moment;
      this.height = 0;
      this.host.style.removeProperty('--most-height');
    }
    this.naturals = naturals;
    this.locked = locked;
    const held = new Set(groups.flatMap((group) => group.cards));
    const before = this.chosen.length;
    this.picks = this.picks.map((pick) => pick.filter((card) => held.has(card))).filter((pick) => pick.length);
    const text = JSON.stringify([groups, locked]);
    // The first hand is laid out for the room there is; later the observer tells when that changes.
    this.width ||= this.host.clientWidth;
    if (text !== this.text) {
      this.text = text;
      this.groups = groups;
      this.draw();
    }
    this.mark();
    if (before !== this.chosen.length) this.changed(this.chosen);
  }

  draw() {
    const had = this.host.contains(document.activeElement);
    this.host.classList.toggle('locked', Boolean(this.locked));
    const rows = (this.groups ?? []).map(({ group, cards }) => {
      const rows = [];
      const most = Math.max(4, Math.floor((this.width - CARD) / FINGER) + 1);
      const size = Math.ceil(cards.length / Math.ceil(cards.length / most));
      for (let at = 0; at < cards.length; at += size) rows.push(fan(cards.slice(at, at + size).map((card) => cardButton(card, false)), 'row'));
      return html('div', { class: `group ${group === 'trump' ? 'trumps' : ''}`, role: 'group', 'aria-label': t('tr-group', { group: groupName(group), count: cards.length }) }, rows);
    });
    this.host.replaceChildren(...rows);
    const cards = this.buttons();
    const keep = cards.find((node) => node.dataset.card === this.focus) ?? cards[0];
    for (const node of cards) node.tabIndex = node === keep ? 0 : -1;
    if (had && keep) keep.focus();
  }

  /** @returns {HTMLElement[]} */
  buttons() {
    return [...this.host.querySelectorAll('button.card')].map((node) => /** @type {HTMLElement} */ (node));
  }

  mark() {
    const chosen = new Set(this.chosen);
    for (const node of this.buttons()) node.setAttribute('aria-pressed', String(chosen.has(node.dataset.card ?? '')));
  }

  /** Chooses, or narrows what was chosen: tractor, pair, card, nothing. @param {string} card */
  tap(card) {
    const choices = [...(this.naturals[card] ?? []), [card]];
    const at = this.picks.findIndex((pick) => pick.includes(card));
    if (at < 0) {
      const free = choices.find((choice) => !choice.some((c) => this.chosen.includes(c))) ?? [card];
      this.picks.push(free);
    } else {
      const pick = this.picks[at];
      const next = choices.find((choice) => choice.length < pick.length && choice.every((c) => pick.includes(c)));
      if (next) this.picks[at] = next;
      else if (pick.length > 1) this.picks[at] = pick.filter((c) => c !== card);
      else this.picks.splice(at, 1);
    }
    this.mark();
    this.changed(this.chosen);
  }

  /** @param {string[]} cards */
  choose(cards) {
    this.picks = cards.length ? [cards] : [];
    this.mark();
    this.changed(this.chosen);
  }

  /** @param {string} card */
  rove(card) {
    this.focus = card;
    for (const node of this.buttons()) node.tabIndex = node.dataset.card === card ? 0 : -1;
  }

  /** Arrows walk over the cards: sideways one by one, up and down by suit. @param {KeyboardEvent} event */
  key(event) {
    const now = /** @type {HTMLElement} */ (event.target);
    const cards = this.buttons();
    const at = cards.indexOf(now);
    if (at < 0) return;
    const groups = [...this.host.querySelectorAll('.group')];
    const group = groups.findIndex((node) => node.contains(now));
    const first = (/** @type {number} */ index) => /** @type {HTMLElement|undefined} */ (groups.at(index)?.querySelector('button.card') ?? undefined);
    const to = {
      ArrowLeft: cards[Math.max(0, at - 1)],
      ArrowRight: cards[Math.min(cards.length - 1, at + 1)],
      ArrowUp: first(Math.max(0, group - 1)),
      ArrowDown: first(Math.min(groups.length - 1, group + 1)),
      Home: cards[0],
      End: cards.at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }
}
