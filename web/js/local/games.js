/**
 * Games that are kept on this device.
 *
 * @typedef {object} StoredGame
 * @property {string} id
 * @property {string} start FEN
 * @property {string[]} turns LANs
 * @property {0|1} you
 * @property {number} level of the computer
 * @property {import('../types.js').Outcome|null} outcome
 * @property {number} at when it was last played, in milliseconds
 */

const KEY = 'convoy.games';
/** The most games that are kept; the oldest are let go. */
const MOST = 100;

/** All of them, the last played first. @returns {StoredGame[]} */
export function storedGames() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {string|null} id @returns {StoredGame|null} */
export const storedGame = (id) => storedGames().find((game) => game.id === id) ?? null;

/** Keeps a game as it is now. @param {StoredGame} game */
export function storeGame(game) {
  const others = storedGames().filter(({ id }) => id !== game.id);
  localStorage.setItem(KEY, JSON.stringify([{ ...game, at: Date.now() }, ...others].slice(0, MOST)));
}

/** @param {string} gone */
export function forgetGame(gone) {
  localStorage.setItem(KEY, JSON.stringify(storedGames().filter(({ id }) => id !== gone)));
}

/** Begins a game against the computer. @param {{start: string, you: 0|1, level: number}} choice @returns {string} its id */
export function beginGame({ start, you, level }) {
  // Plain http has no `randomUUID`.
  const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  storeGame({ id, start, you, level, turns: [], outcome: null, at: 0 });
  return id;
}

/** The address of a game. @param {string} id */
export const gamePath = (id) => `/offline/game?id=${id}`;
