"""PettingZoo and Gymnasium."""

import gymnasium
import numpy as np
import pytest
from convoy_games import IllegalActionError, InvalidTextError
from convoy_games.envs import cotulenh_v0, single, tractor_v0
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

BOTH = [cotulenh_v0, tractor_v0]


@pytest.mark.parametrize("module", BOTH)
def test_pettingzoo_api(module, capsys):
    api_test(module.env(), num_cycles=200)


@pytest.mark.parametrize("module", BOTH)
def test_pettingzoo_seeds(module):
    seed_test(module.env, num_cycles=50)


@pytest.mark.parametrize("module", BOTH)
def test_pettingzoo_rendering(module, capsys):
    render_test(module.env)


def play(env, seed: int):
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    history = []
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            history.append((agent, reward, info))
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        action = int(rng.choice(legal))
        history.append((agent, action))
        env.step(action)
    return history


@pytest.mark.parametrize("module", BOTH)
def test_a_seed_makes_a_game(module):
    first = play(module.env(), 5)
    assert first == play(module.env(), 5)
    assert first != play(module.env(), 6)


def test_rewards_and_reasons():
    ends = [entry for entry in play(cotulenh_v0.env(), 1) if len(entry) == 3]
    assert {agent for agent, *_ in ends} == {"red", "blue"}
    assert sum(reward for _, reward, _ in ends) == 0 and all(info["reason"] for *_, info in ends)
    ends = [entry for entry in play(tractor_v0.env(reward="points", start="random"), 1) if len(entry) == 3]
    rewards = {agent: reward for agent, reward, _ in ends}
    assert rewards["seat_0"] == rewards["seat_2"] == -rewards["seat_1"] and len(rewards) == 4


@pytest.mark.parametrize("module", BOTH)
def test_an_illegal_action_is_refused_or_loses(module):
    env = module.env()
    env.reset(seed=1)
    before = env.last()[0]["observation"].copy()
    with pytest.raises(IllegalActionError):
        env.step(env.action_space(env.agent_selection).n - 1)
    assert (env.last()[0]["observation"] == before).all() and not any(env.terminations.values())
    env = module.env(illegal="lose")
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(env.action_space(loser).n - 1)
    assert all(env.terminations.values()) and env.rewards[loser] == -1 and sum(env.rewards.values()) == 0
    with pytest.raises(InvalidTextError):
        module.env(illegal="odd")


@pytest.mark.parametrize("module", BOTH)
@pytest.mark.parametrize("action", [-1, 2**31, 2**70, 0.5, float("nan"), "0", None])
def test_what_is_no_action_is_refused_or_loses(module, action):
    env = module.env()
    env.reset(seed=1)
    before = env.last()[0]
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert all((env.last()[0][name] == before[name]).all() for name in before)
    env = module.env(illegal="lose")
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(action)
    assert env.rewards[loser] == -1 and all(env.terminations.values())


def test_tractor_shows_a_seat_its_own_cards_only():
    env = tractor_v0.env()
    env.reset(seed=3)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert seen["observation"][:128].sum() == len(env.unwrapped.view(agent).hand)
        assert (agent == env.agent_selection) == bool(seen["action_mask"].any())


@pytest.mark.parametrize("name", ["convoy_games/Cotulenh-v0", "convoy_games/Tractor-v0"])
def test_gymnasium_checker(name):
    """It samples without a mask, so illegal actions lose."""
    check_env(gymnasium.make(name, illegal="lose").unwrapped, skip_render_check=False)


@pytest.mark.parametrize("name", ["convoy_games/Cotulenh-v0", "convoy_games/Tractor-v0"])
def test_gymnasium_vectors(name):
    """Each environment of a vector has as many legal actions as it has."""
    envs = gymnasium.make_vec(name, num_envs=3, vectorization_mode="sync")
    observation, _ = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(40):
        # What is over is reset by the next step, whatever its action.
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in observation["action_mask"]]
        observation, *_, info = envs.step(np.array(actions))
    if "legal" in info:
        assert [len(legal) for legal in info["legal"]] == observation["action_mask"].sum(axis=1).tolist()


def test_options_are_checked_at_once():
    for make in [
        lambda: single.CotulenhSingle(color="green"),
        lambda: single.CotulenhSingle(opponent="hard"),
        lambda: single.CotulenhSingle(opponent=11),
        lambda: single.TractorSingle(others="sleepy"),
        lambda: single.TractorSingle(partner="sleepy"),
        lambda: single.TractorSingle(rules="none"),
    ]:
        with pytest.raises(InvalidTextError):
            make()


@pytest.mark.parametrize("opponent", ["random", 1])
def test_a_game_against_the_engine(opponent):
    env = single.CotulenhSingle(opponent=opponent, color="random", nodes=100, render_mode="ansi")
    for seed in range(2):
        observation, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        ended, steps = False, 0
        while not ended and steps < 60:
            observation, reward, ended, _, info = env.step(int(rng.choice(info["legal"])))
            steps += 1
        assert reward in (-1.0, 0.0, 1.0) and "\n" in env.render()
    with pytest.raises(IllegalActionError):
        env.reset(seed=1)
        env.step(-1)


@pytest.mark.parametrize("others", ["random", "easy", "normal"])
def test_a_round_with_the_players(others):
    env = single.TractorSingle(others=others, reward="points")
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        rng, ended = np.random.default_rng(seed), False
        while not ended:
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            observation, reward, ended, _, info = env.step(action)
        assert info["points"] is not None and reward != 0.0
