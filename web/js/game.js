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
import { Clocks, lagWords, seconds } from './clock.js';
import { DeviceEngine } from './engine.js';
import { losses } from './fen.js';
import { BOARD_KEYS, WALK_KEYS, helpKeys } from './help.js';
import { button, html } from './html.js';
import { personName, refusalWords, t } from './i18n.js';
import { readLan, stepsOf, touched, trail } from './lan.js';
import { outcomeWords } from './outcome.js';
import { boot, copy, drawn, inviteLink, need, notice } from './page.js';
import { squareOf } from './pointer.js';
import { rules } from './rules.js';
import { embedSnippet, sharePicture } from './share.js';
import { Line } from './socket.js';
import { play, soundOf } from './sound.js';
import { Turns } from './turns.js';
import { pieceIcon } from './view.js';
import { turnWords } from './words.js';

/** Seat 0 is red, seat 1 blue. @param {number} seat @returns {Color} */
const colorOf = (seat) => (seat === 0 ? 'r' : 'b');
/** How long a hint is thought about, in milliseconds. */
const HINT = 1500;

/** The table on this device, for games without the server. */
const table = boot().local ? await (await import('./local/table.js')).openTable() : null;
/** @type {GameView} */
let view = table ? table.view : boot();
/** @type {{steps: string[], fen: string, id: string|null, prepared?: boolean}|null} */
let outgoing = null;
/** A turn prepared while the opponent thinks: it is played as soon as it may be, if it is legal then. @type {string[]|null} */
let premove = null;
/** The position in which the player prepares one. */
let preparing = '';
/** Until the first connection is lost there is nothing to tell. */
let online = true;
/** @type {boolean[]} */
let present = [];
let watchers = 0;
/** Since when each seat has been without a connection, on this page's clock. @type {(number|null)[]} */
let goneSince = [];
let flipped = false;
/** What the board shows, to tell whether a frame changes it. */
let looked = '';

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const status = need('#status');
board.rules = rules;
const turns = new Turns(need('#turns'), () => {
  void look();
  drawStatus();
});
turns.wheel(board.stage);
const strips = [need('#top-player'), need('#bottom-player')];
const clocks = new Clocks((seat, text, low, running) => {
  const node = document.querySelector(`[data-clock="${seat}"]`);
  if (!node) return;
  node.textContent = text;
  node.classList.toggle('low', low);
  node.classList.toggle('running', running);
});
/** What comes from the table. */
const on = {
  seq: () => view.seq,
  state(/** @type {boolean} */ up) {
    online = up;
    drawStatus();
  },
  frame(/** @type {import('./socket.js').Frame} */ { t: kind, seq, d }) {
    if (kind === 'view') replace(d);
    else if (kind === 'event') apply(seq ?? 0, d);
    else if (kind === 'resumed') resume(d);
    else if (kind === 'presence') greet(d);
    else if (kind === 'refused') refused(d);
    else if (kind === 'bye') notice(t('server-restarts'));
  },
};
const line = table ? table.connect(on) : new Line(`/ws/table/${view.id}`, on);

/** @param {GameView} next */
function replace(next) {
  const before = view.next;
  const moved = next.turns.length !== view.turns.length || next.fen !== view.fen;
  view = next;
  settle();
  if (moved || turns.atEnd) turns.set(view.start, view.turns);
  void look();
  draw();
  follow(before);
}

/** @param {number} seq @param {{kind: string, by?: number, set: Partial<GameView>, turn?: Turn, turns?: number}} event */
function apply(seq, event) {
  if (seq <= view.seq) return;
  if (seq !== view.seq + 1) return void line.send('sync');
  const before = { ...view };
  const live = turns.atEnd;
  Object.assign(view, event.set);
  if (event.turns != null) view.turns.length = event.turns;
  if (event.turn) view.turns.push(event.turn);
  view.seq = seq;
  settle();
  if (event.turn || event.turns != null) {
    turns.set(view.start, view.turns, live ? view.turns.length : turns.ply);
    if (live) void look(event.turn ? before.fen : undefined);
  }
  if (event.turn) announce(event.turn, event.by === view.you);
  creditWords(before);
  if (event.kind === 'ended') play('end');
  if (event.kind === 'offered' && event.by !== view.you) play('step');
  if (event.kind === 'seated') play('start');
  const offered = before.offer?.by === view.you && view.you !== null ? before.offer.kind : null;
  // Whoever plays on has declined too.
  if (offered && !view.offer && !view.outcome && (event.kind === 'declined' || event.kind === 'moved')) notice(t(`declined-${offered}`));
  follow(before.next);
  draw();
}

