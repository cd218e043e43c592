"""PoincareSVC against scikit-learn's LinearSVC on the same features, one thread.

CIFAR10 is the paper's, 50,000 rows and 10 classes in the Poincaré disk, where BENTWOOD_DATA names
the folder of it. Both are run to the same objective: LinearSVC to the largest tolerance that comes
within 1e-6 of the minimum.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import compare, seconds, write
from numpy.typing import NDArray
from paper_data import data_folder
from sklearn.svm import LinearSVC

from bentwood import PoincareSVC
from bentwood.geometry import Manifold

Array = NDArray[Any]
SETTINGS: dict[str, Any] = {"C": 5.0, "fit_intercept": False, "n_jobs": 1, "random_state": 0}
TOLERANCES = [10.0**-power for power in range(1, 10)]


def signs_of(y: Array) -> list[Array]:
    return [np.where(y == label, 1, -1) for label in np.unique(y)]


def objective(F: Array, signs: Array, weights: Array) -> float:
    short = np.maximum(0, 1 - signs * (F @ weights))
    return float(0.5 * weights @ weights + 5.0 * (short**2).sum())


def cpu_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def growth(sizes: list[int], dim: int) -> float:
    """The exponent of n in the CPU time of a fit of two overlapping clouds.

    One thread does all the work, so that is its time on a quiet machine; on a busy one short fits
    come through between two interruptions, and long ones do not.
    """
    generator = np.random.default_rng(0)
    times = []
    for n in sizes:
        y = np.arange(n) % 2
        X = generator.normal(size=(n, dim)) / np.sqrt(dim)
        X[:, 0] += y
        model = PoincareSVC(reference="means", n_jobs=1)
        times.append(min(cpu_seconds(lambda: model.fit(X, y)) for _ in range(3)))  # noqa: B023
        print(f"H{dim}, {n:,} rows: {times[-1]:.3f} s, {model.n_iter_[0]} steps", flush=True)
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def main() -> None:
    data = np.load(data_folder() / "poincare_linear" / "cifar10.npz")
    X, y, references = data["X_train"], data["y_train"], data["reference_points"]
    disk = Manifold("H2", "poincare", n_jobs=1)
    features = [disk.log(np.tile(point, (len(X), 1)), X) for point in references]
    signs = signs_of(y)
    ours = PoincareSVC("H2", coordinates="poincare", reference=references, **SETTINGS)
    best = ours.fit(X, y).objective_

    def their_fit(tolerance: float, dual: bool) -> list[float]:
        found = []
        for F, sign in zip(features, signs, strict=True):
            model = LinearSVC(
                C=5.0, fit_intercept=False, dual=dual, tol=tolerance, max_iter=1000, random_state=0
            )
            found.append(objective(F, sign, model.fit(F, sign).coef_[0]))
        return found

    def excess(theirs: list[float]) -> float:
        return float(max(abs(a / b - 1) for a, b in zip(theirs, best, strict=True)))

    tolerance = next(tol for tol in TOLERANCES if excess(their_fit(tol, dual=False)) <= 1e-6)
    comparison = compare(
        "fit of the SVM, 10 classes",
        "CIFAR10, 50,000 rows",
        "scikit-learn LinearSVC",
        lambda: their_fit(tolerance, dual=False),
        lambda: ours.fit(X, y).objective_,
        lambda theirs, found: max(excess(theirs), excess(list(found))),
        1e-6,
        rounds=5,
    )
    whole = PoincareSVC("H2", coordinates="poincare", probability=True, platt="cross", **SETTINGS)
    plain = PoincareSVC("H2", coordinates="poincare", probability=True, platt="train", **SETTINGS)
    figures = {
        "seconds of a fit on CIFAR10 with hulls and Platt scaling as published": min(
            seconds(lambda: plain.fit(X, y)) for _ in range(3)
        ),
        "seconds of the same with cross-fitted Platt scaling": min(
            seconds(lambda: whole.fit(X, y)) for _ in range(3)
        ),
        "exponent of n in the plane, 10,000 to 1,000,000 rows": growth(
            [10_000, 100_000, 1_000_000], 2
        ),
        "exponent of n in 1,000 dimensions, 10,000 to 100,000 rows": growth(
            [10_000, 30_000, 100_000], 1000
        ),
    }
    for name, value in figures.items():
        print(f"{name}: {value:.2f}")
    write("linear", [comparison], ["scikit-learn", "numpy"], figures)


if __name__ == "__main__":
    main()
