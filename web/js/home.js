/** The home page: lists that follow the lobby. The forms work without this script. */
import { html } from './html.js';
import { personName, t } from './i18n.js';
import { need } from './page.js';
import { Line } from './socket.js';

/** @typedef {{id: string, game: string, seats: {name: string, kind: string, level: number|null, color: string}[], clock: string, turns: number}} Row */

/** Two sides in full, or people and free seats and then so many bots. @param {Row['seats']} seats */
function whoPlays(seats) {
  const two = seats.length === 2;
  const names = seats.flatMap((s) => {
    if (s.kind === 'open') return [t('seat-open')];
    if (s.level == null) return [personName(s.name)];
    return two ? [t('bot-level', { level: s.level })] : [];
  });
  const bots = seats.length - names.length;
  return [...names, ...(bots ? [t('bots', { count: bots })] : [])].join(' – ');
}

/** So many live games show their boards. */
const BOARDS = 3;

/** @param {string} selector @param {Row[]} rows @param {string} empty */
function fill(selector, rows, empty) {
  const host = need(selector);
  if (!rows.length) return host.replaceChildren(html('li', { class: 'soft' }, [t(empty)]));
  host.replaceChildren(
    ...rows.map((row, i) => {
      const who = whoPlays(row.seats);
      const shown = selector === '#live-tables' && row.game === 'cotulenh' && i < BOARDS;
      return html('li', {}, [
        ...(shown ? [html('a', { class: 'small-board', href: `/game/${row.id}`, tabindex: '-1', 'aria-hidden': 'true' }, [html('img', { src: `/game/${row.id}.svg`, alt: '', width: '96', height: '104', loading: 'lazy' })])] : []),
        html('a', { href: `/game/${row.id}` }, [html('b', {}, [who])]),
        html('span', { class: 'soft' }, [` ${t(`game-${row.game}`)} · ${row.clock || t('no-clock')}${row.turns ? ` · ${t('turn-count', { count: row.turns })}` : ''}`]),
      ]);
    }),
  );
}

/** The choices for a card table as they were last time: house rules are chosen once. */
const KEPT = 'convoy.house-rules';
const cards = /** @type {HTMLFormElement|null} */ (document.querySelector('.tractor-home form'));
if (cards) {
  /** @type {Record<string, string>} */
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
  } catch {
    // What cannot be read is as good as nothing.
  }
  const fields = () => [...cards.elements].filter((e) => (e instanceof HTMLSelectElement || (e instanceof HTMLInputElement && e.type === 'text')) && e.name);
  for (const field of /** @type {HTMLSelectElement[]} */ (fields())) if (field.name in kept) field.value = kept[field.name];
  // A value that is no longer offered leaves the choice empty: the first one stands for it.
  for (const field of cards.querySelectorAll('select')) if (field.selectedIndex < 0) field.selectedIndex = 0;
  cards.addEventListener('submit', () => {
    const now = Object.fromEntries(/** @type {HTMLSelectElement[]} */ (fields()).map((field) => [field.name, field.value]));
    try {
      localStorage.setItem(KEPT, JSON.stringify(now));
    } catch {
      // Private windows may refuse storage.
    }
  });
}

new Line('/ws/lobby', {
  state() {},
  frame({ t: kind, d }) {
    if (kind !== 'lobby') return;
    fill('#open-tables', d.open, 'none-open');
    fill('#live-tables', d.live, 'none-live');
  },
});
