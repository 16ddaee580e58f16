/** A call that was refused, in words of the page's language. */
import { refusalWords } from './i18n.js';

export class Refused extends Error {
  /** @param {string} code @param {string} message @param {{code: string}} [why] a finer reason, with what belongs to it */
  constructor(code, message, why) {
    super(refusalWords({ code, message, why }));
    this.code = code;
    this.why = why;
  }
}
