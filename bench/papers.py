"""The mixed-curvature paper's protocol on its own data, which BENTWOOD_DATA names the folder of.

Depth 5, 12 trees, all pairs, at most 1,000 training rows. Published: Chlenski et al.,
"Mixed-Curvature Decision Trees and Random Forests", ICML 2025. A trial is an embedding of its own;
every forest gets the same rows.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from forest_methods import METHODS, Space
from harness import RESULTS
from paper_data import data_folder, drawn, files
from trial_statistics import summary

from bentwood.metrics import accuracy, rmse

MOST_ROWS = 1000
SEEDS = range(5)
PROTOCOL: dict[str, Any] = {"n_estimators": 12, "max_depth": 5}

TASKS = [
    ("polblogs", "H4", "product_graphs/polblogs/H_*.npz", accuracy, 0.934),
    ("cs_phds", "H4", "product_graphs/cs_phds/H_*.npz", rmse, 13.99),
    ("lymphoma", "(S2)^2", "product_vae/lymphoma_*.npz", accuracy, 0.848),
]

FORESTS = {
    "Bentwood, pairs": "geodesic + pairs",
    "Bentwood, geodesic": "geodesic",
    "scikit-learn, ambient": "ambient",
    "scikit-learn, tangent": "tangent",
}


def run(folder: Path) -> list[dict[str, Any]]:
    results = []
    for name, signature, pattern, score, published in TASKS:
        # One mean over the seeds a trial: the standard error is that over the embeddings.
        scores: dict[str, list[float]] = {}
        space = Space(signature, regression=score is rmse)
        for path in files(folder, pattern):
            of_trial: dict[str, list[float]] = {}
            for seed in SEEDS:
                train, test = (drawn(path, part, seed, MOST_ROWS) for part in ("train", "test"))
                for forest, method in FORESTS.items():
                    model = METHODS[method](space, random_state=seed, **PROTOCOL)
                    found = model.fit(train.X, train.y).predict(test.X)
                    of_trial.setdefault(forest, []).append(score(test.y, found))
            for forest, values in of_trial.items():
                scores.setdefault(forest, []).append(float(np.mean(values)))
        for forest, values in scores.items():
            of_forest = summary(values)
            results.append(
                {
                    "data": name,
                    "signature": signature,
                    "score": score.__name__,
                    "forest": forest,
                    **of_forest,
                    "trials": len(values),
                    "published_product_forest": published,
                }
            )
            mean, error = of_forest["mean"], of_forest["standard_error"]
            print(f"{name:10} {signature:8} {forest:24} {mean:8.3f} ± {error:.3f}  ({published})")
    return results


def main() -> None:
    warnings.simplefilter(
        "ignore", UserWarning
    )  # rows of float32 that are projected, counted elsewhere
    results = run(data_folder())
    (RESULTS / "papers.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
