"""What the environments share."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._native import COTULENH_ACTIONS, COTULENH_SHAPE, TRACTOR_OBSERVATION, IllegalActionError, InvalidTextError


def check_illegal(illegal: str) -> str:
    """The option that says what an illegal action does."""
    if illegal not in ("raise", "lose"):
        raise InvalidTextError(f"illegal={illegal!r}: it is 'raise' or 'lose'")
    return illegal


def action_number(action: Any) -> int:
    """The number of an action; what is no whole number is as illegal as one that is not offered."""
    try:
        number = operator.index(action)
    except TypeError:
        number = -1
    if not 0 <= number < COTULENH_ACTIONS:
        raise IllegalActionError(f"{action!r} is not the number of an action")
    return number


def cotulenh_observation(env: Any) -> dict[str, NDArray[Any]]:
    """Planes and mask of a `CotulenhEnv`."""
    planes = np.empty(int(np.prod(COTULENH_SHAPE)), dtype=np.uint8)
    env.observe(planes)
    mask = np.zeros(COTULENH_ACTIONS, dtype=np.int8)
    mask[env.legal()] = 1
    return {"observation": planes.reshape(COTULENH_SHAPE), "action_mask": mask}


def tractor_observation(env: Any, seat: int) -> dict[str, NDArray[Any]]:
    """What a seat sees of a `TractorEnv`, and its mask: nothing is legal for who is not to act."""
    seen = np.empty(TRACTOR_OBSERVATION, dtype=np.uint8)
    env.observe_seat(seat, seen)
    mask = env.mask().astype(np.int8)
    if env.player() != seat:
        mask[:] = 0
    return {"observation": seen, "action_mask": mask}


def rng_seed(rng: np.random.Generator) -> int:
    """A seed for a native environment."""
    return int(rng.integers(0, 2**63))
