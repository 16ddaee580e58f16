"""Many games stepped in one call, written into NumPy arrays without copies.

>>> import numpy as np
>>> from convoy_games.vector import CotulenhVector
>>> games = CotulenhVector(16, threads=2)
>>> rng = np.random.default_rng(7)
>>> for _ in range(100):
...     games.step(games.sample(rng))
>>> games.observations.shape, games.observations.dtype
((16, 33, 12, 11), dtype('uint8'))

The arrays are attributes and are written in place: copy what should outlive the next step. They speak DLPack, so
`torch.from_dlpack(games.observations)` and `jax.dlpack.from_dlpack` share their memory. A caller may also bring arrays of its own, say
in memory that is pinned or shared between processes.

A game that ends is started anew at once: `done` and `rewards` are those of the game that ended, everything else is the new game's.
An action that is not legal raises `IllegalActionError` before any game moves. A batch keeps its threads for the next call, asleep if that
does not come at once; they end with the batch and before a fork, so a process may fork between calls. One batch is used by one thread at a
time.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import (
    COTULENH_ACTIONS,
    COTULENH_SHAPE,
    COTULENH_VERSION,
    TRACTOR_ACTIONS,
    TRACTOR_CANDIDATES,
    TRACTOR_OBSERVATION,
    TRACTOR_VERSION,
    BufferError,
)

__all__ = [
    "COTULENH_ACTIONS",
    "COTULENH_SHAPE",
    "COTULENH_VERSION",
    "CotulenhVector",
    "TRACTOR_ACTIONS",
    "TRACTOR_CANDIDATES",
    "TRACTOR_OBSERVATION",
    "TRACTOR_VERSION",
    "TractorVector",
    "expand",
]


def expand(candidates: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Two words a candidate as the 128 bytes of docs/encodings.md.

    >>> import numpy as np
    >>> cards = expand(np.array([[5, 4]], dtype=np.uint64))
    >>> cards.shape, cards[0].nonzero()[0].tolist()
    ((1, 128), [0, 2, 66])
    """
    bytes_ = np.ascontiguousarray(candidates, dtype="<u8").view(np.uint8)
    return np.unpackbits(bytes_, axis=-1, bitorder="little")


#: All batches that there are.
_batches: weakref.WeakSet[_Vector] = weakref.WeakSet()


def _rest() -> None:
    """Ends the threads of all batches: a fork would leave them behind, and Python warns of forks with threads."""
    for batch in list(_batches):
        # A batch that is being stepped keeps its threads; the child starts its own.
        with contextlib.suppress(RuntimeError):
            batch._batch.rest()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_rest)


class _Vector:
    """What both kinds of batch share: arrays by name, stepping, resetting."""

    _batch: Any
    arrays: dict[str, NDArray[Any]]
    num_games: int

    def _make(self, shapes: Mapping[str, tuple[tuple[int, ...], Any]], given: Mapping[str, NDArray[Any]] | None) -> None:
        _batches.add(self)
        given = dict(given or {})
        self.arrays = {}
        for name, (shape, dtype) in shapes.items():
            array = given.pop(name, None)
            if array is None:
                array = np.zeros(shape, dtype=dtype)
            if array.shape != shape or array.dtype != np.dtype(dtype):
                raise BufferError(f"`{name}` is {array.dtype}{array.shape} and must be {np.dtype(dtype)}{shape}")
            self.arrays[name] = array
            setattr(self, name, array)
        if given:
            raise BufferError(f"there is no array `{next(iter(given))}`; there are {', '.join(shapes)}")

    def reset(self) -> None:
        """Starts all games anew."""
        self._batch.reset(self.arrays)

    def step(self, actions: NDArray[np.int32]) -> None:
        """Carries out one action in each game; all are checked before any game moves."""
        self._batch.step(np.ascontiguousarray(actions, dtype=np.int32), self.arrays)

    def sample(self, rng: np.random.Generator) -> NDArray[np.int32]:
        """A random legal action for each game, drawn with one number of the generator's as the seed."""
        return self._batch.sample(int(rng.bit_generator.random_raw()))

    def step_random(self, rng: np.random.Generator) -> NDArray[np.int32]:
        """The same as `step(sample(rng))` in one go, which is faster; answers the actions."""
        return self._batch.step_random(int(rng.bit_generator.random_raw()), self.arrays)

    def __len__(self) -> int:
        return self.num_games


