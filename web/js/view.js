/**
 * The drawn board: one SVG for the eye, one grid of cells for pointer, keyboard and screen reader.
 * It draws what it is told and reports what was touched; it decides nothing.
 *
 * @typedef {import('./types.js').Placement} Placement
 * @typedef {import('./types.js').Stack} Stack
 * @typedef {import('./types.js').Mark} Mark
 * @typedef {import('./types.js').Arrow} Arrow
 * @typedef {import('./types.js').Step} Step
 */
import { FILES, coords, parsePlacement, parseStack, squareAt } from './fen.js';
import { art } from './host.js';
import { rootOf } from './html.js';
import { t } from './i18n.js';
import { moving, settings } from './settings.js';
import { initial, squareName } from './words.js';

const NS = 'http://www.w3.org/2000/svg';
/** Room for the coordinates, in board units of 100 a square. */
const MARGIN = 34;
/** Where the first and second passenger sit on a counter's rim. */
const SLOTS = [[33, 13], [11, 36]];

/**
 * @param {string} tag @param {Record<string, string|number>} [attributes] @param {(Node|string)[]} [children]
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, children = []) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** The piece sets that are drawings; the others are letters. @type {Record<string, 'pieces'|'symbols'>} */
const DRAWN = { art: 'pieces', symbols: 'symbols' };

/**
 * One counter, without cargo, centred on the origin.
 * @param {string} type @param {string} color @param {boolean} heroic
 */
function counter(type, color, heroic) {
  const drawn = DRAWN[settings.pieces];
  const face =
    drawn
      ? svg('use', { href: art(drawn, type) })
      : svg('text', { class: 'initial', 'text-anchor': 'middle', y: settings.pieces === 'vi' ? 15 : 18 }, [initial(type, settings.pieces)]);
  const node = svg('g', { class: settings.pieces }, [svg('use', { href: art('pieces', `disc-${color}`) }), face]);
  if (heroic) node.append(svg('use', { href: art('pieces', 'heroic') }));
  return node;
}

/**
 * A stack: the carrier full size, passengers as chips on its lower right rim.
 * @param {Stack} stack
 */
export function drawStack(stack) {
  const [carrier, ...cargo] = stack.parts;
  const node = svg('g', { class: stack.color }, [counter(carrier.type, stack.color, carrier.heroic)]);
  cargo.forEach((part, i) => {
    const [x, y] = SLOTS[i % 2];
    const chip = counter(part.type, stack.color, part.heroic);
    chip.setAttribute('transform', `translate(${x} ${y}) scale(.44)`);
    node.append(chip);
  });
  return node;
}

/** A small picture of one piece for trays and lists. @param {string} type @param {string} color @param {boolean} [heroic] */
export function pieceIcon(type, color, heroic = false) {
  return svg('svg', { viewBox: '-52 -56 104 108', class: `icon ${color}`, 'aria-hidden': 'true' }, [counter(type, color, heroic)]);
}

