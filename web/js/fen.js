/**
 * Reading and writing positions as text. Notation only: what may stand where is the server's business.
 * @typedef {import('./types.js').Stack} Stack
 * @typedef {import('./types.js').Part} Part
 * @typedef {import('./types.js').Placement} Placement
 */

export const FILES = 'abcdefghijk';
export const RANKS = 12;
export const START = '6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1';
/** Role letters in the order pieces are listed on screen. */
export const ROLES = 'cnfatsgeimh';

/** @param {number} file @param {number} rank both from zero */
export const squareAt = (file, rank) => FILES[file] + (rank + 1);

/** @param {string} square @returns {[number, number]} file and rank from zero */
export const coords = (square) => [FILES.indexOf(square[0]), Number(square.slice(1)) - 1];

/** Every square, rank 12 first. @type {string[]} */
export const SQUARES = Array.from({ length: 132 }, (_, i) => squareAt(i % 11, 11 - Math.floor(i / 11)));

/**
 * The letters of one square (`(N+FT)`, `c`) as a stack.
 * @param {string} text @returns {Stack|null}
 */
export function parseStack(text) {
  /** @type {Part[]} */
  const parts = [];
  let red = true;
  for (const [, plus, letter] of text.matchAll(/(\+?)([a-zA-Z])/g)) {
    red = letter !== letter.toLowerCase();
    parts.push({ type: letter.toLowerCase(), heroic: plus === '+' });
  }
  return parts.length ? { color: red ? 'r' : 'b', parts } : null;
}

/** @param {Stack} stack */
export function writeStack(stack) {
  const letters = stack.parts.map((p) => (p.heroic ? '+' : '') + (stack.color === 'r' ? p.type.toUpperCase() : p.type)).join('');
  return stack.parts.length > 1 ? `(${letters})` : letters;
}

/**
 * The first field of a FEN as squares.
 * @param {string} fen @returns {Placement}
 */
export function parsePlacement(fen) {
  /** @type {Placement} */
  const map = new Map();
  fen.split(' ')[0].split('/').forEach((row, i) => {
    let file = 0;
    for (const [token] of row.matchAll(/1[01]|\d|\([^)]*\)|\+?[a-zA-Z]/g)) {
      const count = Number(token);
      if (count) {
        file += count;
        continue;
      }
      const stack = parseStack(token);
      if (stack && file < 11 && i < RANKS) map.set(squareAt(file, 11 - i), stack);
      file += 1;
    }
  });
  return map;
}

/** @param {Placement} map */
export function writePlacement(map) {
  const rows = [];
  for (let rank = 11; rank >= 0; rank -= 1) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < 11; file += 1) {
      const stack = map.get(squareAt(file, rank));
      if (!stack) {
        empty += 1;
        continue;
      }
      row += (empty || '') + writeStack(stack);
      empty = 0;
    }
    rows.push(row + (empty || ''));
  }
  return rows.join('/');
}

/**
 * Where a side's commander stands, even when carried.
 * @param {Placement} map @param {string} color
 */
export function commander(map, color) {
  for (const [square, stack] of map) {
    if (stack.color === color && stack.parts.some((p) => p.type === 'c')) return square;
  }
  return null;
}

/**
 * What each side has lost since `start`, as lists of role letters.
 * @param {string} start @param {string} now
 * @returns {{r: string[], b: string[]}}
 */
export function losses(start, now) {
  /** @param {string} fen */
  const count = (fen) => {
    /** @type {Record<string, number>} */
    const n = {};
    for (const stack of parsePlacement(fen).values()) {
      for (const part of stack.parts) n[stack.color + part.type] = (n[stack.color + part.type] ?? 0) + 1;
    }
    return n;
  };
  const [before, after] = [count(start), count(now)];
  /** @param {string} color */
  const lost = (color) => [...ROLES].flatMap((type) => Array(Math.max(0, (before[color + type] ?? 0) - (after[color + type] ?? 0))).fill(type));
  return { r: lost('r'), b: lost('b') };
}
