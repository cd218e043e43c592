"""HoroSVC: the horosphere SVM as an estimator."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from bentwood import HoroSVC


# Some checks use points at distance 100, which tangent coordinates hold only roughly.
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@parametrize_with_checks(
    [HoroSVC(), HoroSVC(loss="hinge", class_weight="balanced", C=5, tol=1e-9, max_iter=1000), HoroSVC(probability=True)],
    expected_failed_checks=lambda estimator: (
        {"check_sample_weight_equivalence_on_dense_data": "folds are dealt by rows"}
        if estimator.probability
        else {}
    ),
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)
