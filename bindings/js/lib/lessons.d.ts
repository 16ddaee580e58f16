export { ConvoyError, ErrorCode } from './error.js';

/** An attempt at a step of a lesson. */
export interface Attempt {
  game: 'cotulenh' | 'tractor';
  /** The text of the file that the step is in, as `docs/lessons.md` describes it. */
  chapter: string;
  /** The id of the step. */
  step: string;
  /** The language of notes: `en`, `vi` or `zh`. */
  lang?: string;
  /**
   * Turns of the learner's, each as its steps; two squares between which the board shows no move, after the turns so far; or an
   * answer about cards.
   */
  tried: { turns: string[][] } | { turns?: string[][]; from: string; to: string } | { answer: string };
}

export interface Verdict {
  result: 'done' | 'go-on' | 'wrong' | 'illegal' | 'legal';
  /** What is wrong, for a page to put into words. */
  why?: Record<string, unknown> | null;
  /** What the author of the lesson says to it. */
  note?: string | null;
  /** What the author says when the step is done. */
  done?: string | null;
  /** The position after the turns. */
  fen?: string;
}

/** What an attempt is worth. */
export function judge(attempt: Attempt): Verdict;

/** The learner's decisions in the coached round: the eight cards to bury, then every play; `hint` asks for a proposal. */
export interface Decisions {
  plays: string[];
  hint?: boolean;
}

/** The coached round after these decisions, with what the coach says to the last. */
export function coach(decisions: Decisions): Record<string, unknown>;
