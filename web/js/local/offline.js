/** The page for playing without the server: new games, and those that are kept on this device. */
import { START } from '../fen.js';
import { button, html } from '../html.js';
import { t } from '../i18n.js';
import { need, notice } from '../page.js';
import { Refused } from '../refused.js';
import { post } from '../rules.js';
import { rankText } from '../tractor/cards.js';
import { beginGame, beginMatch, forgetGame, gamePath, isMatch, matchPath, noteUpload, reviewPath, storedGames, storedRecord } from './games.js';
import { canKeep, keep } from './install.js';

const form = /** @type {HTMLFormElement} */ (need('#new-offline'));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const chosen = new FormData(form);
  const color = chosen.get('color') === 'random' ? (Math.random() < 0.5 ? 'r' : 'b') : chosen.get('color');
  const id = beginGame({ start: START, you: color === 'b' ? 1 : 0, level: Number(chosen.get('level')) });
  location.assign(gamePath(id));
});

/** The games of this device; it says whether somebody is logged in. */
const list = need('#stored-games');
const cards = /** @type {HTMLFormElement} */ (need('#new-offline-tractor'));
cards.addEventListener('submit', (event) => {
  event.preventDefault();
  location.assign(matchPath(beginMatch(Number(new FormData(cards).get('level')))));
});

/** How a game of Cờ Tư Lệnh stands. @param {import('./games.js').StoredGame} game */
function boardState({ outcome, you, turns }) {
  const mine = you === 0 ? 'r' : 'b';
  const result = !outcome ? t('still-playing') : `${t(outcome.winner === mine ? 'result-won' : outcome.winner ? 'result-lost' : 'drawn')} ${t(`outcome-${outcome.reason}`)}`;
  return `${t('turn-count', { count: turns.length })} · ${result}`;
}

/** How a game of Tractor stands. @param {import('./games.js').StoredMatch} match */
function matchState({ round, levels, winner }) {
  const [a, b] = levels.map(rankText);
  const result = winner ? t('tr-game-won', { team: winner }) : t('still-playing');
  return `${t('tr-round')} ${round} · ${t('tr-level-of', { team: 'A', level: a })} · ${t('tr-level-of', { team: 'B', level: b })} · ${result}`;
}

/** @typedef {import('./games.js').StoredGame|import('./games.js').StoredMatch} Stored */

/** Where a finished game is handed in, and what. @param {Stored} game @returns {[string, object]} */
function handedIn(game) {
  const { id, level, at } = game;
  if (isMatch(game)) return ['/api/v1/device-games/tractor', { id, record: storedRecord(id) ?? '', level, at }];
  const { start, turns, you, outcome } = game;
  const color = you === 0 ? 'r' : 'b';
  return ['/api/v1/device-games', { id, start, turns, color, level, resigned: outcome?.reason === 'resign', at }];
}

/** Hands a finished game to the account. @param {Stored} game */
async function upload(game) {
  try {
    const { url } = await post(...handedIn(game));
    noteUpload(game.id, url);
    drawGames();
  } catch (error) {
    notice(error instanceof Refused ? error.message : t('offline'));
  }
}

/** Whether a game is over, and can be looked at. @param {Stored} game */
const isFinished = (game) => (isMatch(game) ? game.winner !== null : game.outcome !== null && game.turns.length > 0);

/** What can be done with a game for the account: nothing, hand it in, or look at it there. @param {Stored} game */
function uploadPart(game) {
  if (game.uploaded) return [html('a', { class: 'button', href: game.uploaded }, [t('offline-uploaded')])];
  if (!isFinished(game) || list.dataset.account === undefined) return [];
  return [button(t('offline-upload'), () => void upload(game), { 'data-upload': game.id })];
}

/** @param {Stored} game */
function row(game) {
  const { id, level, at } = game;
  const date = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  const [path, title, state] = isMatch(game)
    ? [matchPath(id), `${t('game-tractor')} · ${t(`tr-level-${level}`)}`, matchState(game)]
    : [gamePath(id), `${t('game-cotulenh')} · ${t('bot-level', { level })}`, boardState(game)];
  return html('li', { class: 'stored' }, [
    html('div', {}, [html('a', { href: path }, [html('b', {}, [title])]), html('span', { class: 'soft' }, [` ${state} · ${date} `])]),
    html('div', { class: 'actions' }, [
      ...(isFinished(game) && !isMatch(game) ? [html('a', { class: 'button', href: reviewPath(id), 'data-review': id }, [t('review-link')])] : []),
      ...uploadPart(game),
      button(t('offline-forget'), () => {
        forgetGame(id);
        drawGames();
      }, { class: 'quiet' }),
    ]),
  ]);
}

function drawGames() {
  const games = storedGames();
  list.replaceChildren(...(games.length ? games.map(row) : [html('li', { class: 'soft' }, [t('offline-no-games')])]));
}

drawGames();
// This page stands in for those that are not kept, under their address.
if (location.pathname !== '/offline') {
  need('#needs-connection').hidden = false;
  need('#ask-again').addEventListener('click', () => location.reload());
}
const state = need('#offline-state');
if (!canKeep()) state.textContent = t('offline-needs-https');
else {
  state.textContent = t('offline-loading');
  keep().then(() => (state.textContent = t('offline-ready')), () => (state.textContent = t('offline-failed')));
}
