"""Weights of any size: the same models, or one clear message."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bentwood
from bentwood.datasets import make_mixture

X, y = make_mixture(120, "H2", n_classes=2, random_state=0)


def forest(**options: Any) -> bentwood.ManifoldForestClassifier:
    return bentwood.ManifoldForestClassifier("H2", n_estimators=4, random_state=0, **options)


# Each of these was a segmentation fault, or probabilities read from foreign memory.
@pytest.mark.parametrize(
    ("model", "weights", "message"),
    [
        (
            forest(),
            np.where(np.arange(120) == 3, 1e308, 1.0),
            "the largest weight is 1e+308, and 120 rows of it may weigh more than 1.8e308, the "
            "largest number; divide all weights by the same number",
        ),
        (
            forest(class_weight={0: 1e308, 1: 1}),
            None,
            "the largest weight is 1e+308, and 120 rows of it may weigh more than 1.8e308, the "
            "largest number; divide all weights by the same number",
        ),
        (
            forest(class_weight={0: 1e200, 1: 1}),
            None,
            f"row {np.argmax(y == 1)}: the weight is 1 and the largest is 1e+200, expected 0 or at "
            "least 1e-60 times the largest: less would vanish in their sum",
        ),
        (
            forest(class_weight={0: 1e200, 1: 1e200}),
            np.full(120, 1e200),
            "row 0: the weight is 1e+200 and that of its class 1e+200, expected a product that is "
            "a number above 0",
        ),
        (
            forest(class_weight={0: 0.25, 1: 0.25}),
            np.full(120, 5e-324),
            "row 0: the weight is 4.94066e-324 and that of its class 0.25, expected a product that "
            "is a number above 0",
        ),
        (
            forest(class_weight="balanced", max_samples=0.5),
            np.full(120, 5e-324),
            "row 0: the weight is 5e-324, which may vanish where classes are balanced; multiply "
            "all weights by the same number",
        ),
        (
            bentwood.HoroForestClassifier("H2", coordinates="ambient", n_estimators=2),
            np.where(np.arange(120) == 3, 1e308, 1.0),
            "the largest weight is 1e+308, and 120 rows of it may weigh more than 1.8e308, the "
            "largest number; divide all weights by the same number",
        ),
        (
            bentwood.PoincareSVC("H2", coordinates="ambient", class_weight="balanced"),
            np.full(120, 1e308),
            "C is 1 and the largest weight is 1e+308, expected at most 1e100 of both and their "
            "product",
        ),
        (
            bentwood.HoroSVC("H2", coordinates="ambient", beta=0.9),
            np.full(120, 5e-324),
            "row 0: the weight is 5e-324, expected 0 or at least 1e-100",
        ),
    ],
)
def test_weights_that_no_sum_can_hold_are_refused(
    model: Any, weights: np.ndarray[Any, Any] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        model.fit(X, y, sample_weight=weights)
    assert str(raised.value) == message


@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**-300, 2.0**300, 2.0**1000])
@pytest.mark.parametrize(
    "make",
    [
        forest,
        lambda: forest(class_weight="balanced_subsample", max_samples=0.5),
        lambda: bentwood.ManifoldTreeRegressor("H2"),
    ],
)
def test_weights_of_any_size_give_the_same_model(make: Callable[[], Any], factor: float) -> None:
    weights = np.linspace(0.5, 3, 120)
    plain, scaled = make().fit(X, y, weights), make().fit(X, y, weights * factor)
    np.testing.assert_array_equal(scaled.predict(X), plain.predict(X))
    np.testing.assert_array_equal(scaled.feature_importances_, plain.feature_importances_)
    tree, other = plain._tree(0), scaled._tree(0)
    np.testing.assert_array_equal(other.threshold, tree.threshold)
    np.testing.assert_array_equal(
        other.weighted_n_node_samples, tree.weighted_n_node_samples * factor
    )


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1.7e308])
def test_mixtures_draw_known_classes_for_weights_of_any_size(weight: float) -> None:
    labels = make_mixture(200, "H2", n_classes=2, class_weights=[weight] * 2, random_state=0)[1]
    np.testing.assert_array_equal(np.unique(labels), [0, 1])
