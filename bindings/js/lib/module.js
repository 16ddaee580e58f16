// Compiles a WebAssembly file on the first call, and passes texts and lists over its boundary.

import { ConvoyError, badArgument } from './error.js';
import { fromBase64, inflate } from './inflate.js';
import { decode, encode } from './text.js';

/** The most characters of a text that is passed: a line of the protocol holds no more. */
const LONGEST_TEXT = 1 << 20;

/** One WebAssembly file; its exports are reached through `exports`. */
export class Module {
  #packed;
  #imports;
  #compiled;
  #exports;
  #memory;
  #savers = [];

  /** `packed` is what a file of `lib/wasm` exports: the inflated length, and base64 of raw deflate. */
  constructor(packed, imports = {}) {
    this.#packed = packed;
    this.#imports = imports;
    /** How often the module has been started: slots of an earlier start are lost. */
    this.starts = 0;
  }

  get exports() {
    return this.#exports ?? this.#start();
  }

  #start() {
    this.#compiled ??= new WebAssembly.Module(inflate(fromBase64(this.#packed.data), this.#packed.length));
    const instance = new WebAssembly.Instance(this.#compiled, this.#imports);
    this.#exports = instance.exports;
    this.#memory = new Uint8Array(this.#exports.memory.buffer);
    this.starts++;
    return this.#exports;
  }

  #bytes() {
    if (this.#memory.buffer !== this.#exports.memory.buffer) {
      this.#memory = new Uint8Array(this.#exports.memory.buffer);
    }
    return this.#memory;
  }

  /** Puts a text into the input buffer. */
  write(text, name) {
    if (typeof text !== 'string') throw badArgument(name, 'a string', text);
    if (text.length > LONGEST_TEXT) {
      throw new ConvoyError('too-long', `${name} has ${text.length} characters; ${LONGEST_TEXT} are read`);
    }
    const { input } = this.exports;
    if (text.length <= 512) {
      const start = input(text.length);
      const bytes = this.#bytes();
      let i = 0;
      for (; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 127) break;
        bytes[start + i] = unit;
      }
      if (i === text.length) return;
    }
    this.writeBytes(encode(text));
  }

  /** Puts bytes into the input buffer. */
  writeBytes(bytes) {
    const start = this.exports.input(bytes.length);
    this.#bytes().set(bytes, start);
  }

  /**
   * Calls an export that answers through the output buffer, and answers how long its answer is. What the export
   * refuses is thrown; a trap is a defect of this package: the module starts anew, so that later calls work.
   */
  call(name, a, b, c) {
    const length = this.number(name, a, b, c);
    if (length < 0) throw this.#refusal(-length);
    return length;
  }

  /** Calls an export that answers a number. */
  number(name, a, b, c) {
    try {
      return this.exports[name](a, b, c);
    } catch (error) {
      this.#restart();
      throw new ConvoyError('internal', `${name} failed: ${error.message}`, { cause: error });
    }
  }

  /** Has a function called before the module is started anew, when its memory can be read for the last time. */
  beforeRestart(save) {
    this.#savers.push(save);
  }

  #restart() {
    const savers = this.#savers;
    // A save may trap too: it is not tried again then.
    this.#savers = [];
    for (const save of savers) save();
    this.#savers = savers;
    this.#exports = undefined;
  }

  #refusal(length) {
    const { code, message, ...data } = JSON.parse(this.text(length));
    return new ConvoyError(code, message, data);
  }

  /** The text in the output buffer. */
  text(length) {
    return this.textAt(this.#exports.output(), length);
  }

  /** The text at a place of the memory. */
  textAt(start, length) {
    return decode(this.#bytes().subarray(start, start + length));
  }

  /** The bytes in the output buffer, copied. */
  bytes(length) {
    const start = this.#exports.output();
    return this.#bytes().slice(start, start + length);
  }

  /** The numbers in the output buffer, copied. */
  words(length) {
    return new Uint32Array(this.bytes(length).buffer);
  }
}
