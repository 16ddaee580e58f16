/** What a worker of `rules.js` does: it says that it is ready, and answers. */
import { ConvoyError } from '../../lib/error.js';

/** @param {(op: string, fields: any) => unknown} answer */
export function serve(answer) {
  addEventListener('message', ({ data: { id, op, fields } }) => {
    try {
      postMessage({ id, answer: answer(op, fields) });
    } catch (error) {
      const refusal = error instanceof ConvoyError ? { ...error.data, code: error.code, message: error.message } : { code: 'internal', message: String(error) };
      postMessage({ id, refusal });
    }
  });
  postMessage({ ready: true });
}
