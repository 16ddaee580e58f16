/**
 * What everybody sees: seats, the trick, the facts of the round. Drawn from a view, live or looked back at.
 *
 * @typedef {{kind: 'human'|'bot'|'open', name: string, level?: number, free?: boolean}} Seat
 * @typedef {{seat: number, type: string, suit: string, cards: string[], at: number}} Declaration
 * @typedef {object} Trick
 * @property {number} leader
 * @property {string[][]} plays
 * @property {number[]} ahead
 * @property {number} points
 * @property {number} [winner]
 * @property {{cards: string[], by: number|null}|null} [failed]
 *
 * @typedef {object} View what the server shows this visitor
 * @property {string} id
 * @property {number} seq
 * @property {number|null} you
 * @property {true} [local] it is a table on this device
 * @property {boolean} [device] it was played on a device and handed in later
 * @property {'waiting'|'playing'|'over'} phase
 * @property {Seat[]} seats
 * @property {'waiting'|'shuffling'|'dealing'|'burying'|'stealing'|'playing'|'over'} stage
 * @property {number} number
 * @property {string[]} levels
 * @property {number|null} turn
 * @property {number} starter
 * @property {'A'|'B'} defending
 * @property {{rank: string, suit: string}} trump
 * @property {number} dealt
 * @property {Declaration[]} declarations
 * @property {boolean[]} passed
 * @property {{bid: {type: string, suit: string}, cards: string[]}[]} offers
 * @property {string|null} revealed
 * @property {string[]} hand
 * @property {number[]} held
 * @property {number|null} buriedBy
 * @property {string[]|null} kitty
 * @property {Trick|null} open
 * @property {Trick[]} turns
 * @property {number[]} taken
 * @property {number} attackers
 * @property {{kittyPoints: number, multiplier: number, bonusPoints: number}|null} bonus
 * @property {{winner: string, points: number, rise: number, next: any}|null} result
 * @property {import('./hand.js').Group[]} groups
 * @property {Record<string, string[][]>} naturals
 * @property {import('./words.js').Name|null} led
 * @property {import('./hand.js').Group[][]|null} hands
 * @property {{preset: string, switches: Record<string, string>}} rules
 * @property {number|null} seconds
 * @property {import('./shuffle.js').Shuffle|null} shuffle
 * @property {{round: number, attempt: number, seats: number[]}[]} voids
 * @property {boolean[]} dropped
 * @property {{for: string, total: number, left: number}|null} timer
 * @property {any[]} rounds
 * @property {boolean[]} ready
 * @property {boolean[]} standIn
 * @property {string|null} winner
 * @property {string|null} next
 * @property {string[]} can
 */
import { html } from '../html.js';
import { personName, t } from '../i18n.js';
import { art, cardPicture, cardSigns, fan, inOrder, rankText } from './cards.js';
import { bidWords, selectionName, trumpWords } from './words.js';

const PLACES = ['bottom', 'right', 'top', 'left'];

/** Where a seat is drawn: oneself at the bottom, the next to play at the right. @param {number} seat @param {number} me */
export const placeOf = (seat, me) => PLACES[(seat - me + 4) % 4];
/** @param {number} seat */
export const teamOf = (seat) => (seat % 2 === 0 ? 'A' : 'B');

/** @param {View} view @param {number} seat */
export function seatName(view, seat) {
  const who = view.seats[seat];
  if (!who || who.kind === 'open') return t('tr-seat-open');
  const name = who.kind === 'bot' ? t('tr-bot', { seat: seat + 1 }) : personName(who.name);
  return seat === view.you ? t('player-you', { name }) : name;
}

/** What was shown, in signs: one or two of a suit, or stars for jokers. @param {Declaration} declaration */
const bidSigns = ({ suit, cards }) => Array.from({ length: cards.length || 1 }, () => art('SHDC'.includes(suit) ? suit : 'star', 'sign'));

