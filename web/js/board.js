/**
 * `<convoy-board>`: the board with its tray, draft and keys. Play, analysis and replay use this one element.
 * It asks the rules for every mark it shows and hands over whole turns as `turn` events.
 *
 * @typedef {import('./types.js').Answer} Answer
 * @typedef {import('./types.js').Color} Color
 * @typedef {import('./types.js').Mark} Mark
 * @typedef {import('./types.js').MarkKind} MarkKind
 * @typedef {import('./types.js').Part} Part
 * @typedef {import('./types.js').Stack} Stack
 * @typedef {import('./types.js').Step} Step
 * @typedef {import('./draft.js').Choice} Choice
 * @typedef {import('./draft.js').Target} Target
 *
 * @typedef {object} Shown
 * @property {string} fen between turns
 * @property {string} [board] another placement to draw, inside a turn that is being replayed
 * @property {Color|'both'|'none'} movable whose pieces may be moved here
 * @property {string} [key] where a draft is kept over a reload
 * @property {string[]} [last] squares of the last turn
 * @property {{from: string, to: string, strike: boolean}[]} [trail] how they were touched
 * @property {boolean} [check]
 * @property {Step[]} [steps] how the position came about, to be animated
 * @property {boolean} [wrong] a finished game or a side not to move: no questions to the rules
 */
import { Chips } from './chips.js';
import { Dock } from './dock.js';
import { define } from './host.js';
import { html } from './html.js';
import { Draft, targets } from './draft.js';
import { commander, parsePlacement } from './fen.js';
import { t } from './i18n.js';
import { listen } from './keys.js';
import { point } from './pointer.js';
import { Refused } from './refused.js';
import { settings } from './settings.js';
import { play, soundOf } from './sound.js';
import { playTyped } from './typed.js';
import { View } from './view.js';
import { partName, stepWords } from './words.js';

export class ConvoyBoard extends HTMLElement {
  constructor() {
    super();
    this.stage = html('div', { class: 'stage' });
    this.frame = html('div', { class: 'frame' });
    this.stage.append(this.frame);
    this.live = html('p', { class: 'sr', 'aria-live': 'polite', role: 'status' });
    const dock = html('div', { class: 'dock' });
    this.view = new View(this.frame);
    /** @type {Dock} */
    this.dock = new Dock(dock, {
      undo: () => this.undo(),
      cancel: () => this.cancel(),
      done: () => this.done(),
      toggle: (type) => this.toggle(type),
      typed: (text) => void playTyped(this, text),
    });
    this.chips = new Chips(this.frame);
    this.parts = [this.stage, dock, this.live];
    /** @type {Shown} */
    this.shown = { fen: '', movable: 'none' };
    /** @type {Draft|null} */
    this.draft = null;
    /** @type {string|null} */
    this.selected = null;
    /** @type {Set<string>} */
    this.chosen = new Set();
    /** @type {Map<string, Target>} */
    this.targets = new Map();
    /** @type {import('./types.js').Exposed[]} */
    this.exposed = [];
    /** @type {{lans: string[], choice: Choice|null}|null} */
    this.pending = null;
    this.covered = false;
    this.serial = 0;
    /** What a click does in the editor, instead of playing. @type {((square: string) => void)|null} */
    this.edit = null;
    /** Who answers what is legal; without it a board only shows. @type {import('./rules.js').Rules|null} */
    this.rules = null;
  }

  connectedCallback() {
    if (this.stage.isConnected) return;
    (this.shadowRoot ?? this).replaceChildren(...this.parts);
    point(this);
    listen(this);
    document.addEventListener('settings', () => this.redraw());
  }

  /**
   * Shows a position, animated when it came about by known steps.
   * @param {Shown} shown
   */
  async show(shown) {
    const serial = (this.serial += 1);
    const drafted = this.pending?.lans.length && this.shown.fen !== shown.fen;
    this.shown = shown;
    this.draft = null;
    this.pending = null;
    this.deselect();
    this.view.arrows([]);
    this.view.ghosts([]);
    this.view.trail([]);
    if (shown.steps?.length && !drafted) {
      this.view.last([], null);
      await this.view.animate(shown.steps);
      if (serial !== this.serial) return;
    }
    this.redraw();
    const { rules } = this;
    if (shown.movable === 'none' || !rules) return;
    try {
      const answer = await rules.draft(shown.fen, []);
      if (serial !== this.serial) return;
      const draft = new Draft(rules, shown.fen, answer, shown.key ?? '');
      await draft.restore();
      if (serial !== this.serial) return;
      this.draft = draft;
      this.dispatchEvent(new CustomEvent('answer', { detail: answer }));
      this.redraw();
      if (draft.isOpen) await this.proceed();
    } catch (error) {
      this.say(error instanceof Refused ? error.message : t('offline'));
    }
  }

