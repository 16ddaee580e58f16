"""Deep Monte Carlo for Tractor, in the manner of DouZero: self-play, and a network that tells the return of a play.

The vectorised core plays thousands of rounds at once with an ε-greedy policy; when a round is over, every play of it is regressed on the
round's result for its team. Needs PyTorch, and a GPU for more than a look:

    python examples/dmc_tractor.py --minutes 9 --out tractor-dmc.pt --export tractor-dmc.bin

The learning curve against the players of `convoy_games.engine` is printed and written beside the network as CSV. `--export` writes the
layers as plain numbers, which `cargo run --release -p convoy-encode --example network` reads and lets play.
"""

from __future__ import annotations

import argparse
import copy
import csv
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from convoy_games._native import TractorEnv
from convoy_games.engine import TractorPlayer
from convoy_games.vector import TRACTOR_OBSERVATION, TRACTOR_VERSION, TractorVector, expand
from torch import Tensor, nn

CARDS = 128
# More actions than a round ever has: 100 cards, 8 to bury, and the declarations.
LONGEST = 256


class Net(nn.Module):
    """The return of a play. What a seat sees goes through the first layer once, and is shared by all of its candidates."""

    def __init__(self, width: int = 512) -> None:
        super().__init__()
        self.seen = nn.Linear(TRACTOR_OBSERVATION, width)
        self.cards = nn.Linear(CARDS, width, bias=False)
        self.hidden = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, width)])
        self.worth = nn.Linear(width, 1)
        # Levels, points and counts are bytes above 1: brought near it.
        scale = torch.ones(TRACTOR_OBSERVATION)
        scale[1833:1835] = 1 / 13
        scale[1865:1873] = 1 / 40
        scale[1894:1896] = 1 / 64
        self.register_buffer("scale", scale)

    def forward(self, seen: Tensor, cards: Tensor, owner: Tensor | None = None) -> Tensor:
        """The return of each row of `cards`; `owner` tells which row of `seen` it belongs to, the same one where it is left out."""
        state = self.seen(seen.float() * self.scale)
        x = torch.relu((state if owner is None else state[owner]) + self.cards(cards.float()))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.worth(x).squeeze(-1)


def unpack(words: Tensor) -> Tensor:
    """Two words a candidate as the 128 bytes of docs/encodings.md, on the device of `words`."""
    bits = torch.arange(64, device=words.device)
    return ((words.unsqueeze(-1) >> bits) & 1).flatten(-2).to(torch.uint8)


