"""A label that is hardly one: nearly every row has a class of its own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from bentwood import HoroSVC, ManifoldForestClassifier, ManifoldTreeClassifier, PoincarePerceptron

N_ROWS = 24
X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(N_ROWS, 2))


def told(estimator: Any, y: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X[: len(y)], y)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught if warning.category is UserWarning]


@pytest.mark.parametrize(
    "estimator",
    [ManifoldTreeClassifier(), ManifoldForestClassifier(n_estimators=2), HoroSVC("H2")],
    ids=lambda estimator: type(estimator).__name__,
)
def test_it_is_told_once(estimator: Any) -> None:
    numbers = np.arange(N_ROWS)
    message = "y has 24 different values in 24 rows: is it an identifier"
    number = f"{message}, or a number to predict (a regressor)?"
    assert told(estimator, numbers) == [number]
    assert told(estimator, numbers.astype(float)) == [number]
    assert told(estimator, [f"name {i}" for i in numbers]) == [f"{message}?"]


def test_half_of_the_rows_and_few_rows_are_no_doubt() -> None:
    tree = ManifoldTreeClassifier()
    assert told(tree, np.arange(N_ROWS) // 2) == []
    assert told(tree, np.arange(20)) == []


def test_all_classes_of_a_perceptron_may_be_named() -> None:
    model = PoincarePerceptron(reference="origin", random_state=0)
    model.partial_fit(X, np.arange(N_ROWS) % 2, classes=np.arange(50))
    assert model.n_classes_ == 50


def test_reals_among_many_whole_ones_are_refused() -> None:
    y = np.arange(float(N_ROWS))
    y[-1] = 22.5
    with pytest.raises(ValueError, match=r"^Unknown label type: continuous"):
        ManifoldTreeClassifier().fit(X, y)
