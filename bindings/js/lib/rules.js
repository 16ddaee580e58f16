// The rules of Cờ Tư Lệnh, as `board.js` and `compat` use them.

import { Module } from './module.js';
import * as packed from './wasm/cotulenh.js';

export const rules = new Module(packed);
