/**
 * The keys of a board: arrows walk over its squares, letters and digits act, on the board and elsewhere on the page.
 * @typedef {import('./board.js').ConvoyBoard} ConvoyBoard
 */
import { FILES, coords, squareAt } from './fen.js';
import { rootOf } from './html.js';
import { squareOf } from './pointer.js';

/** The board that hears keys pressed elsewhere on the page: the one that was used last. @type {ConvoyBoard|null} */
let current = null;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {ConvoyBoard} board */
export function listen(board) {
  const { grid } = board.view;
  current ??= board;
  grid.addEventListener('keydown', (event) => gridKey(board, event));
  grid.addEventListener('pointerdown', () => (current = board));
  // On a site of others the board stands in a shadow root, and keys pressed elsewhere are not for it.
  rootOf(grid).addEventListener('keydown', (event) => pageKey(board, /** @type {KeyboardEvent} */ (event)));
  grid.addEventListener('focusin', (event) => {
    const square = squareOf(event.target);
    if (!square) return;
    current = board;
    board.view.rove(square, false);
    board.describe(square);
  });
}

/** Keys on a square: walk, act, strike. @param {ConvoyBoard} board @param {KeyboardEvent} event */
function gridKey(board, event) {
  const square = squareOf(event.target);
  if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  const sign = board.view.orientation === 'r' ? 1 : -1;
  if (arrow) {
    const [file, rank] = coords(square);
    const [f, r] = [file + arrow[0] * sign, rank + arrow[1] * sign];
    if (f >= 0 && f < FILES.length && r >= 0 && r < 12) board.view.rove(squareAt(f, r), true);
  } else if (event.key === 'Enter' || event.key === ' ') enter(board, square);
  else if (event.key.toLowerCase() === 's') strike(board, square);
  else return;
  event.preventDefault();
}

/** Keys that the board takes wherever the focus is, except in a field. @param {ConvoyBoard} board @param {KeyboardEvent} event */
function pageKey(board, event) {
  if (current !== board || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const within = (/** @type {string} */ selector) => event.target instanceof Element && event.target.closest(selector);
  if (within('input, select, textarea, dialog')) return;
  const key = event.key.toLowerCase();
  const { square } = board.chips;
  const drafting = board.pending || board.draft?.isOpen;
  if (key === 'enter' && !within('a, button, summary') && square) enter(board, square);
  else if (key === 'enter' && !within('a, button, summary') && drafting) board.done();
  else if (key === 's' && square) strike(board, square);
  else if (key === 'escape' && (drafting || board.selected)) board.cancel();
  else if (key === 'backspace' && drafting) void board.undo();
  else if (key === 'd') void board.toggleCover();
  else if (/^[1-3]$/.test(key)) {
    const part = board.choosable()[Number(key) - 1];
    if (!part || board.choosable().length < 2) return;
    board.toggle(part.type);
  } else return;
  event.preventDefault();
}

/** Enter acts on a target; elsewhere it ends the draft. @param {ConvoyBoard} board @param {string} square */
function enter(board, square) {
  if (board.pending) return board.done();
  const target = board.targets.get(square);
  if (board.chips.square === square && target?.move) {
    board.chips.hide();
    return void board.take(target.move);
  }
  if (board.draft?.isOpen && !target) return board.done();
  board.act(square);
}

/** @param {ConvoyBoard} board @param {string} square */
function strike(board, square) {
  const target = board.targets.get(board.chips.square ?? square);
  if (target?.strike) void board.take(target.strike);
}