/** @param {(Node|string)[]} signs @param {string} kind @param {string} title */
const badge = (signs, kind, title) => html('span', { class: `badge ${kind}`, title }, [html('span', { 'aria-hidden': 'true' }, signs), html('span', { class: 'sr' }, [title])]);

/** A declaration as its signs. @param {Declaration} declaration @param {string} title */
const bidBadge = (declaration, title) => badge(bidSigns(declaration), `declared suit-${declaration.suit}`, title);

/** A seat with all that is always to be seen of it. @param {View} view @param {number} seat @param {number} me @param {boolean[]} present */
function seatPanel(view, seat, me, present) {
  const who = view.seats[seat];
  const turn = view.turn === seat && view.phase === 'playing';
  const standing = view.declarations.at(-1);
  const badges = [];
  // Who defends in the first round is known when somebody has declared.
  if (view.stage !== 'waiting' && view.stage !== 'shuffling' && (view.number > 1 || standing || view.stage !== 'dealing')) {
    const role = teamOf(seat) === view.defending ? 'defends' : 'attacks';
    badges.push(badge([t(`tr-${role}-short`)], role, t(`tr-${role}`)));
    if (view.starter === seat && (view.number > 1 || standing)) badges.push(badge([t('tr-kitty-short')], 'starter', t('tr-starter')));
  }
  if (standing?.seat === seat) badges.push(bidBadge(standing, t('tr-declared', { bid: bidWords(standing.type, standing.suit) })));
  if (view.stage === 'over' && view.ready[seat]) badges.push(badge([art('check', 'sign')], 'ready', t('tr-is-ready')));
  if (who?.kind === 'human' && view.standIn[seat]) badges.push(badge([art('bot', 'sign')], 'standin', t('tr-stand-in')));
  const away = who?.kind === 'human' && present[seat] === false;
  const panel = html('div', { class: `seat at-${placeOf(seat, me)} team-${teamOf(seat)}${turn ? ' turn' : ''}${away ? ' away' : ''}`, 'data-seat': String(seat) }, [
    html('span', { class: 'who', ...(who?.kind === 'bot' ? { title: t('tr-bot-level', { level: t(`tr-level-${who.level ?? 2}`) }) } : {}) }, [seatName(view, seat)]),
    html('span', { class: 'held', title: t('tr-held', { count: view.held[seat] }) }, [art('back', 'back'), String(view.held[seat])]),
    html('span', { class: 'badges' }, badges),
  ]);
  if (view.you === null && view.can.includes('sit') && who?.free) panel.append(html('button', { type: 'button', class: 'sit-here', 'data-sit': String(seat) }, [t('tr-sit-here')]));
  if (turn) panel.append(html('span', { class: 'sr' }, [t('tr-to-play')]));
  return panel;
}

/** One play of a trick. @param {View} view @param {Trick} trick @param {number} index @param {number} me @param {boolean} fresh it was not there before */
function playOf(view, trick, index, me, fresh) {
  const seat = (trick.leader + index) % 4;
  const wins = trick.ahead.at(-1) === seat;
  const node = html('div', { class: `play at-${placeOf(seat, me)}${wins ? ' wins' : ''}${fresh ? ' fresh' : ''}`, 'data-seat': String(seat) }, [
    fan(inOrder(trick.plays[index]).map(cardPicture)),
    html('span', { class: 'by' }, [html('span', {}, [seatName(view, seat)]), ...(wins ? [badge([art('star', 'sign')], 'winner', t('tr-winning'))] : [])]),
  ]);
  return node;
}

