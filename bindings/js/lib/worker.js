// The worker of browsers and Deno.

import { serve } from './serve.js';

const answer = serve((message) => globalThis.postMessage(message));
globalThis.onmessage = (event) => answer(event.data);