/** Lag that is worth a word is told to whoever had it. @param {GameView} before */
function creditWords(before) {
  if (view.you === null || !view.clock || !before.clock) return;
  const credited = before.clock.credit[view.you] - view.clock.credit[view.you];
  if (credited >= 500) notice(t('lag-credited', { seconds: seconds(credited) }));
}

/** Nothing was missed, but clocks and offers may have changed. @param {Partial<GameView>} fields */
function resume(fields) {
  Object.assign(view, fields);
  settle();
  draw();
}

/** Players follow a rematch that begins now; whoever comes back to this game later stays, and finds a link. @param {string|null} before */
function follow(before) {
  if (view.next && !before && view.you !== null) location.assign(`/game/${view.next}`);
}

/** Our turn is through when the position it was made for is no longer the present one. */
function settle() {
  if (outgoing && view.fen !== outgoing.fen) {
    outgoing = null;
    board.accepted();
  }
  if (preparing !== view.fen) preparing = '';
  if (view.phase !== 'playing') premove = null;
  if (premove && myTurn() && !outgoing) {
    outgoing = { steps: premove, fen: view.fen, id: line.send('move', { steps: premove }), prepared: true };
    premove = null;
  }
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
  goneSince = (d.away ?? []).map((/** @type {number|null} */ away) => (away === null ? null : performance.now() - away));
  if (outgoing && outgoing.fen === view.fen) outgoing.id = line.send('move', { steps: outgoing.steps });
  draw();
}

/** @param {{re?: string, code: string, message: string, why?: {code: string}}} d */
function refused(d) {
  const words = outgoing?.prepared ? t('premove-failed') : refusalWords(d);
  if (outgoing && d.re === outgoing.id) {
    outgoing = null;
    drawStatus();
    board.refused(words);
  } else notice(words);
}

board.addEventListener('turn', (event) => {
  const { steps, fen } = /** @type {CustomEvent} */ (event).detail;
  if (!myTurn()) return setPremove(steps);
  outgoing = { steps, fen, id: null };
  outgoing.id = line.send('move', { steps });
  if (!outgoing.id) notice(t('offline'));
  drawStatus();
});

const myTurn = () => view.phase === 'playing' && view.you !== null && colorOf(view.you) === view.turn;

/** @param {string[]|null} steps */
function setPremove(steps) {
  premove = steps;
  preparing = '';
  looked = '';
  void look();
  drawStatus();
}

/** The same position with the other side to move. @param {string} fen */
const turned = (fen) => fen.replace(/ [rb] /, (side) => (side === ' r ' ? ' b ' : ' r '));

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
  const ahead = Boolean(preparing) && view.you !== null && turns.atEnd;
  const now = JSON.stringify([fen, ply, step, movable(), view.check, ahead]);
  if (now === looked && !board.pending) return;
  looked = now;
  await board.show({
    fen: ahead ? turned(fen) : fen,
    board: step ? turn?.steps?.[step - 1]?.board : undefined,
    movable: ahead ? colorOf(view.you ?? 0) : movable(),
    key: view.you === null || ahead ? '' : `convoy.draft.${view.id}`,
    last: turn ? touched(turn.lan) : [],
    trail: turn ? trail(turn.lan) : [],
    check: turns.atEnd && view.check && view.phase === 'playing' && !ahead,
    steps,
  });
}

