"""The library in C++, the program and the package are one engine: they agree bit for bit."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bentwood
from bentwood.datasets import make_mixture

PROGRAM = Path(sys.executable).parent / "bentwood"
SEED = 5
N_TREES = 5
TASKS = ["classification", "regression"]
METHODS = ["tree", "forest"]
SIGNATURES = ["H2", "S2", "E3", "H2 x S2 x E1"]
SPLITS = ["geodesic", "pairs", "geodesic,pairs"]
CASES = list(itertools.product(TASKS, METHODS, SIGNATURES, SPLITS, [False, True]))


def run(folder: Path, *words: str) -> str:
    result = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def labelled_points(signature: str, task: str) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Points with names, a label or a value for each, and weights, some of them 0."""
    rng = np.random.default_rng(0)
    X, y = make_mixture(150, signature, n_classes=3, noise=1.0, random_state=1)
    label = y if task == "classification" else X[:, -1] ** 3 + y + rng.normal(size=len(y))
    weights = rng.integers(0, 4, len(y)) / 3
    names = [f"column {number}" for number in range(X.shape[1])]
    return pd.DataFrame(X, columns=names), pd.Series(label), pd.Series(weights)


def estimator(task: str, method: str, signature: str, splits: str) -> Any:
    kind = "Classifier" if task == "classification" else "Regressor"
    parameters: dict[str, Any] = {"splits": tuple(splits.split(",")), "random_state": SEED}
    if method == "forest":
        parameters["n_estimators"] = N_TREES
    return getattr(bentwood, f"Manifold{method.title()}{kind}")(signature, **parameters)


@pytest.mark.parametrize(
    ("task", "method", "signature", "splits", "weighted"),
    CASES,
    ids=["-".join([*case[:4], "weights" if case[4] else "plain"]) for case in CASES],
)
def test_program_package_and_library_agree_bit_for_bit(
    task: str,
    method: str,
    signature: str,
    splits: str,
    weighted: bool,
    tmp_path: Path,
    native: ModuleType,
) -> None:
    X, y, weights = labelled_points(signature, task)
    table = X.assign(label=y, weight=weights)
    table.to_csv(tmp_path / "points.csv", index=False)
    run(
        tmp_path,
        *("train", "points.csv", "--label", "label", "--columns", ",".join(X.columns)),
        *("--task", task, "--method", method, "--signature", signature, "--splits", splits),
        *(["--n-trees", str(N_TREES)] if method == "forest" else []),
        *(["--weights", "weight"] if weighted else []),
        *("--seed", str(SEED), "--no-cv", "-o", "model.bent"),
    )
    model = estimator(task, method, signature, splits)
    model.fit(X, y, sample_weight=weights if weighted else None)
    model.save(tmp_path / "package.bent")
    assert (tmp_path / "package.bent").read_bytes() == (tmp_path / "model.bent").read_bytes()

    values = model.predict_proba(X) if task == "classification" else model.predict(X)[:, None]
    assert len(np.unique(values, axis=0)) > 2
    # The definition of a prediction, without the batched engine that the other two use.
    walked = native.library_values(str(tmp_path / "model.bent"), X.to_numpy())
    np.testing.assert_array_equal(values, walked)
    proba = ["--proba"] if task == "classification" else []
    run(tmp_path, "predict", "package.bent", "points.csv", *proba, "-o", "said.npz")
    said = np.load(tmp_path / "said.npz")
    np.testing.assert_array_equal(said["prediction"], model.predict(X))
    if proba:
        columns = [said[f"p({label})"] for label in model.classes_]
        np.testing.assert_array_equal(np.stack(columns, axis=1), values)


@pytest.mark.parametrize("projection", ["guided", "sparse", "axis"])
@pytest.mark.parametrize("signature", SIGNATURES)
def test_geodesic_forests_of_program_and_package_agree_bit_for_bit(
    signature: str, projection: str, tmp_path: Path
) -> None:
    X, y, _ = labelled_points(signature, "classification")
    X.assign(label=y).to_csv(tmp_path / "points.csv", index=False)
    run(
        tmp_path,
        *("train", "points.csv", "--method", "geodesic-forest", "--signature", signature),
        *("--projection", projection, "--n-trees", str(N_TREES), "--min-samples-split", "20"),
        *("--seed", str(SEED), "-o", "model.bent"),
    )
    model = bentwood.GeodesicForest(
        N_TREES,
        projection=projection,
        min_samples_split=20,
        signature=signature,
        random_state=SEED,
    ).fit(X)
    model.save(tmp_path / "package.bent")
    assert (tmp_path / "package.bent").read_bytes() == (tmp_path / "model.bent").read_bytes()

    for points, rows in ((None, []), (X, ["points.csv"])):
        distances, indices = model.kneighbors(points, n_neighbors=10)
        assert len(np.unique(distances)) > 2
        run(tmp_path, "neighbors", *rows, "--model", "package.bent", "-k", "10", "-o", "said.npz")
        said = np.load(tmp_path / "said.npz")
        np.testing.assert_array_equal(said["neighbor"].reshape(indices.shape), indices)
        np.testing.assert_array_equal(said["distance"].reshape(indices.shape), distances)


def test_program_and_package_describe_a_tree_in_the_same_words(tmp_path: Path) -> None:
    X, y, _ = labelled_points("H2 x S2 x E1", "classification")
    model = estimator("classification", "forest", "H2 x S2 x E1", "geodesic,pairs").fit(X, y)
    model.save(tmp_path / "model.bent")
    report = run(tmp_path, "inspect", "model.bent", "--tree", "1", "--depth", "4", "--json")
    assert json.loads(report)["tree"]["text"] == model.export_text(1, max_depth=4)
    dot = run(tmp_path, "inspect", "model.bent", "--tree", "2", "--graphviz", "-")
    assert dot == model.export_graphviz(2)
    names = [entry["name"] for entry in json.loads(report)["column_importances"]]
    assert sorted(names) == sorted(model.column_names_)
    assert "column 6" in names
