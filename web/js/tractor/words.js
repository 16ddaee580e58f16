/**
 * What the server says about cards, in the page's language. The judgement is the server's; here are only words.
 *
 * @typedef {{kind: string, pairs?: number}} Component
 * @typedef {{group: string|null, parts: Component[], count: number}} Name
 * @typedef {{code: string, message: string, [more: string]: any}} Why
 */
import { has, lang, t } from '../i18n.js';
import { cardSigns } from './cards.js';

/** @param {string[]} items */
export const list = (items) => new Intl.ListFormat(lang, { type: 'conjunction' }).format(items);

/** @param {string} group */
export const groupName = (group) => (group === 'trump' ? t('tr-trumps') : t(`tr-suits-${group}`));

/** @param {Component} part */
const partName = (part) => t(`tr-${part.kind}`, { pairs: part.pairs ?? 0 });

/** "tractor of 2 pairs", "throw: pair + single", "3 cards". @param {Name} name @param {boolean} leads */
export function selectionName(name, leads) {
  if (!name.count) return '';
  if (name.parts.length === 1) return partName(name.parts[0]);
  if (!name.group || !leads) return t('tr-cards', { count: name.count });
  return t('tr-throw', { parts: name.parts.map(partName).join(' + ') });
}

/** Why something is refused. @param {Why} why @param {(seat: number) => string} seatName */
export function whyWords(why, seatName) {
  const key = `tr-why-${why.code}`;
  if (!has(key)) return why.message;
  const cards = (/** @type {string[]|undefined} */ c) => cardSigns(c ?? []);
  return t(key, {
    seat: why.seat === undefined ? '' : seatName(why.seat),
    given: why.given ?? 0,
    led: why.led ?? 0,
    played: why.played ?? 0,
    owed: why.owed ?? 0,
    pairs: why.pairs ?? 0,
    group: why.group ? groupName(why.group) : '',
    held: cards(why.held),
    cards: cards(why.cards),
    by: cards(why.by),
    shape: why.shape ? partName({ kind: why.shape, pairs: why.pairs }) : '',
    groups: why.groups ? list(why.groups.map(groupName)) : '',
  });
}

/**
 * A suggestion with its reason: what it does in the trick, the points to be expected, and what the next best play comes to.
 * @param {{cards: string[], why?: string, points?: number, instead?: {cards: string[], points: number}|null}} hint
 */
export function hintWords({ cards, why, points, instead }) {
  const words = [t('tr-hint-is', { cards: cardSigns(cards) })];
  if (why) words.push(t(`tr-hint-why-${why}`));
  if (points !== undefined) words.push(t('tr-hint-worth', { points: Math.round(points) }));
  if (instead) words.push(t('tr-hint-instead', { cards: cardSigns(instead.cards), points: Math.round(instead.points) }));
  return words.join(t('space'));
}

/** "7♥", "7, no trump suit". @param {{rank: string, suit: string}} trump */
export function trumpWords(trump) {
  const rank = trump.rank === 'T' ? '10' : trump.rank;
  return trump.suit === 'N' ? t('tr-no-suit', { rank }) : t('tr-trump-is', { rank, suit: t(`tr-suit-${trump.suit}`) });
}

/** @param {string} type @param {string} suit */
export const bidWords = (type, suit) => t(`tr-bid-${type}`, { suit: suit === 'N' ? '' : t(`tr-suit-${suit}`) });
