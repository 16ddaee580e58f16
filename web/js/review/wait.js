/** The review of the page's game: asked for, waited for with its progress, and then there. */
import { t } from '../i18n.js';
import { drawn, need } from '../page.js';
import { Refused } from '../refused.js';
import { post } from '../rules.js';

/** How often it is looked how far the review has come, in milliseconds. */
const EVERY = 500;

const bar = /** @type {HTMLProgressElement} */ (need('#progress'));

/** Says how far the review has come. @param {number} done @param {number} all @param {boolean} [lost] the connection is */
export function running(done, all, lost = false) {
  bar.hidden = false;
  bar.max = Math.max(1, all);
  bar.value = done;
  need('#status').textContent = lost ? t('offline') : t('review-running', { done, all });
  drawn();
}

/** @param {{id: string, round: number}} game @returns {Promise<any>} */
export async function serverReview({ id, round }) {
  const path = `/api/v1/tables/${id}/review`;
  let now = await post(path, { round });
  let lost = false;
  while (now.state === 'running') {
    running(now.done, now.all, lost);
    await new Promise((resolve) => setTimeout(resolve, EVERY));
    // The review goes on whether somebody looks or not.
    const reply = await fetch(`${path}?round=${round}`).catch(() => null);
    lost = !reply;
    if (!reply) continue;
    now = await reply.json();
    if (!reply.ok) throw new Refused(now.error?.code ?? String(reply.status), now.error?.message ?? reply.statusText);
  }
  // There was no room for it, or the server has begun anew.
  if (now.state !== 'done') throw new Refused('busy', 'the server is busy; try again');
  return now.review;
}

/**
 * Waits for the review and lets it be shown; says what went wrong.
 * @param {Promise<any>} review @param {(review: any) => Promise<void>|void} show @param {string} [failed] what is said where nothing was refused
 */
export async function withReview(review, show, failed = t('offline')) {
  try {
    const made = await review;
    // The place for the progress stays where there was some: nothing moves when the review comes.
    need('.reviewing').hidden = bar.hidden;
    bar.hidden = true;
    need('#status').textContent = '';
    await show(made);
  } catch (error) {
    need('.reviewing').hidden = false;
    need('#status').textContent = '';
    need('#fault').textContent = error instanceof Refused ? error.message : failed;
  }
  drawn();
}
