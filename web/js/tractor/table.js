/**
 * The card table: it shows what the server shows this seat, asks the server what a selection is, and sends what was chosen.
 * @typedef {import('./tableau.js').View} View
 */
import { helpKeys } from '../help.js';
import { html } from '../html.js';
import { savesData } from '../idle.js';
import { has, refusalWords, t } from '../i18n.js';
import { clockText } from '../clock.js';
import { boot, drawn, inviteLink, need, notice } from '../page.js';
import { settings, change } from '../settings.js';
import { Line } from '../socket.js';
import { play as sound } from '../sound.js';
import { art, cardSigns, faceOf, isJoker } from './cards.js';
import { drawFacts, drawFelt, drawLast, drawTaken, failedWords, seatName, stageWords, trickWords } from './tableau.js';
import { Hand } from './hand.js';
import { Replay } from './replay.js';
import { drawResult, reasons } from './result.js';
import { takePart } from './shuffle.js';
import { bidWords, hintWords, selectionName, whyWords } from './words.js';

/** The table on this device, for games without the server. */
const table = boot().local ? await (await import('../local/card-table.js')).openTable() : null;
/** @type {View} */
let view = table ? table.view : boot();
/** Until the first connection is lost there is nothing to tell. */
let online = true;
/** @type {boolean[]} */
let present = [];
let watchers = 0;
/** @type {{id: string|null, cards: string[], answer: any}} the last selection and what the server said of it */
let checked = { id: null, cards: [], answer: null };
/** @type {Map<string, (answer: any) => void>} */
const waiting = new Map();
let timerEnds = 0;

const me = () => view.you ?? 0;
const act = /** @type {HTMLButtonElement} */ (need('#act'));
const why = need('#why');
const hand = new Hand(need('#hand'), (cards) => void check(cards));
const replay = new Replay(need('#replay'), ask, () => view);

/** What comes from the table. */
const on = {
  seq: () => view.seq,
  state(/** @type {boolean} */ up) {
    online = up;
    drawStatus();
    if (up) replay.again();
  },
  frame(/** @type {import('../socket.js').Frame} */ { t: kind, seq, d }) {
    if (kind === 'view') replace(d);
    else if (kind === 'event') apply(seq ?? 0, d);
    else if (kind === 'resumed') {
      Object.assign(view, d);
      settle();
    } else if (kind === 'presence') {
      present = d.online;
      watchers = d.spectators;
      draw();
    } else if (kind === 'answer') {
      waiting.get(d.re)?.(d);
      waiting.delete(d.re);
    } else if (kind === 'refused') refused(d);
    else if (kind === 'bye') notice(t('server-restarts'));
  },
};
const line = table ? table.connect(on) : new Line(`/ws/table/${view.id}`, on);

/** @param {object} d @returns {Promise<any>} */
function ask(d) {
  const id = line.send('ask', d);
  if (!id) return Promise.resolve(null);
  return new Promise((done) => waiting.set(id, done));
}

/** Sends an action, or says that it cannot be sent. @param {string} what @param {object} [d] */
function tell(what, d) {
  if (!line.send(what, d)) notice(t('offline'));
}

/** @param {View} next */
function replace(next) {
  const before = view.next;
  view = next;
  settle();
  follow(before);
}

/** Players follow a rematch that begins now; whoever comes back to this match later stays, and finds a link. @param {string|null} before */
function follow(before) {
  if (view.next && !before && view.you !== null) location.assign(`/game/${view.next}`);
}

/** @param {number} seq @param {{kind: string, by?: number, set: Partial<View>, turn?: any, turns?: number}} event */
function apply(seq, event) {
  if (seq <= view.seq) return;
  if (seq !== view.seq + 1) return void line.send('sync');
  const before = view.next;
  Object.assign(view, event.set);
  if (event.turns != null) view.turns.length = event.turns;
  if (event.turn) view.turns.push(event.turn);
  view.seq = seq;
  settle();
  say(event);
  follow(before);
}

