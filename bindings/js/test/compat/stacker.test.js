// The stacker: combine, remove, lookup, with pieces of the caller's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DEFAULT_ROLE_MAPPING, PieceStacker, ROLE_FLAGS, StackEngine, createRoleMapper } from '../../lib/compat.js';

const FLAG_OF = { c: 1, i: 2, m: 4, a: 8, g: 16, s: 32, t: 64, f: 128, e: 256, n: 512, h: 1024 };
const stacker = new PieceStacker((piece) => FLAG_OF[piece.type] ?? 0);
const piece = (type, more = {}) => ({ type, color: 'r', ...more });
const pieces = (letters) => [...letters].map((letter) => piece(letter));
const letters = (stack) => stack && [stack.type, ...(stack.carrying ?? []).map((cargo) => cargo.type)].join('');

test('every role has its flag', () => {
  assert.deepEqual({ ...ROLE_FLAGS }, { COMMANDER: 1, INFANTRY: 2, MILITIA: 4, ARTILLERY: 8, ANTI_AIR: 16, MISSILE: 32,
    TANK: 64, AIR_FORCE: 128, ENGINEER: 256, NAVY: 512, HEADQUARTER: 1024 });
  assert.deepEqual(Object.keys(DEFAULT_ROLE_MAPPING), Object.keys(ROLE_FLAGS));
  for (const [name, mapped] of Object.entries(DEFAULT_ROLE_MAPPING)) assert.equal(name, mapped);
});

test('a mapper tries the text, then upper case, then answers 0', () => {
  const mapper = createRoleMapper();
  assert.deepEqual(['TANK', 'tank', 'Air_Force', 'cook', '', 'toString'].map(mapper), [64, 64, 128, 0, 0, 0]);
  const own = createRoleMapper({ xe: 'TANK', LINH: 'INFANTRY' });
  assert.deepEqual(['xe', 'linh', 'TANK'].map(own), [64, 2, 0]);
});

test('the 34 lawful sets, and no other, combine in slot order', () => {
  const lawful = ['c', 'i', 'm', 'a', 'g', 's', 't', 'f', 'e', 'n', 'h', 'tc', 'ti', 'tm', 'fc', 'fi', 'fm', 'ft', 'ea',
    'eg', 'es', 'nc', 'ni', 'nm', 'nt', 'nf', 'hc', 'ftc', 'fti', 'ftm', 'nfc', 'nfi', 'nfm', 'nft'];
  const all = Object.keys(FLAG_OF);
  let found = 0;
  for (let mask = 0; mask < 2048; mask++) {
    const set = all.filter((_, bit) => mask & (1 << bit)).join('');
    const stack = stacker.combine(pieces([...set].reverse().join('')));
    const wanted = lawful.find((text) => [...text].sort().join('') === [...set].sort().join(''));
    assert.equal(letters(stack), wanted ?? null, set);
    found += stack === null ? 0 : 1;
  }
  assert.equal(found, 34);
});

test('combine keeps what else the pieces have, and adds nothing', () => {
  const infantry = piece('i', { id: 7, heroic: true });
  const tank = piece('t', { id: 8, note: { deep: 1 } });
  const stack = stacker.combine([infantry, tank]);
  assert.deepEqual(stack, { ...tank, carrying: [infantry] });
  assert.deepEqual(stacker.combine([stack, piece('f')]), { ...piece('f'), carrying: [tank, infantry] });
  assert.deepEqual(stacker.combine([tank]), tank);
  assert.deepEqual(tank, piece('t', { id: 8, note: { deep: 1 } }), 'what was given stays as it was');
});

test('combine answers null for nothing and for what is unlawful, and looks at no colour', () => {
  assert.equal(stacker.combine([]), null);
  assert.equal(stacker.combine(pieces('tt')), null);
  assert.equal(stacker.combine(pieces('nti')), null);
  assert.equal(letters(stacker.combine([piece('t'), { type: 'i', color: 'b' }])), 'ti');
});

test('remove drops the roles of a part with its cargo', () => {
  const stack = stacker.combine(pieces('nft'));
  assert.equal(letters(stacker.remove(stack, piece('n'))), 'ft');
  assert.equal(letters(stacker.remove(stack, piece('f'))), 'nt');
  assert.equal(letters(stacker.remove(stack, { ...piece('f'), carrying: [piece('t')] })), 'n');
  assert.equal('carrying' in stacker.remove(stack, { ...piece('f'), carrying: [piece('t')] }), false);
  assert.equal(stacker.remove(stack, stack), null);
  assert.equal(stacker.remove(stack, piece('i')), stack, 'a role that is not there changes nothing');
});

test('roles may be told as text', () => {
  const named = new PieceStacker((unit) => unit.role, DEFAULT_ROLE_MAPPING);
  const [tank, infantry] = [{ role: 'tank' }, { role: 'INFANTRY' }];
  assert.deepEqual(named.combine([infantry, tank]), { ...tank, carrying: [infantry] });
  assert.deepEqual(PieceStacker.withRoleMapping((unit) => unit.role).combine([infantry, tank]).role, 'tank');
  const own = new PieceStacker((unit) => unit.role, { xe: 'TANK', linh: 'INFANTRY' });
  assert.equal(own.combine([{ role: 'linh' }, { role: 'xe' }]).role, 'xe');
  assert.throws(() => new PieceStacker(), TypeError);
});

test('lookup packs a stack, whatever the order', () => {
  const engine = new StackEngine();
  const { NAVY, AIR_FORCE, TANK, INFANTRY, ARTILLERY } = ROLE_FLAGS;
  assert.equal(engine.lookup([TANK, NAVY]), 0x400200n);
  assert.equal(engine.lookup([NAVY, AIR_FORCE]), 0x800200n);
  assert.equal(engine.lookup([TANK, AIR_FORCE, NAVY]), 0x4000800200n);
  assert.equal(engine.lookup([INFANTRY]), 2n);
  for (const refused of [[], [TANK, TANK], [NAVY, TANK, INFANTRY], [TANK, ARTILLERY], [1, 2, 4, 8, 16], [0], [TANK, 0]]) {
    assert.equal(engine.lookup(refused), null, String(refused));
  }
});
