/**
 * The rules in this page, and the judgement of lessons: the same code as the server's, as WebAssembly in a worker. Whatever
 * goes wrong with it is no refusal: the server can be asked instead.
 */
import { Refused } from '../refused.js';

/** @typedef {{code: string, message: string, reason?: string, at?: {field?: string, move?: string}, why?: {code: string}}} Refusal */
/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void}} Call */

/** The finer reason of a refusal, as the server words it. @param {Refusal} refusal */
function finer({ reason, at, why }) {
  if (why) return why;
  if (at?.field !== undefined) return { code: reason ?? 'field', field: at.field };
  return reason === undefined ? undefined : { code: reason, ...(at?.move !== undefined && { move: at.move }) };
}

export class LocalRules {
  /** @param {Worker} worker one that has said that it is ready */
  constructor(worker) {
    this.worker = worker;
    this.last = 0;
    /** @type {Map<number, Call>} */
    this.calls = new Map();
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => this.fail(event.message);
  }

  /** Loads them; ready when they can answer. @param {'rules'|'lessons'|'cards'} name of the worker @returns {Promise<LocalRules>} */
  static start(name) {
    const worker = new Worker(new URL(`./${name}-worker.js`, import.meta.url), { type: 'module' });
    return new Promise((resolve, reject) => {
      worker.onmessage = () => resolve(new LocalRules(worker));
      worker.onerror = (event) => reject(new Error(event.message));
    });
  }

  /** @param {string} op @param {object} fields @returns {Promise<any>} */
  ask(op, fields) {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.worker.postMessage({ id, op, fields });
    });
  }

  /** @param {{id: number, answer?: any, refusal?: Refusal}} message */
  hear({ id, answer, refusal }) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (!refusal) call?.resolve(answer);
    else if (refusal.code === 'internal') this.fail(refusal.message);
    else call?.reject(new Refused(refusal.code, refusal.message, finer(refusal)));
  }

  /** Ends the worker; who waits for it is told. @param {string} why */
  fail(why) {
    this.worker.terminate();
    for (const call of this.calls.values()) call.reject(new Error(why));
    this.calls.clear();
  }
}
