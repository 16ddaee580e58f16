// How fast `convoy-games/compat` is beside the package it stands in for, whose figures are in `reference.json`:
//   node bindings/js/bench/compat.js
// Times are processor times, the best of several rounds, so that other programs disturb them little.

import { readFileSync } from 'node:fs';

import { CoTuLenh, DEFAULT_POSITION, PieceStacker, ROLE_FLAGS, StackEngine, validateFenString } from '../lib/compat.js';

const { nanoseconds } = JSON.parse(readFileSync(new URL('reference.json', import.meta.url), 'utf8'));
const game = new CoTuLenh();
const deploy = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1');
const engine = new StackEngine();
const { NAVY, AIR_FORCE, TANK } = ROLE_FLAGS;
const stacker = new PieceStacker((piece) => piece.flag);
const [navy, tank] = [{ flag: NAVY }, { flag: TANK }];

/** What is measured, its name in the file, the call, and the factor that is asked for, if any. */
const ROWS = [
  ['moves(), start', 'moves', () => game.moves(), 300],
  ['moves({ verbose }), start', 'verbose', () => game.moves({ verbose: true }), 100],
  ['new CoTuLenh().move(SAN)', 'newAndMove', () => new CoTuLenh().move('Ic6'), 200],
  ['new CoTuLenh()', 'new', () => new CoTuLenh()],
  ['move(SAN) and undo()', 'moveAndUndo', () => { game.move('Ic6'); game.undo(); }],
  ['move({ from, to }) and undo()', 'objectAndUndo', () => { game.move({ from: 'c5', to: 'c6' }); game.undo(); }],
  ['moves({ square })', 'movesOfSquare', () => game.moves({ square: 'g5' })],
  ['moves({ legal: false })', 'pseudoLegal', () => game.moves({ legal: false })],
  ['a step of a deploy and undo()', 'stepAndUndo', () => { deploy.move('F>e8'); deploy.undo(); }],
  ['isGameOver()', 'isGameOver', () => game.isGameOver()],
  ['load(FEN)', 'load', () => deploy.load('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1')],
  ['validateFenString()', 'validateFen', () => validateFenString(DEFAULT_POSITION)],
  ['getAirDefenseInfluence()', 'airDefense', () => game.getAirDefenseInfluence()],
  ['StackEngine.lookup()', 'lookup', () => engine.lookup([NAVY, AIR_FORCE, TANK])],
  ['PieceStacker.combine()', 'combine', () => stacker.combine([tank, navy])],
];

/** CPU nanoseconds of one call. */
function measure(call) {
  const round = (count) => {
    const begun = process.cpuUsage();
    for (let i = 0; i < count; i++) call();
    const { user, system } = process.cpuUsage(begun);
    return (1000 * (user + system)) / count;
  };
  const count = Math.max(100, Math.round(2e7 / Math.max(100, round(1000))));
  return Math.min(...Array.from({ length: 20 }, () => round(count)));
}

let slow = 0;
console.log('| operation | cotulenh-core, ns | here, ns | times | asked for |');
console.log('|---|--:|--:|--:|--:|');
for (const [name, key, call, wanted] of ROWS) {
  const reference = nanoseconds[key];
  const ours = measure(call);
  const factor = reference / ours;
  if (wanted !== undefined && factor < wanted) slow++;
  const cells = [name, reference, Math.round(ours), factor < 10 ? factor.toFixed(1) : Math.round(factor), wanted ?? ''];
  console.log(`| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`);
}
process.exitCode = slow > 0 ? 1 : 0;
