/**
 * The page of a table: play, watch, and look back.
 *
 * @typedef {import('./types.js').Turn} Turn
 * @typedef {import('./types.js').Color} Color
 * @typedef {{kind: 'human'|'bot'|'open', name: string, level?: number}} Seat
 *
 * @typedef {object} GameView what the server shows this visitor of the table
 * @property {string} id
 * @property {number} seq
 * @property {number|null} you
 * @property {'waiting'|'playing'|'over'} phase
 * @property {Seat[]} seats
 * @property {string} start
 * @property {string} fen
 * @property {Color} turn
 * @property {boolean} check
 * @property {Turn[]} turns
 * @property {import('./clock.js').Clock|null} clock
 * @property {{kind: string, by: number}|null} offer
 * @property {import('./types.js').Outcome|null} outcome
 * @property {number[]} rematch seats that want another game
 * @property {string|null} next the table of that game
 * @property {string[]} can
 */
import './board.js';
import { Clocks } from './clock.js';
import { html } from './dock.js';
import { losses } from './fen.js';
import { personName, refusalWords, t } from './i18n.js';
import { readLan, stepsOf, touched } from './lan.js';
import { boot, copy, need, notice } from './page.js';
import { Line } from './socket.js';
import { play, soundOf } from './sound.js';
import { Turns } from './turns.js';
import { pieceIcon } from './view.js';
import { turnWords } from './words.js';

/** Seat 0 is red, seat 1 blue. @param {number} seat @returns {Color} */
const colorOf = (seat) => (seat === 0 ? 'r' : 'b');

/** @type {GameView} */
let view = boot();
/** @type {{steps: string[], fen: string, id: string|null}|null} */
let outgoing = null;
let online = false;
/** @type {boolean[]} */
let present = [];
let watchers = 0;
let flipped = false;
/** What the board shows, to tell whether a frame changes it. */
let looked = '';

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const status = need('#status');
const turns = new Turns(need('#turns'), () => void look());
const strips = [need('#top-player'), need('#bottom-player')];
const clocks = new Clocks((seat, text, low, running) => {
  const node = document.querySelector(`[data-clock="${seat}"]`);
  if (!node) return;
  node.textContent = text;
  node.classList.toggle('low', low);
  node.classList.toggle('running', running);
});
const line = new Line(`/ws/table/${view.id}`, {
  seq: () => view.seq,
  state(up) {
    online = up;
    drawStatus();
  },
  frame({ t: kind, seq, d }) {
    if (kind === 'view') replace(d);
    else if (kind === 'event') apply(seq ?? 0, d);
    else if (kind === 'resumed') resume(d);
    else if (kind === 'presence') greet(d);
    else if (kind === 'refused') refused(d);
    else if (kind === 'bye') notice(t('server-restarts'));
  },
});

/** @param {GameView} next */
function replace(next) {
  const moved = next.turns.length !== view.turns.length || next.fen !== view.fen;
  view = next;
  settle();
  if (moved || turns.atEnd) turns.set(view.start, view.turns);
  void look();
  draw();
  follow();
}

/** @param {number} seq @param {{kind: string, by?: number, set: Partial<GameView>, turn?: Turn, turns?: number}} event */
function apply(seq, event) {
  if (seq <= view.seq) return;
  if (seq !== view.seq + 1) return void line.send('sync');
  const before = view.fen;
  const live = turns.atEnd;
  Object.assign(view, event.set);
  if (event.turns != null) view.turns.length = event.turns;
  if (event.turn) view.turns.push(event.turn);
  view.seq = seq;
  settle();
  if (event.turn || event.turns != null) {
    turns.set(view.start, view.turns, live ? view.turns.length : turns.ply);
    if (live) void look(event.turn ? before : undefined);
  }
  if (event.turn) announce(event.turn, event.by === view.you);
  if (event.kind === 'ended') play('end');
  if (event.kind === 'offered' && event.by !== view.you) play('step');
  if (event.kind === 'seated') play('start');
  follow();
  draw();
}

/** Nothing was missed, but clocks and offers may have changed. @param {Partial<GameView>} fields */
function resume(fields) {
  Object.assign(view, fields);
  settle();
  draw();
}

/** A rematch goes on at its own table. Who only watches is told, and stays. */
function follow() {
  if (view.next && view.you !== null) location.assign(`/game/${view.next}`);
}

