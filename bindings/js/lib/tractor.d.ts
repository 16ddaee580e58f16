export { ConvoyError, ErrorCode } from './error.js';

/** A card: rank, suit and copy, `TS0`, `sj1`. */
export type Card = string;
export type Seat = 0 | 1 | 2 | 3;
export type Team = 'A' | 'B';
export type Stage = 'dealing' | 'burying' | 'stealing' | 'playing' | 'over';
/** What a seat, or an onlooker, may know of a round; `docs/protocol-tractor.md` describes its fields. */
export interface View {
  viewer?: Seat | null;
  stage: Stage;
  turn?: Seat | null;
  hand: Card[];
  [field: string]: unknown;
}

/** A switch of the house rules. */
export interface Switch {
  name: string;
  value: string;
  meaning: string;
}

/** The names of the sets of house rules. */
export const PRESETS: readonly string[];

/** A game: rounds until the last level is defended. An event that the rules forbid is refused and changes nothing. */
export class Game {
  /** `seed` is a number, or 64 hexadecimal digits; `rules` a preset and switches, `'default throw_penalty=10'`. */
  constructor(options?: { seed?: number | bigint | string; rules?: string });
  /** Reads the record that `record` wrote. */
  static fromRecord(record: string): Game;
  /** All rounds so far as text: seeds and events, enough to play them again. */
  record(): string;
  /** Makes an event of the record's notation happen, `'play 2 AS0 AS1'`. */
  apply(event: string): this;
  /** Deals so many of the 100 cards. */
  deal(count?: number): this;
  /** A seat declares with these cards. */
  declare(seat: Seat, cards: Card[]): this;
  /** A seat declares nothing more. */
  pass(seat: Seat): this;
  /** The table ends the declaring. */
  close(): this;
  /** Whose turn it is buries these cards. */
  bury(cards: Card[]): this;
  /** Whose turn it is plays these cards. */
  play(cards: Card[]): this;
  /** Begins the next round once this one is over. */
  nextRound(seed: number | bigint | string): this;
  get stage(): Stage;
  /** Whose turn it is, where it is one seat's, or `null`. */
  get turn(): Seat | null;
  /** Who starts the round, as it stands. */
  get starter(): Seat;
  /** The team that defends. */
  get defending(): Team;
  /** The trump as it stands, `'2H'`, or `'2N'` without a suit. */
  get trump(): string;
  /** The number of the round, from 1. */
  get round(): number;
  /** The levels of A and B. */
  get levels(): [string, string];
  /** The house rules. */
  get rules(): string;
  /** The result of the round; `null` before its end. */
  get result(): { winner: Team; points: number; rise: number } | null;
  /** The team that has won the game, or `null`. */
  get winner(): Team | null;
  /** The cards of a seat: the table knows them all, players should be shown a `view`. */
  hand(seat: Seat): Card[];
  /** Everything that happened in the round, one text an event. */
  events(): string[];
  /** What a seat may know; without a seat, what an onlooker may. */
  view(seat?: Seat | null): View;
  /** Gives its memory back at once; nothing is lost if it is never called. */
  free(): void;
}

/** The viewer's legal plays, at most `limit` of them, and how many there are. */
export function legalPlays(view: View, limit?: number): { plays: Card[][]; count: number };
/** Refuses cards that the viewer may not play now, with the reason. */
export function checkPlay(view: View, cards: Card[]): void;
/** House rules in full, as `Game` takes them. */
export function parseRules(text: string): string;
/** Every switch of the house rules: its name, its value in the given rules, and what it decides. */
export function switches(rules?: string): Switch[];
/** Answers an op of the protocol about Tractor. */
export function query(op: string, fields?: Record<string, unknown>): Record<string, unknown>;
