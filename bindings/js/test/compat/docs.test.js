// The page "coming from cotulenh-core" runs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const PAGE = new URL('../../../../docs/javascript-compat.md', import.meta.url);
const ENTRY = new URL('../../lib/compat.js', import.meta.url);

test('its example prints what it should', async (t) => {
  const [, code] = /```js\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8'));
  const log = t.mock.method(console, 'log', () => {});
  await import(`data:text/javascript,${encodeURIComponent(code.replace('convoy-games/compat', ENTRY.href))}`);
  const [fen, moves] = log.mock.calls[0].arguments;
  assert.match(fen, / b - - 1 1$/);
  assert.equal(moves, 117, 'the ship on c9 may take the infantry');
});
