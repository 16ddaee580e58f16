/**
 * A turn being put together: the steps chosen so far and what the rules answered after them.
 * It lives in the page and survives a reload; the server hears of it once, as a whole turn.
 *
 * @typedef {import('./types.js').Answer} Answer
 * @typedef {import('./types.js').Move} Move
 * @typedef {import('./types.js').Part} Part
 *
 * @typedef {object} Choice something the player can click
 * @property {string[]} lans the steps it stands for
 * @property {string} from
 * @property {string} to
 * @property {string} flags
 * @property {string} letters who moves, in capital letters
 * @property {boolean} open the deploy goes on afterwards
 * @property {string} [board]
 * @property {string} [captured]
 *
 * @typedef {object} Target a square that can be clicked now
 * @property {Choice} [move] moving, joining or taking
 * @property {Choice} [strike] capturing without moving
 */
import { parseStack } from './fen.js';

export class Draft {
  /** @param {import('./rules.js').Rules} rules @param {string} fen @param {Answer} answer @param {string} key where it is kept; empty for nowhere */
  constructor(rules, fen, answer, key) {
    this.rules = rules;
    this.fen = fen;
    this.start = answer;
    this.answer = answer;
    this.key = key;
    /** @type {Choice[]} */
    this.steps = [];
  }

  /** All steps as the server reads them. */
  get lans() {
    return this.steps.flatMap((step) => step.lans);
  }

  get isOpen() {
    return this.steps.length > 0;
  }

  /** Where the deploying stack stood. */
  get origin() {
    return this.steps[0]?.from ?? null;
  }

  /** Parts that have not moved yet. @returns {Part[]} */
  get left() {
    return parseStack(this.answer.deploy?.left ?? '')?.parts ?? [];
  }

  /** @param {Choice} choice @param {string[]} [extra] */
  complete(choice, extra = []) {
    return [...this.lans, ...choice.lans, ...extra];
  }

  /** Takes a step and asks what is possible next. @param {Choice} choice */
  async push(choice) {
    this.steps.push(choice);
    if (choice.board) this.answer = { ...this.answer, board: choice.board, moves: [] };
    this.save();
    await this.refresh();
  }

  /** Takes the last step back. */
  async pop() {
    this.steps.pop();
    this.save();
    await this.refresh();
  }

  async clear() {
    this.steps = [];
    this.answer = this.start;
    this.save();
  }

  async refresh() {
    const count = this.steps.length;
    const answer = count ? await this.rules.draft(this.fen, this.lans) : this.start;
    if (this.steps.length === count) this.answer = answer;
  }

  save() {
    if (!this.key) return;
    try {
      if (this.steps.length) sessionStorage.setItem(this.key, JSON.stringify({ fen: this.fen, steps: this.steps }));
      else sessionStorage.removeItem(this.key);
    } catch {
      // Without storage a draft ends with the page, which costs a few clicks and nothing else.
    }
  }

  /** Picks up what a reload interrupted, if it belongs to this very position. */
  async restore() {
    if (!this.key) return;
    try {
      const saved = JSON.parse(sessionStorage.getItem(this.key) ?? 'null');
      if (!saved) return;
      if (saved.fen !== this.fen) return void sessionStorage.removeItem(this.key);
      this.steps = saved.steps;
      await this.refresh();
    } catch {
      this.steps = [];
      this.answer = this.start;
      sessionStorage.removeItem(this.key);
    }
  }

  /** Squares that only the commander's safety forbids the stack on `square`. @param {string} square */
  async exposed(square) {
    const answer = await this.rules.draft(this.fen, this.lans, { at: square });
    return answer.exposed ?? [];
  }

  /**
   * What the chosen parts of the stack on `square` can do now.
   * @param {string} square @param {Part[]} all @param {Set<string>} chosen
   * @returns {Promise<Choice[]>}
   */
  async choices(square, all, chosen) {
    const here = this.answer.moves.filter((m) => m.from === square);
    if (!this.isOpen && chosen.size === all.length) return here.filter((m) => !m.deploy).map((m) => choiceOf(m));
    if (chosen.size === 1) return here.filter((m) => m.deploy && chosen.has(m.type)).map((m) => choiceOf(m));
    if (chosen.size === 0) return [];
    const parts = all.filter((p) => chosen.has(p.type));
    const letters = parts.map((p) => p.type.toUpperCase()).join('');
    const answer = await this.rules.draft(this.fen, this.lans, { at: square, parts: letters });
    const who = parts.map((p) => (p.heroic ? '+' : '') + p.type.toUpperCase()).join('');
    return (answer.groups ?? []).map((group) => ({ ...group, from: square, letters: who, open: Boolean(group.open) }));
  }
}

/** A move that the rules offer, as something to click. @param {Move} move @returns {Choice} */
export function choiceOf(move) {
  const spec = /^(\([^)]*\)|\+?[A-Z])/.exec(move.lan);
  return {
    lans: [move.lan],
    from: move.from,
    to: move.to,
    flags: move.flags,
    letters: spec ? spec[0].replace(/[()]/g, '') : move.type.toUpperCase(),
    open: Boolean(move.open),
    board: move.board,
    captured: move.captured,
  };
}

/**
 * Choices by the square to click; where taking and striking are both legal the target holds both.
 * @param {Choice[]} choices @returns {Map<string, Target>}
 */
export function targets(choices) {
  /** @type {Map<string, Target>} */
  const map = new Map();
  for (const choice of choices) {
    const target = map.get(choice.to) ?? {};
    if (choice.flags.includes('s')) target.strike ??= choice;
    else target.move ??= choice;
    map.set(choice.to, target);
  }
  return map;
}
