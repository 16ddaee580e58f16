// Games of Cờ Tư Lệnh.

import { Board } from './board.js';
import { badArgument, optionsOf } from './error.js';
import { moveBits } from './move.js';
import { Position, readOutcome } from './position.js';
import { rules } from './rules.js';
import { Slots, Slotted } from './slots.js';

const slots = new Slots(rules, 256, 'game_save', 'game_load');
const VICTORIES = { marine: 1, air: 2, land: 4 };

function victoryBits(victories) {
  if (!Array.isArray(victories)) throw badArgument('victories', 'an array', victories);
  let bits = 0;
  for (const name of victories) {
    if (!Object.hasOwn(VICTORIES, name)) throw badArgument('victories', "of 'marine', 'air' and 'land'", name);
    bits |= VICTORIES[name];
  }
  return bits;
}

function turnNumber(turn, name) {
  if (!Number.isInteger(turn) || turn < 0 || turn > 0xffff_ffff) throw badArgument(name, 'a number of turns', turn);
  return turn;
}

/** How a game comes about that does not begin with a position. */
class Source {
  constructor(fill) {
    this.fill = fill;
  }
}

/** A game: a position with the turns that led to it, tags, comments and clocks. A refused move changes nothing. */
export class Game {
  #game;

  /** `victories` are further ways to win: `'marine'`, `'air'`, `'land'`. */
  constructor(start = Position.start(), options = undefined) {
    const { victories = [] } = optionsOf(options);
    const bits = victoryBits(victories);
    this.#game = start instanceof Source
      ? new Slotted(slots, start.fill)
      : new Slotted(slots, (slot) => rules.call('game_new', slot, Position.board(start).slot, bits));
  }

  /** Reads one game in PGN, strictly: what is unreadable or illegal is refused with its place. */
  static fromPgn(pgn, options) {
    const { victories = [] } = optionsOf(options);
    const bits = victoryBits(victories);
    return new Game(new Source((slot) => {
      rules.write(pgn, 'pgn');
      rules.call('game_read', slot, bits);
    }));
  }

  #change(name, ...values) {
    const answer = rules.call(name, this.#game.slot, ...values);
    this.#game.changed();
    return answer;
  }

  #text(name, ...values) {
    return rules.text(rules.call(name, this.#game.slot, ...values));
  }

  #position(turns) {
    return new Position(Board.make((into) => rules.call('game_position', this.#game.slot, into, turns)));
  }

  /** The position now. */
  get position() {
    return this.#position(0xffff_ffff);
  }

  /** The position that the game began with. */
  get start() {
    return this.turnCount === 0 && this.position.deployFrom() === null ? this.position : this.#position(0);
  }

  /** The position after so many turns. */
  positionAfter(turns) {
    turnNumber(turns, 'turns');
    return turns === 0 ? this.start : this.#position(turns);
  }

  /** Plays a move, moves one after another, or a text: a move, steps or a whole turn. */
  play(move) {
    if (typeof move === 'string') {
      const { slot } = this.#game;
      rules.write(move, 'move');
      rules.call('game_play_text', slot);
      this.#game.changed();
    } else if (typeof move === 'object' && move !== null && typeof move[Symbol.iterator] === 'function') {
      for (const step of move) this.play(moveBits(step));
    } else {
      this.#change('game_play', moveBits(move));
    }
    return this;
  }

  /** Takes the open deploy back, or else the last turn; whether there was one. */
  undo() {
    return this.#change('game_undo', 1) === 1;
  }

  /** Takes the last step back, or else the last move; whether there was one. */
  undoStep() {
    return this.#change('game_undo', 0) === 1;
  }

  /** How many whole turns have been played. */
  get turnCount() {
    return this.#facts().turnCount;
  }

  /** How often the position has occurred, this time included. */
  repetitions() {
    return this.#facts().repetitions;
  }

  /** How the game has ended, repetitions and further ways to win included, or `null`. */
  outcome() {
    return this.#facts().outcome;
  }

  #facts() {
    const bytes = rules.bytes(rules.call('game_facts', this.#game.slot));
    const [turnCount, repetitions] = new Uint32Array(bytes.buffer, 0, 2);
    const outcome = readOutcome(String.fromCharCode(...bytes.subarray(8)));
    return { turnCount, repetitions, outcome };
  }

  /** The SAN of every whole turn. */
  sans() {
    const text = this.#text('game_turns', 0);
    return text === '' ? [] : text.split('\n');
  }

  /** The LAN of every whole turn. */
  lans() {
    const text = this.#text('game_turns', 1);
    return text === '' ? [] : text.split('\n');
  }

  /** The tags that were set. */
  headers() {
    const text = this.#text('game_headers').trimEnd();
    return new Map(text === '' ? [] : text.split('\n').map((line) => line.split('\t')));
  }

  /** Sets a tag; `null` removes it. */
  setHeader(name, value) {
    if (typeof name !== 'string') throw badArgument('name', 'a string', name);
    if (value !== null && typeof value !== 'string') throw badArgument('value', 'a string or null', value);
    const { slot } = this.#game;
    rules.write(value === null ? name : `${name}\t${value}`, 'name');
    rules.call('game_set_header', slot);
    this.#game.changed();
  }

  /** The comment after so many turns, 0 is the start; `null` if there is none. */
  comment(turns) {
    return this.#text('game_comment', turnNumber(turns, 'turns')) || null;
  }

  /** Sets that comment; `null` removes it. */
  setComment(turns, text) {
    turnNumber(turns, 'turns');
    const { slot } = this.#game;
    rules.write(text ?? '', 'text');
    rules.call('game_set_comment', slot, turns);
    this.#game.changed();
  }

  /** The clock of whoever made that turn, after it, in milliseconds; `null` if there is none. */
  clock(turns) {
    const clock = rules.number('game_clock', this.#game.slot, turnNumber(turns, 'turns'));
    return clock < 0 ? null : clock;
  }

  /** Sets that clock; `null` removes it. */
  setClock(turns, milliseconds) {
    turnNumber(turns, 'turns');
    if (milliseconds !== null && !(typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds < 2 ** 40)) {
      throw badArgument('milliseconds', 'a number from 0, or null', milliseconds);
    }
    this.#change('game_set_clock', turns, milliseconds ?? -1);
  }

  /** The game as PGN; lines of moves are wrapped before `width` characters, 0 never wraps. */
  pgn(style) {
    const { width = 80, clocks = true } = optionsOf(style, 'style');
    return this.#text('game_pgn', turnNumber(width, 'width'), clocks ? 1 : 0);
  }

  toString() {
    return this.pgn();
  }

  toJSON() {
    return this.pgn();
  }

  /** Gives its memory back at once; nothing is lost if it is never called. */
  free() {
    this.#game.free();
  }

  /** For this package: the text that `game_load` reads. */
  static saved(game) {
    if (!(game instanceof Game)) throw badArgument('game', 'a Game', game);
    return game.#game.saved();
  }
}