/** @param {HTMLElement} host @param {View} view @param {number} me @param {boolean[]} present */
export function drawFelt(host, view, me, present) {
  const trick = view.open ?? (view.stage === 'playing' ? view.turns.at(-1) : null) ?? null;
  const parts = [0, 1, 2, 3].map((seat) => seatPanel(view, seat, me, present));
  const centre = html('div', { class: `trick${view.open ? '' : ' lies'}` });
  if (trick) {
    // Only what was not there before is seen coming.
    const number = String(view.number * 100 + view.turns.length - (view.open ? 0 : 1));
    const known = host.dataset.trick === number ? Number(host.dataset.plays) : host.dataset.trick === undefined ? 4 : 0;
    Object.assign(host.dataset, { trick: number, plays: String(trick.plays.length) });
    centre.append(...trick.plays.map((_, index) => playOf(view, trick, index, me, index >= known)));
    centre.append(html('p', { class: 'trick-words' }, [trickWords(view, trick)]));
  } else if (view.stage === 'dealing' || view.stage === 'stealing' || view.stage === 'burying') {
    centre.append(...declarationPictures(view, me));
    const words = [html('span', {}, [stageWords(view)])];
    if (view.stage === 'dealing' && !view.declarations.length) words.push(html('span', { class: 'explain' }, [t('tr-explain-declare', { rank: rankText(view.trump.rank) })]));
    centre.append(html('p', { class: 'trick-words' }, words));
  } else if (view.stage !== 'over') {
    centre.append(html('p', { class: 'trick-words' }, [stageWords(view)]));
  }
  host.replaceChildren(...parts, centre);
}

/** @param {View} view @param {number} me */
function declarationPictures(view, me) {
  return view.declarations.slice(-1).map((d) =>
    html('div', { class: `play at-${placeOf(d.seat, me)}`, 'data-seat': String(d.seat) }, [
      fan(d.cards.map(cardPicture)),
      html('span', { class: 'by declares' }, [t('tr-declares', { name: seatName(view, d.seat), bid: bidWords(d.type, d.suit) })]),
    ]),
  );
}

/** @param {View} view */
export function stageWords(view) {
  const name = view.turn === null ? '' : seatName(view, view.turn);
  if (view.phase === 'waiting') return t('tr-waiting');
  if (view.stage === 'shuffling' || view.stage === 'waiting') return t('tr-shuffling');
  if (view.stage === 'dealing') return view.dealt < 100 ? t('tr-dealing', { count: view.dealt }) : t('tr-last-window');
  if (view.stage === 'stealing') return t('tr-stealing');
  if (view.stage === 'burying') return t('tr-burying', { name });
  return view.turn === view.you ? t('tr-your-lead') : t('tr-leads', { name });
}

/** @param {View} view @param {Trick} trick */
export function trickWords(view, trick) {
  const ahead = trick.ahead.at(-1);
  const name = ahead === undefined ? '' : seatName(view, ahead);
  const words = [];
  if (view.open && view.led) words.push(t('tr-led', { what: selectionName(view.led, true) }));
  words.push(t(view.open ? 'tr-ahead' : 'tr-took', { name, points: trick.points }));
  if (trick.failed) words.push(failedWords(view, trick));
  return words.join(t('space'));
}

/** What became of a throw that could be beaten: who threw what, who stops it, what is led instead, what it costs. @param {View} view @param {Trick} trick */
export function failedWords(view, { failed, leader, plays }) {
  if (!failed) return '';
  const key = failed.by === null ? 'tr-throw-failed' : 'tr-throw-failed-by';
  const by = failed.by === null ? '' : seatName(view, failed.by);
  const words = t(key, { name: seatName(view, leader), by, cards: cardSigns(inOrder(failed.cards)), led: cardSigns(inOrder(plays[0] ?? [])) });
  const penalty = Number(view.rules?.switches.throw_penalty ?? 0);
  return penalty ? words + t('space') + t('tr-throw-penalty', { points: penalty }) : words;
}

