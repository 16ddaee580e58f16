/**
 * A board in a frame of another site: a position, or a game to walk through and to follow while it lasts.
 * @typedef {import('./types.js').Turn} Turn
 */
import './board.js';
import { stepsOf, touched, trail } from './lan.js';
import { outcomeWords } from './outcome.js';
import { need, boot } from './page.js';
import { Shapes } from './shapes.js';
import { Line } from './socket.js';
import { Turns } from './turns.js';

const asked = boot();
const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const status = need('#status');
const shapes = new Shapes(board, () => {});
board.orient(asked.flip ? 'b' : 'r');

/** @param {string} fen @param {Turn['lan']|null} lan the turn that led to it @param {boolean} check @param {import('./types.js').Step[]} [steps] @param {string} [inside] the board inside a turn */
function show(fen, lan, check, steps, inside) {
  shapes.set([]);
  return board.show({ fen, board: inside, movable: 'none', last: lan ? touched(lan) : [], trail: lan ? trail(lan) : [], check, steps });
}

/** @param {{seq: number, id: string, phase: string, start: string, fen: string, check: boolean, turns: Turn[], outcome: import('./types.js').Outcome|null}} view @param {number|null} ply */
function follow(view, ply) {
  document.body.classList.add('game');
  const turns = new Turns(need('#turns'), () => void look());
  turns.wheel(board.stage);

  /** @param {string} [before] animate the last turn from here */
  async function look(before) {
    const { ply, step } = turns;
    const turn = step === null ? turns.turns[ply - 1] : turns.turns[ply];
    const steps = before && turn ? await stepsOf(before, turn) : undefined;
    if (turns.ply !== ply || turns.step !== step) return;
    const inside = step ? turn?.steps?.[step - 1]?.board : undefined;
    const at = ply - (step === null ? 1 : 0) + (view.start.split(' ')[1] === 'b' ? 1 : 0);
    const number = `${Math.floor(at / 2) + 1}${at % 2 ? '…' : '.'}`;
    status.textContent = turns.atEnd && view.outcome ? outcomeWords(view.outcome) : turn ? `${number} ${turn.san}` : '';
    await show(turns.fen(), turn?.lan ?? null, turns.atEnd && view.check, steps, inside);
  }

  turns.set(view.start, view.turns, ply ?? view.turns.length);
  void look();
  if (view.phase === 'over') return;
  const line = new Line(`/ws/table/${view.id}`, {
    seq: () => view.seq,
    state: () => {},
    frame({ t: kind, seq, d }) {
      const live = turns.atEnd;
      const before = view.fen;
      if (kind === 'view') Object.assign(view, d);
      else if (kind === 'resumed') Object.assign(view, d);
      else if (kind === 'event' && seq === view.seq + 1) {
        Object.assign(view, d.set, { seq });
        if (d.turns != null) view.turns.length = d.turns;
        if (d.turn) view.turns.push(d.turn);
      } else if (kind === 'event' && (seq ?? 0) > view.seq) return void line.send('sync');
      else return;
      turns.set(view.start, view.turns, live ? view.turns.length : turns.ply);
      if (live) void look(kind === 'event' && d.turn ? before : undefined);
    },
  });
}

if (asked.game) follow(asked.game, asked.ply);
else void show(asked.fen, asked.last, asked.check);
