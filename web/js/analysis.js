/**
 * Analysis: any position, any line, with the engine's opinion on demand.
 * The address always names what is on the board, so a copied link reopens exactly this.
 * @typedef {import('./types.js').Turn} Turn
 */
import './board.js';
import { html } from './html.js';
import { START } from './fen.js';
import { BOARD_KEYS, WALK_KEYS, helpKeys } from './help.js';
import { refusalWords, t } from './i18n.js';
import { stepsOf, touched, trail } from './lan.js';
import { boot, copy, need, notice } from './page.js';
import { Refused } from './refused.js';
import { rules } from './rules.js';
import { Line } from './socket.js';
import { Turns } from './turns.js';

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const bar = need('#eval');
const lines = need('#lines');
const toggle = need('#engine');
const fenBox = /** @type {HTMLInputElement} */ (need('#fen'));
const pgnBox = /** @type {HTMLTextAreaElement} */ (need('#pgn'));
board.rules = rules;
const turns = new Turns(need('#turns'), () => void look());
turns.wheel(board.stage);
let engine = false;
/** The tags of the PGN that was loaded: who played, and how it ended. @type {Record<string, string>} */
let headers = {};
let question = 0;
/** The last question to which there was a line. */
let answered = 0;
/** @type {Line|null} */
let line = null;

