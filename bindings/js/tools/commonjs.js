// Makes `cjs`, the CommonJS version of `lib`, before the package is packed: npm run prepack

import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const root = new URL('../', import.meta.url);
// The gate fetches it elsewhere.
const require = createRequire(process.env.CONVOY_NODE_MODULES ?? import.meta.url);
const { buildSync } = require('esbuild');

const modules = ['lib/', 'lib/compat/', 'lib/wasm/'].flatMap((folder) => {
  return readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.js')).map((name) => folder + name);
});
rmSync(new URL('cjs', root), { recursive: true, force: true });
mkdirSync(new URL('cjs', root));
buildSync({
  absWorkingDir: root.pathname,
  entryPoints: modules.filter((name) => name !== 'lib/spawn.js'),
  outdir: 'cjs',
  outbase: 'lib',
  format: 'cjs',
  platform: 'node',
  target: 'es2022',
  // Where CommonJS is loaded by a runner of tests, nothing can be imported.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
});
for (const name of readdirSync(new URL('lib/', root)).filter((name) => name.endsWith('.d.ts'))) {
  copyFileSync(new URL(`lib/${name}`, root), new URL(`cjs/${name}`, root));
}
copyFileSync(new URL('tools/spawn.cjs', root), new URL('cjs/spawn.js', root));
writeFileSync(new URL('cjs/package.json', root), '{ "type": "commonjs" }\n');
