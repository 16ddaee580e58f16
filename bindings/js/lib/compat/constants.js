// The names and tables of the reference package.

import { createError } from './error.js';

export const RED = 'r';
export const BLUE = 'b';

export const COMMANDER = 'c';
export const INFANTRY = 'i';
export const TANK = 't';
export const MILITIA = 'm';
export const ENGINEER = 'e';
export const ARTILLERY = 'a';
export const ANTI_AIR = 'g';
export const MISSILE = 's';
export const AIR_FORCE = 'f';
export const NAVY = 'n';
export const HEADQUARTER = 'h';

export const PIECE_SYMBOLS = Object.freeze([COMMANDER, INFANTRY, TANK, MILITIA, ENGINEER, ARTILLERY, ANTI_AIR, MISSILE,
  AIR_FORCE, NAVY, HEADQUARTER]);
export const VALID_PIECE_TYPES = PIECE_SYMBOLS;
export const HEAVY_PIECES = new Set([ARTILLERY, ANTI_AIR, MISSILE]);

export const INITIAL_BOARD_FEN =
  '6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4';
export const DEFAULT_POSITION = `${INITIAL_BOARD_FEN} r - - 0 1`;

export const FLAGS = Object.freeze({
  NORMAL: 'n', CAPTURE: 'c', STAY_CAPTURE: 's', SUICIDE_CAPTURE: 'k', DEPLOY: 'd', COMBINATION: 'b',
});
export const BITS = Object.freeze({
  NORMAL: 1, CAPTURE: 2, STAY_CAPTURE: 4, SUICIDE_CAPTURE: 8, DEPLOY: 16, COMBINATION: 32,
});
export const CAPTURE_MASK = BITS.CAPTURE | BITS.STAY_CAPTURE | BITS.SUICIDE_CAPTURE;

export const ROLE_COMMANDER = 'commander';
export const ROLE_INFANTRY = 'infantry';
export const ROLE_TANK = 'tank';
export const ROLE_MILITIA = 'militia';
export const ROLE_ENGINEER = 'engineer';
export const ROLE_ARTILLERY = 'artillery';
export const ROLE_ANTI_AIR = 'anti_air';
export const ROLE_MISSILE = 'missile';
export const ROLE_AIR_FORCE = 'air_force';
export const ROLE_NAVY = 'navy';
export const ROLE_HEADQUARTER = 'headquarter';

export const ROLES = Object.freeze([ROLE_COMMANDER, ROLE_INFANTRY, ROLE_TANK, ROLE_MILITIA, ROLE_ENGINEER,
  ROLE_ARTILLERY, ROLE_ANTI_AIR, ROLE_MISSILE, ROLE_AIR_FORCE, ROLE_NAVY, ROLE_HEADQUARTER]);
export const Role = Object.freeze(Object.fromEntries(ROLES.map((role) => [role.toUpperCase(), role])));
export const SYMBOL_TO_ROLE = Object.freeze(Object.fromEntries(PIECE_SYMBOLS.map((symbol, i) => [symbol, ROLES[i]])));
export const ROLE_TO_SYMBOL = Object.freeze(Object.fromEntries(PIECE_SYMBOLS.map((symbol, i) => [ROLES[i], symbol])));

export const SEVEN_TAG_ROSTER = Object.freeze({
  Event: '?', Site: '?', Date: '????.??.??', Round: '?', Red: '?', Blue: '?', Result: '*',
});

/** The name of every index; `undefined` where it is none. */
export const SQUARE_NAMES = new Array(192);
export const SQUARE_MAP = {};
for (let row = 0; row < 12; row++) {
  for (let column = 0; column < 11; column++) {
    const name = `${'abcdefghijk'[column]}${12 - row}`;
    SQUARE_NAMES[16 * row + column] = name;
    SQUARE_MAP[name] = 16 * row + column;
  }
}
Object.freeze(SQUARE_MAP);

export const VALID_SQUARES = Object.freeze(Object.values(SQUARE_MAP));

/** The index of a square given by name or index, or -1. */
export function squareIndex(square) {
  if (typeof square === 'string') return Object.hasOwn(SQUARE_MAP, square) ? SQUARE_MAP[square] : -1;
  return isSquareOnBoard(square) ? square : -1;
}

export function isSquareOnBoard(index) {
  return typeof index === 'number' && SQUARE_NAMES[index] !== undefined;
}

/** The row of an index: 0 is rank 12. */
export function rank(index) {
  return index >> 4;
}

/** The column of an index: 0 is file a. */
export function file(index) {
  return index & 15;
}

export function algebraic(index) {
  if (!isSquareOnBoard(index)) {
    throw createError('BOARD_INVALID_SQUARE', `Invalid square index: ${String(index)}`, { square: index });
  }
  return SQUARE_NAMES[index];
}

export function swapColor(color) {
  return color === RED ? BLUE : RED;
}

export function isDigit(character) {
  return typeof character === 'string' && /^[0-9]$/.test(character);
}

function maskOf(stands) {
  const mask = new Uint8Array(256);
  for (const index of VALID_SQUARES) mask[index] = stands(file(index), 12 - rank(index)) ? 1 : 0;
  return mask;
}

/** Where ships may stand: the sea, the coast, and the mouth of the river. */
export const NAVY_MASK = maskOf((column, row) => column <= 2 || (column <= 4 && (row === 6 || row === 7)));
/** Where everybody else may. */
export const LAND_MASK = maskOf((column) => column >= 2);

/** Where a type may stand, as 256 entries by index. */
export function getMovementMask(type) {
  return type === NAVY ? NAVY_MASK : LAND_MASK;
}
