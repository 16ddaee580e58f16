"""Boards of Cờ Tư Lệnh as SVG.

>>> from convoy_games import cotulenh, svg
>>> svg.board(cotulenh.Board())[:4]
'<svg'
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from ._native import Board

__all__ = ["board"]

_CELL = 44
_EDGE = 28
_SEA, _MIXED, _LAND = "#9cc9e3", "#c9dfc4", "#f2e6c8"
_RED, _BLUE = "#c0392b", "#1f4e8c"


def _pieces(stack: str) -> list[str]:
    """The letters of a stack, carrier first, each with its heroic mark: '(N+FT)' is N, +F, T."""
    letters: list[str] = []
    mark = ""
    for letter in stack.strip("()"):
        if letter == "+":
            mark = "+"
            continue
        letters.append(mark + letter)
        mark = ""
    return letters


def _stack(stack: str, x: float, y: float) -> str:
    pieces = _pieces(stack)
    red = pieces[0].lstrip("+").isupper()
    ink = _RED if red else _BLUE
    carrier, cargo = pieces[0].upper(), "".join(pieces[1:]).upper()
    heroic = ' stroke-dasharray="3 2"' if carrier.startswith("+") else ""
    drawn = [
        f'<circle cx="{x}" cy="{y}" r="17" fill="#fffdf5" stroke="{ink}" stroke-width="2.5"{heroic}/>',
        f'<text x="{x}" y="{y + 6}" font-size="17" font-weight="bold" fill="{ink}">{escape(carrier)}</text>',
    ]
    if cargo:
        drawn.append(f'<rect x="{x - 4}" y="{y + 8}" width="24" height="12" rx="4" fill="{ink}"/>')
        drawn.append(f'<text x="{x + 8}" y="{y + 18}" font-size="11" fill="#fff">{escape(cargo)}</text>')
    return "".join(drawn)


def board(board: Board, *, size: int = 520, flipped: bool = False, marked: Collection[int] = ()) -> str:
    """The board as an SVG text: `flipped` shows it from Blue's side, `marked` squares are framed.

    Sea, mixed and land squares have colours of their own; the carrier of a stack is its large letter, cargo the small ones, and a dashed
    rim is heroic.
    """
    width, height = 11 * _CELL + 2 * _EDGE, 12 * _CELL + 2 * _EDGE

    def place(square: int) -> tuple[float, float]:
        file, rank = square % 11, square // 11
        row = rank if flipped else 11 - rank
        return _EDGE + (file + 0.5) * _CELL, _EDGE + (row + 0.5) * _CELL

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{size}" '
        f'height="{size * height // width}" role="img" text-anchor="middle" font-family="sans-serif">',
        f"<title>{escape(board.fen())}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    colors = {"sea": _SEA, "mixed": _MIXED, "land": _LAND}
    for square in range(132):
        x, y = place(square)
        color = colors[_native.terrain(square)]
        stroke = ' stroke="#d4a017" stroke-width="3"' if square in marked else ' stroke="#8a8f7a" stroke-width="0.6"'
        parts.append(
            f'<rect x="{x - _CELL / 2}" y="{y - _CELL / 2}" width="{_CELL}" height="{_CELL}" fill="{color}"{stroke}/>'
        )
    river = _EDGE + 6 * _CELL
    parts.append(
        f'<line x1="{_EDGE + 2 * _CELL}" y1="{river}" x2="{width - _EDGE}" y2="{river}" stroke="#5b9bd5" stroke-width="4"/>'
    )
    for file in range(11):
        x, _ = place(file)
        parts.append(f'<text x="{x}" y="{height - 8}" font-size="13" fill="#444">{"abcdefghijk"[file]}</text>')
    for rank in range(12):
        _, y = place(11 * rank)
        parts.append(f'<text x="{_EDGE / 2}" y="{y + 5}" font-size="13" fill="#444">{rank + 1}</text>')
    for square, stack in board.stack_map().items():
        parts.append(_stack(stack, *place(square)))
    return "".join([*parts, "</svg>"])
