// What is wrong with a FEN: every fault with its place, in the words of the reference.

import { SQUARE_NAMES, SYMBOL_TO_ROLE, getMovementMask } from './constants.js';
import { createError } from './error.js';
import { piecesOf, stackText } from './piece.js';

/** No FEN is longer; longer texts are not looked into. */
const LONGEST = 4096;
const GREATEST_NUMBER = 4294967295;

/** Collects faults. */
class Faults {
  list = [];

  add(code, category, message, location) {
    this.list.push(location === undefined ? { code, message, category } : { code, message, category, location });
  }
}

function readNumber(text, least) {
  const number = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  return number >= least && number <= GREATEST_NUMBER ? number : undefined;
}

function checkFields(tokens, faults) {
  const format = (message) => faults.add('FEN_INVALID_FORMAT', 'structure', message);
  const [, turn, castling, passant, halfMoves, moveNumber] = tokens;
  if (tokens.length < 6) format(`Expected at least 6 FEN tokens, got ${tokens.length}`);
  if (tokens.length > 1 && turn !== 'r' && turn !== 'b') format(`Invalid turn '${turn}', expected 'r' or 'b'`);
  if (tokens.length > 2 && castling !== '-') format(`Castling field must be '-', got '${castling}'`);
  if (tokens.length > 3 && passant !== '-') format(`En passant field must be '-', got '${passant}'`);
  if (tokens.length > 4 && readNumber(halfMoves, 0) === undefined) format(`Invalid half move count '${halfMoves}'`);
  if (tokens.length > 5 && readNumber(moveNumber, 1) === undefined) format(`Invalid move number '${moveNumber}'`);
}

/** Reads one rank into cells: texts of pieces and stacks; `null` where its form is wrong. */
class RankReader {
  cells = [];
  #open = 0;
  #stack = '';
  #plus = -1;
  #misread = false;

  constructor(text, rank, faults) {
    this.text = text;
    this.rank = rank;
    this.faults = faults;
  }

