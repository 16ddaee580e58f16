// The class `CoTuLenh` of the reference, on the rules of this package.

import { ANY, filterOf } from './board.js';
import { BLUE, DEFAULT_POSITION, RED, SEVEN_TAG_ROSTER, SQUARE_NAMES, squareIndex } from './constants.js';
import { createError } from './error.js';
import { completedFen, examineFen, faultError } from './fen.js';
import * as judge from './judge.js';
import * as moving from './moving.js';
import { pieceOf } from './piece.js';
import { readPgn, writePgn } from './pgn.js';
import { ROLE_LETTERS, listedMoves } from './result.js';
import { deployView } from './session.js';
import * as setup from './setup.js';
import { State, repetitionKey } from './state.js';

const EMPTY = '11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1';

const INDICES = SQUARE_NAMES.map((_, index) => index);

/** From a target outwards: the order in which attackers are looked for. */
const DIRECTIONS = ['0,-1', '1,0', '0,1', '-1,0', '-1,-1', '1,-1', '1,1', '-1,1'];

/** Options may be missing altogether. */
function optionsOf(options) {
  return options ?? {};
}

function sideOf(color) {
  if (color === RED) return 0;
  if (color === BLUE) return 1;
  throw new TypeError(`A colour is 'r' or 'b', not ${String(color)}`);
}

function roleNumber(type) {
  return setup.isPieceType(type) ? ROLE_LETTERS.indexOf(type) : undefined;
}

export class CoTuLenh {
  #state;
  #headers = new Map();
  #comments = new Map();
  #counts = new Map();
  #skipLastGuard;

  constructor(fen = DEFAULT_POSITION, options = {}) {
    const { skipLastGuardPromotion } = optionsOf(options);
    this.#skipLastGuard = Boolean(skipLastGuardPromotion);
    this.#state = new State(DEFAULT_POSITION, !this.#skipLastGuard);
    if (fen !== DEFAULT_POSITION) this.load(fen);
  }

  static checkFen(fen, options = {}) {
    const { checkSemantics = true, throwOnError = false } = optionsOf(options);
    const { tokens, errors } = examineFen(fen, { semantics: checkSemantics, commanders: true });
    if (errors.length === 0 && checkSemantics) {
      const fault = deployFault(tokens);
      if (fault !== undefined) errors.push(fault);
    }
    if (throwOnError && errors.length > 0) throw faultError(errors[0]);
    return { valid: errors.length === 0, errors };
  }

  load(fen, options = {}) {
    const { skipValidation = false, preserveHeaders = false } = optionsOf(options);
    const text = skipValidation ? completedFen(fen) : fen;
    const { tokens, errors } = examineFen(text, { semantics: true, commanders: false });
    if (errors.length > 0) throw faultError(errors[0]);
    const fault = deployFault(tokens);
    if (fault !== undefined) throw faultError(fault);
    const state = new State(DEFAULT_POSITION, !this.#skipLastGuard);
    moving.read(state, plainTokens(tokens));
    this.#begin(state, preserveHeaders);
  }

  clear(options = {}) {
    const { preserveHeaders = false } = optionsOf(options);
    this.#begin(new State(EMPTY, !this.#skipLastGuard), preserveHeaders);
  }

  #begin(state, preserveHeaders) {
    this.#state = state;
    this.#comments.clear();
    this.#counts.clear();
    if (!preserveHeaders) this.#headers.clear();
  }

  fen(includeDeploy = true) {
    return includeDeploy ? this.#state.fen : this.#state.boardFen;
  }

  turn() {
    return this.#state.turn;
  }

  moveNumber() {
    return this.#state.counters.moveNumber;
  }

  halfMoves() {
    return this.#state.counters.halfMoves;
  }