/** Where there is nothing to declare, nobody has to say so: the page passes, once for each chance. */
let passed = '';
function autoPass() {
  if (!settings.autopass || !view.can.includes('pass') || view.offers.length) return;
  const chance = [view.number, view.stage, view.declarations.length].join();
  if (passed === chance || !line.send('pass')) return;
  passed = chance;
}

/** Whatever has changed: take part in the shuffle, ask again about the selection, draw. */
function settle() {
  shuffle();
  timerEnds = view.timer ? performance.now() + view.timer.left : 0;
  title();
  draw();
  autoPass();
  void check(hand.chosen);
}

function title() {
  document.title = document.hidden && myTurn() ? `• ${t('tr-your-turn')} · Convoy` : t('tr-title', { number: view.number });
}

const myTurn = () => view.can.includes('play') || view.can.includes('bury');

/** What is wrong with the shuffle is said once for each attempt. */
let warned = '';

/** This browser's part in the shuffle. */
function shuffle() {
  const wrong = takePart(view, (what, d) => void line.send(what, d));
  const key = `${view.number} ${view.shuffle?.attempt} ${wrong}`;
  if (!wrong || warned === key) return;
  warned = key;
  notice(t(`tr-shuffle-${wrong}`));
}

/** The leader of a throw may say which cards belong together, where the table plays so: each tap is a part. */
const naming = () => view.rules?.switches.name_grouping === 'true' && view.can.includes('play') && !view.open;
const named = () => naming() && hand.picks.length > 1;

/** Asks the server what the selection is called and whether it may be played. @param {string[]} cards */
async function check(cards) {
  checked = { id: null, cards, answer: null };
  drawAct();
  if (!cards.length || view.you === null || !online) return;
  if (!['playing', 'burying'].includes(view.stage)) return;
  const mine = checked;
  const answer = await ask({ what: 'check', cards, ...(named() ? { parts: hand.picks } : {}) });
  if (mine !== checked) return;
  checked.answer = answer;
  drawAct();
}

/** @param {{re: string, code: string, message: string, why?: import('./words.js').Why}} refusal */
function refused(refusal) {
  waiting.get(refusal.re)?.(null);
  waiting.delete(refusal.re);
  if (refusal.code === 'stale' || refusal.code === 'not-now') return;
  const { why: reason } = refusal;
  notice(reason && has(`tr-why-${reason.code}`) ? whyWords(reason, (seat) => seatName(view, seat)) : refusalWords(refusal));
}

/** Speaks of an event to whoever cannot see it. @param {{kind: string, by?: number, turn?: any}} event */
function say(event) {
  const words = sayWords(event);
  if (words) need('#say').textContent = words;
  if (event.kind === 'voided') notice(words);
  const failed = event.kind === 'played' && view.open?.plays.length === 1 ? failedWords(view, view.open) : '';
  if (failed) notice(failed);
  if (event.kind === 'played') sound('move');
  else if (event.kind === 'declared') sound('step');
  if (view.stage === 'over' && event.turn) sound('end');
  else if (myTurn() && event.by !== view.you) sound('start');
}

/** @param {{kind: string, by?: number, turn?: any}} event */
function sayWords(event) {
  const standing = view.declarations.at(-1);
  switch (event.kind) {
    case 'played': {
      const trick = view.open ?? view.turns.at(-1);
      if (!trick) return '';
      const seat = (trick.leader + trick.plays.length - 1) % 4;
      const words = [t('tr-say-played', { name: seatName(view, seat), cards: cardSigns(trick.plays.at(-1) ?? []) }), trickWords(view, trick)];
      if (view.stage === 'over') words.push(...reasons(view));
      else if (myTurn()) words.push(t('tr-your-turn'));
      return words.map((sentence) => sentence.replace(/[.。]$/, '')).join('. ');
    }
    case 'declared':
      return standing ? t('tr-declares', { name: seatName(view, standing.seat), bid: bidWords(standing.type, standing.suit) }) : '';
    case 'dealt':
      return view.dealt === 100 ? t('tr-last-window') : view.dealt === 4 ? stageWords(view) : '';
    case 'voided': {
      const last = view.voids.at(-1);
      return last ? t('tr-void-line', { round: last.round, attempt: last.attempt, names: last.seats.map((seat) => seatName(view, seat)).join(t('list-comma')) }) : '';
    }
    case 'buried':
    case 'closed':
      return stageWords(view);
    default:
      return '';
  }
}

