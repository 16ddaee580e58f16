"""Cờ Tư Lệnh as a PettingZoo AEC environment.

Agents are 'red' and 'blue'. An observation is a dictionary: `observation`, uint8 (33, 12, 11), what the side to move sees, and
`action_mask`, int8 (22661,). Steps of a deploy are actions of their own, so an agent may act several times in a row. Every byte and number
is in docs/encodings.md, version 1.

>>> from convoy_games.envs import cotulenh_v0
>>> env = cotulenh_v0.env()
>>> env.reset(seed=7)
>>> env.agent_selection
'red'
>>> observation, *_ = env.last()
>>> int(observation["action_mask"].sum())
116
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .. import cotulenh
from .._native import COTULENH_ACTIONS, COTULENH_SHAPE, CotulenhEnv, IllegalActionError
from ._common import action_number, check_illegal, cotulenh_observation

__all__ = ["env", "raw_env"]


def env(**options: Any) -> AECEnv:
    """The environment with PettingZoo's usual checks around it; options are those of `raw_env`."""
    return wrappers.OrderEnforcingWrapper(raw_env(**options))


class raw_env(AECEnv):
    """The environment itself.

    `render_mode` is 'ansi', 'human' or None. `illegal` says what an illegal action does: 'raise' an `IllegalActionError` and change
    nothing, or 'lose' the game for who gave it. `fen` is another start.
    """

    metadata = {
        "name": "cotulenh_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, render_mode: str | None = None, illegal: str = "raise", fen: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._illegal = check_illegal(illegal)
        self._fen = fen
        self.possible_agents = ["red", "blue"]
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, COTULENH_SHAPE, np.uint8),
                "action_mask": spaces.Box(0, 1, (COTULENH_ACTIONS,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(COTULENH_ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._env = CotulenhEnv(cotulenh.Board(self._fen))
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._env.player()]

    def observe(self, agent: str) -> dict[str, Any]:
        seen = cotulenh_observation(self._env)
        if agent != self.agent_selection:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            outcome = self._env.step(action_number(action))
        except IllegalActionError:
            if self._illegal == "raise":
                raise
            self._end({agent: -1.0, self._other(agent): 1.0}, "illegal")
        else:
            if outcome is not None:
                score = 0.0 if outcome.winner is None else 1.0 if outcome.winner else -1.0
                self._end({"red": score, "blue": -score}, outcome.reason)
            self.agent_selection = self.possible_agents[self._env.player()]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _other(self, agent: str) -> str:
        return "blue" if agent == "red" else "red"

    def _end(self, rewards: dict[str, float], reason: str) -> None:
        self.rewards = rewards
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = {"reason": reason}

    def board(self) -> cotulenh.Board:
        """The position as a board."""
        return cotulenh.Board(self._env.fen())

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.board())
        if self.render_mode == "human":
            print(self.board())
        return None

    def close(self) -> None:
        pass
