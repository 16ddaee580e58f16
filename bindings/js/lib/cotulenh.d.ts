export { ConvoyError, ErrorCode } from './error.js';

/** Red or Blue. */
export type Color = 'r' | 'b';
/** The name of a square, `a1` to `k12`. */
export type Square = string;
/** A letter of `ROLES`. */
export type Role = 'C' | 'I' | 'T' | 'M' | 'E' | 'A' | 'G' | 'S' | 'F' | 'N' | 'H';
/** A move: 25 bits, which the functions of this module take apart. */
export type Move = number;
export type MoveKind = 'quiet' | 'capture' | 'stay-capture' | 'kamikaze' | 'combine' | 'commit';
export type Reason = 'checkmate' | 'stalemate' | 'commander' | 'fifty' | 'threefold' | 'marine' | 'air' | 'land';
/** A way to win beside the commander's. */
export type Victory = 'marine' | 'air' | 'land';

/** How a game ended; without a winner it is drawn. */
export interface Outcome {
  winner: Color | null;
  reason: Reason;
}

/** A whole turn: its names, and the moves that play it. */
export interface Turn {
  san: string;
  lan: string;
  moves: Move[];
}

/** The position that a game begins with. */
export const START_FEN: string;
/** Every square, in the order of a FEN: `a12` to `k1`. */
export const SQUARES: readonly Square[];
/** The roles in the order of the rules. */
export const ROLES: readonly Role[];
/** What a move may do. */
export const MOVE_KINDS: readonly MoveKind[];

/** The square that a move starts from; for a commit, the origin of the deploy. */
export function moveFrom(move: Move): Square;
/** The target, even if the mover does not go there; for a commit, the origin of the deploy. */
export function moveTo(move: Move): Square;
/** Who moves: the piece of a deploy step, or the carrier of the whole stack. */
export function moveRole(move: Move): Role;
/** What it does. */
export function moveKind(move: Move): MoveKind;
/** Whether it takes something, in whatever way. */
export function isCapture(move: Move): boolean;
/** Whether it is a step of a deploy; a commit is one too. */
export function isStep(move: Move): boolean;
/** Whether it joins a piece that was deployed earlier this turn. */
export function isRecombine(move: Move): boolean;
/** Whether it ends a deploy and does nothing else. */
export function isCommit(move: Move): boolean;
/** Whether a text is the FEN of a lawful position. */
export function isFen(fen: unknown): boolean;

/** A move with everything there is to know about it. */
export class VerboseMove {
  private constructor();
  readonly move: Move;
  readonly color: Color;
  readonly from: Square;
  readonly to: Square;
  /** The pieces that move, as FEN writes them; empty for a commit. */
  readonly piece: string;
  /** What is taken; empty if nothing is. */
  readonly captured: string;
  /** The stack on the target after a combination; empty if it is none. */
  readonly combined: string;
  readonly san: string;
  readonly lan: string;
  /** The position before it. */
  get before(): Position;
  /** The position after it, worked out when it is asked for; a deploy may be open in it. */
  get after(): Position;
}