  #fault(code, category, message, at, context = this.text[at]) {
    this.#misread = true;
    this.faults.add(code, category, message, { rank: this.rank, charIndex: at, context });
  }

  read() {
    for (let at = 0; at < this.text.length;) at += this.#take(at, String.fromCodePoint(this.text.codePointAt(at)));
    if (this.#plus >= 0) {
      const message = `Dangling heroic marker '+' at end of rank ${this.rank}`;
      this.#fault('FEN_INVALID_FORMAT', 'lexical', message, this.#plus);
    }
    if (this.#open > 0) {
      this.#fault('FEN_MISMATCH_PARENTHESES', 'structure', `Unclosed parenthesis in rank ${this.rank}`,
        this.text.lastIndexOf('('));
    }
    const squares = this.cells.length;
    if (!this.#misread && squares !== 11) {
      this.#fault('FEN_INVALID_FILE_COUNT', 'structure', `Rank ${this.rank} has ${squares} squares, expected 11`, 0,
        this.text);
    }
    return this.cells;
  }

  /** Reads what begins at a character; answers how long it is. */
  #take(at, character) {
    if (character === '+') return this.#takePlus(at);
    if (Object.hasOwn(SYMBOL_TO_ROLE, character.toLowerCase())) return this.#takePiece(character);
    if (this.#plus >= 0) {
      this.#plus = -1;
      if ('()0123456789'.includes(character)) {
        this.#fault('FEN_INVALID_FORMAT', 'lexical', `Heroic marker '+' must stand before a piece`, at - 1);
      }
    }
    if (character >= '0' && character <= '9') return this.#takeCount(at);
    if (character === '(') return this.#takeOpening(at);
    if (character === ')') return this.#takeClosing(at);
    this.#fault('FEN_INVALID_PIECE', 'lexical', `Invalid character '${character}' in FEN`, at, character);
    return character.length;
  }

  #takePlus(at) {
    if (this.#plus >= 0) {
      this.#fault('FEN_INVALID_FORMAT', 'lexical', `Double heroic marker '++' not allowed`, at, '++');
    }
    this.#plus = at;
    return 1;
  }

  #takePiece(letter) {
    const piece = this.#plus >= 0 ? `+${letter}` : letter;
    this.#plus = -1;
    if (this.#open > 0) this.#stack += piece;
    else this.cells.push(piece);
    return 1;
  }

  #takeCount(at) {
    const [count] = /^(1[0-9]|[0-9])/.exec(this.text.slice(at, at + 2));
    const number = Number(count);
    if (number === 0 || number > 11) {
      this.#fault('FEN_INVALID_FILE_COUNT', 'lexical', `Empty count ${count} out of range (1-11)`, at, count);
    } else if (this.#open > 0) {
      this.#fault('FEN_INVALID_FORMAT', 'structure', 'Empty squares inside parentheses', at, count);
    } else {
      for (let i = 0; i < number; i++) this.cells.push(undefined);
    }
    return count.length;
  }

  #takeOpening(at) {
    if (this.#open > 0) this.#fault('FEN_INVALID_FORMAT', 'structure', 'Nested parentheses not supported', at);
    this.#open++;
    return 1;
  }

  #takeClosing(at) {
    if (this.#open === 0) {
      this.#fault('FEN_MISMATCH_PARENTHESES', 'structure', 'Unmatched closing parenthesis', at);
      return 1;
    }
    this.#open--;
    if (this.#open > 0) return 1;
    if (this.#stack === '') this.#fault('FEN_INVALID_FORMAT', 'structure', 'Empty parentheses', at, '()');
    this.cells.push(this.#stack);
    this.#stack = '';
    return 1;
  }
}

/** The cells of a placement, rank 12 first. */
function checkPlacement(placement, faults) {
  const ranks = placement.split('/');
  if (ranks.length !== 12) {
    faults.add('FEN_INVALID_RANK_COUNT', 'structure', `Expected 12 ranks, got ${ranks.length}`);
    return [];
  }
  return ranks.map((text, index) => new RankReader(text, 12 - index, faults).read());
}

const COLORS = [['r', 'red'], ['b', 'blue']];

/** Stacks, terrain and second commanders; answers how many commanders of each colour there are. */
function checkPlacing(rows, faults) {
  const commanders = { r: 0, b: 0 };
  rows.forEach((cells, row) => cells.forEach((letters, column) => {
    if (letters === undefined) return;
    const square = SQUARE_NAMES[16 * row + column];
    const location = { rank: 12 - row, context: letters };
    const pieces = piecesOf(letters);
    const stack = stackText(pieces);
    if (stack === null || stack === undefined) {
      faults.add('COMBINATION_FAILED', 'combination', `Failed to combine pieces at ${square}`, location);
    } else {
      const [{ type }] = piecesOf(stack);
      if (!getMovementMask(type)[16 * row + column]) {
        faults.add('BOARD_INVALID_TERRAIN', 'terrain', terrainMessage(type, square), location);
      }
    }
    for (const { type, color } of pieces) {
      if (type === 'c' && ++commanders[color] > 1) {
        faults.add('COMMANDER_LIMIT_EXCEEDED', 'semantic', `Commander limit reached for ${color}`, location);
      }
    }
  }));
  return commanders;
}

export function terrainMessage(type, square) {
  return `Invalid terrain: ${type === 'n' ? 'Navy' : type} cannot be placed on ${square}`;
}

/**
 * Every fault of a FEN: of its form, then of what stands where, then missing commanders, as far as each is asked for.
 * Answers its fields too.
 */
export function examineFen(fen, { semantics, commanders }) {
  const faults = new Faults();
  if (typeof fen !== 'string' || fen.length > LONGEST) {
    const message = typeof fen === 'string' ? 'The FEN is too long' : 'The FEN must be a string';
    faults.add('FEN_INVALID_FORMAT', 'structure', message);
    return { tokens: [], errors: faults.list };
  }
  const tokens = fen.split(/\s+/);
  checkFields(tokens, faults);
  const rows = checkPlacement(tokens[0], faults);
  if (semantics && faults.list.length === 0) {
    const count = checkPlacing(rows, faults);
    for (const [color, name] of commanders ? COLORS : []) {
      if (count[color] === 0) {
        faults.add('FEN_INVALID_FORMAT', 'semantic', `Expected 1 ${name} commander, found 0`);
      }
    }
  }
  return { tokens, errors: faults.list };
}

/** A fault as what is thrown. */
export function faultError({ code, message, category, location }) {
  return createError(code, message, { category, location });
}

/** A FEN of which anything after the placement may be missing or wrong, with defaults in place of it. */
export function completedFen(fen) {
  const [placement, turn, , , halfMoves = '', moveNumber = ''] = String(fen).slice(0, LONGEST).split(/\s+/);
  const counter = (text, least) => readNumber(text, least) ?? least;
  const ranks = placement.split('/').map(padded).join('/');
  return `${ranks} ${turn === 'b' ? 'b' : 'r'} - - ${counter(halfMoves, 0)} ${counter(moveNumber, 1)}`;
}

/** A rank that is too short, filled up with empty squares; any other as it stands. */
function padded(rank) {
  const faults = new Faults();
  const squares = new RankReader(rank, 0, faults).read().length;
  const short = faults.list.length === 1 && faults.list[0].code === 'FEN_INVALID_FILE_COUNT' && squares < 11
    && faults.list[0].category === 'structure';
  return short ? `${rank}${11 - squares}` : rank;
}
