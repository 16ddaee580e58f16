/**
 * Cards: how they look and what they are called. A card is its text, `7H0`; a face is `7H`, `sj`, `bj`.
 */
import { html } from '../html.js';
import { has, t } from '../i18n.js';

/** The drawings, fetched once: a reference to another file would be empty for a moment whenever a hand is drawn anew. */
const sprite = await fetch(new URL('../../art/cards.svg', import.meta.url))
  .then((reply) => reply.text())
  .then((text) => new DOMParser().parseFromString(text, 'image/svg+xml'))
  .catch(() => null);

/** @param {string} id @param {string} name */
export function art(id, name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', name);
  svg.setAttribute('aria-hidden', 'true');
  const symbol = sprite?.getElementById(id);
  svg.setAttribute('viewBox', symbol?.getAttribute('viewBox') ?? '0 0 100 100');
  svg.append(...[...(symbol?.childNodes ?? [])].map((node) => document.importNode(node, true)));
  return svg;
}

const LADDER = '23456789TJQKA';
/** Cards from high to low as they are laid on the table; the judgement stays with the server. @param {string[]} cards */
export const inOrder = (cards) => {
  const height = (/** @type {string} */ card) => (faceOf(card) === 'bj' ? 20 : faceOf(card) === 'sj' ? 19 : LADDER.indexOf(card[0]));
  return [...cards].sort((a, b) => height(b) - height(a) || (a < b ? -1 : 1));
};

/** @param {string} card */
export const faceOf = (card) => (/[01]$/.test(card) && card.length === 3 ? card.slice(0, 2) : card);
/** @param {string} face */
export const isJoker = (face) => face === 'sj' || face === 'bj';
/** @param {string} rank */
export const rankText = (rank) => (rank === 'T' ? '10' : rank);

/** "7 of hearts". @param {string} card */
export function cardName(card) {
  const face = faceOf(card);
  if (isJoker(face)) return t(`tr-${face}`);
  // Only pictures have names; the others are numbers.
  const rank = `tr-rank-${face[0]}`;
  return t('tr-card', { rank: has(rank) ? t(rank) : rankText(face[0]), suit: t(`tr-suit-${face[1]}`) });
}

/** Short text with a suit sign, as it stands inside sentences. @param {string} card */
export function cardSign(card) {
  const face = faceOf(card);
  if (isJoker(face)) return t(`tr-${face}`);
  return `${rankText(face[0])}${{ S: '♠', H: '♥', D: '♦', C: '♣' }[face[1]] ?? ''}`;
}

/** @param {string[]} cards */
export const cardSigns = (cards) => cards.map(cardSign).join(' ');

/** The inside of a card. @param {string} card */
function inside(card) {
  const face = faceOf(card);
  if (isJoker(face)) {
    return [
      html('span', { class: 'corner' }, [art(face === 'bj' ? 'star' : 'hollow-star', 'suit'), art('crown', 'suit')]),
      art('crown', 'pip'),
      html('span', { class: 'joker' }, [t(`tr-${face}-short`)]),
    ];
  }
  return [
    html('span', { class: 'corner' }, [html('span', { class: 'rank' }, [rankText(face[0])]), art(face[1], 'suit')]),
    art(face[1], 'pip'),
  ];
}

/** @param {string} card */
const classes = (card) => {
  const face = faceOf(card);
  return `card ${isJoker(face) ? face : `suit-${face[1]}`}${face.length > 1 && face[0] === 'T' ? ' ten' : ''}`;
};

/** A card that can be chosen. @param {string} card @param {boolean} chosen */
export function cardButton(card, chosen) {
  const node = html('button', {
    type: 'button', class: classes(card), 'data-card': card, 'aria-pressed': String(chosen), 'aria-label': cardName(card),
  }, inside(card));
  return node;
}

/** A card that only lies there. @param {string} card */
export function cardPicture(card) {
  return html('span', { class: classes(card), 'data-card': card, role: 'img', 'aria-label': cardName(card) }, inside(card));
}

/** Cards in one overlapping row. @param {Node[]} nodes @param {string} [name] */
export function fan(nodes, name = 'fan') {
  const row = html('span', { class: name }, nodes);
  row.style.setProperty('--n', String(Math.max(2, nodes.length)));
  return row;
}
