"""Many games at once: against the plain API, in memory of the caller's, and without leaks."""

import ctypes
import gc
import importlib.util
import os
import random
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import resident
from convoy_games import BufferError, IllegalActionError, InvalidTextError
from convoy_games._native import CotulenhEnv, TractorEnv
from convoy_games.cotulenh import Board
from convoy_games.engine import TractorPlayer
from convoy_games.vector import (
    COTULENH_ACTIONS,
    COTULENH_VERSION,
    TRACTOR_ACTIONS,
    TRACTOR_VERSION,
    CotulenhVector,
    TractorVector,
    expand,
)


def test_versions_are_those_of_the_documentation():
    assert (COTULENH_VERSION, COTULENH_ACTIONS) == (1, 22_661)
    assert (TRACTOR_VERSION, TRACTOR_ACTIONS) == (1, 78)


def test_random_games_replay_in_the_plain_api():
    games = CotulenhVector(32, threads=2, mask=True)
    boards = [Board() for _ in range(32)]
    envs = [CotulenhEnv() for _ in range(32)]
    rng, ended = np.random.default_rng(7), 0
    for _ in range(400):
        actions = games.sample(rng)
        assert (games.mask.sum(axis=1) == games.counts).all()
        for row, action in enumerate(actions):
            boards[row].push(envs[row].move_of(int(action)))
            envs[row].step(int(action))
        games.step(actions)
        for row in np.flatnonzero(games.done):
            outcome = boards[row].outcome()
            red = 0 if outcome.winner is None else 1 if outcome.winner else -1
            assert games.rewards[row].tolist() == [red, -red]
            boards[row], envs[row] = Board(), CotulenhEnv()
            ended += 1
        assert games.fens() == [board.fen() for board in boards]
        assert not games.rewards[games.done == 0].any()
    assert ended >= 5


def test_whole_games_replay_move_by_move(pytestconfig):
    """What `bench/replay.py` does with ten thousand games on all cores; `--replay 10000` does it here."""
    path = Path(__file__).parents[1] / "bench" / "replay.py"
    spec = importlib.util.spec_from_file_location("replay", path)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    wanted = pytestconfig.getoption("replay")
    ended, actions = bench.replay(wanted, seed=7, width=32)
    assert ended >= wanted and actions > wanted * 50


def test_rounds_replay_in_the_plain_api():
    """The candidates of the batch are the legal plays of the views, and the rewards those of the rounds."""
    rounds = TractorVector(8, seed=3, threads=2, form="cards")
    rng = np.random.default_rng(1)
    for _ in range(300):
        rounds.step(rounds.sample(rng))
    assert set(rounds.players) <= {0, 1, 2, 3}
    # One round beside the single environment, action by action.
    one = TractorVector(1, seed=5, threads=1, form="cards")
    seed = one.deals()[0]
    assert seed >= 0
    done = 0
    while not done:
        one.step(one.sample(rng))
        done = one.done[0]
    assert abs(one.rewards).sum() == 4 and one.points[0] % 5 == 0


def test_candidates_expand_to_cards():
    rounds = TractorVector(4, seed=1, threads=1)
    rng = np.random.default_rng(2)
    for _ in range(200):
        for row in range(4):
            cards = expand(rounds.candidates[row, : rounds.counts[row]])
            hand = rounds.observations[row, :128]
            assert cards.shape[1] == 128 and (cards <= hand).all()
            assert len(np.unique(cards, axis=0)) == len(cards)
        rounds.step(rounds.sample(rng))


def test_numbers_are_not_rounded_or_cut():
    games = CotulenhVector(3, threads=1)
    good = games.legal[:, 0].copy()
    for bad in [good + 0.5, np.full(3, np.nan), good.astype(bool), ["a", "b", "c"], None, good[:, None], good.astype(np.float32)]:
        with pytest.raises(BufferError):
            games.step(bad)
    for bad in [good.astype(np.int64) + 2**32, good.astype(np.uint64) + 2**63, np.full(3, -(2**40))]:
        with pytest.raises(IllegalActionError, match="game 0"):
            games.step(bad)
    assert games.fens() == [Board().fen()] * 3
    games.step(good.astype(np.int64))
    games.step(games.legal[:, 0].tolist())
    with pytest.raises(TypeError, match="numpy.random.Generator"):
        games.sample(7)


