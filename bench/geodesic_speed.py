"""What a Geodesic Forest costs: a tree of each criterion, growth with the rows, a large one.

A tree: 10,000 rows, 10 columns (a segment among noise), one thread, CPU seconds, the two criteria
in turn. "As SPORF" means what SPORF does: a bootstrap, sqrt(columns) sums at random a node, nodes
below sqrt(rows) rows left whole; so it stands against SPORF's compiled two-means forest where that
installs, and against what was published of it where it does not. "Default" is what users get: all
columns and up to 16 sums a node, all rows, nodes down to 10. A large one: 100,000 rows, 100
columns, 100 trees and 50 neighbours of every row on all cores, in a process of its own whose peak
memory is read.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from geodesic_methods import MissingError, environment, run

import bentwood
from bentwood.datasets import make_linear

PUBLISHED_SPORF_MILLISECONDS = 1121.0
"""A tree of SPORF's at 10,000 rows and 10 columns, measured on another machine."""
SIZES = [1_000, 3_000, 10_000, 30_000, 100_000]
CRITERIA = ["two_means", "fast_bic"]
N_TREES = 10

SPORF = """
import sys, time
import numpy as np
from rerf.urerf import UnsupervisedRandomForest
X = np.load(sys.argv[1])
forest = UnsupervisedRandomForest(n_estimators=3, n_jobs=1)
start = time.process_time()
forest.fit(X)
print(" ", (time.process_time() - start) / 3)  # the forest prints, too
"""


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def tree_seconds(criterion: str, X: Any, **settings: Any) -> float:
    forest = bentwood.GeodesicForest(
        N_TREES, criterion=criterion, n_jobs=1, random_state=0, **settings
    )
    return seconds(lambda: forest.fit(X)) / N_TREES


def sporf_seconds(X: Any) -> float:
    """CPU seconds of a tree of SPORF's; raises MissingError where it does not install."""
    python = environment("sporf")
    path = python.parents[1] / "points.npy"
    np.save(path, X)
    return float(run(python, "-c", SPORF, path).split()[-1])


def cost_of_a_tree(rounds: int = 5) -> dict[str, Any]:
    X, _ = make_linear(10_000, n_noise=7, random_state=0)
    as_sporf = {
        "min_samples_split": round(len(X) ** 0.5),
        "projection": "sparse",
        "max_features": "sqrt",
        "bootstrap": True,
    }
    settings: dict[str, dict[str, Any]] = {"as SPORF": as_sporf, "default": {}}
    times: dict[str, dict[str, list[float]]] = {
        name: {criterion: [] for criterion in CRITERIA} for name in settings
    }
    for _ in range(rounds):
        for name, chosen in settings.items():
            for criterion in CRITERIA:
                times[name][criterion].append(tree_seconds(criterion, X, **chosen))
    result: dict[str, Any] = {
        "milliseconds": {
            name: {key: 1000 * statistics.median(value) for key, value in found.items()}
            for name, found in times.items()
        },
        "fast_bic_times_two_means": {
            name: statistics.median(slow / fast for fast, slow in zip(*found.values(), strict=True))
            for name, found in times.items()
        },
    }
    try:
        peer, source = 1000 * sporf_seconds(X), "measured in the same run"
    except MissingError as reason:
        peer, source = PUBLISHED_SPORF_MILLISECONDS, f"published; here: {reason}"
    return result | {
        "sporf_milliseconds": peer,
        "sporf": source,
        "times_faster_than_sporf": peer / result["milliseconds"]["as SPORF"]["two_means"],
    }


def growth(criterion: str) -> dict[str, Any]:
    """CPU seconds of a tree over the rows, and the slope of their logarithms."""
    times = []
    for n_rows in SIZES:
        X, _ = make_linear(n_rows, n_noise=7, random_state=0)
        times.append(min(tree_seconds(criterion, X) for _ in range(3)))
    exponent = float(np.polyfit(np.log(SIZES), np.log(times), 1)[0])
    return {"rows": SIZES, "seconds": times, "exponent": exponent}


def large() -> dict[str, Any]:
    """Run in a process of its own: its peak memory is that of this work."""
    X, truth = make_linear(100_000, n_noise=97, random_state=0)
    start = time.perf_counter()
    forest = bentwood.GeodesicForest(random_state=0).fit(X)
    fitted = time.perf_counter()
    found = forest.kneighbors(n_neighbors=50, return_distance=False)
    end = time.perf_counter()
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rows = np.random.default_rng(0).choice(len(X), 1000, replace=False)
    distances = np.abs(truth[rows, None] - truth)
    radius = np.partition(distances, 50, axis=1)[:, 50:51]  # the nearest is the row itself
    hits = np.abs(truth[found[rows]] - truth[rows, None]) <= radius
    return {
        "fit_seconds": fitted - start,
        "neighbours_seconds": end - fitted,
        "peak_gigabytes": kilobytes / 1024**2,
        "precision_of_1000_rows": float(hits.mean()),
    }


def measured() -> dict[str, Any]:
    if not hasattr(bentwood, "GeodesicForest"):
        return {"missing": "bentwood has no GeodesicForest"}
    child = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    return {
        "tree": cost_of_a_tree(),
        "growth": {criterion: growth(criterion) for criterion in CRITERIA},
        "large": json.loads(child.stdout),
    }


if __name__ == "__main__":
    print(json.dumps(large()))