function draw() {
  drawFacts(need('#facts'), view);
  drawFelt(need('#felt'), view, me(), present);
  need('#felt').hidden = view.stage === 'over';
  drawLast(need('#last-trick'), view);
  drawResult(need('#result'), view, {
    next: () => tell('next'),
    rematch: () => tell('rematch'),
    replay: () => replay.open(view.number),
  });
  // Cards may be chosen ahead of one's turn; the server judges them when it comes.
  hand.show(view.groups, view.naturals, view.stage !== 'playing' && !myTurn(), `${view.number} ${view.stage === 'playing'}`);
  need('#hand-area').hidden = view.you === null || view.stage === 'over';
  need('#hand').hidden = view.phase === 'waiting';
  drawTaken(need('#taken'), view);
  drawOffers();
  drawActions();
  drawAct();
  drawStatus();
  drawRounds();
}

/** One tap declares. */
function drawOffers() {
  const host = need('#offers');
  const window_ = view.can.includes('pass');
  const buttons = view.offers.map((offer) => {
    const words = t(view.declarations.length ? 'tr-override' : 'tr-declare', { bid: bidWords(offer.bid.type, offer.bid.suit) });
    const signs = offer.cards.map((card) => art(isJoker(faceOf(card)) ? 'crown' : faceOf(card)[1], 'suit'));
    const node = html('button', { type: 'button', class: `offer-bid bid-${offer.bid.suit}`, 'data-offer': offer.cards.join(' ') }, [html('span', { class: 'signs' }, signs), words]);
    node.addEventListener('click', () => tell('declare', { cards: offer.cards }));
    return node;
  });
  if (window_) {
    const pass = html('button', { type: 'button', id: 'pass' }, [t('tr-pass')]);
    pass.addEventListener('click', () => tell('pass'));
    buttons.push(pass);
  }
  const text = buttons.map((node) => node.outerHTML).join('');
  host.hidden = !buttons.length;
  // Buttons that stay are left alone: a tap must not fall between two of them.
  if (host.dataset.text === text) return;
  host.dataset.text = text;
  const focused = /** @type {HTMLElement|null} */ (host.contains(document.activeElement) ? document.activeElement : null);
  const again = focused?.dataset.offer ?? focused?.id;
  host.replaceChildren(...buttons);
  if (focused) (buttons.find((node) => (node.dataset.offer ?? node.id) === again) ?? buttons[0])?.focus();
}

function drawActions() {
  const host = need('#actions');
  const button = (/** @type {string} */ what, /** @type {string} */ words, /** @type {() => void} */ run) => {
    if (!view.can.includes(what)) return [];
    const node = html('button', { type: 'button', 'data-act': what }, [words]);
    node.addEventListener('click', run);
    return [node];
  };
  const nodes = [
    ...button('hint', t('tr-hint'), () => void hint()),
    ...button('takeback', t('tr-takeback'), () => tell('takeback')),
    ...button('retract', t('tr-retract'), () => tell('retract')),
    ...button('endearly', t('tr-end-early'), () => tell('endearly')),
    ...button('fill', t('tr-fill'), () => tell('fill')),
  ];
  const text = nodes.map((node) => node.outerHTML).join('');
  if (host.dataset.text === text) return;
  host.dataset.text = text;
  host.replaceChildren(...nodes);
}

/** The engine of this device, once somebody has asked for a hint. @type {Promise<import('../local/adviser.js').Adviser>|null} */
let adviser = null;
/** Whether it has answered: from then on the server is not asked. */
let isAdviserReady = false;

/** A hint of the engine of this device. */
async function localHint() {
  adviser ??= import('../local/adviser.js').then(({ Adviser }) => new Adviser());
  const hint = await (await adviser).hint(view);
  isAdviserReady = true;
  return hint;
}