/** Our turn is through when the position it was made for is no longer the present one. */
function settle() {
  if (outgoing && view.fen !== outgoing.fen) {
    outgoing = null;
    board.accepted();
  }
  if (view.you !== null && document.hidden && view.phase === 'playing' && colorOf(view.you) === view.turn) document.title = `• ${t('your-turn')}`;
}

/** @param {Turn} turn @param {boolean} mine */
function announce(turn, mine) {
  const read = readLan(turn.lan);
  const flags = read?.steps.map((s) => s.flags).join('') ?? '';
  if (!mine) play(soundOf(flags));
  if (view.check) setTimeout(() => play('check'), 180);
  const by = view.turns.length % 2 === (view.start.split(' ')[1] === 'r' ? 1 : 0) ? 'r' : 'b';
  board.say(`${t(`side-${by}`)}: ${turnWords(turn.lan)}${view.check ? `. ${t('check')}` : ''}`);
}

/** After this frame everything missed has been told: a turn still on its way is sent again. @param {any} d */
function greet(d) {
  present = d.online ?? [];
  watchers = d.spectators ?? 0;
  if (outgoing && outgoing.fen === view.fen) outgoing.id = line.send('move', { steps: outgoing.steps });
  draw();
}

/** @param {{re?: string, code: string, message: string, why?: {code: string}}} d */
function refused(d) {
  const words = refusalWords(d);
  if (outgoing && d.re === outgoing.id) {
    outgoing = null;
    board.refused(words);
  } else notice(words);
}

board.addEventListener('turn', (event) => {
  const { steps, fen } = /** @type {CustomEvent} */ (event).detail;
  outgoing = { steps, fen, id: null };
  outgoing.id = line.send('move', { steps });
  if (!outgoing.id) notice(t('offline'));
  drawStatus();
});

/** Whose pieces this visitor may move now. @returns {Color|'none'} */
function movable() {
  return view.phase === 'playing' && turns.atEnd && view.you !== null && view.can.includes('move') ? colorOf(view.you) : 'none';
}

/** Shows the position the list of turns stands at. @param {string} [before] animate the last turn from here */
async function look(before) {
  const { ply, step } = turns;
  const turn = step === null ? turns.turns[ply - 1] : turns.turns[ply];
  const fen = turns.fen();
  const steps = before && turn ? await stepsOf(before, turn) : undefined;
  if (turns.ply !== ply || turns.step !== step) return;
  // Frames that change nothing on the board must not disturb a draft.
  const now = JSON.stringify([fen, ply, step, movable(), view.check]);
  if (now === looked && !board.pending) return;
  looked = now;
  await board.show({
    fen,
    board: step ? turn?.steps?.[step - 1]?.board : undefined,
    movable: movable(),
    key: view.you === null ? '' : `convoy.draft.${view.id}`,
    last: turn ? touched(turn.lan) : [],
    check: turns.atEnd && view.check && view.phase === 'playing',
    steps,
  });
}

function draw() {
  const bottom = view.you ?? 0;
  const seats = flipped ? [bottom, 1 - bottom] : [1 - bottom, bottom];
  board.orient(colorOf(seats[1]));
  seats.forEach((seat, i) => drawPlayer(strips[i], seat));
  clocks.mine = view.you;
  clocks.set(view.clock);
  drawStatus();
  drawActions();
}

/** @param {HTMLElement} strip @param {number} seat */
function drawPlayer(strip, seat) {
  const { kind, name, level } = view.seats[seat];
  const color = colorOf(seat);
  const lost = losses(view.start, view.fen)[color === 'r' ? 'b' : 'r'];
  const here = kind === 'bot' || present[seat];
  const who = kind === 'open' ? t('seat-open') : kind === 'bot' ? t('bot-level', { level: level ?? 1 }) : personName(name);
  strip.replaceChildren(
    html('span', { class: `dot ${here ? 'on' : 'off'}`, role: 'img', 'aria-label': t(here ? 'online' : 'away') }),
    html('span', { class: `who side-${color}` }, [html('b', {}, [seat === view.you ? t('tr-you', { name: who }) : who]), ` · ${t(`side-${color}`)}`]),
    html('span', { class: 'spoils', role: 'img', 'aria-label': t('captured', { pieces: lost.length ? lost.map((p) => t(`piece-${p}`)).join(t('comma')) : '–' }) }, lost.map((p) => pieceIcon(p, color === 'r' ? 'b' : 'r'))),
  );
  if (view.clock) strip.append(html('time', { class: 'clock', 'data-clock': String(seat), role: 'timer', 'aria-label': t('clock-of', { side: t(`side-${color}`) }) }));
  strip.classList.toggle('to-move', view.phase === 'playing' && view.turn === color);
}

