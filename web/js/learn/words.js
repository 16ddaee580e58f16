/** What is said to an attempt, in the page's language. */
import { t } from '../i18n.js';
import { cardSigns } from '../tractor/cards.js';
import { whyWords } from '../tractor/words.js';
import { list, pieceName } from '../words.js';

/** @typedef {{result: string, why?: any, note?: string, done?: string, fen?: string}} Answer */

/** @param {string} letters */
const pieces = (letters) => list([...(letters ?? '')].map((letter) => pieceName(letter.toLowerCase())));

/** What only says that something else was asked for: the hint tells what. */
const BARE = ['better', 'choice'];

/** Why an attempt is wrong: the rules' reason, then what the author says. @param {Answer} answer @param {string} hint the step's */
export function wrongWords({ result, why, note }, hint) {
  if (!why) return note ?? '';
  if (why.code === 'rules') return [whyWords(why.rules, String), note].filter(Boolean).join(' · ');
  const kind = why.kind === 'throw' ? t('learn-throw') : why.kind ? t(`tr-${why.kind}`, { pairs: why.pairs ?? 0 }) : '';
  const args = {
    pieces: pieces(why.pieces), square: why.square ?? '', turn: why.turn ?? '', kind,
    cards: cardSigns(why.cards ?? []), points: why.points ?? 0, suit: why.suit ? t(`tr-suits-${why.suit}`) : '',
  };
  const words = result === 'illegal' ? t(`learn-why-${why.code}`, args) : t(`learn-miss-${why.code}`, args);
  return [words, note ?? (BARE.includes(why.code) ? hint : '')].filter(Boolean).join(' ');
}