  /** @param {Color} color */
  orient(color) {
    this.view.orient(color);
    this.redraw();
  }

  /** Draws everything that follows from the state. */
  redraw() {
    const { draft, shown, view } = this;
    const placement = parsePlacement(draft?.isOpen ? draft.answer.board : (shown.board ?? shown.fen));
    const moved = new Set(draft?.steps.filter((s) => !/[sk]/.test(s.flags)).map((s) => s.to));
    view.pieces(placement, moved);
    const color = shown.fen.split(' ')[1];
    view.last(draft?.isOpen ? [] : (shown.last ?? []), shown.check && !draft?.isOpen ? commander(placement, color) : null);
    view.trail(settings.trail && !draft?.isOpen && !shown.board ? (shown.trail ?? []) : []);
    for (const [square, cell] of view.cells) cell.classList.toggle('own', !this.edit && this.isOwn(square));
    this.drawDraft();
    view.select(this.selected);
    view.marks(this.marks());
    if (this.covered) void this.drawCover();
    this.bar();
  }

  drawDraft() {
    const { draft, view } = this;
    const origin = draft?.origin;
    if (!draft || !origin) return void (view.arrows([]), view.ghosts([]));
    view.arrows(draft.steps.map((s, i) => ({ from: origin, to: s.to, number: i + 1, strike: s.flags.includes('s') })));
    const before = parsePlacement(draft.fen);
    /** @type {[string, Stack, string][]} */
    const ghosts = [];
    const stack = before.get(origin);
    if (stack && !view.placement.get(origin)) ghosts.push([origin, stack, 'left']);
    for (const step of draft.steps) {
      const victim = before.get(step.to);
      if (/[csk]/.test(step.flags) && victim) ghosts.push([step.to, victim, 'taken']);
    }
    view.ghosts(ghosts);
  }

  /** @returns {Mark[]} */
  marks() {
    /** @type {Mark[]} */
    const marks = [];
    for (const [square, target] of this.targets) marks.push({ square, kind: markKind(target) });
    for (const exposed of this.exposed) {
      const mine = exposed.from === this.selected && !this.targets.has(exposed.to) && this.isChosen(exposed);
      if (mine) marks.push({ square: exposed.to, kind: 'exposed', reason: t(`why-${exposed.reason}`) });
    }
    return marks;
  }

  /** @param {import('./types.js').Exposed} exposed */
  isChosen(exposed) {
    return exposed.deploy ? this.chosen.size === 1 && this.chosen.has(exposed.type) : this.chosen.size === this.choosable().length;
  }

  /** The parts that the tray offers for the selected square. @returns {Part[]} */
  choosable() {
    if (!this.selected || !this.draft) return [];
    return this.draft.isOpen ? this.draft.left : (this.view.placement.get(this.selected)?.parts ?? []);
  }

  /** @param {string} square @param {Set<string>} [chosen] */
  async select(square, chosen) {
    const { draft } = this;
    if (!draft) return;
    if (this.selected !== square) this.exposed = [];
    this.selected = square;
    this.chips.hide();
    const parts = this.choosable();
    let asked = (this.chosen = chosen ?? new Set(parts.map((p) => p.type)));
    // An answer that comes after another choice of parts must not show its targets.
    const stale = () => this.selected !== square || this.draft !== draft || this.chosen !== asked;
    let choices = await draft.choices(square, parts, asked);
    if (!chosen && !choices.length && !stale()) {
      // A stack that cannot leave as a whole offers the first part that can.
      const able = parts.find((p) => draft.answer.moves.some((m) => m.from === square && m.deploy && m.type === p.type));
      if (able) {
        asked = this.chosen = new Set([able.type]);
        choices = await draft.choices(square, parts, asked);
      }
    }
    if (stale()) return;
    this.targets = targets(choices);
    this.dock.parts(this.view.placement.get(square) ?? { color: draft.answer.turn, parts }, parts, this.chosen);
    this.describe(square);
    this.view.select(square);
    this.view.marks(this.marks());
    this.dispatchEvent(new CustomEvent('selected', { detail: square }));
    // What is forbidden is told a moment later than what is allowed: nobody waits for it.
    const exposed = await draft.exposed(square).catch(() => []);
    if (stale()) return;
    this.exposed = exposed;
    this.view.marks(this.marks());
  }

