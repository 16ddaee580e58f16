/**
 * Analysis: any position, any line with its variations and notes, with the engine's opinion on demand.
 * The address always names the line that is shown, so a copied link reopens exactly that; PGN keeps everything.
 */
import './board.js';
import { Annotator } from './annotate.js';
import { DeviceEngine, ServerEngine, depthText, scoreText } from './engine.js';
import { html } from './html.js';
import { START } from './fen.js';
import { BOARD_KEYS, WALK_KEYS, helpKeys } from './help.js';
import { t } from './i18n.js';
import { stepsOf, touched, trail } from './lan.js';
import { outcomeWords } from './outcome.js';
import { askedPosition, copy, need, notice } from './page.js';
import { cut } from './pgn.js';
import { Refused } from './refused.js';
import { rules } from './rules.js';
import { Saved } from './saved.js';
import { change, settings } from './settings.js';
import { embedSnippet } from './share.js';
import { Tree, TreeTurns } from './tree.js';

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const bar = need('#eval');
const lines = need('#lines');
const toggle = need('#engine');
const where = /** @type {HTMLSelectElement} */ (need('#engine-where'));
const fenBox = /** @type {HTMLInputElement} */ (need('#fen'));
const pgnBox = /** @type {HTMLTextAreaElement} */ (need('#pgn'));
board.rules = rules;
const turns = new TreeTurns(need('#turns'), () => void look());
turns.wheel(board.stage);
const annotator = new Annotator(board, turns, () => changed());
let thinking = false;
/** The engine that was asked last. @type {'device'|'server'} */
let asked = 'device';
/** It has told something about the position. */
let hasOpinion = false;
/** Those that were needed so far. @type {Map<'device'|'server', import('./engine.js').Engine>} */
const engines = new Map();
/** How long they think, in milliseconds: the server has others to serve. */
const TIME = { device: 120_000, server: 20_000 };
/** @type {import('./engine.js').Listener} */
const listener = { opinion: showOpinion, done: () => hasOpinion || nothingToSay(t('engine-over')), refused: notice, unreached: () => nothingToSay(t('engine-unreached')) };
/** The games of the text that was loaded last. @type {import('./pgn.js').Piece[]} */
let games = [];

const wanted = askedPosition();
const saved = new Saved(wanted.saved, { pgn, relink: link, name: gameName, attempt });

/** What a new analysis is called where nobody says: who plays, or nothing but what it is. */
function gameName() {
  const headers = Object.fromEntries(turns.tree.write().headers ?? []);
  const sides = [headers.Red, headers.Blue].filter((side) => side && side !== '?');
  return sides.length ? sides.join(' – ') : t('nav-analysis');
}

/** @param {string} [before] */
async function look(before) {
  const { ply, step } = turns;
  const turn = step === null ? turns.turns[ply - 1] : turns.turns[ply];
  const steps = before && turn ? await stepsOf(before, turn) : undefined;
  if (step !== null && turn) await stepsOf(turns.fen(), turn);
  const fen = turns.fen();
  fenBox.value = fen;
  annotator.show();
  link();
  think();
  await board.show({
    fen,
    board: step ? turn?.steps?.[step - 1]?.board : undefined,
    movable: step === null ? 'both' : 'none',
    last: turn ? touched(turn.lan) : [],
    trail: turn ? trail(turn.lan) : [],
    steps,
  });
}

/** When the text is written, in milliseconds after the last change. */
const SOON = 250;
/** @type {number|undefined} */
let writing;
/** Somebody has written into the box: what is there is not replaced before it is loaded. */
let typed = false;
pgnBox.addEventListener('input', () => (typed = true));

/** The tree is another: the list follows at once, the text a moment later where somebody looks at it. */
function changed() {
  saved.mark(false);
  turns.sync();
  clearTimeout(writing);
  if (need('.texts').hasAttribute('open')) writing = window.setTimeout(() => void write().catch(() => undefined), SOON);
}

