"""Steps a second of random legal play: this package against environments of comparable games, on the same machine in the same run.

    pip install ./bindings/python 'pettingzoo[classic]' open_spiel rlcard
    python bindings/python/bench/throughput.py [seconds]

A step is one action of one game, with the observation and the legal actions as the users of an environment get them. "One core" counts processor
time of one thread, so that a busy machine does not spoil it; "all cores" counts the time on the wall, with as many threads here and as
many processes of the others as there are cores. What is not installed is left out and named.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
import time
from collections.abc import Callable

import numpy as np
from convoy_games.vector import CotulenhVector, TractorVector

#: Makes some steps and answers how many; and the bytes of an observation.
Stepper = tuple[Callable[[], int], int]

GAMES = 256


def vector(make: Callable[..., CotulenhVector | TractorVector], threads: int) -> Stepper:
    games = make(GAMES * (threads or os.cpu_count() or 1), threads=threads)
    rng = np.random.default_rng(1)

    def step() -> int:
        games.step(games.sample(rng))
        return len(games)

    return step, games.observations[0].nbytes


def pettingzoo_chess() -> Stepper:
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

    return step, env.last()[0]["observation"].nbytes


def openspiel(name: str) -> Stepper:
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

    # Its tensors are lists of numbers for Python, and four bytes each for C++.
    return step, 4 * game.observation_tensor_size()


def rlcard_doudizhu() -> Stepper:
    rlcard = importlib.import_module("rlcard")
    env = rlcard.make("doudizhu", config={"seed": 1})
    rng = np.random.default_rng(1)
    state, _ = env.reset()
    size = state["obs"].nbytes

    def step() -> int:
        nonlocal state
        if env.is_over():
            state, _ = env.reset()
            return 0
        state, _ = env.step(int(rng.choice(list(state["legal_actions"]))))
        return 1

    return step, size


OTHERS: dict[str, Callable[[], Stepper]] = {
    "chess, PettingZoo": pettingzoo_chess,
    "chess, OpenSpiel": lambda: openspiel("chess"),
    # Without the solver that judges a finished auction, which is no part of a step.
    "bridge, OpenSpiel": lambda: openspiel("bridge(use_double_dummy_result=false)"),
    "doudizhu, RLCard": rlcard_doudizhu,
}


def rate(step: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Steps a second by a clock."""
    step()
    made, begun = 0, clock()
    while (spent := clock() - begun) < seconds:
        made += step()
    return made / spent


def other_rate(name: str, seconds: float) -> float:
    """One of as many processes as there are cores."""
    return rate(OTHERS[name]()[0], seconds, time.perf_counter)


def main(seconds: float = 3.0) -> dict[str, tuple[float, float, int]]:
    table: dict[str, tuple[float, float, int]] = {}
    for name, make in [("Cờ Tư Lệnh, convoy_games", CotulenhVector), ("Tractor, convoy_games", TractorVector)]:
        step, size = vector(make, 1)
        one = rate(step, seconds, time.process_time)
        table[name] = one, rate(vector(make, 0)[0], seconds, time.perf_counter), size
    cores = os.cpu_count() or 1
    for name, make in OTHERS.items():
        try:
            step, size = make()
        except ImportError as missing:
            print(f"{name}: left out, {missing}")
            continue
        one = rate(step, seconds, time.process_time)
        with multiprocessing.get_context("spawn").Pool(cores) as pool:
            table[name] = one, sum(pool.starmap(other_rate, [(name, seconds)] * cores)), size
    print(f"| {seconds:g} s each, {cores} cores | one core, steps a second | all cores | bytes an observation |")
    print("|---|--:|--:|--:|")
    for name, (one, all_, size) in table.items():
        print(f"| {name} | {one:,.0f} | {all_:,.0f} | {size:,} |")
    return table


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
