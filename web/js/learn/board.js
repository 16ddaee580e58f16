/** A step on the board. */
import '../board.js';
import { rules } from '../rules.js';

/** @typedef {import('../board.js').ConvoyBoard} ConvoyBoard */

/**
 * @param {HTMLElement} stage
 * @param {{fen: string, squares: string[]}} step
 * @param {(tried: object) => Promise<import('./words.js').Answer|null>} attempt
 */
export function boardTask(stage, step, attempt) {
  const board = /** @type {ConvoyBoard} */ (document.createElement('convoy-board'));
  board.rules = rules;
  stage.replaceChildren(board);
  const color = /** @type {'r'|'b'} */ (step.fen.split(' ')[1]);
  /** @type {string[][]} */
  const turns = [];
  /** @param {string} fen @param {boolean} over */
  const show = (fen, over) => void board.show({ fen, movable: over ? 'none' : color, last: step.squares });
  board.addEventListener('turn', async (event) => {
    turns.push(/** @type {CustomEvent} */ (event).detail.steps);
    const answer = await attempt({ turns });
    board.accepted();
    if (answer?.result === 'done') return show(answer.fen ?? step.fen, true);
    if (answer?.result === 'go-on') return show(answer.fen ?? step.fen, false);
    // A wrong turn is taken back, so that the next try begins where it went wrong.
    turns.length = 0;
    show(step.fen, false);
  });
  board.addEventListener('unreachable', (event) => {
    const squares = /** @type {CustomEvent} */ (event).detail;
    void attempt(turns.length ? { turns, ...squares } : squares);
  });
  if (color === 'b') board.orient('b');
  show(step.fen, false);
}
