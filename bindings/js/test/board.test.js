// `<convoy-board>`, as far as Node can tell: it asks the rules as the pages do, and what is packed with it is whole.
// `tools/board.js` has put it together before. How it looks and works is tried in a browser: `crates/server/tests/browser/element.rs`.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';

import { askNative } from './native.js';

const lib = new URL('../lib/board/', import.meta.url);
const web = new URL('../../../web/js/', import.meta.url);

let rules;
before(async () => {
  // Texts are those of the document's language; there is no more of a document in this.
  globalThis.document = { documentElement: { lang: 'vi-VN' } };
  ({ rules } = await import(new URL('rules.js', lib)));
});

test('what a board asks is answered as the server does it', async () => {
  const fen = '2i5hhc/8hhh/3h4hhh/2hgh6/3h7/7h3/11/11/2T8/2I2(FTI)5/10H/9HC r - - 0 1';
  const game = 'cotulenh';
  const [open, look, steps] = askNative([
    { game, op: 'draft', fen, steps: ['F>f7'] },
    { game, op: 'draft', fen, steps: [], at: 'f3', parts: 'FT' },
    { game, op: 'steps', fen, moves: ['I<F>f7,T>f5'] },
  ]);
  assert.deepEqual(await rules.draft(fen, ['F>f7']), open);
  assert.equal(open.deploy.left, '(TI)');
  assert.deepEqual(await rules.draft(fen, [], { at: 'f3', parts: 'FT' }), look);
  assert.ok(look.groups.length > 0);
  assert.deepEqual(await rules.steps(fen, ['I<F>f7,T>f5']), steps);
  assert.deepEqual(await rules.cover(fen), look.cover);
});

test('what is refused is told in the language of the document', async () => {
  await assert.rejects(rules.draft('nonsense', []), (error) => error.code === 'bad-fen' && /[ăâđêôơư]/.test(error.message));
  await assert.rejects(rules.steps('6c4/9ii/11/11/11/11/11/11/11/11/9II/5C5 r - - 0 1', ['Tc6']), { code: 'illegal-move' });
});

test('its modules are those of the pages, but for three', () => {
  const own = ['assets.js', 'element.d.ts', 'element.js', 'host.js', 'rules.js', 'settings.js'];
  const shared = readdirSync(lib).filter((name) => !own.includes(name));
  assert.ok(shared.includes('board.js') && shared.includes('view.js'));
  for (const name of shared) assert.equal(readFileSync(new URL(name, lib), 'utf8'), readFileSync(new URL(name, web), 'utf8'), name);
});

test('texts in three languages, drawings and styles', async () => {
  const { catalogues, sprite, styles } = await import(new URL('assets.js', lib));
  const keys = Object.keys(catalogues.en).sort();
  assert.ok(keys.includes('deploy-progress') && keys.includes('piece-n') && keys.includes('why-exposed'));
  for (const language of ['vi', 'zh']) assert.deepEqual(Object.keys(catalogues[language]).sort(), keys);
  assert.deepEqual(catalogues.en['deploy-done'], { $: 'count', one: 'deployment in one step', other: 'deployment in {count} steps' });
  for (const message of Object.values(catalogues).flatMap((messages) => Object.values(messages))) {
    for (const text of typeof message === 'string' ? [message] : Object.values(message)) {
      assert.ok(!/\{ |->|^\s|\s$/.test(text) || text === ', ', text);
    }
  }
  for (const id of ['pieces-disc-r', 'pieces-n', 'symbols-n', 'board-board', 'icons-enter']) assert.ok(sprite.includes(` id="${id}"`), id);
  for (const [, id] of sprite.matchAll(/(?:href="#|url\(#)([\w-]+)/g)) assert.ok(sprite.includes(` id="${id}"`), id);
  assert.ok(styles.includes(':host {') && !styles.includes(':root') && !styles.includes('.top {'));
});
