/** The rules page: hands to try, judged by the rules as at a table, and a calculator of scores. */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { boot } from '../page.js';
import { Refused } from '../refused.js';
import '../rules-search.js';
import { ask } from './ask.js';
import './calculator.js';
import { cardButton, cardPicture, cardSign, cardSigns, faceOf, fan, rankText } from './cards.js';
import { bidWords, selectionName, trumpWords, whyWords } from './words.js';

/**
 * @typedef {object} Example
 * @property {string} section
 * @property {'play'|'order'|'declare'|'throw'|'trick'|'kitty'} kind
 * @property {string} trump
 * @property {string[]|null} lead
 * @property {string[][]} more what else lies open
 * @property {string[]} hand
 * @property {string[]} cards what is tried first
 * @property {object|null} standing the declaration that stands
 * @property {any} verdict of the first try, where the page came with it
 *
 * @typedef {{words: string, ok: boolean}} Said
 */

/** @param {Example} example */
const trumpOf = ({ trump }) => ({ rank: trump.slice(0, -1), suit: trump.slice(-1) });

/** Whether the cards may be played. @param {Example} example @param {string[]} cards @param {object} [rules] */
const judge = (example, cards, rules) => ask('judge', { trump: trumpOf(example), lead: example.lead, hand: example.hand, cards, ...(rules && { rules }) });

/** @param {Example} example @param {any} judged */
const named = (example, judged) => selectionName(judged.name, !example.lead);

/** @param {string} what @param {string} why @returns {Said} */
const refusal = (what, why) => ({ words: t('tr-refused', { what: what || '–', why }), ok: false });

/** @param {Example} example @param {any} judged @returns {Said} */
function verdict(example, judged) {
  const what = named(example, judged);
  return judged.ok ? { words: t('tr-allowed', { what }), ok: true } : refusal(what, whyWords(judged.why, String));
}

/** @param {Example} example @param {string[]} cards @returns {Promise<Said>} */
async function order(example, cards) {
  if (cards.length !== 2) return { words: t('tr-try-two'), ok: true };
  const { cmps: [[, , sign]] } = await ask('cmp', { trump: trumpOf(example), cmps: [cards] });
  const [high, low] = (sign < 0 ? [...cards].reverse() : cards).map(cardSign);
  return { words: t(sign === 'x' ? 'tr-try-apart' : sign === 0 ? 'tr-try-equal' : 'tr-try-higher', { high, low }), ok: true };
}

/** @param {string[]} cards */
const faces = (cards) => cards.map(faceOf).sort().join(' ');

/** @param {Example} example @param {string[]} cards @returns {Promise<Said>} */
async function declare(example, cards) {
  const find = async (/** @type {object|null} */ current) => {
    const { options } = await ask('decl', { rank: trumpOf(example).rank, seat: 0, hand: example.hand, current });
    return options.find((/** @type {{cards: string[]}} */ option) => faces(option.cards) === faces(cards));
  };
  const option = await find(example.standing);
  if (option) return { words: t('tr-try-declared', { bid: bidWords(option.type, option.suit) }), ok: true };
  const weak = await find(null);
  return refusal(cardSigns(cards), t(weak ? 'tr-why-declare' : 'tr-why-no-bid'));
}

const CHALLENGE = { throw_mode: 'challenge' };

/** @param {Example} example @param {string[]} cards @returns {Promise<Said>} */
async function throwing(example, cards) {
  const judged = await judge(example, cards, CHALLENGE);
  if (!judged.ok || judged.name.parts.length < 2) return verdict(example, judged);
  const { ok, played, betterSeatOffset } = await ask('throw', { trump: trumpOf(example), hand: example.hand, cards, others: example.more });
  if (ok) return { words: t('tr-try-stands', { what: named(example, judged) }), ok };
  return { words: t('tr-try-fails', { who: t(`tr-try-seat-${betterSeatOffset}`), led: cardSigns(played) }), ok };
}

