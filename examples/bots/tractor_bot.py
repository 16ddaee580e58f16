"""A tiny Tractor bot for the line protocol of docs/bots.md, with nothing but the standard library.

It declares its first offer late, buries its cheapest cards and plays the lowest legal cards it can find:

    convoy arena tractor normal 'cmd:python3 examples/bots/tractor_bot.py' --rounds 20
"""

import json
import sys
from collections import Counter

RANKS = "23456789TJQKA"


def face(card):
    """A card without its deck digit: "TS1" and "TS0" are both "TS"."""
    return card[:2]


def group(card, trump):
    """The effective suit: "trump", or the printed one."""
    rank, suit = card[0], card[1]
    if suit == "j" or rank == trump["rank"] or suit == trump["suit"]:
        return "trump"
    return suit


def strength(card, trump):
    """Higher beats lower within a group."""
    if face(card) == "bj":
        return 60
    if face(card) == "sj":
        return 50
    if card[0] == trump["rank"]:
        return 40 if card[1] == trump["suit"] else 30
    return RANKS.index(card[0])


def points(card):
    return {"5": 5, "T": 10, "K": 10}.get(card[0], 0) if card[1] != "j" else 0


def declare(request):
    """Shows a card of the trump rank once most cards are dealt and nobody else has declared."""
    if request["dealt"] < 80 or request["current"] is not None:
        return {"declare": None}
    for card in request["hand"]:
        if card[0] == request["rank"] and card[1] in "SHCD":
            return {"declare": {"type": "single", "suit": card[1], "cards": [card]}}
    return {"declare": None}


def kitty(request):
    trump = request["trump"]
    cheap = sorted(request["hand"], key=lambda c: (group(c, trump) == "trump", points(c), strength(c, trump)))
    return {"cards": cheap[:8]}


def pairs_of(cards):
    """The pairs among cards: lists of two copies of one face."""
    by_face = {}
    for card in cards:
        by_face.setdefault(face(card), []).append(card)
    return [both for both in by_face.values() if len(both) == 2]


def runs(pairs, trump):
    """Maximal runs of pairs on touching ranks, as a follower may owe a tractor (both trump kinds kept simple)."""
    order = [r for r in RANKS if r != trump["rank"]]

    def rung(pair):
        card = pair[0]
        if face(card) == "bj":
            return 15
        if face(card) == "sj":
            return 14
        if card[0] == trump["rank"]:
            if trump["suit"] == "N":
                return 13
            return 13 if card[1] == trump["suit"] else 12
        return order.index(card[0])

    found, run, last = [], [], None
    for pair in sorted(pairs, key=rung):
        at = rung(pair)
        if last is not None and at == last:
            continue
        if last is not None and at != last + 1:
            found.append(run)
            run = []
        run.append(pair)
        last = at
    found.append(run)
    return [run for run in found if len(run) >= 2]


def follow(request, led):
    trump, hand, count = request["trump"], request["hand"], len(led)
    suit = group(led[0], trump)
    own = sorted((c for c in hand if group(c, trump) == suit), key=lambda c: (strength(c, trump), points(c)))
    rest = sorted((c for c in hand if group(c, trump) != suit), key=lambda c: (group(c, trump) == "trump", points(c), strength(c, trump)))
    if len(own) <= count:
        return own + rest[: count - len(own)]
    play = []
    owed = sum(1 for n in Counter(map(face, led)).values() if n == 2)
    pairs = pairs_of(own)
    # Tractors for tractors: as many pairs in runs as were led, then other pairs, then the lowest cards.
    wanted = sum(len(run) for run in runs(pairs_of(led), trump))
    held = sorted(runs(pairs, trump), key=len, reverse=True)
    for place, run in enumerate(held):
        take = min(len(run), wanted)
        if wanted - take == 1 and take > 2 and place + 1 < len(held):
            take -= 1  # one pair alone is no tractor: leave two for the next run
        if take >= 2:
            for pair in run[:take]:
                play += pair
                pairs.remove(pair)
            wanted -= take
            owed -= take
    for pair in sorted(pairs, key=lambda p: strength(p[0], trump))[: max(owed, 0)]:
        play += pair
    for card in own:
        if len(play) == count:
            break
        if card not in play:
            play.append(card)
    return play[:count]


def play(request):
    if request["current"]:
        return {"cards": follow(request, request["current"][0][1])}
    trump = request["trump"]
    best = max(request["hand"], key=lambda c: (group(c, trump) != "trump", strength(c, trump)))
    return {"cards": [best]}


def answer(request):
    operations = {"declare": declare, "kitty": kitty, "play": play, "ping": lambda _: {}}
    operation = operations.get(request.get("op"))
    if operation is None:
        return {"error": f"unknown op {request.get('op')!r}"}
    return operation(request)


def main():
    for line in sys.stdin:
        request = json.loads(line)
        reply = answer(request)
        reply["id"] = request.get("id")
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
