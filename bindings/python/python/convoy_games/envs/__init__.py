"""Environments: PettingZoo (`cotulenh_v0`, `tractor_v0`), Gymnasium (`single`) and OpenSpiel (`openspiel`).

Each needs its library, which comes with the extra of its name: `pip install convoy-games[pettingzoo]`.
"""
