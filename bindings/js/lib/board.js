// The boards of Cờ Tư Lệnh, as `cotulenh.js` uses them.

import { rules } from './rules.js';
import { Slots, Slotted } from './slots.js';

const boards = new Slots(rules, 1024, 'position_fen', 'position_read');

/** The board of a position: an immutable value, whose text is its FEN. */
export class Board extends Slotted {
  /** Makes a board by an export that fills the slot it is given. */
  static make(fill) {
    return new Board(boards, fill);
  }

  static fromFen(fen) {
    return Board.make((slot) => {
      rules.write(fen, 'fen');
      rules.call('position_read', slot);
    });
  }

  fen() {
    return this.saved();
  }

  /** The board that an export makes of this one: it is given both slots. */
  derive(fill) {
    return Board.make((into) => fill(this.slot, into));
  }
}
