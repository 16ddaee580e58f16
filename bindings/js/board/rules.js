// The rules of the package as a board asks them, in place of `web/js/rules.js`: the server's answers, without the server.

import { ConvoyError, query } from '../protocol.js';
import { Refused } from './refused.js';

/** Answers as the server does: later, and with its kind of refusal. */
async function ask(op, fields) {
  try {
    return query(op, fields);
  } catch (error) {
    if (!(error instanceof ConvoyError) || error.code === 'internal') throw error;
    throw new Refused(error.code, error.message, error.data.reason && { ...error.data.at, code: error.data.reason });
  }
}

export const rules = {
  draft: (fen, steps, look) => ask('draft', { fen, steps, ...look }),
  steps: (fen, moves) => ask('steps', { fen, moves }),
  cover: (fen) => ask('draft', { fen }).then(({ cover }) => cover),
};
