// The rules of Cờ Tư Lệnh.

import { Board, rules } from './position.js';

export { ConvoyError } from './error.js';

/** A position: an immutable value. */
export class Position {
  #board;

  constructor(board) {
    this.#board = board;
  }

  /** The start of a game. */
  static start() {
    return new Position(Board.make((slot) => rules.call('position_start', slot)));
  }

  static fromFen(fen) {
    return new Position(Board.fromFen(fen));
  }

  fen() {
    return this.#board.fen();
  }

  /** The legal moves as numbers. */
  moves() {
    return rules.words(rules.call('position_moves', this.#board.slot));
  }

  /** The SAN of every legal move. */
  sans() {
    const text = rules.text(rules.call('position_sans', this.#board.slot));
    return text === '' ? [] : text.split('\n');
  }

  /** The position after a legal move. */
  play(move) {
    return new Position(this.#board.derive((slot, into) => rules.call('position_play', slot, into, move)));
  }

  perft(depth) {
    return rules.exports.position_perft(this.#board.slot, depth);
  }
}

/** Answers an op of the protocol (`docs/protocol.md`). */
export function query(op, fields = {}) {
  rules.write(`${op}\n${JSON.stringify(fields)}`, 'op');
  return JSON.parse(rules.text(rules.call('cotulenh_query')));
}
