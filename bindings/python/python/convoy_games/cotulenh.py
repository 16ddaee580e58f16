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

import re
from collections.abc import Iterator
from typing import IO

from ._native import Board, Game, LegalMoves, Move, Outcome, parse_square, square_name, terrain

__all__ = [
    "BLUE",
    "Board",
    "COLORS",
    "Game",
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


_TAG = re.compile(r"\s*\[\s*[A-Za-z0-9_]+\s+\"")


def read_games(handle: IO[str]) -> Iterator[Game]:
    """Reads the games of a PGN file one after another; only one is in memory at a time.

    >>> import io
    >>> from convoy_games.cotulenh import read_games
    >>> file = io.StringIO('[Red "An"]\\n\\n1. Ic6 *\\n\\n[Red "Binh"]\\n\\n1. Mg6 *\\n')
    >>> [(game.headers["Red"], game.sans()) for game in read_games(file)]
    [('An', ['Ic6']), ('Binh', ['Mg6'])]
    """
    while (game := read_game(handle)) is not None:
        yield game


def read_game(handle: IO[str]) -> Game | None:
    """Reads the next game of a PGN file, or None at its end.

    The handle must be seekable, or an iterator of lines that is read by nobody else. A game that cannot be read raises an
    `InvalidPgnError`; the next call goes on with the game after it.

    >>> import io
    >>> from convoy_games.cotulenh import read_game
    >>> file = io.StringIO('1. Ic6 {[no "tag"]} Mg7 *')
    >>> read_game(file).comment(1)
    '[no "tag"]'
    >>> read_game(file) is None
    True
    """
    lines: list[str] = []
    moves, comment = False, False
    while True:
        place = handle.tell()
        line = handle.readline()
        if not line:
            break
        if not comment and _TAG.match(line):
            if moves:
                handle.seek(place)
                break
        elif line.strip() and not comment:
            moves = True
        # A comment may go on over lines, and a line in it may look like a tag.
        for brace in re.findall(r"[{}]", line):
            comment = brace == "{"
        lines.append(line)
    text = "".join(lines)
    return Game.from_pgn(text) if text.strip() else None
