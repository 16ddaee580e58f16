"""Gymnasium environments for one agent, against the players of `convoy_games.engine`.

>>> import gymnasium
>>> from convoy_games.envs import single
>>> env = gymnasium.make("convoy_games/Cotulenh-v0", opponent=1)
>>> observation, info = env.reset(seed=7)
>>> action = info["legal"][0]
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> reward, terminated
(0.0, False)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from .. import cotulenh
from .._native import (
    COTULENH_ACTIONS,
    COTULENH_SHAPE,
    TRACTOR_ACTIONS,
    TRACTOR_OBSERVATION,
    CotulenhEnv,
    Engine,
    IllegalActionError,
    InvalidTextError,
    TractorEnv,
    TractorPlayer,
)
from ._common import action_number, check_illegal, cotulenh_observation, rng_seed, tractor_observation

__all__ = ["CotulenhSingle", "TractorSingle"]


class CotulenhSingle(gymnasium.Env):
    """Cờ Tư Lệnh against a level of the engine, 1 to 10, or 'random'.

    The agent plays `color`: 'red', 'blue' or 'random'. The reward is 1, -1 or 0 at the end. `illegal` says what an illegal action does:
    'raise' an `IllegalActionError` and change nothing, or 'lose' the game. `nodes` bounds what the engine spends on a turn.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}

    def __init__(
        self,
        opponent: int | str = "random",
        color: str = "red",
        illegal: str = "raise",
        nodes: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self._illegal = check_illegal(illegal)
        if color not in ("red", "blue", "random"):
            raise InvalidTextError(f"color={color!r}: it is 'red', 'blue' or 'random'")
        if isinstance(opponent, str) and opponent != "random":
            raise InvalidTextError(f"opponent={opponent!r}: it is a level, 1 to 10, or 'random'")
        self._color = color
        self._nodes = nodes
        self._engine = None if isinstance(opponent, str) else Engine(opponent)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, COTULENH_SHAPE, np.uint8),
                "action_mask": spaces.Box(0, 1, (COTULENH_ACTIONS,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(COTULENH_ACTIONS)
        self._env = CotulenhEnv()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._env = CotulenhEnv()
        if self._engine is not None:
            self._engine.clear()
        self._player = {"red": 0, "blue": 1}.get(self._color, int(self.np_random.integers(2)))
        self._let_opponent_play()
        return self._seen()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        try:
            self._env.step(action_number(action))
        except IllegalActionError:
            if self._illegal == "raise":
                raise
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "reason": "illegal"}
        self._let_opponent_play()
        observation, info = self._seen()
        outcome = self._env.outcome()
        if outcome is None:
            return observation, 0.0, False, False, info
        own = outcome.winner is not None and outcome.winner == (self._player == 0)
        reward = 0.0 if outcome.winner is None else 1.0 if own else -1.0
        return observation, reward, True, False, {**info, "reason": outcome.reason}

    def _let_opponent_play(self) -> None:
        while self._env.outcome() is None and self._env.player() != self._player:
            if self._engine is None:
                self._env.step(int(self.np_random.choice(self._env.legal())))
                continue
            board = cotulenh.Board(self._env.fen())
            for move in self._engine.play(board, nodes=self._nodes):
                number = self._env.index_of(move)
                assert number is not None, "every legal move has a number"
                self._env.step(number)

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return cotulenh_observation(self._env), {"legal": self._env.legal().tolist(), "fen": self._env.fen()}

    def render(self) -> str | None:
        return str(cotulenh.Board(self._env.fen())) if self.render_mode == "ansi" else None


class TractorSingle(gymnasium.Env):
    """A round of Tractor on seat 0, with a partner and two opponents of a level: 'random', 'scripted', 'easy', 'normal', …

    Plays are put together card by card. `illegal` says what an illegal action does: 'raise' an `IllegalActionError` and change nothing, or
    'lose' the round.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}

    def __init__(
        self,
        others: str = "normal",
        partner: str | None = None,
        illegal: str = "raise",
        rules: str = "default",
        start: str = "first",
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self._illegal = check_illegal(illegal)
        self._levels = {1: others, 2: partner or others, 3: others}
        for level in self._levels.values():
            TractorPlayer(level)  # refuses a name that is none
        self._options: dict[str, Any] = {"rules": rules, "form": "cards", "start": start, "reward": reward}
        self._env = TractorEnv(**self._options)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (TRACTOR_OBSERVATION,), np.uint8),
                "action_mask": spaces.Box(0, 1, (TRACTOR_ACTIONS,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(TRACTOR_ACTIONS)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._env = TractorEnv(seed=rng_seed(self.np_random), **self._options)
        chance = rng_seed(self.np_random)
        self._players = {
            seat: TractorPlayer(level, seed=chance, rollouts=64) for seat, level in self._levels.items()
        }
        self._let_others_play()
        return tractor_observation(self._env, 0), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        try:
            over = self._env.step(action_number(action))
        except IllegalActionError:
            if self._illegal == "raise":
                raise
            return tractor_observation(self._env, 0), -1.0, True, False, {"points": None}
        over = self._let_others_play() or over
        observation = tractor_observation(self._env, 0)
        if not over:
            return observation, 0.0, False, False, {}
        return observation, float(self._env.rewards()[0]), True, False, {"points": self._env.points()}

    def _let_others_play(self) -> bool:
        while self._env.stage() != "over" and self._env.player() != 0:
            seat = self._env.player()
            event = self._players[seat].act(self._env.view(seat))
            assert event is not None, "a player does what is asked"
            self._env.apply(event)
        return self._env.stage() == "over"

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        view = self._env.view(0)
        return f"{view.stage}, trump {view.trump}, seat 0: {' '.join(view.hand)}"


gymnasium.register("convoy_games/Cotulenh-v0", f"{__name__}:CotulenhSingle")
gymnasium.register("convoy_games/Tractor-v0", f"{__name__}:TractorSingle")
