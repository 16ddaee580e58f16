// What the worker behind `engine.js` does: one WebAssembly module, one search at a time. It loads nothing by itself, so
// that bundlers can make it one file.

import { ConvoyError } from './error.js';
import { fromBase64, inflate } from './inflate.js';
import { Module } from './module.js';

let engine;
let network;
let hasNetwork = false;
let stop;
let post;

let isBegun = false;

/** The clock of the searches: infinite once somebody wants them to stop, but never at their beginning. */
function now() {
  if (!isBegun) {
    isBegun = true;
    return performance.now();
  }
  return stop !== undefined && Atomics.load(stop, 0) !== 0 ? Infinity : performance.now();
}

/** What may be asked; each takes the request of a message and answers what is posted back. */
const handlers = {
  start({ packed, stop: flag }) {
    stop = flag;
    engine = new Module(packed, {
      host: { now, report: (start, length) => post({ report: JSON.parse(engine.textAt(start, length)) }) },
    });
    return null;
  },
  network(packed) {
    network = inflate(fromBase64(packed.data), packed.length);
    return null;
  },
  search(request) {
    return ask('engine_search', JSON.stringify(request));
  },
  evaluate(fen) {
    return ask('engine_evaluate', fen);
  },
  clear() {
    engine.call('engine_clear');
    return null;
  },
  act(request) {
    engine.write(JSON.stringify(request), 'view');
    return engine.text(engine.call('player_act')) || null;
  },
  hint(request) {
    engine.write(JSON.stringify(request), 'view');
    return JSON.parse(engine.text(engine.call('player_hint')));
  },
};

function ask(name, text) {
  if (!hasNetwork) {
    engine.writeBytes(network);
    engine.call('engine_network');
    hasNetwork = true;
  }
  isBegun = false;
  engine.write(text, 'game');
  return JSON.parse(engine.text(engine.call(name)));
}

/** Answers messages; `send` posts to whoever started the worker. */
export function serve(send) {
  return ({ id, kind, request }) => {
    post = (message) => send({ id, ...message });
    try {
      post({ answer: handlers[kind](request) });
    } catch (error) {
      const code = error instanceof ConvoyError ? error.code : 'internal';
      // A module that had to be started anew has no network.
      if (code === 'internal') hasNetwork = false;
      post({ error: { code, message: error.message, data: plain(error.data) } });
    }
  };
}

/** What of an error's data can be posted. */
function plain(data) {
  try {
    return JSON.parse(JSON.stringify(data ?? {}));
  } catch {
    return {};
  }
}
