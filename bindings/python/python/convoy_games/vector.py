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
import math
import operator
import os
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    IllegalActionError,
    InvalidTextError,
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
    if candidates.dtype != np.uint64:
        raise BufferError(f"candidates are uint64, and these are {candidates.dtype}")
    bytes_ = np.ascontiguousarray(candidates, dtype="<u8").view(np.uint8)
    return np.unpackbits(bytes_, axis=-1, bitorder="little")


#: JAX copies what does not begin at a multiple of so many bytes.
_ALIGNED = 64

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


def _size(name: str, number: int) -> int:
    """How many there are of something."""
    if operator.index(number) < 0:
        raise InvalidTextError(f"{name} is {number} and must be 0 or more")
    return operator.index(number)


def _numbers(actions: ArrayLike) -> NDArray[np.int32]:
    """Actions as the core takes them. What is no number of an action is refused, and not made one by rounding or cutting."""
    given = np.asarray(actions)
    if given.ndim != 1:
        raise BufferError(f"actions are one number a game in one dimension, and these have {given.ndim}")
    if given.dtype.kind not in "iu" and given.size:
        raise BufferError(f"actions are whole numbers, and these are {given.dtype}")
    numbers = np.ascontiguousarray(given, dtype=np.int32)
    if given.dtype != np.int32 and (cut := np.flatnonzero(numbers != given)).size:
        raise IllegalActionError(f"game {cut[0]}: action {given[cut[0]]} is not legal here")
    return numbers


def _seed(rng: np.random.Generator) -> int:
    """One number of a generator's."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng is a numpy.random.Generator, as default_rng() makes it, and not {type(rng).__name__}")
    return int(rng.bit_generator.random_raw())


def _zeros(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array at an address that JAX takes over without copying."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + _ALIGNED, np.uint8)
    first = -memory.ctypes.data % _ALIGNED
    array: NDArray[Any] = memory[first : first + size].view(dtype).reshape(shape)
    return array


class _Vector:
    """What both kinds of batch share: arrays by name, stepping, resetting."""

    _batch: Any
    arrays: dict[str, NDArray[Any]]
    num_games: int

    def _make(self, shapes: Mapping[str, tuple[tuple[int, ...], Any]], given: Mapping[str, NDArray[Any]] | None) -> None:
        given = dict(given or {})
        self.arrays = {}
        for name, (shape, dtype) in shapes.items():
            array = given.pop(name, None)
            if array is None:
                array = _zeros(shape, dtype)
            if not isinstance(array, np.ndarray):
                raise BufferError(f"`{name}` is no NumPy array")
            if not array.flags.c_contiguous:
                # In another order the bytes would go to the wrong places without a word.
                raise BufferError(f"`{name}` is not contiguous in C order")
            if array.shape != shape or array.dtype != np.dtype(dtype):
                raise BufferError(f"`{name}` is {array.dtype}{array.shape} and must be {np.dtype(dtype)}{shape}")
            self.arrays[name] = array
            setattr(self, name, array)
        if given:
            raise BufferError(f"there is no array `{next(iter(given))}`; there are {', '.join(shapes)}")

    def reset(self) -> None:
        """Starts all games anew."""
        self._batch.reset(self.arrays)

    def step(self, actions: ArrayLike) -> None:
        """Carries out one action in each game; all are checked before any game moves."""
        self._batch.step(_numbers(actions), self.arrays)

    def sample(self, rng: np.random.Generator) -> NDArray[np.int32]:
        """A random legal action for each game, drawn with one number of the generator's as the seed."""
        actions: NDArray[np.int32] = self._batch.sample(_seed(rng))
        return actions

    def step_random(self, rng: np.random.Generator) -> NDArray[np.int32]:
        """The same as `step(sample(rng))` in one go, which is faster; answers the actions."""
        actions: NDArray[np.int32] = self._batch.step_random(_seed(rng), self.arrays)
        return actions

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
        self.num_games = num_games = _size("num_games", num_games)
        width = _size("width", width)
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
        # The arrays come first: where there is no memory for them, NumPy says so.
        self._make(shapes, arrays)
        self._batch: Any = _native.CotulenhBatch(num_games, threads)
        _batches.add(self)
        self._batch.observe(self.arrays)

    def fens(self) -> list[str]:
        """The FEN of each position."""
        fens: list[str] = self._batch.fens()
        return fens


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
        self.num_games = num_games = _size("num_games", num_games)
        width = _size("width", width)
        self.form = form
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
        self._batch: Any = _native.TractorBatch(num_games, threads, seed, rules, form, start, reward)
        _batches.add(self)
        self._batch.observe(self.arrays)

    def deals(self) -> list[int]:
        """The number that dealt each round: `tractor.Game(seed=number)` has the same cards, in a first round."""
        deals: list[int] = self._batch.deals()
        return deals
