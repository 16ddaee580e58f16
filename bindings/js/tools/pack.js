// Packs a `.wasm` file into a module of `lib/wasm`: node tools/pack.js FROM.wasm TO.js

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const data = deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 }).toString('base64');
writeFileSync(to, `// Made by \`cargo xtask wasm\`: raw deflate in base64.
export default { length: ${bytes.length}, data: '${data}' };
`);
console.log(`${basename(to)}: ${bytes.length} bytes, ${Math.ceil(data.length * 3 / 4)} deflated`);