/** What cannot be written now is written after the next change; a fault that is told stays. */
async function write() {
  const own = writing;
  const text = await pgn();
  // A later change has a text of its own.
  if (!typed && own === writing) pgnBox.value = text;
}

board.addEventListener('answer', (event) => {
  const answer = /** @type {CustomEvent<import('./types.js').Answer>} */ (event).detail;
  const { outcome } = answer;
  need('#status').textContent = outcome
    ? outcomeWords(outcome)
    : `${t('turn-of', { side: t(`side-${answer.turn}`) })}${answer.check ? t('space') + t('check') : ''}`;
});

board.addEventListener('turn', (event) => void extend(/** @type {CustomEvent} */ (event).detail.steps));

/** Plays a turn here; what came after it stays as a variation. @param {string[]} steps */
async function extend(steps) {
  const before = turns.fen();
  const { at } = turns.tree;
  try {
    const { turns: made } = await rules.steps(before, steps);
    // Meanwhile another position is shown, where nothing was played.
    if (turns.tree.at !== at) return;
    for (const turn of made) turns.tree.play(turn);
    changed();
    board.accepted();
    await look(before);
    if (!two) return;
    board.orient(turns.fen().split(' ')[1] === 'b' ? 'b' : 'r');
    annotator.show();
  } catch (error) {
    board.refused(error instanceof Refused ? error.message : t('offline'));
  }
}

function link() {
  const path = saved.path();
  if (path) return history.replaceState(null, '', path);
  const url = new URL('/analysis', location.href);
  if (new URLSearchParams(location.search).has('two')) url.searchParams.set('two', '1');
  if (turns.start !== START) url.searchParams.set('fen', turns.start);
  if (turns.turns.length) url.searchParams.set('moves', turns.turns.map((turn) => turn.lan.replaceAll(',', ';')).join(','));
  if (turns.ply !== turns.turns.length) url.searchParams.set('ply', String(turns.ply));
  history.replaceState(null, '', url);
}

/** Everything as PGN, as the rules write it. */
async function pgn() {
  const game = turns.tree.write();
  const named = new Set((game.headers ?? []).map(([name]) => name));
  /** @type {[string, string][]} */
  const own = [['Event', 'Analysis'], ['Site', location.origin]];
  const headers = [...own.filter(([name]) => !named.size && !named.has(name)), ...(game.headers ?? [])];
  return (await rules.writePgn([{ ...game, headers }])).pgn;
}

toggle.addEventListener('click', () => {
  thinking = !thinking;
  toggle.setAttribute('aria-pressed', String(thinking));
  toggle.textContent = t(thinking ? 'engine-stop' : 'engine-start');
  if (thinking) think();
  else stop();
});

where.value = settings.engine;
where.addEventListener('change', () => {
  change('engine', /** @type {'device'|'server'} */ (where.value));
  if (!thinking) return;
  stop();
  think();
});

function stop() {
  engines.get(asked)?.stop();
  lines.replaceChildren();
  bar.hidden = true;
}

function think() {
  if (!thinking) return;
  asked = settings.engine;
  hasOpinion = false;
  const engine = engines.get(asked) ?? (asked === 'device' ? new DeviceEngine(listener) : new ServerEngine(listener));
  engines.set(asked, engine);
  engine.ask({ fen: turns.fen(), lines: 3, time: TIME[asked] });
}

/** The engine has no line: the game is over, or the engine cannot be reached. @param {string} why */
function nothingToSay(why) {
  lines.replaceChildren(html('li', { class: 'soft' }, [why]));
  bar.hidden = true;
}

