"""Table I of the Poincaré perceptrons: how many mistakes they make until they separate.

Chien, Pan, Tabaghi, Milenkovic, "Highly Scalable and Provably Accurate Classification in Poincaré
Balls", ICDM 2021: 10,000 points of 10 dimensions, uniform in the ball of radius R = 0.95 of the
Poincaré ball, are separated with some margin by a hyperplane through p, which is given; the mean
number of updates of both perceptrons, the second order with a = 0, over rows in their order.

They take the mean of 20 runs; counts vary so much from one to the next that we take it of 100, and
print the standard error that a mean of 20 has. Their program begins the second order with the last
row in S and the first in xi, neither of which is a mistake: "as their program" begins like that.

    python bench/papers_linear.py
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from harness import RESULTS
from numpy.typing import NDArray

from bentwood import PoincarePerceptron, PoincareSecondOrderPerceptron
from bentwood.datasets import Separable, make_separable

MARGINS = [1.0, 0.1, 0.01, 0.001]
RUNS = 100
METHODS = ["second order", "as their program", "first order"]
#: |p| / R, and the counts of each method for the margins.
PUBLISHED = {
    0.2: {"second order": [26, 82, 342, 818], "first order": [51, 1_495, 19_600, 134_000]},
    0.6: {"second order": [29, 101, 340, 545], "first order": [82, 1_158, 16_800, 146_000]},
}


def estimator_updates(method: str, data: Separable) -> int:
    settings: dict[str, Any] = {
        "coordinates": "poincare",
        "reference": data.reference,
        "shuffle": False,
        "max_iter": 10**9,
        "n_jobs": 1,
    }
    if method == "first order":
        model = PoincarePerceptron("H10", **settings)
    else:
        model = PoincareSecondOrderPerceptron("H10", regularization=0.0, **settings)
    model.fit(data.X, data.y)
    assert model.margin_[0] > 0
    assert model.n_updates_[0] <= model.bound_[0]
    return int(model.n_updates_[0])


def weighted(X: NDArray[Any], p: NDArray[Any]) -> NDArray[Any]:
    """The vectors 2m / (1 - |m|^2), m the Moebius sum of -p and x."""
    xx, px, pp = (X**2).sum(axis=1), X @ p, p @ p
    m = ((1 - pp) * X - (1 - 2 * px + xx)[:, None] * p) / (1 - 2 * px + pp * xx)[:, None]
    result: NDArray[Any] = 2 * m / (1 - (m**2).sum(axis=1))[:, None]
    return result


def program_updates(data: Separable) -> int:
    """Count the mistakes of the second order with S and xi as the authors' program begins."""
    Z, signs = weighted(data.X, data.reference[0]), 2 * data.y - 1
    n_rows, dim = Z.shape
    A, xi, w = np.outer(Z[-1], Z[-1]), signs[0] * Z[0], None
    n_updates, row, n_right = 0, 0, 0
    while n_right < n_rows:
        if w is None:  # S does not span everything yet: the row that is guessed matters
            wrong = signs[row] * (Z[row] @ np.linalg.pinv(A + np.outer(Z[row], Z[row])) @ xi) <= 0
        else:  # the next mistake, at the end of the pass if there is none
            mistakes = np.flatnonzero(signs[row:] * (Z[row:] @ w) <= 0)
            wrong = len(mistakes) > 0
            skipped = int(mistakes[0]) if wrong else n_rows - 1 - row
            row, n_right = row + skipped, n_right + skipped
        if wrong:
            A, xi = A + np.outer(Z[row], Z[row]), xi + signs[row] * Z[row]
            if w is not None or np.linalg.matrix_rank(A) == dim:
                w = np.linalg.solve(A, xi)
            n_updates += 1
        n_right = 0 if wrong else n_right + 1
        row = (row + 1) % n_rows
    return n_updates


def cell(method: str, margin: float, offset: float, published: int) -> dict[str, Any]:
    counts = []
    for run in range(RUNS):
        data = make_separable(
            10_000, "H10", margin=margin, offset=offset, coordinates="poincare", random_state=run
        )
        ours = method != "as their program"
        counts.append(estimator_updates(method, data) if ours else program_updates(data))
    mean, spread = float(np.mean(counts)), float(np.std(counts, ddof=1))
    print(
        f"{offset:5.1f}  {method:16}  {margin:6g}  {mean:8.0f}  {spread / 20**0.5:11.0f}  "
        f"{published:9}  {mean / published:14.2f}",
        flush=True,
    )
    return {
        "mean": mean,
        "standard_error_of_20": spread / 20**0.5,
        "standard_error": spread / RUNS**0.5,
        "published": published,
    }


def main() -> None:
    report: dict[str, Any] = {}
    print("|p|/R  method            margin      mean  s.e. of 20  published  mean/published")
    for offset, rows in PUBLISHED.items():
        for method in METHODS:
            published = rows["first order" if method == "first order" else "second order"]
            report.setdefault(f"{offset:g} R", {})[method] = {
                f"{margin:g}": cell(method, margin, offset, count)
                for margin, count in zip(MARGINS, published, strict=True)
            }
    path = RESULTS / "papers_linear.json"
    path.write_text(json.dumps(report, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
