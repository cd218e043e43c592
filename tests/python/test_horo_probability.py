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
