// Positions of Cờ Tư Lệnh as immutable values.

import { Board } from './board.js';
import { badArgument, optionsOf } from './error.js';
import { moveBits, squareIndex, squareName } from './move.js';
import { rules } from './rules.js';

const NOWHERE = 255;

/** The position that a game begins with. */
export const START_FEN =
  '6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1';

function colorIndex(color) {
  if (color === 'r') return 0;
  if (color === 'b') return 1;
  throw badArgument('color', "'r' or 'b'", color);
}

function small(number, name, most) {
  if (!Number.isInteger(number) || number < 0 || number > most) {
    throw badArgument(name, `a whole number from 0 to ${most}`, number);
  }
  return number;
}

function lines(text) {
  return text === '' ? [] : text.split('\n');
}

/** How a game ended, from the text of an export. */
export function readOutcome(text) {
  if (text === '') return null;
  const winner = text[0] === 'd' ? null : text[0];
  return { winner, reason: text.slice(1) };
}

/** A legal move with everything there is to know about it; `after` is worked out when it is asked for. */
export class VerboseMove {
  #position;

  /** `fields` from `at` on are what `position_verbose` writes of the move. */
  constructor(position, color, fields, at) {
    const move = Number(fields[at]);
    this.#position = position;
    this.move = move;
    this.color = color;
    this.from = squareName(move & 255);
    this.to = squareName((move >> 8) & 255);
    this.piece = fields[at + 3];
    this.captured = fields[at + 4];
    this.combined = fields[at + 5];
    this.san = fields[at + 1];
    this.lan = fields[at + 2];
  }

  /** The position before it. */
  get before() {
    return this.#position;
  }

  /** The position after it; a deploy may be open in it. */
  get after() {
    return this.#position.play(this.move);
  }
}

/** A position: an immutable value. Between the steps of a deploy it is one in which that deploy is open. */
export class Position {
  #board;
  #facts = null;

  /** For this package: use `Position.start()` or `Position.fromFen()`. */
  constructor(board) {
    if (!(board instanceof Board)) throw badArgument('board', 'made by Position.start or Position.fromFen', board);
    this.#board = board;
  }

  /** The start of a game. */
  static start() {
    return new Position(Board.make((slot) => rules.call('position_start', slot)));
  }

  /** The position of a FEN, extended ones included. */
  static fromFen(fen) {
    return new Position(Board.fromFen(fen));
  }

  /** The FEN, extended while a deploy is open. */
  fen() {
    return this.#board.fen();
  }

  toString() {
    return this.fen();
  }

  toJSON() {
    return this.fen();
  }

