/**
 * Attempts at puzzles: a guest's are remembered by this browser, an account's by the server, which rates them.
 *
 * @typedef {{rating: number, deviation: number, attempts: number, provisional: boolean}} Rating
 * @typedef {{before: Rating, after: Rating}} Change
 * @typedef {{id: string, solved: boolean, at: number, rating?: number|null}} Past
 * @typedef {{streak: number, timed: number}} Best
 */
import { html } from './html.js';
import { t } from './i18n.js';
import { need } from './page.js';
import { shape } from './review/graph.js';

/** How many attempts are remembered. */
const KEPT = 500;
/** How many of them are listed. */
const LISTED = 40;
/** What every account begins with. */
const FIRST = 1500;
/** The least range of ratings that the graph shows, so that small changes look small. */
const RANGE = 100;

/** A change with its sign. @param {number} by */
const signed = (by) => (by > 0 ? `+${by}` : by < 0 ? `−${-by}` : '±0');

/** A rating that is not settled bears a question mark. @param {Rating} rating */
const told = ({ rating, provisional }) => (provisional ? `${rating}?` : String(rating));

/** @param {number[]} ratings at least two, the oldest first */
function graph(ratings) {
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const margin = Math.max(0, (RANGE - (most - least)) / 2);
  const height = most - least + 2 * margin;
  const points = ratings.map((rating, at) => `${(1000 * at) / (ratings.length - 1)},${(200 * (most + margin - rating)) / height}`);
  const svg = shape('svg', { viewBox: '0 -8 1000 216', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  svg.append(shape('polyline', { points: points.join(' ') }));
  return svg;
}

export class History {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** The attempts, the oldest first. @type {Past[]} */
    this.past = [];
    /** @type {Best} */
    this.best = { streak: 0, timed: 0 };
    /** The rating of the account; guests have none. @type {Rating|null} */
    this.rating = null;
    /** Ratings after attempts of this visit. @type {Map<string, number>} */
    this.after = new Map();
    /** Whether the server keeps the attempts. */
    this.kept = false;
    this.read();
    this.show();
  }

  get key() {
    return `convoy-puzzles-${this.game}`;
  }

  read() {
    try {
      const stored = JSON.parse(localStorage.getItem(this.key) ?? 'null');
      if (!Array.isArray(stored?.past)) return;
      this.past = stored.past;
      this.best = { ...this.best, ...stored.best };
    } catch {
      // What cannot be read is begun anew.
    }
  }

  /** Keeps what the server does not, and shows all. An account's attempts are nothing for whoever uses the browser next. */
  remember() {
    try {
      const past = this.kept ? JSON.parse(localStorage.getItem(this.key) ?? 'null')?.past ?? [] : this.past;
      localStorage.setItem(this.key, JSON.stringify({ past, best: this.best }));
    } catch {
      // Without storage the page forgets with its end.
    }
    this.show();
  }

  /** What the server has kept. @param {{attempts: Past[]|null, rating: Rating|null}} history the newest attempt first */
  recall({ attempts, rating }) {
    if (!attempts) return;
    this.kept = true;
    this.past = attempts.reverse();
    this.rating = rating;
    this.show();
  }

  /** @param {string} id @param {boolean} solved */
  add(id, solved) {
    if (!this.past.some((one) => one.id === id)) this.past.push({ id, solved, at: Date.now() });
    this.past.splice(0, Math.max(0, this.past.length - KEPT));
    this.remember();
  }

  /** An attempt was rated. @param {string} id @param {Change} change */
  rated(id, { before, after }) {
    this.rating = after;
    this.after.set(id, after.rating);
    this.show();
    need('#gain').textContent = t('puzzle-gain', { change: signed(after.rating - before.rating) });
  }

  /** @param {Past} one */
  ratingAfter({ id, rating }) {
    return rating ?? this.after.get(id);
  }

  /** How much an attempt changed the rating, where that is known. @param {number} at */
  change(at) {
    const [before, after] = [this.past[at - 1], this.past[at]].map((one) => (one ? this.ratingAfter(one) : FIRST));
    const known = before !== undefined && after !== undefined && (at > 0 || this.past.length < KEPT);
    return known ? signed(after - before) : null;
  }

  show() {
    const { past, rating } = this;
    const solved = past.filter((one) => one.solved).length;
    need('#history-sum').textContent = past.length ? t('puzzle-history-sum', { solved, count: past.length }) : t('puzzle-history-none');
    const links = past.map((_, at) => this.link(at)).slice(-LISTED).reverse();
    need('#history').replaceChildren(...links);
    need('#rating').textContent = rating ? t('puzzle-rating', { rating: told(rating) }) : '';
    const ratings = past.map((one) => this.ratingAfter(one)).filter((one) => one !== undefined);
    const sum = rating ? [t('puzzle-rating-highest', { rating: Math.max(...ratings, rating.rating) })] : [];
    if (rating?.provisional) sum.push(t('puzzle-rating-provisional'));
    need('#rating-sum').textContent = sum.join(t('space'));
    const figure = need('#rating-graph');
    figure.hidden = ratings.length < 2;
    if (figure.hidden) return;
    const [first, last] = [ratings[0], ratings[ratings.length - 1]];
    figure.setAttribute('aria-label', t('puzzle-rating-graph', { count: ratings.length, first, last }));
    figure.replaceChildren(html('span', {}, [String(Math.max(...ratings))]), graph(ratings), html('span', {}, [String(Math.min(...ratings))]));
  }

  /** The attempt as a link to its puzzle. @param {number} at */
  link(at) {
    const { id, solved } = this.past[at];
    const change = this.change(at);
    const words = [`${at + 1}${t('colon')}${t(solved ? 'puzzle-was-solved' : 'puzzle-was-failed')}`];
    if (change) words.push(t('puzzle-gain', { change }));
    const label = words.join(t('space'));
    return html('li', {}, [html('a', { href: `/puzzles/${this.game}/${id}`, class: solved ? 'solved' : 'failed', title: label, 'aria-label': label }, [change ?? String(at + 1)])]);
  }
}