/** A position: an immutable value. Between the steps of a deploy it is one in which that deploy is open. */
export class Position {
  private constructor();
  /** The start of a game. */
  static start(): Position;
  /** The position of a FEN, extended ones included. */
  static fromFen(fen: string): Position;
  /** The FEN, extended while a deploy is open. */
  fen(): string;
  toString(): string;
  toJSON(): string;
  /** The side to move. */
  get turn(): Color;
  /** Turns since the last capture. */
  get halfmoveClock(): number;
  /** The number of the move, from 1; it grows after Blue's turn. */
  get moveNumber(): number;
  /** Whether the commander of the side to move is attacked, or gone. */
  isCheck(): boolean;
  /** Whether the commander of the side to move is attacked or exposed. */
  isInDanger(): boolean;
  /** Whether an open deploy may end now, the rest of the stack staying where it is. */
  canCommit(): boolean;
  isCheckmate(): boolean;
  isStalemate(): boolean;
  /** How the game has ended, as far as the position alone tells it, or `null`: a `Game` knows repetitions too. */
  outcome(): Outcome | null;
  /** A number that tells positions apart by placement, side to move and open deploy; the counters do not count. */
  key(): bigint;
  /** The square of a side's commander, alone or in a stack, or `null`. */
  commander(color: Color): Square | null;
  /** The square of the stack whose deploy is open, or `null`. */
  deployFrom(): Square | null;
  /** The legal moves, in the order of the rules; with `legal: false` every move that the movement rules offer. */
  moves(options?: { legal?: boolean }): Uint32Array;
  /** The SAN of every legal move. */
  sans(): string[];
  /** The LAN of every legal move. */
  lans(): string[];
  /** The moves with everything there is to know about them. */
  verboseMoves(options?: { legal?: boolean }): VerboseMove[];
  /** Every complete turn, each result once; with `from` only those of one stack. */
  turns(options?: { from?: Square }): Turn[];
  /** The moves that a text names: a move, steps or a whole turn, as SAN or LAN. */
  parse(text: string): Move[];
  /** The moves of a whole deploy: who of the stack on `from` goes where, by letters, and who stays. */
  deploy(deploy: { from: Square; moves: Record<string, Square>; stay?: string }): Move[];
  /** The SAN of a legal move. */
  san(move: Move): string;
  /** The LAN of a legal move. */
  lan(move: Move): string;
  /** Whether a move is legal. */
  isLegal(move: Move): boolean;
  /** The position after a legal move, moves one after another, or a text. */
  play(move: Move | Iterable<Move> | string): Position;
  /** The stack on a square as FEN writes it, `(NFT)`, or `null`. */
  stackAt(square: Square): string | null;
  /** Every stack by its square. */
  stacks(): Map<Square, string>;
  /** The pieces of a side that attack a square. */
  attackers(square: Square, color: Color): { square: Square; role: Role }[];
  /** The squares that a side's air defence covers. */
  airCover(color: Color): Square[];
  /** How many sequences of moves of this length there are; steps and commits of a deploy count as moves. */
  perft(depth: number): number;
  /** Whether everything is the same, counters included. */
  equals(other: unknown): boolean;
  toString(): string;
  toJSON(): string;
  /** Gives its memory back at once; nothing is lost if it is never called. */
  free(): void;
}

/** A game: a position with the turns that led to it, tags, comments and clocks. A refused move changes nothing. */
export class Game {
  constructor(start?: Position, options?: { victories?: Victory[] });
  /** Reads one game in PGN, strictly: what is unreadable or illegal is refused with its place. */
  static fromPgn(pgn: string, options?: { victories?: Victory[] }): Game;
  /** The position now. */
  get position(): Position;
  /** The position that the game began with. */
  get start(): Position;
  /** The position after so many turns. */
  positionAfter(turns: number): Position;
  /** Plays a move, moves one after another, or a text: a move, steps or a whole turn. */
  play(move: Move | Iterable<Move> | string): this;
  /** Takes the open deploy back, or else the last turn; whether there was one. */
  undo(): boolean;
  /** Takes the last step back, or else the last move; whether there was one. */
  undoStep(): boolean;
  /** How many whole turns have been played. */
  get turnCount(): number;
  /** How often the position has occurred, this time included. */
  repetitions(): number;
  /** How the game has ended, repetitions and further ways to win included, or `null`. */
  outcome(): Outcome | null;
  /** The SAN of every whole turn. */
  sans(): string[];
  /** The LAN of every whole turn. */
  lans(): string[];
  /** The tags that were set. */
  headers(): Map<string, string>;
  /** Sets a tag; `null` removes it. */
  setHeader(name: string, value: string | null): void;
  /** The comment after so many turns, 0 is the start; `null` if there is none. */
  comment(turns: number): string | null;
  /** Sets that comment; `null` removes it. */
  setComment(turns: number, text: string | null): void;
  /** The clock of whoever made that turn, after it, in milliseconds; `null` if there is none. */
  clock(turns: number): number | null;
  /** Sets that clock; `null` removes it. */
  setClock(turns: number, milliseconds: number | null): void;
  /** The game as PGN; lines of moves are wrapped before `width` characters, 0 never wraps. */
  pgn(style?: { width?: number; clocks?: boolean }): string;
  toString(): string;
  toJSON(): string;
  /** Gives its memory back at once; nothing is lost if it is never called. */
  free(): void;
}
