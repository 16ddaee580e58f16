// Pieces as objects and as the text that a FEN has for them: `(N+FT)`, `+t`.

import { BLUE, RED, SQUARE_NAMES, SYMBOL_TO_ROLE } from './constants.js';
import { createError, shown } from './error.js';
import { lawfulOrder } from './stacker.js';

/** The single pieces of a stack's text, carrier first. */
export function piecesOf(text) {
  const pieces = [];
  let heroic = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '+') {
      heroic = true;
    } else if (letter !== '(' && letter !== ')') {
      const type = letter.toLowerCase();
      pieces.push({ type, color: type === letter ? BLUE : RED, heroic });
      heroic = false;
    }
  }
  return pieces;
}

/** The piece of a stack's text: the carrier, with its cargo if it has any. */
export function pieceOf(text) {
  if (text.length === 1) {
    const type = text.toLowerCase();
    return { type, color: type === text ? BLUE : RED, heroic: false };
  }
  const [carrier, ...carrying] = piecesOf(text);
  if (carrying.length > 0) carrier.carrying = carrying;
  return carrier;
}

/** A single piece as a FEN writes it. */
function singleText({ type, color, heroic }) {
  const letter = color === RED ? type.toUpperCase() : type;
  return heroic ? `+${letter}` : letter;
}

/** The text of single pieces that make a stack in this order. */
export function textOf(pieces) {
  const text = pieces.map(singleText).join('');
  return pieces.length === 1 ? text : `(${text})`;
}

/** `[carrier without cargo, ...cargo]`. */
export function flattenPiece(piece) {
  const { carrying, ...carrier } = piece;
  return [carrier, ...(carrying ?? [])];
}

/** A piece of the caller's as single pieces; whatever is wrong with it is thrown. */
export function readPiece(given) {
  const pieces = [];
  const read = (piece) => {
    if (piece === null || typeof piece !== 'object') throw invalid(given);
    const { type, color, heroic, carrying } = piece;
    if (typeof type !== 'string' || !Object.hasOwn(SYMBOL_TO_ROLE, type)) throw invalid(given);
    if (color !== RED && color !== BLUE) throw invalid(given);
    pieces.push({ type, color, heroic: Boolean(heroic) });
    // No stack has more: a list without an end is not read to its end.
    if (pieces.length > 11) throw invalid(given);
    if (carrying === undefined || carrying === null) return;
    if (!Array.isArray(carrying)) throw invalid(given);
    carrying.forEach(read);
  };
  read(given);
  return pieces;
}

function invalid(piece) {
  return createError('FEN_INVALID_PIECE', `Invalid piece: ${shown(piece)}`, { piece });
}

/** The text of the stack that pieces make, in whatever order they are, or `null`. */
export function stackText(pieces) {
  if (pieces.some((piece) => piece.color !== pieces[0].color)) return null;
  const order = lawfulOrder(pieces.map((piece) => piece.type));
  return order && textOf(order.map((type) => pieces.find((piece) => piece.type === type)));
}

/** What stands on every square of a FEN, by index; empty squares have none. */
export function cellsOf(fen) {
  const cells = new Array(192);
  let index = 0;
  for (let i = 0; i < fen.length; i++) {
    const character = fen[i];
    if (character === ' ') break;
    if (character === '/') {
      index = (index | 15) + 1;
    } else if (character >= '0' && character <= '9') {
      const two = character === '1' && fen[i + 1] >= '0' && fen[i + 1] <= '1';
      index += two ? 10 + Number(fen[++i]) : Number(character);
    } else {
      let end = i;
      if (character === '(') end = fen.indexOf(')', i);
      else if (character === '+') end = i + 1;
      cells[index++] = fen.slice(i, end + 1);
      i = end;
    }
  }
  return cells;
}

/** The placement that such cells have in a FEN. */
export function placementOf(cells) {
  const ranks = [];
  for (let row = 0; row < 12; row++) {
    let text = '';
    let empty = 0;
    for (let index = 16 * row; SQUARE_NAMES[index] !== undefined; index++) {
      if (cells[index] === undefined) {
        empty++;
        continue;
      }
      text += (empty || '') + cells[index];
      empty = 0;
    }
    ranks.push(text + (empty || ''));
  }
  return ranks.join('/');
}
