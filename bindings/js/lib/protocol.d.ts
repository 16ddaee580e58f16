export { ConvoyError, ErrorCode } from './error.js';

/** Answers an op of the protocol about Cờ Tư Lệnh; `docs/protocol.md` describes the fields of question and answer. */
export function query(op: string, fields?: Record<string, unknown>): Record<string, unknown>;
