// Lessons of both games: what an attempt at a step is worth, and a round of Tractor with a coach.

import { json } from './json.js';
import { Module } from './module.js';
import { optionsOf } from './error.js';
import * as packed from './wasm/lessons.js';

export { ConvoyError } from './error.js';

const lessons = new Module(packed);

function ask(name, question) {
  lessons.write(json(question, 'question'), 'question');
  return JSON.parse(lessons.text(lessons.call(name)));
}

/** What an attempt at a step is worth; `chapter` is the text of the file that the step is in. */
export function judge(attempt) {
  const { game, chapter, step, lang = 'en', tried } = optionsOf(attempt);
  return ask('lessons_judge', { game, chapter, step, lang, tried });
}

/** The coached round after these decisions of the learner's: what to bury, then every play. */
export function coach(decisions) {
  const { plays, hint = false } = optionsOf(decisions);
  return ask('lessons_coach', { plays, hint });
}
