"""The one rule surface, and the codes of everything that is refused."""

import json
import re
import subprocess
import threading
from pathlib import Path

import convoy_games
import numpy as np
import pytest
from convoy_games import ConvoyError, IllegalEventError, IllegalMoveError, InvalidFenError, InvalidTextError, QueryError, query
from convoy_games._native import CotulenhEnv
from convoy_games.cotulenh import Board, Game, parse_square
from convoy_games.engine import Engine
from convoy_games.stack import Table
from convoy_games.tractor import Game as Round
from convoy_games.tractor import Judge
from convoy_games.vector import CotulenhVector

ROOT = Path(__file__).resolve().parents[3]


def examples() -> list[str]:
    """Every question of the pages of the protocol."""
    found = []
    for page in ["protocol.md", "protocol-tractor.md"]:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        found += [line for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    return [line for line in found if line.startswith("{") and '"op":' in line]


def test_every_question_is_answered_as_the_program_does(convoy):
    lines = [*examples(), '{"game":"go"}', "[]", "{", '{"id":[1],"game":"cotulenh","op":"fen","fen":"x"}']
    assert len(lines) > 40
    answers = subprocess.run([convoy, "query"], input="\n".join(lines), capture_output=True, text=True, check=True).stdout.splitlines()
    errors = 0
    for line, answer in zip(lines, answers, strict=True):
        assert query(line) == answer and query(line.encode()) == answer.encode()
        try:
            question = json.loads(line)
        except ValueError:
            continue
        if not isinstance(question, dict):
            continue
        if "error" not in json.loads(answer):
            assert query(question) == json.loads(answer)
            continue
        with pytest.raises(ConvoyError) as refused:
            query(question)
        error = json.loads(answer)["error"]
        assert (refused.value.code, str(refused.value)) == (error["code"], error["message"])
        assert (refused.value.reason, refused.value.at) == (error.get("reason"), error.get("at"))
        errors += 1
    assert errors > 3


def test_whatever_a_line_holds_there_is_an_answer():
    for line in ["", "\n", "null", "\udc80", "x" * (2**20 + 1), b"\xff", '{"game":1}']:
        assert json.loads(query(line))["error"]["code"] in ("malformed", "too-long")
    for question in [{}, {"game": "go", "op": "fen"}, {"game": "cotulenh", "op": "nothing"}, {"game": "cotulenh", "op": "fen", "x": 1}]:
        with pytest.raises(QueryError):
            query(question)
    for question in [{"game": "cotulenh", "op": {1}}, 7, None]:
        with pytest.raises(TypeError):
            query(question)


def test_questions_of_several_threads_are_answered_at_once():
    answers = []
    ask = lambda: answers.append(query({"game": "cotulenh", "op": "perft", "depth": 2})["nodes"])  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [13_460] * 4


def codes() -> set[str]:
    """The codes of docs/protocol.md."""
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    table = text.split("## Codes")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE))


def test_every_exception_has_a_code_of_the_protocol():
    known = codes()
    assert len(known) > 25
    classes = [value for value in vars(convoy_games).values() if isinstance(value, type) and issubclass(value, ConvoyError)]
    assert len(classes) == 9 and {error.code for error in classes} <= known
    mate = Board("4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1")
    open_deploy = Board("6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(FI):T>e6...")
    first = Board().legal_moves[0]
    for act, error, code, reason in [
        (lambda: Board("x"), InvalidFenError, "bad-fen", "fields"),
        (lambda: Board().push_san("Ic9"), IllegalMoveError, "illegal-move", "no-move"),
        (lambda: Board().push_san("Ic5c9"), IllegalMoveError, "illegal-move", "unreachable"),
        (lambda: Board().push_san("?"), IllegalMoveError, "bad-notation", None),
        (lambda: Board().parse_san("Zz9"), IllegalMoveError, "bad-notation", None),
        (lambda: Board().parse_turn("Ic5c9"), IllegalMoveError, "illegal-move", "unreachable"),
        (lambda: mate.push_san("Ck2"), IllegalMoveError, "game-over", None),
        (lambda: mate.push(first), IllegalMoveError, "game-over", None),
        (lambda: open_deploy.push(first), IllegalMoveError, "illegal-move", "deploy-open"),
        (lambda: open_deploy.san(first), IllegalMoveError, "illegal-move", "deploy-open"),
        (lambda: Engine().evaluate(open_deploy), IllegalMoveError, "illegal-move", None),
        (lambda: Game.from_pgn("1. Ic9 *"), convoy_games.InvalidPgnError, "bad-pgn", None),
        (lambda: parse_square("z9"), InvalidTextError, "bad-square", None),
        (lambda: Table().combine("CI"), InvalidTextError, "cannot-combine", None),
        (lambda: Round(rules="default no_such=1"), InvalidTextError, "rules", None),
        (lambda: Round().declare(0, ["1X0"]), InvalidTextError, "cards", None),
        (lambda: Round().play(["AS0"]), IllegalEventError, "illegal", None),
        (lambda: Judge("2H").components("1X"), InvalidTextError, "cards", None),
        (lambda: Judge("2H").winner(["AS KH"]), IllegalEventError, "lead", None),
        (lambda: CotulenhEnv().step(-1), convoy_games.IllegalActionError, "illegal", None),
        (lambda: CotulenhVector(1, threads=1).step(np.zeros(2)), convoy_games.BufferError, "malformed", None),
    ]:
        with pytest.raises(error) as refused:
            act()
        assert type(refused.value) is error, refused.value
        assert (refused.value.code, refused.value.reason) == (code, reason), refused.value
        assert code in known