  deselect() {
    this.selected = null;
    this.chosen = new Set();
    this.targets = new Map();
    this.exposed = [];
    this.chips.hide();
    this.dock.parts(null, [], this.chosen);
    this.dock.describe(null, null);
    this.view.select(null);
    this.view.marks([]);
    this.bar();
  }

  /** @param {string} type */
  toggle(type) {
    if (!this.selected) return;
    const chosen = new Set(this.chosen);
    if (chosen.has(type)) chosen.delete(type);
    else chosen.add(type);
    void this.select(this.selected, chosen);
  }

  /** May this square's stack be picked up now? @param {string} square */
  isOwn(square) {
    const stack = this.view.placement.get(square);
    const turn = this.draft?.answer.turn;
    return Boolean(stack && stack.color === turn && (this.shown.movable === 'both' || this.shown.movable === turn));
  }

  /** A click, a tap or Enter on a square. @param {string} square */
  act(square) {
    if (this.edit) return this.edit(square);
    const { draft } = this;
    if (!draft || this.pending) return;
    const target = this.targets.get(square);
    if (target?.move && target.strike) return this.ask(square, target.move, target.strike);
    const choice = target?.move ?? target?.strike;
    if (choice) return void this.take(choice);
    this.chips.hide();
    const refused = this.marks().find((m) => m.square === square && m.kind === 'exposed');
    if (refused?.reason) return this.say(refused.reason, true);
    if (draft.isOpen) {
      if (square !== draft.origin) this.say(t('finish-first'), true);
      return;
    }
    if (this.selected && square !== this.selected && !this.isOwn(square)) {
      this.dispatchEvent(new CustomEvent('unreachable', { detail: { from: this.selected, to: square } }));
    }
    if (square === this.selected || !this.isOwn(square)) return this.deselect();
    void this.select(square);
  }

  /** @param {Choice} choice */
  async take(choice) {
    const { draft } = this;
    if (!draft) return;
    const words = stepWords(choice.letters, choice.flags, choice.to);
    if (!choice.open) return this.finish(draft.complete(choice), choice, words);
    play('step');
    this.deselect();
    const pushed = draft.push(choice);
    this.redraw();
    this.say(words);
    try {
      await pushed;
    } catch {
      this.say(t('offline'), true);
      return;
    }
    if (this.draft === draft) await this.proceed();
  }

  /** After a step: select the next part that can move, or finish when nothing is left to do. */
  async proceed() {
    const { draft } = this;
    if (!draft?.isOpen || !draft.origin) return this.redraw();
    const steps = draft.answer.moves.filter((m) => m.lan !== '.');
    this.redraw();
    if (!steps.length && draft.answer.canCommit) return this.done();
    const next = draft.left.find((p) => steps.some((m) => m.type === p.type));
    if (next) await this.select(draft.origin, new Set([next.type]));
    this.bar();
  }

  /** Hands a whole turn over, after a question where the player wants one. @param {string[]} lans @param {Choice|null} choice @param {string} words */
  finish(lans, choice, words) {
    this.pending = { lans, choice };
    if (settings.confirm) {
      this.deselect();
      this.preview(choice);
      this.dock.status({ text: t('confirm-turn', { turn: words }), why: '', canDone: true, canUndo: false, done: t('confirm') });
      return this.say(t('confirm-turn', { turn: words }));
    }
    this.send();
  }

  send() {
    const { draft, pending } = this;
    if (!draft || !pending) return;
    this.deselect();
    this.dock.status(null);
    this.preview(pending.choice);
    if (pending.choice) play(soundOf(pending.choice.flags));
    this.handOver(pending.lans, draft.fen);
  }

