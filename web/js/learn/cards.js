/** A step with cards: some of them to choose, or a choice to make. */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { cardButton, cardPicture, fan } from '../tractor/cards.js';
import { trumpWords } from '../tractor/words.js';

/** @typedef {(tried: object) => Promise<import('./words.js').Answer|null>} Attempt */

/** The plays of the trick, each with its number. @param {string[][]} trick */
function plays(trick) {
  return html('ol', { class: 'plays' }, trick.map((cards) => html('li', {}, [fan(cards.map(cardPicture), 'row')])));
}

/** @param {any} step @param {string} choice */
function choiceWords(step, choice) {
  if (step.question === 'winner') return t('learn-player', { number: choice });
  if (step.question !== 'levels') return choice;
  return t(choice[0] === 'd' ? 'learn-defenders-rise' : 'learn-attackers-rise', { levels: Number(choice.slice(1)) });
}

/** @param {any} step @param {Attempt} attempt */
function choices(step, attempt) {
  const button = (/** @type {string} */ choice) => {
    const node = html('button', { type: 'button', 'data-choice': choice }, [choiceWords(step, choice)]);
    node.addEventListener('click', () => void attempt({ answer: choice }));
    return node;
  };
  return html('p', { class: 'choices' }, step.choices.map(button));
}

/** @param {any} step @param {Attempt} attempt */
function hand(step, attempt) {
  const chosen = new Set();
  const row = fan(step.hand.map((/** @type {string} */ card) => cardButton(card, false)), 'row');
  row.addEventListener('click', (event) => {
    const node = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-card]'));
    const card = node?.dataset.card;
    if (!node || !card) return;
    if (!chosen.delete(card)) chosen.add(card);
    node.setAttribute('aria-pressed', String(chosen.has(card)));
  });
  const send = html('button', { type: 'button', class: 'primary', id: 'answer' }, [t(`learn-do-${step.question}`)]);
  send.addEventListener('click', () => void attempt({ answer: [...chosen].join(' ') }));
  return [html('p', {}, [t('learn-hand')]), row, html('p', {}, [send])];
}

/** @param {HTMLElement} stage @param {any} step @param {Attempt} attempt */
export function cardTask(stage, step, attempt) {
  const parts = [];
  if (step.question !== 'levels' && step.question !== 'declare') parts.push(html('p', { class: 'soft' }, [trumpWords(step.trump)]));
  if (step.trick.length) parts.push(html('p', {}, [t('learn-trick')]), plays(step.trick));
  if (step.choices.length) {
    if (step.hand.length) parts.push(html('p', {}, [t('learn-hand')]), fan(step.hand.map(cardPicture), 'row'));
    parts.push(choices(step, attempt));
  } else parts.push(...hand(step, attempt));
  stage.replaceChildren(html('div', { class: 'example' }, parts));
}
