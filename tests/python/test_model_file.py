"""Model files open in other people's tools."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from bentwood.geometry import Manifold

GOLDEN = sorted((Path(__file__).resolve().parents[1] / "golden").glob("*.bent"))


def test_there_are_files_to_open() -> None:
    assert GOLDEN


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_safetensors_package_opens_a_model(path: Path) -> None:
    with safe_open(path, "numpy") as model:
        metadata = model.metadata()
        arrays = {name: model.get_tensor(name) for name in model.keys()}  # noqa: SIM118
    assert metadata["format"] == "bentwood"
    own = "horosphere" in json.loads(metadata["splits"])
    sparse = "share" in arrays
    assert metadata["format_version"] == path.stem[-1] == ("5" if sparse else "2" if own else "1")
    own_types = {
        "own_coefficient": np.float64,
        "own_gain": np.float64,
        "own_begin": np.uint64,
        "own_term_begin": np.uint64,
        "own_kind": np.uint32,
        "own_place": np.uint32,
    }
    sparse_types = {"share": np.float64, "share_begin": np.uint64, "share_class": np.uint32}
    expected = (own_types if own else {}) | (sparse_types if sparse else {})
    assert {name: array.dtype for name, array in arrays.items()} == expected | {
        "threshold": np.float64,
        "weight": np.float64,
        "value": np.float64,
        "importance": np.float64,
        "node_begin": np.uint64,
        "value_begin": np.uint64,
        "column": np.int32,
        "child": np.uint32,
    }
    assert json.loads(metadata["classes"]) or metadata["task"] == "regression"


def own_value(arrays: dict[str, np.ndarray], tree: int, number: int, row: np.ndarray) -> float:
    """Return the number of a row in a tree's own column."""
    column = int(arrays["own_begin"][tree]) + number
    assert arrays["own_kind"][column] == 0
    terms = slice(*arrays["own_term_begin"][column : column + 2].astype(int))
    places, ideal = arrays["own_place"][terms].astype(int), arrays["own_coefficient"][terms]
    half_sine, nearness = row[places[-1] + 1], row[places[-1] + 2]
    return float(nearness + half_sine * ((ideal - row[places]) ** 2).sum())


def polar_form(u: np.ndarray) -> np.ndarray:
    """Return what a row carries of points of the Poincaré ball of radius 1."""
    norm = np.linalg.norm(u, axis=1, keepdims=True)
    distance = 2 * np.arctanh(norm)
    return np.hstack([u / norm, np.sinh(distance) / 2, np.exp(-distance)])


def leaf_value(
    arrays: dict[str, np.ndarray], tree: int, row: np.ndarray, circles: np.ndarray
) -> np.ndarray:
    """Walk one tree as docs/model-file.md says."""
    first = int(arrays["node_begin"][tree])
    node = 0
    while (column := arrays["column"][first + node]) >= 0:
        threshold = arrays["threshold"][first + node]
        if column >= len(circles):
            left = own_value(arrays, tree, column - len(circles), row) <= threshold
            node = int(arrays["child"][first + node]) + (0 if left else 1)
            continue
        value = row[column]
        if circles[column]:
            far = value < 0
            turn = value + np.pi if far else value
            turn, far = (turn, far) if turn < np.pi else (0.0, not far)
            left = (turn <= threshold) == far
        else:
            left = value <= threshold
        node = int(arrays["child"][first + node]) + (0 if left else 1)
    row = int(arrays["value_begin"][tree]) + int(arrays["child"][first + node])
    if "share" not in arrays:
        return arrays["value"][row]
    result = np.zeros(arrays["value"].shape[1])
    there = slice(*arrays["share_begin"][row : row + 2])
    result[arrays["share_class"][there]] = arrays["share"][there]
    return result


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_the_documentation_says_is_enough_to_predict(path: Path) -> None:
    with safe_open(path, "numpy") as model:
        metadata = model.metadata()
        arrays = {name: model.get_tensor(name) for name in model.keys()}  # noqa: SIM118
    truth = np.load(path.with_suffix(".npz"))
    manifold = Manifold(metadata["signature"], coordinates=metadata["coordinates"])
    rows = manifold.natural_coordinates(truth["points"])
    circles = np.array(["angle" in name for name in manifold.natural_names])
    if "pairs" in json.loads(metadata["splits"]):
        assert (metadata["signature"], metadata["coordinates"]) == ("S3", "ambient")
        x = truth["points"]
        angles = [np.arctan2(x[:, j], x[:, i]) for i in range(1, 4) for j in range(i + 1, 4)]
        rows = np.column_stack([rows, *angles])
        circles = np.append(circles, [True] * len(angles))
    if "horosphere" in json.loads(metadata["splits"]):
        assert metadata["signature"] == "H2 x S1 x H3(-2)"
        assert (metadata["coordinates"], metadata["splits"]) == ("poincare", '["horosphere"]')
        u = truth["points"]
        # Only the circle has a fixed column.
        rows = np.column_stack(
            [rows[:, 2:3], polar_form(u[:, :2]), polar_form(np.sqrt(2) * u[:, 3:])]
        )
        circles = circles[2:3]
    n_trees = len(arrays["node_begin"]) - 1
    for row, expected in zip(rows, truth["values"], strict=True):
        total = np.zeros(len(expected))
        for tree in range(n_trees):
            total += leaf_value(arrays, tree, row, circles)
        np.testing.assert_array_equal(total / n_trees, expected)
