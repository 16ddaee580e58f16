// The result of a move, and the moves of a list.

import { BITS, SQUARE_NAMES } from './constants.js';
import { bitsOf } from './board.js';
import { pieceOf, piecesOf } from './piece.js';

/** By the number of a kind: its letter, the sign before the target, its bit. */
export const KINDS = [
  { letter: 'n', sign: '', bit: BITS.NORMAL },
  { letter: 'c', sign: 'x', bit: BITS.CAPTURE },
  { letter: 's', sign: '_', bit: BITS.STAY_CAPTURE },
  { letter: 'k', sign: '@', bit: BITS.SUICIDE_CAPTURE },
  { letter: 'b', sign: '&', bit: BITS.COMBINATION },
];

/** The letters of roles by their number. */
export const ROLE_LETTERS = 'cimagstfenh';

const PLAIN_FLAGS = KINDS.map(({ letter }) => letter);
const STEP_FLAGS = ['nd', 'cd', 'sd', 'kd', 'db'];

export class MoveResult {
  constructor({ color, from, to, piece, flags, before, after, san, lan, captured, stay, completed }) {
    this.color = color;
    this.from = from;
    this.to = to;
    this.piece = piece;
    this.captured = captured;
    this.flags = flags;
    this.before = before;
    this.san = san;
    this.lan = lan;
    this.completed = completed;
    this.stay = stay;
    // A listed move has it from its prototype.
    if (after !== undefined) this.after = after;
  }

  get isDeploy() {
    return this.flags.includes('d');
  }

  get isCapture() {
    return this.flags.includes('c');
  }

  get isStayCapture() {
    return this.flags.includes('s');
  }

  get isSuicideCapture() {
    return this.flags.includes('k');
  }

  getHighlightSquares() {
    return [this.from, ...(typeof this.to === 'string' ? [this.to] : this.to.keys())];
  }
}

/** A move of a list: the position after it is played out when somebody asks for it. */
class ListedMove extends MoveResult {
  #board;
  #bits;

  constructor(fields, board, bits) {
    super(fields);
    this.#board = board;
    this.#bits = bits;
  }

  get after() {
    return this.#board.after(this.#bits);
  }

  /** A caller may put something else in its place, as with every other field. */
  set after(value) {
    Object.defineProperty(this, 'after', { value, writable: true, enumerable: true, configurable: true });
  }

  toJSON() {
    return { ...this, after: this.after };
  }
}

/** The letters of pieces as moves write them, and the text of the pieces that move. */
function moverText(cells, bits) {
  const stack = cells[bitsOf.from(bits)];
  if (!bitsOf.isStep(bits) || stack.length <= 2) return stack;
  const letter = ROLE_LETTERS[bitsOf.role(bits)];
  const at = stack.toLowerCase().indexOf(letter);
  return stack[at - 1] === '+' ? stack.slice(at - 1, at + 1) : stack[at];
}

/** What all results of one move have, whether it is only listed or was played. */
function fieldsOf(bits, cells, color, before, san) {
  const [from, to, kind, step] = [bitsOf.from(bits), bitsOf.to(bits), bitsOf.kind(bits), bitsOf.isStep(bits)];
  const mover = moverText(cells, bits);
  const captures = kind >= 1 && kind <= 3;
  return {
    color,
    from: SQUARE_NAMES[from],
    to: SQUARE_NAMES[to],
    piece: pieceOf(mover),
    captured: captures ? piecesOf(cells[to]) : undefined,
    flags: (step ? STEP_FLAGS : PLAIN_FLAGS)[kind],
    before,
    after: undefined,
    san,
    lan: `${mover.toUpperCase()}${SQUARE_NAMES[from]}${step ? '>' : ''}${KINDS[kind].sign}${SQUARE_NAMES[to]}`,
    stay: undefined,
    completed: !step,
  };
}

/** The moves of a list. `board` must stay as it is: it tells what comes after each. */
export function listedMoves(moves, sans, { cells, color, before, board }) {
  return Array.from(moves, (bits, i) => new ListedMove(fieldsOf(bits, cells, color, before, sans[i]), board, bits));
}

/** The result of a plain move that was played. */
export function playedMove(bits, san, { cells, color, before, after, completed }) {
  return new MoveResult({ ...fieldsOf(bits, cells, color, before, san), after, completed });
}

/** A plain move with indices and bits. */
export function internalMove(bits, cells, color, combined) {
  const { piece, captured } = fieldsOf(bits, cells, color, '', '');
  const flags = KINDS[bitsOf.kind(bits)].bit | (bitsOf.isStep(bits) ? BITS.DEPLOY : 0);
  return withoutGaps({ color, from: bitsOf.from(bits), to: bitsOf.to(bits), piece, flags, captured, combined });
}

export function withoutGaps(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
