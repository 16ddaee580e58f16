/**
 * What stands beside the board: the bar of an open deploy, the tray of parts, the card of a stack, the box for typed moves.
 * Under the board on a phone. Nothing here covers the board.
 *
 * @typedef {import('./types.js').Stack} Stack
 * @typedef {import('./types.js').Part} Part
 */
import { button, html, rootOf } from './html.js';
import { t } from './i18n.js';
import { icon } from './icon.js';
import { partName, pieceName, stackName } from './words.js';
import { pieceIcon } from './view.js';

/** @param {string} text @param {Node|string} key @param {string} name @param {() => void} act */
function keyButton(text, key, name, act) {
  const node = button(text, act, { class: `act-${name}` });
  node.append(' ', html('kbd', {}, [key]));
  return node;
}

export class Dock {
  /**
   * @param {HTMLElement} host
   * @param {{undo: () => void, cancel: () => void, done: () => void, toggle: (type: string) => void, typed: (text: string) => void}} on
   */
  constructor(host, on) {
    this.on = on;
    this.undo = keyButton(t('undo'), icon('backspace'), 'undo', on.undo);
    this.cancel = keyButton(t('cancel'), 'Esc', 'cancel', on.cancel);
    this.done = keyButton(t('done'), icon('enter'), 'done', on.done);
    this.text = html('p', { class: 'bar-text' });
    this.why = html('p', { class: 'bar-why', id: 'bar-why' });
    this.done.setAttribute('aria-describedby', 'bar-why');
    this.bar = html('section', { class: 'bar', 'aria-label': t('deploy') }, [
      html('div', {}, [this.text, this.why]),
      html('div', { class: 'bar-buttons' }, [this.undo, this.cancel, this.done]),
    ]);
    this.bar.hidden = true;
    this.tray = html('div', { class: 'tray', role: 'group', 'aria-label': t('tray-label') });
    this.card = html('div', { class: 'card' });
    this.cardWidth = 0;
    this.input = html('input', {
      name: 'move', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '120', placeholder: t('typed-example'), id: 'typed-move',
    });
    this.error = html('p', { class: 'typed-error', role: 'alert' });
    this.form = html('form', { class: 'typed' }, [
      html('label', { for: 'typed-move' }, [t('typed-label')]),
      this.input,
      html('button', { type: 'submit' }, [t('typed-play')]),
      this.error,
    ]);
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) on.typed(text);
    });
    host.append(this.bar, this.tray, this.card, this.form);
    this.hint();
  }

  /**
   * One toggle for each part; a lone piece gets none.
   * @param {Stack|null} stack @param {Part[]} parts @param {Set<string>} chosen
   */
  parts(stack, parts, chosen) {
    if (!stack) return this.hint();
    const focused = /** @type {HTMLElement|null} */ (rootOf(this.tray).activeElement)?.dataset.part;
    this.tray.replaceChildren(
      ...parts.map((part, i) => {
        const node = html('button', { type: 'button', class: 'part', 'aria-pressed': String(chosen.has(part.type)), 'data-part': part.type }, [
          pieceIcon(part.type, stack.color, part.heroic),
          html('span', {}, [pieceName(part.type)]),
          html('kbd', {}, [String(i + 1)]),
        ]);
        if (parts.length < 2) node.disabled = true;
        node.addEventListener('click', () => this.on.toggle(part.type));
        return node;
      }),
    );
    if (focused) /** @type {HTMLElement|null} */ (this.tray.querySelector(`[data-part="${focused}"]`))?.focus();
  }

  hint() {
    this.tray.replaceChildren(html('p', { class: 'hint' }, [t('tray-hint')]));
  }

  /** The place that a card once took stays kept: a page that grew and shrank under the pointer would scroll the board away from it. */
  keepPlace() {
    const { card } = this;
    const { offsetWidth: width, offsetHeight: height } = card;
    // Another width breaks lines elsewhere: what was kept is no measure any more.
    card.style.minHeight = width === this.cardWidth ? `${height}px` : '';
    this.cardWidth = width;
  }

  /** Names, ranges, who carries whom. @param {string|null} square @param {Stack|null} stack */
  describe(square, stack) {
    this.keepPlace();
    this.card.replaceChildren();
    this.card.removeAttribute('tabindex');
    if (!square || !stack) return;
    // On a phone it scrolls: keys must reach it.
    this.card.tabIndex = 0;
    const [carrier, ...cargo] = stack.parts;
    this.card.append(
      html('p', { class: 'card-title' }, [`${square} · ${stackName({ color: stack.color, parts: [carrier] })}`]),
      html(
        'ul',
        {},
        stack.parts.map((part) =>
          html('li', {}, [
            pieceIcon(part.type, stack.color, part.heroic),
            html('span', {}, [html('b', {}, [partName(part)]), ` ${t(`reach-${part.type}`)}`, ...(part.heroic ? [` ${t('reach-heroic')}`] : [])]),
          ]),
        ),
      ),
    );
    if (cargo.length) this.card.append(html('p', {}, [t('carries', { carrier: pieceName(carrier.type), cargo: cargo.map(partName).join(t('list-comma')) })]));
  }

  /**
   * @param {{text: string, why: string, canDone: boolean, canUndo: boolean, done?: string}|null} state
   */
  status(state) {
    this.bar.hidden = !state;
    this.bar.classList.remove('nudge');
    clearTimeout(this.timer);
    if (!state) return;
    this.text.textContent = state.text;
    this.why.textContent = state.why;
    this.done.disabled = !state.canDone;
    this.undo.hidden = !state.canUndo;
    this.done.firstChild?.replaceWith(state.done ?? t('done'));
    // A forgotten second part is the commonest complaint about such moves: after a while the bar asks for attention.
    this.timer = setTimeout(() => this.bar.classList.add('nudge'), 5000);
  }
}
