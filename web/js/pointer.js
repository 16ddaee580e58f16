/**
 * Mouse, pen and finger on the board: click or tap, drag with a mouse, press for long to read a card.
 * @typedef {import('./board.js').ConvoyBoard} ConvoyBoard
 */
import { rootOf } from './html.js';
import { squareName } from './words.js';

/** @param {EventTarget|null} target */
export const squareOf = (target) => (target instanceof Element ? (target.closest('[data-square]')?.getAttribute('data-square') ?? null) : null);

/** @param {PointerEvent} a @param {PointerEvent} b */
const still = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) < 8;

/** @param {ConvoyBoard} board */
export function point(board) {
  const { view } = board;
  const { grid } = view;
  /** The gesture was more than a tap, so the click that follows it means nothing. */
  let spent = false;

  grid.addEventListener('click', (event) => {
    const square = squareOf(event.target);
    if (!square || spent) return;
    view.rove(square, false);
    board.act(square);
  });
  // A click leaves the focus where it is, or arrow keys would walk over the squares instead of the turns.
  grid.addEventListener('mousedown', (event) => {
    event.preventDefault();
    const focused = rootOf(grid).activeElement;
    if (focused instanceof HTMLElement) focused.blur();
  });
  grid.addEventListener('pointerdown', (event) => {
    const square = squareOf(event.target);
    spent = false;
    if (!square) return;
    if (event.pointerType === 'touch') hold(event, square);
    if (event.pointerType === 'touch' || event.button === 0) drag(event, square);
  });
  grid.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const square = squareOf(event.target);
    if (square) board.describe(view.placement.has(square) ? square : board.selected);
  });
  grid.addEventListener('pointerleave', () => board.describe(board.selected));
  grid.addEventListener('contextmenu', (event) => {
    if (spent) event.preventDefault();
  });

  /** @param {PointerEvent} start @param {string} square */
  function hold(start, square) {
    const end = new AbortController();
    const timer = setTimeout(() => {
      spent = true;
      board.describe(square);
      board.say(squareName(square, view.placement.get(square)));
    }, 450);
    const stop = () => {
      clearTimeout(timer);
      end.abort();
    };
    const { signal } = end;
    addEventListener('pointerup', stop, { signal });
    addEventListener('pointercancel', stop, { signal });
    addEventListener('pointermove', (e) => still(start, e) || stop(), { signal });
  }

  /** @param {PointerEvent} start @param {string} from */
  function drag(start, from) {
    if (!board.draft || board.pending || board.edit) return;
    const own = board.draft.isOpen ? from === board.selected : board.isOwn(from);
    if (!own) return;
    /** @type {Element|null} */
    let rider = null;
    const end = new AbortController();
    const { signal } = end;
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', drop, { signal });
    addEventListener('pointercancel', drop, { signal });

    /** @param {PointerEvent} e */
    function move(e) {
      if (!rider) {
        if (still(start, e)) return;
        if (board.selected !== from) void board.select(from);
        rider = view.layers.pieces.querySelector(`[data-at="${from}"]`);
        rider?.classList.add('dragged');
      }
      const [x, y] = view.pointed(e.clientX, e.clientY);
      rider?.setAttribute('transform', `translate(${x} ${y})`);
    }

    /** @param {PointerEvent} e */
    function drop(e) {
      end.abort();
      if (!rider) return;
      spent = true;
      const square = squareOf(rootOf(grid).elementFromPoint(e.clientX, e.clientY));
      board.redraw();
      if (square && square !== from && board.targets.has(square)) board.act(square);
    }
  }
}
