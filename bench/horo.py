"""Horosphere trees by themselves: how their time grows with the rows, and what a cut costs.

Growth: one tree on 1,000 to 100,000 rows of a mixture on H2, five classes, leaves of 1 % of the
rows, and of 3 rows; the exponent is the slope of log time over log rows. Cost: one tree on 800 rows
against an axis-aligned tree of the same depth, ours and scikit-learn's. One thread; CPU seconds,
which other work on the machine changes little.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import RESULTS, cpu_name
from sklearn.tree import DecisionTreeClassifier

from bentwood import HoroTreeClassifier, ManifoldTreeClassifier
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold

SIZES = [1_000, 3_000, 10_000, 30_000, 100_000]


def horo_tree(**parameters: Any) -> HoroTreeClassifier:
    return HoroTreeClassifier("H2", coordinates="ambient", n_jobs=1, random_state=0, **parameters)


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def median_time(model: Any, X: Any, y: Any, rounds: int) -> float:
    return statistics.median(seconds(lambda: model.fit(X, y)) for _ in range(rounds))


def growth() -> dict[str, Any]:
    times = []
    for n_rows in SIZES:
        X, y = make_mixture(n_rows, "H2", n_classes=5, random_state=0)
        times.append(median_time(horo_tree(min_samples_leaf=0.01), X, y, 3))
    full = []
    for n_rows in SIZES:
        X, y = make_mixture(n_rows, "H2", n_classes=5, random_state=0)
        full.append(median_time(horo_tree(), X, y, 1))
    logarithms = np.log(SIZES)
    return {
        "rows": SIZES,
        "seconds": times,
        "exponent": float(np.polyfit(logarithms, np.log(times), 1)[0]),
        "seconds_leaves_of_3": full,
        "exponent_leaves_of_3": float(np.polyfit(logarithms, np.log(full), 1)[0]),
    }


def cost() -> dict[str, Any]:
    """All trees in turn, so that what slows the machine down slows all of them down."""
    X, y = make_mixture(800, "H2", n_classes=5, random_state=0)
    rapidities = Manifold("H2").natural_coordinates(X)
    result: dict[str, Any] = {}
    for depth in (3, 5, None):
        axes = ManifoldTreeClassifier("H2", max_depth=depth, min_samples_leaf=3, n_jobs=1)
        theirs = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=3)
        contenders: dict[str, tuple[Any, Any]] = {
            "svm": (horo_tree(max_depth=depth), X),
            "search": (horo_tree(max_depth=depth, ideal_points="search"), X),
            "axis_aligned": (axes, X),
            "scikit_learn": (theirs, rapidities),
        }
        rounds = [
            {name: median_time(model, points, y, 1) for name, (model, points) in contenders.items()}
            for _ in range(41)
        ]
        times = {name: statistics.median(found[name] for found in rounds) for name in contenders}
        result["no limit" if depth is None else f"depth {depth}"] = times | {
            "times_axis_aligned": times["svm"] / times["axis_aligned"],
            "times_scikit_learn": times["svm"] / times["scikit_learn"],
        }
    return result


def main() -> None:
    report = {"cost": cost(), "growth": growth(), "cpu": cpu_name()}
    print(json.dumps(report, indent=1))
    (RESULTS / "horo.json").write_text(json.dumps(report, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
