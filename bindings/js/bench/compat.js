// How fast `convoy-games/compat` is beside the package it stands in for: node bench/compat.js
//
// The figures of cotulenh-core (commit fd0a130) are CPU nanoseconds an operation, the least of four runs of seven rounds, Node
// 20.20, a shared Xeon at 2.8 GHz. Here: CPU time, the least of 20 rounds.

import { CoTuLenh, PieceStacker, ROLE_FLAGS, StackEngine, validateFenString, DEFAULT_POSITION } from '../lib/compat.js';

const game = new CoTuLenh();
const deploy = new CoTuLenh('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1');
const engine = new StackEngine();
const { NAVY, AIR_FORCE, TANK } = ROLE_FLAGS;
const stacker = new PieceStacker((piece) => piece.flag);
const [navy, tank] = [{ flag: NAVY }, { flag: TANK }];

/** What is measured, the reference's figure, and the factor that is asked for, if any. */
const ROWS = [
  ['moves(), start', 6_342_800, () => game.moves(), 300],
  ['moves({ verbose }), start', 7_084_063, () => game.moves({ verbose: true }), 100],
  ['new CoTuLenh().move(SAN)', 289_212 + 7_558_444, () => new CoTuLenh().move('Ic6'), 200],
  ['new CoTuLenh()', 289_212, () => new CoTuLenh()],
  ['move(SAN) and undo()', 7_558_444, () => { game.move('Ic6'); game.undo(); }],
  ['move({ from, to }) and undo()', 7_865_833, () => { game.move({ from: 'c5', to: 'c6' }); game.undo(); }],
  ['moves({ square })', 100_012, () => game.moves({ square: 'g5' })],
  ['moves({ legal: false })', 99_978, () => game.moves({ legal: false })],
  ['a step of a deploy and undo()', 7_130_500, () => { deploy.move('F>e8'); deploy.undo(); }],
  ['isGameOver()', 7_012_222, () => game.isGameOver()],
  ['load(FEN)', 273_667, () => deploy.load('6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1')],
  ['validateFenString()', 566_248, () => validateFenString(DEFAULT_POSITION)],
  ['getAirDefenseInfluence()', 6_034, () => game.getAirDefenseInfluence()],
  ['StackEngine.lookup()', 59, () => engine.lookup([NAVY, AIR_FORCE, TANK])],
  ['PieceStacker.combine()', 1_183, () => stacker.combine([tank, navy])],
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
for (const [name, reference, call, wanted] of ROWS) {
  const ours = measure(call);
  const factor = reference / ours;
  if (wanted !== undefined && factor < wanted) slow++;
  const cells = [name, reference, Math.round(ours), factor < 10 ? factor.toFixed(1) : Math.round(factor), wanted ?? ''];
  console.log(`| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`);
}
process.exitCode = slow > 0 ? 1 : 0;
