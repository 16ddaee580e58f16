// What `move()` is asked for: texts, and objects with parts of a move.

import { BITS, RED, SQUARE_MAP, SQUARE_NAMES, SYMBOL_TO_ROLE, squareIndex } from './constants.js';
import { shown } from './error.js';
import { MoveResult, ROLE_LETTERS } from './result.js';

/** A move by its parts: origin and target as indices, the rest as `Parts` of `src/compat.rs` has it. */
class Parts {
  /** Each question is answered by a boolean, or left open. */
  constructor(from, to, { role = 15, stay, deploy, capture, suicide, combination }) {
    this.from = from;
    this.to = to;
    const answers = [stay, deploy, capture, suicide, combination];
    this.bits = answers.reduce((bits, answer, i) => bits | (answerOf(answer) << (4 + 2 * i)), role);
  }
}

function answerOf(value) {
  return value === undefined ? 2 : Number(Boolean(value));
}

/** A plain error with the text of the reference; `cause` is the reason in words, where it is known. */
export function illegal(move, cause) {
  const message = `Invalid or illegal move: ${shown(move)}`;
  return cause === undefined ? new Error(message) : new Error(message, { cause });
}

const SQUARE = '([a-k](?:1[0-2]|[1-9]))';
const SQUARES = new RegExp(`^${SQUARE}(>?)([x_@&<-]?)${SQUARE}[#^+!?]*$`);

/** The parts that a text of two squares names, such as `c5-c6`, or `undefined`. */
export function readSquares(text, inDeploy) {
  const match = SQUARES.exec(text);
  if (match === null) return undefined;
  const [, from, step, sign, to] = match;
  const told = { '': {}, '-': {}, x: { capture: true }, _: { stay: true }, '<': { stay: true }, '@': { suicide: true },
    '&': { combination: true } }[sign];
  return new Parts(squareIndex(from), squareIndex(to), { ...told, deploy: inDeploy || step === '>' });
}

const SHORT_RANK = /^(\+?[A-Z]|\([+A-Z]+\))1(>?[x_@&]?[a-k][0-9]+)$/;

/**
 * What a text of the reference may stand for: it writes `1` for the ranks 10 to 12, and never where a deploy begins, so
 * that a turn is told from that of another stack by the pieces that stay and go.
 */
export function fullTexts(text, { session, cells, turn }) {
  const own = cells.map((cell) => ((turn === RED) === (cell === cell.toUpperCase()) ? lettersOf(cell.toUpperCase()) : ''));
  const short = SHORT_RANK.exec(text);
  if (short !== null) {
    const isMeant = own.slice(SQUARE_MAP.a1).some((letters) => letters.includes(/[A-Z]/.exec(text)[0]));
    return isMeant ? [] : [10, 11, 12].map((rank) => short[1] + rank + short[2]);
  }
  if (session !== null || !text.includes('>')) return [];
  const letters = lettersOf(text);
  const [steps, stay = ''] = text.split('<').reverse();
  return own.flatMap((stack, index) => (stack === letters ? [`${SQUARE_NAMES[index]}:${stay}:${steps}`] : []));
}

/** The pieces that a text names, in an order of their own: squares have small letters. */
function lettersOf(text) {
  return text.replace(/[^A-Z]/g, '').split('').sort().join('');
}

function squaresOf(from, to, move) {
  const squares = [squareIndex(from), squareIndex(to)];
  if (squares.includes(-1)) throw new Error(`Invalid square in move object: ${shown(move)}`);
  return squares;
}

/** What was asked for: a string, or `Parts`. All of an object is read here, once. */
export function readWanted(move) {
  if (typeof move === 'string') return move;
  if (move === null || typeof move !== 'object') throw illegal(move);
  const { from, to, piece, stay, deploy, flags, lan } = move;
  // A result, or a copy of one, such as it is after a journey as JSON.
  if (move instanceof MoveResult || (typeof flags === 'string' && typeof lan === 'string')) {
    if (typeof to !== 'string') return lan;
    return fromFlags(...squaresOf(from, to, move), piece, flags);
  }
  const [origin, target] = squaresOf(from, to, move);
  if (typeof from === 'number' && typeof flags === 'number') return fromBits(origin, target, piece, flags);
  return new Parts(origin, target, { role: roleOf(piece), stay: stay ?? undefined, deploy: deploy ?? undefined });
}

/** The number of a role given by its letter or by a piece; 14, which none has, if it is neither. */
function roleOf(piece) {
  if (piece === undefined || piece === null) return 15;
  const type = typeof piece === 'object' ? piece.type : piece;
  return typeof type === 'string' && Object.hasOwn(SYMBOL_TO_ROLE, type) ? ROLE_LETTERS.indexOf(type) : 14;
}

function fromFlags(from, to, type, flags) {
  const has = (letter) => flags.includes(letter);
  return new Parts(from, to, { role: roleOf(type), stay: has('s'), deploy: has('d'), capture: has('c'),
    suicide: has('k'), combination: has('b') });
}

function fromBits(from, to, piece, bits) {
  const has = (bit) => (bits & bit) !== 0;
  return new Parts(from, to, { role: roleOf(piece), stay: has(BITS.STAY_CAPTURE), deploy: has(BITS.DEPLOY),
    capture: has(BITS.CAPTURE), suicide: has(BITS.SUICIDE_CAPTURE), combination: has(BITS.COMBINATION) });
}
