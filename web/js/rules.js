/**
 * The rules, asked for and never known: one stateless question for the legal steps of a draft. The server answers it until
 * the page has loaded the same rules as WebAssembly, and again if that fails.
 * @typedef {import('./types.js').Answer} Answer
 * @typedef {import('./types.js').Turn} Turn
 * @typedef {import('./types.js').Step} Step
 */
import { Source, post } from './source.js';

export { post };

const source = new Source('rules', true);

/** From now on the page answers everything itself: the server is told nothing of the game. */
export function keepPrivate() {
  source.isPrivate = true;
}

/** @param {string} op @param {object} body @returns {Promise<any>} */
const answerTo = (op, body) => source.ask((local) => local.ask(op, body), () => post(`/api/v1/cotulenh/${op}`, body));

const KEEP = 64;
/** Answers are pure functions of their question, so the last ones are kept. @type {Map<string, Promise<any>>} */
const kept = new Map();

/** @param {string} op @param {object} body */
function ask(op, body) {
  const key = op + JSON.stringify(body);
  const known = kept.get(key);
  if (known) return known;
  const answer = answerTo(op, body);
  answer.catch(() => kept.delete(key));
  kept.set(key, answer);
  if (kept.size > KEEP) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return answer;
}

/** @typedef {typeof rules} Rules what a board asks; a board that is packaged may be handed another object with these calls */
export const rules = {
  /**
   * Legal steps after `steps`. `at` adds what the commander's safety forbids the stack there, `parts` where these parts of it can go together.
   * @param {string} fen @param {string[]} steps @param {{at: string, parts?: string}} [look]
   * @returns {Promise<Answer>}
   */
  draft: (fen, steps, look) => ask('draft', { fen, steps, ...look }),
  /**
   * Turns with their single steps, for replay.
   * @param {string} fen @param {string[]} moves
   * @returns {Promise<{fen: string, turns: Turn[], outcome: any}>}
   */
  steps: (fen, moves) => ask('steps', { fen, moves }),
  /** Squares under each side's air cover. @param {string} fen @returns {Promise<{r: string[], b: string[]}>} */
  cover: (fen) => ask('cover', { fen }).then(({ cover }) => ({ r: Object.keys(cover.r), b: Object.keys(cover.b) })),
  /** @param {string} fen @returns {Promise<{fen: string}>} */
  fen: (fen) => ask('fen', { fen }),
  /** The games of a text, with variations and annotations. @param {string} pgn @returns {Promise<{games: (import('./tree.js').AnnotatedGame & {error?: any})[]}>} */
  readPgn: (pgn) => answerTo('readPgn', { pgn }),
  /** @param {import('./tree.js').AnnotatedGame[]} games @returns {Promise<{pgn: string}>} */
  writePgn: (games) => answerTo('writePgn', { games }),
};

/**
 * How a game has ended after these moves, where one of the optional victories counts.
 * @param {string} fen @param {string[]} moves @param {string} victory
 * @returns {Promise<import('./types.js').Outcome|null>}
 */
export const outcomeWith = (fen, moves, victory) => ask('play', { fen, moves, victories: [victory] }).then(({ outcome }) => outcome);