  #fact(index) {
    this.#facts ??= rules.words(rules.call('position_facts', this.#board.slot));
    return this.#facts[index];
  }

  /** The side to move, `'r'` or `'b'`. */
  get turn() {
    return this.#fact(0) === 0 ? 'r' : 'b';
  }

  /** Turns since the last capture. */
  get halfmoveClock() {
    return this.#fact(1);
  }

  /** The number of the move, from 1; it grows after Blue's turn. */
  get moveNumber() {
    return this.#fact(2);
  }

  /** Whether the commander of the side to move is attacked, or gone. */
  isCheck() {
    return this.#fact(3) === 1;
  }

  /** Whether the commander of the side to move is attacked or exposed. */
  isInDanger() {
    return this.#fact(4) === 1;
  }

  /** Whether an open deploy may end now, the rest of the stack staying where it is. */
  canCommit() {
    return this.#fact(5) === 1;
  }

  /** A number that tells positions apart by placement, side to move and open deploy; the counters do not count. */
  key() {
    this.#fact(0);
    return (BigInt(this.#facts[7]) << 32n) | BigInt(this.#facts[6]);
  }

  /** The square of a side's commander, alone or in a stack, or `null`. */
  commander(color) {
    const index = this.#fact(8 + colorIndex(color));
    return index === NOWHERE ? null : squareName(index);
  }

  /** The square of the stack whose deploy is open, or `null`. */
  deployFrom() {
    const index = this.#fact(10);
    return index === NOWHERE ? null : squareName(index);
  }

  /** The legal moves as numbers, in the order of the rules; with `legal: false` every move that the movement rules offer. */
  moves(options) {
    const { legal = true } = optionsOf(options);
    return rules.words(rules.call('position_moves', this.#board.slot, legal ? 1 : 0));
  }

  /** The SAN of every legal move. */
  sans() {
    return lines(rules.text(rules.call('position_sans', this.#board.slot)));
  }

  /** The LAN of every legal move. */
  lans() {
    return lines(rules.text(rules.call('position_lans', this.#board.slot)));
  }

  /** The legal moves with everything there is to know about them. */
  verboseMoves(options) {
    const { legal = true } = optionsOf(options);
    const text = rules.text(rules.call('position_verbose', this.#board.slot, legal ? 1 : 0));
    const fields = text.split('\t');
    const { turn } = this;
    const list = [];
    for (let at = 0; at + 6 <= fields.length; at += 6) list.push(new VerboseMove(this, turn, fields, at));
    return list;
  }

  /** Every complete turn, each result once: its SAN, its LAN and its moves; with `from` only those of one stack. */
  turns(options) {
    const { from } = optionsOf(options);
    const square = from === undefined ? NOWHERE : squareIndex(from, 'from');
    const text = rules.text(rules.call('position_turns', this.#board.slot, square));
    return lines(text.trimEnd()).map((line) => {
      const [san, lan, ...moves] = line.split('\t');
      return { san, lan, moves: moves.map(Number) };
    });
  }

  /** The moves that a text names: a move, steps or a whole turn, as SAN or LAN. */
  parse(text) {
    rules.write(text, 'text');
    return Array.from(rules.words(rules.call('position_parse', this.#board.slot)));
  }

  /** The moves of a whole deploy: who of the stack on `from` goes where, by letters, and who stays. */
  deploy(deploy) {
    const { from, moves, stay = '' } = optionsOf(deploy, 'deploy');
    const words = [squareName(squareIndex(from, 'from'))];
    if (moves === null || typeof moves !== 'object') throw badArgument('moves', 'an object of squares by letter', moves);
    for (const [letters, to] of Object.entries(moves)) {
      for (const letter of letters) words.push(`${letter}>${squareName(squareIndex(to, 'to'))}`);
    }
    if (typeof stay !== 'string') throw badArgument('stay', 'a string of letters', stay);
    words.push(...stay);
    rules.write(words.join(' '), 'moves');
    return Array.from(rules.words(rules.call('position_deploy', this.#board.slot)));
  }

  #names(move) {
    return rules.text(rules.call('position_names', this.#board.slot, moveBits(move))).split('\n');
  }

  /** The SAN of a legal move. */
  san(move) {
    return this.#names(move)[0];
  }

  /** The LAN of a legal move. */
  lan(move) {
    return this.#names(move)[1];
  }

  /** Whether a move is legal. */
  isLegal(move) {
    const bits = moveBits(move);
    return this.moves().includes(bits);
  }

  /** The position after a legal move, moves of one turn one after another, or a text. */
  play(move) {
    if (typeof move === 'string') {
      return new Position(this.#board.derive((slot, into) => {
        rules.write(move, 'move');
        rules.call('position_play_text', slot, into);
      }));
    }
    if (typeof move === 'object' && move !== null && typeof move[Symbol.iterator] === 'function') {
      let position = this;
      for (const step of move) position = position.play(moveBits(step));
      return position;
    }
    const bits = moveBits(move);
    return new Position(this.#board.derive((slot, into) => rules.call('position_play', slot, into, bits)));
  }

  /** The stack on a square as FEN writes it, `(NFT)`, or `null`. */
  stackAt(square) {
    const index = squareIndex(square, 'square');
    return rules.text(rules.call('position_stack', this.#board.slot, index)) || null;
  }

  /** Every stack by its square. */
  stacks() {
    const text = rules.text(rules.call('position_stacks', this.#board.slot));
    return new Map(lines(text.trimEnd()).map((line) => {
      const [index, stack] = line.split(' ');
      return [squareName(Number(index)), stack];
    }));
  }

  /** The pieces of a side that attack a square. */
  attackers(square, color) {
    const index = squareIndex(square, 'square');
    const words = rules.words(rules.call('position_attackers', this.#board.slot, index, colorIndex(color)));
    const found = [];
    for (let i = 0; i < words.length; i += 2) {
      found.push({ square: squareName(words[i]), role: String.fromCharCode(words[i + 1]) });
    }
    return found;
  }

  /** The squares that a side's air defence covers. */
  airCover(color) {
    const words = rules.words(rules.call('position_air_cover', this.#board.slot, colorIndex(color)));
    return Array.from(words, squareName);
  }

  /** How the game has ended, as far as the position alone tells it, or `null`: a `Game` knows repetitions too. */
  outcome() {
    return readOutcome(rules.text(rules.call('position_outcome', this.#board.slot)));
  }

  isCheckmate() {
    return this.outcome()?.reason === 'checkmate';
  }

  isStalemate() {
    return this.outcome()?.reason === 'stalemate';
  }

  /** How many sequences of moves of this length there are; steps and commits of a deploy count as moves. */
  perft(depth) {
    return rules.number('position_perft', this.#board.slot, small(depth, 'depth', 20));
  }

  /** Whether everything is the same, counters included. */
  equals(other) {
    return other instanceof Position && other.fen() === this.fen();
  }

  toString() {
    return this.fen();
  }

  toJSON() {
    return this.fen();
  }

  /** Gives its memory back at once; nothing is lost if it is never called. */
  free() {
    this.#board.free();
  }

  /** For this package. */
  static board(position) {
    if (!(position instanceof Position)) throw badArgument('position', 'a Position', position);
    return position.#board;
  }
}
