"""PGN files: many games, broken ones among them, read one after the other."""

import gc
import io
import os
import pickle
import random

import pytest
from conftest import resident
from convoy_games import IllegalMoveError, InvalidPgnError, InvalidTextError, cotulenh
from convoy_games.cotulenh import Board, Game

#: What is wrong with a game, one way each; `{}` is its number.
BROKEN = [
    '[Event "{}"]\n\n1. Ic6 {no end\n2. Ik6 *\n\n',
    '[Event "{}"]\n\n1. Ic6 (1. Ik6 {no end *\n\n',
    '[Event "{}"]\n\n1. Ic6 (1. Ik6 Mg7 *\n\n',
    '[Event "{}"]\n\n1. Ic6 Mg99 2. Ik6 *\n\n',
    '[Event "{}"]\n\n1. Ic6 Mg7\n\n',
    '[Event "{}"]\n\n1. Ic6 } Mg7 $999 *\n\n',
    '[Event "{}"]\n[Event "{}"]\n\n1. Ic6 Mg7 *\n\n',
    '[Event "{}"]\n[FEN "nonsense"]\n\n1. Ic6 Mg7 *\n\n',
    '[Event "{}"]\n\n',
]


def good(number: int) -> str:
    return f'[Event "{number}"]\n\n1. Ic6 $1 {{quiet {{}} (1. Ik6 {{better}} (1. Mg6) 1... Mg7) 1... Mg7 $6\n2. Ik6 {{[%cal Gk5k6]}} *\n\n'


def random_game(seed: int, moves: int) -> Game:
    rng, board = random.Random(seed), Board()
    for _ in range(moves):
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(rng.choice(legal))
    return Game(board)


def lines(games: int):
    """A file of so many games, every seventh of them broken, line by line."""
    for number in range(games):
        game = BROKEN[number % len(BROKEN)].replace("{}", str(number)) if number % 7 == 3 else good(number)
        yield from game.splitlines(keepends=True)


def check(number: int, game: Game) -> None:
    assert game.headers["Event"] == str(number)
    assert bool(game.errors) == (number % 7 == 3), number
    assert all(type(error) is InvalidPgnError and error.code == "bad-pgn" for error in game.errors)
    if not game.errors:
        assert game == Game.from_pgn(good(number))


def test_games_are_read_one_by_one():
    games = []
    for seed in range(30):
        game = random_game(seed, 25)
        game.set_header("Event", str(seed))
        game.set_comment(1, '\n[Event "not a tag"]\n')
        games.append(game)
    text = "\n".join(game.pgn() for game in games)
    assert list(cotulenh.read_games(io.StringIO(text))) == games
    file = io.StringIO(text)
    assert [cotulenh.read_game(file) for _ in games] == games and cotulenh.read_game(file) is None


def test_broken_games_in_a_large_file_cost_no_other_game():
    """Ten thousand games; the memory does not grow with their number."""
    for number, game in enumerate(cotulenh.read_games(lines(1000))):
        check(number, game)
    gc.collect()
    before, read = resident(), 0
    for number, game in enumerate(cotulenh.read_games(lines(10_000))):
        check(number, game)
        read += 1
    assert read == 10_000 and resident() - before < 4 * 2**20


