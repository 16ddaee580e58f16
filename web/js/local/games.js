/**
 * Games that are kept on this device: those of Cờ Tư Lệnh with their turns, those of Tractor with their record beside them.
 *
 * @typedef {object} StoredGame a game of Cờ Tư Lệnh
 * @property {'cotulenh'} [game]
 * @property {string} id
 * @property {string} start FEN
 * @property {string[]} turns LANs
 * @property {0|1} you
 * @property {number} level of the computer
 * @property {import('../types.js').Outcome|null} outcome
 * @property {number} at when it was last played, in milliseconds
 * @property {string} [uploaded] the address that the server gave it
 *
 * @typedef {object} StoredMatch a game of Tractor
 * @property {'tractor'} game
 * @property {string} id
 * @property {number} level of the bots
 * @property {number} round
 * @property {string[]} levels of both teams
 * @property {string|null} winner the team that has won it
 * @property {number} at when it was last played, in milliseconds
 * @property {string} [uploaded] the address that the server gave it
 */

const KEY = 'convoy.games';
/** Where the record of a game of Tractor is: it is long, and changes with every card. */
const RECORD = 'convoy.record.';
/** Where the review of a game of Cờ Tư Lệnh is. */
const REVIEW = 'convoy.review.';
/** The most games that are kept; the oldest are let go. */
const MOST = 100;
/** The most of them that are games of Tractor: the storage of a browser holds a few megabytes. */
const MOST_MATCHES = 20;

/** All of them, the last played first. @returns {(StoredGame|StoredMatch)[]} */
export function storedGames() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {StoredGame|StoredMatch} game @returns {game is StoredMatch} */
export const isMatch = (game) => game.game === 'tractor';

/** @param {string|null} id @returns {StoredGame|null} */
export function storedGame(id) {
  const found = storedGames().find((game) => game.id === id);
  return found && !isMatch(found) ? found : null;
}

/** @param {string|null} id @returns {StoredMatch|null} */
export function storedMatch(id) {
  const found = storedGames().find((game) => game.id === id);
  return found && isMatch(found) ? found : null;
}

/** The record of a game of Tractor. @param {string} id */
export const storedRecord = (id) => localStorage.getItem(RECORD + id);

/** Keeps a game as it is now. @param {StoredGame|StoredMatch} game */
export function storeGame(game) {
  const all = [{ ...game, at: Date.now() }, ...storedGames().filter(({ id }) => id !== game.id)];
  let matches = 0;
  const kept = all.filter((one) => !isMatch(one) || (matches += 1) <= MOST_MATCHES).slice(0, MOST);
  for (const one of all) if (!kept.includes(one)) localStorage.removeItem((isMatch(one) ? RECORD : REVIEW) + one.id);
  localStorage.setItem(KEY, JSON.stringify(kept));
}

/** Keeps a game of Tractor as it is now. @param {StoredMatch} match @param {string} record */
export function storeMatch(match, record) {
  localStorage.setItem(RECORD + match.id, record);
  storeGame(match);
}

/** Remembers where the server keeps a game. @param {string} id @param {string} uploaded */
export function noteUpload(id, uploaded) {
  localStorage.setItem(KEY, JSON.stringify(storedGames().map((game) => (game.id === id ? { ...game, uploaded } : game))));
}

/** @param {string} gone */
export function forgetGame(gone) {
  localStorage.setItem(KEY, JSON.stringify(storedGames().filter(({ id }) => id !== gone)));
  localStorage.removeItem(RECORD + gone);
  localStorage.removeItem(REVIEW + gone);
}

/** The review of a game, if it was made before. @param {string} id @returns {import('../review/board.js').Review|null} */
export function storedReview(id) {
  try {
    return JSON.parse(localStorage.getItem(REVIEW + id) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps the review of a game. @param {string} id @param {import('../review/board.js').Review} review */
export function storeReview(id, review) {
  try {
    localStorage.setItem(REVIEW + id, JSON.stringify(review));
  } catch {
    // A full storage: the review is made again the next time.
  }
}

/** Random bytes as hexadecimal digits. @param {number} bytes */
export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Begins a game against the computer. @param {{start: string, you: 0|1, level: number}} choice @returns {string} its id */
export function beginGame({ start, you, level }) {
  // Plain http has no `randomUUID`.
  const id = randomHex(8);
  storeGame({ game: 'cotulenh', id, start, you, level, turns: [], outcome: null, at: 0 });
  return id;
}

/** Begins a game of Tractor with three bots. @param {number} level @returns {string} its id */
export function beginMatch(level) {
  const id = randomHex(8);
  storeGame({ game: 'tractor', id, level, round: 1, levels: ['2', '2'], winner: null, at: 0 });
  return id;
}

/** The address of a game. @param {string} id */
export const gamePath = (id) => `/offline/game?id=${id}`;

/** The address of the review of a game. @param {string} id */
export const reviewPath = (id) => `/offline/review?id=${id}`;

/** The address of a game of Tractor. @param {string} id */
export const matchPath = (id) => `/offline/tractor?id=${id}`;
