"""Copies and pickles: what goes to another process is what was sent, and stays apart from it."""

import copy
import multiprocessing
import pickle
import random

import numpy as np
import pytest
from convoy_games._native import CotulenhEnv, TractorEnv
from convoy_games.cotulenh import Board, Game, Outcome
from convoy_games.engine import Engine, TractorPlayer
from convoy_games.envs import cotulenh_v0, single, tractor_v0
from convoy_games.stack import Table
from convoy_games.tractor import Game as Round
from convoy_games.tractor import Judge
from convoy_games.vector import CotulenhVector


def twins(value):
    """A value as it comes out of every way to copy it."""
    yield copy.copy(value)
    yield copy.deepcopy(value)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))


def a_round(seed: int, plays: int) -> Round:
    game, player = Round(seed=seed, rules="default throw_penalty=10"), TractorPlayer("easy")
    game.deal()
    game.close()
    for _ in range(plays):
        game.apply(player.act(game.view(game.turn)))
    return game


def test_values_come_out_equal():
    board = Board()
    for san in ["F&c4", "Mg7", "Ic6"]:
        board.push_san(san)
    open_deploy = Board("6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1")
    open_deploy.push_san("T>e6")
    game = Game(board)
    game.set_comment(1, "so")
    mate = Board("4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1")
    round_ = a_round(3, 30)
    values = [board, open_deploy, game, board.legal_moves[0], mate.outcome(), Outcome(None, "fifty"), round_]
    values += [round_.view(seat) for seat in (0, 1, 2, 3, None)]
    for value in values:
        for twin in twins(value):
            assert type(twin) is type(value) and twin == value
    for twin in twins(open_deploy):
        twin.push_san(".")
        assert twin != open_deploy and open_deploy.is_deploy_open and twin.move_stack[:-1] == open_deploy.move_stack
    for judge in twins(Judge("2H", "shengji")):
        assert repr(judge) == repr(Judge("2H", "shengji"))
    for table in twins(Table()):
        assert table.lawful() == Table().lawful() and table.blueprint == Table().blueprint


def test_players_come_out_as_they_were_made():
    for engine in twins(Engine(level=3, threads=2, hash_mib=2, seed=9)):
        assert engine.level == 3 and engine.play(Board(), nodes=50) == Engine(level=3, threads=2, hash_mib=2, seed=9).play(Board(), nodes=50)
    best = Engine().analyse(Board(), depth=2)[0]
    for line in twins(best):
        assert (line.score, line.mate, line.depth, line.nodes, line.time, line.pv) == (
            best.score,
            best.mate,
            best.depth,
            best.nodes,
            best.time,
            best.pv,
        )
    player, view = TractorPlayer("strong", seed=4, rollouts=40), a_round(3, 20)
    for twin in twins(player):
        assert twin.level == "strong" and twin.act(view.view(view.turn)) == player.act(view.view(view.turn))


def shuffle(env: CotulenhEnv) -> None:
    """Moves back and forth, so that a position comes again."""
    for lan in ["Ic5c6", "Mg8g7", "Ic6c5", "Mg7g8"]:
        env.step(env.index_of(Board(env.fen()).parse_san(lan)))


def test_environments_of_cotulenh_go_on_alike():
    env = CotulenhEnv()
    shuffle(env)
    seen = np.empty(33 * 12 * 11, np.uint8)
    env.observe(seen)
    assert seen[31 * 132] == 1, "the position comes a second time"
    for twin in twins(env):
        there = np.empty_like(seen)
        twin.observe(there)
        assert (there == seen).all() and (twin.legal() == env.legal()).all()
        shuffle(twin)
        assert twin.outcome().reason == "threefold" and env.outcome() is None
    rng, env = random.Random(2), CotulenhEnv()
    while env.outcome() is None:
        env.step(int(rng.choice(env.legal())))
        if rng.random() < 0.1:
            env = pickle.loads(pickle.dumps(env))
    for twin in twins(env):
        assert twin.outcome() == env.outcome() and len(twin.legal()) == 0


@pytest.mark.parametrize("form", ["cards", "candidates"])
@pytest.mark.parametrize("start", ["first", "random"])
def test_environments_of_tractor_go_on_alike(form, start):
    rng = random.Random(form + start)
    env = TractorEnv(seed=6, rules="shengji", form=form, start=start, reward="points")
    player = TractorPlayer("easy", seed=1)
    for _ in range(3):
        while env.stage() != "over":
            if rng.random() < 0.3 and not env.laid():
                env.apply(player.act(env.view(env.player())))
            else:
                env.step(rng.choice([action for action in range(128) if env.is_legal(action)]))
            if rng.random() < 0.05:
                for twin in twins(env):
                    assert twin.events() == env.events() and twin.laid() == env.laid() and twin.player() == env.player()
                    assert (twin.mask() == env.mask()).all() and (twin.candidates() == env.candidates()).all()
                env = twin
        twin = pickle.loads(pickle.dumps(env))
        assert twin.rewards() == env.rewards() and twin.points() == env.points()
        # The rounds that follow are the same too.
        twin.reset()
        env.reset()
        assert twin.view(0) == env.view(0)


@pytest.mark.parametrize("module", [cotulenh_v0, tractor_v0])
def test_environments_of_pettingzoo_can_be_sent(module):
    env = module.env()
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(12):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    for twin in twins(env):
        if twin.unwrapped is env.unwrapped:
            continue  # copy.copy shares what it wraps, as it does everywhere in Python
        before = env.last()[0]["observation"].copy()
        assert (twin.last()[0]["observation"] == before).all()
        twin.step(int(np.flatnonzero(twin.last()[0]["action_mask"])[0]))
        assert (env.last()[0]["observation"] == before).all()


@pytest.mark.parametrize("make", [lambda: single.CotulenhSingle(opponent=1, nodes=50), lambda: single.TractorSingle(others="easy")])
def test_environments_of_gymnasium_can_be_sent(make):
    env = make()
    observation, _ = env.reset(seed=4)
    env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(5):
        seen = [each.step(first_legal(each)) for each in (env, twin)]
        assert (seen[0][0]["observation"] == seen[1][0]["observation"]).all()


def first_legal(env) -> int:
    if isinstance(env, single.CotulenhSingle):
        return int(env._env.legal()[0])
    return int(np.flatnonzero(env._env.mask())[0])


def count_moves(board: Board) -> tuple[int, Board]:
    board.push(board.legal_moves[0])
    return len(board.legal_moves), board


def test_boards_go_to_other_processes_and_back():
    boards = [Board() for _ in range(4)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        answers = pool.map(count_moves, boards)
    for count, board in answers:
        assert count == len(board.legal_moves) and board.turn_count == 1
    assert all(board.turn_count == 0 for board in boards)


def test_a_batch_is_bound_to_its_process():
    """Its threads and its memory are; what is sent is a reason and no half of it."""
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(CotulenhVector(2, threads=1))
