"""Geodesic Forests on data that their defaults were not chosen on: scikit-learn's small sets.

Of the 30 nearest rows, the share of the same class; columns standardised, as they are and with 20
columns of normal noise besides; mean of three seeds. Digits are the first 600.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from geodesic_methods import Problem, euclid
from sklearn import datasets
from sklearn.preprocessing import StandardScaler

import bentwood
from bentwood.metrics import geodesic_precision

SETS = ["iris", "wine", "breast_cancer", "digits"]
SEEDS = range(3)
N_NEIGHBOURS, N_NOISE, MOST_ROWS = 30, 20, 600


def forest(problem: Problem, shared: str) -> Any:
    model = bentwood.GeodesicForest(random_state=problem.seed, shared=shared).fit(problem.X)
    return model.kneighbors(n_neighbors=problem.n_neighbors, return_distance=False)


def measured() -> dict[str, Any]:
    """The precision of every method: by set, as it is and among noise."""
    result: dict[str, Any] = {}
    for name in SETS:
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        X, y = StandardScaler().fit_transform(X[:MOST_ROWS]), y[:MOST_ROWS]
        for n_noise in (0, N_NOISE):
            scores: dict[str, list[float]] = {"Euclid": [], "evidence": [], "node": []}
            for seed in SEEDS:
                noise = np.random.default_rng(seed).normal(size=(len(X), n_noise))
                problem = Problem(np.hstack([X, noise]), seed, N_NEIGHBOURS)
                found = {"Euclid": euclid(problem)}
                found |= {shared: forest(problem, shared) for shared in ("evidence", "node")}
                for method, rows in found.items():
                    scores[method].append(float(geodesic_precision(rows, labels=y)))
            result.setdefault(name, {})[str(n_noise)] = {
                method: float(np.mean(values)) for method, values in scores.items()
            }
    return result


def table(result: dict[str, Any]) -> str:
    """As Markdown: in every cell without noise, and with it."""
    methods = ["Euclid", "evidence", "node"]
    lines = ["| | " + " | ".join(SETS) + " |", "| --- |" + " --- |" * len(SETS)]
    for method in methods:
        cells = [" ".join(f"{by[method]:.2f}"[1:] for by in result[name].values()) for name in SETS]
        lines.append(f"| {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