/** @param {Example} example @param {string[]} cards @returns {Promise<Said>} */
async function trick(example, cards) {
  const judged = await judge(example, cards);
  if (!judged.ok) return verdict(example, judged);
  const plays = [example.lead, ...example.more, cards].map((play, seat) => [seat, play]);
  const { winner, points } = await ask('trick', { trump: trumpOf(example), plays });
  const ok = winner === plays.length - 1;
  return { words: ok ? t('tr-try-won', { points }) : t('tr-took', { name: t('tr-try-player', { number: winner + 1 }), points }), ok };
}

/** @param {Example} example @param {string[]} cards @returns {Promise<Said>} */
async function kitty(example, cards) {
  const judged = await judge(example, cards, CHALLENGE);
  if (!judged.ok) return verdict(example, judged);
  const { bonus } = await ask('kitty', { trump: trumpOf(example), finalLead: cards, kitty: example.more[0], winnerSeat: 1, defending: 'A' });
  const { kittyPoints: points, multiplier: factor, bonusPoints: total } = bonus;
  return { words: t('tr-try-kitty', { what: named(example, judged), points, factor, total }), ok: true };
}

/** What is said to a try. @type {Record<Example['kind'], (example: Example, cards: string[]) => Promise<Said>>} */
const answers = { play: async (example, cards) => verdict(example, await judge(example, cards)), order, declare, throw: throwing, trick, kitty };

/** What stands over the cards: those that lie open, then the hand. @param {Example} example */
function labels({ kind, lead }) {
  const player = (/** @type {number} */ number) => t('tr-try-plays', { name: t('tr-try-player', { number }) });
  const hand = t(lead ? 'tr-your-hand-follow' : 'tr-your-hand-lead');
  switch (kind) {
    case 'order': return [t('tr-try-order')];
    case 'declare': return [t('tr-try-standing'), t('tr-try-declare')];
    case 'throw': return [...[1, 2, 3].map((seat) => t('tr-try-plays', { name: t(`tr-try-seat-${seat}`) })), hand];
    case 'trick': return [player(1), player(2), player(3), hand];
    case 'kitty': return [t('tr-try-plays', { name: t('tr-kitty') }), t('tr-try-last')];
    default: return lead ? [t('tr-was-led'), hand] : [hand];
  }
}

/** @param {Example} example */
function draw(example) {
  const chosen = new Set(example.cards);
  const said = html('p', { class: 'verdict said', role: 'status' });
  let serial = 0;
  const say = (/** @type {Said} */ { words, ok }) => {
    said.textContent = words;
    said.classList.toggle('no', !ok);
  };
  const answer = async () => {
    const own = (serial += 1);
    const heard = await answers[example.kind](example, [...chosen])
      .catch((error) => ({ words: error instanceof Refused ? error.message : t('offline'), ok: false }));
    if (own === serial) say(heard);
  };
  const row = fan(example.hand.map((card) => cardButton(card, chosen.has(card))), 'row');
  row.addEventListener('click', (event) => {
    const node = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-card]'));
    const card = node?.dataset.card;
    if (!node || !card) return;
    if (!chosen.delete(card)) chosen.add(card);
    node.setAttribute('aria-pressed', String(chosen.has(card)));
    void answer();
  });
  const trump = trumpOf(example);
  const about = example.kind === 'declare' ? t('tr-try-level', { level: rankText(trump.rank) }) : trumpWords(trump);
  const open = [...(example.lead ? [example.lead] : []), ...example.more].map((cards) => fan(cards.map(cardPicture), 'row'));
  const words = labels(example);
  const rows = [...open, row].flatMap((node, index) => [html('p', {}, [words[index]]), node]);
  if (example.verdict) say(verdict(example, example.verdict));
  else void answer();
  return html('div', { class: 'example', 'data-kind': example.kind }, [html('p', { class: 'soft' }, [about]), ...rows, said]);
}

for (const host of document.querySelectorAll('[data-examples]')) {
  const examples = /** @type {Example[]} */ (boot()).filter((example) => example.section === /** @type {HTMLElement} */ (host).dataset.examples);
  host.replaceChildren(...examples.map(draw));
}
