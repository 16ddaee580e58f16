// Check, mate, draws: what a position between turns is.

import { Board } from './board.js';
import { commanderIndex } from './setup.js';
import { counters, repetitionKey } from './state.js';

/** The board that is judged: with a plain move that waits, the one after it. */
function settled(state) {
  return state.held === null ? state.board : new Board(state.held.after, state.lastGuard);
}

/** Whether the side to move has no move, and whether it is in check; never while a deploy is open. */
function isStuck(state, inCheck) {
  if (state.info !== null) return false;
  const board = settled(state);
  return board.inCheck() === inCheck && !board.hasMove();
}

export function isCheckmate(state) {
  return isStuck(state, true);
}

export function isStalemate(state) {
  return isStuck(state, false);
}

export function isDrawByFiftyMoves(state) {
  return Number(counters(settled(state).fen).split(' ')[4]) >= 100;
}

/** `counts` are occurrences that the caller has told. */
export function isThreefoldRepetition(state, counts) {
  const key = repetitionKey(settled(state).fen);
  const before = state.history.filter((entry) => repetitionKey(entry.before) === key).length;
  const waiting = state.held !== null && repetitionKey(state.held.before) === key ? 1 : 0;
  return 1 + before + waiting + (counts.get(key) ?? 0) >= 3;
}

export function isDraw(state, counts) {
  return isDrawByFiftyMoves(state) || isThreefoldRepetition(state, counts) || isStalemate(state);
}

export function isCommanderCaptured(state) {
  return commanderIndex(state, 'r') < 0 || commanderIndex(state, 'b') < 0;
}

export function isGameOver(state, counts) {
  if (state.info !== null) return false;
  return isCommanderCaptured(state) || isCheckmate(state) || isDraw(state, counts);
}

/** The result for a PGN: `*` while the game goes on. */
export function resultOf(state, counts) {
  if (state.info !== null) return '*';
  const missing = ['r', 'b'].filter((color) => commanderIndex(state, color) < 0);
  if (missing.length === 2) return '*';
  if (missing.length === 1) return missing[0] === 'r' ? '0-1' : '1-0';
  if (isCheckmate(state)) return counters(settled(state).fen)[1] === 'r' ? '0-1' : '1-0';
  return isDraw(state, counts) ? '1/2-1/2' : '*';
}
