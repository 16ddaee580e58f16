/** The keys of a page, shown when `?` is pressed. */
import { html } from './html.js';
import { t } from './i18n.js';

/** @type {HTMLDialogElement|null} */
let dialog = null;

/** @param {[string, string][]} keys a key or several, and what it does */
function open(keys) {
  if (!dialog) {
    dialog = html('dialog', { id: 'help', 'aria-labelledby': 'help-title' }, [
      html('h2', { id: 'help-title' }, [t('help-keys')]),
      html('dl', { class: 'keys' }, keys.flatMap(([names, words]) => [
        html('dt', {}, names.split(' ').map((name) => html('kbd', {}, [name]))),
        html('dd', {}, [words]),
      ])),
      html('form', { method: 'dialog' }, [html('button', { type: 'submit', class: 'primary' }, [t('close')])]),
    ]);
    document.body.append(dialog);
  }
  if (!dialog.open) dialog.showModal();
}

/** `?` and the button with the question mark show the keys. @param {[string, string][]} keys */
export function helpKeys(keys) {
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.closest('input, select, textarea');
    if (event.key !== '?' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    open(keys);
  });
  document.getElementById('open-help')?.addEventListener('click', () => open(keys));
}

/** The keys of every board. */
export const BOARD_KEYS = /** @type {[string, string][]} */ ([
  ['D', t('air-cover')],
  ['1 2 3', t('tray-label')],
  ['S', t('help-strike')],
  ['Enter', t('help-finish')],
  ['Backspace', t('undo')],
  ['Esc', t('cancel')],
]);

/** The keys of every list of turns. */
export const WALK_KEYS = /** @type {[string, string][]} */ ([
  ['← →', t('help-walk')],
  ['Home End', t('help-ends')],
  ['F', t('flip')],
  ['?', t('help-keys')],
]);
