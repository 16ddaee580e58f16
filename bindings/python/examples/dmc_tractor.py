"""Deep Monte Carlo for Tractor, in the manner of DouZero: self-play, and a network that tells the return of a play.

Actors step the vectorised core with an ε-greedy policy; every play of a round is regressed on the round's result for its team. Needs
PyTorch, a GPU helps:

    python examples/dmc_tractor.py --steps 200000 --device cuda --out tractor-dmc.pt

The learning curve against the players of `convoy_games.engine` is printed and written to `<out>.csv`. `--export weights.npz` writes the
layers as plain arrays: three matrices and biases with ReLU between them, which a few lines of Rust can read (docs/python.md says how).
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from convoy_games._native import TractorEnv
from convoy_games.engine import TractorPlayer
from convoy_games.vector import TRACTOR_OBSERVATION, TRACTOR_VERSION, TractorVector, expand
from torch import nn

INPUT = TRACTOR_OBSERVATION + 128


class Net(nn.Module):
    """The return of a play: what the seat sees and the cards it plays, through two hidden layers."""

    def __init__(self, width: int = 512) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(INPUT, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )
        # Counts and points are bytes up to 255: brought near 1.
        scale = torch.ones(INPUT)
        scale[1833:1835] = 1 / 13
        scale[1865:1873] = 1 / 40
        scale[1894:1896] = 1 / 64
        self.register_buffer("scale", scale)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return self.layers(rows.float() * self.scale).squeeze(-1)


def candidates_of(games: TractorVector) -> tuple[np.ndarray, np.ndarray]:
    """One row for each candidate of each round, and how many rows each round has."""
    counts = games.counts.astype(np.int64)
    rows = np.repeat(np.arange(len(games)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cards = expand(games.candidates[rows, places])
    return np.concatenate([games.observations[rows], cards], axis=1), counts


@torch.no_grad()
def choose(net: Net, games: TractorVector, epsilon: float, rng: np.random.Generator, device: str):
    """ε-greedy actions, and the row of each chosen play."""
    rows, counts = candidates_of(games)
    worth = net(torch.from_numpy(rows).to(device)).cpu().numpy()
    starts = np.cumsum(counts) - counts
    best = np.array([start + np.argmax(worth[start : start + count]) for start, count in zip(starts, counts, strict=True)])
    random_ = starts + (rng.random(len(games)) * counts).astype(np.int64)
    chosen = np.where(rng.random(len(games)) < epsilon, random_, best)
    return (chosen - starts).astype(np.int32), rows[chosen]


@torch.no_grad()
def evaluate(net: Net, level: str, rounds: int, device: str) -> float:
    """The part of rounds that the network wins as seats 0 and 2 against two players of a level."""
    won = 0
    player = TractorPlayer(level, seed=1)
    for seed in range(rounds):
        env = TractorEnv(seed=10**6 + seed, form="candidates")
        while env.stage() != "over":
            seat = env.player()
            if seat % 2 == 1:
                actions = env.actions_of(player.act(env.view(seat)))
                # A play that was not drawn as a candidate is replaced by the first of them.
                for action in actions if actions is not None else [0]:
                    env.step(action)
                continue
            seen = np.empty(TRACTOR_OBSERVATION, np.uint8)
            env.observe(seen)
            cards = expand(env.candidates().reshape(-1, 2))
            rows = np.concatenate([np.repeat(seen[None], len(cards), axis=0), cards], axis=1)
            env.step(int(net(torch.from_numpy(rows).to(device)).argmax()))
        won += env.rewards()[0] > 0
    return won / rounds


def export(net: Net, path: str) -> None:
    """Writes the layers as plain arrays, with the version of the encoding they belong to."""
    layers = [layer for layer in net.layers if isinstance(layer, nn.Linear)]
    arrays = {f"w{number}": layer.weight.detach().cpu().numpy() for number, layer in enumerate(layers)}
    arrays |= {f"b{number}": layer.bias.detach().cpu().numpy() for number, layer in enumerate(layers)}
    np.savez(path, version=TRACTOR_VERSION, scale=net.scale.cpu().numpy(), **arrays)


def train(args: argparse.Namespace) -> Net:
    rng = np.random.default_rng(args.seed)
    torch.manual_seed(args.seed)
    net = Net(args.width).to(args.device)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=args.rate, alpha=0.99, eps=1e-5)
    games = TractorVector(args.games, seed=args.seed, start="random", reward="points")
    open_rounds: list[list[tuple[int, np.ndarray]]] = [[] for _ in range(args.games)]
    batch_rows: list[np.ndarray] = []
    batch_returns: list[float] = []
    begun, learnt, curve = time.monotonic(), 0, []
    for step in range(args.steps):
        actions, rows = choose(net, games, args.epsilon, rng, args.device)
        for game, seat in enumerate(games.players):
            open_rounds[game].append((int(seat), rows[game]))
        games.step(actions)
        for game in np.flatnonzero(games.done):
            for seat, row in open_rounds[game]:
                batch_rows.append(row)
                batch_returns.append(float(games.rewards[game, seat]))
            open_rounds[game].clear()
        while len(batch_rows) >= args.batch:
            inputs = torch.from_numpy(np.array(batch_rows[: args.batch])).to(args.device)
            returns = torch.tensor(batch_returns[: args.batch], device=args.device)
            del batch_rows[: args.batch], batch_returns[: args.batch]
            loss = nn.functional.mse_loss(net(inputs), returns)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 40.0)
            optimizer.step()
            learnt += args.batch
        if (step + 1) % args.every == 0 or step + 1 == args.steps:
            row = [step + 1, learnt, round(time.monotonic() - begun)]
            row += [round(evaluate(net, level, args.rounds, args.device), 3) for level in args.against]
            curve.append(row)
            print(dict(zip(["step", "plays", "seconds", *args.against], row, strict=True)), flush=True)
    if args.out:
        torch.save(net.state_dict(), args.out)
        with Path(args.out).with_suffix(".csv").open("w", newline="") as file:
            csv.writer(file).writerows([["step", "plays", "seconds", *args.against], *curve])
    if args.export:
        export(net, args.export)
    return net


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="steps of the batch of rounds")
    parser.add_argument("--games", type=int, default=512, help="rounds at once")
    parser.add_argument("--batch", type=int, default=4096, help="plays a gradient step")
    parser.add_argument("--width", type=int, default=512, help="of the hidden layers")
    parser.add_argument("--rate", type=float, default=3e-4, help="learning rate")
    parser.add_argument("--epsilon", type=float, default=0.02, help="how often a play is random")
    parser.add_argument("--every", type=int, default=5000, help="steps between two matches")
    parser.add_argument("--rounds", type=int, default=200, help="rounds of a match")
    parser.add_argument("--against", nargs="*", default=["easy", "normal"], help="levels of the matches")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="where the network goes; the curve lies beside it")
    parser.add_argument("--export", help="where the layers go as plain arrays")
    return parser.parse_args(argv)


if __name__ == "__main__":
    train(arguments())
