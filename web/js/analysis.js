/**
 * Analysis: any position, any line, with the engine's opinion on demand.
 * The address always names what is on the board, so a copied link reopens exactly this.
 * @typedef {import('./types.js').Turn} Turn
 */
import './board.js';
import { html } from './dock.js';
import { START } from './fen.js';
import { refusalWords, t } from './i18n.js';
import { stepsOf, touched } from './lan.js';
import { boot, copy, need, notice } from './page.js';
import { Refused, post, rules } from './rules.js';
import { Line } from './socket.js';
import { Turns } from './turns.js';

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const bar = need('#eval');
const lines = need('#lines');
const toggle = need('#engine');
const fenBox = /** @type {HTMLInputElement} */ (need('#fen'));
const pgnBox = /** @type {HTMLTextAreaElement} */ (need('#pgn'));
const turns = new Turns(need('#turns'), () => void look());
let engine = false;
let question = 0;
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
  } catch (error) {
    board.refused(error instanceof Refused ? error.message : t('offline'));
  }
}

function link() {
  const url = new URL('/analysis', location.href);
  if (turns.start !== START) url.searchParams.set('fen', turns.start);
  if (turns.turns.length) url.searchParams.set('moves', turns.turns.map((turn) => turn.lan.replaceAll(',', ';')).join(','));
  if (turns.ply !== turns.turns.length) url.searchParams.set('ply', String(turns.ply));
  history.replaceState(null, '', url);
}

/** The line as PGN. */
function pgn() {
  const [, side, , , , number] = turns.start.split(' ');
  const head = ['[Event "Analysis"]', '[Site "Convoy"]', '[Red "?"]', '[Blue "?"]', '[Result "*"]'];
  if (turns.start !== START) head.push('[SetUp "1"]', `[FEN "${turns.start}"]`);
  let at = (Number(number) || 1) * 2 + (side === 'b' ? 1 : 0);
  const words = turns.turns.map((turn, i) => {
    const lead = at % 2 === 0 ? `${at / 2}. ` : i === 0 ? `${(at - 1) / 2}... ` : '';
    at += 1;
    return lead + turn.san;
  });
  return `${head.join('\n')}\n\n${[...words, '*'].join(' ')}\n`;
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

/** @param {import('./socket.js').Frame} frame */
function opinion({ t: kind, d }) {
  if (d?.re !== `a${question}`) return;
  if (kind === 'refused') return notice(refusalWords(d));
  if (kind !== 'line') return;
  const best = d.lines[0];
  if (!best) return;
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

/** @param {string} start @param {string[]} moves @param {number} [ply] */
async function load(start, moves, ply) {
  try {
    const answer = moves.length ? await post('/api/v1/cotulenh/steps', { fen: start, moves }) : { turns: [] };
    turns.set(start, answer.turns, ply ?? answer.turns.length);
    await look();
  } catch (error) {
    notice(error instanceof Refused ? error.message : t('offline'));
  }
}

need('#load-fen').addEventListener('click', async () => {
  try {
    const { fen } = await rules.fen(fenBox.value.trim());
    await load(fen, []);
  } catch (error) {
    notice(error instanceof Refused ? error.message : t('offline'));
  }
});
need('#load-pgn').addEventListener('click', async () => {
  try {
    const { start, turns: made } = await rules.pgn(pgnBox.value);
    turns.set(start, made, 0);
    await look();
    notice(t('loaded-turns', { count: made.length }));
  } catch (error) {
    notice(error instanceof Refused ? error.message : t('offline'));
  }
});
need('#copy-link').addEventListener('click', () => void copy(location.href));
need('#copy-fen').addEventListener('click', () => void copy(turns.fen()));
need('#copy-pgn').addEventListener('click', () => void copy(pgn()));
need('#flip').addEventListener('click', () => board.orient(board.view.orientation === 'r' ? 'b' : 'r'));
need('#cover').addEventListener('click', () => void board.toggleCover());
board.addEventListener('cover', (e) => need('#cover').setAttribute('aria-pressed', String(/** @type {CustomEvent} */ (e).detail)));
need('#edit').addEventListener('click', () => location.assign(`/editor?fen=${encodeURIComponent(turns.fen())}`));
need('#play-here').addEventListener('click', () => location.assign(`/?fen=${encodeURIComponent(turns.fen())}#play`));

const asked = boot();
if (asked.game) {
  const table = await fetch(`/api/v1/tables/${encodeURIComponent(asked.game)}`).then((r) => (r.ok ? r.json() : null));
  if (table) turns.set(table.start, table.turns, asked.ply ?? table.turns.length);
  else notice(t('error-404'));
  if (table) await look();
} else await load(asked.fen ?? START, asked.moves.map((/** @type {string} */ m) => m.replaceAll(';', ',')), asked.ply ?? undefined);
