/** The rules page: a picture becomes a board to try things on. */
import './board.js';
import { choiceOf } from './draft.js';
import { html } from './html.js';
import { t } from './i18n.js';
import { outcomeWords } from './outcome.js';
import { Refused } from './refused.js';
import { outcomeWith, rules } from './rules.js';
import './rules-search.js';
import './page.js';

/** @typedef {import('./board.js').ConvoyBoard} ConvoyBoard */
/** @typedef {import('./types.js').Outcome} Outcome */

/** Takes the steps that the text speaks of. @param {ConvoyBoard} board @param {string[]} steps */
async function begin(board, steps) {
  for (const step of steps) {
    const move = board.draft?.answer.moves.find(({ san, lan }) => san === step || lan === step);
    if (move) await board.take(choiceOf(move));
  }
}

/** @param {HTMLElement} button */
function start(button) {
  const figure = button.closest('.lesson')?.querySelector('figure');
  const { try: fen = '', steps = '[]', victory = '' } = button.dataset;
  if (!figure) return;
  const board = /** @type {ConvoyBoard} */ (document.createElement('convoy-board'));
  const status = html('p', { class: 'said', role: 'status' });
  board.rules = rules;
  figure.replaceChildren(board, status);
  button.textContent = t('example-again');
  /** @type {string[]} */
  const played = [];
  /** @param {string} now @param {import('./types.js').Step[]} [moved] @param {Outcome|null} [outcome] */
  const show = (now, moved, outcome) => {
    status.textContent = outcome ? outcomeWords(outcome) : '';
    return board.show({ fen: now, movable: outcome ? 'none' : 'both', steps: moved });
  };
  board.addEventListener('answer', (event) => {
    const { outcome } = /** @type {CustomEvent} */ (event).detail;
    if (outcome) status.textContent = outcomeWords(outcome);
  });
  board.addEventListener('turn', async (event) => {
    const { fen: from, steps: lans } = /** @type {CustomEvent} */ (event).detail;
    try {
      const { turns, fen: next } = await rules.steps(from, lans);
      played.push(...lans);
      const outcome = victory ? await outcomeWith(fen, played, victory) : null;
      board.accepted();
      void show(next, turns[0]?.steps, outcome);
    } catch (error) {
      board.refused(error instanceof Refused ? error.message : t('offline'));
    }
  });
  void show(fen).then(() => begin(board, JSON.parse(steps)));
}

for (const button of document.querySelectorAll('button[data-try]')) {
  button.addEventListener('click', () => start(/** @type {HTMLElement} */ (button)));
}
