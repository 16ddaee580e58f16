/**
 * Pieces, stacks and moves in words of the page's language.
 * @typedef {import('./types.js').Stack} Stack
 * @typedef {import('./types.js').Part} Part
 * @typedef {import('./types.js').Move} Move
 */
import { lang, t } from './i18n.js';
import { parseStack } from './fen.js';

/** Vietnamese initials of the second piece set. @type {Record<string, string>} */
const INITIALS = { c: 'Tư', i: 'Bb', t: 'Tg', m: 'Dq', e: 'Cb', a: 'Ph', g: 'Cx', s: 'Tl', f: 'Kq', n: 'Hq', h: 'Sở' };

/** @param {string} type @param {string} set */
export const initial = (type, set) => (set === 'vi' ? INITIALS[type] : type.toUpperCase());

/** @param {string} type */
export const pieceName = (type) => t(`piece-${type}`);

/** @param {Part} part */
export const partName = (part) => (part.heroic ? t('heroic-piece', { piece: pieceName(part.type) }) : pieceName(part.type));

/** @param {string[]} items */
export const list = (items) => new Intl.ListFormat(lang, { type: 'conjunction' }).format(items);

/** "red Navy, heroic, carrying Air Force and Tank". @param {Stack} stack */
export function stackName(stack) {
  const [carrier, ...cargo] = stack.parts;
  let text = t('colored-piece', { color: t(`color-${stack.color}`), piece: pieceName(carrier.type) });
  if (carrier.heroic) text += t('comma') + t('heroic');
  if (cargo.length) text += t('comma') + t('carrying', { cargo: list(cargo.map(partName)) });
  return text;
}

/** @param {string} square @param {Stack|undefined} stack */
export const squareName = (square, stack) => `${square}${t('comma')}${stack ? stackName(stack) : t('empty')}`;

/** What moves, without its colour. @param {string} letters */
export function movers(letters) {
  const stack = parseStack(letters);
  return stack ? list(stack.parts.map(partName)) : letters;
}

/** A key for the kind of action. @param {string} flags */
export const kindOf = (flags) =>
  flags.includes('k') ? 'kamikaze' : flags.includes('s') ? 'strike' : flags.includes('c') ? 'take' : flags.includes('b') ? 'join' : 'move';

/**
 * A step in words: "Tank to e6", "Air Force strikes e7".
 * @param {string} letters @param {string} flags @param {string} to
 */
export const stepWords = (letters, flags, to) => t(`say-${kindOf(flags)}`, { piece: movers(letters), square: to });

/**
 * A whole turn in words, from its LAN.
 * @param {string} lan
 */
export function turnWords(lan) {
  const deploy = /^([a-k]\d+):[^:]*:(.*)$/.exec(lan);
  const steps = deploy ? deploy[2].split(',') : [lan];
  return steps
    .map((step) => {
      const m = /^(\([^)]*\)|\+?[A-Z])(?:[a-k]\d+)?>?([x_@&]?)([a-k]\d+)$/.exec(step);
      if (!m) return step;
      const flags = { x: 'c', _: 's', '@': 'k', '&': 'b' }[m[2]] ?? 'n';
      return stepWords(m[1], flags, m[3]);
    })
    .join('; ');
}
