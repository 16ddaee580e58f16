// Both players, in a worker of their own.

import { badArgument, ConvoyError, optionsOf } from './error.js';
import { Game } from './game.js';
import { Position } from './position.js';
import { spawn } from './spawn.js';

export { ConvoyError } from './error.js';

/** The levels of the player of Tractor, weakest first. */
export const TRACTOR_LEVELS = Object.freeze(['random', 'scripted', 'easy', 'normal', 'strong', 'master']);

function whole(value, name, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw badArgument(name, `a whole number from ${least} to ${most}`, value);
  }
  return value;
}

function amount(value, name) {
  if (typeof value !== 'number' || !(value >= 0) || value > 1e12) throw badArgument(name, 'a number from 0', value);
  return value;
}

/** A queue that is filled by one side and read by `for await` on the other. */
class Queue {
  #items = [];
  #waiting = [];
  #end = null;

  push(item) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting.resolve({ value: item, done: false });
    else this.#items.push(item);
  }

  finish(error) {
    this.#end = { error };
    for (const waiting of this.#waiting.splice(0)) this.#settle(waiting);
  }

  #settle({ resolve, reject }) {
    const { error } = this.#end;
    if (error === undefined) {
      resolve({ value: undefined, done: true });
      return;
    }
    // An error is told once.
    this.#end = { error: undefined };
    reject(error);
  }

  next() {
    if (this.#items.length > 0) return Promise.resolve({ value: this.#items.shift(), done: false });
    return new Promise((resolve, reject) => {
      if (this.#end !== null) this.#settle({ resolve, reject });
      else this.#waiting.push({ resolve, reject });
    });
  }
}

/** An analysis under way: `for await` gives a report for every iteration, `result` the last one. */
export class Analysis {
  #queue;
  #stop;

  constructor(queue, result, stop) {
    this.#queue = queue;
    this.#stop = stop;
    /** The last report, once the search has ended. */
    this.result = result;
  }

  /** Ends the search; what it has found so far is its result. */
  stop() {
    this.#stop();
  }

  [Symbol.asyncIterator]() {
    return {
      next: () => this.#queue.next(),
      return: async (value) => {
        this.stop();
        return { value, done: true };
      },
    };
  }
}

/** A module of four instructions that only compiles where there is SIMD. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Answers in the order of the questions: what both players share. */
class Worker {
  #simd;
  #worker = null;
  /** Shared memory lets a search be stopped in the middle; a page that is not isolated has none. */
  #flag = typeof SharedArrayBuffer === 'function' ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  #calls = new Map();
  #last = 0;
  #freed = false;

  constructor(simd) {
    if (simd !== undefined && typeof simd !== 'boolean') throw badArgument('simd', 'a boolean', simd);
    this.#simd = simd;
  }

  async #started() {
    if (this.#freed) throw new ConvoyError('freed', 'the player was freed');
    this.#worker ??= this.#start();
    return this.#worker;
  }

  async #start() {
    const simd = this.#simd ?? WebAssembly.validate(SIMD_PROBE);
    const { data, length } = simd ? await import('./wasm/engine-simd.js') : await import('./wasm/engine.js');
    const worker = await spawn();
    worker.listen((message) => this.#hear(message), (why) => this.#fail(why));
    worker.post({ id: 0, kind: 'start', request: { packed: { data, length }, stop: this.#flag } });
    return worker;
  }

  /** Hands the worker the network, before the first question that needs it. */
  async #loadNetwork(worker) {
    const { data, length } = await import('./wasm/network.js');
    worker.post({ id: 0, kind: 'network', request: { data, length } });
  }

  /** Asks what needs the network, unless nobody wants to know any more when the worker is ready. */
  async askWithNetwork(kind, request, report, isWanted = () => true) {
    const worker = await this.#started();
    worker.network ??= this.#loadNetwork(worker);
    await worker.network;
    if (!isWanted()) return null;
    // Meanwhile a stop may have ended this worker.
    if (worker.isEnded) return this.askWithNetwork(kind, request, report, isWanted);
    return this.#post(worker, kind, request, report);
  }

  #hear({ id, report, answer, error }) {
    const call = this.#calls.get(id);
    if (call === undefined) {
      if (error !== undefined) this.#fail(error.message);
      return;
    }
    if (report !== undefined) {
      call.report(report);
      return;
    }
    this.#calls.delete(id);
    this.#hold();
    if (error !== undefined) call.reject(new ConvoyError(error.code, error.message, error.data));
    else call.resolve(answer);
  }

  /** Keeps a process of Node alive while somebody waits for an answer. */
  async #hold() {
    const worker = await this.#worker;
    worker?.hold?.(this.#calls.size > 0);
  }

  #fail(why) {
    this.#endWith(new ConvoyError('internal', `the worker failed: ${why}`));
  }

  #endWith(error) {
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
    this.#end();
  }

  /** Asks, and answers what the worker does. */
  async ask(kind, request) {
    const worker = await this.#started();
    return worker.isEnded ? this.ask(kind, request) : this.#post(worker, kind, request);
  }

  #post(worker, kind, request, report = () => {}) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { kind, request, report, resolve, reject });
      this.#hold();
      worker.post({ id, kind, request });
    });
  }

  /** To be called before a search: whoever wanted the last one to stop does not mean this one. */
  ready() {
    if (this.#flag !== undefined) Atomics.store(this.#flag, 0, 0);
  }

  /** Ends the search that is going on; without shared memory, the worker with it. */
  interrupt(settle) {
    if (this.#flag !== undefined) {
      Atomics.store(this.#flag, 0, 1);
      return;
    }
    const others = [...this.#calls.values()].filter(({ kind }) => kind !== 'search');
    this.#calls.clear();
    this.#end();
    settle();
    for (const call of others) this.askWithNetwork(call.kind, call.request).then(call.resolve, call.reject);
  }

  #end() {
    this.#worker?.then((worker) => {
      worker.isEnded = true;
      worker.end();
    }, () => {});
    this.#worker = null;
  }

  free() {
    this.#freed = true;
    this.#endWith(new ConvoyError('freed', 'the player was freed'));
  }
}