/** @param {string} [before] */
async function look(before) {
  const { ply, step } = turns;
  const turn = step === null ? turns.turns[ply - 1] : turns.turns[ply];
  const steps = before && turn ? await stepsOf(before, turn) : undefined;
  if (step !== null && turn) await stepsOf(turns.fen(), turn);
  const fen = turns.fen();
  fenBox.value = fen;
  pgnBox.value = pgn();
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

board.addEventListener('answer', (event) => {
  const answer = /** @type {CustomEvent<import('./types.js').Answer>} */ (event).detail;
  const { outcome } = answer;
  need('#status').textContent = outcome
    ? `${outcome.winner ? t('wins', { side: t(`side-${outcome.winner}`) }) : t('drawn')} ${t(`outcome-${outcome.reason}`)}`
    : `${t('turn-of', { side: t(`side-${answer.turn}`) })}${answer.check ? ` ${t('check')}` : ''}`;
});

board.addEventListener('turn', (event) => void extend(/** @type {CustomEvent} */ (event).detail.steps));

/** Plays a turn here; what came after it in the list gives way. @param {string[]} steps */
async function extend(steps) {
  const before = turns.fen();
  try {
    const { turns: made } = await rules.steps(before, steps);
    turns.set(turns.start, [...turns.turns.slice(0, turns.ply), ...made]);
    board.accepted();
    await look(before);
    if (two) board.orient(turns.fen().split(' ')[1] === 'b' ? 'b' : 'r');
  } catch (error) {
    board.refused(error instanceof Refused ? error.message : t('offline'));
  }
}

function link() {
  const url = new URL('/analysis', location.href);
  if (new URLSearchParams(location.search).has('two')) url.searchParams.set('two', '1');
  if (turns.start !== START) url.searchParams.set('fen', turns.start);
  if (turns.turns.length) url.searchParams.set('moves', turns.turns.map((turn) => turn.lan.replaceAll(',', ';')).join(','));
  if (turns.ply !== turns.turns.length) url.searchParams.set('ply', String(turns.ply));
  history.replaceState(null, '', url);
}

/** The line as PGN. */
function pgn() {
  const [, side, , , , number] = turns.start.split(' ');
  const tags = { Event: 'Analysis', Site: location.origin, Date: '????.??.??', Round: '-', Red: '?', Blue: '?', Result: '*', ...headers };
  const head = Object.entries(tags).filter(([name]) => !['SetUp', 'FEN'].includes(name)).map(([name, value]) => `[${name} "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"]`);
  if (turns.start !== START) head.push('[SetUp "1"]', `[FEN "${turns.start}"]`);
  let at = (Number(number) || 1) * 2 + (side === 'b' ? 1 : 0);
  const words = turns.turns.map((turn, i) => {
    const lead = at % 2 === 0 ? `${at / 2}. ` : i === 0 ? `${(at - 1) / 2}... ` : '';
    at += 1;
    return lead + turn.san;
  });
  return `${head.join('\n')}\n\n${[...words, tags.Result].join(' ')}\n`;
}

toggle.addEventListener('click', () => {
  engine = !engine;
  toggle.setAttribute('aria-pressed', String(engine));
  toggle.textContent = t(engine ? 'engine-stop' : 'engine-start');
  if (engine) think();
  else stop();
});

function stop() {
  line?.send('stop');
  question += 1;
  lines.replaceChildren();
  bar.hidden = true;
}

function think() {
  if (!engine) return;
  line ??= new Line('/ws/analysis', { frame: opinion, state: (up) => up && think() });
  question += 1;
  if (line.isOpen) line.socket?.send(JSON.stringify({ t: 'analyse', id: `a${question}`, d: { fen: turns.fen(), moves: [], lines: 3, ms: 20000, depth: null } }));
}

/** @param {{cp: number|null, mate: number|null}} score from red's side */
function scoreText({ cp, mate }) {
  if (mate != null) return `#${mate}`;
  const pawns = (cp ?? 0) / 100;
  return (pawns > 0 ? '+' : '') + pawns.toFixed(2);
}

/** The engine has no line where the game is over; the status says how it ended. */
function nothingToSay() {
  lines.replaceChildren(html('li', { class: 'soft' }, [t('engine-over')]));
  bar.hidden = true;
}

/** @param {import('./socket.js').Frame} frame */
function opinion({ t: kind, d }) {
  if (d?.re !== `a${question}`) return;
  if (kind === 'refused') return notice(refusalWords(d));
  if (kind === 'done' && answered !== question) return nothingToSay();
  const best = kind === 'line' ? d.lines[0] : null;
  if (!best) return;
  answered = question;
  const share = best.mate != null ? (best.mate > 0 ? 100 : 0) : 100 / (1 + Math.exp(-best.cp / 350));
  bar.hidden = false;
  bar.setAttribute('aria-valuenow', String(Math.round(share)));
  bar.setAttribute('aria-valuetext', scoreText(best));
  bar.style.setProperty('--share', `${share}%`);
  need('.score', bar).textContent = scoreText(best);
  lines.replaceChildren(
    html('li', { class: 'soft' }, [t('engine-depth', { depth: d.depth, nodes: Intl.NumberFormat(document.documentElement.lang).format(d.nodes) })]),
    ...d.lines.map((/** @type {any} */ l) => {
      const play = html('button', { type: 'button', class: 'turn' }, [l.san[0] ?? '']);
      play.addEventListener('click', () => void extend([l.lan[0]]));
      return html('li', {}, [html('b', { class: 'score' }, [scoreText(l)]), ' ', play, ' ', l.san.slice(1, 7).join(' ')]);
    }),
  );
}

/** What could not be loaded stays on the page until something else is loaded. @param {string} words */
function fault(words) {
  need('#fault').textContent = words;
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

/** @param {string} text a FEN @param {string[]} moves @param {number} [ply] */
async function load(text, moves, ply) {
  const { fen } = await rules.fen(text);
  const answer = moves.length ? await rules.steps(fen, moves) : { turns: [] };
  turns.set(fen, answer.turns, ply ?? answer.turns.length);
  headers = {};
  await look();
}

need('#load-fen').addEventListener('click', () => void attempt(() => load(fenBox.value.trim(), [])));
need('#load-pgn').addEventListener('click', () => void attempt(async () => {
  const { start, turns: made, headers: read } = await rules.pgn(pgnBox.value);
  turns.set(start, made, 0);
  headers = read;
  await look();
  notice(t('loaded-turns', { count: made.length }));
}));
need('#copy-link').addEventListener('click', () => void copy(location.href));
need('#copy-fen').addEventListener('click', () => void copy(turns.fen()));
need('#copy-pgn').addEventListener('click', () => void copy(pgn()));
const flip = () => board.orient(board.view.orientation === 'r' ? 'b' : 'r');
need('#flip').addEventListener('click', flip);
need('#cover').addEventListener('click', () => void board.toggleCover());
board.addEventListener('cover', (e) => need('#cover').setAttribute('aria-pressed', String(/** @type {CustomEvent} */ (e).detail)));
need('#edit').addEventListener('click', () => location.assign(`/editor?fen=${encodeURIComponent(turns.fen())}`));
need('#play-here').addEventListener('click', () => location.assign(`/?fen=${encodeURIComponent(turns.fen())}#play`));

helpKeys([...BOARD_KEYS, ...WALK_KEYS]);
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
  if (event.key.toLowerCase() === 'f' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) flip();
});

/** The game to look at, from the server. @param {string} id @param {number|null} ply */
async function loadGame(id, ply) {
  const reply = await fetch(`/api/v1/tables/${encodeURIComponent(id)}`);
  const table = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(table.error?.code ?? String(reply.status), table.error?.message ?? reply.statusText);
  turns.set(table.start, table.turns, ply ?? table.turns.length);
  await look();
}

/** Two people at this device: no engine, and the board turns with the side to move. */
const two = new URLSearchParams(location.search).has('two');
need('.table-page').classList.toggle('two', two);

const asked = boot();
await attempt(() => (asked.game
  ? loadGame(asked.game, asked.ply)
  : load(asked.fen ?? START, asked.moves.map((/** @type {string} */ m) => m.replaceAll(';', ',')), asked.ply ?? undefined)));
// Whatever was wrong with the address, there is a board to go on with.
if (need('#fault').textContent) await load(START, []).catch(() => undefined);
