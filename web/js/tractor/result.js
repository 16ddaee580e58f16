/**
 * After the round: the score with its reasons, all hands, the kitty.
 * @typedef {import('./tableau.js').View} View
 */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { cardPicture, fan, rankText } from './cards.js';
import { goal, seatName, teamOf } from './tableau.js';

/** The reasons of a score, one a line. @param {View} view */
export function reasons(view) {
  const { result, bonus } = view;
  if (!result) return [];
  const attackers = view.defending === 'A' ? 'B' : 'A';
  const lines = [t('tr-score-points', { team: attackers, points: view.attackers })];
  const last = view.turns.at(-1);
  if (bonus) lines.push(t('tr-score-kitty', { points: bonus.kittyPoints, factor: bonus.multiplier, total: bonus.bonusPoints }));
  else if (last && teamOf(last.winner ?? 0) === view.defending) lines.push(t('tr-score-no-kitty'));
  else lines.push(t('tr-score-empty-kitty'));
  lines.push(t('tr-score-sum', { team: attackers, points: result.points }));
  const held = result.winner === view.defending;
  lines.push(t(held ? 'tr-score-held' : 'tr-score-taken', { team: result.winner, rise: result.rise }));
  if (result.next) lines.push(t('tr-score-levels', { a: rankText(result.next.levels[0]), b: rankText(result.next.levels[1]) }));
  else lines.push(t('tr-score-game', { team: result.winner }));
  return lines;
}

/** "2 → 4", or the level where it stays. @param {View} view @param {number} team */
function rise(view, team) {
  const [from, to] = [view.levels[team], view.result?.next.levels[team]].map(rankText);
  return from === to ? from : `${from} → ${to}`;
}

/** @param {import('./hand.js').Group[]} groups */
export const openHand = (groups) =>
  html('div', { class: 'open-hand' }, groups.map(({ cards }) => fan(cards.map(cardPicture))));

/** What was drawn last. */
let drawn = '';

/**
 * @param {HTMLElement} host @param {View} view
 * @param {{next: () => void, rematch: () => void, replay: () => void}} on
 */
export function drawResult(host, view, on) {
  host.hidden = view.stage !== 'over' || !view.result;
  if (host.hidden || !view.result) return;
  // A button that is replaced while it is pressed is never clicked.
  const now = JSON.stringify(view);
  if (now === drawn) return;
  drawn = now;
  const mine = view.you === null ? null : teamOf(view.you);
  const title = mine === null ? t('tr-team-won', { team: view.result.winner }) : t(mine === view.result.winner ? 'tr-you-won' : 'tr-you-lost');
  const button = (/** @type {string} */ id, /** @type {string} */ words, /** @type {() => void} */ act, primary = false) => {
    const node = html('button', { type: 'button', id, ...(primary ? { class: 'primary' } : {}) }, [words]);
    node.addEventListener('click', act);
    return node;
  };
  const actions = [];
  if (view.can.includes('next')) actions.push(button('next-round', t('tr-next-round'), on.next, true));
  if (view.next) actions.push(html('a', { class: 'button primary', id: 'next-game', href: `/game/${view.next}` }, [t('next-game')]));
  else if (view.can.includes('rematch')) actions.push(button('rematch', t('tr-rematch'), on.rematch, true));
  if (view.you !== null && view.ready[view.you]) actions.push(html('span', { class: 'soft' }, [t('tr-wait-others')]));
  actions.push(button('replay-round', t('tr-replay'), on.replay));
  if (!view.local) {
    actions.push(html('a', { class: 'button', id: 'review-round', href: `/game/${view.id}/review?round=${view.number}` }, [t('review-link')]));
    // Nothing proves what a device has dealt.
    if (!view.device) actions.push(html('a', { class: 'button', id: 'verify-round', href: `/verify?table=${view.id}&round=${view.number}` }, [t('tr-verify')]));
  }
  const focused = host.contains(document.activeElement) ? document.activeElement?.id : '';
  host.classList.toggle('won', mine === view.result.winner);
  host.classList.toggle('lost', mine !== null && mine !== view.result.winner);
  const attackers = view.defending === 'A' ? 'B' : 'A';
  host.replaceChildren(
    html('h2', {}, [view.winner ? t('tr-game-won', { team: view.winner }) : title]),
    html('p', { class: 'tally' }, [
      html('span', {}, [t('tr-points', { team: attackers }) + t('colon'), html('span', { class: 'big' }, [String(view.result.points)]), ` / ${goal(view)}`]),
      ...(view.result.next ? [html('span', {}, [t('tr-levels') + t('colon'), html('span', { class: 'level team-A' }, [`A ${rise(view, 0)}`]), ' ', html('span', { class: 'level team-B' }, [`B ${rise(view, 1)}`])])] : []),
    ]),
    html('ol', { class: 'reasons' }, reasons(view).map((line) => html('li', {}, [line]))),
    html('div', { class: 'actions' }, actions),
    html('div', { class: 'all-hands' }, [
      ...(view.hands ?? []).map((groups, seat) => html('div', { class: 'one-hand' }, [html('h3', {}, [seatName(view, seat)]), openHand(groups)])),
      html('div', { class: 'one-hand' }, [html('h3', {}, [t('tr-kitty')]), html('div', { class: 'open-hand' }, [fan((view.kitty ?? []).map(cardPicture))])]),
    ]),
  );
  if (focused) document.getElementById(focused)?.focus();
}