class Rounds:
    """Rounds under way: the core that steps them, and what has been seen and played in each."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.games = TractorVector(args.games, seed=args.seed, start="random", reward="points")
        self.device = args.device
        self.all = torch.arange(args.games, device=self.device)
        self.length = torch.zeros(args.games, dtype=torch.long, device=self.device)
        self.seen = torch.zeros(LONGEST, args.games, TRACTOR_OBSERVATION, dtype=torch.uint8, device=self.device)
        self.words = torch.zeros(LONGEST, args.games, 2, dtype=torch.int64, device=self.device)
        self.seats = torch.zeros(LONGEST, args.games, dtype=torch.long, device=self.device)

    def fetch(self, name: str) -> Tensor:
        array = getattr(self.games, name)
        return torch.from_numpy(array.view(np.int64) if array.dtype == np.uint64 else array).to(self.device)

    @torch.no_grad()
    def step(self, net: Net, epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
        """One action in every round. Returns what was seen, played and got in the rounds that ended with it."""
        seen, words, counts = self.fetch("observations"), self.fetch("candidates"), self.fetch("counts").long()
        legal = torch.arange(words.shape[1], device=self.device) < counts[:, None]
        owner, place = legal.nonzero(as_tuple=True)
        worth = torch.full(legal.shape, -torch.inf, device=self.device)
        worth[owner, place] = net(seen, unpack(words[owner, place]), owner)
        random_ = (torch.rand(len(counts), device=self.device) * counts).long()
        explore = torch.rand(len(counts), device=self.device) < epsilon
        actions = torch.where(explore, random_, worth.argmax(dim=1))

        self.seen[self.length, self.all] = seen
        self.words[self.length, self.all] = words[self.all, actions]
        self.seats[self.length, self.all] = self.fetch("players").long()
        self.length += 1
        self.games.step(actions.int().cpu().numpy())
        return self.ended()

    def ended(self) -> tuple[Tensor, Tensor, Tensor]:
        over = self.fetch("done").nonzero().squeeze(-1)
        rewards = self.fetch("rewards")
        played = torch.arange(LONGEST, device=self.device)[:, None] < self.length[over]
        when, which = played.nonzero(as_tuple=True)
        game = over[which]
        self.length[over] = 0
        return self.seen[when, game], self.words[when, game], rewards[game, self.seats[when, game]]


def batches(rounds: Rounds, net: Net, args: argparse.Namespace) -> Iterator[list[Tensor]]:
    """Plays of finished rounds in batches, as fast as the rounds bring them."""
    waiting = [[], [], []]
    while True:
        for store, new in zip(waiting, rounds.step(net, args.epsilon), strict=True):
            store.append(new)
        if sum(len(part) for part in waiting[2]) < args.batch:
            continue
        whole = [torch.cat(store) for store in waiting]
        order = torch.randperm(len(whole[2]), device=args.device)
        used = len(order) // args.batch * args.batch
        for start in range(0, used, args.batch):
            yield [part[order[start : start + args.batch]] for part in whole]
        waiting = [[part[order[used:]]] for part in whole]


def wins(net: Net, level: str, seed: int) -> bool:
    """Whether the network wins a round as seats 0 and 2 against two players of a level."""
    env = TractorEnv(seed=seed, form="candidates")
    player = TractorPlayer(level, seed=seed)
    seen = np.empty(TRACTOR_OBSERVATION, np.uint8)
    while env.stage() != "over":
        seat = env.player()
        if seat % 2 == 1:
            env.apply(player.act(env.view(seat)))
            continue
        env.observe(seen)
        cards = torch.from_numpy(expand(env.candidates().reshape(-1, 2)))
        with torch.no_grad():
            worth = net(torch.from_numpy(seen[None]), cards, torch.zeros(len(cards), dtype=torch.long))
        env.step(int(worth.argmax()))
    return env.rewards()[0] > 0


def evaluate(net: Net, level: str, rounds: int) -> float:
    """The part of rounds won against a level. The same deals every time."""
    here = copy.deepcopy(net).cpu()
    with ThreadPoolExecutor() as pool:
        return sum(pool.map(lambda seed: wins(here, level, 10**6 + seed), range(rounds))) / rounds


def export(net: Net, path: str) -> None:
    """Writes the layers for crates/encode/examples/network.rs, with an example of input and output to check the reader by."""
    here = copy.deepcopy(net).cpu()
    seen, cards = torch.zeros(1, TRACTOR_OBSERVATION, dtype=torch.uint8), torch.zeros(1, CARDS, dtype=torch.uint8)
    seen[0, ::7], cards[0, ::5] = 1, 1
    with torch.no_grad():
        expected = here(seen, cards)
    layers = [here.scale, here.seen.weight, here.seen.bias, here.cards.weight]
    layers += [part for layer in [*here.hidden, here.worth] for part in (layer.weight, layer.bias)]
    with Path(path).open("wb") as file:
        file.write(struct.pack("<4I", TRACTOR_VERSION, TRACTOR_OBSERVATION, here.seen.out_features, len(here.hidden)))
        for layer in [*layers, expected]:
            file.write(layer.detach().numpy().astype("<f4").tobytes())


def train(args: argparse.Namespace) -> Net:
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    net = Net(args.width).to(args.device)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.rate)
    rounds = Rounds(args)
    head = ["seconds", "plays", "loss", *args.against]
    curve: list[list[float]] = []
    begun = time.monotonic()
    learnt, losses, spent, due = 0, [], 0.0, 0.0
    for seen, words, returns in batches(rounds, net, args):
        loss = nn.functional.mse_loss(net(seen, unpack(words)), returns)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 40.0)
        optimizer.step()
        learnt += args.batch
        losses.append(loss.detach())
        # Matches are not counted as time of learning.
        seconds = time.monotonic() - begun - spent
        if seconds < due and seconds < 60 * args.minutes:
            continue
        pause = time.monotonic()
        results = [evaluate(net, level, args.rounds) for level in args.against]
        spent += time.monotonic() - pause
        curve.append([round(seconds), learnt, round(float(torch.stack(losses).mean()), 4), *results])
        print(dict(zip(head, curve[-1], strict=True)), flush=True)
        losses.clear()
        due = seconds + 60 * args.every
        if seconds >= 60 * args.minutes:
            break
    if args.out:
        torch.save(net.state_dict(), args.out)
        with Path(args.out).with_suffix(".csv").open("w", newline="") as file:
            csv.writer(file).writerows([head, *curve])
    if args.export:
        export(net, args.export)
    return net


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="of learning, matches not counted")
    parser.add_argument("--games", type=int, default=4096, help="rounds at once")
    parser.add_argument("--batch", type=int, default=16384, help="plays a gradient step")
    parser.add_argument("--width", type=int, default=512, help="of the hidden layers")
    parser.add_argument("--rate", type=float, default=3e-4, help="learning rate")
    parser.add_argument("--epsilon", type=float, default=0.03, help="how often a play is random")
    parser.add_argument("--every", type=float, default=1, help="minutes between two matches")
    parser.add_argument("--rounds", type=int, default=400, help="rounds of a match")
    parser.add_argument("--against", nargs="*", default=["easy", "normal"], help="levels of the matches")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="where the network goes; the curve lies beside it")
    parser.add_argument("--export", help="where the layers go as plain numbers, for Rust")
    return parser.parse_args(argv)


if __name__ == "__main__":
    train(arguments())
