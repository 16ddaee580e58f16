/** Analyses under a link: this one saved, saved again or deleted, and the list of one's own. */
import { html } from './html.js';
import { t } from './i18n.js';
import { copy, need, notice } from './page.js';
import { Refused } from './refused.js';
import { post } from './rules.js';

/** @typedef {{id: string, name: string, own: boolean, pgn: string}} SavedAnalysis */

const CALLS = '/api/v1/analyses';
const name = /** @type {HTMLInputElement} */ (need('#saved-name'));
const [save, saveNew, remove, copyLink] = ['#save', '#save-new', '#delete-saved', '#copy-saved'].map((id) => /** @type {HTMLButtonElement} */ (need(id)));
const own = need('#own-analyses');

export class Saved {
  /** Whether what is shown is what is saved. */
  isCurrent = false;

  /**
   * @param {SavedAnalysis|null} saved
   * @param {{pgn: () => Promise<string>, relink: () => void, name: () => string, attempt: (act: () => Promise<void>) => Promise<void>}} study
   */
  constructor(saved, study) {
    this.saved = saved;
    this.study = study;
    save.addEventListener('click', () => void study.attempt(() => this.save(this.saved?.own ? this.saved.id : null)));
    saveNew.addEventListener('click', () => void study.attempt(() => this.save(null)));
    remove.addEventListener('click', () => void study.attempt(() => this.remove()));
    copyLink.addEventListener('click', () => void copy(new URL(this.path() ?? location.href, location.href).href));
    need('.saved').addEventListener('toggle', () => void study.attempt(() => this.list()));
    if (saved) name.value = saved.name;
    this.draw();
  }

  /** The address of what is shown, if it is saved. */
  path() {
    return this.saved && this.isCurrent ? `/analysis/${this.saved.id}` : null;
  }

  /** @param {boolean} isCurrent */
  mark(isCurrent) {
    this.isCurrent = isCurrent && this.saved !== null;
    this.draw();
  }

  draw() {
    const mine = Boolean(this.saved?.own);
    saveNew.hidden = !mine;
    remove.hidden = !mine;
    copyLink.hidden = !this.path();
  }

  /** @param {string|null} id whose place to take */
  async save(id) {
    const title = name.value.trim() || this.study.name();
    const saved = await post(id ? `${CALLS}/${id}` : CALLS, { name: title, pgn: await this.study.pgn() });
    this.saved = saved;
    name.value = saved.name;
    this.mark(true);
    this.study.relink();
    notice(t('saved'));
    await this.list();
  }

  async remove() {
    if (!this.saved || !confirm(t('saved-delete-sure'))) return;
    await post(`${CALLS}/${this.saved.id}/delete`, {});
    this.saved = null;
    this.mark(false);
    this.study.relink();
    notice(t('saved-deleted'));
    await this.list();
  }

  async list() {
    const reply = await fetch(CALLS);
    const { analyses, error } = await reply.json();
    if (!reply.ok) throw new Refused(error?.code ?? String(reply.status), error?.message ?? reply.statusText);
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });
    own.replaceChildren(...analyses.map((/** @type {any} */ one) => html('li', {}, [
      html('a', { href: `/analysis/${one.id}`, ...(one.id === this.saved?.id ? { 'aria-current': 'page' } : {}) }, [one.name]),
      ' ',
      html('time', { class: 'soft', datetime: new Date(one.changed).toISOString() }, [day.format(one.changed)]),
    ])));
  }
}
