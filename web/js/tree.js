/**
 * A game with variations: the tree, and the list in which it is read and walked.
 *
 * @typedef {import('./types.js').Turn} Turn
 *
 * @typedef {object} Node the start, or a turn with what is written about it
 * @property {Node|null} parent
 * @property {Node[]} children the first goes on with the line, the others are variations
 * @property {Turn|null} turn
 * @property {string} fen
 * @property {string} comment
 * @property {number[]} nags
 * @property {string[]} shapes arrows (`Gc5c6`) and circles (`Gc5`)
 * @property {number} [clockMs]
 *
 * @typedef {object} Written a node as the rules crate reads and writes it
 * @property {number} [parent]
 * @property {string} [san]
 * @property {string} [lan]
 * @property {string} [fen]
 * @property {string} [comment]
 * @property {number[]} [nags]
 * @property {string[]} [shapes]
 * @property {number} [clockMs]
 *
 * @typedef {{headers?: [string, string][], start?: string, nodes: Written[]}} AnnotatedGame
 */
import { html } from './html.js';
import { t } from './i18n.js';
import { Turns, figurines } from './turns.js';
import { turnWords } from './words.js';

/** The glyphs that have a sign, by their number in PGN; + over = is in few fonts, so that it is written out. */
const GLYPHS = new Map([[1, '!'], [2, '?'], [3, '!!'], [4, '??'], [5, '!?'], [6, '?!'], [10, '='], [13, '∞'], [14, '+='], [15, '=+'], [16, '±'], [17, '∓'], [18, '+−'], [19, '−+']]);

/** @param {Node|null} parent @param {Turn|null} turn @param {string} fen @returns {Node} */
const node = (parent, turn, fen) => ({ parent, children: [], turn, fen, comment: '', nags: [], shapes: [] });

export class Tree {
  /** @param {string} start FEN */
  constructor(start) {
    this.root = node(null, null, start);
    /** What is shown. @type {Node} */
    this.at = this.root;
    /** @type {[string, string][]} */
    this.headers = [];
  }

  /** @param {AnnotatedGame} game */
  static read(game) {
    const tree = new Tree(game.start ?? '');
    tree.headers = game.headers ?? [];
    /** @type {Node[]} */
    const nodes = [];
    for (const { parent, san = '', lan = '', fen = '', comment = '', nags = [], shapes = [], clockMs } of game.nodes) {
      const before = parent === undefined ? null : nodes[parent];
      const made = before ? node(before, { san, lan, fen }, fen) : tree.root;
      before?.children.push(made);
      Object.assign(made, { comment, nags, shapes, clockMs });
      nodes.push(made);
    }
    return tree;
  }

  /** The whole tree, for the rules crate to write. @returns {AnnotatedGame} */
  write() {
    /** @type {Written[]} */
    const nodes = [];
    /** @type {[Node, number|undefined][]} */
    const waiting = [[this.root, undefined]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [one, parent] = next;
      const { comment, nags, shapes, clockMs, turn } = one;
      nodes.push({
        parent,
        lan: turn?.lan,
        ...(comment ? { comment } : {}),
        ...(nags.length ? { nags } : {}),
        ...(shapes.length ? { shapes } : {}),
        ...(clockMs === undefined ? {} : { clockMs }),
      });
      const place = nodes.length - 1;
      waiting.push(...one.children.map((child) => /** @type {[Node, number]} */ ([child, place])).reverse());
    }
    return { headers: this.headers, start: this.root.fen, nodes };
  }

  /** Plays a turn here: a new variation, or one that is there already. @param {Turn} turn */
  play(turn) {
    let child = this.at.children.find((one) => one.turn?.lan === turn.lan);
    if (!child) {
      child = node(this.at, turn, turn.fen);
      this.at.children.push(child);
    }
    this.at = child;
  }

  /** From the first turn to what is shown. */
  path() {
    /** @type {Node[]} */
    const path = [];
    for (let one = this.at; one.parent; one = one.parent) path.unshift(one);
    return path;
  }

  /** The line that is shown, to its end. */
  line() {
    const line = this.path();
    for (let next = this.at.children[0]; next; next = next.children[0]) line.push(next);
    return line;
  }

