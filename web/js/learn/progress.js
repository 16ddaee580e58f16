/** The stars of every step that was done, kept in this browser. */

const KEY = 'convoy-learn';

/** @returns {Record<string, number>} stars by step */
export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

/** Keeps the best result of a step. @param {string} step @param {number} stars */
export function keep(step, stars) {
  const all = progress();
  all[step] = Math.max(all[step] ?? 0, stars);
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // A browser that keeps nothing still teaches.
  }
}
