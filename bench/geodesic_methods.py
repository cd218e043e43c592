"""Neighbours by a Geodesic Forest, and by what people would use instead.

Peers that this environment does not need are installed into environments of their own,
build/peers/<name>, from bench/peers/<name>.txt, the first time they are asked for.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peer_neighbours import nearest
from sklearn.ensemble import RandomForestClassifier
from sklearn.manifold import Isomap
from sklearn.neighbors import NearestNeighbors

import bentwood

Array = NDArray[Any]
BENCH = Path(__file__).parent
ENVIRONMENTS = BENCH.parent / "build" / "peers"
FOREST = "Geodesic Forest"


class MissingError(Exception):
    """A method that cannot be run here, with the reason."""


@dataclass
class Problem:
    """Points whose neighbours are asked for."""

    X: Array
    seed: int
    n_neighbors: int = 50


def geodesic_forest(problem: Problem) -> Array:
    """The default settings."""
    if not hasattr(bentwood, "GeodesicForest"):
        raise MissingError("bentwood has no GeodesicForest")
    forest = bentwood.GeodesicForest(random_state=problem.seed).fit(problem.X)
    found: Array = forest.kneighbors(n_neighbors=problem.n_neighbors, return_distance=False)
    return found


def euclid(problem: Problem) -> Array:
    search = NearestNeighbors(n_neighbors=problem.n_neighbors).fit(problem.X)
    found: Array = search.kneighbors(return_distance=False)
    return found


def isomap(problem: Problem) -> Array:
    """By the shortest paths in the graph of five neighbours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # graphs that are not connected: Isomap connects them
        paths = Isomap(n_neighbors=5).fit(problem.X).dist_matrix_
    return nearest(paths, problem.n_neighbors, problem.seed)


def breiman_cutler(problem: Problem) -> Array:
    """By how often two rows share a leaf of a forest that tells rows from permuted columns."""
    X, generator = problem.X, np.random.default_rng(problem.seed)
    permuted = generator.permuted(X, axis=0)
    real = np.repeat([1, 0], len(X))
    forest = RandomForestClassifier(100, min_samples_leaf=5, random_state=problem.seed)
    leaves = forest.fit(np.concatenate([X, permuted]), real).apply(X)
    distances = np.zeros((len(X), len(X)))
    for leaf in leaves.T:
        distances += leaf[:, None] != leaf
    return nearest(distances, problem.n_neighbors, problem.seed)


METHODS: dict[str, Callable[[Problem], Array]] = {
    FOREST: geodesic_forest,
    "Euclid": euclid,
    "Isomap": isomap,
    "Breiman-Cutler": breiman_cutler,
}
PEERS = {"UMAP": "umap", "HNSW": "hnsw", "FLANN": "flann", "treeple": "treeple"}
NAMES = [*METHODS, *PEERS]


def neighbours(method: str, problems: list[Problem]) -> list[Array]:
    """The rows found for each problem; raises MissingError where the method cannot be run."""
    if method in METHODS:
        return [METHODS[method](problem) for problem in problems]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place, problem in enumerate(problems):
            np.savez(folder / f"problem_{place:04}.npz", **vars(problem))
        run(environment(PEERS[method]), BENCH / "peer_neighbours.py", PEERS[method], folder)
        return [np.load(folder / f"found_{place:04}.npy") for place in range(len(problems))]


def environment(peer: str) -> Path:
    """The Python of a peer's environment, made where there is none yet."""
    folder = ENVIRONMENTS / peer
    python = folder / "bin" / "python"
    stamp = folder / "installed"
    if not stamp.exists():
        run(sys.executable, "-m", "venv", "--clear", folder)
        run(python, "-m", "pip", "install", "--quiet", "-r", BENCH / "peers" / f"{peer}.txt")
        stamp.touch()
    return python


def run(*command: Any) -> str:
    """What a program prints; raises MissingError with the last line of its complaint."""
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        lines = [line.strip() for line in result.stderr.splitlines() if line.strip()]
        raise MissingError(complaint(lines))
    return result.stdout


def complaint(lines: list[str]) -> str:
    """What a compiler gave up at, or else the last line that names an error."""
    fatal = [line[line.index("fatal error") :] for line in lines if "fatal error" in line]
    errors = [line for line in lines if "rror" in line and not line.startswith("note")]
    return (fatal or errors or lines or ["no reason given"])[-1]
