// Who may carry whom: the stacks of Cờ Tư Lệnh, or those of another blueprint.

import { ConvoyError } from './error.js';
import { Module } from './module.js';
import { Slots, Slotted } from './slots.js';
import * as packed from './wasm/stack.js';

export { ConvoyError } from './error.js';

const stacks = new Module(packed);
const slots = new Slots(stacks, 64, 'stack_blueprint', 'stack_read');

/** The lawful stacks of a blueprint. Stacks are told by the letters of their roles, in any order. */
export class StackTable {
  #table;

  /** Without a text, the table of Cờ Tư Lệnh. */
  constructor(blueprint = '') {
    this.#table = new Slotted(slots, (slot) => {
      stacks.write(blueprint, 'blueprint');
      stacks.call('stack_read', slot);
    });
  }

  #ask(name, letters) {
    const { slot } = this.#table;
    stacks.write(letters, 'letters');
    return stacks.text(stacks.call(name, slot));
  }

  /** The text of the blueprint. */
  get blueprint() {
    return this.#table.saved();
  }

  /** The stack that these pieces make, the carrier first; what forbids it is told. */
  combine(letters) {
    return this.#ask('stack_combine', letters);
  }

  /** Whether these pieces make a stack. */
  isLawful(letters) {
    try {
      this.combine(letters);
      return true;
    } catch (error) {
      if (error instanceof ConvoyError && error.code === 'cannot-combine') return false;
      throw error;
    }
  }

  /** Every way to split a stack into lawful stacks, the whole first. */
  splits(letters) {
    return this.#ask('stack_splits', letters).trimEnd().split('\n').map((line) => line.split(' '));
  }

  /** Every lawful stack, the carrier first. */
  lawful() {
    return stacks.text(stacks.call('stack_lawful', this.#table.slot)).trimEnd().split('\n');
  }

  /** Gives its memory back at once; nothing is lost if it is never called. */
  free() {
    this.#table.free();
  }
}
