/** What every page has: settings, notices, and small helpers for its own script. */
import { html } from './html.js';
import { t } from './i18n.js';
import { whenIdle } from './idle.js';
import { change, settings } from './settings.js';

/**
 * The element a page must have.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector @param {ParentNode} [root]
 * @returns {E}
 */
export function need(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`the page lacks ${selector}`);
  return /** @type {E} */ (found);
}

/** The data the server put into the page. @returns {any} */
export const boot = () => JSON.parse(document.getElementById('boot')?.textContent ?? 'null');

/** Everything has its place: what would have moved until now is shown. */
export const drawn = () => document.body.removeAttribute('data-drawing');

/** The position that the address asks for; a page that is kept on the device has not been told it. */
export function askedPosition() {
  const told = boot() ?? {};
  const query = new URLSearchParams(location.search);
  const moves = query.get('moves')?.split(',').filter(Boolean) ?? [];
  return {
    fen: /** @type {string|null} */ (told.fen ?? query.get('fen')),
    moves: /** @type {string[]} */ (told.moves?.length ? told.moves : moves),
    game: /** @type {string|null} */ (told.game ?? query.get('game')),
    saved: told.saved ?? null,
    ply: /** @type {number|null} */ (told.ply ?? (query.has('ply') ? Number(query.get('ply')) : null)),
  };
}

/** Shows a short notice that also a screen reader hears. @param {string} words */
export function notice(words) {
  let host = document.querySelector('.toasts');
  if (!host) {
    host = html('div', { class: 'toasts', role: 'status' });
    document.body.append(host);
  }
  const toast = html('div', { class: 'toast' }, [words]);
  host.replaceChildren(toast);
  setTimeout(() => toast.remove(), 4000);
}

/** Copies as a page without the right to the clipboard can: plain http on a local network has none. @param {string} text */
function copySelected(text) {
  const field = html('textarea', { class: 'sr', readonly: '', 'aria-hidden': 'true' }, [text]);
  const host = document.querySelector('dialog[open]') ?? document.body;
  host.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

/** Shows a text to be copied by hand. @param {string} text */
function showText(text) {
  const field = html('input', { readonly: '', 'aria-label': t('copy'), value: text });
  const close = html('button', { type: 'submit', class: 'primary' }, [t('close')]);
  const dialog = html('dialog', { id: 'copy-by-hand', 'aria-labelledby': 'copy-title' }, [
    html('h2', { id: 'copy-title' }, [t('copy-by-hand')]),
    html('p', {}, [field]),
    html('form', { method: 'dialog' }, [close]),
  ]);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  field.select();
}

/** @param {string} text @param {string} [done] */
export async function copy(text, done = t('copied')) {
  try {
    await navigator.clipboard.writeText(text);
    notice(done);
  } catch {
    if (copySelected(text)) notice(done);
    else showText(text);
  }
}

/** The link that invites: to be copied, or shared where the system can. */
export function inviteLink() {
  const field = /** @type {HTMLInputElement|null} */ (document.getElementById('invite-link'));
  if (!field) return;
  field.addEventListener('focus', () => field.select());
  document.getElementById('copy-link')?.addEventListener('click', () => void copy(field.value));
  const share = document.getElementById('share');
  if (!share || !navigator.share) return;
  share.hidden = false;
  share.addEventListener('click', () => void navigator.share({ url: field.value, title: document.title }).catch(() => undefined));
}

/** @param {string} name @param {[string, string][]} options @param {keyof import('./settings.js').Settings} key */
function select(name, options, key) {
  const node = html('select', { id: `set-${key}` }, options.map(([value, text]) => html('option', { value }, [text])));
  node.value = String(settings[key]);
  node.addEventListener('change', () => change(key, /** @type {never} */ (node.value)));
  return html('p', {}, [html('label', { for: `set-${key}` }, [name]), node]);
}

/** @param {string} name @param {keyof import('./settings.js').Settings} key */
function check(name, key) {
  const box = html('input', { type: 'checkbox', id: `set-${key}` });
  box.checked = Boolean(settings[key]);
  box.addEventListener('change', () => change(key, /** @type {never} */ (box.checked)));
  return html('p', { class: 'check' }, [box, html('label', { for: `set-${key}` }, [name])]);
}

/** @param {string} name @param {'volume'} key */
function range(name, key) {
  const field = html('input', { type: 'range', id: `set-${key}`, min: '0', max: '100', step: '10', value: String(settings[key]) });
  field.addEventListener('change', () => change(key, Number(field.value)));
  return html('p', {}, [html('label', { for: `set-${key}` }, [name]), field]);
}

/** Opens the settings. */
export function openSettings() {
  let dialog = /** @type {HTMLDialogElement|null} */ (document.getElementById('settings'));
  if (!dialog) {
    const close = html('button', { type: 'submit', class: 'primary' }, [t('close')]);
    dialog = html('dialog', { id: 'settings', 'aria-labelledby': 'settings-title' }, [
      html('h2', { id: 'settings-title' }, [t('settings')]),
      select(t('set-theme'), [['auto', t('theme-auto')], ['light', t('theme-light')], ['dark', t('theme-dark')], ['contrast', t('theme-contrast')]], 'theme'),
      select(t('set-pieces'), [['art', t('pieces-art')], ['symbols', t('pieces-symbols')], ['letters', t('pieces-letters')], ['vi', t('pieces-vi')]], 'pieces'),
      select(t('set-board'), [['map', t('board-map')], ['paper', t('board-paper')], ['night', t('board-night')]], 'board'),
      select(t('set-notation'), [['letters', t('pieces-letters')], ['figurines', t('notation-figurines')]], 'notation'),
      check(t('set-animation'), 'animation'),
      check(t('set-trail'), 'trail'),
      check(t('set-confirm'), 'confirm'),
      check(t('set-coords'), 'coords'),
      check(t('set-sound'), 'sound'),
      range(t('set-volume'), 'volume'),
      html('form', { method: 'dialog' }, [close]),
    ]);
    document.body.append(dialog);
  }
  dialog.showModal();
}

document.getElementById('open-settings')?.addEventListener('click', openSettings);
document.addEventListener('notice', (event) => notice(/** @type {CustomEvent<string>} */ (event).detail));
void whenIdle().then(() => import('./local/install.js')).then(({ keep }) => keep()).catch(() => undefined);
