import { Card, Seat, Team, View } from './tractor.js';

export { ConvoyError, ErrorCode } from './error.js';

/** A round that is over. */
export interface RoundSummary {
  number: number;
  levels: [string, string];
  defending: Team;
  winner: Team;
  /** The attackers'. */
  points: number;
  /** The levels that the winners gained. */
  rise: number;
  /** The levels in the next round; `null` where the game is over. */
  next: [string, string] | null;
}

/** A table of Tractor: it shows and answers a page what the server would. */
export class Table {
  /** A game from the record of one, or a new one with the default rules, dealt by 64 hexadecimal digits. */
  constructor(options: { record: string } | { seed: string });
  /** All rounds so far as text: seeds and events, enough to play them again. */
  record(): string;
  /** Makes an event of the record's notation happen; a refusal has the reason in `data.why`. */
  apply(event: string): this;
  /** Begins the next round once this one is over. */
  nextRound(seed: string): this;
  /** What a seat may know of the round, for a player. */
  view(seat: Seat): View;
  /** All that a page shows to a seat, the finished tricks as `turns`, and what the seat `can` do. */
  fields(seat: Seat): Record<string, any>;
  /** What came of the rounds that are over. */
  rounds(): RoundSummary[];
  /** What a selection of a seat's cards is called, and whether it may be played or buried now. */
  check(seat: Seat, selection: { cards?: Card[]; parts?: Card[][] }): { name: object; ok: boolean; why: object | null };
  /** A moment of a round that is over, as a seat saw it, or without a seat with all hands open. */
  moment(asked: { round: number; step?: number; seat?: Seat | null }): Record<string, any>;
  /** Gives its memory back at once; nothing is lost if it is never called. */
  free(): void;
}