/** The line of facts that never goes away. @param {HTMLElement} host @param {View} view */
export function drawFacts(host, view) {
  const { rank, suit } = view.trump;
  const standing = view.declarations.at(-1);
  // Before anybody has declared there is a level and no suit yet.
  const open = !standing && suit === 'N' && ['waiting', 'shuffling', 'dealing'].includes(view.stage);
  const sign = html('span', { class: `trump-sign suit-${suit}` }, [rankText(rank), suit === 'N' ? html('span', { class: 'nt' }, [open ? '?' : t('tr-nt-short')]) : art(suit, 'suit')]);
  const level = (/** @type {'A'|'B'} */ team) => {
    const now = view.levels[team === 'A' ? 0 : 1];
    const name = t('tr-level-of', { team, level: now === 'A' ? t('tr-rank-A') : rankText(now) });
    const mine = view.you !== null && teamOf(view.you) === team;
    return html('span', { class: `level team-${team}${view.defending === team ? ' defends' : ''}`, ...(mine ? { title: t('tr-your-team') } : {}) }, [name, ...(mine ? [html('span', { class: 'yours' }, [t('tr-yours')])] : [])]);
  };
  const fact = (/** @type {string} */ id, /** @type {string} */ name, /** @type {(Node|string)[]} */ value) =>
    html('div', { class: 'fact', 'data-fact': id, ...(host.id ? { id: `fact-${id}` } : {}) }, [html('dt', {}, [name]), html('dd', {}, value)]);
  const attackers = view.defending === 'A' ? 'B' : 'A';
  host.replaceChildren(
    fact('trump', t(open ? 'tr-level' : 'tr-trump'), [sign, html('span', { class: 'sr' }, [open ? t('tr-undeclared', { rank: rankText(rank) }) : trumpWords(view.trump)])]),
    fact('points', t('tr-points', { team: attackers }), [html('b', {}, [String(view.result ? view.result.points : view.attackers)]), html('span', { class: 'goal' }, [` / ${goal(view)}`])]),
    fact('levels', t('tr-levels'), [level('A'), ' ', level('B')]),
    fact('declared', t('tr-declared-by'), standing ? [`${seatName(view, standing.seat)} `, bidBadge(standing, bidWords(standing.type, standing.suit))] : [t('tr-nobody')]),
    fact('kitty', t('tr-kitty-of'), [view.stage === 'dealing' || view.stage === 'shuffling' || view.stage === 'waiting' ? '–' : seatName(view, view.buriedBy ?? view.starter)]),
    fact('round', t('tr-round'), [String(view.number)]),
  );
}

/** The points with which the attackers take over. @param {View} view */
export function goal(view) {
  const [step, turnover] = (view.rules?.switches.scoring ?? '40 2').split(' ').map(Number);
  return step * turnover;
}

/** The point cards that the attackers have taken. @param {HTMLElement} host @param {View} view */
export function drawTaken(host, view) {
  const tricks = view.turns.filter((trick) => trick.winner !== undefined && teamOf(trick.winner) !== view.defending);
  const cards = tricks.flatMap((trick) => trick.plays.flat()).filter((card) => '5TK'.includes(card[0]));
  const text = cards.join();
  if (host.dataset.text === text) return;
  host.dataset.text = text;
  host.replaceChildren(cards.length ? fan(inOrder(cards).map(cardPicture), 'fan fits') : html('p', { class: 'soft' }, [t('tr-none-taken')]));
}

/** @param {HTMLElement} host @param {View} view */
export function drawLast(host, view) {
  const trick = view.open || view.stage === 'over' ? view.turns.at(-1) : view.turns.at(-2) ?? view.turns.at(-1);
  if (!trick) return host.replaceChildren(html('p', { class: 'soft' }, [t('tr-no-trick')]));
  host.replaceChildren(
    ...trick.plays.map((cards, index) => {
      const seat = (trick.leader + index) % 4;
      return html('div', { class: `last-play${trick.winner === seat ? ' wins' : ''}` }, [html('span', { class: 'by' }, [html('span', {}, [seatName(view, seat)]), ...(trick.winner === seat ? [art('star', 'sign')] : [])]), fan(inOrder(cards).map(cardPicture))]);
    }),
    html('p', { class: 'soft' }, [t('tr-took', { name: seatName(view, trick.winner ?? 0), points: trick.points })]),
  );
}
