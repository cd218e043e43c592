"""Trees and forests as scikit-learn's tools see them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from bentwood import (
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
)
from bentwood.datasets import make_mixture
from documented_checks import documented_failures

PEERS = {
    ManifoldTreeClassifier: DecisionTreeClassifier,
    ManifoldTreeRegressor: DecisionTreeRegressor,
    ManifoldForestClassifier: RandomForestClassifier,
    ManifoldForestRegressor: RandomForestRegressor,
}


@parametrize_with_checks(
    [
        ManifoldTreeClassifier(),
        ManifoldTreeRegressor(),
        ManifoldForestClassifier(n_estimators=5),
        ManifoldForestRegressor(n_estimators=5),
        ManifoldForestClassifier(n_estimators=5, bootstrap=False),
        ManifoldForestRegressor(n_estimators=5, bootstrap=False),
    ],
    expected_failed_checks=documented_failures,
)
def test_the_estimators_keep_scikit_learns_contract(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(("ours", "theirs"), PEERS.items())
def test_parameters_have_scikit_learns_names_and_defaults(ours: Any, theirs: Any) -> None:
    own = {"signature", "coordinates", "off_manifold", "splits"}
    parameters = ours().get_params()
    peers = theirs().get_params()
    # All cores unless somebody says otherwise.
    added = {"n_jobs"}
    assert set(parameters) - own - added <= set(peers)
    for name in set(parameters) - own - added:
        assert parameters[name] == peers[name], name
    left_out = set(peers) - set(parameters)
    assert left_out <= {"splitter", "ccp_alpha", "monotonic_cst"}


def points() -> tuple[Any, Any]:
    return make_mixture(300, "H2", n_classes=3, random_state=0, coordinates="poincare")


def forest(**parameters: Any) -> ManifoldForestClassifier:
    return ManifoldForestClassifier(
        "H2", coordinates="poincare", n_estimators=10, random_state=0, **parameters
    )


def test_it_works_in_a_pipeline_with_frames_all_the_way() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(
        StandardScaler(), ManifoldForestClassifier(n_estimators=10, random_state=0)
    ).set_output(transform="pandas")
    pipeline.fit(X, y)
    assert pipeline.score(X, y) > 0.97
    assert list(pipeline[-1].feature_names_in_) == list(X.columns)
    assert pipeline[-1].column_names_ == list(X.columns)


def test_a_grid_search_finds_the_better_parameters() -> None:
    X, y = points()
    search = GridSearchCV(forest(), {"max_depth": [1, 6], "splits": ["geodesic", "pairs"]}, cv=3)
    search.fit(X, y)
    assert search.best_params_["max_depth"] == 6
    assert search.best_score_ > 0.7


def test_probabilities_can_be_calibrated_and_scores_cross_validated() -> None:
    X, y = points()
    calibrated = CalibratedClassifierCV(forest(), cv=3).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)
    assert cross_val_score(forest(), X, y, cv=5).mean() > 0.7


def test_a_clone_has_the_parameters_and_no_model() -> None:
    X, y = points()
    fitted = forest(max_depth=3).fit(X, y)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "classes_")
    assert copy.fit(X, y)._model.to_bytes() == fitted._model.to_bytes()


@pytest.mark.parametrize("estimator", PEERS)
def test_pickles_and_joblib_dumps_are_the_same_model(estimator: Any, tmp_path: Path) -> None:
    X, y = points()
    model = estimator("H2", coordinates="poincare", random_state=3).fit(X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model.joblib")):
        assert copy._model.to_bytes() == model._model.to_bytes()
        np.testing.assert_array_equal(copy.predict(X), model.predict(X))
        assert copy.get_params() == model.get_params()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_give_their_names_and_the_same_model(frame: Any) -> None:
    X, y = points()
    named = frame({"x": X[:, 0], "y": X[:, 1]})
    model = forest().fit(named, y)
    assert list(model.feature_names_in_) == ["x", "y"]
    bare = forest().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(named), bare.predict_proba(X))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame({"y": X[:, 1], "x": X[:, 0]}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)
