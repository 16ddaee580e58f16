/**
 * What the puzzle pages of both games share: which puzzle comes next, and what an answer came to. The server sets the
 * puzzles and judges the answers.
 *
 * @typedef {'training'|'daily'|'streak'|'timed'} Mode
 * @typedef {'easy'|'medium'|'hard'} Level
 * @typedef {{id: string, difficulty: Level, rating: number|null, day?: string, [more: string]: any}} Task
 *
 * @typedef {object} Face what a game does for its puzzles
 * @property {(task: Task) => Promise<string>} show shows a puzzle, and answers what is asked
 * @property {(solution: any) => void} reveal shows the solution
 */
import { html } from './html.js';
import { t } from './i18n.js';
import { boot, copy, drawn, need } from './page.js';
import { History } from './puzzle-history.js';
import { Refused } from './refused.js';
import { post } from './rules.js';

/** How long a timed run lasts, in milliseconds. */
const RUN = 180_000;
/** @type {Level[]} */
const LEVELS = ['easy', 'medium', 'hard'];

/** @param {string} path @returns {Promise<any>} */
async function fetched(path) {
  const reply = await fetch(path);
  const answer = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(answer.error?.code ?? String(reply.status), answer.error?.message ?? reply.statusText, answer.error?.why);
  return answer;
}

export class Trainer {
  /** @param {Face} face */
  constructor(face) {
    this.face = face;
    /** @type {string} */
    this.game = boot().game;
    this.status = need('#status');
    this.mode = /** @type {HTMLSelectElement} */ (need('#mode'));
    this.theme = /** @type {HTMLSelectElement} */ (need('#theme'));
    this.level = /** @type {HTMLSelectElement} */ (need('#level'));
    /** @type {Task|null} */
    this.task = null;
    /** Whether this showing of the puzzle has been counted. */
    this.counted = false;
    /** Solved in this streak or timed run. */
    this.run = 0;
    /** When the timed run ends; 0 before it has begun. */
    this.ends = 0;
    this.over = false;
    /** Which load is the latest: what an earlier one brings is not shown any more. */
    this.serial = 0;
    /** The ids of each theme, asked for once. @type {Map<string, Promise<Record<Level, string[]>>>} */
    this.lists = new Map();
    this.history = new History(this.game);
    need('#next').addEventListener('click', () => void this.next());
    need('#show-solution').addEventListener('click', () => void this.giveUp());
    need('#copy-link').addEventListener('click', () => void copy(new URL(`/puzzles/${this.game}/${this.task?.id ?? ''}`, location.href).href));
    for (const select of [this.mode, this.theme, this.level]) select.addEventListener('change', () => void this.restart());
    setInterval(() => this.tick(), 250);
  }

  /** What the server keeps for an account goes before what this browser remembers. */
  async recall() {
    this.history.recall(await fetched(`/api/v1/puzzles/${this.game}/history`));
  }

  /** Shows what the first attempt of an account has changed. @param {string} id @param {import('./puzzle-history.js').Change|null|undefined} change */
  rated(id, change) {
    if (change) this.history.rated(id, change);
  }

  /** Begins with what the address asks for. */
  async start() {
    const { id } = boot();
    // What the first puzzle is chosen from comes while it is asked which were attempted.
    if (!id) void this.ids(this.theme.value).catch(() => undefined);
    await this.attempt(() => this.recall());
    if (id === 'daily') this.mode.value = 'daily';
    await this.attempt(() => (id && id !== 'daily' ? this.load(id) : this.pick()));
    drawn();
  }

  async restart() {
    this.run = 0;
    this.ends = 0;
    this.over = false;
    await this.attempt(() => this.pick());
  }

  async next() {
    if (this.over || this.mode.value === 'daily') {
      if (this.mode.value === 'daily') this.mode.value = 'training';
      return this.restart();
    }
    await this.attempt(() => this.pick());
  }

  /** @param {() => Promise<void>} act */
  async attempt(act) {
    need('#fault').textContent = '';
    try {
      await act();
    } catch (error) {
      need('#fault').textContent = error instanceof Refused ? error.message : t('offline');
    }
  }

  /** Which level comes next: runs begin easy and get harder. @returns {Level[]} */
  wanted() {
    const chosen = /** @type {Level} */ (this.level.value);
    if (chosen) return [chosen];
    const { value } = this.mode;
    if (value === 'streak' || value === 'timed') return [this.run < 5 ? 'easy' : this.run < 15 ? 'medium' : 'hard', ...LEVELS];
    return LEVELS;
  }

  /** @param {string} theme @returns {Promise<Record<Level, string[]>>} */
  ids(theme) {
    const known = this.lists.get(theme) ?? fetched(`/api/v1/puzzles/${this.game}?theme=${theme}`);
    this.lists.set(theme, known);
    known.catch(() => this.lists.delete(theme));
    return known;
  }

