// The native code of this checkout: `convoy query` answers the same questions as the package.

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';

const binary = process.env.CONVOY_BINARY ?? new URL('../../../target/debug/convoy', import.meta.url).pathname;
const judge = process.env.CONVOY_JUDGE ?? new URL('../../../target/debug/examples/judge', import.meta.url).pathname;
const crates = new URL('../../../crates/', import.meta.url);

/** The answers to requests, in their order. */
export function askNative(requests) {
  const answers = [];
  // In parts, so that no answer has to wait in memory for all the others.
  for (let i = 0; i < requests.length; i += 200) {
    const part = requests.slice(i, i + 200);
    const input = part.map((request) => JSON.stringify(request) + '\n').join('');
    const output = execFileSync(binary, ['query'], { input, maxBuffer: 1 << 30, encoding: 'utf8' });
    answers.push(...output.trimEnd().split('\n').map((line) => JSON.parse(line)));
  }
  return answers;
}

/** What the native code of the lessons answers to questions, in their order. */
export function judgeNative(questions) {
  const input = questions.map((question) => JSON.stringify(question) + '\n').join('');
  const output = execFileSync(judge, { input, maxBuffer: 1 << 30, encoding: 'utf8' });
  return output.trimEnd().split('\n').map((line) => JSON.parse(line));
}

/** The nodes that the native engine visits in searches of a depth, each from an empty table. */
export async function nativeNodes(fens, depth) {
  const engine = spawn(binary, ['uci'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const counts = [];
  engine.stdin.write('setoption name Threads value 1\n');
  for (const fen of fens) {
    engine.stdin.write(`ucinewgame\nposition fen ${fen}\ngo depth ${depth}\n`);
    let nodes = 0;
    for (;;) {
      const { value: line, done } = await lines.next();
      if (done || line.startsWith('bestmove')) break;
      nodes = Number(/ nodes (\d+)/.exec(line)?.[1] ?? nodes);
    }
    counts.push(nodes);
  }
  engine.stdin.end('quit\n');
  return counts;
}

/** A file of recorded data of the crates. */
export function readData(path) {
  const bytes = readFileSync(new URL(path, crates));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** The lines of such a file that are no comments. */
export function readLines(path) {
  return readData(path).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