  setMetadata(metadata) {
    setup.setMetadata(this.#state, optionsOf(metadata));
  }

  getMetadata() {
    return { ...this.#state.counters, fen: this.fen() };
  }

  get(square, type = undefined) {
    if (type !== undefined && type !== null) return setup.memberOf(this.#state, square, type);
    const index = squareIndex(square);
    const text = index < 0 ? undefined : this.#state.cells[index];
    return text && pieceOf(text);
  }

  put(piece, square, allowCombine = false) {
    return setup.put(this.#state, piece, square, allowCombine);
  }

  remove(square, part = undefined) {
    return setup.remove(this.#state, square, part ?? undefined);
  }

  board() {
    const { cells } = this.#state;
    const cell = (index) => {
      if (cells[index] === undefined) return null;
      const { type, color, heroic } = pieceOf(cells[index]);
      return { square: SQUARE_NAMES[index], type, color, heroic };
    };
    return Array.from({ length: 12 }, (_, row) => Array.from({ length: 11 }, (_, file) => cell(16 * row + file)));
  }

  moves(options = {}) {
    const { verbose = false, square, pieceType, legal = true } = optionsOf(options);
    const state = this.#state;
    const role = pieceType === undefined || pieceType === null ? ANY : roleNumber(pieceType);
    const from = square === undefined || square === null ? ANY : squareIndex(square);
    if (state.held !== null || role === undefined || from < 0) return [];
    const filter = filterOf(from, role, legal);
    const sans = state.board.sans(filter);
    if (!verbose) return sans;
    const { cells, turn: color, fen: before } = state;
    return listedMoves(state.board.moves(filter), sans, { cells, color, before, board: state.board.copy() });
  }

  move(move, options = {}) {
    const { strict = false, autoCommit = true, legal = true } = optionsOf(options);
    const moves = moving.findMoves(this.#state, move, { strict, legal });
    return moving.playMoves(this.#state, moves, { autoCommit, legal });
  }

  undo() {
    moving.undo(this.#state);
  }

  history(options = {}) {
    const { verbose = false } = optionsOf(options);
    return this.#state.history.map(({ result }) => (verbose ? result : result.san));
  }

  getSession() {
    return this.#state.session;
  }

  /** `null` cancels the open session; another session than the open one cannot be set. */
  setSession(session) {
    if (session === null) this.cancelSession();
    else if (session !== this.#state.session) {
      throw createError('SESSION_INVALID_OPERATION', 'Only the session of this game, or null, can be set');
    }
  }

  getDeployState() {
    const { session, info } = this.#state;
    return info === null ? null : deployView(session, info);
  }

  commitSession() {
    return moving.commit(this.#state);
  }

  canCommitSession() {
    return moving.canCommit(this.#state);
  }

  cancelSession() {
    moving.cancel(this.#state);
  }

  isCheck() {
    return this.#state.board.inCheck();
  }

  isCheckmate() {
    return judge.isCheckmate(this.#state);
  }

  isStalemate() {
    return judge.isStalemate(this.#state);
  }

  isDrawByFiftyMoves() {
    return judge.isDrawByFiftyMoves(this.#state);
  }

  isThreefoldRepetition() {
    return judge.isThreefoldRepetition(this.#state, this.#counts);
  }

  isDraw() {
    return judge.isDraw(this.#state, this.#counts);
  }

  isCommanderCaptured() {
    return judge.isCommanderCaptured(this.#state);
  }

  isGameOver() {
    return judge.isGameOver(this.#state, this.#counts);
  }

  isCommanderInDanger(color) {
    return this.#state.board.inDanger(sideOf(color));
  }

  getCommanderSquare(color) {
    sideOf(color);
    return setup.commanderIndex(this.#state, color);
  }

  getAttackers(square, color, assumeType = undefined) {
    const index = squareIndex(square);
    if (index < 0) return [];
    const role = assumeType === undefined || assumeType === null ? ANY : roleNumber(assumeType) ?? ANY;
    const place = ([from]) => {
      const [dx, dy] = [(from & 15) - (index & 15), (from >> 4) - (index >> 4)];
      const direction = DIRECTIONS.indexOf(`${Math.sign(dx)},${Math.sign(dy)}`);
      return 16 * direction + Math.max(Math.abs(dx), Math.abs(dy));
    };
    const found = this.#state.board.attackers(index, sideOf(color), role);
    found.sort((a, b) => place(a) - place(b));
    return found.map(([from, number]) => ({ square: from, type: ROLE_LETTERS[number] }));
  }

  getHeroicStatus(square, type = undefined) {
    return setup.memberOf(this.#state, square, type)?.heroic ?? false;
  }

  setHeroicStatus(square, type, heroic) {
    return setup.setHeroic(this.#state, square, type, heroic);
  }

  getAirDefense() {
    return this.#airDefense(INDICES);
  }

  getAirDefenseInfluence() {
    return this.#airDefense(SQUARE_NAMES);
  }

  #airDefense(names) {
    const { board } = this.#state;
    return { r: board.airCover(0, names), b: board.airCover(1, names) };
  }

  setHeader(key, value) {
    this.#headers.set(String(key), String(value));
    return this.getHeaders();
  }

  getHeaders() {
    const { startFen } = this.#state;
    const custom = startFen !== DEFAULT_POSITION && startFen !== EMPTY;
    const setUp = custom ? { SetUp: '1', FEN: startFen } : {};
    return { ...SEVEN_TAG_ROSTER, ...setUp, ...Object.fromEntries(this.#headers) };
  }

  removeHeader(key) {
    const known = Object.hasOwn(this.getHeaders(), key);
    this.#headers.delete(String(key));
    return known;
  }

  setComment(text) {
    this.#comments.set(this.fen(), String(text).replaceAll('{', '[').replaceAll('}', ']'));
  }

  getComment() {
    return this.#comments.get(this.fen());
  }

  removeComment() {
    const comment = this.getComment();
    this.#comments.delete(this.fen());
    return comment;
  }

  pgn(options = {}) {
    const { history, startFen } = this.#state;
    const result = judge.resultOf(this.#state, this.#counts);
    const headers = Object.fromEntries(this.#headers);
    return writePgn({ history, startFen, comments: this.#comments, headers, result }, optionsOf(options));
  }

  loadPgn(text, options = {}) {
    const { strict = false } = optionsOf(options);
    const { headers, tokens } = readPgn(text, strict);
    const { SetUp, FEN, ...others } = headers;
    const game = new CoTuLenh(FEN, { skipLastGuardPromotion: this.#skipLastGuard });
    for (const token of tokens) game.#replay(token, strict);
    this.#begin(game.#state, false);
    this.#comments = game.#comments;
    for (const [name, value] of Object.entries(others)) this.#headers.set(name, value);
    return true;
  }

  /** Plays a token of a PGN. */
  #replay({ comment, move }, strict) {
    if (comment !== undefined) {
      const before = this.getComment();
      this.setComment(before === undefined ? comment : `${before} ${comment}`);
      return;
    }
    // A turn whose steps leave somebody behind without saying so ends with the next move.
    this.commitSession();
    try {
      this.move(move.replace(/\.\.\.$/, ''));
    } catch (cause) {
      if (cause.code === 'internal') throw cause;
      if (strict) throw new Error(`Invalid move in PGN: ${cause.message}`, { cause });
    }
  }

  getOptions() {
    return { skipLastGuardPromotion: this.#skipLastGuard };
  }

  printBoard() {
    const rows = this.board().map((cells, row) => {
      const texts = cells.map((cell, file) => this.#state.cells[16 * row + file] ?? '.');
      return `${String(12 - row).padStart(2)} ${texts.map((text) => text.padEnd(6)).join('')}`;
    });
    console.log([...rows, `   ${[...'abcdefghijk'].map((file) => file.padEnd(6)).join('')}`].join('\n'));
  }

  incrementPositionCount(fen) {
    this.#count(fen, 1);
  }

  decrementPositionCount(fen) {
    this.#count(fen, -1);
  }

  #count(fen, by) {
    const key = repetitionKey(`${fen} `);
    const count = Math.max(0, (this.#counts.get(key) ?? 0) + by);
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

/** The FEN of its fields, without what a seventh one may hold beside an open deploy. */
function plainTokens(tokens) {
  const count = tokens[6]?.includes(':') ? 7 : 6;
  return tokens.slice(0, count).join(' ');
}

/** What is wrong with the open deploy of a FEN that has nothing else wrong with it. */
function deployFault(tokens) {
  if (!tokens[6]?.includes(':')) return undefined;
  try {
    moving.read(new State(DEFAULT_POSITION, true), plainTokens(tokens));
    return undefined;
  } catch (error) {
    if (error.code === 'internal') throw error;
    const message = `Invalid deploy field: ${error.message}`;
    return { code: 'FEN_INVALID_FORMAT', message, category: 'structure', location: { context: tokens[6] } };
  }
}

export function validateFenString(fen) {
  return CoTuLenh.checkFen(fen).valid;
}