function draw() {
  need('.table-page').classList.toggle('watching', view.you === null || view.phase !== 'playing');
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
    html('span', { class: `who side-${color}` }, [html('b', {}, [seat === view.you ? t('player-you', { name: who }) : who]), ` · ${t(`side-${color}`)}`]),
    html('span', { class: 'spoils', role: 'img', 'aria-label': t('captured', { pieces: lost.length ? lost.map((p) => t(`piece-${p}`)).join(t('list-comma')) : '–' }) }, lost.map((p) => pieceIcon(p, color === 'r' ? 'b' : 'r'))),
  );
  if (view.clock) strip.append(html('time', { class: 'clock', 'data-clock': String(seat), role: 'timer', title: t('lag-credit', { seconds: seconds(view.clock.credit[seat]) }), 'aria-label': t('clock-of', { side: t(`side-${color}`) }) }));
  strip.classList.toggle('to-move', view.phase === 'playing' && view.turn === color);
}

function statusWords() {
  if (view.outcome) return outcomeWords(view.outcome);
  if (view.phase === 'waiting') return t(view.you === null ? 'waiting-sit' : 'waiting-friend');
  if (!turns.atEnd) return t('looking-back');
  if (outgoing) return t('sending');
  if (premove) return t('premove-set');
  const words = myTurn() ? t('your-turn') : t('turn-of', { side: t(`side-${view.turn}`) });
  return view.check ? words + t('space') + t('check') : words;
}

function drawStatus() {
  const words = statusWords();
  status.replaceChildren(html('strong', {}, [words]));
  const mine = view.you === null ? '' : colorOf(view.you);
  status.classList.toggle('over', Boolean(view.outcome));
  status.classList.toggle('won', Boolean(view.outcome?.winner) && view.outcome?.winner === mine);
  status.classList.toggle('lost', Boolean(mine && view.outcome?.winner) && view.outcome?.winner !== mine);
  status.classList.toggle('mine', myTurn() && turns.atEnd);
  if (!turns.atEnd && view.phase === 'playing') status.append(' ', button(t('latest-move'), () => turns.go(turns.turns.length), { id: 'latest' }));
  if (view.clock?.paused) status.append(' ', html('span', {}, [t('clock-paused')]));
  if (!online) status.append(' ', html('span', { class: 'offline' }, [t('reconnecting')]));
  if (!online && view.clock && view.you !== null && myTurn()) status.append(' ', html('span', {}, [lagWords(view.clock, view.you)]));
  if (watchers) status.append(' ', html('span', { class: 'soft' }, [t('watchers', { count: watchers })]));
  document.title = document.hidden && myTurn() ? `• ${t('your-turn')} · Convoy` : `${words} · Convoy`;
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

/** Whoever is gone for so long may be declared to have lost; the server judges. */
const PATIENCE = 60_000;

/** How long until the opponent, who has left, may be declared to have lost; null where that is no question. */
function claimWait() {
  if (view.phase !== 'playing' || view.you === null || view.can.includes('claim')) return null;
  const since = goneSince[1 - view.you];
  if (since == null || view.seats[1 - view.you].kind !== 'human') return null;
  return Math.max(0, PATIENCE - (performance.now() - since));
}

setInterval(() => {
  if (claimWait() !== null) drawActions();
}, 1000);

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
  if (view.next) nodes.push(html('a', { class: 'button', id: 'next-game', href: `/game/${view.next}` }, [t('next-game')]));
  else if (view.you !== null && view.rematch.includes(view.you)) nodes.push(html('p', { class: 'offer' }, [t('rematch-sent')]));
  if (can.includes('rematch') && !view.next) {
    const asked = view.rematch.some((seat) => seat !== view.you);
    if (asked) nodes.push(html('p', { class: 'offer', role: 'alert' }, [t('offer-rematch')]));
    nodes.push(action('rematch', 'primary'));
  }
  const wait = claimWait();
  if (wait !== null && wait > 0) nodes.push(html('p', { class: 'offer', id: 'claim-wait' }, [t('claim-in', { seconds: Math.ceil(wait / 1000) })]));
  const may = wait === 0 ? [...can, 'claim'] : can;
  for (const name of ['abort', 'takeback', 'draw', 'claim', 'resign']) {
    if (may.includes(name) && !(theirs && name === offer.kind)) nodes.push(action(name));
  }
  host.replaceChildren(...nodes);
  if (focused) /** @type {HTMLElement|null} */ (host.querySelector(`[data-act="${focused}"]`))?.focus();
  const invite = document.getElementById('invite');
  if (invite) invite.hidden = view.phase !== 'waiting' || (view.you !== null && !document.getElementById('invite-link'));
  const people = view.seats.every((seat) => seat.kind === 'human');
  need('#hint').hidden = !(view.phase === 'playing' && view.you !== null && view.seats.some((seat) => seat.kind === 'bot'));
  need('#to-analysis').hidden = people && view.phase !== 'over';
  const review = document.getElementById('to-review');
  if (review) review.hidden = view.phase !== 'over' || !view.turns.length;
}

