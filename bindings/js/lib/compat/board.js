// The position of a game as WebAssembly plays it. It lies in one of a few slots while it is used; all of it is kept
// here as text and numbers, so that a game costs nothing there, and a slot can be given to another at any time.

import { rules } from '../rules.js';

/** As many as `SLOTS` of `src/compat.rs`. */
const SLOTS = 64;

/** Which board's contents lie in which slot, by its stamp; 0 for none. */
const contents = new Array(SLOTS).fill(0);
let starts = 0;
let boards = 0;
let stamps = 0;

/** Which moves a list is of; see `Filter` in `src/compat.rs`. */
export const ANY = 255;
export function filterOf(square = ANY, role = ANY, legal = true) {
  return square | (role << 8) | (legal ? 0 : 1 << 16);
}

/** Reads the bits of a move; see `Move` in `crates/cotulenh/src/moves.rs`. */
export const bitsOf = {
  from: (bits) => bits & 255,
  to: (bits) => (bits >> 8) & 255,
  role: (bits) => (bits >> 16) & 15,
  kind: (bits) => (bits >> 20) & 7,
  isStep: (bits) => (bits & (1 << 23)) !== 0,
  isCommit: (bits) => ((bits >> 20) & 7) === 5,
};

export class Board {
  #place = boards++ % SLOTS;
  #stamp = ++stamps;
  #lastGuard;
  #fen;
  #steps = [];

  /** `fen` must be one that this class has written, or that `examineFen` finds nothing wrong with. */
  constructor(fen, lastGuard) {
    this.#fen = fen;
    this.#lastGuard = lastGuard ? 1 : 0;
  }

  /** The FEN of the start of the turn. */
  get fen() {
    return this.#fen;
  }

  /** The bits of the steps of the open deploy. */
  get steps() {
    return this.#steps;
  }

  /** The slot in which the board lies, filled if need be. */
  get #slot() {
    void rules.exports; // A module that had to be stopped starts here.
    if (starts !== rules.starts) {
      starts = rules.starts;
      contents.fill(0);
    }
    if (contents[this.#place] !== this.#stamp) this.#fill();
    return this.#place;
  }

  #fill() {
    contents[this.#place] = 0;
    rules.write(this.#fen, 'fen');
    rules.call('compat_load', this.#place, this.#lastGuard);
    for (const bits of this.#steps) rules.call('compat_step', this.#place, bits);
    contents[this.#place] = this.#stamp;
  }

  /** Goes to another position, with these steps made in it. */
  set(fen, steps = []) {
    this.#fen = fen;
    this.#steps = steps;
    this.#stamp = ++stamps;
  }

  /** Reads a FEN, an extended one too, and goes to its position; whatever is wrong is thrown before. */
  read(fen) {
    contents[this.#place] = 0;
    rules.write(fen, 'fen');
    const start = rules.text(rules.call('compat_load', this.#place, this.#lastGuard));
    this.set(start, [...rules.words(rules.call('compat_opening', this.#place))]);
  }

  sans(filter) {
    const text = rules.text(rules.call('compat_sans', this.#slot, filter));
    return text === '' ? [] : text.split('\n');
  }

  moves(filter) {
    return rules.words(rules.call('compat_moves', this.#slot, filter));
  }

  /** The moves that a text names; throws a `ConvoyError` with the reason. */
  readMoves(text, filter) {
    const slot = this.#slot;
    rules.write(text, 'move');
    return rules.words(rules.call('compat_read', slot, filter));
  }

  /** The moves to a square that have these parts; see `Parts` in `src/compat.rs`. */
  select(filter, to, parts) {
    return rules.words(rules.call('compat_select', this.#slot, filter, to | (parts << 8)));
  }

  /** Plays a move of a whole stack; answers its SAN. */
  play(bits, filter) {
    const text = rules.text(rules.call('compat_play', this.#slot, bits, filter));
    const end = text.indexOf('\n');
    this.#fen = text.slice(end + 1);
    return text.slice(0, end);
  }

  step(bits) {
    rules.call('compat_step', this.#slot, bits);
    this.#steps = [...this.#steps, bits];
  }

  /** Takes back the last step; the pieces that joined it go back with it. */
  undoStep() {
    const roles = rules.call('compat_last_step', this.#slot);
    this.set(this.#fen, this.#steps.filter((bits) => ((1 << bitsOf.role(bits)) & roles) === 0));
  }

  /** The open deploy in words and numbers. */
  session() {
    const lines = rules.text(rules.call('compat_session', this.#slot)).split('\n');
    const [canCommit, offersStep, san, lan, boardFen, original, remaining, ...steps] = lines;
    const some = (text) => (text === '-' ? undefined : text);
    return {
      canCommit: canCommit === '1',
      offersStep: offersStep === '1',
      lastRole: bitsOf.role(this.#steps.at(-1)),
      san,
      lan,
      boardFen,
      original,
      remaining: some(remaining),
      fen: `${this.#fen} ${lan}${remaining === '-' ? '' : '...'}`,
      steps: steps.map((line) => {
        const [pieces, to, kind, captured] = line.split(' ');
        return { pieces, to, kind: Number(kind), captured: some(captured) };
      }),
    };
  }

  /** Ends the open deploy. */
  commit() {
    this.#fen = rules.text(rules.call('compat_commit', this.#slot));
    this.#steps = [];
  }

  inCheck() {
    return rules.call('compat_in_check', this.#slot) === 1;
  }

  hasMove() {
    return rules.call('compat_has_move', this.#slot) === 1;
  }

  inDanger(side) {
    return rules.call('compat_in_danger', this.#slot, side) === 1;
  }

  /** Pairs of square and role. */
  attackers(square, side, role = ANY) {
    const words = rules.words(rules.call('compat_attackers', this.#slot, square | (role << 8), side));
    return Array.from(words, (word) => [word & 255, word >> 8]);
  }

  /** From each covered square to the squares of its providers, in terms of `names`. */
  airCover(side, names) {
    const providers = new Map();
    let [last, list] = [-1, undefined];
    for (const word of rules.words(rules.call('compat_air_cover', this.#slot, side))) {
      const square = word & 255;
      if (square !== last) providers.set(names[square], list = []);
      list.push(names[word >> 8]);
      last = square;
    }
    return providers;
  }

  /** The FEN after one of the moves that a list offers, by a board of its own. */
  after(bits) {
    const board = new Board(this.#fen, this.#lastGuard);
    board.#steps = this.#steps;
    if (!bitsOf.isStep(bits)) {
      board.play(bits, filterOf(bitsOf.from(bits)));
      return board.fen;
    }
    board.step(bits);
    const { offersStep, canCommit, fen } = board.session();
    if (offersStep || !canCommit) return fen;
    board.commit();
    return board.fen;
  }

  copy() {
    const board = new Board(this.#fen, this.#lastGuard);
    board.#steps = this.#steps;
    return board;
  }
}
