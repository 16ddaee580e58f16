"""OpenSpiel: its random simulations and playthroughs, and the imperfect-information API."""

import random

import numpy as np
import pyspiel
import pytest
from convoy_games._native import CotulenhEnv
from convoy_games.cotulenh import Board
from convoy_games.engine import Engine
from convoy_games.envs import openspiel
from open_spiel.python.algorithms import generate_playthrough


@pytest.mark.parametrize("name", ["python_cotulenh", "python_tractor"])
def test_random_simulations(name, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=False, verbose=False)


def short_game() -> list[int]:
    """The engine against random play: random games are long, and a playthrough prints every plane of every position."""
    rng, engine, env = random.Random(1), Engine(level=6), CotulenhEnv()
    actions = []
    while env.outcome() is None:
        if env.player() == 0:
            moves = engine.play(Board(env.fen()), nodes=500)
        else:
            moves = [env.move_of(rng.choice(env.legal().tolist()))]
        for move in moves:
            actions.append(env.index_of(move))
            env.step(actions[-1])
    return actions


def test_a_playthrough_of_cotulenh():
    actions = short_game()
    text = generate_playthrough.playthrough("python_cotulenh", actions)
    assert 'GameType.short_name = "python_cotulenh"' in text and f"# State {len(actions)}" in text


def test_a_playthrough_of_tractor():
    text = generate_playthrough.playthrough("python_tractor", None, seed=1)
    assert 'GameType.short_name = "python_tractor"' in text and "IsTerminal() = True" in text


def deal(seed: int, rules: str = "default"):
    state = pyspiel.load_game("python_tractor", {"rules": rules}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(seed & 255)
        seed >>= 8
    return state


def test_information_states_do_not_tell_hidden_cards():
    state = deal(77)
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        player = state.current_player()
        tensor = np.array(state.observation_tensor(player))
        hand = tensor[:128].sum()
        assert hand == len(state.env.view(player).hand)
        for other in range(4):
            if other != player:
                text = state.information_state_string(other)
                hidden = set(state.env.view(player).hand) - set(str(state).split())
                assert not any(f'"{card}"' in text for card in hidden)
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert sum(state.returns()) == 0


def test_an_information_state_has_every_trick():
    state = deal(5)
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    tensor = np.array(state.information_state_tensor(2))
    tricks, declarations, throws = np.split(tensor[1896:], [5400, 5400 + 2592])
    assert tricks.sum() == 100 and throws.size == 25 * 54
    view = state.env.view(2).to_dict()
    assert declarations.sum() == sum(len(made["cards"]) for made in view["declarations"])


def test_an_information_state_forgets_nothing_that_was_declared_or_thrown():
    """Declarations that were overbid, and throws that failed, can be read back."""
    rng = np.random.default_rng(4)
    overbid = failed = 0
    for seed in range(40):
        state = deal(seed, "shengji")
        while not state.is_terminal():
            legal = state.legal_actions()
            ends = [action for action in legal if action == 64 or action >= 66]
            lays = [action for action in legal if action < 64]
            # Declare whenever possible; lead many cards.
            state.apply_action(int(max(ends) if ends and (ends != [64] or not lays or rng.random() < 0.3) else rng.choice(legal)))
        view = state.env.view(1).to_dict()
        tensor = np.array(state.information_state_tensor(1))
        declarations = tensor[1896 + 5400 :][:2592].reshape(12, 4, 54)
        throws = tensor[-25 * 54 :].reshape(25, 54)
        assert [int(part.sum()) for part in declarations if part.any()] == [len(made["cards"]) for made in view["declarations"]]
        thrown = [len((trick["failed"] or {"cards": []})["cards"]) for trick in view["tricks"]]
        assert throws.sum(axis=1).tolist() == thrown + [0] * (25 - len(thrown))
        overbid += len(view["declarations"]) > 1
        failed += any(trick["failed"] for trick in view["tricks"])
    assert overbid > 3 and failed > 3


def test_house_rules_are_a_parameter():
    game = pyspiel.load_game("python_tractor", {"rules": "shengji"})
    assert game.get_parameters()["rules"] == "shengji"
    assert openspiel.TractorGame({"rules": "shengji"}).rules == "shengji"
