// Measures the package against the TypeScript reference and the native code, and prints the table of the README:
//   CONVOY_BINARY=target/release/convoy node bindings/js/bench/bench.js
// Times are processor times, the best of several rounds, so that other programs disturb them little. It fails where a goal is missed.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { Position } from '../lib/cotulenh.js';
import { Engine } from '../lib/engine.js';

const binary = process.env.CONVOY_BINARY ?? new URL('../../../target/release/convoy', import.meta.url).pathname;
if (!existsSync(binary)) {
  console.error(`${binary} is missing: run cargo build --release, or name the program in CONVOY_BINARY`);
  process.exit(1);
}
const reference = JSON.parse(readFileSync(new URL('reference.json', import.meta.url), 'utf8')).nanoseconds;
const ROUNDS = 7;
const NODES = 1_000_000;

/** Nanoseconds of one call. */
function measure(call, times) {
  for (let i = 0; i < times / 4; i++) call();
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) call();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return (best * 1000) / times;
}

/** The processor time of another process in seconds. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The processor time that a native process takes from a line that it is sent to the line that answers it. */
async function measureNative(args, setUp, line, isAnswer) {
  const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    child.stdin.write(setUp);
    const before = processorTime(child.pid);
    child.stdin.write(`${line}\n`);
    let answer;
    do answer = (await lines.next()).value;
    while (!isAnswer(answer));
    best = Math.min(best, processorTime(child.pid) - before);
  }
  child.kill();
  return best;
}

async function searchTime(position) {
  const engine = new Engine();
  let best = Infinity;
  let nodes = 0;
  for (let round = 0; round < 3; round++) {
    await engine.clear();
    await engine.evaluate(position);
    const before = process.cpuUsage();
    ({ nodes } = await engine.analyse(position, { nodes: NODES }).result);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  engine.free();
  return best / nodes;
}

function row(...cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

const start = Position.start();
/** How many goals were missed. */
let missed = 0;
function goalOf(value, goal, unit = '') {
  if (goal === undefined) return '';
  if (value < goal) missed++;
  return `${goal}${unit}`;
}

row('what, at the start of a game', 'here', 'the reference', 'times as fast', 'goal');
row('---', '--:', '--:', '--:', '--:');
const list = [
  ['the legal moves, typed: `position.moves()`', 'moves', () => start.moves(), 20_000, 1000],
  ['their SAN: `position.sans()`', 'moves', () => start.sans(), 5000, 300],
  ['verbose: `position.verboseMoves()`', 'verbose', () => start.verboseMoves(), 2000, 100],
  ["a position and a move: `Position.start().play('Ic6')`", 'newAndMove', () => Position.start().play('Ic6'), 20_000, 200],
  ['the FEN of a new position', 'fen', () => Position.start().fen(), 20_000],
];
for (const [what, name, call, times, goal] of list) {
  const ours = measure(call, times);
  const factor = reference[name] / ours;
  row(what, `${(ours / 1000).toFixed(2)} µs`, `${(reference[name] / 1000).toFixed(0)} µs`, factor.toFixed(0), goalOf(factor, goal));
}

console.log();
row('what', 'here', 'native, one thread', 'share', 'goal');
row('---', '--:', '--:', '--:', '--:');
function share(what, ours, native, goal) {
  const percent = Math.round((100 * ours) / native);
  row(what, perSecond(ours), perSecond(native), `${percent} %`, goalOf(percent, goal, ' %'));
}
const leaves = start.perft(4);
const perft = leaves / measure(() => start.perft(4), 1) / 1e-9;
const question = '{"game":"cotulenh","op":"perft","depth":4}';
const nativePerft = leaves / await measureNative(['query'], '', question, () => true);
const perSecond = (count) => `${(count / 1e6).toFixed(2)} M/s`;
share('perft, depth 4', perft, nativePerft, 75);
const searched = 1 / await searchTime(start);
const seconds = await measureNative(['uci'], 'ucinewgame\nposition startpos\n', `go nodes ${NODES}`, (text) => text.startsWith('bestmove'));
share('search, nodes', searched, NODES / seconds, 60);
process.exitCode = missed > 0 ? 1 : 0;