class CotulenhVector(_Vector):
    """Many games of Cờ Tư Lệnh, with these arrays, one row a game:

    ================  ====================  ==============================================================
    `observations`    uint8 (n, 33, 12, 11)  what the side to move sees
    `legal`           int32 (n, width)       the legal actions; entries beyond `counts` mean nothing
    `counts`          int32 (n,)             how many there are
    `mask`            uint8 (n, 22661)       1 where an action is legal; only with `mask=True`
    `rewards`         float32 (n, 2)         of Red and of Blue, where the game ended with this step
    `done`            uint8 (n,)             1 if it did
    `players`         uint8 (n,)             who is to move: 0 Red, 1 Blue
    ================  ====================  ==============================================================

    `threads` is 0 for all cores. `arrays` are arrays of the caller's to write to in place of new ones, by name.
    """

    observations: NDArray[np.uint8]
    legal: NDArray[np.int32]
    counts: NDArray[np.int32]
    mask: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    done: NDArray[np.uint8]
    players: NDArray[np.uint8]

    def __init__(
        self,
        num_games: int,
        *,
        threads: int = 0,
        mask: bool = False,
        width: int = 512,
        arrays: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        self.num_games = num_games
        self._batch = _native.CotulenhBatch(num_games, threads)
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observations": ((num_games, *COTULENH_SHAPE), np.uint8),
            "legal": ((num_games, width), np.int32),
            "counts": ((num_games,), np.int32),
            "rewards": ((num_games, 2), np.float32),
            "done": ((num_games,), np.uint8),
            "players": ((num_games,), np.uint8),
        }
        if mask:
            shapes["mask"] = ((num_games, COTULENH_ACTIONS), np.uint8)
        self._make(shapes, arrays)
        self._batch.observe(self.arrays)

    def fens(self) -> list[str]:
        """The FEN of each position."""
        return self._batch.fens()


class TractorVector(_Vector):
    """Many rounds of Tractor, with these arrays, one row a round:

    ================  =====================  ==============================================================
    `observations`    uint8 (n, 1896)         what the seat that is to act sees
    `candidates`      uint64 (n, width, 2)    the legal actions as cards, see `expand`; with `form='candidates'`
    `mask`            uint8 (n, 78)           1 where a number is legal; with `form='cards'`
    `counts`          int32 (n,)              how many legal actions there are
    `rewards`         float32 (n, 4)          by seat, where the round ended with this step
    `points`          int32 (n,)              the attackers' points, where it did
    `done`            uint8 (n,)              1 if it did
    `players`         uint8 (n,)              the seat that is to act
    ================  =====================  ==============================================================

    `start` is 'first', or 'random' for later rounds with levels and a starter drawn for each; `reward` is 'win' or 'points'.

    >>> import numpy as np
    >>> rounds = TractorVector(8, seed=7, threads=1)
    >>> rng = np.random.default_rng(7)
    >>> while not rounds.done.any():
    ...     rounds.step(rounds.sample(rng))
    >>> float(abs(rounds.rewards).max()), float(rounds.rewards.sum())
    (1.0, 0.0)
    """

    observations: NDArray[np.uint8]
    candidates: NDArray[np.uint64]
    mask: NDArray[np.uint8]
    counts: NDArray[np.int32]
    rewards: NDArray[np.float32]
    points: NDArray[np.int32]
    done: NDArray[np.uint8]
    players: NDArray[np.uint8]

    def __init__(
        self,
        num_games: int,
        *,
        seed: int = 0,
        threads: int = 0,
        rules: str = "default",
        form: str = "candidates",
        start: str = "first",
        reward: str = "win",
        width: int = TRACTOR_CANDIDATES,
        arrays: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        self.num_games = num_games
        self.form = form
        self._batch = _native.TractorBatch(num_games, threads, seed, rules, form, start, reward)
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observations": ((num_games, TRACTOR_OBSERVATION), np.uint8),
            "counts": ((num_games,), np.int32),
            "rewards": ((num_games, 4), np.float32),
            "points": ((num_games,), np.int32),
            "done": ((num_games,), np.uint8),
            "players": ((num_games,), np.uint8),
        }
        if form == "candidates":
            shapes["candidates"] = ((num_games, width, 2), np.uint64)
        else:
            shapes["mask"] = ((num_games, TRACTOR_ACTIONS), np.uint8)
        self._make(shapes, arrays)
        self._batch.observe(self.arrays)

    def deals(self) -> list[int]:
        """The number that dealt each round: `tractor.Game(seed=number)` has the same cards, in a first round."""
        return self._batch.deals()
