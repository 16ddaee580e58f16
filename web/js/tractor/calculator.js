/** The score calculator of the rules page: the scoring is that of the rules, here are only its words. */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { need } from '../page.js';
import { Refused } from '../refused.js';
import { ask } from './ask.js';
import { rankText } from './cards.js';

const form = /** @type {HTMLFormElement} */ (need('#calculator'));
const score = need('#score');

/** What was filled in. Team A defends. */
function filled() {
  const data = new FormData(form);
  const number = (/** @type {string} */ name) => Number(data.get(name)) || 0;
  const text = (/** @type {string} */ name) => String(data.get(name));
  return { points: number('points'), kitty: number('kitty'), factor: number('factor'), last: text('last'), ranks: { A: text('a'), B: text('b') } };
}

/** @param {ReturnType<typeof filled>} given @param {any} out */
function lines({ points, kitty, factor, last }, out) {
  const kittyLine = last === 'A' ? t('tr-score-no-kitty') : kitty ? t('tr-score-kitty', { points: kitty, factor, total: kitty * factor }) : t('tr-score-empty-kitty');
  const held = !out.attackingTeamWon;
  return [
    t('tr-score-points', { team: 'B', points }),
    kittyLine,
    t('tr-score-sum', { team: 'B', points: out.finalPoints }),
    t(held ? 'tr-score-held' : 'tr-score-taken', { team: out.winningTeam, rise: out.rankAdvancement }),
    out.next ? t('tr-score-levels', { a: rankText(out.next.ranks.A), b: rankText(out.next.ranks.B) }) : t('tr-score-game', { team: out.gameWinner }),
  ];
}

let serial = 0;
async function calculate() {
  const own = (serial += 1);
  const given = filled();
  const { points, kitty, factor, last, ranks } = given;
  const kittyBonus = last === 'B' && kitty ? { kittyPoints: kitty, multiplier: factor, bonusPoints: kitty * factor } : null;
  const asked = { in: { defending: 'A', ranks, attackerTrickPoints: points, kittyBonus, starter: 0 } };
  const words = await ask('score', asked)
    .then(({ out }) => lines(given, out))
    .catch((error) => [error instanceof Refused ? error.message : t('offline')]);
  if (own === serial) score.replaceChildren(...words.map((line) => html('li', {}, [line])));
}

form.addEventListener('input', () => void calculate());
form.addEventListener('submit', (event) => event.preventDefault());
void calculate();
