"""Training and applying forests against scikit-learn's on the same points, in the same run.

Five wrapped normals with a fifth of the labels drawn anew, so that trees grow deep; unlimited
depth, the square root of the number of columns in a node. Bentwood gets points of H^D and computes
their rapidities in the time that is measured; scikit-learn gets the rapidities. Both must be right
about as often on unseen points.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from harness import Comparison, compare, write
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

from bentwood import (
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
)
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold

Array = NDArray[Any]
N_TEST = 20_000
ALLOWED = 0.003
"""How far the accuracies (or the R²) of the two may lie apart."""


@dataclass
class Problem:
    """Points to learn from and to be judged on, with the natural coordinates of both."""

    signature: str
    X: Array
    y: Array
    columns: Array
    X_test: Array
    y_test: Array
    columns_test: Array

    @property
    def size(self) -> str:
        return f"{self.signature}, {len(self.X):,} points"


def problem(n_rows: int, dim: int, space: str = "H", regression: bool = False) -> Problem:
    signature = f"{space}{dim}"
    X, label = make_mixture(n_rows + N_TEST, signature, n_classes=5, random_state=dim)
    random = np.random.default_rng(dim)
    y = np.where(random.random(len(label)) < 0.2, random.integers(5, size=len(label)), label)
    if regression:
        y = label + random.normal(size=len(label))
    columns = Manifold(signature).natural_coordinates(X)
    train, test = slice(n_rows), slice(n_rows, None)
    # Judged by the labels before a fifth of them was drawn anew.
    return Problem(
        signature, X[train], y[train], columns[train], X[test], label[test], columns[test]
    )


def fit(
    task: str, data: Problem, peer: Any, ours: Any, rounds: int = 3, allowed: float = ALLOWED
) -> Comparison:
    """Compare the time of fitting, and how well the two do."""

    def difference(a: Any, b: Any) -> float:
        return abs(a.score(data.columns_test, data.y_test) - b.score(data.X_test, data.y_test))

    return compare(
        task,
        data.size,
        "scikit-learn",
        lambda: peer().fit(data.columns, data.y),
        lambda: ours(data.signature).fit(data.X, data.y),
        difference,
        allowed,
        rounds,
    )


def forests() -> list[Comparison]:
    cases = [(100_000, 16, 20), (100_000, 2, 20), (10_000, 8, 100), (10_000, 16, 100)]
    cases.append((10_000, 64, 100))
    results = []
    for n_rows, dim, n_trees in cases:
        results.append(
            fit(
                f"fit a forest of {n_trees} trees",
                problem(n_rows, dim),
                lambda n=n_trees: RandomForestClassifier(n, random_state=0),
                lambda signature, n=n_trees: ManifoldForestClassifier(
                    signature, n_estimators=n, random_state=0, n_jobs=1
                ),
            )
        )
    data = problem(100_000, 16)
    results.append(
        fit(
            "fit one tree on all columns",
            data,
            lambda: DecisionTreeClassifier(random_state=0),
            lambda signature: ManifoldTreeClassifier(signature, random_state=0, n_jobs=1),
        )
    )
    data = problem(100_000, 16, regression=True)
    results.append(
        fit(
            "fit a regression forest of 10 trees",
            data,
            lambda: RandomForestRegressor(10, max_features="sqrt", random_state=0),
            lambda signature: ManifoldForestRegressor(
                signature, n_estimators=10, max_features="sqrt", random_state=0, n_jobs=1
            ),
        )
    )
    return results


def prediction() -> tuple[list[Comparison], dict[str, float]]:
    data = problem(100_000, 16)
    peer = RandomForestClassifier(100, random_state=0, n_jobs=-1).fit(data.columns, data.y)
    peer.set_params(n_jobs=1)
    ours = ManifoldForestClassifier("H16", random_state=0).fit(data.X, data.y)
    ours.set_params(n_jobs=1)
    results = [
        compare(
            "predict_proba with 100 trees",
            data.size,
            "scikit-learn",
            lambda: peer.predict_proba(data.columns),
            lambda: ours.predict_proba(data.X),
            lambda a, b: float(np.abs(a - b).mean()),
            0.05,
            3,
        )
    ]
    row, columns = data.X_test[:1].copy(), data.columns_test[:1].copy()

    def many(predict: Any, X: Array, repetitions: int) -> Any:
        for _ in range(repetitions):
            result = predict(X)
        return result

    results.append(
        compare(
            "predict_proba of one row, 100 trees, 100 times",
            data.signature,
            "scikit-learn",
            lambda: many(peer.predict_proba, columns, 100),
            lambda: many(ours.predict_proba, row, 100),
            lambda a, b: float(np.abs(a - b).mean()),
            0.2,
            5,
        )
    )
    return results, one_row_in_cpp(ours, data.X_test[:2000])


def one_row_in_cpp(model: ManifoldForestClassifier, X: Array) -> dict[str, float]:
    """Return the microseconds that one row takes without Python, in cache and from memory."""
    program = Path(__file__).parents[1] / "build" / "venv" / "bench" / "bench_single_row"
    with tempfile.TemporaryDirectory() as folder:
        model.save(f"{folder}/forest.bent")
        np.save(f"{folder}/points.npy", X)
        command = [program, f"{folder}/forest.bent", f"{folder}/points.npy"]
        output = subprocess.run(command, check=True, capture_output=True).stdout
    times = json.loads(output)
    figures = {
        "one row in C++, the same again, microseconds": times["again"],
        "one row in C++, a new one each time, microseconds": times["new"],
    }
    for name, value in figures.items():
        print(f"{name:60} {value:.2f}", flush=True)
    return figures


def itself() -> list[Comparison]:
    """Two threads against one, and circles against lines: Bentwood is its own peer."""
    data = problem(100_000, 16)
    same = lambda a, b: float(np.abs(a - b).max())  # noqa: E731

    def forest(n_jobs: int) -> Array:
        model = ManifoldForestClassifier("H16", n_estimators=20, random_state=0, n_jobs=n_jobs)
        return model.fit(data.X, data.y).predict_proba(data.X_test)

    def tree(n_jobs: int) -> Array:
        model = ManifoldTreeClassifier("H16", random_state=0, n_jobs=n_jobs)
        return model.fit(data.X, data.y).predict_proba(data.X_test[:1000])

    results = [
        compare(
            "fit a forest of 20 trees on two threads",
            data.size,
            "one thread",
            lambda: forest(1),
            lambda: forest(2),
            same,
            0.0,
            5,
        ),
        compare(
            "fit one tree on two threads",
            data.size,
            "one thread",
            lambda: tree(1),
            lambda: tree(2),
            same,
            0.0,
            5,
        ),
    ]
    # The same numbers once as lines and once as circles, so that nothing else differs.
    angles = problem(100_000, 16, "S")

    def on(signature: str, X: Array) -> ManifoldForestClassifier:
        model = ManifoldForestClassifier(signature, n_estimators=20, random_state=0, n_jobs=1)
        return model.fit(X, angles.y)

    results.append(
        compare(
            "fit a forest on circles",
            angles.size,
            "on lines",
            lambda: on("E16", angles.columns),
            lambda: on("S16", angles.X),
            lambda a, b: 0.0,
            0.0,
            5,
        )
    )
    return results


def high_water() -> int:
    """Return the most memory that this process has held since it was last reset, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise SystemExit("/proc/self/status has no VmHWM")


