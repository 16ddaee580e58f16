// Every step of both courses is judged as the native code of this checkout judges it.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { coach, ConvoyError, judge } from '../lib/lessons.js';
import { query } from '../lib/protocol.js';
import { judgeNative, readData } from './native.js';

const data = new URL('../../../crates/lessons/data/', import.meta.url);

/** Every string of a table of TOML that follows a key: the solutions and the wrong answers of a chapter are such. */
const strings = (line) => [...line.matchAll(/"([^"]*)"/g)].map(([, text]) => text);

/** The chapters of a course, with the steps of each and the answers that their authors name. */
function chapters(game) {
  return readdirSync(new URL(`${game}/`, data)).sort().map((file) => {
    const text = readData(`lessons/data/${game}/${file}`);
    const steps = text.split('[[step]]').slice(1).map((part) => ({
      id: strings(/^id = .*$/m.exec(part)[0])[0],
      fen: /^fen = "(.*)"$/m.exec(part)?.[1],
      solution: strings(/^solution = .*$/m.exec(part)[0]),
      wrong: [...part.matchAll(/^answer = .*$/gm)].flatMap(([line]) => strings(line)),
    }));
    return { id: file.replace(/^\d+-/, '').replace('.toml', ''), text, steps };
  });
}

/** What a learner may try at a step. */
function tries(game, { fen, solution, wrong }) {
  if (game === 'tractor') return [...solution, ...wrong, '2S', 'AS AS', '1', 'd1', 'bj', ''].map((answer) => ({ answer }));
  const turns = solution.map((turn) => [turn]);
  const some = query('draft', { fen }).moves.filter((move, i) => !move.open && i % 4 === 0);
  const squares = wrong.map((answer) => /^([a-k]\d+)([a-k]\d+)$/.exec(answer)).filter(Boolean);
  return [
    { turns: [] }, { turns }, { turns: turns.slice(0, 1) }, { turns: [['nothing']] }, { from: 'a1', to: 'k12' }, { from: 'e4', to: 'e6' },
    ...some.map(({ lan }) => ({ turns: [[lan]] })), ...wrong.map((turn) => ({ turns: [[turn]] })), ...squares.map(([, from, to]) => ({ from, to })),
  ];
}

/** The answer, or the words of the refusal. */
function answered(ask) {
  try {
    return ask();
  } catch (error) {
    assert.ok(error instanceof ConvoyError, String(error));
    assert.notEqual(error.code, 'internal', error.message);
    return { error: error.message };
  }
}

for (const game of ['cotulenh', 'tractor']) {
  test(`every step of the course of ${game}, right and wrong, in three languages`, () => {
    const asked = [];
    const answers = [];
    for (const { id, text, steps } of chapters(game)) {
      for (const step of steps) {
        tries(game, step).forEach((tried, i) => {
          const lang = ['en', 'vi', 'zh'][i % 3];
          asked.push({ step: `${game}/${id}/${step.id}`, lang, tried });
          answers.push(answered(() => judge({ game, chapter: text, step: step.id, lang, tried })));
        });
      }
    }
    const native = judgeNative(asked);
    answers.forEach((answer, i) => assert.deepEqual(answer, native[i], JSON.stringify(asked[i])));
    const done = new Set(asked.filter((_, i) => answers[i].result === 'done').map(({ step }) => step));
    assert.equal(done.size, chapters(game).reduce((sum, { steps }) => sum + steps.length, 0));
    const wrong = answers.filter(({ result }) => result === 'wrong').length;
    assert.ok(wrong > done.size, `${wrong} are wrong`);
  });
}

test('a coached round', () => {
  const plays = [];
  const asked = [];
  const answers = [];
  // The learner follows the coach, and once does not.
  for (let round = coach({ plays, hint: true }); ; round = coach({ plays: [...plays], hint: true })) {
    asked.push({ plays: [...plays], hint: true });
    answers.push(round);
    if (round.over || plays.length === 6) break;
    const own = plays.length === 1 ? [round.hand.at(-1)] : round.hint;
    plays.push(own.join(' '));
  }
  assert.ok(answers.length > 5, JSON.stringify(answers.at(-1)));
  assert.deepEqual(answers, judgeNative(asked));
});

test('what cannot be judged is refused, and later calls work', () => {
  const [{ text, steps: [step] }] = chapters('cotulenh');
  const attempt = { game: 'cotulenh', chapter: text, step: step.id, tried: { turns: [] } };
  for (const [change, code] of [
    [{ game: 'go' }, 'bad-argument'], [{ step: 'no such' }, 'bad-argument'], [{ chapter: 'title = 1' }, 'bad-lesson'],
    [{ chapter: 7 }, 'malformed'], [{ tried: { answer: '2S' } }, 'malformed'], [{ tried: { from: 'z9', to: 'a1' } }, 'bad-square'],
  ]) {
    assert.throws(() => judge({ ...attempt, ...change }), (error) => error instanceof ConvoyError && error.code === code, JSON.stringify(change));
  }
  assert.throws(() => judge(7), { code: 'bad-argument' });
  assert.throws(() => coach({ plays: ['2S0'] }), (error) => error.code === 'illegal' && error.data.why.code === 'bury');
  assert.throws(() => coach({ plays: ['x'] }), { code: 'malformed' });
  assert.equal(judge(attempt).result, 'go-on');
});