  /** Loads a puzzle that was not attempted yet, if one is left. */
  async pick() {
    if (this.mode.value === 'daily') return this.load('daily');
    const serial = (this.serial += 1);
    const ids = await this.ids(this.theme.value);
    if (serial !== this.serial) return;
    const seen = new Set(this.history.past.map((one) => one.id));
    const runs = this.mode.value !== 'training';
    const pools = runs ? this.wanted().map((level) => ids[level]) : [this.wanted().flatMap((level) => ids[level])];
    const fresh = pools.map((pool) => pool.filter((id) => !seen.has(id))).find((pool) => pool.length) ?? pools.find((pool) => pool.length);
    if (!fresh) return this.say(t('puzzle-none'), 'wrong');
    await this.load(fresh[Math.floor(Math.random() * fresh.length)]);
  }

  /** @param {string} id */
  async load(id) {
    const serial = (this.serial += 1);
    const task = /** @type {Task} */ (await fetched(`/api/v1/puzzles/${this.game}/${id}`));
    if (serial !== this.serial) return;
    this.task = task;
    this.counted = false;
    const solution = need('#solution');
    solution.replaceChildren();
    delete solution.dataset.asked;
    need('#gain').textContent = '';
    need('#worth').textContent = task.rating === null ? t('puzzle-worth-level', { level: t(`puzzle-level-${task.difficulty}`) }) : t('puzzle-worth-rating', { rating: task.rating });
    need('#show-solution').hidden = this.mode.value === 'timed';
    history.replaceState(null, '', `/puzzles/${this.game}/${id}`);
    if (this.mode.value === 'timed' && !this.ends) this.ends = performance.now() + RUN;
    const words = await this.face.show(task);
    if (serial !== this.serial) return;
    this.say(words, '');
    this.score();
  }

  /** @param {string} words @param {''|'right'|'wrong'} kind */
  say(words, kind) {
    const day = this.task?.day ? t('puzzle-of-day', { day: this.task.day }) + t('space') : '';
    this.status.textContent = day + words;
    this.status.className = `status ${kind}`;
  }

  /** Whether answers are taken now. */
  get isOpen() {
    return Boolean(this.task) && !this.over;
  }

  /** Counts an attempt; only the first answer to a showing counts. @param {boolean} solved */
  count(solved) {
    if (this.counted || !this.task) return;
    this.counted = true;
    const { best } = this.history;
    const mode = /** @type {Mode} */ (this.mode.value);
    if (mode === 'streak' || mode === 'timed') {
      if (solved) this.run += 1;
      best[mode] = Math.max(best[mode], this.run);
      if (mode === 'streak' && !solved) this.over = true;
    }
    this.history.add(this.task.id, solved);
    this.score();
  }

  /** @param {string} words */
  async solved(words) {
    this.count(true);
    this.say(words, 'right');
    if (this.mode.value === 'timed') return this.next();
    await this.reveal();
  }

  /** @param {string} words */
  async failed(words) {
    this.count(false);
    this.say(this.over ? t('puzzle-streak-over', { count: this.run, best: this.history.best.streak }) : words, 'wrong');
    if (this.mode.value === 'timed') return this.next();
    if (this.over) await this.reveal();
  }

  async giveUp() {
    if (!this.task) return;
    this.count(false);
    // Its place is there at once, so that nothing moves when it comes.
    need('#solution').dataset.asked = '';
    await this.attempt(() => this.reveal(true));
  }

  /** @param {boolean} [givenUp] that is a failed attempt */
  async reveal(givenUp = false) {
    const { task } = this;
    if (!task) return;
    const path = `/api/v1/puzzles/${this.game}/${task.id}`;
    const solution = await (givenUp ? post(`${path}/give-up`, {}) : fetched(`${path}/solution`));
    this.rated(task.id, solution.rating);
    if (this.task !== task) return;
    this.face.reveal(solution);
    need('#solution').append(html('p', { class: 'soft' }, [solution.themes.map((/** @type {string} */ word) => t(`puzzle-theme-${word}`)).join(' · ')]));
    need('#show-solution').hidden = true;
  }

  score() {
    const { value } = this.mode;
    const left = Math.max(0, this.ends - performance.now());
    const time = `${Math.floor(left / 60_000)}:${String(Math.floor(left / 1000) % 60).padStart(2, '0')}`;
    const words = value === 'streak' ? t('puzzle-streak', { count: this.run, best: this.history.best.streak })
      : value === 'timed' ? t('puzzle-timed', { time, count: this.run, best: this.history.best.timed }) : '';
    if (need('#score').textContent !== words) need('#score').textContent = words;
  }

  tick() {
    if (this.mode.value !== 'timed' || !this.ends || this.over) return;
    this.score();
    if (performance.now() < this.ends) return;
    this.over = true;
    this.say(t('puzzle-timed-over', { count: this.run, best: this.history.best.timed }), '');
  }
}
