"""Tractor as a PettingZoo AEC environment: one round.

Agents are 'seat_0' to 'seat_3'; seats 0 and 2 are one team. An observation is a dictionary: `observation`, uint8 (1896,), what the seat
may know, and `action_mask`, int8 (78,). Plays are put together card by card. Every byte and number is in docs/encodings.md, version 1.

>>> from convoy_games.envs import tractor_v0
>>> env = tractor_v0.env()
>>> env.reset(seed=7)
>>> observation, *_ = env.last()
>>> observation["observation"].shape, observation["action_mask"].shape
((1896,), (78,))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .._native import TRACTOR_ACTIONS, TRACTOR_OBSERVATION, IllegalActionError, TractorEnv
from ._common import action_number, check_illegal, rng_seed, tractor_observation

__all__ = ["env", "raw_env"]


def env(**options: Any) -> AECEnv:
    """The environment with PettingZoo's usual checks around it; options are those of `raw_env`."""
    return wrappers.OrderEnforcingWrapper(raw_env(**options))


class raw_env(AECEnv):
    """The environment itself.

    `rules` are house rules, `start` is 'first' or 'random', `reward` is 'win' or 'points'; `render_mode` is 'ansi', 'human' or None.
    `illegal` says what an illegal action does: 'raise' an `IllegalActionError` and change nothing, or 'lose' the round for the team of who
    gave it.
    """

    metadata = {
        "name": "tractor_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        illegal: str = "raise",
        rules: str = "default",
        start: str = "first",
        reward: str = "win",
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._illegal = check_illegal(illegal)
        self._options: dict[str, Any] = {"rules": rules, "form": "cards", "start": start, "reward": reward}
        self._rng, _ = seeding.np_random(None)
        self._env = TractorEnv(**self._options)
        self.possible_agents = [f"seat_{seat}" for seat in range(4)]
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (TRACTOR_OBSERVATION,), np.uint8),
                "action_mask": spaces.Box(0, 1, (TRACTOR_ACTIONS,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(TRACTOR_ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        self._env = TractorEnv(seed=rng_seed(self._rng), **self._options)
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._env.player()]

    def observe(self, agent: str) -> dict[str, Any]:
        return tractor_observation(self._env, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self.possible_agents.index(agent)
        try:
            over = self._env.step(action_number(action))
        except IllegalActionError:
            if self._illegal == "raise":
                raise
            self._end([-1.0 if other % 2 == seat % 2 else 1.0 for other in range(4)], None)
        else:
            if over:
                self._end(self._env.rewards(), self._env.points())
            self.agent_selection = self.possible_agents[self._env.player()]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: list[float], points: int | None) -> None:
        self.rewards = dict(zip(self.possible_agents, map(float, rewards), strict=True))
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = {"points": points}

    def view(self, agent: str) -> Any:
        """What an agent may know, as a `convoy_games.tractor.View`."""
        return self._env.view(self.possible_agents.index(agent))

    def _text(self) -> str:
        view = self._env.view(self._env.player())
        seat, stage = self._env.player(), self._env.stage()
        events = self._env.events()[-4:]
        return "\n".join([f"{stage}, trump {view.trump}, seat {seat}: {' '.join(view.hand)}", *events])

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return self._text()
        if self.render_mode == "human":
            print(self._text())
        return None

    def close(self) -> None:
        pass
