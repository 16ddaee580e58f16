/**
 * Arrows and circles on a board: drawn with the right button, or with any pointer while drawing is switched on.
 * Shift, Alt and both change the colour, as on other sites.
 * @typedef {import('./board.js').ConvoyBoard} ConvoyBoard
 */
import { rootOf } from './html.js';
import { squareOf } from './pointer.js';
import { svg } from './view.js';

/** @param {string} shape @returns {[string, string, string|undefined]} colour, square, square */
function parts(shape) {
  const [, brush, from, to] = /^([GRYB])([a-k]\d+)([a-k]\d+)?$/.exec(shape) ?? ['', 'G', 'a1'];
  return [brush, from, to];
}

export class Shapes {
  /** @param {ConvoyBoard} board @param {(shapes: string[]) => void} changed */
  constructor(board, changed) {
    this.board = board;
    this.changed = changed;
    /** @type {string[]} */
    this.list = [];
    this.enabled = true;
    this.brush = 'G';
    const { stage } = board;
    stage.addEventListener('pointerdown', (event) => this.begin(event), { capture: true });
    stage.addEventListener('contextmenu', (event) => this.enabled && event.preventDefault());
    for (const kind of ['click', 'mousedown']) {
      stage.addEventListener(kind, (event) => {
        if (!this.active) return;
        event.stopPropagation();
        event.preventDefault();
      }, { capture: true });
    }
  }

  /** Whether every pointer draws, not the right button alone: the page does not scroll under a finger then. */
  get active() {
    return this.board.stage.classList.contains('drawing');
  }

  set active(active) {
    this.board.stage.classList.toggle('drawing', active);
  }

  /** @param {string[]} shapes */
  set(shapes) {
    this.list = shapes;
    this.draw();
  }

  /** @param {string|null} [begun] an arrow that is being drawn */
  draw(begun = null) {
    const { view } = this.board;
    view.layers.shapes.replaceChildren(...[...this.list, ...(begun ? [begun] : [])].map((shape) => {
      const [brush, from, to] = parts(shape);
      const [x1, y1] = view.at(from);
      if (!to) return svg('circle', { class: `shape ${brush}`, 'data-shape': shape, cx: x1, cy: y1, r: 46 });
      const [x2, y2] = view.at(to);
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [hx, hy] = [x2 - ux * 34, y2 - uy * 34];
      return svg('g', { class: `shape ${brush}`, 'data-shape': shape }, [
        svg('path', { d: `M${x1} ${y1}L${hx} ${hy}` }),
        svg('path', { class: 'head', d: `M${x2} ${y2}L${hx - uy * 24} ${hy + ux * 24}L${hx + uy * 24} ${hy - ux * 24}z` }),
      ]);
    }));
  }

  /** @param {PointerEvent} event */
  begin(event) {
    const from = squareOf(event.target);
    if (!this.enabled || !from || (event.button !== 2 && !this.active)) return;
    event.stopPropagation();
    event.preventDefault();
    const brush = event.shiftKey && event.altKey ? 'Y' : event.shiftKey ? 'R' : event.altKey ? 'B' : this.brush;
    const end = new AbortController();
    const { signal } = end;
    /** @param {PointerEvent} e */
    const shapeAt = (e) => {
      const to = squareOf(rootOf(this.board.stage).elementFromPoint(e.clientX, e.clientY));
      return to && (to === from ? brush + from : brush + from + to);
    };
    addEventListener('pointermove', (e) => this.draw(shapeAt(e)), { signal });
    addEventListener('pointercancel', () => (end.abort(), this.draw()), { signal });
    addEventListener('pointerup', (e) => {
      end.abort();
      const shape = shapeAt(e);
      if (!shape) return this.draw();
      // The same again takes it away; another colour replaces it.
      const same = (/** @type {string} */ other) => other.slice(1) === shape.slice(1);
      const rest = this.list.filter((other) => !same(other));
      this.set(this.list.includes(shape) ? rest : [...rest, shape]);
      this.changed(this.list);
    }, { signal });
  }
}