function statusWords() {
  if (view.outcome) {
    const { winner, reason } = view.outcome;
    return `${winner ? t('wins', { side: t(`side-${winner}`) }) : t(reason === 'aborted' ? 'no-result' : 'drawn')} ${t(`outcome-${reason}`)}`;
  }
  if (view.phase === 'waiting') return t(view.you === null ? 'waiting-sit' : 'waiting-friend');
  if (outgoing) return t('sending');
  const mine = view.you !== null && colorOf(view.you) === view.turn;
  const words = mine ? t('your-turn') : t('turn-of', { side: t(`side-${view.turn}`) });
  return view.check ? `${words} ${t('check')}` : words;
}

function drawStatus() {
  const words = statusWords();
  status.replaceChildren(html('strong', {}, [words]));
  const mine = view.you === null ? '' : colorOf(view.you);
  status.classList.toggle('over', Boolean(view.outcome));
  status.classList.toggle('won', Boolean(view.outcome?.winner) && view.outcome?.winner === mine);
  status.classList.toggle('lost', Boolean(mine && view.outcome?.winner) && view.outcome?.winner !== mine);
  status.classList.toggle('mine', view.phase === 'playing' && view.turn === mine);
  if (!turns.atEnd) status.append(' ', html('span', { class: 'soft' }, [t('looking-back')]));
  if (view.clock?.paused) status.append(' ', html('span', {}, [t('clock-paused')]));
  if (!online) status.append(' ', html('span', { class: 'offline' }, [t('reconnecting')]));
  if (watchers) status.append(' ', html('span', { class: 'soft' }, [t('watchers', { count: watchers })]));
  document.title = `${words} · Convoy`;
}

/** @param {string} name @param {string} [kind] */
function action(name, kind = '') {
  const node = html('button', { type: 'button', class: kind, 'data-act': name }, [t(`act-${name}`)]);
  node.addEventListener('click', () => {
    if (name === 'resign' && !node.classList.contains('sure')) {
      node.classList.add('sure');
      node.textContent = t('act-resign-sure');
      setTimeout(() => (node.classList.remove('sure'), (node.textContent = t('act-resign'))), 4000);
      return;
    }
    if (!line.send(name)) notice(t('offline'));
  });
  return node;
}

function drawActions() {
  const host = need('#actions');
  const { can, offer } = view;
  const focused = document.activeElement instanceof HTMLElement && host.contains(document.activeElement) ? document.activeElement.dataset.act : undefined;
  /** @type {HTMLElement[]} */
  const nodes = [];
  const theirs = offer && offer.by !== view.you && view.you !== null;
  if (theirs) {
    const accept = action(offer.kind, 'primary');
    accept.textContent = t('accept');
    nodes.push(html('p', { class: 'offer', role: 'alert' }, [t(`offer-${offer.kind}`)]), accept, action('decline'));
  } else if (offer && view.you !== null) nodes.push(html('p', { class: 'offer' }, [t('offer-made')]));
  if (view.next && view.you === null) nodes.push(html('a', { class: 'button', href: `/game/${view.next}` }, [t('act-rematch')]));
  if (can.includes('sit')) nodes.push(action('sit', 'primary'));
  if (can.includes('rematch')) {
    const asked = view.rematch.some((seat) => seat !== view.you);
    if (asked) nodes.push(html('p', { class: 'offer', role: 'alert' }, [t('offer-rematch')]));
    nodes.push(action('rematch', 'primary'));
  }
  for (const name of ['abort', 'takeback', 'draw', 'claim', 'resign']) {
    if (can.includes(name) && !(theirs && name === offer.kind)) nodes.push(action(name));
  }
  host.replaceChildren(...nodes);
  if (focused) /** @type {HTMLElement|null} */ (host.querySelector(`[data-act="${focused}"]`))?.focus();
  need('#invite').hidden = view.phase !== 'waiting';
}

need('#flip').addEventListener('click', () => {
  flipped = !flipped;
  draw();
});
need('#cover').addEventListener('click', () => void board.toggleCover());
board.addEventListener('cover', (e) => need('#cover').setAttribute('aria-pressed', String(/** @type {CustomEvent} */ (e).detail)));
need('#copy-link').addEventListener('click', () => void copy(location.href));
document.addEventListener('visibilitychange', drawStatus);

turns.set(view.start, view.turns);
draw();
void look();
