"""The computer players in this process, and python-chess's protocol code with the program."""

import asyncio
import threading

import chess.engine
import pytest
from convoy_games import IllegalMoveError, InvalidTextError
from convoy_games.cotulenh import Board
from convoy_games.engine import Engine, TractorPlayer
from convoy_games.tractor import Game


def test_the_engine_finds_a_mate():
    board = Board("11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1")
    engine = Engine()
    best, *_ = engine.analyse(board, nodes=5000)
    assert best.mate == 1 and best.nodes >= 1 and best.depth >= 1
    for move in engine.play(board, nodes=5000):
        board.push(move)
    assert board.is_game_over() and engine.play(board, nodes=100) == []


def test_multipv_and_levels():
    lines = Engine().analyse(Board(), depth=2, multipv=3)
    assert len(lines) == 3
    assert sorted((line.score for line in lines), reverse=True) == [line.score for line in lines]
    with pytest.raises(InvalidTextError, match="levels are 1 to 10"):
        Engine(level=11)
    with pytest.raises(InvalidTextError):
        Engine().play(Board(), time=-1.0)
    deploy = Board("6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1 e4:(FI):T>e6...")
    with pytest.raises(IllegalMoveError):
        Engine().evaluate(deploy)
    assert isinstance(Engine().evaluate(Board()), int)


def test_players_of_different_threads_play_at_once():
    """Both games go on while the other thinks: the interpreter is released."""
    results = {}

    def play(name: int) -> None:
        engine, board = Engine(level=2), Board()
        while board.turn_count < 6:
            for move in engine.play(board, nodes=200):
                board.push(move)
        results[name] = board.fen()

    threads = [threading.Thread(target=play, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results.values())) == 1 and len(results) == 3


@pytest.mark.parametrize("level", ["random", "scripted", "easy", "normal"])
def test_tractor_players_play_legal_rounds(level):
    for seed in range(3):
        game, player = Game(seed=seed), TractorPlayer(level, seed=seed)
        game.deal()
        for seat in range(4):
            event = player.act(game.view(seat))
            game.apply(event)
        if game.stage == "dealing":
            game.close()
        while game.stage != "over":
            game.apply(player.act(game.view(game.turn)))
        assert game.result() is not None and player.act(game.view(0)) is None


def test_hints_are_told_in_words():
    game = Game(seed=1)
    game.deal()
    game.close()
    player = TractorPlayer("strong", rollouts=50)
    game.apply(player.act(game.view(game.turn)))
    cards, _points, words = player.hint(game.view(game.turn))
    game.view(game.turn).check(cards)
    assert words.startswith("play ")
    with pytest.raises(InvalidTextError):
        TractorPlayer("sleepy")


class ChessBoard:
    """What python-chess asks of a board of chess, answered by one of ours."""

    uci_variant, chess960 = "chess", False

    def __init__(self, board: Board | None = None) -> None:
        self.board = board or Board()
        self.turn = self.board.turn

    @property
    def move_stack(self) -> list["Turn"]:
        return [Turn(lan) for lan in self.board.lans()]

    def copy(self, *, stack: bool = True) -> "ChessBoard":
        return ChessBoard(self.board.copy())

    def root(self) -> "ChessBoard":
        board = self.board.copy()
        while board.pop_turn():
            pass
        return ChessBoard(board)

    def fen(self, **_) -> str:
        return self.board.fen()

    def push_uci(self, text: str) -> "Turn":
        """python-chess hands the moves of `bestmove` over in small letters."""
        (found,) = [(lan, moves) for lan, moves in self.board.legal_turns() if lan.lower() == text.lower()]
        for move in found[1]:
            self.board.push(move)
        return Turn(found[0])

    def parse_uci(self, text: str) -> "Turn":
        return self.copy().push_uci(text)

    def pop(self) -> None:
        self.board.pop_turn()


class Turn:
    def __init__(self, lan: str) -> None:
        self.lan = lan

    def uci(self) -> str:
        return self.lan


def test_python_chess_drives_the_program(convoy):
    """Its protocol code shakes hands, sets options, plays, analyses, is interrupted, keeps to clocks and quits."""

    async def talk() -> None:
        _, engine = await chess.engine.popen_uci([convoy, "uci"])
        assert "Convoy" in engine.id["name"]
        await engine.configure({"Hash": 4, "Level": 10})
        await engine.ping()
        game = ChessBoard()
        for turn in range(1, 5):
            played = await engine.play(game, chess.engine.Limit(nodes=300), info=chess.engine.INFO_ALL)
            assert played.info["nodes"] >= 300 and played.info["score"].pov(game.turn) is not None
            game.push_uci(played.move.uci())
            assert game.board.turn_count == turn
        lines = await engine.analyse(game, chess.engine.Limit(nodes=2000), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        with await engine.analysis(game) as analysis:
            await analysis.get()
        clocks = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
        assert (await engine.play(game, clocks)).move is not None
        mate = ChessBoard(Board("11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1"))
        played = await engine.play(mate, chess.engine.Limit(nodes=5000), info=chess.engine.INFO_SCORE)
        assert played.move.uci() == "Af8c11" and played.info["score"].relative == chess.engine.Mate(1)
        await engine.quit()

    asyncio.run(talk())