export class View {
  /** @param {HTMLElement} host */
  constructor(host) {
    /** @type {'r'|'b'} */
    this.orientation = 'r';
    /** @type {Placement} */
    this.placement = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    /** Extra words for a square's label, by square. @type {Map<string, string>} */
    this.notes = new Map();
    this.focused = 'g1';

    /** @param {string} name */
    const layer = (name) => svg('g', { class: name });
    this.layers = {
      ground: layer('ground'),
      coords: layer('coords'),
      cover: layer('cover'),
      last: layer('last'),
      trail: layer('trail'),
      select: layer('select'),
      ghost: layer('ghost'),
      pieces: layer('pieces'),
      marks: layer('marks'),
      arrows: layer('arrows'),
      shapes: layer('shapes'),
      motion: layer('motion'),
    };
    const defs = svg('defs', {}, [
      hatch('hatch-r', 'M-4 4L4 -4M0 16L16 0M12 20L20 12'),
      hatch('hatch-b', 'M-4 12L4 20M0 0L16 16M12 -4L20 4'),
      hatch('hatch-mark', 'M-4 4L4 -4M0 16L16 0M12 20L20 12'),
      svg('marker', { id: 'tip', viewBox: '0 0 10 10', refX: 7, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: 'auto-start-reverse' }, [
        svg('path', { d: 'M0 0L10 5L0 10z', class: 'tip' }),
      ]),
    ]);
    this.svg = svg('svg', { class: 'board', viewBox: `${-MARGIN} 0 ${1100 + MARGIN} ${1200 + MARGIN}`, 'aria-hidden': 'true' }, [
      defs,
      ...Object.values(this.layers),
    ]);
    this.grid = document.createElement('div');
    this.grid.className = 'cells';
    this.grid.setAttribute('role', 'grid');
    this.grid.setAttribute('aria-label', t('board-label'));
    this.grid.setAttribute('aria-rowcount', '12');
    this.grid.setAttribute('aria-colcount', '11');
    host.append(this.svg, this.grid);
    this.layers.ground.append(svg('use', { href: art('board', 'board') }));
    this.layout();
  }

  /** Centre of a square in board units. @param {string} square @returns {[number, number]} */
  at(square) {
    const [file, rank] = coords(square);
    return this.orientation === 'r' ? [50 + 100 * file, 1150 - 100 * rank] : [1050 - 100 * file, 50 + 100 * rank];
  }

  /** A point of the screen in board units. @param {number} x @param {number} y @returns {[number, number]} */
  pointed(x, y) {
    const box = this.svg.getBoundingClientRect();
    const scale = (1100 + MARGIN) / box.width;
    return [(x - box.left) * scale - MARGIN, (y - box.top) * scale];
  }

  /** Lays out ground, coordinates and cells for the side at the bottom. */
  layout() {
    const red = this.orientation === 'r';
    this.layers.ground.setAttribute('transform', red ? '' : 'rotate(180 550 600)');
    this.layers.coords.replaceChildren();
    for (let i = 0; i < 12; i += 1) {
      const y = (red ? 1150 - 100 * i : 50 + 100 * i) + 9;
      this.layers.coords.append(svg('text', { x: -MARGIN / 2 - 1, y, 'text-anchor': 'middle' }, [String(i + 1)]));
      if (i > 10) continue;
      const x = red ? 50 + 100 * i : 1050 - 100 * i;
      this.layers.coords.append(svg('text', { x, y: 1200 + MARGIN - 8, 'text-anchor': 'middle' }, [FILES[i]]));
    }
    this.cells.clear();
    this.grid.replaceChildren();
    for (let row = 0; row < 12; row += 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      for (let col = 0; col < 11; col += 1) {
        const square = red ? squareAt(col, 11 - row) : squareAt(10 - col, row);
        const cell = document.createElement('div');
        cell.setAttribute('role', 'gridcell');
        cell.dataset.square = square;
        cell.tabIndex = -1;
        this.cells.set(square, cell);
        line.append(cell);
      }
      this.grid.append(line);
    }
    this.rove(this.focused, false);
  }

  /** Moves the one tab stop of the grid. @param {string} square @param {boolean} focus */
  rove(square, focus) {
    const old = this.cells.get(this.focused);
    if (old) old.tabIndex = -1;
    this.focused = square;
    const cell = this.cells.get(square);
    if (!cell) return;
    cell.tabIndex = 0;
    if (focus) cell.focus();
  }

  /** @param {'r'|'b'} color */
  orient(color) {
    if (this.orientation === color) return;
    const focus = this.grid.contains(rootOf(this.grid).activeElement);
    this.orientation = color;
    this.layout();
    if (focus) this.rove(this.focused, true);
  }

