"""Random games through the vectorised core, replayed in the plain API to the same positions.

    python bench/replay.py [games]

The core tells a game only by numbers; the plain board is asked for its own legal moves, and the place of the chosen action in the core's list
is the place of the move in the board's. After every action both are in the same position, with as many legal moves, and every game ends at
the same time with the same result. Runs on all cores; 10,000 games take some minutes.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time

import numpy as np
from convoy_games.cotulenh import Board
from convoy_games.vector import CotulenhVector


def replay(wanted: int, seed: int, width: int = 64) -> tuple[int, int]:
    """Plays until so many games have ended; answers how many did, and how many actions were compared."""
    games = CotulenhVector(width, threads=1)
    boards = [Board() for _ in range(width)]
    rng = np.random.default_rng(seed)
    ended = actions = 0
    while ended < wanted:
        places = (rng.random(width) * games.counts).astype(np.int64)
        for board, place, count in zip(boards, places, games.counts, strict=True):
            moves = list(board.legal_moves)
            assert len(moves) == count, board.fen()
            board.push(moves[place])
        games.step(games.legal[np.arange(width), places])
        actions += width
        for row in range(width):
            outcome = boards[row].outcome()
            assert bool(games.done[row]) == (outcome is not None), boards[row].fen()
            red = 0 if outcome is None or outcome.winner is None else 1 if outcome.winner else -1
            assert games.rewards[row].tolist() == [red, -red], boards[row].fen()
            if outcome is not None:
                boards[row] = Board()
                ended += 1
        assert games.fens() == [board.fen() for board in boards]
    return ended, actions


def main(games: int = 10_000) -> None:
    cores, begun = os.cpu_count() or 1, time.perf_counter()
    share = -(-games // cores)
    with multiprocessing.Pool(cores) as pool:
        parts = pool.starmap(replay, [(share, seed) for seed in range(cores)])
    ended, actions = map(sum, zip(*parts, strict=True))
    print(f"{ended:,} games, {actions:,} actions: the same positions, {time.perf_counter() - begun:.0f} s on {cores} cores")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
