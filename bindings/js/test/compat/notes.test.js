// Headers, comments, PGN.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoTuLenh, DEFAULT_POSITION, SEVEN_TAG_ROSTER } from '../../lib/compat.js';

const CUSTOM = '6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1';

test('headers', () => {
  const game = new CoTuLenh();
  assert.deepEqual(game.getHeaders(), { ...SEVEN_TAG_ROSTER });
  assert.equal(game.setHeader('Red', 'An').Red, 'An');
  game.setHeader('Round of tea', 'first');
  assert.deepEqual([game.getHeaders().Red, game.getHeaders()['Round of tea']], ['An', 'first']);
  assert.deepEqual([game.removeHeader('Red'), game.getHeaders().Red], [true, '?']);
  assert.deepEqual([game.removeHeader('Round of tea'), 'Round of tea' in game.getHeaders()], [true, false]);
  assert.equal(game.removeHeader('Nothing'), false);
});

test('a custom position is told in the headers; load drops the others unless told', () => {
  const game = new CoTuLenh();
  game.setHeader('Red', 'An');
  game.load(CUSTOM, { preserveHeaders: true });
  assert.deepEqual([game.getHeaders().Red, game.getHeaders().SetUp, game.getHeaders().FEN], ['An', '1', CUSTOM]);
  game.move('(FI)<T>e6');
  assert.equal(game.getHeaders().FEN, CUSTOM, 'it is that of the start');
  game.load(DEFAULT_POSITION);
  assert.deepEqual(game.getHeaders(), { ...SEVEN_TAG_ROSTER });
});

test('comments belong to positions', () => {
  const game = new CoTuLenh();
  assert.equal(game.getComment(), undefined);
  game.setComment('quiet {evening}');
  assert.equal(game.getComment(), 'quiet [evening]');
  assert.ok(game.pgn().includes('{quiet [evening]}'), 'at the start without moves');
  game.move('Ic6');
  assert.equal(game.getComment(), undefined);
  game.setComment('bold');
  game.undo();
  assert.equal(game.getComment(), 'quiet [evening]');
  game.move('Ic6');
  assert.ok(game.pgn().endsWith('{quiet [evening]} 1. Ic6 {bold} *'), game.pgn());
  assert.equal(game.removeComment(), 'bold');
  assert.equal(game.getComment(), undefined);
});

test('pgn has the seven tags, the date of today and the moves', () => {
  const game = new CoTuLenh();
  for (const san of ['Ic6', 'Ic7', 'Ik6']) game.move(san);
  game.setHeader('Event', 'a "big" \\ day');
  game.setHeader('Annotator', 'me');
  const text = game.pgn();
  const lines = text.split('\n');
  assert.equal(lines[0], '[Event "a \\"big\\" \\\\ day"]');
  assert.match(lines[2], /^\[Date "\d{4}\.\d\d\.\d\d"\]$/);
  assert.deepEqual(lines.slice(3, 9), ['[Round "?"]', '[Red "?"]', '[Blue "?"]', '[Result "*"]', '[Annotator "me"]', '']);
  assert.equal(lines[9], '1. Ic6 Ic7 2. Ik6 *');
  assert.ok(!text.includes('SetUp'));
});

test('pgn of a custom start has its FEN, and blue may begin', () => {
  const fen = CUSTOM.replace(' r ', ' b ').replace(' 1', ' 7');
  const game = new CoTuLenh(fen);
  game.move('Ch12');
  game.move('(FI)<T>e6');
  const text = game.pgn();
  assert.ok(text.includes(`[SetUp "1"]\n[FEN "${fen}"]`));
  assert.ok(text.endsWith('7... Ch12 8. (FI)<T>e6 *'), text);
});

test('newline, maxWidth and clocks', () => {
  const game = new CoTuLenh();
  for (const san of ['Ic6', 'Ic7', 'Ik6', 'Ik7', 'Mg6', 'Mg7']) game.move(san);
  assert.ok(game.pgn({ newline: '\r\n' }).split('\r\n').every((line) => !line.includes('\n')));
  const moves = game.pgn({ maxWidth: 20 }).split('\n\n')[1].split('\n');
  assert.deepEqual(moves, ['1. Ic6 Ic7', '2. Ik6 Ik7', '3. Mg6 Mg7 *']);
  const timed = game.pgn({ clocks: ['0:09:58', 599_000, undefined] });
  assert.ok(timed.includes('1. Ic6 {[%clk 0:09:58]} Ic7 {[%clk 0:09:59]} 2. Ik6 Ik7'), timed);
  game.setComment('done');
  assert.ok(game.pgn({ clocks: [0, 0, 0, 0, 0, '0:01:00'] }).includes('{[%clk 0:01:00]} {done}'));
});