function flip() {
  flipped = !flipped;
  draw();
}

/** Asked for a hint, in games against the computer. @type {DeviceEngine|null} */
let adviser = null;
/** The position it was asked about. */
let hinted = '';

/** Shows what the engine would play here. */
function hint() {
  hinted = view.fen;
  adviser ??= new DeviceEngine({
    opinion({ lines: [best] }) {
      if (!best || view.fen !== hinted || !myTurn() || !turns.atEnd || board.draft?.isOpen) return;
      board.view.trail(trail(best.lan[0]));
      board.say(t('hint-is', { turn: turnWords(best.lan[0]) }));
    },
    done: () => undefined,
    refused: notice,
    unreached: () => notice(t('offline')),
  });
  adviser.ask({ fen: hinted, lines: 1, time: HINT });
}

need('#hint').addEventListener('click', hint);
need('#flip').addEventListener('click', flip);
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toLowerCase() === 'f') flip();
  else if (event.key.toLowerCase() === 'z') document.body.classList.toggle('zen');
});
helpKeys([...BOARD_KEYS, ['Z', t('help-zen')], ...WALK_KEYS]);
// Before the board itself hears of the click: what the board makes of it must not be taken for another click.
board.view.grid.addEventListener('click', async (event) => {
  if (view.phase !== 'playing' || view.you === null) return;
  if (!turns.atEnd) return notice(t('looking-back'));
  if (myTurn() || preparing) return;
  if (premove) return setPremove(null);
  // While the opponent thinks, a click on one's own piece begins a turn to be played later.
  const square = squareOf(event.target);
  if (!square || board.view.placement.get(square)?.color !== colorOf(view.you)) return;
  preparing = view.fen;
  await look();
  if (preparing) await board.select(square);
}, true);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && premove) setPremove(null);
});
need('#cover').addEventListener('click', () => void board.toggleCover());
board.addEventListener('cover', (e) => need('#cover').setAttribute('aria-pressed', String(/** @type {CustomEvent} */ (e).detail)));
inviteLink();
document.querySelector('#embed')?.addEventListener('click', () => {
  const side = board.view.orientation;
  void copy(embedSnippet(`game/${view.id}`, { side: side === 'b' ? side : null }, need('h1').textContent ?? ''), t('embed-copied'));
});
const picture = /** @type {HTMLAnchorElement|null} */ (document.querySelector('#picture'));
if (picture) sharePicture(picture);
if (table) {
  /** @type {HTMLAnchorElement} */ (need('#to-review')).href = table.reviewPath;
  need('#to-analysis').addEventListener('click', (event) => {
    event.preventDefault();
    const moves = view.turns.map((turn) => turn.lan.replaceAll(',', ';')).join(',');
    location.assign(`/analysis?fen=${encodeURIComponent(view.start)}&moves=${encodeURIComponent(moves)}`);
  });
}
document.addEventListener('visibilitychange', drawStatus);

turns.set(view.start, view.turns);
draw();
void look().finally(drawn);
