// Moves of Cờ Tư Lệnh are numbers: 25 bits, as `cotulenh::Move` lays them out.

import { badArgument, ConvoyError } from './error.js';

const FILES = 'abcdefghijk';

/** The name of every square by its index, `16 * (12 - rank) + file`; `undefined` between the ranks. */
const NAMES = [];
const INDICES = new Map();
for (let rank = 12; rank >= 1; rank--) {
  for (let file = 0; file < 11; file++) {
    const index = 16 * (12 - rank) + file;
    NAMES[index] = FILES[file] + rank;
    INDICES.set(NAMES[index], index);
  }
}

/** Every square, in the order of a FEN: `a12` to `k1`. */
export const SQUARES = Object.freeze([...INDICES.keys()]);

/** The roles in the order of the rules, as letters. */
export const ROLES = Object.freeze([...'CIMAGSTFENH']);

/** What a move does. */
export const MOVE_KINDS = Object.freeze(['quiet', 'capture', 'stay-capture', 'kamikaze', 'combine', 'commit']);

export function squareName(index) {
  return NAMES[index];
}

export function squareIndex(name, argument) {
  const index = INDICES.get(name);
  if (index !== undefined) return index;
  if (typeof name !== 'string') throw badArgument(argument, 'the name of a square', name);
  throw new ConvoyError('bad-square', `${JSON.stringify(name.slice(0, 80))}: a square is a1 to k12`, { argument });
}

/** Refuses what is not even a number; whether it is a legal move, the rules tell. */
export function moveBits(move) {
  if (typeof move !== 'number') throw badArgument('move', 'a move', move);
  if (!Number.isInteger(move) || move < 0 || move >= 1 << 25) {
    throw new ConvoyError('bad-move', `${move} is the number of no move`);
  }
  return move;
}

/** The square that a move starts from; for a commit, the origin of the deploy. */
export function moveFrom(move) {
  return NAMES[moveBits(move) & 255];
}

/** The target, even if the mover does not go there; for a commit, the origin of the deploy. */
export function moveTo(move) {
  return NAMES[(moveBits(move) >> 8) & 255];
}

/** Who moves: the piece of a deploy step, or the carrier of the whole stack. */
export function moveRole(move) {
  return ROLES[(moveBits(move) >> 16) & 15];
}

/** What it does: one of `MOVE_KINDS`. */
export function moveKind(move) {
  return MOVE_KINDS[(moveBits(move) >> 20) & 7];
}

/** Whether it takes something, in whatever way. */
export function isCapture(move) {
  const kind = (moveBits(move) >> 20) & 7;
  return kind >= 1 && kind <= 3;
}

/** Whether it is a step of a deploy; a commit is one too. */
export function isStep(move) {
  return (moveBits(move) & (1 << 23)) !== 0;
}

/** Whether it joins a piece that was deployed earlier this turn. */
export function isRecombine(move) {
  return (moveBits(move) & (1 << 24)) !== 0;
}

/** Whether it ends a deploy and does nothing else. */
export function isCommit(move) {
  return ((moveBits(move) >> 20) & 7) === 5;
}
