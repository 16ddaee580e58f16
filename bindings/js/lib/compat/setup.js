// A board that is set up by hand.

import { SQUARE_NAMES, SYMBOL_TO_ROLE, getMovementMask, squareIndex } from './constants.js';
import { createError, shown } from './error.js';
import { terrainMessage } from './fen.js';
import { piecesOf, pieceOf, placementOf, readPiece, stackText } from './piece.js';
import { counters } from './state.js';

function indexOf(square) {
  const index = squareIndex(square);
  if (index < 0) throw createError('BOARD_INVALID_SQUARE', `Invalid square: ${shown(square)}`, { square });
  return index;
}

function demandNoSession(state, what) {
  if (state.session !== null) {
    throw createError('SESSION_INVALID_OPERATION', `Cannot ${what} while a session is open: commit or cancel it first`);
  }
}

/** Goes to the position with other pieces on one square. */
function setCell(state, index, text) {
  const cells = [...state.cells];
  cells[index] = text;
  state.goTo(placementOf(cells) + counters(state.board.fen));
}

/** The index of the square with the commander of a colour, or -1. */
export function commanderIndex(state, color) {
  const letter = color === 'r' ? 'C' : 'c';
  return state.cells.findIndex((cell) => cell !== undefined && cell.includes(letter));
}

export function put(state, piece, square, allowCombine) {
  const index = indexOf(square);
  const name = SQUARE_NAMES[index];
  const pieces = readPiece(piece);
  demandNoSession(state, 'put a piece');
  if (allowCombine && state.cells[index] !== undefined) pieces.unshift(...piecesOf(state.cells[index]));
  const text = stackText(pieces);
  if (!text) {
    throw createError('COMBINATION_FAILED', `Failed to combine pieces at ${name}`, { square: name, pieces });
  }
  const { type, color } = pieceOf(text);
  if (!getMovementMask(type)[index]) {
    throw createError('BOARD_INVALID_TERRAIN', terrainMessage(type, name), { type, square: name });
  }
  const commander = pieces.some((member) => member.type === 'c') ? commanderIndex(state, color) : -1;
  if (commander >= 0 && commander !== index) {
    throw createError('COMMANDER_LIMIT_EXCEEDED', `Commander limit reached for ${color}`, { color });
  }
  setCell(state, index, text);
  return true;
}

/** The letters of a part: those of a piece with its cargo, or one letter. */
function typesOf(part) {
  if (typeof part === 'string') return [part];
  return readPiece(part).map((piece) => piece.type);
}

export function remove(state, square, part) {
  const index = squareIndex(square);
  const types = part === undefined ? undefined : typesOf(part);
  demandNoSession(state, 'remove a piece');
  const text = state.cells[index];
  if (text === undefined) return undefined;
  const pieces = piecesOf(text);
  const gone = types ? pieces.filter((piece) => types.includes(piece.type)) : pieces;
  if (types && types.some((type) => !pieces.some((piece) => piece.type === type))) {
    throw createError('MOVE_PIECE_NOT_FOUND', `No ${types.join('')} at ${SQUARE_NAMES[index]}`, { square, part });
  }
  const left = pieces.filter((piece) => !gone.includes(piece));
  const rest = left.length > 0 ? stackText(left) : undefined;
  if (rest !== undefined && !getMovementMask(pieceOf(rest).type)[index]) {
    const { type } = pieceOf(rest);
    throw createError('BOARD_INVALID_TERRAIN', terrainMessage(type, SQUARE_NAMES[index]), { type, square });
  }
  setCell(state, index, rest);
  return pieceOf(stackText(gone));
}

/** The single piece on a square that a type names, or the carrier; `undefined` if there is none. */
export function memberOf(state, square, type) {
  const index = squareIndex(square);
  const text = index < 0 ? undefined : state.cells[index];
  if (text === undefined) return undefined;
  const pieces = piecesOf(text);
  return type === undefined || type === null ? pieces[0] : pieces.find((piece) => piece.type === type);
}

export function setHeroic(state, square, type, heroic) {
  const member = memberOf(state, square, type);
  if (member === undefined) return false;
  if (member.heroic === Boolean(heroic)) return true;
  demandNoSession(state, 'set the heroic status');
  const index = squareIndex(square);
  const pieces = piecesOf(state.cells[index]);
  pieces.find((piece) => piece.type === member.type).heroic = Boolean(heroic);
  setCell(state, index, stackText(pieces));
  return true;
}

export function setMetadata(state, { turn, halfMoves, moveNumber }) {
  const old = state.counters;
  const fields = {
    turn: turn ?? old.turn,
    halfMoves: halfMoves ?? old.halfMoves,
    moveNumber: moveNumber ?? old.moveNumber,
  };
  if (fields.turn !== 'r' && fields.turn !== 'b') {
    throw createError('FEN_INVALID_FORMAT', `Invalid turn ${shown(turn)}, expected 'r' or 'b'`);
  }
  const counts = (value, least) => Number.isInteger(value) && value >= least && value <= 4294967295;
  if (!counts(fields.halfMoves, 0)) {
    throw createError('FEN_INVALID_FORMAT', `Invalid half move count ${shown(halfMoves)}`);
  }
  if (!counts(fields.moveNumber, 1)) {
    throw createError('FEN_INVALID_FORMAT', `Invalid move number ${shown(moveNumber)}`);
  }
  const text = ` ${fields.turn} - - ${fields.halfMoves} ${fields.moveNumber}`;
  if (text === counters(state.board.fen)) return;
  demandNoSession(state, 'change whose turn it is');
  state.goTo(state.board.fen.slice(0, state.board.fen.indexOf(' ')) + text);
}

export function isPieceType(type) {
  return typeof type === 'string' && Object.hasOwn(SYMBOL_TO_ROLE, type);
}
