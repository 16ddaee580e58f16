/** The review of a game of Cờ Tư Lệnh: graph, accuracy, mistakes with something better, and each to be tried again. */
import '../board.js';
import { html } from '../html.js';
import { t } from '../i18n.js';
import { stepsOf, touched, trail } from '../lan.js';
import { boot, need } from '../page.js';
import { Refused } from '../refused.js';
import { keepPrivate, rules } from '../rules.js';
import { Tree, TreeTurns } from '../tree.js';
import { Graph } from './graph.js';
import { running, serverReview, withReview } from './wait.js';

/**
 * @typedef {object} Marked a turn that could have been better
 * @property {number} ply
 * @property {'inaccuracy'|'mistake'|'blunder'} judgement
 * @property {number} loss
 * @property {string} fen
 * @property {string[]} better
 * @property {{san: string, fen: string}[]} right
 *
 * @typedef {object} Review
 * @property {string} pgn
 * @property {{cp: number|null, mate: number|null, chance: number}[]} scores
 * @property {string[]} turns
 * @property {Marked[]} marked
 * @property {Record<string, {accuracy: number|null, inaccuracies: number, mistakes: number, blunders: number}>} sides
 */

const board = /** @type {import('../board.js').ConvoyBoard} */ (need('convoy-board'));
board.rules = rules;
const turns = new TreeTurns(need('#turns'), () => void look());
turns.wheel(board.stage);
const verdict = need('#verdict');
const asked = boot();
/** The game itself, the start first. @type {import('../tree.js').Node[]} */
let line = [];
/** @type {Graph|null} */
let graph = null;
/** The turn that is tried again. @type {Marked|null} */
let trying = null;

/** @param {string} words @param {'good'|'bad'|''} [kind] */
function say(words, kind = '') {
  verdict.textContent = words;
  verdict.className = `verdict ${kind}`;
}

/** How many turns of the game lie before what is shown: in a variation, where it begins. */
function plyOf() {
  for (let node = turns.tree.at; node; node = /** @type {any} */ (node.parent)) {
    const place = line.indexOf(node);
    if (place >= 0) return place;
  }
  return 0;
}

async function look() {
  trying = null;
  answering(false);
  say('');
  const { ply, step } = turns;
  const turn = step === null ? turns.turns[ply - 1] : turns.turns[ply];
  if (step !== null && turn) await stepsOf(turns.fen(), turn);
  graph?.show(plyOf());
  await board.show({
    fen: turns.fen(),
    board: step ? turn?.steps?.[step - 1]?.board : undefined,
    movable: 'none',
    last: turn ? touched(turn.lan) : [],
    trail: turn ? trail(turn.lan) : [],
  });
}

/** There are pieces to choose and moves to type while a turn is tried again. @param {boolean} yes */
const answering = (yes) => need('.table-page').classList.toggle('watching', !yes);

/** @param {Marked} marked */
const side = (marked) => (marked.fen.split(' ')[1] === 'b' ? 'b' : 'r');

/** The position before a turn, to be played better. @param {Marked} marked */
async function tryAgain(marked) {
  turns.visit(line[marked.ply - 1]);
  trying = marked;
  answering(true);
  board.orient(side(marked));
  say(t('review-find', { side: t(`side-${side(marked)}`) }));
  await board.show({ fen: marked.fen, movable: side(marked), last: [], trail: [] });
  board.scrollIntoView({ block: 'nearest' });
}

board.addEventListener('turn', async (event) => {
  const marked = trying;
  if (!marked) return;
  try {
    const { fen } = await rules.steps(marked.fen, /** @type {CustomEvent} */ (event).detail.steps);
    // Another turn is tried by now.
    if (trying !== marked) return;
    board.accepted();
    const right = marked.right.some((turn) => turn.fen === fen);
    await board.show({ fen: right ? fen : marked.fen, movable: right ? 'none' : side(marked), last: [], trail: [] });
    say(t(right ? 'review-right' : 'review-wrong'), right ? 'good' : 'bad');
    if (right) trying = null;
  } catch (error) {
    board.refused(error instanceof Refused ? error.message : t('offline'));
  }
});

