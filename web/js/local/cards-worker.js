/** The worker of `rules.js` for the rules of Tractor: WebAssembly that answers what the server would. */
import { judge as judgeStep } from '../../lib/lessons.js';
import { query } from '../../lib/tractor.js';
import { serve } from './serve.js';

/** An answer to an op of the protocol. @type {(op: string, fields: any) => any} */
const ask = query;

/** @typedef {{trump: {rank: string, suit: string}, lead?: string[]|null, hand: string[], cards: string[], rules?: object}} Play cards to judge */

/** What the components of cards are called. @type {Record<string, string>} */
const KINDS = { S: 'single', P: 'pair', T: 'tractor' };
const STEP = 'try';

/** What cards are called. @param {Play} play */
function nameOf({ trump, cards, rules }) {
  const { leadMulti, structure: { len: count, trump: isTrump, combos } } = ask('combo', { trump, cards, ...(rules && { rules }) });
  const parts = combos.map((/** @type {[string, string[]]} */ [kind, own]) => ({ kind: KINDS[kind], ...(kind === 'T' && { pairs: own.length / 2 }) }));
  // Trumps are no throw, but of one group all the same.
  const isOneGroup = leadMulti || isTrump || parts.length === 1;
  return { group: isOneGroup ? (isTrump ? 'trump' : cards[0][1]) : null, parts, count };
}

/** Words that nobody reads, in all languages. @param {string} name */
const words = (name) => ['en', 'vi', 'zh'].map((lang) => `${name}.${lang} = "-"`);

/**
 * Why cards may not be played, in the parts that a page puts into its language. Of all that answers here only the lessons
 * tell it so: the hand is handed to them as a chapter of one step.
 * @param {Play} play
 */
function reason({ trump, lead, hand, cards }) {
  // A step has a solution: any play that is legal.
  const solution = lead ? ask('follows', { trump, lead, hand, limit: 1 }).plays[0] : hand.slice(0, 1);
  const chapter = [
    ...words('title'), '[[step]]', `id = "${STEP}"`, ...['title', 'text', 'hint'].flatMap(words), `trump = "${trump.rank}${trump.suit}"`,
    `hand = "${hand.join(' ')}"`, ...(lead ? [`trick = ["${lead.join(' ')}"]`] : []), 'goal.play = {}', `solution = "${solution.join(' ')}"`,
  ].join('\n');
  return judgeStep({ game: 'tractor', chapter, step: STEP, tried: { answer: cards.join(' ') } }).why?.rules;
}

/** What cards are called and whether they may be played, as `POST /api/v1/tractor/judge` answers it. @param {Play} play */
function judge(play) {
  const { valid: ok, code, reason: message } = ask('validate', play);
  // What only the house rules of the question forbid is told in a sentence.
  return { name: nameOf(play), ok, why: ok ? null : (reason(play) ?? { code, message }) };
}

// The first question compiles it, which takes a moment.
ask('cmp', { trump: { rank: '2', suit: 'S' }, cmps: [] });
serve((op, fields) => (op === 'judge' ? judge(fields) : ask(op, fields)));
