"""Cờ Tư Lệnh in the manner of python-chess.

>>> from convoy_games import cotulenh
>>> board = cotulenh.Board()
>>> len(board.legal_moves)
116
>>> board.push_san("Ic6")
[Move("Ic5c6")]
>>> board.san(next(iter(board.legal_moves)))[0] in "CIMAGSTFENH("
True

A turn is one action of a piece or a whole stack, or a deploy: pieces leave one stack, step by step. Each step is a move of its own
and the side to move stays the same until the deploy ends:

>>> board = cotulenh.Board("6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1")
>>> board.push(board.parse_san("T>e6"))
>>> board.turn == cotulenh.RED, board.is_deploy_open
(True, True)
>>> _ = board.push_san(".")
>>> board.sans()
['(FI)<T>e6']
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator
from typing import IO

from ._native import Board, Game, GameNode, LegalMoves, Move, Outcome, PgnLines, parse_square, square_name, terrain

__all__ = [
    "BLUE",
    "Board",
    "COLORS",
    "Game",
    "GameNode",
    "LegalMoves",
    "Move",
    "Outcome",
    "RED",
    "ROLES",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_FEN",
    "parse_square",
    "read_game",
    "read_games",
    "square_name",
    "terrain",
]

RED: bool = True
BLUE: bool = False
COLORS = [RED, BLUE]
ROLES = "CIMAGSTFENH"
SQUARES = range(132)
SQUARE_NAMES = [square_name(square) for square in SQUARES]
STARTING_FEN = Board().fen()


def read_games(handle: Iterable[str]) -> Iterator[Game]:
    """Reads the games of a PGN file one after another; only one is in memory at a time, so the size of the file does not matter.

    The handle is a file in text mode, be it a pipe, or anything else that yields lines with their ends. A broken game is read as far as it
    can be: what is wrong with it stands in its `errors`, with lines counted from the first that was read here, and the next game follows
    all the same.

    >>> import io
    >>> from convoy_games.cotulenh import read_games
    >>> file = io.StringIO('[Red "An"]\\n\\n1. Ic6 Mg99 *\\n\\n[Red "Binh"]\\n\\n1. Mg6 *\\n')
    >>> for game in read_games(file):
    ...     print(game.headers["Red"], game.sans(), [error.at for error in game.errors])
    An ['Ic6'] [{'line': 3, 'column': 8}]
    Binh ['Mg6'] []
    """
    lines, rest = iter(handle), deque[str]()
    place = 1, 1
    while True:
        reader, complete = PgnLines(*place), False
        while not complete:
            complete = reader.line(rest.popleft() if rest else next(lines, ""))
        game = reader.game()
        if game is None:
            return
        # What was read beyond the end is the beginning of the next game, maybe in the middle of a line.
        rest.extendleft(reversed(io.StringIO(reader.rest(), newline="\n").readlines()))
        place = reader.end()
        yield game


def read_game(handle: IO[str]) -> Game | None:
    """Reads the next game of a PGN file, or None at its end; the file then stands behind the game.

    It is as forgiving as `read_games`: look into `errors`. Lines are counted from the first that this call reads. The file must be
    seekable; `read_games` reads pipes as well.

    >>> import io
    >>> from convoy_games.cotulenh import read_game
    >>> file = io.StringIO('1. Ic6 {[no "tag"]} Mg7 *')
    >>> read_game(file).comment(1)
    '[no "tag"]'
    >>> read_game(file) is None
    True
    """
    reader, taken, complete = PgnLines(), deque[tuple[int, int]](), False
    while not complete:
        place = handle.tell()
        line = handle.readline()
        taken.append((place, len(line)))
        complete = reader.line(line)
    if beyond := len(reader.rest()):
        while beyond > taken[-1][1]:
            beyond -= taken.pop()[1]
        place, length = taken[-1]
        handle.seek(place)
        handle.read(length - beyond)
    return reader.game()
