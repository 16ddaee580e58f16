/** A chapter: one step after another. */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { boot, drawn, need } from '../page.js';
import { Refused } from '../refused.js';
import { art } from '../tractor/cards.js';
import { boardTask } from './board.js';
import { cardTask } from './cards.js';
import { judge } from './judge.js';
import { keep, progress } from './progress.js';
import { wrongWords } from './words.js';

/** @typedef {import('./words.js').Answer} Answer */

const chapter = boot();
const [list, title, text, verdict, stage] = ['#steps', '#step-title', '#step-text', '#verdict', '#stage'].map((id) => need(id));
const [hint, again, next] = ['#hint', '#again', '#next'].map((id) => /** @type {HTMLButtonElement} */ (need(id)));

let current = 0;
/** Wrong tries and hints of the current step: they cost stars. */
let mistakes = 0;
let done = false;

/** @param {number} index */
const idOf = (index) => `${chapter.game}/${chapter.chapter}/${chapter.steps[index].id}`;

/** @param {number} stars */
const starWords = (stars) => t('learn-stars', { stars });

function drawList() {
  const kept = progress();
  list.replaceChildren(...chapter.steps.map((/** @type {any} */ step, /** @type {number} */ index) => {
    const stars = kept[idOf(index)] ?? 0;
    const label = stars ? `${step.title} (${starWords(stars)})` : step.title;
    const link = html('a', { href: `#${step.id}`, class: stars ? 'done' : '', 'aria-label': label }, [step.title]);
    if (index === current) link.setAttribute('aria-current', 'step');
    return html('li', {}, [link, html('span', { class: 'stars', 'aria-hidden': 'true', 'data-stars': String(stars) }, Array.from({ length: stars }, () => art('star', 'star')))]);
  }));
}

/** @param {string} words @param {'good'|'bad'|''} kind */
function say(words, kind) {
  verdict.textContent = words;
  verdict.className = `verdict ${kind}`;
}

/** Asks what an attempt is worth. @param {object} tried @returns {Promise<Answer|null>} */
async function attempt(tried) {
  const index = current;
  try {
    const answer = await judge(chapter, chapter.steps[index].id, tried);
    if (index !== current || done) return null;
    tell(answer);
    return answer;
  } catch (error) {
    say(error instanceof Refused ? error.message : t('offline'), 'bad');
    return null;
  }
}

/** @param {Answer} answer */
function tell(answer) {
  if (answer.result === 'legal') return;
  if (answer.result === 'go-on') return say(t('learn-go-on'), '');
  if (answer.result !== 'done') {
    // What the rules forbid costs no star: nothing was played.
    if (answer.result === 'wrong') mistakes += 1;
    return say(wrongWords(answer, chapter.steps[current].hint), 'bad');
  }
  done = true;
  const stars = mistakes === 0 ? 3 : mistakes === 1 ? 2 : 1;
  keep(idOf(current), stars);
  drawList();
  say([t('learn-right'), answer.done, starWords(stars)].filter(Boolean).join(' '), 'good');
  verdict.dataset.stars = String(stars);
  hint.hidden = true;
  next.hidden = false;
  const last = current + 1 === chapter.steps.length;
  next.textContent = t(!last ? 'learn-next' : chapter.next ? 'learn-next-chapter' : 'learn-finish');
  next.focus();
}

/** @param {number} index @param {boolean} [fresh] counts from the beginning */
function show(index, fresh = true) {
  current = index;
  done = false;
  if (fresh) mistakes = 0;
  const step = chapter.steps[index];
  title.textContent = step.title;
  text.textContent = step.text;
  delete verdict.dataset.stars;
  say('', '');
  hint.hidden = false;
  next.hidden = true;
  drawList();
  stage.dataset.step = step.id;
  (step.kind === 'board' ? boardTask : cardTask)(stage, step, attempt);
}

hint.addEventListener('click', () => {
  mistakes += 1;
  say(chapter.steps[current].hint, '');
});
again.addEventListener('click', () => show(current, done));
next.addEventListener('click', () => {
  if (current + 1 < chapter.steps.length) location.hash = chapter.steps[current + 1].id;
  else location.href = chapter.next ?? '/learn';
});

/** The step of the address, or the first that is not done. */
function fromHash() {
  const kept = progress();
  const named = chapter.steps.findIndex((/** @type {any} */ step) => `#${step.id}` === location.hash);
  const open = chapter.steps.findIndex((/** @type {any} */ _, /** @type {number} */ index) => !kept[idOf(index)]);
  show(named >= 0 ? named : Math.max(0, open));
}
window.addEventListener('hashchange', fromHash);
fromHash();
drawn();
