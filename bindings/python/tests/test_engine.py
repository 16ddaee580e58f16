"""The computer players in this process, and python-chess's protocol code with the program."""

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


def test_python_chess_drives_the_program(convoy):
    """The protocol code of python-chess shakes hands, sets options, searches and stops."""

    async def talk() -> None:
        transport, engine = await chess.engine.popen_uci([convoy, "uci"])
        assert "Convoy" in engine.id["name"]
        assert "Hash" in engine.options
        await engine.configure({"Hash": 4})
        await engine.ping()
        # Its boards are those of chess, so the position is sent as text; everything else is the library's.
        lines: list[str] = []
        original = engine.line_received

        def received(line: str) -> None:
            lines.append(line)
            if line.startswith("bestmove"):
                found.set()
            else:
                original(line)

        import asyncio

        found = asyncio.Event()
        engine.line_received = received
        engine.send_line("position startpos")
        engine.send_line("go nodes 2000")
        await asyncio.wait_for(found.wait(), timeout=60)
        best = lines[-1].split()[1]
        board = Board()
        board.push_san(best)
        assert board.turn_count == 1
        engine.line_received = original
        await engine.ping()
        await engine.quit()

    import asyncio

    asyncio.run(talk())