def test_sizes_are_checked_before_anything_is_made():
    for make in (CotulenhVector, TractorVector):
        for options in [{"num_games": -1}, {"num_games": 1, "width": -1}]:
            with pytest.raises(InvalidTextError):
                make(**options)
        with pytest.raises((MemoryError, ValueError)):
            make(10**13)
        empty = make(0)
        empty.step(np.zeros(0, np.int32))
        assert len(empty.step_random(np.random.default_rng(1))) == len(empty.step(empty.sample(np.random.default_rng(1))) or []) == 0


def test_a_bad_action_stops_the_whole_step():
    games = CotulenhVector(3, threads=1)
    before = games.observations.copy()
    good = int(games.legal[0, 0])
    for bad in [[good, good, -1], [good, good], [good, good, 10**6]]:
        with pytest.raises(IllegalActionError):
            games.step(np.array(bad))
    assert (games.observations == before).all() and games.fens() == [Board().fen()] * 3
    with pytest.raises(IllegalActionError, match="game 2: action -1 is not legal here; 116 others are"):
        games.step(np.array([good, good, -1]))


def test_arrays_of_the_caller_are_written_without_copies():
    mine = np.zeros((4, 33, 12, 11), dtype=np.uint8)
    games = CotulenhVector(4, threads=1, arrays={"observations": mine})
    assert games.observations is mine and mine.any()
    address = mine.ctypes.data
    games.step(games.sample(np.random.default_rng(1)))
    assert mine.ctypes.data == address and mine[0, 32].max() == 0  # Blue is to move now
    for wrong in [np.zeros((4, 33, 12, 12), np.uint8), np.zeros((4, 33, 12, 11), np.float32)]:
        with pytest.raises(BufferError, match="observations"):
            CotulenhVector(4, arrays={"observations": wrong})
    with pytest.raises(BufferError, match="no array `odd`"):
        CotulenhVector(4, arrays={"odd": mine})
    strided = np.zeros((8, 33, 12, 11), dtype=np.uint8)[::2]
    columns = np.zeros((4, 33, 12, 11), dtype=np.uint8, order="F")
    for wrong in [strided, columns]:
        with pytest.raises(BufferError, match="not contiguous in C order"):
            CotulenhVector(4, arrays={"observations": wrong})
    assert not columns.any()
    with pytest.raises(BufferError, match="no NumPy array"):
        CotulenhVector(4, arrays={"done": [0] * 4})
    frozen = np.zeros((4, 33, 12, 11), dtype=np.uint8)
    frozen.setflags(write=False)
    with pytest.raises(BufferError, match="observations"):
        CotulenhVector(4, arrays={"observations": frozen})


def test_dlpack_shares_the_memory():
    games = CotulenhVector(2, threads=1)
    shared = np.from_dlpack(games.observations)
    games.step(games.sample(np.random.default_rng(1)))
    assert (shared == games.observations).all()
    assert shared.ctypes.data == games.observations.ctypes.data
    # JAX copies what is not at such an address.
    for batch in (games, CotulenhVector(3, mask=True), TractorVector(3), TractorVector(3, form="cards")):
        assert all(array.ctypes.data % 64 == 0 and array.flags.c_contiguous for array in batch.arrays.values())


def test_a_million_steps_at_constant_memory():
    rng = np.random.default_rng(1)
    games, rounds = CotulenhVector(256, threads=2), TractorVector(1024, threads=2)

    def steps(games_steps: int, round_steps: int) -> None:
        for _ in range(games_steps):
            games.step(games.sample(rng))
        for _ in range(round_steps):
            rounds.step(rounds.sample(rng))

    steps(200, 100)
    gc.collect()
    before = resident()
    steps(1000, 750)  # 256 000 and 768 000 steps
    gc.collect()
    assert resident() - before < 8 * 2**20


def test_a_million_resets_at_constant_memory():
    rng = np.random.default_rng(1)
    games, rounds = CotulenhVector(1024, threads=2), TractorVector(1024, threads=2)

    def resets(times: int) -> None:
        for _ in range(times):
            for batch in (games, rounds):
                batch.step(batch.sample(rng))
                batch.reset()

    resets(50)
    gc.collect()
    before = resident()
    resets(500)  # 512,000 of each
    gc.collect()
    assert resident() - before < 8 * 2**20
    assert games.fens() == [Board().fen()] * 1024 and (games.counts == 116).all()


