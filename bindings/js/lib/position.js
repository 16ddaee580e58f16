// Positions of Cờ Tư Lệnh as immutable values. The board of a position lies in a slot of the WebAssembly module; there
// are 1024, given out in turn. A position that loses its slot to a younger one keeps its FEN and takes another slot
// when it is used again: discarded positions cost nothing, however many a program makes between two of its pauses
// (finalizers would run in those pauses only).

import { ConvoyError } from './error.js';
import { Module } from './module.js';
import packed from './wasm/cotulenh.js';

/** As many as `SLOTS` of `src/position.rs`. */
const SLOTS = 1024;

export const rules = new Module(packed);

/** Who is in which slot. */
const owners = new Array(SLOTS).fill(null);
let youngest = 0;

/** A slot for a position that is about to be made: its owner is told to go. */
function claimSlot() {
  youngest = (youngest + 1) % SLOTS;
  owners[youngest]?.leave();
  owners[youngest] = null;
  return youngest;
}

rules.rescue = () => {
  for (const owner of owners) {
    try {
      owner?.leave();
    } catch {
      // Its position is lost with the module.
    }
  }
  owners.fill(null);
};

/** The board of a position, wherever it lies. */
export class Board {
  #slot = -1;
  #start = 0;
  #fen = null;

  /** Makes a board by an export that fills the slot it is given. */
  static make(fill) {
    const slot = claimSlot();
    fill(slot);
    const board = new Board();
    board.#settle(slot);
    return board;
  }

  static fromFen(fen) {
    return Board.make((slot) => {
      rules.write(fen, 'fen');
      rules.call('position_read', slot);
    });
  }

  #settle(slot) {
    owners[slot] = this;
    this.#slot = slot;
    this.#start = rules.starts;
  }

  /** The slot of this board; it takes one if it has none. */
  get slot() {
    if (this.#slot >= 0 && this.#start === rules.starts) return this.#slot;
    if (this.#fen === null) throw new ConvoyError('internal', 'the position was lost');
    const slot = claimSlot();
    rules.write(this.#fen, 'fen');
    rules.call('position_read', slot);
    this.#settle(slot);
    return slot;
  }

  /** Gives up the slot. */
  leave() {
    this.fen();
    this.#slot = -1;
  }

  fen() {
    this.#fen ??= rules.text(rules.call('position_fen', this.slot));
    return this.#fen;
  }

  /** The board that an export makes of this one: it is given both slots. */
  derive(fill) {
    return Board.make((into) => fill(this.slot, into));
  }
}
