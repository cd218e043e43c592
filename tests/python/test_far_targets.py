"""Regression on the largest and the smallest numbers: finite in, finite out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bentwood
from bentwood.datasets import make_uniform

X = make_uniform(150, "H2", radius=2.0, random_state=0)
Y = np.stack([X[:, 1], X[:, 2] + X[:, 1] ** 2], axis=1)
Y /= np.abs(Y).max()

MODELS: list[Callable[[], Any]] = [
    lambda: bentwood.ManifoldTreeRegressor("H2", max_depth=4),
    lambda: bentwood.ManifoldForestRegressor(
        "H2", n_estimators=20, random_state=0, min_samples_leaf=3, oob_score=True
    ),
    lambda: bentwood.ManifoldForestRegressor(
        "H2", splits=("horosphere",), n_estimators=5, random_state=0, max_depth=4
    ),
]


# The means of trees were summed before they were divided: infinity from 20 trees of 1.7e308.
@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("exponent", [-1000, -300, 300, 1000, 1023])
@pytest.mark.parametrize("outputs", [1, 2])
def test_predictions_do_not_depend_on_the_unit(
    make: Callable[[], Any], exponent: int, outputs: int
) -> None:
    targets = Y[:, 0] if outputs == 1 else Y
    plain = make().fit(X, targets)
    scaled = make().fit(X, np.ldexp(targets, exponent))
    expected = np.ldexp(plain.predict(X), exponent)
    np.testing.assert_allclose(scaled.predict(X), expected, rtol=1e-14)
    np.testing.assert_allclose(scaled.predict(X[:1]), expected[:1], rtol=1e-14)
    np.testing.assert_array_equal(scaled.feature_importances_, plain.feature_importances_)
    assert scaled.score(X, np.ldexp(targets, exponent)) == pytest.approx(plain.score(X, targets))
    if hasattr(plain, "oob_score_"):
        assert scaled.oob_score_ == pytest.approx(plain.oob_score_)
        assert np.isfinite(scaled.oob_prediction_).all()


def test_values_of_both_ends_have_finite_means() -> None:
    ends = np.where(X[:, 1] > 0, 1.7976931348623157e308, -1.7976931348623157e308)
    weights = np.where(np.arange(150) == 0, 1e-20, 1.0)
    for model in (
        bentwood.ManifoldTreeRegressor("H2", max_depth=1, max_features=1, splits="geodesic"),
        bentwood.ManifoldForestRegressor("H2", n_estimators=30, max_depth=2, random_state=0),
    ):
        model.fit(X, ends, sample_weight=weights)
        assert np.isfinite(model.predict(X)).all()
        assert np.isfinite(model._tree(0).value).all()
    assert np.isfinite(bentwood.ManifoldTreeRegressor("H2").fit(X, ends).score(X, ends))
