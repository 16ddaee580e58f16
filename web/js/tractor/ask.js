/** Questions about the rules of Tractor: the server answers them, and without a connection the same code in this page. */
import { Source, post } from '../source.js';

const source = new Source('cards', false);

/** @param {string} op @param {object} body @returns {Promise<any>} */
export const ask = (op, body) => source.ask((local) => local.ask(op, body), () => post(`/api/v1/tractor/${op}`, body));
