// Every recorded position and game through the package, against the native code of this checkout.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Game, isRecombine, isStep, moveRole, Position } from '../lib/cotulenh.js';
import { askNative, readLines } from './native.js';

const positions = readLines('cotulenh/tests/data/positions.jsonl.gz').map((line) => JSON.parse(line));
const steps = (record) => record.steps ?? [];

function reach(record) {
  let position = Position.fromFen(record.fen);
  for (const step of steps(record)) position = position.play(step);
  return position;
}

/** A move as `convoy query` writes it, as far as both tell it. */
function listed(verbose) {
  const commit = verbose.san === '.';
  const entry = { lan: verbose.lan, san: verbose.san };
  if (!commit) {
    Object.assign(entry, { from: verbose.from, to: verbose.to, type: moveRole(verbose.move).toLowerCase() });
  }
  if (verbose.captured !== '') entry.captured = verbose.captured;
  if (verbose.combined !== '') entry.combined = verbose.combined;
  if (isRecombine(verbose.move)) entry.recombine = true;
  if (isStep(verbose.move) && !commit) entry.deploy = true;
  const { after } = verbose;
  entry.after = after.fen();
  if (after.deployFrom() !== null) entry.open = true;
  return entry;
}

/** An outcome as the package tells it. */
function ending({ outcome }) {
  return outcome && { winner: outcome.winner ?? null, reason: outcome.reason };
}

test('the moves of every recorded position', () => {
  const asked = positions.map((record) => ({ game: 'cotulenh', op: 'moves', fen: record.fen, steps: steps(record) }));
  let moves = 0;
  askNative(asked).forEach((native, i) => {
    const position = reach(positions[i]);
    const { id } = positions[i];
    assert.equal(position.fen(), native.fen, id);
    const { turn, check, danger } = native;
    assert.deepEqual([position.turn, position.isCheck(), position.isInDanger()], [turn, check, danger], id);
    if (native.canCommit !== undefined) assert.equal(position.canCommit(), native.canCommit, id);
    assert.deepEqual(position.outcome(), ending(native), id);
    const theirs = native.moves.map(({ flags: _flags, heroic: _heroic, carry: _carry, ...entry }) => entry);
    assert.deepEqual(position.verboseMoves().map(listed), theirs, id);
    assert.deepEqual(position.sans(), theirs.map((entry) => entry.san), id);
    assert.deepEqual(position.lans(), theirs.map((entry) => entry.lan), id);
    moves += theirs.length;
  });
  assert.ok(moves > 50_000, `${moves} moves`);
});

test('the turns of recorded positions', () => {
  const chosen = positions.filter((record, i) => i % 10 === 0 && record.steps === undefined);
  const asked = chosen.map(({ fen }) => ({ game: 'cotulenh', op: 'turns', fen }));
  askNative(asked).forEach((native, i) => {
    const ours = reach(chosen[i]).turns().map(({ san, lan }) => ({ san, lan }));
    assert.deepEqual(ours, native.turns.map(({ san, lan }) => ({ san, lan })), chosen[i].id);
  });
});

/** The recorded games, cut where a defect of the reference decided a turn. */
function recordedGames() {
  const games = [];
  for (const line of readLines('cotulenh/tests/data/games.txt.gz')) {
    const fields = line.split('\t');
    if (fields[0].startsWith('game ')) games.push({ fen: fields[1], moves: [] });
    else if (fields[0].startsWith('-')) games.push({ fen: fields[2], moves: [] });
    else games.at(-1).moves.push(...fields[0].slice(1).split(' '));
  }
  return games;
}

test('every recorded game', () => {
  const games = recordedGames();
  const asked = games.map(({ fen, moves }) => ({ game: 'cotulenh', op: 'play', fen, moves, lans: true }));
  const written = [];
  let turns = 0;
  askNative(asked).forEach((native, i) => {
    const game = new Game(Position.fromFen(games[i].fen));
    try {
      for (const move of games[i].moves) game.play(move);
    } catch (error) {
      // Natively the message names the move of the list too.
      assert.deepEqual([error.code, error.data.reason], [native.error?.code, native.error?.reason]);
      return;
    }
    assert.deepEqual(game.sans(), native.sans);
    assert.deepEqual(game.lans(), native.lans);
    assert.equal(game.position.fen(), native.fen);
    assert.deepEqual(game.outcome(), ending(native));
    if (i % 5 === 0) native.fens.forEach((fen, turn) => assert.equal(game.positionAfter(turn + 1).fen(), fen));
    if (game.position.deployFrom() === null) written.push({ game: 'cotulenh', op: 'pgn', pgn: game.pgn() });
    turns += game.turnCount;
  });
  assert.ok(turns > 20_000);
  askNative(written).forEach((native, i) => {
    const again = Game.fromPgn(written[i].pgn);
    assert.equal(again.pgn(), written[i].pgn);
    assert.deepEqual(again.sans(), native.turns.map((turn) => turn.san));
  });
});

test('perft', () => {
  let counted = 0;
  for (const line of readLines('cotulenh/tests/data/positions.perft')) {
    const [fen, moves, counts] = line.split(';').map((part) => part.trim());
    let position = Position.fromFen(fen);
    for (const step of moves.split(' ').filter(Boolean)) position = position.play(step);
    counts.split(' ').slice(0, 3).forEach((count, depth) => {
      assert.equal(position.perft(depth + 1), Number(count), line);
      counted++;
    });
  }
  assert.ok(counted > 40);
});

test('odd FENs are refused in the same words', () => {
  const fens = readLines('cotulenh/tests/data/robust-fen.tsv').map((line) => {
    return line.split('\t')[1].replaceAll('\\t', '\t').replaceAll('\\n', '\n');
  });
  let refused = 0;
  askNative(fens.map((fen) => ({ game: 'cotulenh', op: 'fen', fen }))).forEach((native, i) => {
    if (native.error === undefined) {
      assert.equal(Position.fromFen(fens[i]).fen(), native.fen);
      return;
    }
    const { code, message, reason } = native.error;
    assert.throws(() => Position.fromFen(fens[i]), (error) => {
      assert.deepEqual([error.name, error.code, error.message, error.data.reason], ['ConvoyError', code, message, reason]);
      return true;
    });
    refused++;
  });
  assert.ok(refused > 20);
});

test('odd moves are refused for the same reasons', () => {
  const rows = readLines('cotulenh/tests/data/robust-move.tsv').map((line) => line.split('\t'));
  const texts = rows.filter(([position]) => position === 'start').map(([, text]) => text);
  let refused = 0;
  askNative(texts.map((text) => ({ game: 'cotulenh', op: 'play', moves: [text] }))).forEach((native, i) => {
    if (native.error === undefined) {
      assert.equal(Position.start().play(texts[i]).fen(), native.fen);
      return;
    }
    const { code, reason } = native.error;
    assert.throws(() => Position.start().play(texts[i]), (error) => {
      assert.deepEqual([error.name, error.code, error.data.reason], ['ConvoyError', code, reason], texts[i]);
      return true;
    });
    refused++;
  });
  assert.ok(refused > 10);
});
