/** The home page: lists that follow the lobby. The forms work without this script. */
import { html } from './dock.js';
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

/** @param {string} selector @param {Row[]} rows @param {string} empty */
function fill(selector, rows, empty) {
  const host = need(selector);
  if (!rows.length) return host.replaceChildren(html('li', { class: 'soft' }, [t(empty)]));
  host.replaceChildren(
    ...rows.map((row) => {
      const who = whoPlays(row.seats);
      return html('li', {}, [
        html('a', { href: `/game/${row.id}` }, [html('b', {}, [who])]),
        html('span', { class: 'soft' }, [` ${t(`game-${row.game}`)} · ${row.clock || t('no-clock')}${row.turns ? ` · ${t('turn-count', { count: row.turns })}` : ''}`]),
      ]);
    }),
  );
}

new Line('/ws/lobby', {
  state() {},
  frame({ t: kind, d }) {
    if (kind !== 'lobby') return;
    fill('#open-tables', d.open, 'none-open');
    fill('#live-tables', d.live, 'none-live');
  },
});
