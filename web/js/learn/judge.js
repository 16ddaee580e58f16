/** What attempts are worth: the server says it, and without a connection the same code in this page. */
import { lang } from '../i18n.js';
import { Source, post } from '../source.js';

const source = new Source('lessons', false);

/** The text of a chapter's file, from which the page judges by itself. @type {Promise<string>|null} */
let text = null;

/** @param {string} file its address */
function chapterText(file) {
  text ??= fetch(file).then((reply) => (reply.ok ? reply.text() : Promise.reject(new Error(String(reply.status)))));
  return text;
}

/**
 * What an attempt at a step is worth.
 * @param {{game: string, chapter: string, file: string}} chapter @param {string} step @param {object} tried
 * @returns {Promise<import('./words.js').Answer>}
 */
export function judge({ game, chapter, file }, step, tried) {
  return source.ask(
    async (local) => local.ask('judge', { game, chapter: await chapterText(file), step, lang, tried }),
    () => post(`/api/v1/learn/${game}/${chapter}/${step}`, tried),
  );
}

/** The coached round after the learner's decisions. @param {{plays: string[], hint: boolean}} decisions @returns {Promise<any>} */
export const coach = (decisions) => source.ask((local) => local.ask('coach', decisions), () => post('/api/v1/learn/tractor/round', decisions));