  /** @param {string[]} steps a whole turn @param {string} fen the position before it */
  handOver(steps, fen) {
    this.dispatchEvent(new CustomEvent('turn', { detail: { steps, fen } }));
  }

  /** Shows the last step of a turn before the server has answered. @param {Choice|null} choice */
  preview(choice) {
    if (choice?.board) this.view.pieces(parsePlacement(choice.board));
    this.view.arrows([]);
    this.view.ghosts([]);
  }

  /** The server took the turn: the draft is history. */
  accepted() {
    if (this.draft) void this.draft.clear();
  }

  /** The server refused, or cannot be reached: back to the draft. @param {string} message */
  refused(message) {
    this.pending = null;
    this.say(message, true);
    this.redraw();
    if (this.draft?.isOpen) void this.proceed();
  }

  /** @returns {void} */
  done() {
    const { draft, pending } = this;
    if (!draft) return;
    if (pending) return settings.confirm ? this.send() : undefined;
    if (!draft.isOpen || !draft.answer.canCommit) return this.bar();
    this.finish([...draft.lans, '.'], null, t('deploy-done', { count: draft.steps.length }));
  }

  async undo() {
    const { draft } = this;
    if (this.pending) return this.cancel();
    if (!draft?.isOpen) return;
    this.deselect();
    const popped = draft.pop();
    await popped.catch(() => this.say(t('offline'), true));
    if (this.draft !== draft) return;
    this.say(t('undone'));
    this.redraw();
    if (draft.isOpen) await this.proceed();
  }

  cancel() {
    if (this.pending) {
      this.pending = null;
      this.redraw();
      if (this.draft?.isOpen) void this.proceed();
      return;
    }
    if (this.chips.square) return this.chips.hide();
    const open = this.draft?.isOpen;
    if (open) void this.draft?.clear();
    this.deselect();
    this.redraw();
    if (open) this.say(t('cancelled'));
  }

  /** Says where the deploy stands. @returns {void} */
  bar() {
    const { draft, pending } = this;
    if (pending) return;
    if (!draft?.isOpen) return this.dock.status(null);
    const origin = draft.origin ?? '';
    const all = parsePlacement(draft.fen).get(origin)?.parts.length ?? 0;
    const left = draft.left;
    const pieces = left.map(partName).join(t('list-comma'));
    const { canCommit, cannotCommit } = draft.answer;
    this.dock.status({
      text: left.length ? t('deploy-progress', { moved: all - left.length, all, pieces, square: origin }) : t('deploy-none', { all }),
      why: canCommit ? '' : t(cannotCommit ? `cannot-commit-${cannotCommit}` : 'cannot-commit', { square: origin }),
      canDone: Boolean(canCommit),
      canUndo: true,
    });
  }

  /** Take or strike? @param {string} square @param {Choice} move @param {Choice} strike */
  ask(square, move, strike) {
    this.chips.ask(square, this.view.at(square), (kind) => void this.take(kind === 'take' ? move : strike));
    this.say(t('take-or-strike', { square }));
  }

  /** @param {string|null} square */
  describe(square) {
    this.dock.describe(square, square ? (this.view.placement.get(square) ?? null) : null);
  }

  async toggleCover() {
    this.covered = !this.covered;
    if (!this.covered) this.view.cover(null);
    else await this.drawCover();
    this.say(t(this.covered ? 'cover-on' : 'cover-off'));
    this.dispatchEvent(new CustomEvent('cover', { detail: this.covered }));
  }

  async drawCover() {
    const { answer } = this.draft ?? {};
    const cover = answer?.cover ?? (await this.rules?.cover(this.shown.fen).catch(() => null));
    if (cover && this.covered) this.view.cover(cover);
  }

  /** @param {string} words @param {boolean} [loud] also show it */
  say(words, loud = false) {
    this.live.textContent = words;
    if (loud) this.dispatchEvent(new CustomEvent('notice', { detail: words, bubbles: true }));
  }
}

/** @param {Target} target @returns {MarkKind} */
function markKind({ move, strike }) {
  if (move && strike) return 'both';
  if (strike) return 'strike';
  const flags = move?.flags ?? '';
  return flags.includes('k') ? 'kamikaze' : flags.includes('c') ? 'take' : flags.includes('b') ? 'join' : 'move';
}

define(ConvoyBoard);