/** A hint of the device; of the server where the device cannot, and until it is ready. */
async function advise() {
  const server = () => ask({ what: 'hint' }).then((answer) => answer ?? Promise.reject(new Error('no answer')));
  if (view.local || isAdviserReady) return localHint().catch(() => (view.local ? null : server()));
  if (savesData()) return server();
  return Promise.any([localHint(), server()]);
}

/** What was last suggested, shown while it is what is chosen. @type {{cards: string[], words: string}|null} */
let advice = null;

async function hint() {
  const { seq } = view;
  const answer = await advise().catch(() => null);
  // Advice for a moment that has passed is none.
  if (!answer?.cards || view.seq !== seq) return;
  hand.choose(answer.cards);
  advice = { cards: answer.cards, words: hintWords(answer) };
  need('#say').textContent = advice.words;
  drawAct();
}

/** The button that says what the selection is, and why it is refused. */
function drawAct() {
  const burying = view.can.includes('bury');
  const shown = burying || view.can.includes('play');
  act.hidden = why.hidden = view.you === null || !['playing', 'burying'].includes(view.stage);
  drawParts();
  const { cards, answer } = checked;
  const name = answer ? selectionName(answer.name, !view.open) : '';
  let label = burying ? t('tr-bury-n', { count: cards.length }) : cards.length ? t('tr-play-what', { what: name || t('tr-cards', { count: cards.length }) }) : t('tr-play');
  if (!shown) label = name ? t('tr-chosen', { what: name }) : t('tr-wait-turn', { name: view.turn === null ? '' : seatName(view, view.turn) });
  const ready = shown && Boolean(answer?.ok);
  act.textContent = label;
  act.setAttribute('aria-disabled', String(!ready));
  act.classList.toggle('primary', ready);
  let words = '';
  if (shown && answer && !answer.ok && answer.why) words = whyWords(answer.why, (seat) => seatName(view, seat));
  else if (shown && advice && cards.length && cards.join() === advice.cards.join()) words = advice.words;
  else if (shown && !cards.length) words = burying ? t('tr-choose-eight') : view.open ? t('tr-choose-follow', { count: view.open.plays[0].length }) : t('tr-choose-lead');
  if (why.textContent !== words) why.textContent = words;
  why.classList.toggle('refused', Boolean(shown && answer && !answer.ok));
}

/** Shows the parts of a throw as the leader has tapped them. */
function drawParts() {
  const host = need('#parts');
  host.hidden = !naming() || !hand.picks.length;
  if (host.hidden) return;
  const nodes = [html('b', {}, [t('tr-parts')]), ...hand.picks.map((pick) => html('span', { class: 'part-of' }, [cardSigns(pick)]))];
  if (named()) {
    const join = html('button', { type: 'button', id: 'join-parts' }, [t('tr-parts-join')]);
    join.addEventListener('click', () => hand.choose(hand.chosen));
    nodes.push(join);
  } else nodes.push(html('span', { class: 'soft' }, [t('tr-parts-hint')]));
  const text = nodes.map((node) => node.outerHTML).join('');
  if (host.dataset.text === text) return;
  host.dataset.text = text;
  host.replaceChildren(...nodes);
}

act.addEventListener('click', send);

function send() {
  if (act.getAttribute('aria-disabled') === 'true') return;
  if (!line.isOpen) return notice(t('offline'));
  if (named()) tell('throw', { parts: hand.picks });
  else tell(view.can.includes('bury') ? 'bury' : 'play', { cards: hand.chosen });
  hand.choose([]);
}

