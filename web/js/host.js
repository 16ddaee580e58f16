/**
 * What a board gets from the site it stands on: here texts and drawings of the server, and styles of the page.
 * The npm package has a module of its own in this place, and takes the rest of the board from here.
 */

export const lang = document.documentElement.lang || 'en';

/** @typedef {string | {[key: string]: string}} Message */

// The page names the parts of the catalogue that it needs besides the common one.
const parts = ['', ...(document.documentElement.dataset.messages?.split(' ').map((part) => `.${part}`) ?? [])];
/** @type {Record<string, Message>} */
export const messages = Object.assign({}, ...await Promise.all(parts.map((part) =>
  fetch(new URL(`../messages/${lang}${part}.json`, import.meta.url)).then((reply) => reply.json()).catch(() => ({})))));

const ART = new URL('../art/', import.meta.url).pathname;

/** The address of a drawing, for `<use>`. @param {'board'|'icons'|'pieces'|'symbols'} file @param {string} id */
export const art = (file, id) => `${ART}${file}.svg#${id}`;

/** @param {CustomElementConstructor} board */
export const define = (board) => customElements.define('convoy-board', board);
