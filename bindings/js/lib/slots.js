// Values that lie in slots of a WebAssembly module. There is a fixed number of slots, given out in turn. A value that
// loses its slot to a younger one keeps a text of itself, and takes another slot when it is used again. So discarded
// values cost nothing, however many a program makes without a pause (finalizers run in pauses only), and a module that
// had to be started anew loses nothing.

import { ConvoyError } from './error.js';

/** The slots of one kind of values. */
export class Slots {
  #owners;
  #youngest = 0;

  /** `save` and `load` are the exports that write a value as text and read it again. */
  constructor(module, count, save, load) {
    this.module = module;
    this.save = save;
    this.load = load;
    this.#owners = new Array(count).fill(null);
    module.beforeRestart(() => this.#saveAll());
  }

  /** A slot for a value that is about to be made; whoever was in it leaves. */
  claim() {
    this.#youngest = (this.#youngest + 1) % this.#owners.length;
    this.#owners[this.#youngest]?.leave();
    this.#owners[this.#youngest] = null;
    return this.#youngest;
  }

  settle(slot, owner) {
    this.#owners[slot] = owner;
  }

  release(slot) {
    this.#owners[slot] = null;
  }

  #saveAll() {
    for (const owner of this.#owners) {
      try {
        owner?.leave();
      } catch {
        // It is lost with the module, and says so when it is used.
      }
    }
    this.#owners.fill(null);
  }
}

const NONE = -1;
const FREED = -2;

/** A value in a slot, wherever that is. */
export class Slotted {
  #slots;
  #slot = NONE;
  #start = 0;
  #saved = null;

  /** Makes the value by an export that fills the slot it is given. */
  constructor(slots, fill) {
    this.#slots = slots;
    const slot = slots.claim();
    fill(slot);
    this.#settle(slot);
  }

  #settle(slot) {
    this.#slots.settle(slot, this);
    this.#slot = slot;
    this.#start = this.#slots.module.starts;
  }

  /** The number of its slot; it takes one if it has none. */
  get slot() {
    const { module } = this.#slots;
    if (this.#slot >= 0 && this.#start === module.starts) return this.#slot;
    if (this.#slot === FREED) throw new ConvoyError('freed', 'the value was freed');
    if (this.#saved === null) throw new ConvoyError('internal', 'the value was lost');
    const slot = this.#slots.claim();
    module.write(this.#saved, 'the saved text');
    module.call(this.#slots.load, slot);
    this.#settle(slot);
    return slot;
  }

  /** The text of the value. */
  saved() {
    if (this.#slot === FREED) throw new ConvoyError('freed', 'the value was freed');
    this.#saved ??= this.#slots.module.text(this.#slots.module.call(this.#slots.save, this.slot));
    return this.#saved;
  }

  /** To be called after the value has changed: a text of it no longer holds. */
  changed() {
    this.#saved = null;
  }

  /** Gives up the slot. */
  leave() {
    this.saved();
    this.#slot = NONE;
  }

  /** Gives up the slot for good: whoever uses the value after this gets an error. */
  free() {
    if (this.#slot >= 0 && this.#start === this.#slots.module.starts) this.#slots.release(this.#slot);
    this.#slot = FREED;
    this.#saved = null;
  }
}
