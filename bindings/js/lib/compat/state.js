// All that a game is: its board, its open session, its history.

import { Board } from './board.js';
import { cellsOf } from './piece.js';

export class State {
  /** What is open: a session, and with a deploy what `Board.session()` answers, else the plain move that waits. */
  session = null;
  info = null;
  held = null;
  /** One entry a turn: the FEN before and after it, and its result. */
  history = [];
  #cells;
  #cellsOf = '';

  constructor(fen, lastGuard) {
    this.lastGuard = lastGuard;
    this.board = new Board(fen, lastGuard);
  }

  /** The FEN as the game tells it, extended while a deploy is open. */
  get fen() {
    return this.info === null ? this.board.fen : this.info.fen;
  }

  /** The FEN of the board as it stands. */
  get boardFen() {
    return this.info === null ? this.board.fen : this.info.boardFen;
  }

  get turn() {
    const { fen } = this.board;
    return fen[fen.indexOf(' ') + 1];
  }

  /** What stands on every square, as text by index. Not to be changed. */
  get cells() {
    const fen = this.boardFen;
    if (this.#cellsOf !== fen) {
      this.#cells = cellsOf(fen);
      this.#cellsOf = fen;
    }
    return this.#cells;
  }

  /** The fields of the FEN after the placement. */
  get counters() {
    const [, turn, , , halfMoves, moveNumber] = this.board.fen.split(' ');
    return { turn, halfMoves: Number(halfMoves), moveNumber: Number(moveNumber) };
  }

  /** The FEN with which the moves began. */
  get startFen() {
    if (this.history.length > 0) return this.history[0].before;
    return this.held === null ? this.board.fen : this.held.before;
  }

  /** Leaves the session, if one is open. */
  close() {
    this.session = null;
    this.info = null;
    this.held = null;
  }

  /** Goes to a position between turns. */
  goTo(fen) {
    this.close();
    this.board.set(fen);
  }
}

/** The placement of a FEN. */
export function placement(fen) {
  return fen.slice(0, fen.indexOf(' '));
}

/** Everything else, with the blank before it. */
export function counters(fen) {
  return fen.slice(fen.indexOf(' '));
}

/** What makes positions the same for repetition: placement and side to move. */
export function repetitionKey(fen) {
  return fen.slice(0, fen.indexOf(' ') + 2);
}
