/** The coached round: every decision is asked about with all before it, and comes back with a comment. */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { drawn, need } from '../page.js';
import { Refused } from '../refused.js';
import { cardButton, cardPicture, cardSigns, fan } from '../tractor/cards.js';
import { trumpWords, whyWords } from '../tractor/words.js';
import { coach } from './judge.js';
import { keep } from './progress.js';

const ID = 'tractor/round/coached';
const [verdict, host] = ['#verdict', '#round'].map((id) => need(id));
const [answer, hint, again] = ['#answer', '#hint', '#again'].map((id) => /** @type {HTMLButtonElement} */ (need(id)));

/** The learner's decisions so far. @type {string[]} */
let plays = [];
/** @type {Set<string>} */
let chosen = new Set();
let mistakes = 0;

/** @param {string} words @param {'good'|'bad'|''} kind */
function say(words, kind) {
  verdict.textContent = words;
  verdict.className = `verdict ${kind}`;
}

/** @param {any} trick @param {string} title */
function trick(trick, title) {
  if (!trick) return [];
  const row = (/** @type {string[]} */ cards, /** @type {number} */ index) =>
    html('li', {}, [`${t(`learn-seat-${(trick.leader + index) % 4}`)}: `, fan(cards.map(cardPicture), 'row')]);
  return [html('p', {}, [title]), html('ul', { class: 'plays' }, trick.plays.map(row))];
}

/** @param {string[]} cards @param {string[]} picked */
function hand(cards, picked) {
  chosen = new Set(picked);
  const row = fan(cards.map((card) => cardButton(card, chosen.has(card))), 'row');
  row.addEventListener('click', (event) => {
    const node = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-card]'));
    const card = node?.dataset.card;
    if (!node || !card) return;
    if (!chosen.delete(card)) chosen.add(card);
    node.setAttribute('aria-pressed', String(chosen.has(card)));
  });
  return [html('p', {}, [t('learn-hand')]), row];
}

/** @param {any} comment */
function remark(comment) {
  if (!comment) return;
  const bad = comment.code === 'mistake' || comment.code === 'inaccuracy';
  if (bad) mistakes += 1;
  const args = { loss: comment.loss ?? 0, points: comment.points ?? 0, cards: cardSigns(comment.better ?? []) };
  say(t(`learn-coach-${comment.code}`, args), bad ? 'bad' : 'good');
}

/** @param {any} state */
function draw(state) {
  const { over } = state;
  host.dataset.plays = String(plays.length);
  host.dataset.over = String(Boolean(over));
  host.replaceChildren(
    html('p', { class: 'soft' }, [trumpWords(state.trump), ' · ', t('learn-attackers-points', { points: over?.points ?? state.points })]),
    ...trick(state.last, t('learn-last-trick')),
    ...trick(state.open, t('learn-trick')),
    ...(over ? [] : hand(state.hand, state.hint ?? [])),
  );
  answer.textContent = t(state.stage === 'bury' ? 'learn-do-bury' : 'learn-do-play');
  answer.disabled = hint.disabled = Boolean(over);
  if (!over) return;
  const stars = mistakes === 0 ? 3 : mistakes < 4 ? 2 : 1;
  keep(ID, stars);
  verdict.dataset.stars = String(stars);
  const levels = t(over.won ? 'learn-defenders-rise' : 'learn-attackers-rise', { levels: over.levels });
  say([levels, t('learn-stars', { stars })].join(' · '), over.won ? 'good' : 'bad');
}

/** @param {string[]} next @param {boolean} asks */
async function send(next, asks) {
  try {
    const state = await coach({ plays: next, hint: asks });
    const made = next.length > plays.length;
    plays = next;
    if (made) remark(state.comment);
    draw(state);
  } catch (error) {
    if (!(error instanceof Refused)) return say(t('offline'), 'bad');
    say(error.why ? whyWords(/** @type {any} */ ({ message: error.message, ...error.why }), String) : error.message, 'bad');
  }
}

answer.addEventListener('click', () => void send([...plays, [...chosen].join(' ')], false));
hint.addEventListener('click', () => void send(plays, true));
again.addEventListener('click', () => {
  mistakes = 0;
  plays = [];
  delete verdict.dataset.stars;
  say('', '');
  void send([], false);
});
void send([], false).then(drawn);
