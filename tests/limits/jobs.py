"""What is done under a limit: the work of a user of the package and of one of the program."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bentwood
from bentwood import (
    GeodesicForest,
    HoroForestClassifier,
    HoroSVC,
    ManifoldForestClassifier,
    ManifoldTreeClassifier,
    PoincarePerceptron,
    PoincareSVC,
    datasets,
    io,
    metrics,
)
from bentwood.geometry import Manifold

N_JOBS = 8


def train_forest(folder: Path) -> None:
    points = io.read_points(folder / "large.npz", label="label")
    forest = ManifoldForestClassifier("H4", n_estimators=8, n_jobs=N_JOBS, random_state=0)
    forest.fit(points.X, points.y)


def train_tree(folder: Path) -> None:
    points = io.read_points(folder / "large.csv", label="label")
    ManifoldTreeClassifier("H4", n_jobs=N_JOBS, random_state=0).fit(points.X, points.y)


def predict(folder: Path) -> None:
    points = io.read_points(folder / "large.npz", label="label")
    forest: Any = bentwood.load(folder / "forest.bent")
    forest.set_params(n_jobs=N_JOBS)
    forest.predict_proba(points.X)
    forest.apply(points.X)


def save(folder: Path) -> None:
    points = io.read_points(folder / "small.csv", label="label")
    forest = ManifoldForestClassifier("H4", n_jobs=N_JOBS, random_state=0)
    forest.fit(points.X, points.y).save(folder / f"saved-{os.getpid()}.bent")


def find_neighbours(folder: Path) -> None:
    points = io.read_points(folder / "small.csv", label="label")
    forest = GeodesicForest(10, signature="H4", n_jobs=N_JOBS, random_state=0).fit(points.X)
    forest.kneighbors(points.X[:5000], 20)
    forest.kneighbors_graph(n_neighbors=20)


def train_horospheres(folder: Path) -> None:
    points = io.read_points(folder / "small.csv", label="label")
    forest = HoroForestClassifier(
        "H4", coordinates="ambient", n_estimators=4, n_jobs=N_JOBS, random_state=0
    )
    forest.fit(points.X, points.y).predict_proba(points.X)


def train_linear(folder: Path) -> None:
    points = io.read_points(folder / "large.csv.gz", label="label")
    HoroSVC("H4", coordinates="ambient", n_jobs=N_JOBS, random_state=0).fit(
        points.X[:5_000], points.y[:5_000]
    )
    PoincareSVC("H4", coordinates="ambient", n_jobs=N_JOBS, random_state=0).fit(points.X, points.y)
    PoincarePerceptron("H4", coordinates="ambient", n_jobs=N_JOBS).fit(
        points.X[:5_000], points.y[:5_000]
    )


def read_and_write(folder: Path) -> None:
    for name in ("large.csv", "large.csv.gz", "large.npz"):
        table = io.read_table(folder / name, n_jobs=N_JOBS)
        io.write_table(folder / f"written-{os.getpid()}.csv", table, n_jobs=N_JOBS)


def compute_distances(folder: Path) -> None:
    points = io.read_points(folder / "small.csv", label="label")
    manifold = Manifold("H4", n_jobs=N_JOBS)
    distances = manifold.pairwise_distance(points.X[:12_000])
    manifold.mean(points.X)
    metrics.accuracy(points.y[:100], points.y[:100])
    np.argsort(distances[:100], axis=1)


def make_points(folder: Path) -> None:
    datasets.make_mixture(3_000_000, "H2 x S2 x E2", n_classes=5, random_state=0, n_jobs=N_JOBS)


PYTHON_JOBS: list[Callable[[Path], None]] = [
    train_forest,
    train_tree,
    predict,
    save,
    find_neighbours,
    train_horospheres,
    train_linear,
    read_and_write,
    compute_distances,
    make_points,
]

PROGRAM_JOBS = [
    "train large.csv -s H4 --n-trees 8 --no-cv -o -",
    "train large.npz --label label -s H4 --method tree --cv-folds 2 -o -",
    "train small.csv -s H4 --method horo-forest --n-trees 4 --no-cv -o -",
    "train small.csv -s H4 --method horo-svc -o -",
    "train large.csv.gz -s H4 --method poincare-svm --cv-folds 3 -o -",
    "train small.csv -s H4 --method geodesic-forest --n-trees 10 -o -",
    "predict forest.bent large.csv -o /dev/null --to-format csv",
    "evaluate forest.bent large.csv",
    "neighbors small.csv -s H4 --n-trees 10 -k 20 -o /dev/null --to-format csv",
    "convert large.csv.gz /dev/null -s H4 --from ambient --to poincare --to-format npz",
    "inspect large.csv",
    "generate mixture -n 2000000 -s H4 -o /dev/null --format csv",
]

FILES = {
    "large.csv": "generate mixture -n 400000 -s H4 --classes 5 --label-noise 0.2",
    "large.csv.gz": "generate mixture -n 200000 -s H4 --classes 5 --label-noise 0.2",
    "large.npz": "generate mixture -n 400000 -s H4 --classes 5 --label-noise 0.2",
    "small.csv": "generate mixture -n 10000 -s H4 --classes 5 --label-noise 0.2",
    "forest.bent": "train small.csv -s H4 --n-trees 50 --no-cv",
}
"""What the jobs read, and the program's commands that make it."""