test('the result follows from the position, else from the header', () => {
  const result = (game) => /\[Result "(.*)"\]/.exec(game.pgn())[1];
  assert.equal(result(new CoTuLenh('4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1')), '0-1');
  assert.equal(result(new CoTuLenh('11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4')), '1/2-1/2');
  assert.equal(result(new CoTuLenh('11/9ii/11/11/11/11/11/11/11/11/9II/5C5 b - - 0 1')), '1-0');
  const resigned = new CoTuLenh();
  assert.equal(result(resigned), '*');
  resigned.setHeader('Result', '0-1');
  assert.equal(result(resigned), '0-1');
  assert.ok(resigned.pgn().endsWith('\n0-1'));
});

test('what is written is read again', () => {
  const game = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 b - - 3 4');
  game.setHeader('Red', 'An \\ "B"');
  for (const san of ['Ch12', '(FI)<T>e6', 'Cg12', 'F>e8,I>d4']) {
    game.move(san);
    game.setComment(`after ${san}`);
  }
  const read = new CoTuLenh();
  assert.equal(read.loadPgn(game.pgn({ maxWidth: 30 })), true);
  assert.deepEqual([read.fen(), read.history(), read.getHeaders().Red], [game.fen(), game.history(), 'An \\ "B"']);
  assert.equal(read.getComment(), 'after F>e8,I>d4');
  assert.equal(read.pgn(), game.pgn());
  read.undo();
  assert.equal(read.getComment(), 'after Cg12');
});

test('loadPgn begins a new game from the start or from the FEN tag', () => {
  const game = new CoTuLenh();
  game.move('Ic6');
  game.setHeader('Red', 'An');
  assert.equal(game.loadPgn('*'), true);
  assert.deepEqual([game.fen(), game.history(), game.getHeaders().Red], [DEFAULT_POSITION, [], '?']);
  game.loadPgn('[Event "x"]\n\n1. Ic6 Ic7 $1 (1... Ik7 2. Ik6) 2. Ik6 ; the rest\n 2... Ik7 1-0\n garbage');
  assert.deepEqual(game.history(), ['Ic6', 'Ic7', 'Ik6', 'Ik7']);
  assert.equal(game.getHeaders().Event, 'x');
  game.loadPgn(`[SetUp "1"]\n[FEN "${CUSTOM}"]\n\n1. T>e6 Ch12 *`);
  assert.deepEqual(game.history(), ['(FI)<T>e6', 'Ch12'], 'a turn that does not say what stays ends with the next');
});

test('what other programs write around moves hides none', () => {
  const game = new CoTuLenh();
  for (const text of [
    '1. Ic6 (1. Ik6 {a (b} (1. Mg6) 1... Ik7 ; (c\n) Ic7 2. Ik6 *',
    '%escape (\n1. Ic6\n%Ik6 {\nIc7 2. Ik6*',
    '1.Ic6{x}Ic7{y}2.Ik6 $1*{z}',
  ]) {
    assert.equal(game.loadPgn(text, { strict: true }), true);
    assert.deepEqual(game.history(), ['Ic6', 'Ic7', 'Ik6'], text);
  }
});

test('what cannot be read is skipped, or thrown if strict', () => {
  const game = new CoTuLenh();
  const text = '1. Ic6 hello Ic7 Zz9 2. Ik6 *';
  game.loadPgn(text);
  assert.deepEqual(game.history(), ['Ic6', 'Ic7', 'Ik6']);
  const before = game.pgn();
  assert.throws(() => game.loadPgn(text, { strict: true }), /hello/);
  assert.throws(() => game.loadPgn('[FEN "nonsense"]\n\n1. Ic6 *'));
  assert.throws(() => game.loadPgn('[Event x]\n\n*', { strict: true }), /tag/);
  assert.throws(() => game.loadPgn('{endless', { strict: true }), /comment/);
  assert.throws(() => game.loadPgn(undefined), /string/);
  assert.equal(game.pgn(), before, 'nothing has changed');
});
