/** The page for playing without the server: new games, and those that are kept on this device. */
import { START } from '../fen.js';
import { button, html } from '../html.js';
import { t } from '../i18n.js';
import { need } from '../page.js';
import { beginGame, forgetGame, gamePath, storedGames } from './games.js';
import { canKeep, keep } from './install.js';

const form = /** @type {HTMLFormElement} */ (need('#new-offline'));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const chosen = new FormData(form);
  const color = chosen.get('color') === 'random' ? (Math.random() < 0.5 ? 'r' : 'b') : chosen.get('color');
  const id = beginGame({ start: START, you: color === 'b' ? 1 : 0, level: Number(chosen.get('level')) });
  location.assign(gamePath(id));
});

/** @param {import('./games.js').StoredGame} game */
function row(game) {
  const { id, outcome, you, level, turns, at } = game;
  const mine = you === 0 ? 'r' : 'b';
  const result = !outcome ? t('still-playing') : `${t(outcome.winner === mine ? 'result-won' : outcome.winner ? 'result-lost' : 'drawn')} ${t(`outcome-${outcome.reason}`)}`;
  const date = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  const item = html('li', {}, [
    html('a', { href: gamePath(id) }, [html('b', {}, [t('bot-level', { level })])]),
    html('span', { class: 'soft' }, [` ${t('turn-count', { count: turns.length })} · ${result} · ${date} `]),
    button(t('offline-forget'), () => {
      forgetGame(id);
      drawGames();
    }, { class: 'quiet' }),
  ]);
  return item;
}

function drawGames() {
  const games = storedGames();
  need('#stored-games').replaceChildren(...(games.length ? games.map(row) : [html('li', { class: 'soft' }, [t('offline-no-games')])]));
}

drawGames();
const state = need('#offline-state');
if (!canKeep()) state.textContent = t('offline-needs-https');
else {
  state.textContent = t('offline-loading');
  keep().then(() => (state.textContent = t('offline-ready')), () => (state.textContent = t('offline-failed')));
}
