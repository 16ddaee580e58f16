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


def deal(seed: int):
    state = pyspiel.load_game("python_tractor").new_initial_state()
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
    assert tensor[1896:].sum() == 100
    assert tensor.size == 1896 + 25 * 4 * 54


def test_house_rules_are_a_parameter():
    game = pyspiel.load_game("python_tractor", {"rules": "shengji"})
    assert game.get_parameters()["rules"] == "shengji"
    assert openspiel.TractorGame({"rules": "shengji"}).rules == "shengji"