  /** Takes what is shown one place up among the variations beside it. */
  promote() {
    const siblings = this.at.parent?.children ?? [];
    const place = siblings.indexOf(this.at);
    if (place < 1) return false;
    siblings.splice(place, 1);
    siblings.splice(place - 1, 0, this.at);
    return true;
  }

  /** Removes what is shown with all that follows it. */
  remove() {
    const { parent } = this.at;
    if (!parent) return false;
    parent.children.splice(parent.children.indexOf(this.at), 1);
    this.at = parent;
    return true;
  }
}

/** The list of a tree's turns. It walks along the line that is shown; up and down change to the variation beside it. */
export class TreeTurns extends Turns {
  /** @param {HTMLElement} host @param {() => void} moved */
  constructor(host, moved) {
    super(host, () => {
      const before = this.ply ? this.nodes[this.ply - 1] : this.tree.root;
      this.tree.at = before;
      moved();
    });
    this.tree = new Tree('');
    /** The line that is shown. @type {Node[]} */
    this.nodes = [];
    this.list.classList.add('tree');
  }

  /** @param {Tree} tree */
  show(tree) {
    this.tree = tree;
    this.sync();
  }

  /** Follows the tree after it has changed. */
  sync() {
    this.nodes = this.tree.line();
    const turns = this.nodes.flatMap((one) => (one.turn ? [one.turn] : []));
    this.set(this.tree.root.fen, turns, this.tree.path().length);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const within = (/** @type {string} */ selector) => e.target instanceof Element && e.target.closest(selector);
    const up = e.key === 'ArrowUp';
    const plain = !(e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) && !within('input, textarea, select, dialog, .cells, summary');
    if (!plain || (!up && e.key !== 'ArrowDown')) return super.key(e);
    const siblings = this.tree.at.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.tree.at) + (up ? -1 : 1)];
    if (!next) return;
    e.preventDefault();
    this.visit(next);
  }

  /** @param {Node} to */
  visit(to) {
    this.tree.at = to;
    this.sync();
    this.moved({ ply: this.ply, step: null });
  }

  draw() {
    if (!this.tree) return;
    const lines = this.tree.root.children.length ? this.drawLine(this.tree.root) : [html('li', { class: 'none' }, [t('no-turns')])];
    const start = this.tree.root.comment ? [html('li', { class: 'comment' }, [this.tree.root.comment])] : [];
    this.list.replaceChildren(...start, ...lines);
    const current = this.list.querySelector('[aria-current]');
    if (!(current instanceof HTMLElement)) return;
    const { scrollTop, clientHeight } = this.list;
    const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
    if (top < scrollTop || bottom > scrollTop + clientHeight) this.list.scrollTop = (top + bottom - clientHeight) / 2;
  }

  /** All that follows a node: its line in items, each with the variations beside it. @param {Node} from @param {Node} [only] this child alone */
  drawLine(from, only) {
    /** @type {HTMLElement[]} */
    const items = [];
    let numbered = false;
    for (let next = only ?? from.children[0]; next; next = next.children[0]) {
      const beside = next === only ? [] : (next.parent?.children.slice(1) ?? []);
      items.push(html('li', {}, this.drawTurn(next, numbered)));
      if (next.comment) items.push(html('li', { class: 'comment' }, [next.comment]));
      items.push(...beside.map((one) => html('li', { class: 'variation' }, [html('ol', {}, this.drawLine(from, one))])));
      numbered = !next.comment && !beside.length;
    }
    return items;
  }

  /** @param {Node} one @param {boolean} numbered the number was told with the turn before */
  drawTurn(one, numbered) {
    const [, side, , , , number] = (one.parent?.fen ?? '').split(' ');
    const color = side === 'b' ? 'b' : 'r';
    const button = html('button', { type: 'button', class: 'turn', title: turnWords(one.turn?.lan ?? '') }, [
      ...figurines(one.turn?.san ?? '', color),
      ...one.nags.map((nag) => html('span', { class: 'glyph' }, [GLYPHS.get(nag) ?? `$${nag}`])),
    ]);
    if (one === this.nodes[this.step === null ? this.ply - 1 : this.ply]) button.setAttribute('aria-current', 'step');
    button.addEventListener('click', () => this.visit(one));
    const lead = color === 'r' ? `${number}.` : numbered ? '' : `${number}…`;
    return lead ? [html('span', { class: 'number' }, [lead]), button] : [button];
  }
}
