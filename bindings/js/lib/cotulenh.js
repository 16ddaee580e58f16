// The rules of Cờ Tư Lệnh: positions as immutable values, moves as numbers, games with a history.

import { ConvoyError } from './error.js';
import { Position } from './position.js';

export { ConvoyError } from './error.js';
export { Game } from './game.js';
export {
  isCapture, isCommit, isRecombine, isStep, MOVE_KINDS, moveFrom, moveKind, moveRole, moveTo, ROLES, SQUARES,
} from './move.js';
export { Position, START_FEN, VerboseMove } from './position.js';

/** Whether a text is the FEN of a lawful position. */
export function isFen(fen) {
  try {
    Position.fromFen(fen).free();
    return true;
  } catch (error) {
    if (error instanceof ConvoyError && error.code !== 'internal') return false;
    throw error;
  }
}
