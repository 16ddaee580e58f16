// A turn that is not over: an open deploy, or a plain move that waits to be committed.

import { BITS, SQUARE_MAP, SQUARE_NAMES } from './constants.js';
import { pieceOf, piecesOf, stackText } from './piece.js';
import { KINDS, MoveResult, ROLE_LETTERS, withoutGaps } from './result.js';

/** What `getSession()` gives: it follows the game, and keeps its last state when the session is over. */
export class MoveSession {
  #game;
  #state;

  /** `game` has `isOpen(session)`, `commitable()`, `cancel()` and `undo()`. */
  constructor(game, { square, turn, startFEN, isDeploy }) {
    this.#game = game;
    this.stackSquare = square;
    this.turn = turn;
    this.startFEN = startFEN;
    this.isDeploy = isDeploy;
    this.#state = { original: undefined, remaining: [], moves: [], result: undefined };
  }

  /** Sets the state: what stood there at first, what remains, the moves so far and the result as it would be. */
  static renew(session, state) {
    session.#state = state;
  }

  get originalPiece() {
    return pieceOf(this.#state.original);
  }

  /** The pieces that have not moved, one by one, carrier first. */
  get remaining() {
    return this.#state.remaining.map((piece) => ({ ...piece }));
  }

  get moves() {
    return this.#state.moves;
  }

  get commands() {
    return this.#state.moves.map((move) => ({ move }));
  }

  get isEmpty() {
    return this.#state.moves.length === 0;
  }

  get isComplete() {
    return !this.isEmpty && this.#state.remaining.length === 0;
  }

  canCommit() {
    return this.#game.isOpen(this) && this.#game.commitable();
  }

  cancel() {
    if (this.#game.isOpen(this)) this.#game.cancel();
  }

  undoLastMove() {
    if (this.#game.isOpen(this)) this.#game.undo();
  }

  getCurrentResult() {
    return this.#state.result;
  }
}

/** The result of a deploy as far as it has gone: `info` is what `Board.session()` answers. */
export function deployResult(info, { color, before, after, completed }) {
  const steps = info.steps;
  const targets = new Map();
  for (const { pieces, to } of steps) {
    const there = targets.get(to);
    // Two groups of one stack that meet again make a stack; who joined a stranger is named alone.
    const both = there && stackText([...piecesOf(there), ...piecesOf(pieces)]);
    targets.set(to, both || pieces);
  }
  const letters = [...new Set(steps.map(({ kind }) => KINDS[kind].letter))];
  // A piece that rejoins another moves with it.
  const stepped = steps.find(({ pieces }) => pieces.toLowerCase().includes(ROLE_LETTERS[info.lastRole]));
  const captured = steps.filter((step) => step.captured).map((step) => pieceOf(step.captured));
  return new MoveResult({
    color,
    from: info.lan.slice(0, info.lan.indexOf(':')),
    to: new Map([...targets].map(([square, pieces]) => [square, pieceOf(pieces)])),
    piece: pieceOf(stepped.pieces),
    captured: captured.length > 0 ? captured : undefined,
    flags: `d${letters.join('')}`,
    before,
    after,
    san: info.san,
    lan: info.lan,
    stay: info.remaining && pieceOf(info.remaining),
    completed,
  });
}

/** The steps of a deploy with indices and bits. */
export function deployMoves(info, color, stackSquare) {
  return info.steps.map(({ pieces, to, kind, captured }) => withoutGaps({
    color,
    from: stackSquare,
    to: SQUARE_MAP[to],
    piece: pieceOf(pieces),
    flags: KINDS[kind].bit | BITS.DEPLOY,
    captured: captured && piecesOf(captured),
  }));
}

/** What `getDeployState()` gives for an open deploy. */
export function deployView(session, info) {
  return {
    stackSquare: SQUARE_NAMES[session.stackSquare],
    turn: session.turn,
    originalPiece: session.originalPiece,
    movedPieces: info.steps.map(({ pieces }) => pieceOf(pieces)),
    remainingPieces: session.remaining,
    stayPiece: info.remaining && pieceOf(info.remaining),
    canCommit: info.canCommit,
    isComplete: session.isComplete,
  };
}
