// What a page loads stays small.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

/** A module and all that it imports, statically. */
function closure(url, found = new Map()) {
  if (found.has(url.href)) return found;
  const text = readFileSync(url, 'utf8');
  found.set(url.href, text);
  for (const [, path] of text.matchAll(/^(?:import|export|\})[^;'\n]*from '(\.[^']+)';/gm)) closure(new URL(path, url), found);
  return found;
}

function gzipped(...names) {
  const found = new Map();
  for (const name of names) closure(new URL(`../lib/${name}.js`, import.meta.url), found);
  let sum = 0;
  for (const text of found.values()) sum += gzipSync(text, { level: 9 }).length;
  return sum;
}

for (const [entry, most] of [['cotulenh', 260_000], ['compat', 260_000], ['board/element', 300_000], ['tractor', 260_000], ['table', 260_000], ['protocol', 260_000], ['lessons', 400_000], ['stack', 100_000]]) {
  test(`${entry} is at most ${most / 1000} KB, gzipped`, (t) => {
    const size = gzipped(entry);
    t.diagnostic(`${entry}: ${size} bytes`);
    assert.ok(size > most / 10 && size <= most, `${size} bytes`);
  });
}

for (const build of ['engine', 'engine-simd']) {
  test(`${build} with the network is at most 1.4 MB, gzipped`, (t) => {
    const size = gzipped('serve', `wasm/${build}`, 'wasm/network');
    t.diagnostic(`${build}: ${size} bytes`);
    assert.ok(size > 500_000 && size <= 1_400_000, `${size} bytes`);
  });
}
