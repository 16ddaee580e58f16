/** The rules pages: sections that hold what is searched for. */
import { need } from './page.js';

/** Without case and accents, so that `xe tang` finds "Xe tăng". @param {string} text */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[đĐ]/g, 'd').toLowerCase();

const field = /** @type {HTMLInputElement} */ (need('#rules-search'));
const none = need('#rules-none');
const sections = [...document.querySelectorAll('.rules section[id]')].map((node) => ({
  node: /** @type {HTMLElement} */ (node),
  link: /** @type {HTMLElement|null} */ (document.querySelector(`.contents a[href="#${node.id}"]`)?.parentElement ?? null),
  text: plain(node.textContent ?? ''),
}));

field.addEventListener('input', () => {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { node, link, text } of sections) {
    const shown = words.every((word) => text.includes(word));
    node.hidden = !shown;
    if (link) link.hidden = !shown;
    found += Number(shown);
  }
  none.textContent = found ? '' : (none.dataset.none ?? '');
});
