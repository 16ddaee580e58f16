// What the packages `cotulenh-core` and `combine-piece` export, on the rules of this package.

export {
  AIR_FORCE, ANTI_AIR, ARTILLERY, BITS, BLUE, CAPTURE_MASK, COMMANDER, DEFAULT_POSITION, ENGINEER, FLAGS, HEADQUARTER,
  HEAVY_PIECES, INFANTRY, INITIAL_BOARD_FEN, LAND_MASK, MILITIA, MISSILE, NAVY, NAVY_MASK, PIECE_SYMBOLS, RED, ROLES,
  ROLE_AIR_FORCE, ROLE_ANTI_AIR, ROLE_ARTILLERY, ROLE_COMMANDER, ROLE_ENGINEER, ROLE_HEADQUARTER, ROLE_INFANTRY,
  ROLE_MILITIA, ROLE_MISSILE, ROLE_NAVY, ROLE_TANK, ROLE_TO_SYMBOL, Role, SEVEN_TAG_ROSTER, SQUARE_MAP, SYMBOL_TO_ROLE,
  TANK, VALID_PIECE_TYPES, VALID_SQUARES, algebraic, file, getMovementMask, isDigit, isSquareOnBoard, rank, swapColor,
} from './compat/constants.js';
export { CotulenhError, ErrorCode, createError } from './compat/error.js';
export { CoTuLenh, validateFenString } from './compat/game.js';
export { flattenPiece } from './compat/piece.js';
export { MoveResult } from './compat/result.js';
export {
  DEFAULT_ROLE_MAPPING, PieceStacker, ROLE_FLAGS, StackEngine, createRoleMapper,
} from './compat/stacker.js';
