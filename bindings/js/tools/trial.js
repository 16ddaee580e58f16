// Packs the package and tries it in an empty folder, the ways its users load it: node tools/trial.js TOOLS WORK
// TOOLS is a folder in which npm has installed esbuild, typescript, vite, webpack, deno and a recent Node; WORK is made anew.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [tools, work] = process.argv.slice(2).map((path) => resolve(path));
const home = fileURLToPath(new URL('../', import.meta.url));
const bin = join(tools, 'node_modules');
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const recentNode = join(bin, `node-linux-${arch}`, 'bin', 'node');

function run(what, program, args, options = {}) {
  try {
    execFileSync(program, args, { cwd: work, stdio: 'pipe', encoding: 'utf8', ...options });
    console.log(`trial: ${what}: works`);
  } catch (error) {
    console.error(`trial: ${what}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    process.exit(1);
  }
}

/** What every way of loading has to do; `load` is how its modules come in. */
const body = (load) => `${load}
const check = (ok, what) => { if (!ok) throw new Error(what); };
check(Position.start().perft(2) === 13460, 'perft');
check(new CoTuLenh().moves().length === 116, 'compat');
check(new Game().play('Ic6').sans()[0] === 'Ic6', 'game');
check(new TractorGame({ seed: 7 }).deal().hand(0).length === 25, 'cards');
check(new StackTable().combine('TNF') === 'NFT', 'stack');
check(new Table({ seed: '07'.repeat(32) }).fields(0).stage === 'dealing', 'table');
check(coach({ plays: [] }).stage === 'bury', 'lessons');
check(query('draft').moves.length === 116, 'draft');
const searched = (async () => {
  const engine = new Engine();
  const analysis = engine.analyse(Position.start(), { depth: 2 });
  let reports = 0;
  for await (const report of analysis) reports += report.depth > 0 ? 1 : 0;
  check(reports === 2, 'reports');
  engine.free();
})();
searched.catch((error) => { console.error(error); process.exit(1); });
`;

const imports = `import { CoTuLenh } from 'convoy-games/compat';
import { Game, Position } from 'convoy-games/cotulenh';
import { Engine } from 'convoy-games/engine';
import { coach } from 'convoy-games/lessons';
import { query } from 'convoy-games/protocol';
import { StackTable } from 'convoy-games/stack';
import { Table } from 'convoy-games/table';
import { Game as TractorGame } from 'convoy-games/tractor';
`;
const requires = `const { CoTuLenh } = require('convoy-games/compat');
const { Game, Position } = require('convoy-games/cotulenh');
const { Engine } = require('convoy-games/engine');
const { coach } = require('convoy-games/lessons');
const { query } = require('convoy-games/protocol');
const { StackTable } = require('convoy-games/stack');
const { Table } = require('convoy-games/table');
const { Game: TractorGame } = require('convoy-games/tractor');
`;

const typed = `${imports}
import type { Move, Outcome } from 'convoy-games/cotulenh';
import { PieceStacker, ROLE_FLAGS } from 'convoy-games/compat';
import type {
  AirDefense, AirDefenseData, AirDefenseInfluence, Color, CoTuLenhInterface, DeployStateView, GameOptions, GameStateMetadata,
  InternalMove, MoveResult, Piece, PieceSymbol, Square,
} from 'convoy-games/compat';
import { judge } from 'convoy-games/lessons';
const moves: Uint32Array = Position.start().moves();
const first: Move | undefined = moves[0];
const outcome: Outcome | null = new Game().outcome();
const legal: string[] = new CoTuLenh().moves();
new CoTuLenh().move({ from: 'c5', to: 'c6', piece: undefined, stay: undefined, deploy: false });
const committed = new CoTuLenh().commitSession();
const refusal: string | undefined = committed.reason, turn: string | undefined = committed.result?.san;
const hand: string[] = new TractorGame({ seed: 7 }).hand(0);
const { result }: { result: string } = judge({ game: 'tractor', chapter: '', step: 'a', tried: { answer: '2S' } });
const stack: string = new StackTable().combine('TN');
async function best(): Promise<string | undefined> {
  for await (const report of new Engine({ level: 3 }).analyse(Position.start(), { nodes: 100, lines: 2 })) {
    return report.lines[0]?.turns[0]?.san;
  }
  return undefined;
}
const options: GameOptions = { skipLastGuardPromotion: true };
const lesson: CoTuLenhInterface = new CoTuLenh(undefined, options);
const plain: string = 'c5';
const square: Square = plain;
const piece: Piece | undefined = lesson.get(square);
const type: PieceSymbol | undefined = piece?.type, color: Color = lesson.turn();
const deploy: DeployStateView | null = lesson.getDeployState();
const metadata: GameStateMetadata = lesson.getMetadata();
const step: InternalMove | undefined = lesson.getSession()?.moves[0];
const cover: AirDefense = lesson.getAirDefense(), influence: AirDefenseInfluence = lesson.getAirDefenseInfluence();
const covers: AirDefenseData[] = [cover, influence];
const listed: MoveResult[] = lesson.moves({ verbose: true, square, pieceType: type });
const stacker = new PieceStacker<Piece & { id: number }>((one) => ROLE_FLAGS[one.type === 't' ? 'TANK' : 'INFANTRY']);
const stackId: number | undefined = stacker.combine([{ type: 't', color, id: 1 }])?.id;
// @ts-expect-error a level is a number
new Engine({ level: 'strong' });
// @ts-expect-error there is no such color
Position.start().commander('x');
export { best, covers, deploy, first, hand, legal, listed, metadata, outcome, refusal, result, stack, stackId, step, turn };
`;

const element = `import { ConvoyBoardElement, ConvoyError } from 'convoy-games/board';
const board: ConvoyBoardElement = document.createElement('convoy-board');
board.movable = 'both';
board.fen = null;
board.addEventListener('turn', (event) => { const { san, steps }: { san: string; steps: string[] } = event.detail; });
board.addEventListener('shapes', ({ detail }) => { const shapes: string[] = detail.shapes; });
// @ts-expect-error there is no such side
board.orientation = 'white';
export { ConvoyError };
`;

/** Loads CommonJS as Jest with jsdom does: nothing can be imported, and texts have no encoder. */
const bare = `const Module = require('node:module');
const { dirname } = require('node:path');
const { runInThisContext } = require('node:vm');
Module.prototype._compile = function (text, filename) {
  const run = runInThisContext(Module.wrap(text), { filename });
  run.call(this.exports, this.exports, (name) => this.require(name), this, filename, dirname(filename));
};
delete globalThis.TextEncoder;
delete globalThis.TextDecoder;
require('./common.cjs');
`;

/** What webpack is told; its own command line is another package. */
const packing = `const webpack = require(${JSON.stringify(join(bin, 'webpack'))});
webpack({ mode: 'production', context: __dirname, entry: './page.mjs', output: { path: __dirname + '/packed' }, performance: false, devtool: false, optimization: { minimize: false } }, (error, stats) => {
  if (!error && !stats.hasErrors() && !stats.hasWarnings()) return;
  console.error(error ?? stats.toString());
  process.exit(1);
});
`;

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const env = { ...process.env, CONVOY_NODE_MODULES: join(tools, 'package.json') };
run('npm pack', 'npm', ['pack', '--pack-destination', work], { cwd: home, env });
const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
writeFileSync(join(work, 'package.json'), '{ "name": "trial", "private": true, "type": "module" }\n');
run('npm install', 'npm', ['install', '--no-audit', '--no-fund', '--offline', `./${tarball}`]);

writeFileSync(join(work, 'esm.mjs'), body(imports));
writeFileSync(join(work, 'common.cjs'), body(requires));
for (const [name, node] of [["the gate's Node", process.execPath], ['a recent Node', recentNode]]) {
  run(`ESM in ${name}`, node, ['esm.mjs']);
  run(`CommonJS in ${name}`, node, ['common.cjs']);
}

writeFileSync(join(work, 'bare.cjs'), bare);
run('CommonJS as Jest loads it', process.execPath, ['bare.cjs']);

writeFileSync(join(work, 'types.mts'), typed);
writeFileSync(join(work, 'types.cts'), typed.replace(/import type[^\n]*\n/, "import type { Move, Outcome } from 'convoy-games/cotulenh';\n"));
const tsc = join(bin, 'typescript', 'bin', 'tsc');
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--lib', 'es2022'];
run('TypeScript, ESM', process.execPath, [tsc, ...strict, '--module', 'nodenext', 'types.mts']);
run('TypeScript, CommonJS', process.execPath, [tsc, ...strict, '--module', 'nodenext', 'types.cts']);
run('TypeScript with a bundler', process.execPath, [
  tsc, ...strict, '--module', 'esnext', '--moduleResolution', 'bundler', 'types.mts',
]);

writeFileSync(join(work, 'types.ts'), typed);
run('TypeScript that knows no exports', process.execPath, [
  tsc, ...strict, '--module', 'commonjs', '--moduleResolution', 'node10', 'types.ts',
]);

writeFileSync(join(work, 'element.mts'), element);
run('TypeScript, <convoy-board>', process.execPath, [
  tsc, '--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', 'element.mts',
]);

writeFileSync(join(work, 'page.mjs'), `${body(imports)}import 'convoy-games/board';\ndocument.body.append(document.createElement('convoy-board'));\n`);
writeFileSync(join(work, 'index.html'), '<!doctype html><script type="module" src="/page.mjs"></script>\n');
const vite = join(bin, 'vite', 'bin', 'vite.js');
run('Vite, a page', recentNode, [vite, 'build', '--logLevel', 'warn', '--outDir', 'page']);
const assets = readdirSync(join(work, 'page', 'assets'));
if (!assets.some((name) => name.startsWith('worker'))) {
  console.error(`trial: Vite has packed no worker: ${assets.join(' ')}`);
  process.exit(1);
}
run('Vite, for a server', recentNode, [vite, 'build', '--logLevel', 'warn', '--ssr', 'esm.mjs', '--outDir', 'server']);
run('what Vite has built for a server', recentNode, [join('server', readdirSync(join(work, 'server'))[0])]);

writeFileSync(join(work, 'webpack.cjs'), packing);
run('webpack, a page', recentNode, ['webpack.cjs']);
const packed = readdirSync(join(work, 'packed'));
// The page and its worker.
if (packed.filter((name) => name.endsWith('.js')).length < 2) {
  console.error(`trial: webpack has packed no worker: ${packed.join(' ')}`);
  process.exit(1);
}

run('Deno', join(bin, '.bin', 'deno'), ['run', '--no-remote', '--cached-only', '--node-modules-dir=manual', '--allow-all', 'esm.mjs'], {
  env: { ...process.env, DENO_DIR: join(work, '.deno'), DENO_NO_UPDATE_CHECK: '1' },
});
