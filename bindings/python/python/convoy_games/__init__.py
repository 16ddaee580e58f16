"""Cờ Tư Lệnh (Commander Chess) and Tractor (升级) for people and for learning machines.

======================  ==============================================================
`convoy_games.cotulenh`  boards, moves, FEN, SAN and PGN, in the manner of python-chess
`convoy_games.tractor`   rounds, views, house rules, legal plays, records
`convoy_games.stack`     who may carry whom
`convoy_games.engine`    both computer players
`convoy_games.vector`    many games stepped at once into NumPy arrays
`convoy_games.envs`      PettingZoo, Gymnasium and OpenSpiel
`convoy_games.query`     every question of docs/protocol.md, as JSON or as dictionaries
======================  ==============================================================
"""

from ._native import (
    BufferError,
    ConvoyError,
    IllegalActionError,
    IllegalEventError,
    IllegalMoveError,
    InvalidFenError,
    InvalidPgnError,
    InvalidTextError,
    QueryError,
)
from ._query import query

__all__ = [
    "BufferError",
    "ConvoyError",
    "IllegalActionError",
    "IllegalEventError",
    "IllegalMoveError",
    "InvalidFenError",
    "InvalidPgnError",
    "InvalidTextError",
    "QueryError",
    "query",
]
__version__ = "0.1.0"