  /**
   * Draws the pieces.
   * @param {Placement} placement @param {Set<string>} [moved] squares whose stacks moved in the draft
   */
  pieces(placement, moved = new Set()) {
    this.placement = placement;
    this.layers.pieces.replaceChildren();
    for (const [square, stack] of placement) {
      const [x, y] = this.at(square);
      const node = svg('g', { transform: `translate(${x} ${y})`, 'data-at': square }, [drawStack(stack)]);
      if (moved.has(square)) node.append(svg('circle', { class: 'moved', r: 49 }));
      this.layers.pieces.append(node);
    }
    this.label();
  }

  /** Puts what a square holds and allows into words. */
  label() {
    for (const [square, cell] of this.cells) {
      const note = this.notes.get(square);
      const label = squareName(square, this.placement.get(square)) + (note ? t('comma') + note : '');
      if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
    }
  }

  /** @param {string|null} square */
  select(square) {
    this.layers.select.replaceChildren();
    for (const cell of this.grid.querySelectorAll('[aria-selected]')) cell.removeAttribute('aria-selected');
    if (!square) return;
    const [x, y] = this.at(square);
    this.layers.select.append(svg('rect', { x: x - 50, y: y - 50, width: 100, height: 100, rx: 14 }));
    this.cells.get(square)?.setAttribute('aria-selected', 'true');
  }

  /** The squares of the last turn, and a commander in check. @param {string[]} squares @param {string|null} check */
  last(squares, check) {
    this.layers.last.replaceChildren(
      ...squares.map((square) => {
        const [x, y] = this.at(square);
        return svg('rect', { x: x - 49, y: y - 49, width: 98, height: 98, rx: 12 });
      }),
    );
    if (!check) return;
    const [x, y] = this.at(check);
    this.layers.last.append(svg('circle', { class: 'check', cx: x, cy: y, r: 56 }));
  }

  /** Pale arrows of the last turn; a deployment's are numbered. @param {{from: string, to: string, strike: boolean}[]} steps */
  trail(steps) {
    this.layers.trail.replaceChildren(
      ...steps.map(({ from, to, strike }, i) => {
        const [x1, y1] = this.at(from);
        const [x2, y2] = this.at(to);
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
        const node = svg('g', { class: strike ? 'trail-step strike' : 'trail-step' }, [
          svg('path', { d: `M${x1 + ux * 20} ${y1 + uy * 20}L${x2 - ux * 46} ${y2 - uy * 46}`, 'marker-end': 'url(#tip)' }),
        ]);
        if (steps.length > 1) {
          const [bx, by] = [x1 + ux * length * 0.45, y1 + uy * length * 0.45];
          node.append(svg('circle', { cx: bx, cy: by, r: 17 }), svg('text', { x: bx, y: by + 8, 'text-anchor': 'middle' }, [String(i + 1)]));
        }
        return node;
      }),
    );
  }

  /** @param {Mark[]} marks */
  marks(marks) {
    this.layers.marks.replaceChildren(...marks.map((mark) => this.mark(mark)));
    this.notes.clear();
    for (const mark of marks) this.notes.set(mark.square, mark.reason ?? t(`mark-${mark.kind}`));
    this.label();
    for (const [square, cell] of this.cells) cell.classList.toggle('target', this.notes.has(square));
  }

  /** @param {Mark} mark */
  mark({ square, kind }) {
    const [x, y] = this.at(square);
    const node = svg('g', { class: `mark ${kind}`, transform: `translate(${x} ${y})`, 'data-mark': kind });
    const ring = () => svg('circle', { class: 'ring', r: 45 });
    const cross = () => svg('path', { class: 'cross', d: 'M0 -58V-30M0 30V58M-58 0H-30M30 0H58' });
    if (kind === 'move') node.append(svg('circle', { class: 'dot', r: 17 }));
    else if (kind === 'join') node.append(svg('circle', { class: 'ring join', r: 47 }), svg('path', { class: 'plus', d: 'M-40 -40m-13 0h26m-13 -13v26' }));
    else if (kind === 'take') node.append(svg('circle', { class: 'fill', r: 48 }), ring());
    else if (kind === 'strike') node.append(ring(), cross());
    else if (kind === 'both') node.append(svg('circle', { class: 'fill', r: 48 }), ring(), cross());
    else if (kind === 'kamikaze') node.append(svg('circle', { class: 'hatched', r: 46 }), svg('circle', { class: 'ring dashed', r: 46 }));
    else node.append(svg('circle', { class: 'hollow', r: 17 }), svg('path', { class: 'hollow', d: 'M-12 12L12 -12' }));
    return node;
  }