function gameOf(subject) {
  if (subject instanceof Game) return Game.saved(subject);
  if (subject instanceof Position) return Game.saved(new Game(subject));
  throw badArgument('subject', 'a Position or a Game', subject);
}

/** The player of Cờ Tư Lệnh. It keeps what it has found: one engine should play all turns of a game. */
export class Engine {
  #worker;
  #settings;
  /** The search before the next one. */
  #turn = Promise.resolve();

  /** `level` is 1 to 10, `hash` the size of the transposition table in MiB. */
  constructor(options) {
    const { level = 10, hash = 16, seed = 0, simd } = optionsOf(options);
    this.#settings = {
      level: whole(level, 'level', 1, 10),
      hash: whole(hash, 'hash', 1, 1024),
      seed: whole(seed, 'seed', 0, Number.MAX_SAFE_INTEGER),
    };
    this.#worker = new Worker(simd);
  }

  /**
   * Searches a position, or that of a game with its history, until a limit is reached or it is stopped: `depth` in
   * turns, `nodes`, `time` in milliseconds, or a `clock`. `lines` is the number of best lines.
   */
  analyse(subject, limits) {
    const { depth, nodes, time, clock, lines = 1 } = optionsOf(limits, 'limits');
    const request = { game: gameOf(subject), ...this.#settings, lines: whole(lines, 'lines', 1, 256) };
    if (depth !== undefined) request.depth = whole(depth, 'depth', 1, 200);
    if (nodes !== undefined) request.nodes = whole(nodes, 'nodes', 1, Number.MAX_SAFE_INTEGER);
    if (time !== undefined) request.time = amount(time, 'time');
    if (clock !== undefined) request.clock = readClock(clock);
    return this.#search(request);
  }

  #search(request) {
    const queue = new Queue();
    let state = 'waiting';
    let latest = null;
    let finish;
    const interrupted = new Promise((resolve) => {
      finish = () => resolve(latest);
    });
    const run = this.#turn.then(async () => {
      if (state === 'stopped') return latest;
      state = 'running';
      this.#worker.ready();
      const asked = this.#worker.askWithNetwork('search', request, (report) => {
        latest = report;
        queue.push(report);
      }, () => state === 'running');
      return Promise.race([asked, interrupted]);
    });
    // The next search waits for this one, however it ends.
    this.#turn = run.then(() => {}, () => {});
    run.then(() => queue.finish(), (error) => queue.finish(error)).finally(() => {
      state = 'ended';
    });
    run.catch(() => {});
    return new Analysis(queue, run, () => {
      const isRunning = state === 'running';
      if (isRunning || state === 'waiting') state = 'stopped';
      if (isRunning) this.#worker.interrupt(finish);
    });
  }

  /** The turn that the engine plays: its SAN, its LAN and its moves; `null` if the game is over. */
  async bestTurn(subject, limits = { time: 1000 }) {
    const report = await this.analyse(subject, limits).result;
    return report?.lines[0]?.turns[0] ?? null;
  }

  /** The static evaluation for the side to move, in hundredths of an infantry; no deploy may be open. */
  async evaluate(position) {
    if (!(position instanceof Position)) throw badArgument('position', 'a Position', position);
    return this.#worker.askWithNetwork('evaluate', position.fen());
  }

  /** Forgets all searches. */
  async clear() {
    await this.#worker.ask('clear');
  }

  /** Ends the worker. */
  free() {
    this.#worker.free();
  }
}

function readClock(clock) {
  const { left, increment = 0, turnsToGo } = optionsOf(clock, 'clock');
  const read = { left: amount(left, 'clock.left'), increment: amount(increment, 'clock.increment') };
  if (turnsToGo !== undefined) read.turnsToGo = whole(turnsToGo, 'clock.turnsToGo', 1, 1000);
  return read;
}

/** The player of Tractor. It is handed views and nothing else, so it cannot peek. */
export class TractorPlayer {
  #worker;
  #settings;

  /**
   * With `rollouts`, the levels that search spend so many play-outs a decision, and the answer depends on view and seed
   * alone; `time` is in milliseconds.
   */
  constructor(options) {
    const { level = 'normal', seed = 0, rollouts, time, simd } = optionsOf(options);
    if (!TRACTOR_LEVELS.includes(level)) throw badArgument('level', `one of ${TRACTOR_LEVELS.join(', ')}`, level);
    this.#settings = { level, seed: whole(seed, 'seed', 0, Number.MAX_SAFE_INTEGER) };
    if (rollouts !== undefined) this.#settings.rollouts = whole(rollouts, 'rollouts', 1, 1e9);
    if (time !== undefined) this.#settings.time = amount(time, 'time');
    this.#worker = new Worker(simd);
  }

  /** What the viewer does now, as an event that a game applies; `null` where there is nothing for it to do. */
  async act(view) {
    return this.#worker.ask('act', { view, ...this.#settings });
  }

  /** Advice on what the viewer plays, with its reason and the points to be expected; `null` where it is not its turn to play. */
  async hint(view) {
    return this.#worker.ask('hint', { view, ...this.#settings });
  }

  /** Ends the worker. */
  free() {
    this.#worker.free();
  }
}
