/** The rules page: hands to try, judged by the server as at a table. */
import { html } from '../html.js';
import { t } from '../i18n.js';
import { boot } from '../page.js';
import '../rules-search.js';
import { cardButton, cardPicture, fan } from './cards.js';
import { selectionName, trumpWords, whyWords } from './words.js';

/** @typedef {{section: string, trump: string, lead: string[], hand: string[], cards: string[], verdict: any}} Example */

/** @param {Example} example */
function draw(example) {
  const chosen = new Set(example.cards);
  const [rank, suit] = [example.trump.slice(0, -1), example.trump.slice(-1)];
  const verdict = html('p', { class: 'verdict said', role: 'status' });
  const say = (/** @type {any} */ answer) => {
    const name = selectionName(answer.name, !example.lead.length);
    const words = answer.ok ? t('tr-allowed', { what: name }) : t('tr-refused', { what: name || '–', why: whyWords(answer.why, String) });
    verdict.textContent = words;
    verdict.classList.toggle('no', !answer.ok);
  };
  const row = fan(example.hand.map((card) => cardButton(card, chosen.has(card))), 'row');
  row.addEventListener('click', async (event) => {
    const node = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest('[data-card]'));
    const card = node?.dataset.card;
    if (!node || !card) return;
    if (!chosen.delete(card)) chosen.add(card);
    node.setAttribute('aria-pressed', String(chosen.has(card)));
    const lead = example.lead.length ? example.lead : null;
    const body = JSON.stringify({ trump: { rank, suit }, lead, hand: example.hand, cards: [...chosen] });
    const reply = await fetch('/api/v1/tractor/judge', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (reply.ok) say(await reply.json());
  });
  const parts = [html('p', { class: 'soft' }, [trumpWords({ rank, suit })])];
  if (example.lead.length) parts.push(html('p', {}, [t('tr-was-led')]), html('p', {}, [fan(example.lead.map(cardPicture), 'row')]));
  parts.push(html('p', {}, [t(example.lead.length ? 'tr-your-hand-follow' : 'tr-your-hand-lead')]));
  say(example.verdict);
  return html('div', { class: 'example' }, [...parts, row, verdict]);
}

for (const host of document.querySelectorAll('[data-examples]')) {
  const examples = /** @type {Example[]} */ (boot()).filter((example) => example.section === /** @type {HTMLElement} */ (host).dataset.examples);
  host.replaceChildren(...examples.map(draw));
}
