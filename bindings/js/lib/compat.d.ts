// What `cotulenh-core` and `combine-piece` declare, for the same names here.

export type Color = 'r' | 'b';
export type PieceSymbol = 'c' | 'i' | 't' | 'm' | 'e' | 'a' | 'g' | 's' | 'f' | 'n' | 'h';
/** The name of a square, `a1` to `k12`; any string is taken, and judged when it is used. */
export type Square = string;
export type RoleName =
  | 'commander' | 'infantry' | 'tank' | 'militia' | 'engineer' | 'artillery' | 'anti_air' | 'missile' | 'air_force'
  | 'navy' | 'headquarter';

export interface Piece {
  type: PieceSymbol;
  color: Color;
  heroic?: boolean | undefined;
  carrying?: Piece[] | undefined;
}

export interface InternalMove {
  color: Color;
  from: number;
  to: number;
  piece: Piece;
  flags: number;
  captured?: Piece[];
  combined?: Piece;
}

export interface MoveObject {
  from: Square;
  to: Square;
  piece?: PieceSymbol | undefined;
  stay?: boolean | undefined;
  deploy?: boolean | undefined;
}

export interface MoveOptions {
  strict?: boolean | undefined;
  autoCommit?: boolean | undefined;
  legal?: boolean | undefined;
}

export interface MovesOptions {
  verbose?: boolean | undefined;
  square?: Square | undefined;
  pieceType?: PieceSymbol | undefined;
  legal?: boolean | undefined;
}

export interface GameOptions {
  skipLastGuardPromotion?: boolean | undefined;
}

export interface GameStateMetadata {
  turn: Color;
  halfMoves: number;
  moveNumber: number;
  fen: string;
}

export interface DeployStateView {
  stackSquare: Square;
  turn: Color;
  originalPiece: Piece;
  movedPieces: Piece[];
  remainingPieces: Piece[];
  stayPiece: Piece | undefined;
  canCommit: boolean;
  isComplete: boolean;
}

export interface MoveSession {
  readonly stackSquare: number;
  readonly turn: Color;
  readonly startFEN: string;
  readonly isDeploy: boolean;
  readonly originalPiece: Piece;
  readonly remaining: Piece[];
  readonly moves: InternalMove[];
  readonly commands: { move: InternalMove }[];
  readonly isEmpty: boolean;
  readonly isComplete: boolean;
  canCommit(): boolean;
  cancel(): void;
  undoLastMove(): void;
  getCurrentResult(): MoveResult;
}

export type CommitResult =
  | { success: true; result: MoveResult; reason?: undefined }
  | { success: false; result?: undefined; reason: string };

export interface AirDefense {
  r: Map<number, number[]>;
  b: Map<number, number[]>;
}

export interface AirDefenseInfluence {
  r: Map<Square, Square[]>;
  b: Map<Square, Square[]>;
}

export type AirDefenseData = AirDefense | AirDefenseInfluence;

export interface ValidationError {
  code: ErrorCode;
  message: string;
  category: 'structure' | 'lexical' | 'terrain' | 'combination' | 'semantic';
  location?: { rank?: number; charIndex?: number; context?: string };
}

export interface ValidationResult {
  valid: boolean;
  errors: ValidationError[];
}

export interface MoveResultFields {
  color: Color;
  from: Square;
  to: Square | Map<Square, Piece>;
  piece: Piece;
  flags: string;
  before: string;
  after?: string;
  san: string;
  lan: string;
  captured?: Piece[];
  stay?: Piece;
  completed: boolean;
}

export class MoveResult {
  constructor(fields: MoveResultFields);
  color: Color;
  from: Square;
  /** The target; of a deploy turn that was played, every target with the pieces that went there. */
  to: Square | Map<Square, Piece>;
  piece: Piece;
  captured: Piece[] | undefined;
  flags: string;
  before: string;
  /** The FEN after it; in a list it is worked out when it is read. */
  after: string;
  san: string;
  lan: string;
  /** Whether the turn is over. */
  completed: boolean;
  /** What stays behind in a deploy. */
  stay: Piece | undefined;
  get isDeploy(): boolean;
  get isCapture(): boolean;
  get isStayCapture(): boolean;
  get isSuicideCapture(): boolean;
  getHighlightSquares(): Square[];
}

