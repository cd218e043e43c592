"""Neighbours by one peer, run by the Python of the peer's own environment (geodesic_methods.py).

    python peer_neighbours.py METHOD FOLDER

Every FOLDER/problem_*.npz has points X, a seed and the number of neighbours; found_*.npy gets the
rows found, the nearest first.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

Array = Any


def without_self(found: Array, n_neighbors: int) -> Array:
    """Drop the row itself, or the farthest neighbour where the peer has not found it."""
    return np.array([row[row != place][:n_neighbors] for place, row in enumerate(found)])


def nearest(distances: Array, n_neighbors: int, seed: int) -> Array:
    """The rows with the least distances; of equally far ones any."""
    np.fill_diagonal(distances, np.inf)
    ties = np.random.default_rng(seed).random(distances.shape)
    return np.lexsort((ties, distances), axis=1)[:, :n_neighbors]


def umap(X: Array, seed: int, n_neighbors: int) -> Array:
    """In the two-dimensional embedding of the default settings."""
    from umap import UMAP

    embedding = UMAP(random_state=seed, n_jobs=1).fit_transform(X).astype(np.float64)
    differences = embedding[:, None] - embedding
    return nearest(np.linalg.norm(differences, axis=2), n_neighbors, seed)


def hnsw(X: Array, seed: int, n_neighbors: int) -> Array:
    import hnswlib

    index = hnswlib.Index(space="l2", dim=X.shape[1])
    index.init_index(max_elements=len(X), ef_construction=200, M=16, random_seed=seed)
    index.add_items(X, num_threads=1)
    index.set_ef(max(200, 2 * n_neighbors))
    return without_self(index.knn_query(X, k=n_neighbors + 1)[0].astype(np.int64), n_neighbors)


def flann(X: Array, seed: int, n_neighbors: int) -> Array:
    """Four randomised kd-trees and 32 checks, FLANN's defaults.

    That is too few to find the 50 nearest: what it finds shares cells of the trees instead, which
    can be nearer to the truth than Euclid is. With 1,000 checks it is Euclid.
    """
    import cv2

    points = np.ascontiguousarray(X, dtype=np.float32)
    index = cv2.flann_Index(points, {"algorithm": 1, "trees": 4})
    found, _ = index.knnSearch(points, n_neighbors + 1, params={"checks": 32})
    return without_self(found.astype(np.int64), n_neighbors)


def treeple(X: Array, seed: int, n_neighbors: int) -> Array:
    """Fast-BIC, oblique, with the smallest splittable node that its documentation recommends."""
    from treeple import UnsupervisedObliqueRandomForest

    smallest = int(np.sqrt(2 * len(X)))
    forest = UnsupervisedObliqueRandomForest(
        n_estimators=100, criterion="fastbic", min_samples_split=smallest, random_state=seed
    ).fit(X)
    return nearest(1 - forest.compute_similarity_matrix(X), n_neighbors, seed)


METHODS = {"umap": umap, "hnsw": hnsw, "flann": flann, "treeple": treeple}


def main() -> None:
    method, folder = METHODS[sys.argv[1]], Path(sys.argv[2])
    warnings.simplefilter("ignore")
    for path in sorted(folder.glob("problem_*.npz")):
        problem = np.load(path)
        found = method(problem["X"], int(problem["seed"]), int(problem["n_neighbors"]))
        np.save(folder / path.with_suffix(".npy").name.replace("problem", "found"), found)


if __name__ == "__main__":
    main()
