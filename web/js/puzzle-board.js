/** Puzzles of Cờ Tư Lệnh: the whole line is played against the stored defence. */
import './board.js';
import { html } from './html.js';
import { t } from './i18n.js';
import { touched, trail } from './lan.js';
import { need } from './page.js';
import { Trainer } from './puzzle.js';
import { Refused } from './refused.js';
import { post, rules } from './rules.js';

/** @typedef {{san: string, lan: string}} Told */

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const analyse = /** @type {HTMLAnchorElement} */ (need('#analyse'));
board.rules = rules;
let fen = '';
/** The solver's turns so far, all of them right. @type {string[]} */
let right = [];
/** @type {import('./types.js').Color} */
let side = 'r';

/** @param {boolean} movable @param {Told} [last] @param {import('./types.js').Step[]} [steps] */
const show = (movable, last, steps) => board.show({
  fen,
  movable: movable ? side : 'none',
  last: last ? touched(last.lan) : [],
  trail: last ? trail(last.lan) : [],
  steps,
});

/** @param {{cp: number|null, mate: number|null}} score for the solver */
function scoreText({ cp, mate }) {
  if (mate != null) return `#${mate}`;
  const pawns = (cp ?? 0) / 100;
  return (pawns > 0 ? '+' : '') + pawns.toFixed(2);
}

const trainer = new Trainer({
  async show(task) {
    fen = task.fen;
    right = [];
    side = fen.split(' ')[1] === 'b' ? 'b' : 'r';
    analyse.hidden = true;
    if (board.view.orientation !== side) board.orient(side);
    // The board is drawn at once; what is legal on it is answered while the question is read.
    void show(true);
    const words = { side: t(`side-${side}`), count: task.mate ?? 0 };
    return task.mate ? t('puzzle-ask-mate', words) : t('puzzle-ask-best', words);
  },
  reveal(solution) {
    const [best, second] = [solution.best, solution.second].map((score) => (score ? scoreText(score) : ''));
    need('#solution').replaceChildren(
      html('p', { class: 'line' }, [solution.turns.map((/** @type {Told} */ turn) => turn.san).join(' ')]),
      html('p', {}, [second ? t('puzzle-worth', { best, second }) : t('puzzle-worth-mate', { best })]),
    );
    const moves = solution.turns.map((/** @type {Told} */ turn) => turn.lan.replaceAll(',', ';')).join(',');
    link(trainer.task?.fen ?? fen, moves);
    void show(false);
  },
});

/** Where the engine tells more about a line. @param {string} start @param {string} moves */
function link(start, moves) {
  analyse.hidden = false;
  analyse.href = `/analysis?fen=${encodeURIComponent(start)}&moves=${encodeURIComponent(moves)}`;
}

board.addEventListener('turn', (event) => void answer(/** @type {CustomEvent} */ (event).detail.steps));

/** @param {string[]} steps */
async function answer(steps) {
  const { task } = trainer;
  if (!task || !trainer.isOpen) return board.refused(t('puzzle-ended'));
  try {
    const { turns: [turn] } = await rules.steps(fen, steps);
    const judged = await post(`/api/v1/puzzles/cotulenh/${task.id}/answer`, { turns: [...right, turn.lan] });
    trainer.rated(task.id, judged.rating);
    if (trainer.task !== task) return;
    board.accepted();
    if (judged.result === 'wrong') {
      link(fen, turn.lan.replaceAll(',', ';'));
      await show(true);
      return trainer.failed(t(task.mate ? 'puzzle-wrong-mate' : 'puzzle-wrong', { count: task.mate ?? 0 }));
    }
    right.push(turn.lan);
    const { turns: played } = await rules.steps(fen, judged.played.map((/** @type {Told} */ told) => told.lan));
    fen = judged.fen;
    const last = played.at(-1);
    await show(judged.result === 'goesOn', last, judged.result === 'goesOn' ? last?.steps : undefined);
    if (judged.result === 'solved') await trainer.solved(t('puzzle-solved'));
    else trainer.say(t('puzzle-goes-on', { answer: last?.san ?? '' }), 'right');
  } catch (error) {
    board.refused(error instanceof Refused ? error.message : t('offline'));
  }
}

await trainer.start();