/** @param {import('./engine.js').Opinion} opinion */
function showOpinion(opinion) {
  const [best] = opinion.lines;
  if (!best || !thinking) return;
  hasOpinion = true;
  const share = best.mate != null ? (best.mate > 0 ? 100 : 0) : 100 / (1 + Math.exp(-(best.cp ?? 0) / 350));
  bar.hidden = false;
  bar.setAttribute('aria-valuenow', String(Math.round(share)));
  bar.setAttribute('aria-valuetext', scoreText(best));
  bar.style.setProperty('--share', `${share}%`);
  need('.score', bar).textContent = scoreText(best);
  lines.replaceChildren(
    html('li', { class: 'soft' }, [depthText(opinion)]),
    ...opinion.lines.map((line) => {
      const play = html('button', { type: 'button', class: 'turn' }, [line.san[0] ?? '']);
      play.addEventListener('click', () => void extend([line.lan[0]]));
      return html('li', {}, [html('b', { class: 'score' }, [scoreText(line)]), ' ', play, ' ', line.san.slice(1, 7).join(' ')]);
    }),
  );
}

/** What could not be loaded stays on the page until something else is loaded. @param {string} words */
function fault(words) {
  need('#fault').textContent = words;
}

/** How many loads were begun. */
let loads = 0;

/**
 * An answer with which something is to be shown; null where something else was asked for meanwhile. A page and its
 * server answer at different speeds, so the answer to an earlier question may come later.
 * @template T @param {Promise<T>} answer @returns {Promise<T|null>}
 */
async function ifLatest(answer) {
  const own = ++loads;
  try {
    const found = await answer;
    return own === loads ? found : null;
  } catch (error) {
    if (own === loads) throw error;
    return null;
  }
}

/** @param {() => Promise<void>} act */
async function attempt(act) {
  fault('');
  try {
    await act();
  } catch (error) {
    fault(error instanceof Refused ? error.message : t('offline'));
  }
}

/** A tree of one line. @param {string} fen @param {import('./types.js').Turn[]} made @param {number|null} [ply] */
function begin(fen, made, ply) {
  const tree = new Tree(fen);
  for (const turn of made) tree.play(turn);
  turns.show(tree);
  const to = turns.nodes[(ply ?? made.length) - 1] ?? tree.root;
  tree.at = to;
  changed();
}

/** @param {string} text a FEN @param {string[]} moves @param {number} [ply] */
async function load(text, moves, ply) {
  const line = await ifLatest(readLine(text, moves));
  if (!line) return;
  begin(line.fen, line.turns, ply);
  await look();
}

/** @param {string} text @param {string[]} moves */
async function readLine(text, moves) {
  // The commonest position needs no question.
  const { fen } = text === START ? { fen: START } : await rules.fen(text);
  const answer = moves.length ? await rules.steps(fen, moves) : { turns: [] };
  return { fen, turns: answer.turns };
}

need('#load-fen').addEventListener('click', () => void attempt(() => load(fenBox.value.trim(), [])));
need('#load-pgn').addEventListener('click', () => void attempt(() => loadLatest(Promise.resolve(pgnBox.value))));

/** Takes in a text of games, and shows the first. @param {string} text @returns {Promise<boolean>} whether it is shown */
async function loadText(text) {
  games = cut(text);
  list.replaceChildren(...games.map(({ name }, at) => html('option', { value: String(at) }, [`${at + 1}. ${name}`])));
  need('#games-row').hidden = games.length < 2;
  return loadGameText(0);
}

/** @param {number} at @returns {Promise<boolean>} whether it is shown */
async function loadGameText(at) {
  const piece = games[at] ?? { text: '', line: 0, name: '' };
  const read = await ifLatest(rules.readPgn(piece.text));
  if (!read) return false;
  const [game] = read.games;
  if (!game) {
    fault(t('pgn-empty'));
    return false;
  }
  if (game.error) {
    const { line: inside, column } = game.error.at ?? { line: 1, column: 1 };
    // The place is told within the whole text.
    throw new Refused('bad-pgn', `line ${inside + piece.line}, column ${column}`);
  }
  const tree = Tree.read(game);
  typed = false;
  turns.show(tree);
  changed();
  await look();
  notice(t('loaded-turns', { count: game.nodes.length - 1 }));
  return true;
}