/** "12." or "12…", and the turn. @param {Review} review @param {number} ply */
function turnName(review, ply) {
  const [, color, , , , number] = line[ply - 1].fen.split(' ');
  return `${number}${color === 'b' ? '…' : '.'} ${review.turns[ply - 1]}`;
}

/** @param {Review} review @param {Marked} marked */
function drawMarked(review, marked) {
  const go = html('button', { type: 'button', class: 'turn' }, [turnName(review, marked.ply)]);
  go.addEventListener('click', () => turns.visit(line[marked.ply]));
  const again = html('button', { type: 'button', class: 'try', 'data-ply': String(marked.ply) }, [t('review-try')]);
  again.addEventListener('click', () => void tryAgain(marked));
  return html('li', { class: marked.judgement }, [
    html('p', {}, [html('span', { class: `mark ${marked.judgement}`, 'aria-hidden': 'true' }), go, ' ', t(`review-${marked.judgement}`)]),
    html('p', { class: 'soft' }, [t('review-better', { line: marked.better.join(' ') })]),
    again,
  ]);
}

/** @param {Review} review */
function drawSides(review) {
  const sides = /** @type {('r'|'b')[]} */ (['r', 'b']);
  const cell = (/** @type {'r'|'b'} */ color, /** @type {'accuracy'|'inaccuracies'|'mistakes'|'blunders'} */ name) => {
    const value = review.sides[color][name];
    const words = name !== 'accuracy' ? String(value) : value === null ? '–' : `${value.toFixed(1)} %`;
    return html('td', { 'data-side': color }, [words]);
  };
  const names = sides.map((color) => html('th', { scope: 'col', class: `side-${color}` }, [html('b', {}, [t(`side-${color}`)])]));
  const rows = /** @type {const} */ (['accuracy', 'inaccuracies', 'mistakes', 'blunders']).map((name) =>
    html('tr', {}, [html('th', { scope: 'row' }, [t(`review-${name}`)]), ...sides.map((color) => cell(color, name))]));
  need('#sides').replaceChildren(html('thead', {}, [html('tr', {}, [html('td'), ...names])]), html('tbody', {}, rows));
}

/** The review of the game that is kept on this device, made here. @param {import('../local/review.js').Scoring} scoring */
async function deviceReview(scoring) {
  const { gamePath, storedGame } = await import('../local/games.js');
  const stored = storedGame(new URLSearchParams(location.search).get('id'));
  if (!stored?.outcome || !stored.turns.length) {
    location.replace('/offline');
    return new Promise(() => undefined);
  }
  asked.you = stored.you;
  /** @type {HTMLAnchorElement} */ (need('#to-game')).href = gamePath(stored.id);
  const { reviewOf } = await import('../local/review.js');
  return reviewOf(stored, scoring, running);
}

answering(false);
if (asked.local) keepPrivate();
const made = asked.local ? deviceReview(asked.scoring) : serverReview(asked);
await withReview(made, async (/** @type {Review} */ review) => {
  const { games: [game] } = await rules.readPgn(review.pgn);
  const tree = Tree.read(game);
  line = [tree.root];
  for (let next = tree.root.children[0]; next; next = next.children[0]) line.push(next);
  graph = new Graph(need('#graph'), { chances: review.scores.map(({ chance }) => chance), marked: review.marked }, (ply) => turns.visit(line[ply] ?? tree.root));
  drawSides(review);
  need('#marked').replaceChildren(...(review.marked.length
    ? review.marked.map((marked) => drawMarked(review, marked))
    : [html('li', { class: 'none' }, [t('review-none')])]));
  if (asked.you === 1) board.orient('b');
  turns.show(tree);
  need('#reviewed').hidden = false;
  await look();
}, asked.local ? t('review-no-engine') : undefined);
