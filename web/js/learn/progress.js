/**
 * The stars of every step that was done. An account's are kept by the server, a guest's in this browser; what a guest
 * has earned is handed to the account that is logged in to.
 */
import { post } from '../rules.js';

/** @typedef {Record<string, number>} Stars by step */

/** What the server keeps; null for guests. @type {{account: string, stars: Stars}|null} */
const known = JSON.parse(document.getElementById('progress')?.textContent ?? 'null');

const GUEST = 'convoy-learn';
/** Under an account's own key stands what the server has not taken in yet, such as without a connection. */
const KEY = known ? `${GUEST}:${known.account}` : GUEST;

/** @param {string} key @returns {Stars} */
function read(key) {
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(key) ?? '{}'));
    return Object.fromEntries(kept.filter(([, stars]) => [1, 2, 3].includes(stars)));
  } catch {
    return {};
  }
}

/** @param {string} key @param {Stars} stars */
function write(key, stars) {
  try {
    if (Object.keys(stars).length) localStorage.setItem(key, JSON.stringify(stars));
    else localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing still teaches.
  }
}

/** The best of each step. @param {Stars[]} all @returns {Stars} */
function best(...all) {
  /** @type {Stars} */
  const stars = {};
  for (const [step, count] of all.flatMap(Object.entries)) stars[step] = Math.max(stars[step] ?? 0, count);
  return stars;
}

/** @returns {Stars} */
export function progress() {
  return known ? best(known.stars, read(GUEST), read(KEY)) : read(GUEST);
}

/** Keeps the best result of a step. @param {string} step @param {number} stars */
export function keep(step, stars) {
  write(KEY, best(read(KEY), { [step]: stars }));
  void handOver();
}

/** Hands what this browser keeps to the account; what cannot be handed over now is kept until the next time. */
async function handOver() {
  if (!known) return;
  const sent = best(read(GUEST), read(KEY));
  if (!Object.keys(sent).length) return;
  try {
    const { stars } = await post('/api/v1/learn/progress', { stars: sent });
    if (!stars) return;
    known.stars = stars;
    // What was earned meanwhile stays.
    for (const key of [GUEST, KEY]) write(key, Object.fromEntries(Object.entries(read(key)).filter(([step, count]) => count > (sent[step] ?? 0))));
  } catch {
    // It stays where it is.
  }
}

void handOver();
