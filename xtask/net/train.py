#!/usr/bin/env python3
"""Trains networks for the player of Cờ Tư Lệnh from positions of `cargo xtask selfplay`.

    python3 train.py DATA... --out FOLDER [--variants 128:1.0,256:1.0] [--seconds 90]

Every variant HIDDEN:LAMBDA gives FOLDER/NAME.net, the file that the engine reads, and
FOLDER/NAME.check with the scores of some positions, worked out in whole numbers as the engine
should: `cargo xtask net --net NAME.net --check NAME.check` compares. LAMBDA is the share of the
search's score in the target; the rest is the result of the game.

The layouts of both files are described in docs/engine-cotulenh.md. It needs PyTorch and NumPy; a
GPU is used if there is one.
"""

import argparse
import math
import struct
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

RECORD = 48
ROLES = 11
KINDS = 2 * ROLES
SQUARES = 132
FEATURES = 2 * KINDS * SQUARES
BUCKETS = 8
ONE = 255
OUT_ONE = 64
LETTERS = "CIMAGSTFENH"
# The pieces of each side in the order of a record, as numbers of roles.
ROSTER = [0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]


def say(text):
    print(text, flush=True)


def read(paths):
    """All records of the files, each file checked."""
    parts = []
    for path in paths:
        raw = np.fromfile(path, dtype=np.uint8)
        if raw[:8].tobytes() != b"CTLPOS01":
            sys.exit(f"{path}: no positions of this version")
        if (len(raw) - 8) % RECORD:
            sys.exit(f"{path}: the last record is cut off")
        records = raw[8:].reshape(-1, RECORD)
        sums = records[:, : RECORD - 1].sum(axis=1, dtype=np.uint32) & 255
        if (sums != records[:, RECORD - 1]).any():
            sys.exit(f"{path}: a record is damaged")
        parts.append(records)
    return np.concatenate(parts)


