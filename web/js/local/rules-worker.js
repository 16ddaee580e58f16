/** The worker of `rules.js` for the rules: WebAssembly that answers what the server would. */
import { query } from '../../lib/protocol.js';
import { serve } from './serve.js';

// The first question compiles it, which takes a moment.
query('fen');
serve(query);