function drawStatus() {
  const status = need('#status');
  const parts = [];
  if (!online) parts.push(t('offline'));
  else if (myTurn()) parts.push(view.can.includes('bury') ? t('tr-you-bury') : t('tr-your-turn'));
  else if (view.stage === 'over') parts.push(view.ready[me()] ? t('tr-wait-others') : t('tr-round-over'));
  else if (view.turn !== null) parts.push(t('tr-turn-of', { name: seatName(view, view.turn) }));
  else parts.push(stageWords(view));
  status.textContent = parts.join(' ');
  status.classList.toggle('offline', !online);
  status.classList.toggle('mine', online && myTurn());
  // Whoever sat down without a new page has no link to show.
  need('#invite').hidden = view.phase !== 'waiting' || (view.you !== null && !document.getElementById('invite-link'));
  need('#watchers').textContent = view.local ? t('tr-local') : watchers ? t('tr-watchers', { count: watchers }) : '';
}

function drawRounds() {
  need('#rounds').replaceChildren(
    ...view.rounds.map((round) => {
      const node = html('button', { type: 'button', class: 'turn' }, [t('tr-round-line', { number: round.number, team: round.winner, points: round.points, rise: round.rise })]);
      node.addEventListener('click', () => replay.open(round.number));
      return html('li', {}, [node]);
    }),
  );
  const { shuffle: cards, local, device } = view;
  // Whoever deals alone commits to nothing.
  if (!local && !device) need('#commitment').textContent = cards?.roster ?? cards?.server ?? cards?.commitment ?? '';
  drawVoids();
}

/** Shuffles that somebody did not reveal for: they are counted for all to see. */
function drawVoids() {
  const host = need('#voids');
  const lines = view.voids.map(({ round, attempt, seats }) => html('li', {}, [t('tr-void-line', { round, attempt, names: seats.map((seat) => seatName(view, seat)).join(t('list-comma')) })]));
  host.hidden = !lines.length;
  host.dataset.count = String(lines.length);
  host.replaceChildren(html('p', {}, [t('tr-voids', { count: lines.length })]), html('ul', {}, lines));
}

/** The time that is left runs down between two frames. */
setInterval(() => {
  const bar = need('#timer');
  const left = Math.max(0, timerEnds - performance.now());
  const shown = Boolean(view.timer && ['turn', 'window', 'next'].includes(view.timer.for) && left > 0);
  bar.hidden = !shown;
  // Its place is kept between two countdowns, and goes where no more will come.
  bar.classList.toggle('never', !view.seconds && ['burying', 'playing'].includes(view.stage));
  if (shown && view.timer) {
    bar.style.setProperty('--left', String(left / view.timer.total));
    bar.classList.toggle('soon', left < 5000);
    bar.textContent = clockText(Math.ceil(left / 1000) * 1000);
  }
}, 250);

document.addEventListener('keydown', (event) => {
  const typing = /** @type {HTMLElement} */ (event.target).matches?.('input, select, textarea');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  // Caps Lock and Shift change nothing.
  const key = event.key.toLowerCase();
  if (key === 'p') send();
  else if (key === 'h' && view.can.includes('hint')) void hint();
  else if (key === 'escape') hand.choose([]);
  else if (key === 'd') /** @type {HTMLElement|null} */ (document.querySelector('[data-offer]'))?.click();
  else return;
  event.preventDefault();
});

document.addEventListener('visibilitychange', title);
helpKeys([
  ['← →', t('tr-help-walk')],
  ['Enter', t('tr-help-choose')],
  ['P', t('tr-play')],
  ['H', t('tr-hint')],
  ['D', t('tr-offers')],
  ['Esc', t('tr-help-clear')],
  ['?', t('help-keys')],
]);
need('#felt').addEventListener('click', (event) => {
  const seat = /** @type {HTMLElement} */ (event.target).closest?.('[data-sit]')?.getAttribute('data-sit');
  if (seat != null) tell('sit', { seat: Number(seat) });
});
inviteLink();
const auto = /** @type {HTMLInputElement} */ (need('#autopass'));
auto.checked = settings.autopass;
auto.addEventListener('change', () => {
  change('autopass', auto.checked);
  autoPass();
});
const four = /** @type {HTMLInputElement} */ (need('#four-colour'));
const deck = () => (document.documentElement.dataset.deck = settings.deck);
four.checked = settings.deck === 'four';
four.addEventListener('change', () => {
  change('deck', four.checked ? 'four' : 'two');
  deck();
});
deck();
settle();
drawn();
