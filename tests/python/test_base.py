"""The base of all estimators: what stands on it keeps contracts and files in a few lines."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from sklearn.base import TransformerMixin
from sklearn.utils.estimator_checks import parametrize_with_checks

from bentwood import ManifoldTreeRegressor, _core
from bentwood._arguments import as_jobs
from bentwood._base import ManifoldEstimator
from bentwood._hyperbolic import HyperbolicEstimator
from bentwood._random import as_seed
from bentwood.datasets import make_uniform


class Heights(TransformerMixin, ManifoldEstimator):
    """Learns the first column from all, which needs no labels."""

    _model_type = _core.Forest

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: str = "ambient",
        off_manifold: str = "error",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        with self._all_or_nothing():
            points = self._points(X, reset=True)
            signature, coordinates, off_manifold = self._space()
            options = _core.TrainOptions(signature, coordinates, ["geodesic"], off_manifold)
            options.forest.n_trees = 1
            options.forest.bootstrap = False
            options.forest.grow.impurity = _core.Impurity.squared_error
            seed = as_seed(self.random_state)
            self._describe(options, seed)
            first = np.ascontiguousarray(points[0][:, :1])
            outcome = _core.train_regressor(
                points, first, None, options, None, None, as_jobs(self.n_jobs)
            )
            self._keep(outcome, len(first), seed)
        return self

    def transform(self, X: Any) -> Any:
        return self._ask(_core.Forest.values, X)


class HyperbolicHeights(HyperbolicEstimator, Heights):
    """The same on hyperbolic space unless told otherwise."""


# Some checks use points at distance 100, which tangent coordinates hold only roughly.
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@parametrize_with_checks([Heights(), HyperbolicHeights(coordinates="tangent")])
def test_an_estimator_in_few_lines_keeps_scikit_learns_contract(estimator: Any, check: Any) -> None:
    check(estimator)


def test_it_is_what_a_tree_on_the_same_target_is() -> None:
    X = make_uniform(200, "S2", random_state=0)
    model = Heights("S2", random_state=0).fit(X)
    tree = ManifoldTreeRegressor("S2", random_state=0).fit(X, X[:, 0])
    np.testing.assert_array_equal(model.transform(X)[:, 0], tree.predict(X))
    assert (model.signature_, model.n_projected_) == ("S2", 0)


def test_files_and_pickles_give_it_back(tmp_path: Path) -> None:
    X = make_uniform(200, "H2", random_state=0)
    model = Heights("H2", random_state=3).fit(X)
    model.save(tmp_path / "model.bent")
    for copy in (Heights.load(tmp_path / "model.bent"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(copy.transform(X), model.transform(X))
        assert copy.get_params() == model.get_params()
        assert copy.fit(X)._model.to_bytes() == model._model.to_bytes()
    with pytest.raises(ValueError) as raised:
        HyperbolicHeights.load(tmp_path / "model.bent")
    assert str(raised.value) == (
        f"{tmp_path / 'model.bent'} holds a Heights, expected a HyperbolicHeights; "
        "bentwood.load reads any model"
    )


def test_a_fit_that_fails_leaves_what_was() -> None:
    X = make_uniform(50, "H2", random_state=0)
    model = Heights("H2").fit(X)
    before = dict(vars(model))
    for wrong in (X[:, :2], X * 2, np.full((3, 3), np.nan), np.ma.masked_less(X, 0)):
        with pytest.raises(ValueError):
            model.fit(wrong)
        assert vars(model) == before


@pytest.mark.parametrize(
    ("coordinates", "expected"), [("ambient", "H2"), ("poincare", "H3"), ("tangent", "H3")]
)
def test_hyperbolic_space_has_the_dimension_that_the_columns_describe(
    coordinates: str, expected: str
) -> None:
    X = make_uniform(50, expected, coordinates=coordinates, random_state=0)  # type: ignore[arg-type]
    assert HyperbolicHeights(coordinates=coordinates).fit(X).signature_ == expected
    with pytest.raises(ValueError) as raised:
        HyperbolicHeights().fit(X[:, :1])
    assert str(raised.value) == "X has 1 column, expected at least 2 in ambient coordinates of H"
