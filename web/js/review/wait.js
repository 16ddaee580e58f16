/** The review of the page's game: asked for, waited for with its progress, and then there. */
import { t } from '../i18n.js';
import { drawn, need } from '../page.js';
import { Refused } from '../refused.js';
import { post } from '../rules.js';

/** How often it is looked how far the review has come, in milliseconds. */
const EVERY = 500;

/** @param {{id: string, round: number}} game @returns {Promise<any>} */
async function wait({ id, round }) {
  const path = `/api/v1/tables/${id}/review`;
  let now = await post(path, { round });
  let lost = false;
  const bar = /** @type {HTMLProgressElement} */ (need('#progress'));
  while (now.state === 'running') {
    bar.hidden = false;
    bar.max = Math.max(1, now.all);
    bar.value = now.done;
    need('#status').textContent = lost ? t('offline') : t('review-running', { done: now.done, all: now.all });
    drawn();
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
  // The place for the progress stays where there was some: nothing moves when the review comes.
  need('.reviewing').hidden = bar.hidden;
  bar.hidden = true;
  need('#status').textContent = '';
  return now.review;
}

/** Waits for the review and lets it be shown; says what went wrong. @param {any} game @param {(review: any) => Promise<void>|void} show */
export async function withReview(game, show) {
  try {
    await show(await wait(game));
  } catch (error) {
    need('.reviewing').hidden = false;
    need('#status').textContent = '';
    need('#fault').textContent = error instanceof Refused ? error.message : t('offline');
  }
  drawn();
}
