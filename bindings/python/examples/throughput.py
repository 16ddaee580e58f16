"""Steps a second of random legal play: this package against environments of comparable games, on the same machine in the same run.

    pip install ./bindings/python pettingzoo[classic] open_spiel rlcard
    python examples/throughput.py [seconds]

What is not installed is left out and named. A step of the others is one action of one game with its observation and its legal actions, as
their users see them. The first number is one core, the second all of them; the others have one core only.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable

import numpy as np
from convoy_games.vector import CotulenhVector, TractorVector


def rate(step: Callable[[], int], seconds: float) -> float:
    """Steps a second; `step` answers how many it made."""
    step()
    made, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        made += step()
    return made / spent


def vector(make: Callable[..., CotulenhVector | TractorVector], threads: int) -> Callable[[], int]:
    games = make(1024, threads=threads)
    rng = np.random.default_rng(1)

    def step() -> int:
        games.step(games.sample(rng))
        return len(games)

    return step


def pettingzoo_chess() -> Callable[[], int]:
    chess_v6 = importlib.import_module("pettingzoo.classic.chess_v6")
    env = chess_v6.env()
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def step() -> int:
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset()
            return 0
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return 1

    return step


def openspiel(name: str) -> Callable[[], int]:
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(1)
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=odds)))
            return 0
        state.observation_tensor(state.current_player())
        state.apply_action(int(rng.choice(state.legal_actions())))
        return 1

    return step


def rlcard_doudizhu() -> Callable[[], int]:
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make("doudizhu")
    rng = np.random.default_rng(1)
    state, _ = env.reset()

    def step() -> int:
        nonlocal state
        if env.is_over():
            state, _ = env.reset()
            return 0
        state, _ = env.step(int(rng.choice(list(state["legal_actions"]))))
        return 1

    return step


def main(seconds: float = 3.0) -> dict[str, list[float]]:
    table: dict[str, list[float]] = {}
    for name, make in [("Cờ Tư Lệnh, convoy_games", CotulenhVector), ("Tractor, convoy_games", TractorVector)]:
        table[name] = [rate(vector(make, threads), seconds) for threads in (1, 0)]
    for name, make in [
        ("chess, PettingZoo", pettingzoo_chess),
        ("chess, OpenSpiel", lambda: openspiel("chess")),
        # Without the solver that judges a finished auction, which is no part of a step.
        ("bridge, OpenSpiel", lambda: openspiel("bridge(use_double_dummy_result=false)")),
        ("doudizhu, RLCard", rlcard_doudizhu),
    ]:
        try:
            table[name] = [rate(make(), seconds)]
        except ImportError as missing:
            print(f"{name}: left out, {missing}")
    print(f"{os.cpu_count()} cores, {seconds:g} s each; Cờ Tư Lệnh 4356 bytes an observation, Tractor 1896")
    print(f"{'':28} {'one core':>12} {'all cores':>12}")
    for name, rates in table.items():
        print(f"{name:28} " + " ".join(f"{value:12,.0f}" for value in rates))
    return table


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
