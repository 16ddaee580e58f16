// `<convoy-board>` for other sites: the board of the pages with styles of its own, in a shadow root, and the rules of the package.

import { ConvoyError, query } from '../protocol.js';
import { sprite, styles } from './assets.js';
import { ConvoyBoard } from './board.js';
import { SQUARES, START } from './fen.js';
import { button, html } from './html.js';
import { t } from './i18n.js';
import { touched, trail } from './lan.js';
import { rules } from './rules.js';
import { Shapes } from './shapes.js';

export { ConvoyError } from '../protocol.js';

const OWN_STYLES = `
:host { display: block; color: var(--ink); font: 16px/1.5 var(--sans); }
:host([hidden]) { display: none; }
.convoy { display: grid; gap: 8px; background: none; color: var(--ink); }
.sprite { position: absolute; }
.convoy .tools { display: flex; flex-wrap: wrap; gap: 8px; }
.convoy .tools select { width: auto; }
.convoy .notice { margin: 0; }
.convoy .notice:empty { display: none; }
`;

const BRUSHES = ['G', 'R', 'Y', 'B'];
/** The values that an attribute may have, the first if there is none. */
const VALUES = { movable: ['none', 'r', 'b', 'both'], orientation: ['r', 'b'], theme: ['light', 'dark', 'contrast', 'auto'], brush: [null, '', ...BRUSHES] };
const SHAPE = /^[GRYB]([a-k]\d+)([a-k]\d+)?$/;

const squares = new Set(SQUARES);
const words = (text) => text.split(/\s+/).filter(Boolean);

/** What there is to say of a position between turns. */
function readFen(fen) {
  const told = query('draft', { fen });
  if (!told.deploy) return told;
  throw new ConvoyError('bad-fen', 'a board shows positions between turns', { argument: 'fen' });
}

/** Arrows and circles of a text, as PGN names them: `Gc5` and `Rc5c6`. */
function readShapes(text) {
  const shapes = words(text);
  const wrong = shapes.find((shape) => {
    const [, from, to = from] = SHAPE.exec(shape) ?? [];
    return !squares.has(from) || !squares.has(to);
  });
  if (wrong === undefined) return shapes;
  throw new ConvoyError('bad-argument', `shapes: ${wrong} is no circle like Gc5 and no arrow like Rc5c6`, { argument: 'shapes' });
}

/** The squares of a last turn, and how it went: of its LAN, or of the squares alone. */
function readLast(text) {
  const listed = words(text);
  if (listed.every((square) => squares.has(square))) return { last: listed, trail: [] };
  const last = touched(text);
  if (last.length && last.every((square) => squares.has(square))) return { last, trail: trail(text) };
  throw new ConvoyError('bad-argument', `last: ${text} is neither a turn in LAN nor squares`, { argument: 'last' });
}

function readChoice(name, text) {
  if (text === null || VALUES[name].includes(text)) return text ?? VALUES[name][0];
  throw new ConvoyError('bad-argument', `${name}: ${text} is none of ${VALUES[name].filter(Boolean).join(', ')}`, { argument: name });
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles + OWN_STYLES);

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The board of the pages with attributes and events; `element.d.ts` describes it. */
export class ConvoyBoardElement extends ConvoyBoard {
  static observedAttributes = ['fen', 'movable', 'orientation', 'last', 'shapes', 'drawable', 'brush', 'theme', 'coordinates'];

  /** The position and the last turn that are shown. */
  #shown = { fen: START, last: [], trail: [], movable: 'none' };
  #theme = 'light';
  #queued = false;
  #frame;
  #drawing;
  #notice = html('p', { class: 'notice error' });

