"""Tractor (升级): rounds, views, house rules, legal plays, records.

Cards are texts, rank and suit and which of the two copies: 'TS0', 'TS1'; 'sj0' and 'bj0' are jokers. Seats are 0 to 3, and 0 and 2 are
team A.

>>> from convoy_games.tractor import Game
>>> game = Game(seed=7, rules="default throw_mode=challenge")
>>> game.deal()
>>> game.close()
>>> game.bury(game.hand(game.turn)[:8])
>>> view = game.view(game.turn)
>>> game.play(view.legal_plays()[0])
>>> Game.from_record(game.record()) == game
True
"""

from ._native import PRESETS, Judge, View, parse_rules, switches
from ._native import TractorGame as Game

__all__ = ["PRESETS", "Game", "Judge", "View", "parse_rules", "switches"]
