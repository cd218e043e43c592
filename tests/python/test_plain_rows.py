"""Rows that a tree answers without scikit-learn's checks: the same answers, errors and warnings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pytest

import bentwood._base
from bentwood import (
    HoroForestClassifier,
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
)
from bentwood.datasets import make_mixture

Array = npt.NDArray[Any]
NAMES = ["x", "y", "z"]
X, Y = make_mixture(200, "H2", n_classes=3, random_state=0)
FRAME = pd.DataFrame(X, columns=NAMES)


def forest(rows: Any, **parameters: Any) -> ManifoldForestClassifier:
    parameters = {"n_estimators": 5, "random_state": 0, **parameters}
    return ManifoldForestClassifier("H2", **parameters).fit(rows, Y)


BARE, NAMED = forest(X), forest(FRAME)
FORMS: dict[str, tuple[ManifoldForestClassifier, Callable[[Array], Any]]] = {
    "array": (BARE, lambda rows: rows),
    "pandas": (NAMED, lambda rows: pd.DataFrame(rows, columns=NAMES)),
    "pandas, one block per column": (
        NAMED,
        lambda rows: pd.concat(
            [pd.Series(c, name=n) for c, n in zip(rows.T, NAMES, strict=True)], axis=1
        ),
    ),
    "polars": (NAMED, lambda rows: pl.DataFrame(rows, schema=NAMES)),
}


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What has gone through scikit-learn's checks since the test began."""
    seen: list[Any] = []
    validate = bentwood._base.validate_data

    def remember(estimator: Any, rows: Any, *arguments: Any, **named: Any) -> Any:
        seen.append(rows)
        return validate(estimator, rows, *arguments, **named)

    monkeypatch.setattr(bentwood._base, "validate_data", remember)
    return seen


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_rows", [1, 200])
@pytest.mark.parametrize("form", FORMS)
def test_plain_rows_are_answered_at_once_and_as_ever(
    checked: list[Any], form: str, n_rows: int, dtype: type
) -> None:
    model, shape = FORMS[form]
    rows = X[:n_rows].astype(dtype)
    # Every second number of a row: such arrays go through all checks.
    slow = np.repeat(rows, 2, axis=1)[:, ::2]
    expected = BARE.predict_proba(slow), BARE.predict(slow)
    assert len(checked) == 2
    given = shape(rows)
    np.testing.assert_array_equal(model.predict_proba(given), expected[0])
    np.testing.assert_array_equal(model.predict(given), expected[1])
    assert len(checked) == 2


@pytest.mark.parametrize(
    "estimator",
    [
        ManifoldTreeClassifier("H2", random_state=0),
        ManifoldForestRegressor("H2", n_estimators=3, random_state=0),
        HoroForestClassifier(n_estimators=3, random_state=0, coordinates="ambient", signature="H2"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_all_trees_know_plain_rows(checked: list[Any], estimator: Any) -> None:
    estimator.fit(FRAME, Y)
    checked.clear()
    expected = estimator.predict(FRAME)
    assert not checked
    np.testing.assert_array_equal(estimator.fit(X, Y).predict(X.tolist()), expected)


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, ">f8"])
def test_other_numbers_are_checked_with_the_same_answers(checked: list[Any], dtype: Any) -> None:
    rows = np.array([[0.5, 0], [-0.25, 0], [0.125, 0], [2, 2]])
    classes = [0, 1, 2, 0]
    model = ManifoldTreeClassifier().fit(rows, classes)
    checked.clear()
    np.testing.assert_array_equal(model.predict(rows.astype(dtype)), classes)
    np.testing.assert_array_equal(model.predict(np.full((1, 2), 2)), [0])
    assert len(checked) == 2


def test_frames_of_other_names_are_told_as_scikit_learn_does() -> None:
    for frame in (FRAME[["y", "x", "z"]], pl.DataFrame(X, schema=["y", "x", "z"])):
        with pytest.raises(ValueError, match="Feature names must be in the same order"):
            NAMED.predict(frame)
    with pytest.raises(ValueError, match="Feature names seen at fit time, yet now missing:\n- z"):
        NAMED.predict(FRAME[["x", "y"]])
    with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- w"):
        NAMED.predict(FRAME.assign(w=1.0))
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        NAMED.predict(X)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        NAMED.predict(pd.DataFrame(X))
    with pytest.warns(UserWarning, match="X has feature names"):
        BARE.predict(FRAME)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_that_need_care_are_told(form: str, dtype: type) -> None:
    model, shape = FORMS[form]
    rows = X[:2].astype(dtype)
    rows[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"^row 1, column 2: found NaN, expected a finite number$"):
        model.predict(shape(rows))
    rows[1, 2] = 9
    with pytest.raises(ValueError, match=r"^row 1: off the hyperboloid H2: "):
        model.predict(shape(rows))
    with pytest.raises(ValueError, match=r"minimum of 1 is required"):
        model.predict(shape(rows[:0]))
    with pytest.warns(UserWarning, match=r"^1 of 2 rows were off H2"):
        forest(shape(X), off_manifold="project").predict(shape(rows))


def test_masked_arrays_and_sparse_columns_are_refused() -> None:
    rows = np.ma.masked_greater(X, X.max() - 1e-9)
    message = "X has masked entries, expected numbers; fill or drop them first"
    with pytest.raises(ValueError, match=re.escape(message)):
        BARE.predict(rows)
    sparse = FRAME.astype(pd.SparseDtype(float, 0.0))
    with pytest.raises(TypeError, match="Sparse data was passed"):
        NAMED.predict(sparse)
    with pytest.warns(UserWarning, match="sparse columns found"):
        NAMED.predict(FRAME.assign(z=sparse["z"]))


def test_missing_values_of_frames_are_told() -> None:
    nullable = FRAME.astype("Float64")
    np.testing.assert_array_equal(NAMED.predict(nullable), NAMED.predict(FRAME))
    nullable.loc[3, "y"] = pd.NA
    missing = pl.DataFrame(X, schema=NAMES).with_columns(
        y=pl.when(pl.int_range(pl.len()) == 3).then(None).otherwise(pl.col("y"))
    )
    for frame in (nullable, missing):
        with pytest.raises(ValueError, match=r"^row 3, column 1: found NaN"):
            NAMED.predict(frame)


def test_a_model_without_trees_says_so() -> None:
    with pytest.raises(AttributeError, match="not fitted"):
        ManifoldTreeClassifier().predict(X)
