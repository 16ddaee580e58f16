/** The word that tells a program what is wrong: those of the protocol, and those of this package. */
export type ErrorCode =
  | 'malformed' | 'too-long' | 'unknown-field' | 'unknown-game' | 'unknown-op' | 'bad-fen' | 'bad-pgn' | 'bad-square'
  | 'bad-piece' | 'bad-color' | 'bad-notation' | 'illegal-move' | 'ambiguous-move' | 'game-over' | 'no-stack'
  | 'nobody-moves' | 'deploy-open' | 'piece-missing' | 'piece-twice' | 'piece-forgotten' | 'stay-not-lawful'
  | 'group-not-lawful' | 'wrong-terrain' | 'step-not-legal' | 'commander-in-danger' | 'cannot-combine' | 'cards' | 'rules'
  | 'lead' | 'illegal' | 'too-much'
  | 'bad-argument' | 'bad-move' | 'bad-note' | 'bad-seat' | 'bad-blueprint' | 'freed' | 'internal';

/** Every refusal of this package. */
export class ConvoyError extends Error {
  constructor(code: ErrorCode, message: string, data?: Record<string, unknown>);
  readonly name: 'ConvoyError';
  /** A word for programs. */
  readonly code: ErrorCode;
  /** What else is known: `reason`, `at`, `argument`. */
  readonly data: Record<string, unknown>;
}
