"""Steps a second of random legal play: this package against environments of comparable games, on the same machine in the same run.

    pip install ./bindings/python 'pettingzoo[classic]' open_spiel rlcard
    python bindings/python/bench/throughput.py [seconds] [games]

A step is one action of one game, with the observation and the legal actions as the users of an environment get them. "One core" counts processor
time of one thread, so that a busy machine does not spoil it; "all cores" counts the time on the wall, with as many threads here and as
many processes of the others as there are cores. There are so many games a core: few enough for its cache, enough for Python not to matter. The
actions are drawn by `step_random`, or by `sample` for `step` to check and carry out, as it does with those of a policy. What is not
installed is left out and named.
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

GAMES = 128

#: The cores that this process may use.
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def vector(make: Callable[..., CotulenhVector | TractorVector], threads: int, games_a_core: int = GAMES, at_once: bool = True) -> Stepper:
    games = make(games_a_core * threads, threads=threads)
    rng = np.random.default_rng(1)

    def step() -> int:
        if at_once:
            games.step_random(rng)
        else:
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


def ours(make: Callable[..., CotulenhVector | TractorVector], seconds: float, games: int, at_once: bool) -> tuple[float, float, int]:
    step, size = vector(make, 1, games, at_once)
    one = rate(step, seconds, time.process_time)
    return one, rate(vector(make, CORES, games, at_once)[0], seconds, time.perf_counter), size


def main(seconds: float = 3.0, games: float = GAMES) -> dict[str, tuple[float, float, int]]:
    table: dict[str, tuple[float, float, int]] = {}
    for name, make in [("Cờ Tư Lệnh, convoy_games", CotulenhVector), ("Tractor, convoy_games", TractorVector)]:
        for call, at_once in [("step_random", True), ("step", False)]:
            table[f"{name}, {call}"] = ours(make, seconds, int(games), at_once)
    for name, make in OTHERS.items():
        try:
            step, size = make()
        except ImportError as missing:
            print(f"{name}: left out, {missing}")
            continue
        one = rate(step, seconds, time.process_time)
        with multiprocessing.get_context("spawn").Pool(CORES) as pool:
            table[name] = one, sum(pool.starmap(other_rate, [(name, seconds)] * CORES)), size
    print(f"| {seconds:g} s each, {CORES} cores, {games:g} games a core | one core, steps a second | all cores | bytes an observation |")
    print("|---|--:|--:|--:|")
    for name, (one, all_, size) in table.items():
        print(f"| {name} | {one:,.0f} | {all_:,.0f} | {size:,} |")
    return table


if __name__ == "__main__":
    main(*map(float, sys.argv[1:3]))
