"""Both games for OpenSpiel: importing this module registers `python_cotulenh` and `python_tractor`.

>>> import pyspiel
>>> from convoy_games.envs import openspiel
>>> state = pyspiel.load_game("python_cotulenh").new_initial_state()
>>> len(state.legal_actions())
116
>>> state.action_to_string(state.legal_actions()[0]) != ""
True

The deal of Tractor is four chance events of 256 outcomes each, the bytes of its seed: 2³² deals, all as likely. Its actions are those of
docs/encodings.md, card by card. An observation is what the seat may know now; an information state has every declaration, trick and failed
throw as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from .. import cotulenh
from .._native import (
    COTULENH_ACTIONS,
    COTULENH_SHAPE,
    TRACTOR_ACTIONS,
    TRACTOR_OBSERVATION,
    CotulenhEnv,
    TractorEnv,
)

__all__ = ["CotulenhGame", "TractorGame"]

_COTULENH = pyspiel.GameType(
    short_name="python_cotulenh",
    long_name="Cờ Tư Lệnh",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={},
)

# A game ends a hundred turns after its last capture, there are 36 pieces beside the commanders to take, and a turn has at most four moves.
_LONGEST = 100 * 37 * 4


class CotulenhGame(pyspiel.Game):
    """Cờ Tư Lệnh: player 0 is Red. Steps of a deploy are actions of their own."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=COTULENH_ACTIONS,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_COTULENH, info, params or {})

    def new_initial_state(self) -> CotulenhState:
        return CotulenhState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CotulenhObserver:
        perfect_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return CotulenhObserver(perfect_recall, params)


class CotulenhState(pyspiel.State):
    """A position with its history."""

    def __init__(self, game: CotulenhGame) -> None:
        super().__init__(game)
        self.env = CotulenhEnv()

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.env.player()

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(int(action) for action in self.env.legal())

    def _apply_action(self, action: int) -> None:
        self.env.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        move = self.env.move_of(action)
        return f"action {action}" if move is None else cotulenh.Board(self.env.fen()).lan(move)

    def is_terminal(self) -> bool:
        return self.env.outcome() is not None

    def returns(self) -> list[float]:
        outcome = self.env.outcome()
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner else [-1.0, 1.0]

    def __str__(self) -> str:
        return self.env.fen()


class CotulenhObserver:
    """The planes of the side to move; as text, the FEN, or with perfect recall the whole history."""

    def __init__(self, perfect_recall: bool, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self._perfect_recall = perfect_recall
        self._bytes = np.zeros(int(np.prod(COTULENH_SHAPE)), np.uint8)
        self.tensor = np.zeros(self._bytes.size, np.float32)
        self.dict = {"planes": self.tensor.reshape(COTULENH_SHAPE)}

    def set_from(self, state: CotulenhState, player: int) -> None:
        state.env.observe(self._bytes)
        self.tensor[:] = self._bytes

    def string_from(self, state: CotulenhState, player: int) -> str:
        return state.history_str() if self._perfect_recall else str(state)


_TRACTOR = pyspiel.GameType(
    short_name="python_tractor",
    long_name="Tractor",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "default"},
)

_SEED_BYTES = 4
_FACES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"] + ["sj", "bj"]
_FACE = {face: index for index, face in enumerate(_FACES)}
_ALL = len(_FACES)


class TractorGame(pyspiel.Game):
    """One round of Tractor, the first of a game; the parameter `rules` has the house rules."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = str(params.get("rules", "default"))
        info = pyspiel.GameInfo(
            num_distinct_actions=TRACTOR_ACTIONS,
            max_chance_outcomes=256,
            num_players=4,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Declarations, eight cards buried, a hundred laid and 25 leads ended.
            max_game_length=32 + 8 + 100 + 25,
        )
        super().__init__(_TRACTOR, info, params)

    def new_initial_state(self) -> TractorState:
        return TractorState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TractorObserver:
        perfect_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return TractorObserver(perfect_recall, params)


class TractorState(pyspiel.State):
    """A round; before its four chance events it has no cards."""

    def __init__(self, game: TractorGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._seed: list[int] = []
        self.env: Any = None

    def current_player(self) -> int:
        if self.env is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.env.player()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(byte, 1 / 256) for byte in range(256)]

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.env.mask())]

    def _apply_action(self, action: int) -> None:
        if self.env is not None:
            self.env.step(action)
            return
        self._seed.append(action)
        if len(self._seed) == _SEED_BYTES:
            self.env = TractorEnv(seed=int.from_bytes(self._seed, "little"), rules=self._rules, form="cards")

    def _action_to_string(self, player: int, action: int) -> str:
        if self.env is None or player == pyspiel.PlayerId.CHANCE:
            return f"seed byte {action}"
        return self.env.describe(action) or f"action {action}"

    def is_terminal(self) -> bool:
        return self.env is not None and self.env.stage() == "over"

    def returns(self) -> list[float]:
        return [0.0] * 4 if self.env is None else [float(reward) for reward in self.env.rewards()]

    def __str__(self) -> str:
        return f"seed {self._seed}" if self.env is None else "\n".join(self.env.events())


class TractorObserver:
    """What a seat may know: the bytes of docs/encodings.md, and with perfect recall what has happened, by face and relative seat."""

    def __init__(self, perfect_recall: bool, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self._perfect_recall = perfect_recall
        self._bytes = np.zeros(TRACTOR_OBSERVATION, np.uint8)
        shapes: dict[str, tuple[int, ...]] = {"view": (TRACTOR_OBSERVATION,)}
        if perfect_recall:
            shapes |= {"tricks": (25, 4, _ALL), "declarations": (12, 4, _ALL), "throws": (25, _ALL)}
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: TractorState, player: int) -> None:
        self.tensor.fill(0)
        if state.env is None:
            return
        state.env.observe_seat(player, self._bytes)
        self.dict["view"][:] = self._bytes
        if self._perfect_recall:
            self._recall(state.env.view(player).to_dict(), player)

    def _recall(self, view: dict[str, Any], player: int) -> None:
        for number, made in enumerate(view["declarations"]):
            for card in made["cards"]:
                self.dict["declarations"][number, (made["seat"] - player) % 4, _FACE[card[:2]]] += 1
        tricks = view["tricks"] + ([view["open"]] if view["open"] else [])
        for number, trick in enumerate(tricks):
            for steps, cards in enumerate(trick["plays"]):
                for card in cards:
                    self.dict["tricks"][number, (trick["leader"] + steps - player) % 4, _FACE[card[:2]]] += 1
            for card in (trick["failed"] or {"cards": []})["cards"]:
                self.dict["throws"][number, _FACE[card[:2]]] += 1

    def string_from(self, state: TractorState, player: int) -> str:
        if state.env is None:
            return "no cards yet"
        text = state.env.view(player).to_json()
        laid = state.env.player() == player and not state.is_terminal() and state.env.laid()
        return f"{text} laid {laid}" if laid else text


pyspiel.register_game(_COTULENH, CotulenhGame)
pyspiel.register_game(_TRACTOR, TractorGame)
