"""Learns to play Tractor with NumPy alone, in about a minute on a CPU.

Monte Carlo control with a linear model: random play is watched, the result of each round is laid to every play of it, and a ridge
regression tells what a play is worth from its cards and from who is ahead in the trick. Then the pair that follows the model plays
against a pair that plays at random, and both pairs at random for comparison.

    python examples/smoke_numpy.py [rounds]
"""

from __future__ import annotations

import sys
import time

import numpy as np
from convoy_games.vector import TractorVector, expand

AHEAD = slice(1805, 1809)  # who is ahead in the open trick, see docs/encodings.md
DEFENDS = 1813
PLAYING = 1795
WIDTH = 3 * 128 + 3 + 2  # of the features below


def features(observations: np.ndarray, cards: np.ndarray) -> np.ndarray:
    """The cards of a play, once for each case: leading, the partner is ahead, an opponent is ahead; and whether the team defends."""
    ahead = observations[:, AHEAD]
    leading = 1 - ahead.sum(axis=1, keepdims=True)
    partner = ahead[:, 2:3]
    cases = np.concatenate([leading, partner, 1 - leading - partner], axis=1).astype(np.float32)
    by_case = cases[:, :, None] * cards[:, None, :].astype(np.float32)
    defends = observations[:, DEFENDS : DEFENDS + 1].astype(np.float32)
    return np.concatenate([by_case.reshape(len(cards), 3 * 128), cases, defends, np.ones_like(defends)], axis=1)


def watch(rounds: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Plays at random, and answers the sums that a regression needs."""
    size = 256
    games = TractorVector(size, seed=seed, reward="points")
    rng = np.random.default_rng(seed)
    squares, products = np.zeros((WIDTH, WIDTH)), np.zeros(WIDTH)
    # The plays of each open round, at most a hundred: what they were, and who made them.
    plays = np.zeros((size, 100, WIDTH), np.float32)
    seats = np.zeros((size, 100), np.int64)
    made = np.zeros(size, np.int64)
    done = 0
    while done < rounds:
        actions = games.sample(rng)
        playing = np.flatnonzero(games.observations[:, PLAYING])
        cards = expand(games.candidates[playing, actions[playing]])
        plays[playing, made[playing]] = features(games.observations[playing], cards)
        seats[playing, made[playing]] = games.players[playing]
        made[playing] += 1
        games.step(actions)
        for game in np.flatnonzero(games.done):
            own = plays[game, : made[game]]
            squares += own.T @ own
            products += own.T @ games.rewards[game, seats[game, : made[game]]]
            made[game] = 0
            done += 1
    return squares, products


def choose(games: TractorVector, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The best candidate by the model for the seats 0 and 2, a random one for the others."""
    actions = games.sample(rng)
    own = np.flatnonzero((games.players % 2 == 0) & (games.observations[:, PLAYING] == 1))
    counts = games.counts[own]
    rows = np.repeat(own, counts)
    places = np.concatenate([np.arange(count) for count in counts]) if len(own) else np.zeros(0, int)
    worth = features(games.observations[rows], expand(games.candidates[rows, places])) @ weights
    ends = np.cumsum(counts)
    for game, start, end in zip(own, ends - counts, ends, strict=True):
        actions[game] = int(np.argmax(worth[start:end]))
    return actions


def match(rounds: int, seed: int, weights: np.ndarray | None) -> float:
    """How many rounds in a hundred the seats 0 and 2 win against random play."""
    games = TractorVector(256, seed=seed)
    rng = np.random.default_rng(seed)
    won = played = 0
    while played < rounds:
        games.step(games.sample(rng) if weights is None else choose(games, weights, rng))
        ended = games.done == 1
        won += int((games.rewards[ended, 0] > 0).sum())
        played += int(ended.sum())
    return 100 * won / played


def main(rounds: int = 8000, compared: int = 2000) -> tuple[float, float]:
    begun = time.monotonic()
    squares, products = watch(rounds, seed=1)
    weights = np.linalg.solve(squares + 10 * np.eye(len(squares)), products)
    before, after = match(compared, 2, None), match(compared, 2, weights)
    print(f"random against random: {before:.1f} % of the rounds")
    print(f"learnt against random: {after:.1f} % of the rounds")
    print(f"{rounds} rounds watched, {time.monotonic() - begun:.0f} s in all")
    return before, after


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
