"""Forests that grow on: what they say where rows or parameters are others."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bentwood import HoroForestClassifier, ManifoldForestClassifier, ManifoldForestRegressor, load
from bentwood.datasets import make_mixture

X, Y = make_mixture(100, "H2", n_classes=3, coordinates="poincare", random_state=0)
WEIGHTS = np.linspace(1, 2, 100)
HINT = "; pass warm_start=False to grow all of them anew"
FORESTS: list[Any] = [ManifoldForestClassifier, ManifoldForestRegressor, HoroForestClassifier]


def grown(kind: Any = ManifoldForestClassifier, **parameters: Any) -> Any:
    parameters = {"n_estimators": 2, "warm_start": True, "random_state": 0, **parameters}
    return kind("H2", coordinates="poincare", **parameters).fit(X, Y, WEIGHTS)


def told(model: Any, *rows: Any, **parameters: Any) -> list[str]:
    """What growing on says, and where from."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.set_params(**parameters).fit(*rows)
    assert all(warning.filename == __file__ for warning in caught)
    assert all(warning.category is UserWarning for warning in caught)
    return [str(warning.message) for warning in caught]


def keeps(changed: str) -> list[str]:
    return [f"warm_start: the forest keeps trees that were grown with another {changed}{HINT}"]


@pytest.mark.parametrize("kind", FORESTS)
def test_the_same_rows_are_nothing_to_be_told(kind: Any) -> None:
    model = grown(kind)
    assert told(model, X.tolist(), Y.tolist(), WEIGHTS.tolist(), n_estimators=4) == []
    copied = pickle.loads(pickle.dumps(model))
    assert told(copied, np.asfortranarray(X), Y, WEIGHTS, n_estimators=5) == []


@pytest.mark.parametrize("kind", FORESTS)
def test_other_rows_are_told(kind: Any) -> None:
    others = np.where(Y == 0, 1, Y)
    others[:3] = [0, 1, 2]
    for rows, changed in (
        ((X[:90], Y[:90], WEIGHTS[:90]), "X, y, sample_weight"),
        ((X * 0.5, Y, WEIGHTS), "X"),
        ((X, others, WEIGHTS), "y"),
        ((X, Y), "sample_weight"),
    ):
        assert told(grown(kind), *rows, n_estimators=3) == keeps(changed)
    assert told(pickle.loads(pickle.dumps(grown(kind))), X * 0.5, Y, WEIGHTS, n_estimators=3)


def test_text_and_its_order_are_known() -> None:
    names = np.array(["a", "b", "c"], dtype=object)[Y]
    model = grown().set_params(warm_start=False).fit(X, names).set_params(warm_start=True)
    model.set_params(n_estimators=3).fit(X, names)
    assert told(model, X, names.copy(), n_estimators=4) == []
    assert told(model, X, names[::-1], n_estimators=5) == keeps("y")


@pytest.mark.parametrize(
    "change",
    [
        {"max_depth": 2},
        {"criterion": "entropy", "max_features": None},
        {"class_weight": {0: 2, 1: 1, 2: 1}},
        {"bootstrap": False},
        {"random_state": 7},
    ],
    ids=str,
)
def test_other_parameters_are_told(change: dict[str, Any]) -> None:
    assert told(grown(), X, Y, WEIGHTS, n_estimators=3, **change) == keeps(", ".join(change))


def test_what_shapes_no_tree_may_change() -> None:
    model = grown(min_samples_leaf=1)
    change = {
        "n_jobs": 1,
        "oob_score": False,
        "signature": "H2(-1)",
        "min_samples_leaf": np.int64(1),
    }
    assert told(model, X, Y, WEIGHTS, n_estimators=3, **change) == []


def test_rows_and_parameters_are_told_together_and_once() -> None:
    model = grown()
    assert told(model, X * 0.5, Y, WEIGHTS, n_estimators=3, max_depth=3) == keeps("X, max_depth")
    assert told(model, X * 0.5, Y, WEIGHTS, n_estimators=4) == []


def test_where_no_tree_is_added_both_are_told() -> None:
    model = grown()
    for _ in range(2):
        assert told(model, X * 0.5, Y, WEIGHTS) == [
            "warm_start: the forest has 2 trees already; raise n_estimators to add some",
            *keeps("X"),
        ]


def test_a_forest_that_is_grown_anew_has_nothing_to_compare(tmp_path: Path) -> None:
    model = grown()
    assert told(model, X * 0.5, Y, warm_start=False, max_depth=3) == []
    # Its rows were not looked at, but what its file would say is known.
    assert told(model, X, Y, warm_start=True, n_estimators=3) == []
    model.save(tmp_path / "model.bent")
    loaded = load(tmp_path / "model.bent")
    assert told(loaded, X, Y, warm_start=True, n_estimators=4, max_depth=4) == keeps("max_depth")


def test_an_error_stays_an_error() -> None:
    model = grown()
    with pytest.raises(ValueError, match=r"^signature is E2, but the forest has trees on H2$"):
        model.set_params(n_estimators=3, signature="E2", coordinates="ambient", max_depth=1).fit(
            X * 0.5, Y
        )
