"""What trees and forests say where something is wrong: the whole line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import bentwood
from bentwood import ManifoldForestClassifier, ManifoldTreeClassifier
from bentwood.datasets import make_mixture

MISTAKES: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"max_depth": 0},
        ValueError,
        "max_depth is 0, expected a whole number of at least 1, or None",
    ),
    (
        {"max_features": "half"},
        ValueError,
        "max_features is 'half', expected a number of columns of at least 1, a fraction in (0, 1], "
        '"sqrt", "log2" or None',
    ),
    (
        {"min_samples_leaf": 0},
        ValueError,
        "min_samples_leaf is 0, expected a whole number of at least 1, or a fraction of the rows",
    ),
    (
        {"min_samples_split": 1.5},
        ValueError,
        "min_samples_split is 1.5, expected a fraction in (0, 1]",
    ),
    (
        {"min_impurity_decrease": float("nan")},
        ValueError,
        "min_impurity_decrease is nan, expected a number of at least 0",
    ),
    (
        {"min_weight_fraction_leaf": 0.6},
        ValueError,
        "min_weight_fraction_leaf is 0.6, expected a number from 0 to 0.5",
    ),
    (
        {"criterion": "mse"},
        ValueError,
        'criterion is \'mse\', expected "gini" or "entropy" or "log_loss"',
    ),
    (
        {"class_weight": "equal"},
        ValueError,
        'class_weight is \'equal\', expected "balanced", "balanced_subsample", a dict from classes '
        "to weights or None",
    ),
    (
        {"max_samples": 101},
        ValueError,
        "max_samples is 101, expected a number of rows from 1 to 100, a fraction in (0, 1] or None",
    ),
    (
        {"bootstrap": False, "oob_score": True},
        ValueError,
        "oob_score needs bootstrap=True: without it every tree has all rows",
    ),
    (
        {"bootstrap": False, "max_samples": 0.5},
        ValueError,
        "max_samples is 0.5, which needs bootstrap=True",
    ),
    ({"n_estimators": 0}, ValueError, "n_estimators is 0, expected a whole number of at least 1"),
    (
        {"splits": ("slanted",)},
        ValueError,
        'splits has "slanted", expected "geodesic", "pairs", "horosphere" or "chordal"',
    ),
    ({"splits": 1}, TypeError, "splits is 1, expected names such as ('geodesic', 'pairs')"),
    (
        {"off_manifold": "drop"},
        ValueError,
        'unknown off_manifold "drop", expected "error" or "project"',
    ),
    ({"signature": 2}, TypeError, "signature is 2, expected text"),
    (
        {"n_jobs": 0},
        ValueError,
        "n_jobs is 0, expected a number of threads, or -1 for all cores",
    ),
    ({"random_state": -1}, ValueError, "random_state is -1, expected 0 to 2**64 - 1"),
    (
        {"random_state": True},
        ValueError,
        "random_state is True, expected a whole number, a RandomState, a Generator or None",
    ),
    ({"verbose": -1}, ValueError, "verbose is -1, expected a whole number of at least 0"),
    (
        {"max_depth": 2**70},
        ValueError,
        f"max_depth is {2**70}, expected less than 2**63, or None",
    ),
    (
        {"class_weight": {0: -1}},
        ValueError,
        "class_weight of class 0 is -1, expected a number of at least 0",
    ),
    (
        {"class_weight": {0: 0, 1: 0, 2: 0}},
        ValueError,
        "class_weight is {0: 0, 1: 0, 2: 0}, which leaves no row a weight",
    ),
    (
        {"warm_start": True, "n_estimators": 3, "signature": "E3"},
        ValueError,
        "signature is E3, but the forest has trees on H2",
    ),
    (
        {"warm_start": True, "n_estimators": 3, "splits": ("geodesic", "pairs")},
        ValueError,
        "splits is geodesic, pairs, but the forest has trees on geodesic",
    ),
]


@pytest.mark.parametrize(("parameters", "error", "message"), MISTAKES)
def test_a_wrong_parameter_is_one_line_that_names_it(
    parameters: dict[str, Any], error: type[Exception], message: str
) -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    model = ManifoldForestClassifier("H2", n_estimators=2).fit(X, y)
    before = dict(vars(model))
    model.set_params(**parameters)
    with pytest.raises(error) as raised:
        model.fit(X, y)
    assert str(raised.value) == message
    # What had been learned is still there.
    assert vars(model)["_model"] is before["_model"]


def test_masked_numbers_are_refused() -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    masked = np.ma.masked_array(X, mask=X < 0)
    model = ManifoldTreeClassifier("H2").fit(X, y)
    for call in (model.predict, lambda rows: model.fit(rows, y)):
        with pytest.raises(ValueError) as raised:
            call(masked)
        assert str(raised.value) == (
            "X has masked entries, expected numbers; fill or drop them first"
        )


def test_classes_that_no_file_can_hold_are_refused() -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    with pytest.raises(ValueError) as raised:
        ManifoldTreeClassifier("H2").fit(X, np.datetime64("2026-01-01") + y)
    assert str(raised.value) == (
        "y has dtype datetime64[D], expected classes that are integers, whole reals, booleans or "
        "text"
    )
    with pytest.raises(ValueError) as raised:
        ManifoldTreeClassifier("H2").fit(X, np.where(y == 0, "a\ud800", "b"))
    assert str(raised.value) == "a class is 'a\\ud800', which is not valid Unicode"
    with pytest.raises(ValueError) as raised:
        ManifoldTreeClassifier("H2").fit(pd.DataFrame(X, columns=["a\ud800", "b", "c"]), y)
    assert str(raised.value) == "a column's name is 'a\\ud800', which is not valid Unicode"


def test_wrong_rows_are_named() -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    model = ManifoldTreeClassifier("H2").fit(X, y)
    broken = X.copy()
    broken[7, 2] = np.nan
    broken[8, 0] = np.inf
    for call in (model.predict, model.predict_proba, lambda rows: model.fit(rows, y)):
        with pytest.raises(ValueError) as raised:
            call(broken)
        assert str(raised.value) == (
            "row 7, column 2: found NaN, expected a finite number; 2 values are not finite"
        )
    with pytest.raises(ValueError) as raised:
        model.fit(X, y, sample_weight=np.where(np.arange(100) == 4, -1, 1))
    assert str(raised.value) == "row 4: the weight is -1, expected a finite number >= 0"
    with pytest.raises(ValueError) as raised:
        model.fit(X, y, sample_weight=np.ones(99))
    assert str(raised.value) == "sample_weight has 99 entries, expected 100"
    with pytest.raises(ValueError) as raised:
        model.predict(X[:, :2])
    assert str(raised.value) == (
        "X has 2 features, but ManifoldTreeClassifier is expecting 3 features as input."
    )
    with pytest.raises(NotFittedError):
        ManifoldTreeClassifier("H2").predict(X)


def test_a_file_of_another_estimator_is_refused_by_name(tmp_path: Path) -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    path = tmp_path / "model.bent"
    ManifoldTreeClassifier("H2").fit(X, y).save(path)
    with pytest.raises(ValueError) as raised:
        ManifoldForestClassifier.load(path)
    assert str(raised.value) == (
        f"{path} holds a ManifoldTreeClassifier, expected a ManifoldForestClassifier; "
        "bentwood.load reads any model"
    )
    with pytest.raises(FileNotFoundError):
        bentwood.load(tmp_path / "absent.bent")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError) as raised:
        bentwood.load(path)
    assert str(raised.value) == (
        f"{path}: was cut short: it has {len(whole) - 1} bytes, its header announces {len(whole)}"
    )


@pytest.mark.parametrize("name", ["Stranger", "load"])
def test_a_file_of_a_strangers_estimator_is_refused(name: str, tmp_path: Path) -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    path = tmp_path / "model.bent"
    stranger: Any = type(name, (ManifoldTreeClassifier,), {})
    stranger("H2").fit(X, y).save(path)
    with pytest.raises(ValueError) as raised:
        bentwood.load(path)
    assert str(raised.value) == f"{path} holds a {name!r}, which this version lacks"


def test_a_stranger_with_the_name_of_another_estimator_is_not_saved(tmp_path: Path) -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    stranger: Any = type("HoroSVC", (ManifoldTreeClassifier,), {})
    with pytest.raises(ValueError) as raised:
        stranger("H2").fit(X, y).save(tmp_path / "model.bent")
    assert str(raised.value) == (
        "the estimator is HoroSVC, expected horospheres, but the model is a forest that classifies"
    )


def test_mistakes_in_what_to_export_are_named() -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    model = ManifoldForestClassifier("H2", n_estimators=7).fit(X, y)
    for mistake, message in (
        ({"tree": 7}, "tree is 7, expected less than the number of trees, 7"),
        ({"decimals": 10**12}, "decimals is 1000000000000, expected 0 to 100"),
        ({"max_depth": -1}, "max_depth is -1, expected a whole number of at least 0, or None"),
    ):
        for export in (model.export_text, model.export_graphviz):
            with pytest.raises(ValueError) as raised:
                export(**mistake)
            assert str(raised.value) == message


def test_rows_off_the_manifold_are_refused_or_projected_with_a_warning() -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    X[3, 0] *= 1.01
    with pytest.raises(ValueError) as raised:
        ManifoldTreeClassifier("H2").fit(X, y)
    assert str(raised.value).startswith("row 3: ")
    assert str(raised.value).endswith(
        '1 row is off; pass off_manifold="project", or project the points first'
    )
    with pytest.warns(UserWarning, match=r"^1 of 100 rows were off H2 \(by at most .* projected"):
        model = ManifoldTreeClassifier("H2", off_manifold="project").fit(X, y)
    assert model.n_projected_ == 1
    for call in (model.predict, model.apply):
        with pytest.warns(UserWarning, match=r"^1 of 100 rows were off H2") as warned:
            call(X)
        # A warning points at the line above, not at one of the package's.
        assert {warning.filename for warning in warned} == {__file__}
    model.predict(np.delete(X, 3, axis=0))
