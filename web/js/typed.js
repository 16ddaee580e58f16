/**
 * Moves in notation, typed into the box beside a board.
 * @typedef {import('./board.js').ConvoyBoard} ConvoyBoard
 */
import { choiceOf } from './draft.js';
import { t } from './i18n.js';
import { Refused } from './refused.js';

/** Plays one of the moves that are offered, or a whole turn for the server to read. @param {ConvoyBoard} board @param {string} text @returns {Promise<void>} */
export async function playTyped(board, text) {
  const { dock, draft, rules } = board;
  dock.error.textContent = '';
  if (!draft || !rules || board.pending) return void (dock.error.textContent = t('not-your-turn'));
  const plain = (/** @type {string} */ s) => s.replace(/[+\s^#!?]/g, '').replace('<', '_').toLowerCase();
  const found = draft.answer.moves.filter((m) => m.san === text || m.lan === text);
  const near = found.length ? found : draft.answer.moves.filter((m) => plain(m.san) === plain(text) || plain(m.lan) === plain(text));
  if (near.length === 1) {
    dock.input.value = '';
    if (near[0].lan === '.') return board.done();
    return void board.take(choiceOf(near[0]));
  }
  try {
    const { turns } = await rules.steps(draft.fen, [...draft.lans, text]);
    if (turns.length !== 1) throw new Refused('unfinished', t('typed-unfinished'));
    dock.input.value = '';
    board.finish([...draft.lans, text], null, turns[0].san);
  } catch (error) {
    dock.error.textContent = error instanceof Refused ? t('typed-refused', { move: text, reason: error.message }) : t('offline');
  }
}
