"""The mixed-curvature paper's protocol on its own data, which BENTWOOD_DATA names the folder of.

Depth 5, 12 trees, all pairs, at most 1,000 training rows. Published: Chlenski et al.,
"Mixed-Curvature Decision Trees and Random Forests", ICML 2025. A trial is an embedding of its own;
every forest gets the same rows.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from harness import RESULTS
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from bentwood import ManifoldForestClassifier, ManifoldForestRegressor
from bentwood.geometry import Manifold
from bentwood.metrics import accuracy, rmse

Array = NDArray[Any]
MOST_ROWS = 1000
SEEDS = range(5)
PROTOCOL: dict[str, Any] = {"n_estimators": 12, "max_depth": 5}

TASKS = [
    ("polblogs", "H4", "product_graphs/polblogs/H_*.npz", accuracy, 0.934),
    ("cs_phds", "H4", "product_graphs/cs_phds/H_*.npz", rmse, 13.99),
    ("lymphoma", "(S2)^2", "product_vae/lymphoma_*.npz", accuracy, 0.848),
]


def forests(
    signature: str, regression: bool, seed: int
) -> dict[str, tuple[Any, Callable[[Array], Array]]]:
    """Each forest with what it is given of a point in ambient coordinates."""
    manifold = Manifold(signature)
    settings = PROTOCOL | {"random_state": seed}
    ours = ManifoldForestRegressor if regression else ManifoldForestClassifier
    theirs = RandomForestRegressor if regression else RandomForestClassifier
    on_manifold = {"signature": signature, "off_manifold": "project"} | settings
    return {
        "Bentwood, pairs": (ours(**on_manifold, splits=("geodesic", "pairs")), lambda X: X),
        "Bentwood, geodesic": (ours(**on_manifold), lambda X: X),
        "scikit-learn, ambient": (theirs(**settings), lambda X: X),
        "scikit-learn, tangent": (
            theirs(**settings),
            lambda X: manifold.convert(manifold.project(X), target="tangent"),
        ),
    }


def rows(data: Any, part: str, seed: int) -> tuple[Array, Array]:
    X, y = data[f"X_{part}"], data[f"y_{part}"]
    chosen = np.random.default_rng(seed).permutation(len(X))[:MOST_ROWS]
    return X[chosen], y[chosen]


def run(folder: Path) -> list[dict[str, Any]]:
    results = []
    for name, signature, pattern, score, published in TASKS:
        # One mean over the seeds a trial: the standard error is that over the embeddings.
        scores: dict[str, list[float]] = {}
        for path in sorted(folder.glob(pattern)):
            of_trial: dict[str, list[float]] = {}
            with np.load(path) as data:
                for seed in SEEDS:
                    X, y = rows(data, "train", seed)
                    X_test, y_test = rows(data, "test", seed)
                    for forest, (model, view) in forests(signature, score is rmse, seed).items():
                        model.fit(view(X), y)
                        of_trial.setdefault(forest, []).append(
                            score(y_test, model.predict(view(X_test)))
                        )
            for forest, values in of_trial.items():
                scores.setdefault(forest, []).append(float(np.mean(values)))
        for forest, values in scores.items():
            mean = float(np.mean(values))
            error = float(np.std(values, ddof=1) / np.sqrt(len(values)))
            results.append(
                {
                    "data": name,
                    "signature": signature,
                    "score": score.__name__,
                    "forest": forest,
                    "mean": mean,
                    "standard_error": error,
                    "trials": len(values),
                    "published_product_forest": published,
                }
            )
            print(f"{name:10} {signature:8} {forest:24} {mean:8.3f} ± {error:.3f}  ({published})")
    return results


def main() -> None:
    folder = os.environ.get("BENTWOOD_DATA")
    if not folder:
        sys.exit("set BENTWOOD_DATA to the folder with the papers' data")
    warnings.simplefilter(
        "ignore", UserWarning
    )  # rows of float32 that are projected, counted elsewhere
    results = run(Path(folder))
    (RESULTS / "papers.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
