/**
 * Reading a turn's LAN for what the eye needs: which squares it touched, and how it moved.
 * @typedef {import('./types.js').Step} Step
 * @typedef {import('./types.js').Turn} Turn
 */
import { rules } from './rules.js';

const FLAGS = /** @type {Record<string, string>} */ ({ x: 'c', _: 's', '@': 'k', '&': 'b', '': 'n' });

/** @param {string} lan @returns {{from: string, stay: string, steps: {piece: string, flags: string, to: string}[]}|null} */
export function readLan(lan) {
  const deploy = /^([a-k]\d+):([^:]*):(.*)$/.exec(lan);
  if (deploy) {
    const steps = deploy[3].split(',').flatMap((step) => {
      const m = /^(\([^)]*\)|\+?[A-Z])(?:[a-k]\d+)?>([x_@&]?)([a-k]\d+)$/.exec(step);
      return m ? [{ piece: m[1], flags: FLAGS[m[2]], to: m[3] }] : [];
    });
    return { from: deploy[1], stay: deploy[2], steps };
  }
  const m = /^(\([^)]*\)|\+?[A-Z])([a-k]\d+?)([x_@&]?)([a-k]\d+)$/.exec(lan);
  return m && { from: m[2], stay: '', steps: [{ piece: m[1], flags: FLAGS[m[3]], to: m[4] }] };
}

/** Squares to highlight after a turn. @param {string} lan @returns {string[]} */
export function touched(lan) {
  const read = readLan(lan);
  return read ? [...new Set([read.from, ...read.steps.map((s) => s.to)])] : [];
}

/** The arrows of a turn. @param {string} lan @returns {{from: string, to: string, strike: boolean}[]} */
export function trail(lan) {
  const read = readLan(lan);
  return read ? read.steps.map((step) => ({ from: read.from, to: step.to, strike: step.flags === 's' })) : [];
}

/**
 * The steps of a turn with the board after each. A plain move needs no question; a deploy is asked for.
 * @param {string} before FEN before the turn @param {Turn} turn
 * @returns {Promise<Step[]>}
 */
export async function stepsOf(before, turn) {
  if (turn.steps) return turn.steps;
  const read = readLan(turn.lan);
  if (read && !turn.lan.includes(':')) {
    const [{ piece, flags, to }] = read.steps;
    turn.steps = [{ lan: turn.lan, from: read.from, to, flags, piece, board: turn.fen.split(' ')[0] }];
  } else {
    turn.steps = await rules.steps(before, [turn.lan]).then((a) => a.turns[0]?.steps ?? []).catch(() => []);
  }
  return turn.steps ?? [];
}
