import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StackTable } from '../lib/stack.js';
import { readLines } from './native.js';

test('the stacks of Cờ Tư Lệnh', () => {
  const table = new StackTable();
  assert.equal(table.combine('TNF'), 'NFT');
  assert.deepEqual(table.splits('TI'), [['TI'], ['T', 'I']]);
  assert.throws(() => table.combine('CI'), { code: 'cannot-combine' });
  assert.throws(() => table.combine(7), { code: 'bad-argument' });
});

test('every set of roles has the recorded verdict', () => {
  const table = new StackTable();
  const lawful = new Map();
  for (const line of readLines('stack/tests/data/cotulenh.txt')) {
    const [kind, mask, stack] = line.split(/\s+/);
    if (kind === 'stack') lawful.set(Number(mask), stack);
  }
  assert.equal(table.lawful().length, lawful.size);
  for (let mask = 1; mask < 2048; mask++) {
    const pieces = [...'CIMAGSTFENH'].filter((_, bit) => (mask >> bit) & 1).join('');
    if (lawful.has(mask)) assert.equal(table.combine(pieces).toLowerCase(), lawful.get(mask));
    else assert.ok(!table.isLawful(pieces), pieces);
  }
});

test('another blueprint', () => {
  const text = new StackTable().blueprint;
  assert.equal(new StackTable(text).lawful().length, 34);
  assert.throws(() => new StackTable('what is this'), { code: 'bad-blueprint' });
});
