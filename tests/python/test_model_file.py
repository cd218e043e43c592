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
    assert metadata["format_version"] == "1"
    assert {name: array.dtype for name, array in arrays.items()} == {
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


def leaf_value(
    arrays: dict[str, np.ndarray], tree: int, row: np.ndarray, circles: np.ndarray
) -> np.ndarray:
    """Walk one tree as docs/model-file.md says."""
    first = int(arrays["node_begin"][tree])
    node = 0
    while (column := arrays["column"][first + node]) >= 0:
        value, threshold = row[column], arrays["threshold"][first + node]
        if circles[column]:
            far = value < 0
            turn = value + np.pi if far else value
            turn, far = (turn, far) if turn < np.pi else (0.0, not far)
            left = (turn <= threshold) == far
        else:
            left = value <= threshold
        node = int(arrays["child"][first + node]) + (0 if left else 1)
    return arrays["value"][int(arrays["value_begin"][tree]) + int(arrays["child"][first + node])]


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
    n_trees = len(arrays["node_begin"]) - 1
    for row, expected in zip(rows, truth["values"], strict=True):
        total = np.zeros(len(expected))
        for tree in range(n_trees):
            total += leaf_value(arrays, tree, row, circles)
        np.testing.assert_array_equal(total / n_trees, expected)
