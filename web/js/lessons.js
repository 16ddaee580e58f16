/** The rules page: a picture becomes a board to try things on. */
import './board.js';
import { t } from './i18n.js';
import { Refused } from './refused.js';
import { rules } from './rules.js';
import './rules-search.js';
import './page.js';

for (const button of document.querySelectorAll('button[data-try]')) {
  button.addEventListener('click', () => {
    const lesson = button.closest('.lesson');
    const figure = lesson?.querySelector('figure');
    const fen = button.getAttribute('data-try') ?? '';
    if (!figure) return;
    const board = /** @type {import('./board.js').ConvoyBoard} */ (document.createElement('convoy-board'));
    board.rules = rules;
    figure.replaceChildren(board);
    button.textContent = t('example-again');
    /** @param {string} now @param {import('./types.js').Step[]} [steps] */
    const show = (now, steps) => void board.show({ fen: now, movable: 'both', steps });
    board.addEventListener('turn', async (event) => {
      const detail = /** @type {CustomEvent} */ (event).detail;
      try {
        const { turns, fen: next } = await rules.steps(detail.fen, detail.steps);
        board.accepted();
        show(next, turns[0]?.steps);
      } catch (error) {
        board.refused(error instanceof Refused ? error.message : t('offline'));
      }
    });
    show(fen);
  });
}