export interface CoTuLenhInterface {
  load(fen: string, options?: { skipValidation?: boolean; preserveHeaders?: boolean }): void;
  clear(options?: { preserveHeaders?: boolean }): void;
  fen(includeDeploy?: boolean): string;
  turn(): Color;
  moveNumber(): number;
  halfMoves(): number;
  setMetadata(metadata: Partial<Omit<GameStateMetadata, 'fen'>>): void;
  getMetadata(): GameStateMetadata;
  get(square: Square | number, type?: PieceSymbol): Piece | undefined;
  put(piece: Piece, square: Square | number, allowCombine?: boolean): true;
  remove(square: Square | number, part?: Piece | PieceSymbol): Piece | undefined;
  board(): ({ square: Square; type: PieceSymbol; color: Color; heroic: boolean } | null)[][];
  moves(options: MovesOptions & { verbose: true }): MoveResult[];
  moves(options?: MovesOptions & { verbose?: false }): string[];
  moves(options?: MovesOptions): string[] | MoveResult[];
  /** Throws an `Error` for anything but one legal move, and changes nothing then. */
  move(move: string | MoveObject | InternalMove | MoveResult, options?: MoveOptions): MoveResult;
  undo(): void;
  history(options: { verbose: true }): MoveResult[];
  history(options?: { verbose?: false }): string[];
  history(options?: { verbose?: boolean }): string[] | MoveResult[];
  getSession(): MoveSession | null;
  setSession(session: MoveSession | null): void;
  getDeployState(): DeployStateView | null;
  commitSession(): CommitResult;
  canCommitSession(): boolean;
  cancelSession(): void;
  isCheck(): boolean;
  isCheckmate(): boolean;
  isStalemate(): boolean;
  isDraw(): boolean;
  isDrawByFiftyMoves(): boolean;
  isThreefoldRepetition(): boolean;
  isCommanderCaptured(): boolean;
  isGameOver(): boolean;
  isCommanderInDanger(color: Color): boolean;
  getCommanderSquare(color: Color): number;
  getAttackers(
    square: number | Square, color: Color, assumeType?: PieceSymbol,
  ): { square: number; type: PieceSymbol }[];
  getHeroicStatus(square: Square | number, type?: PieceSymbol): boolean;
  setHeroicStatus(square: Square | number, type: PieceSymbol | undefined, heroic: boolean): boolean;
  getAirDefense(): AirDefense;
  getAirDefenseInfluence(): AirDefenseInfluence;
  setHeader(key: string, value: string): Record<string, string>;
  getHeaders(): Record<string, string>;
  removeHeader(key: string): boolean;
  setComment(text: string): void;
  getComment(): string | undefined;
  removeComment(): string | undefined;
  /** `clocks[i]` stands after move i: a text as it is, or milliseconds. */
  pgn(options?: { newline?: string; maxWidth?: number; clocks?: (string | number | null | undefined)[] }): string;
  loadPgn(text: string, options?: { strict?: boolean }): true;
  getOptions(): { skipLastGuardPromotion: boolean };
  printBoard(): void;
  incrementPositionCount(fen: string): void;
  decrementPositionCount(fen: string): void;
}

export class CoTuLenh {
  constructor(fen?: string, options?: GameOptions);
  /** Every fault of a FEN; unknown options are ignored. */
  static checkFen(
    fen: string, options?: { checkSemantics?: boolean; throwOnError?: boolean; [other: string]: unknown },
  ): ValidationResult;
}
export interface CoTuLenh extends CoTuLenhInterface {}

export function validateFenString(fen: string): boolean;

export const RED: 'r';
export const BLUE: 'b';
export const COMMANDER: 'c';
export const INFANTRY: 'i';
export const TANK: 't';
export const MILITIA: 'm';
export const ENGINEER: 'e';
export const ARTILLERY: 'a';
export const ANTI_AIR: 'g';
export const MISSILE: 's';
export const AIR_FORCE: 'f';
export const NAVY: 'n';
export const HEADQUARTER: 'h';
export const PIECE_SYMBOLS: readonly PieceSymbol[];
export const VALID_PIECE_TYPES: readonly PieceSymbol[];
export const HEAVY_PIECES: ReadonlySet<PieceSymbol>;
export const DEFAULT_POSITION: string;
export const INITIAL_BOARD_FEN: string;
export const SEVEN_TAG_ROSTER: Readonly<
  Record<'Event' | 'Site' | 'Date' | 'Round' | 'Red' | 'Blue' | 'Result', string>
>;

