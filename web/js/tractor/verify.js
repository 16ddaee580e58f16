/**
 * The page that checks a finished round. The file is checked by the server's `verify` call, which is the same code as
 * `convoy verify`; what this browser kept since before the deal is compared here, where the server has no say.
 */
import { html } from '../html.js';
import { has, t } from '../i18n.js';
import { drawn, need } from '../page.js';
import { art } from './cards.js';
import { failedBefore, keptAttempts, keptBits, keyOf, shown } from './shuffle.js';

const text = /** @type {HTMLTextAreaElement} */ (need('#proof-text'));
const asked = new URLSearchParams(location.search);

/** @typedef {{key: string, ok: boolean}} Check */

/** @param {string} file @returns {Promise<{ok: boolean, code?: string, message?: string, verified?: any}>} */
async function ask(file) {
  try {
    const reply = await fetch('/api/v1/tractor/verify', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ file }) });
    const answer = await reply.json();
    return reply.ok ? answer : { ok: false, code: 'refused', message: answer.error?.message };
  } catch {
    return { ok: false, code: 'offline' };
  }
}

/** The table and the round that are checked: those that were asked for, else those of the file. @param {any} file @returns {[string, number]} */
const subject = (file) => [asked.get('table') ?? String(file.table), Number(asked.get('round') ?? file.number)];

/** What this browser kept, against the file. @param {any} file @returns {Check[]} */
function compare(file) {
  const attempts = Array.isArray(file.attempts) ? file.attempts : [];
  const [table, round] = [asked.get('table'), asked.get('round')];
  /** @type {Check[]} */
  const checks = [];
  const failed = failedBefore(String(file.table), file.number);
  /** @type {boolean[]} */
  const yours = [];
  // Files of the old format do not name their table.
  if (table && file.number) checks.push({ key: 'table', ok: (file.table ?? table) === table && (!round || String(file.number) === round) });
  for (const [at, attempt] of attempts.entries()) {
    const key = keyOf({ id: String(file.table) }, file.number, attempt.attempt);
    const known = shown(key);
    if (known?.server) checks.push({ key: 'server', ok: known.server === attempt.server });
    if (known?.roster) checks.push({ key: 'roster', ok: known.roster === attempt.roster });
    const seats = Array.isArray(attempt.seats) ? attempt.seats : [];
    if (failed.length) checks.push({ key: 'failed', ok: !failed.some((seat) => seats[seat]?.kind === 'person') });
    const mine = keptBits(key);
    const same = (/** @type {{seat: number, bits: string}} */ { seat, bits }) => seats[seat]?.bits === bits;
    if (at < attempts.length - 1) {
      // In an attempt that was voided, one's own bits may be missing from the file: then it says so itself.
      if (mine.length) yours.push(mine.some((own) => same(own) || !seats[own.seat]?.bits));
      continue;
    }
    // Whoever is left out of the attempt that was dealt is promised nothing, whoever is to blame for it.
    if (mine.length) yours.push(mine.some(same));
    else if (yours.length || seats[known?.seat ?? -1]?.kind === 'absent') yours.push(false);
    if (known?.record) checks.push({ key: 'record', ok: known.record === file.record_hash });
  }
  // A round that this browser saw shuffled cannot be one of the old format, or one with fewer attempts.
  if (keptAttempts(...subject(file)).some((kept) => !attempts.some((/** @type {any} */ { attempt }) => attempt === kept))) checks.push({ key: 'roster', ok: false });
  if (yours.length) checks.push({ key: 'yours', ok: yours.every(Boolean) });
  return checks;
}

/** @param {string} file @returns {any} */
function parse(file) {
  try {
    return JSON.parse(file) ?? {};
  } catch {
    return {};
  }
}

async function verify() {
  const host = need('#verdict');
  host.dataset.asked = '';
  const answer = await ask(text.value);
  const checks = compare(parse(text.value));
  const ok = answer.ok && checks.every((check) => check.ok);
  const reason = `tr-verify-fault-${answer.code}`;
  /** @type {HTMLElement[]} */
  const lines = [html('p', { id: 'verified', class: ok ? '' : 'error', 'data-ok': String(ok) }, [html('b', {}, [t(ok ? 'tr-verify-good' : 'tr-verify-bad')])])];
  if (!answer.ok) lines.push(html('p', { id: 'verify-fault', 'data-code': answer.code ?? '' }, [has(reason) ? t(reason) : (answer.message ?? '')]));
  if (answer.verified) {
    const { promise, contributions, voided } = answer.verified;
    lines.push(html('p', { id: 'promise', 'data-promise': promise }, [t(`tr-promise-${promise}`)]));
    lines.push(html('p', {}, [t('tr-verify-added', { count: contributions }), ' ', t('tr-verify-voided', { count: voided })]));
  }
  lines.push(html('p', { class: 'soft' }, [t('tr-verify-by')]));
  if (checks.length) lines.push(html('p', {}, [t('tr-verify-kept')]), html('ul', { class: 'check-list' }, checks.map((check) => html('li', { 'data-check': check.key, ...(check.ok ? {} : { class: 'no' }) }, [art(check.ok ? 'check' : 'cross', 'sign'), t(`tr-check-${check.key}`)]))));
  else lines.push(html('p', { class: 'soft', id: 'nothing-kept' }, [t('tr-verify-nothing-kept')]));
  host.replaceChildren(...lines);
  need('#command').textContent = command(parse(text.value));
}

/** The command that compares the file with what this browser kept. @param {any} file */
function command(file) {
  const [table, round] = subject(file);
  const keys = keptAttempts(table, round).map((attempt) => keyOf({ id: table }, round, attempt)).reverse();
  const known = keys.length ? shown(keys[0]) : null;
  // The bits of the last attempt that had some: if they are not in the one that was dealt, the command says so.
  const [mine] = keys.flatMap(keptBits);
  const options = [known?.roster && `--commitment ${known.roster}`, mine && `--mine ${mine.seat}:${mine.bits}`, known?.record && `--record ${known.record}`];
  return ['convoy verify ROUND.json', ...options.filter(Boolean)].join(' ');
}

need('#verify').addEventListener('click', () => void verify());
need('#proof-file').addEventListener('change', async (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (!file) return;
  text.value = await file.text();
  await verify();
});

if (asked.get('table')) {
  const round = asked.get('round');
  const reply = await fetch(`/game/${asked.get('table')}.round${round ? `?ply=${round}` : ''}`);
  if (reply.ok) {
    text.value = await reply.text();
    await verify();
  } else need('#verdict').replaceChildren(html('p', { id: 'no-proof' }, [t('tr-verify-none')]));
}
drawn();