/** @param {Promise<string>} text */
async function loadLatest(text) {
  const read = await ifLatest(text);
  if (read !== null) await loadText(read);
}

const list = /** @type {HTMLSelectElement} */ (need('#games'));
list.addEventListener('change', () => void attempt(async () => void (await loadGameText(Number(list.value)))));
const file = /** @type {HTMLInputElement} */ (need('#pgn-file'));
file.addEventListener('change', () => void attempt(async () => {
  const [chosen] = file.files ?? [];
  if (chosen) await loadLatest(chosen.text());
}));
// A file or a text may be dropped anywhere on the page.
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [dropped] = event.dataTransfer?.files ?? [];
  const text = event.dataTransfer?.getData('text/plain') ?? '';
  if (dropped || text.trim()) void attempt(() => loadLatest(dropped ? dropped.text() : Promise.resolve(text)));
});
need('#save-pgn').addEventListener('click', () => void attempt(async () => {
  const link = html('a', { href: URL.createObjectURL(new Blob([await pgn()], { type: 'application/x-chess-pgn' })), download: 'analysis.pgn' });
  link.click();
  URL.revokeObjectURL(link.href);
}));
need('.texts').addEventListener('toggle', () => changed());
need('#copy-link').addEventListener('click', () => void copy(location.href));
need('#embed').addEventListener('click', () => {
  const side = board.view.orientation;
  const query = { fen: turns.fen(), last: turns.tree.at.turn?.lan, side: side === 'b' ? side : null };
  void copy(embedSnippet('position', query, t('game-cotulenh')), t('embed-copied'));
});
need('#copy-fen').addEventListener('click', () => void copy(turns.fen()));
need('#copy-pgn').addEventListener('click', () => void attempt(async () => copy(await pgn())));
const flip = () => {
  board.orient(board.view.orientation === 'r' ? 'b' : 'r');
  annotator.show();
};
need('#flip').addEventListener('click', flip);
need('#cover').addEventListener('click', () => void board.toggleCover());
board.addEventListener('cover', (e) => need('#cover').setAttribute('aria-pressed', String(/** @type {CustomEvent} */ (e).detail)));
need('#edit').addEventListener('click', () => location.assign(`/editor?fen=${encodeURIComponent(turns.fen())}`));
need('#play-here').addEventListener('click', () => location.assign(`/?fen=${encodeURIComponent(turns.fen())}#play`));

helpKeys([...BOARD_KEYS, ...WALK_KEYS, ['↑ ↓', t('help-variations')]]);
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
  if (event.key.toLowerCase() === 'f' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) flip();
});

/** The game to look at, from the server. @param {string} id @param {number|null} ply */
async function loadGame(id, ply) {
  const table = await ifLatest(fetchTable(id));
  if (!table) return;
  begin(table.start, table.turns, ply);
  await look();
}

/** @param {string} id */
async function fetchTable(id) {
  const reply = await fetch(`/api/v1/tables/${encodeURIComponent(id)}`);
  const table = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(table.error?.code ?? String(reply.status), table.error?.message ?? reply.statusText);
  return table;
}

/** Shows an analysis of a link. @param {import('./saved.js').SavedAnalysis} analysis */
async function loadSaved(analysis) {
  if (!await loadText(analysis.pgn)) return;
  saved.mark(true);
  link();
}

/** Two people at this device: no engine, and the board turns with the side to move. */
const two = new URLSearchParams(location.search).has('two');
need('.table-page').classList.toggle('two', two);

await attempt(() => (wanted.saved
  ? loadSaved(wanted.saved)
  : wanted.game
  ? loadGame(wanted.game, wanted.ply)
  : load(wanted.fen ?? START, wanted.moves.map((m) => m.replaceAll(';', ',')), wanted.ply ?? undefined)));
// Whatever was wrong with the address, there is a board to go on with.
if (need('#fault').textContent) await load(START, []).catch(() => undefined);
