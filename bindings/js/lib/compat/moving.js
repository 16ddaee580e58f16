// Moves: finding, playing, committing and undoing them.

import { ANY, Board, bitsOf, filterOf } from './board.js';
import { SQUARE_NAMES, getMovementMask, squareIndex } from './constants.js';
import { shown } from './error.js';
import { cellsOf, pieceOf, piecesOf, placementOf } from './piece.js';
import { MoveResult, internalMove, playedMove } from './result.js';
import { MoveSession, deployMoves, deployResult } from './session.js';
import { counters, placement } from './state.js';
import { fullTexts, illegal, readSquares, readWanted } from './wanted.js';

/** No move is written with more characters. */
const LONGEST_TEXT = 100;

/** Goes to the position of a FEN that has nothing wrong with it but perhaps its open deploy. */
export function read(state, fen) {
  state.close();
  try {
    state.board.read(fen);
  } catch (refusal) {
    if (refusal.code === 'internal' || !readDangerous(state.board, fen)) throw refusal;
  }
  if (state.board.steps.length === 0) return;
  const origin = bitsOf.from(state.board.steps[0]);
  state.session = openSession(state, origin, state.turn, state.board.fen, true);
  renew(state);
}

/** Reads an open deploy that the rules refuse for the commander's sake but a game can have; answers whether it is one. */
function readDangerous(board, fen) {
  const [plain, told] = [fen.slice(0, fen.lastIndexOf(' ')), fen.slice(fen.lastIndexOf(' ') + 1)];
  const [origin, , steps] = told.split(':');
  if (steps === undefined) return false;
  board.read(plain);
  try {
    for (const step of steps.replace('...', '').split(',')) {
      const [bits] = board.readMoves(step, filterOf(squareIndex(origin), ANY, false));
      board.step(bits);
    }
    return board.session().fen.endsWith(` ${told}`);
  } catch (error) {
    if (error.code === 'internal') throw error;
    return false;
  }
}

/** The bits of the moves that make what was asked for; throws a plain `Error` if it is not one legal thing. */
export function findMoves(state, move, { strict, legal }) {
  const wanted = readWanted(move);
  if (state.held !== null) throw illegal(move, 'a move waits to be committed');
  const search = (list) => (typeof wanted === 'string'
    ? byText(state, wanted, strict, list)
    : byParts(state, wanted, move, list));
  if (!legal || state.info === null) return search(legal);
  try {
    return search(true);
  } catch (refusal) {
    if (refusal.code === 'internal') throw refusal;
    // In an open deploy a step that leads nowhere may be made, and undone.
    try {
      return search(false);
    } catch {
      throw refusal;
    }
  }
}

function byText(state, text, strict, legal) {
  if (text.length > LONGEST_TEXT || (strict && text.includes('-'))) throw illegal(text);
  try {
    return state.board.readMoves(text, filterOf(ANY, ANY, legal));
  } catch (error) {
    if (error.code !== 'illegal-move') throw error;
    const found = strict ? undefined : byOtherText(state, text, legal);
    if (found !== undefined) return found;
    throw illegal(text, error.message);
  }
}

/** What a text means that is no SAN or LAN of this package, or `undefined`. */
function byOtherText(state, text, legal) {
  const squares = readSquares(text, state.info !== null);
  if (squares !== undefined) {
    const found = select(state, squares, legal);
    return found.length === 1 ? found : undefined;
  }
  const readings = [];
  for (const full of fullTexts(text, state)) {
    try {
      readings.push(state.board.readMoves(full, filterOf(ANY, ANY, legal)));
    } catch (error) {
      if (error.code !== 'illegal-move') throw error;
    }
  }
  return readings.length === 1 ? readings[0] : undefined;
}

function select(state, parts, legal) {
  return state.board.select(filterOf(parts.from, ANY, legal), parts.to, parts.bits);
}

function byParts(state, parts, move, legal) {
  const found = select(state, parts, legal);
  if (found.length === 1) return found;
  const what = found.length === 0 ? 'No matching legal move' : 'Multiple matching legal moves';
  throw new Error(`${what} found: ${shown(move)}`);
}

/** Plays what `findMoves` found; answers the result. If anything fails, everything is as it was. */
export function playMoves(state, moves, { autoCommit, legal }) {
  if (!bitsOf.isStep(moves[0])) return playPlain(state, moves[0], autoCommit, legal);
  const { fen, steps } = state.board;
  const { session, info } = state;
  try {
    return playSteps(state, moves, autoCommit);
  } catch (error) {
    state.board.set(fen, steps);
    Object.assign(state, { session, info });
    throw error;
  }
}

function playPlain(state, bits, autoCommit, legal) {
  const { cells, turn } = state;
  const before = state.board.fen;
  const san = state.board.play(bits, filterOf(ANY, ANY, legal));
  const after = state.board.fen;
  if (!autoCommit) return hold(state, bits, san, { cells, color: turn, before, after });
  const result = playedMove(bits, san, { cells, color: turn, before, after, completed: true });
  state.history.push({ before, after, result });
  return result;
}

