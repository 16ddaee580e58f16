"""The repository's recorded answers, asked through Python."""

import gzip
import json

import pytest
from convoy_games import ConvoyError
from convoy_games.cotulenh import Board
from convoy_games.stack import Table
from convoy_games.tractor import Game, Judge


def records(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def rows(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def test_golden_positions(crates):
    compared = 0
    for record in records(crates / "cotulenh/tests/data/golden.jsonl.gz"):
        if record["attack"]:
            continue
        board = Board(record["fen"])
        ours, theirs = {board.lan(move) for move in board.legal_moves}, set(record["legal"].split())
        # A step that no commit can follow is not offered; only the reference lists it.
        assert ours <= theirs and all(">" in lan for lan in theirs - ours), record["fen"]
        assert board.is_check() == record["check"]
        compared += 1
    assert compared > 250


def without_clock(fen: str) -> list[str]:
    """The reference forgets to reset the half-move clock in some turns."""
    fields = fen.split()
    return [*fields[:4], *fields[5:]]


def test_recorded_games(crates):
    turns = same = 0
    with gzip.open(crates / "cotulenh/tests/data/games.txt.gz", "rt", encoding="utf-8") as file:
        board = None
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0].startswith("game "):
                board = Board(fields[1])
                continue
            mark, actions = fields[0][0], fields[0][1:].split(" ")
            if mark == "-":
                board = Board(fields[2])
                continue
            for action in actions:
                board.push_san(action)
            assert without_clock(board.fen()) == without_clock(fields[2]), line
            turns += 1
            # The reference leaves some hints of first steps and full ranks out.
            same += board.sans()[-1] == fields[1]
            # Only this turn has to be named again.
            board = Board(fields[2])
    assert turns == 23_834 and same > 23_600


def test_perft(crates):
    counted = 0
    for line in (crates / "cotulenh/tests/data/positions.perft").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        fen, steps, counts, *_ = [part.strip() for part in line.split(";")]
        board = Board(fen)
        for step in steps.split():
            board.push_san(step)
        for depth, count in enumerate(counts.split()[:2], 1):
            assert board.perft(depth) == int(count), line
            counted += 1
    assert counted > 20


def test_malformed_fens(crates):
    for name, fen, verdict in rows(crates / "cotulenh/tests/data/robust-fen.tsv"):
        fen = fen.replace("\\t", "\t").replace("\\n", "\n")
        if verdict.startswith("ok"):
            assert Board(fen).fen() == verdict.removeprefix("ok").strip(), name
        else:
            with pytest.raises(ConvoyError) as refused:
                Board(fen)
            assert str(refused.value) == verdict, name


def test_stacks(crates):
    table = Table()
    lawful = {}
    letters = "cimagstfenh"
    for line in (crates / "stack/tests/data/cotulenh.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("stack "):
            _, mask, stack = line.split()
            lawful[int(mask)] = stack
    for mask in range(1, 2048):
        pieces = "".join(letter for bit, letter in enumerate(letters) if mask >> bit & 1).upper()
        if mask in lawful:
            assert table.combine(pieces).replace("|", "").lower() == lawful[mask]
        else:
            assert not table.is_lawful(pieces)


def test_deals(crates):
    for line in (crates / "tractor/tests/data/deals.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, _words, deck = [part.strip() for part in line.split(":")]
        seed, number = head.split()
        if number != "1":
            continue
        game = Game(seed=seed)
        game.deal()
        cards = deck.split()
        for seat in range(4):
            assert sorted(game.hand(seat)) == sorted(cards[seat:100:4])


def trump(record) -> str:
    return record["trump"]["rank"] + (record["trump"].get("suit") or "N")


def test_verdicts_of_shengji(crates):
    compared = 0
    for record in records(crates / "tractor/tests/data/shengji-play.jsonl.gz"):
        judge = Judge(trump(record), "shengji")
        if record["k"] == "follow":
            for play, legal in record["tries"]:
                try:
                    judge.check_follow(" ".join(record["lead"]), " ".join(record["hand"]), " ".join(play))
                    allowed = True
                except ConvoyError:
                    allowed = False
                assert allowed == bool(legal), record["id"]
                compared += 1
        elif record["k"] == "trick" and "winnerOffset" in record:
            plays = [" ".join(play) for play in record["plays"]]
            assert judge.winner(plays) == record["winnerOffset"], record["id"]
            compared += 1
    assert compared > 300


def test_worked_examples_of_tractor(crates):
    compared = 0
    for record in records(crates / "tractor/tests/data/vectors.jsonl.gz"):
        if record["kind"] != "combo" or "components" not in record["expect"]:
            continue
        cards = record["cards"].replace("SJ", "sj").replace("BJ", "bj").replace("10", "T")
        found = Judge(record["trump"]).components(cards)
        kinds = sorted(kind.split()[0] for kind, _ in found)
        assert kinds == sorted(part[0] for part in record["expect"]["components"]), record["id"]
        compared += 1
    assert compared > 5