def test_a_file_is_left_behind_the_game_that_was_read(tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text("".join(lines(200)), encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        places = []
        for number in range(200):
            places.append(file.tell())
            check(number, cotulenh.read_game(file))
        assert cotulenh.read_game(file) is None
        for number in [150, 3, 77]:
            file.seek(places[number])
            check(number, cotulenh.read_game(file))


def test_a_pipe_is_read_too():
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as file:
        file.write("".join(lines(40)))
    with os.fdopen(reader) as file:
        for number, game in enumerate(cotulenh.read_games(file)):
            check(number, game)
        assert number == 39


def test_games_without_tags_are_told_apart():
    good = "1. Ic6 {so} (1. Ik6) Mg7 $1 *\n\n"
    broken = ["1. Ic6 {no end\n2. Ik6 *\n\n", "1. Ic6 (1. Ik6 *\n\n", "1. Ic99 Mg7 *\n\n", "1. Ic6 Mg7\n\n", "1. Ic6 (1. Ik6\n\n"]
    text = "".join(broken[number % 5] if number % 4 == 1 else good for number in range(400))
    for read in [list(cotulenh.read_games(io.StringIO(text))), read_all(text)]:
        assert len(read) == 400
        for number, game in enumerate(read):
            assert bool(game.errors) == (number % 4 == 1)
            assert game.errors or game == Game.from_pgn(good)


def read_all(text: str) -> list[Game]:
    file, games = io.StringIO(text), []
    while (game := cotulenh.read_game(file)) is not None:
        games.append(game)
    return games


def test_several_games_on_a_line():
    text = '1. Ic6 * 1. Ik6 Mg7 1-0 [Red "Án"] 1. Mg6 *\n'
    for games in [list(cotulenh.read_games(io.StringIO(text))), read_all(text)]:
        assert [game.sans() for game in games] == [["Ic6"], ["Ik6", "Mg7"], ["Mg6"]]
        assert games[2].headers["Red"] == "Án" and not any(game.errors for game in games)


def test_errors_tell_where_and_what_is_read_is_kept():
    text = good(0) + '[Red "An"]\n[Result "1-0"]\n\n1. Ic6 (1. Ik6 Mg99 2. Ic6) Mg7 $999 {so}\n2. Ik99 {lost} 1-0\n\n' + good(2)
    _, broken, last = cotulenh.read_games(io.StringIO(text))
    assert [error.at for error in broken.errors] == [{"line": 9, "column": 16}, {"line": 9, "column": 33}, {"line": 10, "column": 4}]
    assert str(broken.errors[2]).startswith("line 10, column 4, move 2: ")
    assert broken.sans() == ["Ic6", "Mg7"] and broken.comment(2) == "so" and broken.result == "1-0"
    assert [node.san for node in broken.root.variations] == ["Ic6", "Ik6"]
    again = pickle.loads(pickle.dumps(broken))
    assert again == broken and [error.at for error in again.errors] == [error.at for error in broken.errors]
    assert not last.errors
    file = io.StringIO(text)
    assert cotulenh.read_game(file).errors == []
    assert cotulenh.read_game(file).errors[0].at == {"line": 5, "column": 16}
    with pytest.raises(InvalidPgnError, match="line 4, column 16, move 1"):
        Game.from_pgn(text[len(good(0)) :])


def test_a_tree_is_made_and_changed():
    game = Game.from_pgn("1. Ic6 (1. Ik6 $6 {[%csl Gk6] [%clk 0:05:00] better} 1... Mg7) 1... Mg7 *")
    first, other = game.root.variations
    assert other.nags == [6] and other.comment == "better" and other.shapes == ["Gk6"] and other.clock == 300.0
    assert first.is_main_line and not other.is_main_line and other.next().san == "Mg7" and other.next().lan == "Mg8g7"
    assert other.board().sans() == ["Ik6"] and game.root.san is None and game.root.parent is None and other.parent == game.root
    assert [str(move) for move in other.moves] == ["Ik5k6"] and len({first, other, *game.root.variations}) == 2
    other.promote()
    assert game.sans() == ["Ik6", "Mg7"] and [node.san for node in game.main_line()] == game.sans()
    first.make_main_line()
    added = other.add_variation("Mf8")
    assert other.add_variation("Mf8") == added
    added.nags, added.clock = [1, 1], 7.5
    assert game.copy() == game == Game.from_pgn(str(game)) == pickle.loads(pickle.dumps(game))
    twin = game.copy()
    added.remove()
    assert twin != game and added not in other.variations
    with pytest.raises(IndexError):
        added.comment
    with pytest.raises(IllegalMoveError) as refused:
        other.add_variation("Mg99")
    assert refused.value.code == "bad-notation"
    for act in [
        lambda: setattr(first, "comment", "a } b"),
        lambda: setattr(first, "nags", [256]),
        lambda: setattr(first, "shapes", ["x"]),
        lambda: setattr(first, "clock", -1.0),
        lambda: game.root.remove(),
        lambda: game.set_comment(9, "x"),
        lambda: game.set_header("FEN", "x"),
    ]:
        with pytest.raises(InvalidTextError):
            act()
