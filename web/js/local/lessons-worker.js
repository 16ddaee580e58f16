/** The worker of `rules.js` for the lessons: WebAssembly that judges as the server does. */
import { coach, judge } from '../../lib/lessons.js';
import { serve } from './serve.js';

serve((op, fields) => (op === 'coach' ? coach(fields) : judge(fields)));