/** Lets a plain move wait: the board has changed, the turn has not. */
function hold(state, bits, san, { cells, color, before, after }) {
  const waiting = placement(after) + counters(before);
  state.board.set(waiting);
  const result = playedMove(bits, san, { cells, color, before, after: waiting, completed: false });
  const square = bitsOf.from(bits);
  const session = openSession(state, square, color, before, false);
  const combined = bitsOf.kind(bits) === 4 ? pieceOf(cellsOf(after)[bitsOf.to(bits)]) : undefined;
  const moves = [internalMove(bits, cells, color, combined)];
  MoveSession.renew(session, { original: cells[square], remaining: [], moves, result });
  state.held = { before, after, result };
  state.session = session;
  return result;
}

function openSession(state, square, turn, startFEN, isDeploy) {
  const game = {
    isOpen: (session) => state.session === session,
    commitable: () => canCommit(state),
    cancel: () => cancel(state),
    undo: () => undo(state),
  };
  return new MoveSession(game, { square, turn, startFEN, isDeploy });
}

function playSteps(state, moves, autoCommit) {
  const { board, turn } = state;
  const before = board.fen;
  const origin = bitsOf.from(moves[0]);
  for (const bits of moves) if (!bitsOf.isCommit(bits)) board.step(bits);
  state.session ??= openSession(state, origin, turn, before, true);
  const result = renew(state);
  const { canCommit, offersStep } = state.info;
  const ends = bitsOf.isCommit(moves.at(-1)) || !offersStep;
  return autoCommit && ends && canCommit ? commitDeploy(state) : result;
}

/** Asks for the state of the open deploy; answers its result so far. */
function renew(state) {
  const { board, session } = state;
  const info = board.session();
  state.info = info;
  const result = deployResult(info, { color: session.turn, before: board.fen, after: info.fen, completed: false });
  MoveSession.renew(session, {
    original: info.original,
    remaining: info.remaining ? piecesOf(info.remaining) : [],
    moves: deployMoves(info, session.turn, session.stackSquare),
    result,
  });
  return result;
}

function commitDeploy(state) {
  const { board, session, info } = state;
  const before = board.fen;
  board.commit();
  const after = board.fen;
  const result = deployResult(info, { color: session.turn, before, after, completed: true });
  MoveSession.renew(session, {
    original: info.original,
    remaining: session.remaining,
    moves: session.moves,
    result,
  });
  state.history.push({ before, after, result });
  state.close();
  return result;
}

export function canCommit(state) {
  return state.held !== null || (state.info !== null && state.info.canCommit);
}

/** Ends the turn; never throws for a turn that cannot end. */
export function commit(state) {
  if (state.session === null) return { success: false, reason: 'No session is open' };
  if (state.held !== null) {
    const { before, after, result: waiting } = state.held;
    const result = new MoveResult({ ...waiting, after, completed: true });
    state.goTo(after);
    state.history.push({ before, after, result });
    return { success: true, result };
  }
  if (!state.info.canCommit) return { success: false, reason: whyNot(state) };
  return { success: true, result: commitDeploy(state) };
}

function whyNot(state) {
  const { stackSquare } = state.session;
  const left = state.cells[stackSquare];
  if (left !== undefined && !getMovementMask(pieceOf(left).type)[stackSquare]) {
    return `Cannot commit: what is left may not stand on ${SQUARE_NAMES[stackSquare]}`;
  }
  return 'Cannot commit: the commander would be in check or exposed';
}

/** Takes the whole open turn back. */
export function cancel(state) {
  if (state.session !== null) state.goTo(state.held === null ? state.board.fen : state.held.before);
}

/** Takes back the last step of an open turn, else the last turn. */
export function undo(state) {
  const { board, info } = state;
  if (info !== null && info.steps.length > 1) {
    board.undoStep();
    renew(state);
  } else if (state.session !== null) {
    cancel(state);
  } else if (state.history.length > 0) {
    const entry = state.history.pop();
    state.goTo(takenBack(state, entry));
  }
}

/** The position before a turn; what was set up by hand since stays where it is. */
function takenBack(state, { before, after }) {
  const now = state.board.fen;
  if (placement(now) === placement(after)) return before;
  const [old, played, cells] = [before, after, now].map(cellsOf);
  for (let index = 0; index < cells.length; index++) {
    if (old[index] !== played[index]) cells[index] = old[index];
  }
  const fen = placementOf(cells) + counters(before);
  try {
    new Board(fen, true).inCheck();
    return fen;
  } catch (error) {
    if (error.code === 'internal') throw error;
    // A commander that was set up meanwhile, for one, cannot stand beside the old one.
    return before;
  }
}
