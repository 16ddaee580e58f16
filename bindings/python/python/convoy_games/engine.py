"""Both computer players, in this process. They release the interpreter while they think, so threads can let several play at once.

>>> from convoy_games.cotulenh import Board
>>> from convoy_games.engine import Engine
>>> len(Engine(level=1).play(Board(), nodes=100)) > 0
True
"""

from ._native import Engine, Info, TractorPlayer

__all__ = ["Engine", "Info", "TractorPlayer"]
