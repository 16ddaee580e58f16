// The stacker: who carries whom, for pieces of the caller's own.

import { rules } from '../rules.js';

export const ROLE_FLAGS = Object.freeze({
  COMMANDER: 1, INFANTRY: 2, MILITIA: 4, ARTILLERY: 8, ANTI_AIR: 16, MISSILE: 32, TANK: 64, AIR_FORCE: 128,
  ENGINEER: 256, NAVY: 512, HEADQUARTER: 1024,
});

export const DEFAULT_ROLE_MAPPING = Object.freeze(Object.fromEntries(
  Object.keys(ROLE_FLAGS).map((name) => [name, name]),
));

/** The letters in the order of the flags. */
const LETTERS = 'cimagstfenh';

/** By the sum of its flags: the flags of a lawful stack, carrier first. */
let stacks;

function lawfulStacks() {
  if (stacks === undefined) {
    const lines = rules.text(rules.call('compat_stacks')).trim().split('\n');
    const flags = lines.map((line) => [...line.toLowerCase()].map((letter) => 1 << LETTERS.indexOf(letter)));
    stacks = new Map(flags.map((order) => [order.reduce((sum, flag) => sum | flag, 0), order]));
  }
  return stacks;
}

/** The flags of a stack of these roles, carrier first, or `undefined`. */
function orderOf(flags) {
  let mask = 0;
  for (const flag of flags) {
    if (mask & flag) return undefined;
    mask |= flag;
  }
  return lawfulStacks().get(mask);
}

/** The letters of a stack of these letters, carrier first, or `undefined`. */
export function lawfulOrder(letters) {
  const order = orderOf(letters.map((letter) => 1 << LETTERS.indexOf(letter)));
  return order?.map((flag) => LETTERS[Math.log2(flag)]);
}

/** From a role's text to its flag: the text as it stands, then in upper case; 0 if it is unknown. */
export function createRoleMapper(mapping = DEFAULT_ROLE_MAPPING) {
  const named = (text) => (Object.hasOwn(mapping, text) ? mapping[text] : undefined);
  return (role) => {
    const text = String(role);
    const name = named(text) ?? named(text.toUpperCase());
    if (typeof name === 'number') return name;
    return typeof name === 'string' && Object.hasOwn(ROLE_FLAGS, name) ? ROLE_FLAGS[name] : 0;
  };
}

export class StackEngine {
  /** The packed stack of these flags, or `null`: empty, more than four, doubled, unlawful. */
  lookup(flags) {
    if (!Array.isArray(flags) || flags.length === 0 || flags.length > 4) return null;
    const order = orderOf(flags);
    if (order === undefined || order.length !== flags.length) return null;
    return order.reduceRight((packed, flag) => (packed << 16n) | BigInt(flag), 0n);
  }
}

export class PieceStacker {
  #flag;

  /** `role` answers a piece's flag, or the text of its role, which `mapping` names. */
  constructor(role, mapping = undefined) {
    if (typeof role !== 'function') throw new TypeError('PieceStacker needs a function from a piece to its role');
    const mapped = createRoleMapper(mapping);
    this.#flag = (piece) => {
      const answer = role(piece);
      return typeof answer === 'string' ? mapped(answer) : Number(answer) || 0;
    };
  }

  static withRoleMapping(role, mapping = DEFAULT_ROLE_MAPPING) {
    return new PieceStacker(role, mapping);
  }

  /** Pieces and cargo one by one, each a copy without cargo; what has no role is left out. */
  #flatten(pieces) {
    const flat = [];
    const add = (piece) => {
      const { carrying, ...alone } = piece;
      const flag = this.#flag(piece);
      if (flag !== 0) flat.push({ flag, piece: alone });
      if (Array.isArray(carrying)) carrying.forEach(add);
    };
    pieces.forEach(add);
    return flat;
  }

  #build(flat) {
    const order = flat.length > 0 && orderOf(flat.map((entry) => entry.flag));
    if (!order) return null;
    const [carrier, ...carrying] = order.map((flag) => flat.find((entry) => entry.flag === flag).piece);
    return carrying.length === 0 ? carrier : { ...carrier, carrying };
  }

  /** The stack of these pieces and their cargo, or `null`. */
  combine(pieces) {
    return this.#build(this.#flatten(pieces));
  }

  /** What is left of a stack without the roles of a part, or `null`. */
  remove(stack, part) {
    const gone = this.#flatten([part]).reduce((mask, entry) => mask | entry.flag, 0);
    const all = this.#flatten([stack]);
    const left = all.filter((entry) => (entry.flag & gone) === 0);
    return left.length === all.length ? stack : this.#build(left);
  }
}
