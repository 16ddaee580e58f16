// Every op of the protocol about Cờ Tư Lệnh, for boards that know no rules: plain questions, plain answers.

import { badArgument } from './error.js';
import { json } from './json.js';
import { Module } from './module.js';
import * as packed from './wasm/protocol.js';

export { ConvoyError } from './error.js';

const rules = new Module(packed);

/** Answers an op: `query('draft', { fen, steps })`. */
export function query(op, fields = {}) {
  if (typeof op !== 'string') throw badArgument('op', 'a string', op);
  rules.write(`${op.replaceAll('\n', ' ')}\n${json(fields, 'fields')}`, 'fields');
  return JSON.parse(rules.text(rules.call('cotulenh_query')));
}
