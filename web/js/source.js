/** Questions that WebAssembly answers in the page once it is loaded. Until then, and where it fails, the server answers them. */
import { savesData, whenIdle } from './idle.js';
import { Refused } from './refused.js';

/** @typedef {import('./local/rules.js').LocalRules} LocalRules */

/**
 * @param {string} path @param {object} body @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const answer = await reply.json().catch(() => ({}));
  if (!reply.ok || answer.error) throw new Refused(answer.error?.code ?? String(reply.status), answer.error?.message ?? reply.statusText, answer.error?.why);
  return answer;
}

export class Source {
  /**
   * @param {'rules'|'lessons'|'cards'} name of its worker below `local`; the root element says when it answers
   * @param {boolean} isEager whether it is loaded before the server has failed to answer
   */
  constructor(name, isEager) {
    this.name = name;
    this.isEager = isEager;
    /** The server is asked nothing: what is asked here is nobody else's. */
    this.isPrivate = false;
    /** The worker, once it can answer. @type {LocalRules|null} */
    this.local = null;
    /** How it is loaded; null where that failed. @type {Promise<LocalRules|null>|null} */
    this.loading = null;
  }

  /** Loads the worker when the page is drawn and has nothing better to do. */
  load() {
    this.loading ??= whenIdle()
      .then(() => import('./local/rules.js'))
      .then(({ LocalRules }) => LocalRules.start(this.name))
      .then((started) => {
        document.documentElement.dataset[this.name] = 'local';
        return (this.local = started);
      })
      .catch(() => null);
    return this.loading;
  }

  /** The worker has failed: the server knows as much. */
  giveUp() {
    this.local = null;
    this.loading = Promise.resolve(null);
    delete document.documentElement.dataset[this.name];
  }

  /**
   * @param {(local: LocalRules) => Promise<any>} here how the worker is asked
   * @param {() => Promise<any>} there how the server is asked
   * @returns {Promise<any>}
   */
  async ask(here, there) {
    if (this.isPrivate) {
      const local = await this.load();
      if (!local) throw new Error(`no ${this.name} on this device`);
      return here(local);
    }
    if (this.isEager && !savesData()) void this.load();
    if (this.local) {
      try {
        return await here(this.local);
      } catch (error) {
        if (error instanceof Refused) throw error;
        this.giveUp();
      }
    }
    try {
      return await there();
    } catch (error) {
      if (error instanceof Refused) throw error;
      // Without a network the page answers itself as soon as it can.
      const local = await this.load();
      if (!local) throw error;
      return here(local);
    }
  }
}
