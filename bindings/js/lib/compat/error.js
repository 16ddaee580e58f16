// Errors with codes, as the reference throws them where it does not throw a plain `Error`.

export const ErrorCode = Object.freeze(Object.fromEntries([
  'FEN_INVALID_FORMAT', 'FEN_INVALID_PIECE', 'FEN_INVALID_RANK_COUNT', 'FEN_INVALID_FILE_COUNT',
  'FEN_MISMATCH_PARENTHESES', 'BOARD_INVALID_SQUARE', 'BOARD_INVALID_TERRAIN', 'COMMANDER_LIMIT_EXCEEDED',
  'MOVE_INVALID_DESTINATION', 'MOVE_NO_PIECE_TO_MOVE', 'MOVE_PIECE_NOT_FOUND', 'COMBINATION_FAILED',
  'CAPTURE_INVALID_TARGET', 'SESSION_INVALID_OPERATION', 'INTERNAL_INCONSISTENCY',
].map((code) => [code, code])));

export class CotulenhError extends Error {
  constructor(code, message = code, metadata = undefined) {
    super(message);
    this.name = 'CotulenhError';
    this.code = code;
    this.metadata = metadata;
  }

  toJSON() {
    return { name: this.name, code: this.code, message: this.message, metadata: this.metadata };
  }
}

export function createError(code, message, metadata) {
  return new CotulenhError(code, message, metadata);
}

/** A value as JSON for a message, shortened; never throws. */
export function shown(value) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch {
    // Cycles and big integers have no JSON, and a getter may throw.
  }
  if (typeof text !== 'string') {
    try {
      text = String(value);
    } catch {
      text = typeof value;
    }
  }
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
