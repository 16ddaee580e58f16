// Games as text.

import { DEFAULT_POSITION, SEVEN_TAG_ROSTER } from './constants.js';
import { shown } from './error.js';

const RESULTS = new Set(['1-0', '0-1', '1/2-1/2', '*']);
const ESCAPED = /["\\]/g;
/** A tag has one line. */
const LINE_BREAKS = /[\r\n]+/g;

function tagLine(name, value) {
  const text = String(value).replace(LINE_BREAKS, ' ').replace(ESCAPED, (character) => `\\${character}`);
  return `[${name} "${text}"]`;
}

function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

/** Milliseconds as h:mm:ss; a text as it stands. */
function clockText(clock) {
  if (typeof clock !== 'number') return String(clock);
  const seconds = Math.max(0, Math.floor(clock / 1000));
  const two = (number) => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The notes after a position: clock and comment. */
function notesOf(clock, comment) {
  const notes = [];
  if (clock !== undefined && clock !== null) notes.push(`{[%clk ${clockText(clock)}]}`);
  if (comment !== undefined) notes.push(`{${comment}}`);
  return notes;
}

/** The moves as pairs: each a list of words that belong together. */
function pairsOf({ history, startFen, comments }, clocks) {
  const pairs = [];
  const atStart = notesOf(undefined, comments.get(startFen));
  if (atStart.length > 0) pairs.push(atStart);
  let open = false;
  history.forEach(({ before, after, result }, index) => {
    const [, turn, , , , number] = before.split(' ');
    const notes = notesOf(clocks?.[index], comments.get(after));
    if (turn === 'r' || !open) pairs.push([`${number}.${turn === 'r' ? '' : '..'}`]);
    pairs.at(-1).push(result.san, ...notes);
    open = turn === 'r';
  });
  return pairs;
}

/** The words of the moves, wrapped between pairs; within one only if it is wider than a line. */
function wrapped(pairs, width, newline) {
  if (!(width > 0)) return pairs.flat().join(' ');
  const lines = [];
  let line = '';
  const add = (text) => {
    if (line !== '' && line.length + 1 + text.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? text : `${line} ${text}`;
  };
  for (const words of pairs) {
    const text = words.join(' ');
    if (text.length > width) text.split(' ').forEach(add);
    else add(text);
  }
  return [...lines, line].join(newline);
}

/** Writes a game: `game` has `history`, `startFen`, `comments`, `headers` and `result`. */
export function writePgn(game, { newline = '\n', maxWidth = 0, clocks } = {}) {
  const { SetUp, FEN, ...headers } = game.headers;
  const roster = { ...SEVEN_TAG_ROSTER, ...headers };
  if (roster.Date === SEVEN_TAG_ROSTER.Date) roster.Date = today();
  roster.Result = game.result === '*' ? roster.Result : game.result;
  const setUp = game.startFen === DEFAULT_POSITION ? {} : { SetUp: '1', FEN: game.startFen };
  const names = Object.keys(SEVEN_TAG_ROSTER);
  const others = Object.entries(headers).filter(([name]) => !names.includes(name));
  const tags = [...names.map((name) => [name, roster[name]]), ...Object.entries(setUp), ...others];
  const moves = wrapped([...pairsOf(game, clocks), [roster.Result]], Number(maxWidth), newline);
  return [...tags.map(([name, value]) => tagLine(name, value)), '', moves].join(newline);
}

const TAG = /\s*\[\s*([A-Za-z0-9_]+)\s+"((?:\\[^]|[^"\\])*)"\s*\]/y;
const STACK = /\((?:\+?[A-Za-z])+\)/y;
const WORD = /[^\s{;*]+/y;

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The end of what goes to the end of its line, or of the text. */
function afterLine(text, at) {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The end of a comment in braces. */
function afterBraces(text, at) {
  const end = text.indexOf('}', at);
  return end < 0 ? text.length : end + 1;
}

/** The end of a variation that opens at a parenthesis. */
function afterVariation(text, at) {
  let depth = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '{') at = afterBraces(text, at);
    else if (character === ';') at = afterLine(text, at);
    else {
      at++;
      if (character === '(') depth++;
      else if (character === ')' && --depth === 0) return at;
    }
  }
  return at;
}

/** The tokens of the moves: `{ comment }` or `{ move }`; ends with the result. */
function* tokensOf(text, at, strict) {
  while (at < text.length) {
    const character = text[at];
    if (/\s/.test(character)) {
      at++;
    } else if (character === '{') {
      const end = afterBraces(text, at);
      const isWhole = text[end - 1] === '}';
      if (!isWhole && strict) throw new Error('Invalid PGN: a comment has no end');
      yield { comment: text.slice(at + 1, isWhole ? end - 1 : end).trim() };
      at = end;
    } else if (character === ';' || (character === '%' && (at === 0 || text[at - 1] === '\n'))) {
      at = afterLine(text, at);
    } else if (character === '(' && matchAt(STACK, text, at) === null) {
      at = afterVariation(text, at);
    } else {
      const [word] = matchAt(WORD, text, at) ?? [character];
      at += word.length;
      if (RESULTS.has(word)) return;
      const move = word.replace(/^[0-9]+\.+/, '').replace(/^\.+/, '');
      if (move !== '' && !/^(\$[0-9]+|[0-9]+)$/.test(move)) yield { move };
    }
  }
}

/** Reads a PGN: its headers, and its tokens, which are read as they are asked for. */
export function readPgn(text, strict) {
  if (typeof text !== 'string') throw new Error(`Invalid PGN: ${shown(text)} is not a string`);
  const headers = {};
  let at = 0;
  for (;;) {
    const match = matchAt(TAG, text, at);
    if (match !== null) {
      const [whole, name, value] = match;
      headers[name] = value.replace(/\\([^])/g, '$1');
      at += whole.length;
      continue;
    }
    const rest = /\s*\[[^\n]*/y;
    const line = matchAt(rest, text, at);
    if (line === null) break;
    if (strict) throw new Error(`Invalid PGN: not a tag: ${shown(line[0].trim())}`);
    at += line[0].length;
  }
  return { headers, tokens: tokensOf(text, at, strict) };
}
