/** The page that checks a finished round. */
import { html } from '../dock.js';
import { t } from '../i18n.js';
import { need } from '../page.js';
import { art } from './cards.js';
import { checkProof } from './fair.js';

const text = /** @type {HTMLTextAreaElement} */ (need('#proof-text'));
const asked = new URLSearchParams(location.search);

function verify() {
  const host = need('#verdict');
  /** @type {any} */
  let proof;
  try {
    proof = JSON.parse(text.value);
  } catch {
    host.replaceChildren(html('p', { class: 'error', id: 'verified', 'data-ok': 'false' }, [t('tr-verify-unreadable')]));
    return;
  }
  const checks = checkProof(proof);
  const [table, round] = [asked.get('table'), proof.number];
  const kept = sessionStorage.getItem(`convoy.bits.${table}.${round}`);
  if (table && kept) checks.push({ key: 'yours', ok: (proof.contributions ?? []).includes(kept) });
  const shown = sessionStorage.getItem(`convoy.commitment.${table}.${round}`);
  if (table && shown) checks.push({ key: 'shown', ok: proof.commitment === shown });
  const ok = checks.every((check) => check.ok);
  host.replaceChildren(
    html('p', { id: 'verified', class: ok ? '' : 'error', 'data-ok': String(ok) }, [html('b', {}, [t(ok ? 'tr-verify-good' : 'tr-verify-bad')])]),
    html('ul', { class: 'check-list' }, checks.map((check) => html('li', check.ok ? {} : { class: 'no' }, [art(check.ok ? 'check' : 'cross', 'sign'), t(`tr-check-${check.key}`)]))),
  );
}

need('#verify').addEventListener('click', verify);
need('#proof-file').addEventListener('change', async (event) => {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (!file) return;
  text.value = await file.text();
  verify();
});

if (asked.get('table')) {
  const round = asked.get('round');
  const reply = await fetch(`/game/${asked.get('table')}.round${round ? `?ply=${round}` : ''}`);
  if (reply.ok) {
    text.value = await reply.text();
    verify();
  }
}
