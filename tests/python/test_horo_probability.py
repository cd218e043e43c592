"""HoroSVC's probabilities, and what weights have to do with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bentwood import HoroSVC

Array = npt.NDArray[Any]


def rare_class() -> tuple[Array, Array]:
    generator = np.random.default_rng(0)
    y = (np.arange(3000) % 50 == 0).astype(int)
    X = 0.6 * generator.normal(size=(3000, 2))
    X[:, 0] += np.where(y == 1, 0.7, -0.2)
    return X, y


@pytest.mark.parametrize("class_weight", ["balanced", {0: 0.5, 1: 25.0}])
def test_class_weights_leave_probabilities_calibrated(class_weight: Any) -> None:
    X, y = rare_class()
    plain = HoroSVC(probability=True, random_state=0).fit(X, y)
    model = HoroSVC(probability=True, random_state=0, class_weight=class_weight).fit(X, y)
    proba = model.predict_proba(X)[:, 1]
    assert abs(proba.mean() - 0.02) < 0.004
    assert abs(np.mean((proba - y) ** 2) - np.mean((plain.predict_proba(X)[:, 1] - y) ** 2)) < 0.001
    assert model.predict(X).mean() > 5 * plain.predict(X).mean()


def test_a_class_whose_rows_weigh_nothing_never_wins() -> None:
    generator = np.random.default_rng(1)
    y = np.arange(400) % 4
    X = 0.6 * generator.normal(size=(400, 2)) + np.c_[y % 2, y // 2]
    model = HoroSVC(probability=True, random_state=0).fit(X, y, sample_weight=(y > 0) * 1.0)
    far = 10 * generator.normal(size=(1000, 2))
    assert 0 not in model.predict(far)
    assert (model.decision_function(far)[:, 0] == -np.finfo(float).max).all()
    assert (model.predict_proba(far)[:, 0] == 0).all()


def test_two_rows_are_as_likely_as_they_score() -> None:
    X, y = np.array([[-0.5, 0.1], [0.5, 0.1]]), np.array([0, 1])
    model = HoroSVC(probability=True, random_state=0).fit(X, y)
    assert (model.predict(X) == y).all()
    assert (model.predict_proba(X).argmax(axis=1) == y).all()


def test_a_class_without_a_slope_has_its_horosphere_at_infinity() -> None:
    X = np.zeros((6, 2))
    model = HoroSVC(random_state=0).fit(X, [0, 0, 1, 1, 1, 1], sample_weight=[2, 2, 1, 1, 1, 1])
    assert (model.slopes_ == 0).all()
    assert np.isinf(model.levels_).all()
