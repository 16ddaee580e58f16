/** The review of a round of Tractor: deal, skill and luck, and every decision that has cost something. */
import { html } from '../html.js';
import { lang, t } from '../i18n.js';
import { boot, need } from '../page.js';
import { cardPicture, fan, inOrder } from '../tractor/cards.js';
import { seatName, teamOf } from '../tractor/tableau.js';
import { serverReview, withReview } from './wait.js';

/**
 * @typedef {object} Decision
 * @property {number} seat
 * @property {number} step
 * @property {string[]} played
 * @property {string[]} best
 * @property {number} loss
 * @property {'good'|'inaccuracy'|'mistake'|'blunder'} judgement
 *
 * @typedef {object} Review
 * @property {number} needed
 * @property {'A'|'B'} defending
 * @property {number} points
 * @property {number} deal
 * @property {number} skill
 * @property {number} luck
 * @property {number[]} lost by seat
 * @property {Decision[]} decisions
 */

const asked = boot();
const signed = new Intl.NumberFormat(lang, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const plain = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });

/** @param {number} seat */
const name = (seat) => `${teamOf(seat)} · ${seatName(asked, seat)}`;

/** With a true minus sign. @param {number} points */
const gain = (points) => signed.format(points).replace('-', '−');

/** @param {Review} review */
function drawSum({ needed, points, deal, skill, luck, defending }) {
  const attackers = defending === 'A' ? 'B' : 'A';
  /** @type {[string, string][]} */
  const rows = [
    [t('review-deal', { needed }), plain.format(deal)],
    [t('review-skill'), gain(skill)],
    [t('review-luck'), gain(luck)],
    [t('review-points', { team: attackers }), plain.format(points)],
  ];
  need('#sum').replaceChildren(...rows.map(([words, value], at) => html('div', at === 3 ? { class: 'result' } : {}, [html('dt', {}, [words]), html('dd', {}, [value])])));
}

/** @param {Review} review */
function drawSeats({ lost, decisions }) {
  const count = (/** @type {number} */ seat, /** @type {string} */ judgement) => decisions.filter((one) => one.seat === seat && one.judgement === judgement).length;
  const names = ['lost', 'inaccuracies', 'mistakes', 'blunders'].map((key) => t(`review-${key}`));
  const row = (/** @type {number} */ seat) => html('tr', { 'data-seat': String(seat) }, [
    html('th', { scope: 'row' }, [name(seat)]),
    ...[plain.format(lost[seat]), ...['inaccuracy', 'mistake', 'blunder'].map((judgement) => count(seat, judgement))].map((cell, at) => html('td', { 'data-name': names[at] }, [String(cell)])),
  ]);
  const heads = [t('review-player'), ...names].map((words) => html('th', { scope: 'col' }, [words]));
  need('#sides').replaceChildren(html('thead', {}, [html('tr', {}, heads)]), html('tbody', {}, [0, 1, 2, 3].map(row)));
}

/** @param {string} words @param {string[]} cards */
const cardRow = (words, cards) => html('div', { class: 'way' }, [html('span', { class: 'soft' }, [words]), fan(inOrder(cards).map(cardPicture), 'row')]);

/** @param {Decision} decision */
const drawDecision = ({ seat, played, best, loss, judgement }) => html('li', { class: judgement }, [
  html('p', {}, [html('span', { class: `mark ${judgement}`, 'aria-hidden': 'true' }), html('b', {}, [name(seat)]), ` ${t(`review-${judgement}`)}${t('colon')}${t('review-loss', { points: plain.format(loss) })}`]),
  cardRow(t('review-played'), played),
  cardRow(t('review-best'), best),
]);

await withReview(serverReview(asked), (/** @type {Review} */ review) => {
  const marked = review.decisions.filter(({ judgement }) => judgement !== 'good');
  drawSum(review);
  drawSeats(review);
  need('#marked').replaceChildren(...(marked.length ? marked.map(drawDecision) : [html('li', { class: 'none' }, [t('review-none')])]));
  need('#reviewed').hidden = false;
});
