import { Game, Position, Turn } from './cotulenh.js';
import { Card, View } from './tractor.js';

export { ConvoyError, ErrorCode } from './error.js';

/** A best line. Of `score` and `mate` one is `null`. */
export interface Line {
  /** In hundredths of an infantry for the side to move. */
  score: number | null;
  /** Turns to mate; below zero the side to move is mated. */
  mate: number | null;
  turns: Turn[];
}

/** What a search has found after an iteration. */
export interface Report {
  /** The depth of the iteration in turns. */
  depth: number;
  /** The greatest depth reached. */
  selectiveDepth: number;
  /** Positions visited. */
  nodes: number;
  /** How full the transposition table is, in thousandths. */
  hashFull: number;
  /** Best first. */
  lines: Line[];
}

/** When a search ends: the first limit that is reached counts; without one it ends when it is stopped. */
export interface Limits {
  /** In turns. */
  depth?: number;
  nodes?: number;
  /** In milliseconds. */
  time?: number;
  /** The clock of the side to move, in milliseconds: the engine decides how much of it this turn is worth. */
  clock?: { left: number; increment?: number; turnsToGo?: number };
}

/** An analysis under way: `for await` gives a report for every iteration. */
export class Analysis implements AsyncIterable<Report> {
  private constructor();
  /** The last report, once the search has ended; `null` if it was stopped before its first. */
  readonly result: Promise<Report | null>;
  /** Ends the search; what it has found so far is its result. */
  stop(): void;
  [Symbol.asyncIterator](): AsyncIterator<Report>;
}

/** The player of Cờ Tư Lệnh, in a worker. It keeps what it has found: one engine should play all turns of a game. */
export class Engine {
  /** `level` is 1 to 10, `hash` the size of the transposition table in MiB; `simd: false` does without SIMD. */
  constructor(options?: { level?: number; hash?: number; seed?: number; simd?: boolean });
  /** Searches a position, or that of a game with its history; `lines` is the number of best lines. */
  analyse(subject: Position | Game, limits?: Limits & { lines?: number }): Analysis;
  /** The turn that the engine plays; `null` if the game is over. Without limits it thinks for a second. */
  bestTurn(subject: Position | Game, limits?: Limits): Promise<Turn | null>;
  /** The static evaluation for the side to move, in hundredths of an infantry; no deploy may be open. */
  evaluate(position: Position): Promise<number>;
  /** Forgets all searches. */
  clear(): Promise<void>;
  /** Ends the worker. */
  free(): void;
}

export type TractorLevel = 'random' | 'scripted' | 'easy' | 'normal' | 'strong' | 'master';

/** The levels of the player of Tractor, weakest first. */
export const TRACTOR_LEVELS: readonly TractorLevel[];

/** Advice to a player of Tractor. */
export interface Hint {
  cards: Card[];
  /** The attackers' points that are to be expected then. */
  points: number;
  /** What it does in the trick: it leads, wins, overtakes the partner, gives the partner points or keeps them, loses points or saves them. */
  why: 'lead' | 'win' | 'overtake' | 'give' | 'keep' | 'must' | 'save';
  /** The next best play, and the attackers' points after it. */
  instead: { cards: Card[]; points: number } | null;
  /** All this in English. */
  words: string;
}

/** The player of Tractor, in a worker. It is handed views and nothing else, so it cannot peek. */
export class TractorPlayer {
  /** With `rollouts` the answer depends on view and seed alone; `time` is in milliseconds. */
  constructor(options?: { level?: TractorLevel; seed?: number; rollouts?: number; time?: number; simd?: boolean });
  /** What the viewer does now, as an event that a game applies; `null` where there is nothing for it to do. */
  act(view: View): Promise<string | null>;
  /** Advice on what the viewer plays; `null` where it is not its turn to play. */
  hint(view: View): Promise<Hint | null>;
  /** Ends the worker. */
  free(): void;
}
