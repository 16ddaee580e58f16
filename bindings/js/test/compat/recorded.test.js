// Recorded answers of the reference, less its defects: the same files that test the Rust crate.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { CoTuLenh, SQUARE_MAP, algebraic } from '../../lib/compat.js';

const DATA = new URL('../../../../crates/cotulenh/tests/data/', import.meta.url);
const packed = (name) => gunzipSync(readFileSync(new URL(name, DATA))).toString().trim().split('\n');

/** FNV-1a, as the data was packed. */
function fnv(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

const bare = (text) => text.replaceAll('+', '');

/** The game in which a record was made, or `undefined` if defects of the reference led there. */
function reach(record) {
  const game = new CoTuLenh(record.fen);
  for (const step of record.steps ?? []) {
    const list = game.moves({ verbose: true });
    const move = list.find(({ lan }) => lan === step) ?? list.find(({ lan }) => bare(lan) === bare(step));
    if (move === undefined) {
      assert.ok(record.lost, `${record.id}: step ${step} is not offered`);
      return undefined;
    }
    game.move(move);
  }
  return game;
}

/** Compares the lists; answers the moves whose outcome is recorded. */
function compareLists(record, game) {
  const offered = new Map(game.moves({ verbose: true }).map((move) => [`${move.lan}|${move.flags}`, move]));
  const compared = [];
  const left = new Set(offered.keys());
  for (const text of record.moves.split(' ').filter(Boolean)) {
    const [lan, flags, answer, taken] = text.split('|');
    const name = `${lan}|${flags}`;
    const [, marks, outcome] = /^([^ebps]*)(.*)$/.exec(answer);
    const excused = marks.includes('?') || (record.tangled && /[+-]/.test(marks));
    if (!offered.has(name)) {
      const twin = record.shs && [...left].find((other) => bare(other) === bare(name));
      if (twin) left.delete(twin);
      else assert.ok(excused || marks.includes('-'), `${record.id}: ${name} is missing`);
      continue;
    }
    left.delete(name);
    assert.ok(excused || !marks.includes('-'), `${record.id}: ${name} is too much`);
    compared.push({ move: offered.get(name), marks, outcome, taken });
  }
  assert.deepEqual([...left], [], `${record.id}: too much`);
  return compared;
}

/** Plays a move in a game of its own and compares what it does; answers whether it was compared whole. */
function compareOutcome(record, { move, marks, outcome, taken }) {
  if (!outcome.startsWith('e')) return false;
  assert.equal(move.captured !== undefined, taken !== undefined, `${record.id}: ${move.lan} takes`);
  const game = reach(record);
  const result = game.move({ from: move.from, to: move.to, piece: move.piece.type, stay: move.isStayCapture,
    deploy: move.isDeploy });
  assert.equal(result.completed, !marks.includes('o'), `${record.id}: ${move.lan} completed`);
  assert.equal(fnv(game.fen(false)), outcome.slice(1), `${record.id}: ${move.lan} gives ${game.fen(false)}`);
  assert.equal(result.after, game.fen());
  if (marks.includes('y')) assert.equal(game.canCommitSession(), true, `${record.id}: ${move.lan}`);
  if (marks.includes('n')) assert.equal(game.canCommitSession(), false, `${record.id}: ${move.lan}`);
  game.undo();
  // A turn that is over is undone whole, and so is a step that others have joined.
  if (!result.completed && !marks.includes('r')) assert.equal(game.fen(), move.before, `${record.id}: ${move.lan} undone`);
  if (result.completed) assert.equal(game.fen(), record.fen, `${record.id}: ${move.lan} undone`);
  return true;
}

test('every recorded position has the same moves, and each the same outcome', () => {
  let [positions, outcomes] = [0, 0];
  for (const line of packed('positions.jsonl.gz')) {
    const record = JSON.parse(line);
    const game = reach(record);
    if (game === undefined) continue;
    positions++;
    const compared = compareLists(record, game);
    // Every seventh move of a list is played: all of them would take a minute.
    for (const entry of compared.filter((_, i) => i % 7 === positions % 7)) outcomes += compareOutcome(record, entry);
    if (record.check !== undefined) assert.equal(game.isCheck(), record.check === 1, record.id);
    if (record.danger !== undefined) {
      assert.equal(game.isCommanderInDanger(game.turn()), record.danger === 1, record.id);
    }
    for (const [color, other] of [['r', 'b'], ['b', 'r']]) {
      const square = game.getCommanderSquare(color);
      if (!record.attackers?.[color] || square < 0) continue;
      const found = game.getAttackers(square, other).map(({ square: from, type }) => `${algebraic(from)}:${type}`);
      assert.deepEqual(found.sort(), [...record.attackers[color]].sort(), record.id);
    }
  }
  assert.ok(positions > 1900 && outcomes > 10_000, `${positions} positions, ${outcomes} outcomes`);
});

test('every recorded game can be played by its SAN, and written and read as PGN', () => {
  let game;
  let turns = 0;
  let games = 0;
  let unreadable = 0;
  const finish = () => {
    if (game === undefined) return;
    const read = new CoTuLenh();
    read.loadPgn(game.pgn(), { strict: true });
    assert.deepEqual([read.fen(), read.history()], [game.fen(), game.history()]);
    while (game.history().length > 0) game.undo();
    assert.equal(game.fen(), read.history({ verbose: true })[0]?.before ?? game.fen());
    games++;
  };
  let skipping = false;
  for (const line of packed('games.txt.gz')) {
    const fields = line.split('\t');
    if (line.startsWith('game ')) {
      finish();
      game = new CoTuLenh(fields[1]);
      skipping = false;
      continue;
    }
    // From where a defect decided the game, the reference's line is another one.
    skipping ||= line.startsWith('-');
    if (skipping) continue;
    const [lans, san, after] = fields;
    // The reference writes the ranks 10 to 12 as 1 and the steps of a deploy without their origin, so that a few texts
    // name two moves: those turns are played by LAN.
    try {
      game.move(san);
    } catch (error) {
      unreadable++;
      assert.match(error.cause, /legal moves fit|no \w+ has a legal move|does not reach|column/, san);
      for (const word of lans.slice(1).split(' ')) play(game, word);
    }
    const result = game.history({ verbose: true }).at(-1);
    // The reference forgets to set the clock back after some captures.
    const withoutClock = (fen) => fen.replace(/ \d+ (\d+)$/, ' $1');
    assert.deepEqual([result.completed, withoutClock(game.fen())], [true, withoutClock(after)], san);
    turns++;
  }
  finish();
  assert.ok(games === 200 && turns > 5_000, `${games} games, ${turns} turns`);
  assert.ok(unreadable < turns / 1000, `${unreadable} of ${turns} turns had to be played by LAN`);
});

test('every worked example agrees', () => {
  let rows = 0;
  for (const line of readFileSync(new URL('examples.tsv', DATA), 'utf8').trim().split('\n')) {
    if (line.startsWith('#')) continue;
    const [row, what, fen, input, expected] = line.split('\t');
    const [kind, place] = what.split(' ');
    const game = new CoTuLenh(fen);
    const words = (text) => text.split(' ').filter(Boolean).sort();
    const found = place in SQUARE_MAP && kind !== 'to' ? game.moves({ square: place }) : game.moves();
    if (kind === 'all') assert.deepEqual([...found].sort(), words(expected), row);
    else if (kind === 'some') {
      const [legal, illegal = ''] = expected.split('|');
      for (const san of words(legal)) assert.ok(found.includes(san), `${row}: ${san}`);
      for (const san of words(illegal)) assert.ok(!found.includes(san), `${row}: ${san}`);
    } else if (kind === 'to') {
      assert.deepEqual(found.filter((san) => san.endsWith(place)).sort(), words(expected), row);
    } else if (kind === 'play') {
      for (const word of input.split(' ')) play(game, word);
      assert.equal(game.fen(), expected, row);
    } else if (kind === 'state') state(game, expected, row);
    else continue;
    rows++;
  }
  assert.ok(rows > 85, `${rows} rows`);
});

function play(game, word) {
  if (word === 'undo') game.undo();
  else if (word === 'cancel') game.cancelSession();
  else if (word === '.') assert.equal(game.commitSession().success, true);
  else game.move(word);
}

function state(game, expected, row) {
  for (const fact of expected.split(' ')) {
    const [name, value] = fact.split('=');
    const found = { moves: game.moves().length, check: game.isCheck(), danger: game.isCommanderInDanger(game.turn()),
      outcome: game.isCheckmate() ? 'checkmate' : game.isStalemate() ? 'stalemate' : 'none' }[name];
    assert.equal(String(found), value, `${row}: ${name}`);
  }
}