type MoveFlag = 'NORMAL' | 'CAPTURE' | 'STAY_CAPTURE' | 'SUICIDE_CAPTURE' | 'DEPLOY' | 'COMBINATION';
export const FLAGS: Readonly<Record<MoveFlag, string>>;
export const BITS: Readonly<Record<MoveFlag, number>>;
export const CAPTURE_MASK: number;

export const SQUARE_MAP: Readonly<Record<Square, number>>;
export const VALID_SQUARES: readonly number[];
export const NAVY_MASK: Uint8Array;
export const LAND_MASK: Uint8Array;
export function getMovementMask(type: PieceSymbol): Uint8Array;
export function algebraic(index: number): Square;
export function isSquareOnBoard(index: number): boolean;
export function rank(index: number): number;
export function file(index: number): number;
export function swapColor(color: Color): Color;
export function isDigit(character: string): boolean;
export function flattenPiece(piece: Piece): Piece[];

export const ROLE_COMMANDER: 'commander';
export const ROLE_INFANTRY: 'infantry';
export const ROLE_TANK: 'tank';
export const ROLE_MILITIA: 'militia';
export const ROLE_ENGINEER: 'engineer';
export const ROLE_ARTILLERY: 'artillery';
export const ROLE_ANTI_AIR: 'anti_air';
export const ROLE_MISSILE: 'missile';
export const ROLE_AIR_FORCE: 'air_force';
export const ROLE_NAVY: 'navy';
export const ROLE_HEADQUARTER: 'headquarter';
export const ROLES: readonly RoleName[];
export const Role: Readonly<Record<Uppercase<RoleName>, RoleName>>;
export type Role = RoleName;
export const SYMBOL_TO_ROLE: Readonly<Record<PieceSymbol, RoleName>>;
export const ROLE_TO_SYMBOL: Readonly<Record<RoleName, PieceSymbol>>;

export type ErrorCode =
  | 'FEN_INVALID_FORMAT' | 'FEN_INVALID_PIECE' | 'FEN_INVALID_RANK_COUNT' | 'FEN_INVALID_FILE_COUNT'
  | 'FEN_MISMATCH_PARENTHESES' | 'BOARD_INVALID_SQUARE' | 'BOARD_INVALID_TERRAIN' | 'COMMANDER_LIMIT_EXCEEDED'
  | 'MOVE_INVALID_DESTINATION' | 'MOVE_NO_PIECE_TO_MOVE' | 'MOVE_PIECE_NOT_FOUND' | 'COMBINATION_FAILED'
  | 'CAPTURE_INVALID_TARGET' | 'SESSION_INVALID_OPERATION' | 'INTERNAL_INCONSISTENCY';
export const ErrorCode: Readonly<{ [Code in ErrorCode]: Code }>;

export class CotulenhError extends Error {
  constructor(code: ErrorCode, message?: string, metadata?: unknown);
  readonly name: 'CotulenhError';
  readonly code: ErrorCode;
  readonly metadata: unknown;
  toJSON(): { name: string; code: ErrorCode; message: string; metadata: unknown };
}
export function createError(code: ErrorCode, message?: string, metadata?: unknown): CotulenhError;

export type RoleFlagName =
  | 'COMMANDER' | 'INFANTRY' | 'MILITIA' | 'ARTILLERY' | 'ANTI_AIR' | 'MISSILE' | 'TANK' | 'AIR_FORCE' | 'ENGINEER'
  | 'NAVY' | 'HEADQUARTER';
export type RoleMapping = Readonly<Record<string, string | number>>;
export const ROLE_FLAGS: Readonly<Record<RoleFlagName, number>>;
export const DEFAULT_ROLE_MAPPING: Readonly<{ [Name in RoleFlagName]: Name }>;
export function createRoleMapper(mapping?: RoleMapping): (role: string) => number;

export class StackEngine {
  /** The packed stack, or `null`: no flag, more than four, one twice, or no lawful stack. */
  lookup(flags: number[]): bigint | null;
}

export class PieceStacker<T extends object = Piece> {
  constructor(role: (piece: T) => number | string, mapping?: RoleMapping);
  static withRoleMapping<T extends object>(role: (piece: T) => string, mapping?: RoleMapping): PieceStacker<T>;
  /** The stack of these pieces and their cargo, or `null`. Colours are not looked at. */
  combine(pieces: T[]): T | null;
  remove(stack: T, part: T): T | null;
}