def large(n_rows: int) -> None:
    """Print the time and the memory of a fit; in a process of its own, for the memory's sake."""
    data = problem(n_rows, 16)
    X, y = data.X.copy(), data.y.copy()
    del data
    Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
    before = high_water() - X.nbytes
    start = time.perf_counter()
    ManifoldForestClassifier("H16", n_estimators=10, random_state=0, n_jobs=1).fit(X, y)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "memory": (high_water() - before) / X.nbytes}))


def growth() -> dict[str, float]:
    """Return the exponents of time from 1e4 to 1e6 rows, and the memory at 1e6, input included."""
    runs = {}
    for n_rows in (10_000, 100_000, 1_000_000):
        command = [sys.executable, __file__, "--large", str(n_rows)]
        runs[n_rows] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    seconds = [runs[n]["seconds"] for n in sorted(runs)]
    figures = {
        "exponent of time, 1e4 to 1e5 rows": math.log10(seconds[1] / seconds[0]),
        "exponent of time, 1e5 to 1e6 rows": math.log10(seconds[2] / seconds[1]),
        "exponent of time, 1e4 to 1e6 rows": math.log10(seconds[2] / seconds[0]) / 2,
        "peak memory at 1e6 rows, times the input": runs[1_000_000]["memory"],
        "seconds for 10 trees at 1e6 rows": seconds[2],
    }
    for name, value in figures.items():
        print(f"{name:60} {value:.2f}", flush=True)
    return figures


def main() -> None:
    if sys.argv[1:2] == ["--large"]:
        large(int(sys.argv[2]))
        return
    predictions, one_row = prediction()
    results = [*forests(), *predictions, *itself()]
    write("forest", results, ["numpy", "scikit-learn"], {**growth(), **one_row})


if __name__ == "__main__":
    main()
