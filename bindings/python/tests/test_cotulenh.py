"""Boards, games and PGN of Cờ Tư Lệnh."""

import copy
import pickle
import random
import xml.etree.ElementTree as xml

import pytest
from convoy_games import ConvoyError, IllegalMoveError, InvalidFenError, InvalidTextError, QueryError, cotulenh, svg
from convoy_games.cotulenh import BLUE, RED, Board, Game, Move


def random_board(seed: int, moves: int) -> Board:
    rng, board = random.Random(seed), Board()
    for _ in range(moves):
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(rng.choice(legal))
    return board


def test_the_start():
    board = Board()
    assert board.fen() == cotulenh.STARTING_FEN
    assert len(board.legal_moves) == 116
    assert board.turn is RED and board.fullmove_number == 1
    assert board.perft(2) == 13_460
    with pytest.raises(QueryError, match="99 at most") as refused:
        board.perft(65_536)
    assert refused.value.code == "too-much"
    assert board.stack_at(cotulenh.parse_square("g1")) == "C"
    assert len(board.stack_map()) == 38
    assert board.result() == "*" and board.outcome() is None


def test_squares():
    assert [cotulenh.parse_square(name) for name in cotulenh.SQUARE_NAMES] == list(cotulenh.SQUARES)
    with pytest.raises(InvalidTextError, match="l1"):
        cotulenh.parse_square("l1")
    with pytest.raises(InvalidTextError, match="132 is no square"):
        cotulenh.square_name(132)


def test_every_push_can_be_popped():
    for seed in range(10):
        board = random_board(seed, 60)
        fens = [board.fen()]
        moves = board.move_stack
        for move in reversed(moves):
            assert board.pop() == move
            fens.append(board.fen())
        assert board == Board() and board.fen() == Board().fen()
        for move, fen in zip(moves, reversed(fens[:-1]), strict=True):
            board.push(move)
            assert board.fen() == fen
    with pytest.raises(IndexError):
        Board().pop()


def test_texts_read_back():
    for seed in range(20):
        board = random_board(seed, 40)
        for move in board.legal_moves:
            assert board.parse_san(board.san(move)) == move
            assert board.parse_san(board.lan(move)) == move
        assert Board(board.fen()).fen() == board.fen()


def test_what_is_refused_changes_nothing():
    board = Board()
    before = board.fen()
    for text in ["Cg5", "Zz9", "", "Ic5c7", "Nb4"]:
        with pytest.raises(IllegalMoveError):
            board.push_san(text)
    other = Board("6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1")
    foreign = next(move for move in other.legal_moves if move.is_capture)
    with pytest.raises(IllegalMoveError):
        board.push(foreign)
    with pytest.raises(IllegalMoveError):
        board.san(foreign)
    assert foreign not in board.legal_moves and not board.is_legal(foreign)
    with pytest.raises(IndexError):
        board.legal_moves[116]
    assert board.legal_moves[-1] in board.legal_moves
    assert board.fen() == before and board.move_stack == []
    with pytest.raises(InvalidFenError):
        Board("nonsense")
    assert issubclass(IllegalMoveError, ConvoyError) and issubclass(ConvoyError, ValueError)


def test_copies_are_apart():
    board = random_board(3, 30)
    for twin in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
        assert type(twin) is Board and twin == board and twin.move_stack == board.move_stack
        assert hash(twin) == hash(board)
        twin.pop()
        assert twin.fen() != board.fen()
    move = next(iter(board.legal_moves))
    assert pickle.loads(pickle.dumps(move)) == move and Move.from_bits(move.bits) == move


def test_a_deploy_step_by_step():
    board = Board("6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1")
    assert ("e4:(FI):T>e6" in dict(board.legal_turns())) and len(board.legal_turns()) > 50
    board.push_san("T>e6")
    assert board.turn is RED and board.is_deploy_open
    commit = next(move for move in board.legal_moves if move.is_commit)
    board.push(commit)
    assert board.turn is BLUE and not board.is_deploy_open
    assert board.sans() == ["(FI)<T>e6"]
    assert board.pop_turn() and board.turn_count == 0


def test_the_end_of_a_game():
    board = Board("4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1")
    assert board.is_checkmate() and board.is_check() and board.is_game_over()
    assert board.outcome().winner is BLUE and board.result() == "0-1"
    assert list(board.legal_moves) == [] and not board.legal_moves


def test_pgn_round_trips():
    for seed in range(10):
        game = Game(random_board(seed, 50))
        game.set_header("Red", f"Player {seed}")
        game.set_comment(1, "a comment\nover two lines")
        again = Game.from_pgn(game.pgn())
        assert again == game and again.headers["Red"] == f"Player {seed}"
        assert again.board().board_fen() == game.board().board_fen()
        assert len(again) == len(game.sans())


def test_svg_is_a_picture_of_the_board():
    board = Board("6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5+C5 r - - 0 1")
    board.push_san("T>e6")
    tree = xml.fromstring(board._repr_svg_())
    space = "{http://www.w3.org/2000/svg}"
    assert tree.tag == f"{space}svg"
    assert len(tree.findall(f"{space}circle")) == len(board.stack_map())
    letters = [text.text for text in tree.findall(f"{space}text")]
    assert "+C" in letters and "F" in letters and "I" in letters
    assert svg.board(board, flipped=True) != svg.board(board)