  /** @param {Arrow[]} arrows */
  arrows(arrows) {
    this.layers.arrows.replaceChildren(
      ...arrows.map(({ from, to, number, strike }) => {
        const [x1, y1] = this.at(from);
        const [x2, y2] = this.at(to);
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
        const [bx, by] = [x1 + ux * length * 0.42, y1 + uy * length * 0.42];
        return svg('g', { class: strike ? 'arrow strike' : 'arrow', 'data-arrow': number }, [
          svg('path', { d: `M${x1 + ux * 30} ${y1 + uy * 30}L${x2 - ux * 38} ${y2 - uy * 38}`, 'marker-end': 'url(#tip)' }),
          svg('circle', { cx: bx, cy: by, r: 19 }),
          svg('text', { x: bx, y: by + 9, 'text-anchor': 'middle' }, [String(number)]),
        ]);
      }),
    );
  }

  /** What stood somewhere before the draft, pale: the origin and what was captured. @param {[string, Stack, string][]} stacks */
  ghosts(stacks) {
    this.layers.ghost.replaceChildren(
      ...stacks.map(([square, stack, kind]) => {
        const [x, y] = this.at(square);
        return svg('g', { transform: `translate(${x} ${y})`, class: kind }, [drawStack(stack)]);
      }),
    );
  }

  /**
   * Hatches squares under air cover; red and blue lean to different sides.
   * @param {{r: Iterable<string>, b: Iterable<string>}|null} cover
   */
  cover(cover) {
    this.layers.cover.replaceChildren();
    if (!cover) return;
    for (const color of /** @type {const} */ (['r', 'b'])) {
      for (const square of cover[color]) {
        const [x, y] = this.at(square);
        this.layers.cover.append(svg('rect', { class: color, x: x - 50, y: y - 50, width: 100, height: 100, fill: `url(#hatch-${color})` }));
      }
    }
  }

  /**
   * Shows a turn step by step, then rests.
   * @param {Step[]} steps
   */
  async animate(steps) {
    for (const step of steps) {
      const next = parsePlacement(step.board);
      if (moving()) await this.glide(step);
      this.pieces(next);
    }
  }

  /** @param {Step} step */
  async glide(step) {
    const mover = this.layers.pieces.querySelector(`[data-at="${step.from}"]`);
    const stack = parseStack(step.piece) ?? this.placement.get(step.from);
    if (!mover || !stack) return;
    const color = this.placement.get(step.from)?.color ?? stack.color;
    const strikes = step.flags.includes('s');
    const clone = strikes ? svg('circle', { r: 20, class: 'shell' }) : drawStack({ ...stack, color });
    const [x1, y1] = this.at(step.from);
    const [x2, y2] = this.at(step.to);
    if (!strikes && (this.placement.get(step.from)?.parts.length ?? 0) <= stack.parts.length) mover.setAttribute('opacity', '0');
    const rider = svg('g', {}, [clone]);
    this.layers.motion.append(rider);
    const frames = [{ transform: `translate(${x1}px, ${y1}px)` }, { transform: `translate(${x2}px, ${y2}px)` }];
    const length = Math.min(320, 140 + Math.hypot(x2 - x1, y2 - y1) / 4);
    await rider.animate(frames, { duration: length, easing: 'ease-in-out', fill: 'forwards' }).finished.catch(() => undefined);
    rider.remove();
  }
}

/** @param {string} id @param {string} d */
function hatch(id, d) {
  return svg('pattern', { id, patternUnits: 'userSpaceOnUse', width: 16, height: 16 }, [svg('path', { d, class: id })]);
}
