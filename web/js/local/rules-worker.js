/** The worker of `rules.js`: WebAssembly that answers what the server would. */
import { ConvoyError, query } from '../../lib/protocol.js';

// The first question compiles it, which takes a moment.
query('fen');
postMessage({ ready: true });

addEventListener('message', ({ data: { id, op, fields } }) => {
  try {
    postMessage({ id, answer: query(op, fields) });
  } catch (error) {
    const refusal = error instanceof ConvoyError ? { ...error.data, code: error.code, message: error.message } : { code: 'internal', message: String(error) };
    postMessage({ id, refusal });
  }
});
