export { ConvoyError, ErrorCode } from './error.js';

/** The lawful stacks of a blueprint. Stacks are told by the letters of their roles, in any order. */
export class StackTable {
  /** Without a text, the table of Cờ Tư Lệnh. */
  constructor(blueprint?: string);
  /** The text of the blueprint. */
  get blueprint(): string;
  /** The stack that these pieces make, the carrier first; what forbids it is told. */
  combine(letters: string): string;
  /** Whether these pieces make a stack. */
  isLawful(letters: string): boolean;
  /** Every way to split a stack into lawful stacks, the whole first. */
  splits(letters: string): string[][];
  /** Every lawful stack, the carrier first. */
  lawful(): string[];
  /** Gives its memory back at once; nothing is lost if it is never called. */
  free(): void;
}
