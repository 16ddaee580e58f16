/** Puzzles of Tractor: one decision of one seat, between plays whose worth is known. */
import { html } from '../html.js';
import { lang, t } from '../i18n.js';
import { need } from '../page.js';
import { Trainer } from '../puzzle.js';
import { Refused } from '../refused.js';
import { post } from '../rules.js';
import { cardPicture, cardSigns, fan, inOrder } from './cards.js';
import { drawFacts, drawFelt } from './tableau.js';

/** @typedef {{cards: string[], points: number, loss: number, standardError: number}} Candidate */

const choices = need('#choices');
const number = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The view of a table, put together from what the puzzle tells. @param {any} task @returns {import('./tableau.js').View} */
function viewOf(task) {
  const seats = [0, 1, 2, 3].map((seat) => ({ kind: seat === task.seat ? 'human' : 'bot', name: t('puzzle-you'), level: 3 }));
  const none = [false, false, false, false];
  return {
    ...task.view, id: '', seq: 0, you: task.seat, phase: 'playing', seats, turns: task.tricks, can: [], ready: none, standIn: none,
    rules: { preset: 'default', switches: { throw_penalty: String(task.penalty) } },
  };
}

const trainer = new Trainer({
  async show(task) {
    const view = viewOf(task);
    const felt = need('#felt');
    delete felt.dataset.trick;
    drawFacts(need('#facts'), view);
    drawFelt(felt, view, task.seat, [true, true, true, true]);
    need('#hand').replaceChildren(...view.groups.map((group) => fan(group.cards.map(cardPicture), 'row')));
    choices.replaceChildren(...task.choices.map((/** @type {string[]} */ cards) => {
      const button = html('button', { type: 'button', 'data-cards': cards.join(' ') }, [fan(inOrder(cards).map(cardPicture), 'row'), html('span', { class: 'cost' })]);
      button.addEventListener('click', () => void answer(button, cards));
      return html('li', {}, [button]);
    }));
    return t(`puzzle-ask-${task.decision}`);
  },
  reveal(solution) {
    const best = /** @type {Candidate} */ (solution.candidates[0]);
    const faces = (/** @type {string[]} */ cards) => cards.map((card) => card.slice(0, 2)).sort().join(' ');
    const known = new Map(solution.candidates.map((/** @type {Candidate} */ one) => [faces(one.cards), one]));
    for (const button of choices.querySelectorAll('button')) {
      const one = /** @type {Candidate|undefined} */ (known.get(faces((button.dataset.cards ?? '').split(' '))));
      if (!one) continue;
      button.disabled = true;
      button.classList.toggle('best', one === best);
      need('.cost', button).textContent = one === best ? t('puzzle-best') : t('puzzle-loss', { loss: number.format(one.loss), error: number.format(one.standardError) });
    }
    need('#solution').replaceChildren(
      html('p', {}, [t('puzzle-best-choice', { cards: cardSigns(inOrder(best.cards)), points: number.format(best.points) })]),
      html('p', { class: 'soft' }, [t('puzzle-worlds', { count: solution.worlds })]),
    );
  },
});

/** @param {HTMLButtonElement} button @param {string[]} cards */
async function answer(button, cards) {
  const { task } = trainer;
  if (!task || !trainer.isOpen) return;
  try {
    const judged = await post(`/api/v1/puzzles/tractor/${task.id}/answer`, { cards });
    trainer.rated(task.id, judged.rating);
    if (trainer.task !== task) return;
    if (judged.result === 'solved') return trainer.solved(t('puzzle-solved'));
    button.classList.add('tried');
    need('.cost', button).textContent = t('puzzle-loss', { loss: number.format(judged.loss), error: number.format(judged.standardError) });
    await trainer.failed(t('puzzle-wrong-cards', { loss: number.format(judged.loss) }));
  } catch (error) {
    need('#fault').textContent = error instanceof Refused ? error.message : t('offline');
  }
}

await trainer.start();
