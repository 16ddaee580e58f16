/**
 * The rules, asked for and never known: one stateless question for the legal steps of a draft. The server answers it until
 * the page has loaded the same rules as WebAssembly, and again if that fails.
 * @typedef {import('./types.js').Answer} Answer
 * @typedef {import('./types.js').Turn} Turn
 * @typedef {import('./types.js').Step} Step
 */
import { savesData, whenIdle } from './idle.js';
import { Refused } from './refused.js';

/**
 * @param {string} path @param {object} body @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const answer = await reply.json().catch(() => ({}));
  if (!reply.ok || answer.error) throw new Refused(answer.error?.code ?? String(reply.status), answer.error?.message ?? reply.statusText, answer.error?.why);
  return answer;
}

/** @typedef {import('./local/rules.js').LocalRules} LocalRules */

/** The rules of this page, once they are loaded. @type {LocalRules|null} */
let local = null;
/** How they are loaded; null where that failed. @type {Promise<LocalRules|null>|null} */
let loading = null;

/** Loads them when the page is drawn and has nothing better to do. */
function load() {
  loading ??= whenIdle()
    .then(() => import('./local/rules.js'))
    .then(({ LocalRules }) => LocalRules.start())
    .then((started) => {
      document.documentElement.dataset.rules = 'local';
      return (local = started);
    })
    .catch(() => null);
  return loading;
}

/** The worker has failed: the server knows as much. */
function giveUp() {
  local = null;
  loading = Promise.resolve(null);
  delete document.documentElement.dataset.rules;
}

/** @param {string} op @param {object} body @returns {Promise<any>} */
async function answerTo(op, body) {
  if (!savesData()) void load();
  if (local) {
    try {
      return await local.ask(op, body);
    } catch (error) {
      if (error instanceof Refused) throw error;
      giveUp();
    }
  }
  try {
    return await post(`/api/v1/cotulenh/${op}`, body);
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Without a network the page answers itself as soon as it can.
    const rules = await load();
    if (!rules) throw error;
    return rules.ask(op, body);
  }
}

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
