"""Who may carry whom: the lawful stacks of a blueprint.

>>> from convoy_games.stack import Table
>>> Table().combine("FTN")
'N|FT'
"""

from ._native import COTULENH_BLUEPRINT, Table

__all__ = ["COTULENH_BLUEPRINT", "Table"]
