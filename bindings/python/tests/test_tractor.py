"""Rounds, views, house rules and records of Tractor, and who may carry whom."""

import pickle
import random

import pytest
from convoy_games import IllegalEventError, InvalidTextError, tractor
from convoy_games.stack import COTULENH_BLUEPRINT, Table
from convoy_games.tractor import Game, View


def play_round(game: Game, rng: random.Random) -> None:
    game.deal()
    game.close()
    game.bury(rng.sample(game.hand(game.turn), 8))
    while game.stage != "over":
        view = game.view(game.turn)
        game.play(rng.choice(view.legal_plays(50)))


@pytest.mark.parametrize("rules", [*tractor.PRESETS, "default follow_policy=strict throw_mode=challenge"])
def test_rounds_can_be_played_and_replayed(rules):
    for seed in range(5):
        game = Game(seed=seed, rules=rules)
        play_round(game, random.Random(seed))
        winner, points, rise = game.result()
        assert winner in "AB" and points % 5 == 0 and rise >= 0
        again = Game.from_record(game.record())
        assert again == game and again.events() == game.events()
        assert pickle.loads(pickle.dumps(game)) == game
        game.next_round(seed + 1)
        assert game.round_number == 2 and game.stage == "dealing"


def test_a_view_tells_nothing_hidden():
    game = Game(seed=3)
    game.deal()
    view = game.view(1)
    assert view.hand == game.hand(1)
    text = view.to_json()
    for card in game.hand(0):
        assert f'"{card}"' not in text
    assert View.from_json(text) == view
    assert game.view().hand == [] and game.view().viewer is None


def test_what_is_refused_changes_nothing():
    game = Game(seed=3)
    before = game.record()
    for act in [
        lambda: game.play(["AS0"]),
        lambda: game.bury(["AS0"]),
        lambda: game.declare(0, ["2H0"]),
        lambda: game.pass_(0),
        lambda: game.next_round(1),
        lambda: game.deal(101),
        lambda: game.view(0).legal_plays(),
    ]:
        with pytest.raises(IllegalEventError):
            act()
    for act in [
        lambda: game.apply("jump 3"),
        lambda: game.declare(0, ["1X0"]),
        lambda: game.declare(7, ["2H0"]),
        lambda: Game(rules="default no_such=1"),
        lambda: Game(seed="abc"),
        lambda: Game.from_record("nonsense"),
        lambda: View.from_json("{}"),
    ]:
        with pytest.raises(InvalidTextError):
            act()
    assert game.record() == before


def test_house_rules():
    rules = tractor.parse_rules("default throw_penalty=10")
    assert rules == "default throw_penalty=10" and Game(rules=rules).rules == rules
    names = [name for name, value, doc in tractor.switches() if value and doc]
    assert "follow_policy" in names and len(names) == len(set(names)) > 20


def test_stacks():
    table = Table()
    assert table.combine("TNF") == "N|FT" and len(table.lawful()) == 34
    assert not table.is_lawful("CI") and table.is_lawful("HC")
    assert len(table.splits("NFT")) == 5
    with pytest.raises(InvalidTextError):
        table.combine("CI")
    assert Table(COTULENH_BLUEPRINT).lawful() == table.lawful()
    with pytest.raises(InvalidTextError):
        Table("role")
