/** Two labelled chips beside a target that can be taken or struck. */
import { html } from './html.js';
import { t } from './i18n.js';
import { icon } from './icon.js';

export class Chips {
  /** @param {HTMLElement} frame */
  constructor(frame) {
    /** The square asked about, or null. @type {string|null} */
    this.square = null;
    this.host = html('div', { class: 'chips', role: 'group', 'aria-label': t('chips-label') });
    this.host.hidden = true;
    frame.append(this.host);
  }

  /**
   * @param {string} square @param {[number, number]} at in board units
   * @param {(kind: 'take'|'strike') => void} chosen
   */
  ask(square, [x, y], chosen) {
    this.square = square;
    const chips = /** @type {const} */ (['take', 'strike']).map((kind) => {
      const key = kind === 'take' ? icon('enter') : 'S';
      const node = html('button', { type: 'button', class: `chip ${kind}` }, [t(`chip-${kind}`), ' ', html('kbd', {}, [key])]);
      node.addEventListener('click', () => {
        this.hide();
        chosen(kind);
      });
      return node;
    });
    const above = y > 240;
    this.host.replaceChildren(...chips);
    this.host.style.left = `${Math.min(80, Math.max(20, ((x + 34) / 1134) * 100))}%`;
    this.host.style.top = `${((y + (above ? -62 : 62)) / 1234) * 100}%`;
    this.host.classList.toggle('below', !above);
    this.host.hidden = false;
  }

  hide() {
    this.square = null;
    this.host.hidden = true;
  }
}
