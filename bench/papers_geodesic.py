"""Geodesic Forests' figure 5: neurons of a Drosophila larva whose neighbours are of their type.

The connectome of the right mushroom body (Eichler et al., Nature 2017), 213 neurons of four types,
embedded by its adjacency: left and right singular vectors, three each, scaled by the roots of the
singular values. Precision at 50 neighbours, and precision and recall from 1 to 212; means over
three seeds. The figures known for Euclid and Isomap come without a word on whether synapses count
or are there; they come out where they are just there ("binary"), so that is the graph to compare
with them. "weighted" has the counts. BENTWOOD_DATA names the folder of the papers' data.

    python bench/papers_geodesic.py [NAME ...]     the methods of geodesic_methods.py
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from geodesic_methods import FOREST, NAMES, MissingError, Problem, neighbours
from harness import RESULTS
from numpy.typing import NDArray
from paper_data import data_folder

from bentwood.metrics import geodesic_precision, geodesic_recall

Array = NDArray[Any]
PATH = RESULTS / "papers_geodesic.json"
SEEDS = range(3)
KNOWN = {"Euclid": 0.734, "Isomap": 0.745}
"""Precision at 50 on the binary graph as it was measured before; of Isomap .739 to .745."""


def spectral_embedding(adjacency: Array, n_dims: int = 3) -> Array:
    """Where each neuron stands as a sender and as a receiver."""
    left, values, right = np.linalg.svd(adjacency.astype(np.float64))
    roots = np.sqrt(values[:n_dims])
    return np.hstack([left[:, :n_dims] * roots, right[:n_dims].T * roots])


def measured(method: str, X: Array, y: Array) -> dict[str, Any]:
    sizes = np.arange(1, len(X))
    rankings = neighbours(method, [Problem(X, seed, len(X) - 1) for seed in SEEDS])
    precision, recall = (
        np.mean([score(found, labels=y, n_neighbors=sizes) for found in rankings], axis=0)
        for score in (geodesic_precision, geodesic_recall)
    )
    return {
        "precision_at_50": float(precision[49]),
        "precision": precision.round(4).tolist(),
        "recall": recall.round(4).tolist(),
    }


def at_recall(curve: dict[str, Any], wanted: float) -> float:
    """The precision where so much is recalled."""
    return float(np.interp(wanted, curve["recall"], curve["precision"]))


def main() -> None:
    data = np.load(data_folder() / "drosophila" / "right.npz")
    counts, y = data["adjacency"], data["y"]
    report: dict[str, Any] = json.loads(PATH.read_text()) if PATH.exists() else {}
    missing = report.setdefault("missing", {})
    for graph, adjacency in {"binary": counts > 0, "weighted": counts}.items():
        methods = report.setdefault(graph, {})
        for name in sys.argv[1:] or NAMES:
            try:
                methods[name] = measured(name, spectral_embedding(adjacency), y)
                missing.pop(name, None)
            except MissingError as reason:
                methods.pop(name, None)
                missing[name] = str(reason)
        PATH.write_text(json.dumps(report, sort_keys=True) + "\n")
        print_table(graph, methods)
    for name, reason in missing.items():
        print(f"{name}: {reason}")
    if FOREST in missing:
        raise SystemExit(f"papers_geodesic.py: {missing[FOREST]}")


def print_table(graph: str, methods: dict[str, Any]) -> None:
    recalls = [0.1, 0.2, 0.3, 0.4, 0.5]
    print(f"| {graph} | @50 | " + " | ".join(f"recall {r}" for r in recalls) + " | known |")
    print("| --- |" + " --- |" * (len(recalls) + 2))
    for name in [name for name in NAMES if name in methods]:
        cells = [methods[name]["precision_at_50"], *(at_recall(methods[name], r) for r in recalls)]
        row = " | ".join(f"{cell:.3f}" for cell in cells)
        known = KNOWN.get(name, "") if graph == "binary" else ""
        print(f"| {name} | {row} | {known} |")


if __name__ == "__main__":
    main()
