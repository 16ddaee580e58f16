"""The rule surface of `convoy query`: every question of docs/protocol.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, overload

from ._native import query_checked, query_line

__all__ = ["query"]


@overload
def query(question: str) -> str: ...
@overload
def query(question: bytes) -> bytes: ...
@overload
def query(question: Mapping[str, Any]) -> dict[str, Any]: ...


def query(question: str | bytes | Mapping[str, Any]) -> str | bytes | dict[str, Any]:
    """Answers a question about the rules of either game; docs/protocol.md has them all.

    A line of JSON is answered by a line of JSON, as `convoy query` does it, with an `error` where that is the answer:

    >>> from convoy_games import query
    >>> query('{"id":1,"game":"cotulenh","op":"combine","pieces":"TFN"}')
    '{"id":1,"stack":"(NFT)","state":"0x4000800200","mask":704}'
    >>> query('{"game":"cotulenh","op":"moves","fenn":"x"}')[:32]
    '{"error":{"code":"unknown-field"'

    A dictionary is answered by a dictionary, and what is refused raises the exception for it, with the same `code`, `reason` and `at`:

    >>> query({"game": "cotulenh", "op": "perft", "depth": 2})
    {'nodes': 13460}
    >>> from convoy_games import InvalidFenError
    >>> try:
    ...     query({"game": "cotulenh", "op": "fen", "fen": "nonsense"})
    ... except InvalidFenError as refused:
    ...     refused.code, refused.reason
    ('bad-fen', 'fields')
    """
    if isinstance(question, bytes):
        return query_line(question).encode()
    if isinstance(question, str):
        return query_line(question.encode(errors="surrogatepass"))
    answer: dict[str, Any] = json.loads(query_checked(json.dumps(dict(question))))
    return answer
