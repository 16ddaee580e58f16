"""Self-play on many machines with Ray: actors step the vectorised core, a learner fits the model of `smoke_numpy.py`.

    pip install ./bindings/python[ray]
    python examples/ray_actors.py --actors 4            # a local cluster of this machine
    python examples/ray_actors.py --address ray://head:10001 --actors 64

A cluster is started with `ray start --head` on one machine and `ray start --address head:6379` on the others. All of them need the package,
with the same versions of Python and Ray.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import ray
from smoke_numpy import match, watch


@ray.remote
class Actor:
    """Watches rounds; its sums are as small as the model, whatever their number."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def watch(self, rounds: int) -> tuple[np.ndarray, np.ndarray]:
        self.seed += 10_000
        return watch(rounds, self.seed)


def main(argv: list[str] | None = None) -> tuple[float, float]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", help="of a running cluster; without one, this machine")
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2000, help="rounds an actor watches at a time")
    parser.add_argument("--times", type=int, default=4)
    args = parser.parse_args(argv)
    # The other machines have the package, and are sent the examples.
    sent = {"working_dir": str(Path(__file__).resolve().parent)}
    local = {} if args.address else {"num_cpus": args.actors, "include_dashboard": False}
    ray.init(args.address, runtime_env=sent, **local)
    begun = time.monotonic()
    actors = [Actor.remote(seed) for seed in range(args.actors)]
    squares = products = 0
    for _ in range(args.times):
        for more_squares, more_products in ray.get([actor.watch.remote(args.rounds) for actor in actors]):
            squares, products = squares + more_squares, products + more_products
    weights = np.linalg.solve(squares + 10 * np.eye(len(squares)), products)
    before, after = match(1000, 2, None), match(1000, 2, weights)
    rounds = args.actors * args.rounds * args.times
    print(f"{rounds} rounds by {args.actors} actors in {time.monotonic() - begun:.0f} s")
    print(f"random {before:.1f} %, learnt {after:.1f} % against random")
    ray.shutdown()
    return before, after


if __name__ == "__main__":
    main()