  constructor() {
    super();
    this.rules = rules;
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    this.annotations = new Shapes(this, () => this.#annotated());
    this.#drawing = this.#drawingTools();
    const drawings = html('div');
    drawings.innerHTML = sprite;
    this.#frame = html('div', { class: 'convoy' }, [...drawings.children, ...this.parts, this.#drawing, this.#notice]);
    this.parts = [this.#frame];
    this.addEventListener('notice', (event) => {
      event.stopPropagation();
      this.#notice.textContent = event.detail;
    });
  }

  connectedCallback() {
    this.#adopt();
    super.connectedCallback();
    dark.addEventListener('change', this.#paint);
    this.#apply();
  }

  disconnectedCallback() {
    dark.removeEventListener('change', this.#paint);
  }

  /** Properties that were set before this module was loaded hide those of the class: they are set once more. */
  #adopt() {
    for (const name of ConvoyBoardElement.observedAttributes.filter((name) => Object.hasOwn(this, name))) {
      const value = this[name];
      delete this[name];
      try {
        this[name] = value;
      } catch (error) {
        this.#refuse(name, error);
      }
    }
  }

  #refuse(attribute, error) {
    if (!(error instanceof ConvoyError) || error.code === 'internal') throw error;
    this.dispatchEvent(new CustomEvent('refused', { detail: { attribute, error } }));
  }

  attributeChangedCallback() {
    if (this.#queued || !this.isConnected) return;
    // Attributes that are set one after another are one change.
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      if (this.isConnected) this.#apply();
    });
  }

  /** Reads every attribute; one that is wrong is told, and what it was before stays. */
  #apply() {
    const read = (name, take) => {
      try {
        take(this.getAttribute(name));
      } catch (error) {
        this.#refuse(name, error);
      }
    };
    const shown = { ...this.#shown };
    read('fen', (fen) => (shown.fen = readFen(fen ?? START).fen));
    read('last', (last) => Object.assign(shown, readLast(last ?? '')));
    read('movable', (movable) => (shown.movable = readChoice('movable', movable)));
    read('orientation', (side) => this.orient(readChoice('orientation', side)));
    read('shapes', (shapes) => this.annotations.set(readShapes(shapes ?? '')));
    read('brush', (brush) => {
      this.annotations.active = readChoice('brush', brush) !== null;
      if (brush) this.annotations.brush = brush;
    });
    read('theme', (theme) => (this.#theme = readChoice('theme', theme)));
    this.annotations.enabled = this.drawable || this.annotations.active;
    const same = JSON.stringify(shown) === JSON.stringify(this.#shown);
    this.#shown = shown;
    this.#paint();
    if (!same || !this.shown.fen) this.#display();
  }

  #paint = () => {
    this.#frame.dataset.theme = this.#theme === 'auto' ? (dark.matches ? 'dark' : 'light') : this.#theme;
    this.#frame.dataset.coords = String(this.getAttribute('coordinates') !== 'none');
    this.#frame.classList.toggle('watching', this.#shown.movable === 'none');
    this.#drawing.hidden = !this.drawable;
    const [toggle, select] = this.#drawing.children;
    toggle.setAttribute('aria-pressed', String(this.annotations.active));
    select.value = this.annotations.brush;
  };

  #display() {
    const { fen, last, trail, movable } = this.#shown;
    const { check, outcome } = readFen(fen);
    this.#notice.textContent = '';
    void this.show({ fen, last, trail, movable: outcome ? 'none' : movable, check });
  }

  #annotated() {
    const { list } = this.annotations;
    this.shapes = list;
    this.dispatchEvent(new CustomEvent('shapes', { detail: { shapes: [...list] } }));
  }

  #drawingTools() {
    const toggle = button(t('draw-shapes'), () => this.toggleAttribute('brush'), { 'aria-pressed': 'false', class: 'draw' });
    const select = html('select', { 'aria-label': t('brush') }, BRUSHES.map((brush) => html('option', { value: brush }, [t(`brush-${brush}`)])));
    select.addEventListener('change', () => {
      this.annotations.brush = select.value;
      if (this.brush !== null) this.brush = select.value;
    });
    const clear = button(t('clear-shapes'), () => {
      this.annotations.set([]);
      this.#annotated();
    });
    const tools = html('div', { class: 'tools' }, [toggle, select, clear]);
    tools.hidden = true;
    return tools;
  }

  /** Tells a whole turn; unless somebody prevents it, the board plays it. */
  handOver(steps, before) {
    void rules.steps(before, steps).then(({ turns: [turn], outcome }) => {
      const { san, lan, fen } = turn;
      const event = new CustomEvent('turn', { detail: { san, lan, steps: [...steps], before, fen, outcome }, cancelable: true });
      const attribute = this.getAttribute('fen');
      if (!this.dispatchEvent(event)) return this.refused('');
      // Whoever has heard of it may have set another position already.
      if (this.#shown.fen !== before || this.getAttribute('fen') !== attribute) return;
      this.#shown = { ...this.#shown, fen, ...readLast(lan) };
      this.setAttribute('last', lan);
      this.setAttribute('fen', fen);
      this.#display();
    });
  }

  get fen() {
    return this.#shown.fen;
  }

  set fen(fen) {
    if (fen === null || fen === undefined) return this.removeAttribute('fen');
    readFen(fen);
    this.setAttribute('fen', fen);
  }

  get shapes() {
    return words(this.getAttribute('shapes') ?? '');
  }

  set shapes(shapes) {
    if (shapes === null || shapes === undefined) return this.removeAttribute('shapes');
    if (!Array.isArray(shapes)) throw new ConvoyError('bad-argument', 'shapes: expected a list', { argument: 'shapes' });
    this.setAttribute('shapes', readShapes(shapes.join(' ')).join(' '));
  }

  get drawable() {
    return this.hasAttribute('drawable');
  }

  set drawable(drawable) {
    this.toggleAttribute('drawable', Boolean(drawable));
  }
}

/** A property that is its attribute; without a value the attribute goes. */
function mirror(name, check = () => {}) {
  Object.defineProperty(ConvoyBoardElement.prototype, name, {
    configurable: true,
    get() {
      return this.getAttribute(name) ?? VALUES[name]?.[0] ?? null;
    },
    set(value) {
      if (value === null || value === undefined) return this.removeAttribute(name);
      check(String(value));
      this.setAttribute(name, value);
    },
  });
}

for (const name of Object.keys(VALUES)) mirror(name, (value) => readChoice(name, value));
mirror('last', readLast);
mirror('coordinates');

// A page may come to load the package twice: the first one draws its boards.
if (!customElements.get('convoy-board')) customElements.define('convoy-board', ConvoyBoardElement);
