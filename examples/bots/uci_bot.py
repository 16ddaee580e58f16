#!/usr/bin/env python3
"""A tiny engine for `convoy match`, with nothing but Python's standard library.

It speaks the dialect of UCI that docs/uci.md describes and asks `convoy query` for the rules. Of all
legal turns it plays the one whose victim is worth most, at random among equals.

    convoy match 'cmd=python3 examples/bots/uci_bot.py,timeout=10' material --games 2
    CONVOY=target/release/convoy convoy match 'cmd=python3 examples/bots/uci_bot.py' level=1
"""

import json
import os
import random
import subprocess
import sys

START = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/"
    "2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
)
POINTS = dict(C=1000, N=80, F=40, A=30, T=20, S=20, I=10, M=10, E=10, G=10, H=10)


class Rules:
    """`convoy query`: one JSON object a line, one answer a line."""

    def __init__(self):
        command = [os.environ.get("CONVOY", "convoy"), "query"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, **request):
        request["game"] = "cotulenh"
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def material(fen):
    """The points of red less those of blue."""
    letters = [c for c in fen.split()[0] if c.isalpha()]
    return sum(POINTS[c.upper()] * (1 if c.isupper() else -1) for c in letters)


def best_turn(rules, fen, rng):
    turns = rules.ask(op="turns", fen=fen).get("turns", [])
    side = 1 if fen.split()[1] == "r" else -1
    rng.shuffle(turns)
    best = max(turns, key=lambda turn: side * material(turn["after"]), default=None)
    return best["lan"] if best else "(none)"


def read_position(rules, words):
    """The FEN of a `position` command, or None if it cannot be read."""
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    board = words[: words.index("moves")] if "moves" in words else words
    fen = START if board[:1] == ["startpos"] else " ".join(board[1:])
    return rules.ask(op="play", fen=fen, moves=moves).get("fen")


def main():
    rules, rng, fen = Rules(), random.Random(1), START
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "uci":
            print("id name uci_bot")
            print("option name Seed type spin default 1 min 0 max 1000000")
            print("uciok")
        elif command == "isready":
            print("readyok")
        elif command == "setoption" and words[1:3] == ["name", "Seed"]:
            rng = random.Random(int(words[4]))
        elif command == "position":
            fen = read_position(rules, words[1:])
        elif command == "go":
            print("bestmove", best_turn(rules, fen, rng) if fen else "(none)")
        elif command == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