def test_resets_and_objects_leave_nothing_behind():
    def round_trip(times: int) -> None:
        rng = random.Random(1)
        for seed in range(times):
            env = TractorEnv(seed=seed)
            env.step(int(rng.choice(np.flatnonzero(env.mask()))))
            board = Board()
            board.push(rng.choice(list(board.legal_moves)))
            with pytest.raises(IllegalActionError):
                env.step(-1)

    round_trip(200)
    gc.collect()
    before = resident()
    round_trip(2000)
    gc.collect()
    assert resident() - before < 8 * 2**20


def test_a_child_process_steps_on():
    games = CotulenhVector(64, threads=4)
    rng = np.random.default_rng(1)
    games.step(games.sample(rng))
    child = os.fork()
    if child == 0:
        for _ in range(20):
            games.step(games.sample(rng))
        os._exit(0 if games.counts.all() else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    games.step(games.sample(rng))


def threads() -> int:
    """How many threads this process has."""
    return len(os.listdir("/proc/self/task"))


def test_threads_end_before_a_fork_and_with_their_batch():
    gc.collect()
    before = threads()
    games, rounds = CotulenhVector(64, threads=3), TractorVector(64, threads=2)
    rng = np.random.default_rng(1)
    for batch in (games, rounds):
        batch.step_random(rng)
    assert threads() == before + 3
    child = os.fork()
    if child == 0:
        alone = threads() == 1
        for batch in (games, rounds):
            batch.step_random(rng)
        again = threads() == 4
        del games, rounds, batch
        os._exit(0 if alone and again and threads() == 1 else 1)
    assert threads() == before
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    for batch in (games, rounds):
        batch.step_random(rng)
    assert threads() == before + 3
    del games, rounds, batch
    assert threads() == before


def test_a_fork_that_python_does_not_see_leaves_no_step_waiting():
    games = CotulenhVector(64, threads=3)
    rng = np.random.default_rng(1)
    games.step_random(rng)
    child = ctypes.CDLL(None).fork()
    if child == 0:
        for _ in range(20):
            games.step_random(rng)
        del games
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    games.step_random(rng)


def test_threads_sleep_between_steps():
    """Steps that come late find the threads asleep, and many that come at once find them awake."""
    games = CotulenhVector(64, threads=3)
    rng = np.random.default_rng(1)
    for pause in [0.0, 0.0001, 0.001, 0.01] * 25:
        games.step_random(rng)
        time.sleep(pause)
    spent = time.process_time()
    time.sleep(0.2)
    assert time.process_time() - spent < 0.1


@pytest.mark.parametrize("make", [CotulenhVector, TractorVector])
def test_a_random_step_is_a_sample_and_a_step(make):
    apart, at_once = make(40, threads=1), make(40, threads=3)
    rngs = [np.random.default_rng(5) for _ in range(2)]
    for _ in range(200):
        actions = apart.sample(rngs[0])
        apart.step(actions)
        assert (at_once.step_random(rngs[1]) == actions).all()
        for name in ("observations", "counts", "rewards", "done", "players"):
            assert (apart.arrays[name] == at_once.arrays[name]).all()


def test_a_batch_is_used_by_one_thread_at_a_time():
    """A second thread that comes while a step runs is told so, and the games are whole afterwards."""
    games = CotulenhVector(512, threads=1)
    met, stop = threading.Event(), threading.Event()

    def reset_again_and_again() -> None:
        while not stop.is_set():
            try:
                games.reset()
            except (RuntimeError, BufferError):
                met.set()

    other = threading.Thread(target=reset_again_and_again)
    other.start()
    while not met.is_set():
        try:
            games.reset()
        except (RuntimeError, BufferError):
            met.set()
    stop.set()
    other.join()
    games.reset()
    assert games.fens() == [Board().fen()] * 512


def test_players_act_in_either_form():
    """A play need not be among the candidates; what is not legal is refused with the reason, and nothing has changed."""
    player = TractorPlayer("easy", seed=1)
    unlisted = 0
    for form in ("cards", "candidates"):
        for seed in range(40):
            env = TractorEnv(seed=seed, form=form)
            over = False
            while not over:
                event = player.act(env.view(env.player()))
                unlisted += env.actions_of(event) is None
                over = env.apply(event)
            assert env.stage() == "over" and sum(env.rewards()) == 0
    assert unlisted > 0
    env = TractorEnv(seed=3, form="candidates")
    events = env.events()
    with pytest.raises(IllegalActionError):
        env.apply(f"bury {env.player()} 2H0")
    with pytest.raises(IllegalActionError):
        env.apply(f"pass {(env.player() + 1) % 4}")
    with pytest.raises(ValueError):
        env.apply("nonsense")
    assert env.events() == events