class Decoder:
    """Turns records into what the network sees, on the device where they lie."""

    def __init__(self, device):
        roster = torch.tensor(ROSTER + ROSTER, device=device)
        self.role = roster
        self.color = torch.tensor([0] * 19 + [1] * 19, device=device)
        self.bit = torch.arange(38, device=device) % 8
        self.byte = 38 + torch.arange(38, device=device) // 8
        square = torch.arange(256, device=device)
        self.flip = (11 - square // 11) * 11 + square % 11

    def features(self, records):
        """Features as the side to move sees them, then as the other does; FEATURES where a piece
        is gone. And the bucket of each position."""
        square = records[:, :38].long()
        gone = square > 131
        heroic = (records[:, self.byte].long() >> self.bit) & 1
        kind = 2 * self.role + heroic
        flipped = self.flip[square]
        views = []
        for view in (0, 1):
            side = (self.color != view).long() * KINDS
            index = (side + kind) * SQUARES + (square if view == 0 else flipped)
            views.append(index.masked_fill(gone, FEATURES))
        blue = (records[:, 43] == 1)[:, None]
        own = torch.where(blue, views[1], views[0])
        other = torch.where(blue, views[0], views[1])
        pieces = 38 - gone.sum(dim=1)
        bucket = ((pieces - 2).clamp(min=0) // 5).clamp(max=BUCKETS - 1)
        return own, other, bucket

    @staticmethod
    def scores(records):
        low, high = records[:, 44].int(), records[:, 45].int()
        score = low + 256 * high
        score = torch.where(score >= 32768, score - 65536, score).float()
        return score, records[:, 46].float() / 2


class Model(torch.nn.Module):
    """The network. A piece's row is the sum of one for itself on its square, one for its kind
    anywhere, and one for its role on the square, plain or heroic: what was seldom seen leans on
    what was seen often. They are added up for good in the file."""

    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.full = torch.nn.Parameter(torch.zeros(2, ROLES, 2, SQUARES, hidden))
        self.kind = torch.nn.Parameter(torch.randn(2, ROLES, 2, 1, hidden) * 0.05)
        self.place = torch.nn.Parameter(torch.randn(2, ROLES, 1, SQUARES, hidden) * 0.02)
        self.bias = torch.nn.Parameter(torch.rand(hidden) * 0.4)
        self.out = torch.nn.Parameter(
            (torch.randn(2 * hidden) / math.sqrt(2 * hidden)).repeat(BUCKETS, 1)
        )
        self.out_bias = torch.nn.Parameter(torch.zeros(BUCKETS))

    def rows(self):
        rows = (self.full + self.kind + self.place).reshape(FEATURES, self.hidden)
        return torch.cat([rows, rows.new_zeros(1, self.hidden)])

    def forward(self, own, other, bucket):
        both = torch.cat([own, other])
        hidden = F.embedding_bag(both, self.rows(), mode="sum", padding_idx=FEATURES) + self.bias
        hidden = hidden.clamp(0, 1).square()
        own, other = hidden.split(len(bucket))
        hidden = torch.cat([own, other], dim=1)
        return (hidden * self.out[bucket]).sum(dim=1) + self.out_bias[bucket]

    @torch.no_grad()
    def confine(self):
        """Keeps the weights where the whole numbers of the file can follow."""
        self.out.clamp_(-126 / OUT_ONE, 126 / OUT_ONE)
        self.full.clamp_(-1.2, 1.2)
        self.kind.clamp_(-1.0, 1.0)
        self.place.clamp_(-0.8, 0.8)
        self.bias.clamp_(-3.0, 3.0)


def fit_scale(score, result):
    """The scale under which the scores err least about results."""
    scales = [20.0 * 1.06**step for step in range(100)]
    errors = [((torch.sigmoid(score / s) - result) ** 2).mean().item() for s in scales]
    return scales[errors.index(min(errors))]


def target_of(score, result, scale, share):
    return share * torch.sigmoid(score / scale) + (1 - share) * result


@torch.no_grad()
def loss_over(data, decoder, judge, scale, share, batch=65536):
    total = 0.0
    for start in range(0, len(data), batch):
        part = data[start : start + batch]
        score, result = decoder.scores(part)
        value = torch.sigmoid(judge(part))
        total += ((value - target_of(score, result, scale, share)) ** 2).sum().item()
    return total / len(data)


def train(data, test, decoder, hidden, share, scale, args):
    device = data.device
    torch.manual_seed(args.seed)
    model = Model(hidden).to(device)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=args.rate, betas=(0.9, 0.999), weight_decay=0.01,
        fused=device.type == "cuda",
    )
    steps = max(1, len(data) // args.batch)
    epochs = args.epochs
    begun = time.time()

    def judge(part):
        return model(*decoder.features(part))

    for epoch in range(args.epochs):
        order = torch.randperm(len(data), device=device)
        total = torch.zeros((), device=device)
        for step in range(steps):
            done = (epoch * steps + step) / (epochs * steps)
            warm = min(1.0, (epoch * steps + step + 1) / 200)
            rate = args.rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))
            for group in optimizer.param_groups:
                group["lr"] = rate
            part = data[order[step * args.batch : (step + 1) * args.batch]]
            score, result = decoder.scores(part)
            loss = ((torch.sigmoid(judge(part)) - target_of(score, result, scale, share)) ** 2).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            model.confine()
            total += loss.detach()
        spent = time.time() - begun
        if epoch == 0:
            # As many epochs as the time allows, which the first one tells.
            epochs = max(2, min(args.epochs, int(args.seconds / max(spent, 1e-3))))
        if epoch < 3 or epoch % 5 == 4 or epoch + 1 == epochs:
            held = loss_over(test, decoder, judge, scale, share)
            say(f"  epoch {epoch + 1}/{epochs}: loss {total.item() / steps:.6f}, "
                f"held back {held:.6f}, {spent:.0f} s")
        if epoch + 1 >= epochs:
            break
    return model


