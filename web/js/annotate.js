/**
 * What is written about the turn that is shown: comment, glyphs, arrows and circles; and its place among the variations.
 * @typedef {import('./tree.js').TreeTurns} TreeTurns
 */
import { need } from './page.js';
import { Shapes } from './shapes.js';

export class Annotator {
  /** @param {import('./board.js').ConvoyBoard} board @param {TreeTurns} turns @param {() => void} changed */
  constructor(board, turns, changed) {
    this.turns = turns;
    this.comment = /** @type {HTMLTextAreaElement} */ (need('#comment'));
    this.comment.addEventListener('input', () => {
      // Braces end a comment in PGN, and [% begins what programs read.
      this.node.comment = this.comment.value.replaceAll(/[{}]/g, '').replaceAll('[%', '[').trim();
      changed();
    });
    this.shapes = new Shapes(board, (list) => {
      this.node.shapes = list;
      changed();
    });
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = document.querySelectorAll('#glyphs [data-nag]');
    for (const button of buttons) {
      const nag = Number(button.dataset.nag);
      button.addEventListener('click', () => {
        const { nags } = this.node;
        this.node.nags = nags.includes(nag) ? nags.filter((one) => one !== nag) : [...nags, nag];
        changed();
        this.show();
      });
    }
    this.draw = need('#draw');
    this.draw.addEventListener('click', () => {
      this.shapes.active = !this.shapes.active;
      this.show();
    });
    const brush = /** @type {HTMLSelectElement} */ (need('#brush'));
    brush.addEventListener('change', () => (this.shapes.brush = brush.value));
    need('#clear-shapes').addEventListener('click', () => {
      this.node.shapes = [];
      changed();
      this.show();
    });
    need('#promote').addEventListener('click', () => turns.tree.promote() && (changed(), this.show()));
    need('#delete').addEventListener('click', () => {
      if (!turns.tree.remove()) return;
      changed();
      turns.visit(turns.tree.at);
    });
  }

  get node() {
    return this.turns.tree.at;
  }

  /** Shows what is written about the turn that is shown. */
  show() {
    const { node } = this;
    const inside = this.turns.step !== null;
    if (this.comment !== document.activeElement) this.comment.value = node.comment;
    this.shapes.set(inside ? [] : node.shapes);
    for (const button of document.querySelectorAll('#glyphs button')) {
      button.setAttribute('aria-pressed', String(node.nags.includes(Number(button.getAttribute('data-nag')))));
      button.toggleAttribute('disabled', !node.parent);
    }
    this.draw.setAttribute('aria-pressed', String(this.shapes.active));
    need('#promote').toggleAttribute('disabled', (node.parent?.children.indexOf(node) ?? 0) < 1);
    need('#delete').toggleAttribute('disabled', !node.parent);
    need('#clear-shapes').toggleAttribute('disabled', !node.shapes.length);
  }
}