class Whole:
    """The network in whole numbers, as the engine reckons."""

    def __init__(self, model, scale):
        def whole(values, one, most):
            return (values.detach() * one).round().clamp(-most, most).to(torch.int64).cpu()

        self.scale = max(1, round(scale))
        self.hidden = model.hidden
        self.rows = whole(model.rows()[:FEATURES], ONE, 800)
        self.bias = whole(model.bias, ONE, 2000)
        self.out = whole(model.out, OUT_ONE, 127)
        self.out_bias = whole(model.out_bias, ONE * OUT_ONE, 2**30)

    def write(self, path):
        header = b"CTLNET01" + struct.pack("<4I", self.hidden, FEATURES, BUCKETS, self.scale)
        parts = [(self.rows, "<i2"), (self.bias, "<i2"), (self.out, "<i2"), (self.out_bias, "<i4")]
        body = b"".join(values.numpy().astype(kind).tobytes() for values, kind in parts)
        content = header + body
        path.write_bytes(content + struct.pack("<I", zlib.crc32(content)))

    def scores(self, own, other, bucket):
        own, other, bucket = own.cpu(), other.cpu(), bucket.cpu()
        rows = torch.cat([self.rows, self.rows.new_zeros(1, self.hidden)])
        layers = [(rows[view].sum(dim=1) + self.bias).clamp(0, ONE).square() for view in (own, other)]
        total = (torch.cat(layers, dim=1) * self.out[bucket]).sum(dim=1)
        total = (total + self.out_bias[bucket] * ONE) * self.scale
        return torch.div(total, ONE * ONE * OUT_ONE, rounding_mode="trunc")


def fen_of(record):
    """The position of a record as text, with fresh clocks."""
    stacks = {}
    for at in range(38):
        if record[at] > 131:
            continue
        letter = LETTERS[ROSTER[at % 19]]
        letter = letter if at < 19 else letter.lower()
        heroic = record[38 + at // 8] >> (at % 8) & 1
        stacks.setdefault(int(record[at]), []).append("+" * int(heroic) + letter)
    lines = []
    for rank in range(12):
        line, empty = "", 0
        for square in range(11 * rank, 11 * rank + 11):
            pieces = stacks.get(square)
            if not pieces:
                empty += 1
                continue
            line += str(empty) if empty else ""
            empty = 0
            line += pieces[0] if len(pieces) == 1 else "(" + "".join(pieces) + ")"
        lines.append(line + (str(empty) if empty else ""))
    return "/".join(lines) + " " + "rb"[int(record[43])] + " - - 0 1"


def export(model, scale, test, decoder, path, share):
    whole = Whole(model, scale)
    whole.write(path.with_suffix(".net"))
    sample = test[:: max(1, len(test) // 200)][:200]
    scores = whole.scores(*decoder.features(sample)).tolist()
    lines = [f"{fen_of(record)};{score}" for record, score in zip(sample.cpu().numpy(), scores)]
    path.with_suffix(".check").write_text("\n".join(lines) + "\n")
    small = test[:20000]
    rounded = loss_over(
        small, decoder,
        lambda part: whole.scores(*decoder.features(part)).to(test.device) / whole.scale,
        scale, share, 4096,
    )
    exact = loss_over(small, decoder, lambda part: model(*decoder.features(part)), scale, share)
    say(f"  {path.with_suffix('.net')}: loss on {len(small)} held back {exact:.6f}, "
        f"in whole numbers {rounded:.6f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--variants", default="128:1.0")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=90, help="for each variant, about")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    say(f"torch {torch.__version__} on {torch.cuda.get_device_name() if device.type == 'cuda' else 'the CPU: no GPU found'}")
    torch.backends.cuda.matmul.allow_tf32 = True
    args.out.mkdir(parents=True, exist_ok=True)
    records = read(args.data)
    # The end of the files holds other games than the rest.
    held = max(1, min(len(records) // 20, 200_000))
    data = torch.from_numpy(records[:-held]).to(device)
    test = torch.from_numpy(records[-held:].copy()).to(device)
    decoder = Decoder(device)
    score, result = decoder.scores(data[:: max(1, len(data) // 500_000)])
    scale = fit_scale(score, result)
    drawn = (result == 0.5).float().mean().item()
    say(f"{len(data)} positions to learn from, {len(test)} held back; {100 * drawn:.0f} % of drawn "
        f"games, mean size of the score {score.abs().mean().item():.0f}, scale {scale:.0f}")
    args.batch = min(args.batch, max(256, len(data) // 8))
    for variant in args.variants.split(","):
        hidden, share = variant.split(":")
        hidden, share = int(hidden), float(share)
        name = f"h{hidden}-l{round(100 * share)}"
        say(f"{name}:")
        model = train(data, test, decoder, hidden, share, scale, args)
        export(model, scale, test, decoder, args.out / name, share)


if __name__ == "__main__":
    main()
