"""HoroTreeClassifier, HoroForestClassifier, and "horosphere" among the splits of other trees."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import bentwood
from bentwood import (
    HoroForestClassifier,
    HoroTreeClassifier,
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
)
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold
from bentwood.horo import horospheres
from documented_checks import documented_failures

Array = npt.NDArray[Any]


# Some checks use points at distance 100, which tangent coordinates hold only roughly.
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@parametrize_with_checks(
    [
        HoroTreeClassifier(),
        HoroTreeClassifier(min_samples_leaf=1),
        HoroTreeClassifier(ideal_points="both", threshold="margin", min_samples_leaf=1),
        HoroForestClassifier(n_estimators=10),
        HoroForestClassifier(n_estimators=5, bootstrap=False, min_samples_leaf=1),
        HoroForestClassifier(
            n_estimators=5, ideal_points="search", class_weight="balanced_subsample", beta=0.9
        ),
    ],
    expected_failed_checks=documented_failures,
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def mixture(signature: str = "H2", n_classes: int = 4, seed: int = 0) -> tuple[Array, Array]:
    X, y = make_mixture(
        400, signature, coordinates="poincare", n_classes=n_classes, random_state=seed
    )
    return X, y


def forest(**parameters: Any) -> HoroForestClassifier:
    given = {"n_estimators": 10, "random_state": 0, **parameters}
    return HoroForestClassifier("H2", coordinates="poincare", **given)


def test_forest_learns_and_votes_softly() -> None:
    X, y = mixture()
    model = forest(oob_score=True, n_estimators=30).fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) > 0.8
    assert model.oob_score_ > 0.7
    shares = model.predict_proba(X[200:])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    leaves = model.apply(X[200:])
    means = np.mean(
        [tree.value[leaves[:, number]] for number, tree in enumerate(model.trees_)], axis=0
    )
    np.testing.assert_allclose(shares, means, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("signature", ["H2", "H3(-0.25)"])
def test_rows_go_where_the_busemann_function_sends_them(signature: str) -> None:
    X, y = mixture(signature)
    model = HoroTreeClassifier(signature, coordinates="poincare", random_state=0).fit(X, y)
    manifold = Manifold(signature, "poincare")
    radius = 2 if "(" in signature else 1
    tree = model.tree_
    found = horospheres(model)
    assert (found.tree == 0).all()
    assert sorted(found.node) == sorted(np.flatnonzero(tree.children_left >= 0))
    levels = {
        node: manifold.busemann(X, ideal) / radius <= level
        for node, ideal, level in zip(found.node, found.ideal_point, found.level, strict=True)
    }
    path = model.decision_path(X).toarray()
    for node, left in levels.items():
        assert tree.threshold[node] == pytest.approx(found.level[list(found.node).index(node)])
        reached = path[:, node] == 1
        assert (path[reached, tree.children_left[node]] == left[reached]).all()
    assert model.column_names_ == ["h1.horosphere"]
    assert (tree.feature[found.node] == 0).all()
    assert found.importance.sum() == pytest.approx(1)
    np.testing.assert_allclose(np.linalg.norm(found.ideal_point, axis=1), 1)


# At 1 - |u| = 1e-12 the Lorentz product x_0 - w·x has no correct digit.
def test_horospheres_are_exact_near_the_boundary() -> None:
    mp.mp.dps = 60
    directions = np.linspace(0.1, 0.1 + 3e-6, 7)
    X = (1 - 1e-12) * np.stack([np.cos(directions), np.sin(directions)], axis=1)
    y = np.arange(7) % 2
    model = HoroTreeClassifier(
        "H2", coordinates="poincare", min_samples_leaf=1, ideal_points="both", random_state=0
    )
    model.fit(X, y)
    tree = model.tree_
    found = horospheres(model)
    assert len(found.node) >= 2
    path = model.decision_path(X).toarray()
    for node, ideal, level in zip(found.node, found.ideal_point, found.level, strict=True):
        for row in np.flatnonzero(path[:, node]):
            u = [mp.mpf(float(x)) for x in X[row]]
            w = [mp.mpf(float(x)) for x in ideal]
            squared = u[0] ** 2 + u[1] ** 2
            norm = mp.sqrt(w[0] ** 2 + w[1] ** 2)
            apart = (w[0] / norm - u[0]) ** 2 + (w[1] / norm - u[1]) ** 2
            busemann = mp.log(apart / (1 - squared))
            if abs(busemann - level) > 1e-9:
                assert (busemann <= level) == bool(path[row, tree.children_left[node]])


def test_threads_change_nothing() -> None:
    X, y = mixture()
    one = pickle.dumps(forest(n_jobs=1).fit(X, y)._model)
    for n_jobs in (2, 8):
        assert pickle.dumps(forest(n_jobs=n_jobs).fit(X, y)._model) == one


def test_warm_start_is_what_growing_at_once_gives() -> None:
    X, y = mixture()
    grown = forest(n_estimators=4, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=9).fit(X, y)
    at_once = forest(n_estimators=9).fit(X, y)
    np.testing.assert_array_equal(grown.predict_proba(X), at_once.predict_proba(X))
    np.testing.assert_allclose(grown.feature_importances_, at_once.feature_importances_)


@pytest.mark.parametrize(
    "model",
    [
        HoroTreeClassifier("H2 x S1 x E1", coordinates="poincare", random_state=0, beta=0.5),
        HoroForestClassifier("H2 x S1 x E1", coordinates="poincare", n_estimators=3),
        ManifoldForestClassifier(
            "H2 x S1 x E1", coordinates="poincare", splits=("geodesic", "horosphere")
        ),
    ],
)
def test_models_survive_files_and_pickles(model: Any, tmp_path: Path) -> None:
    X, y = mixture("H2 x S1 x E1")
    model = clone(model).fit(X, y)
    path = tmp_path / "model.bent"
    model.save(path)
    for back in (type(model).load(path), bentwood.load(path), pickle.loads(pickle.dumps(model))):
        assert type(back) is type(model)
        np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
        assert back.get_params()["min_samples_leaf"] == model.min_samples_leaf
        np.testing.assert_array_equal(horospheres(back).ideal_point, horospheres(model).ideal_point)
        assert back.column_names_ == model.column_names_


def test_products_use_horospheres_of_every_hyperbolic_factor_and_columns_of_the_others() -> None:
    X, y = make_mixture(600, "H2 x S1 x H2 x E1", coordinates="poincare", random_state=3)
    model = HoroForestClassifier(
        "H2 x S1 x H2 x E1", coordinates="poincare", n_estimators=20, random_state=0
    ).fit(X, y)
    assert model.column_names_ == ["s2.angle1", "e4.x1", "h1.horosphere", "h3.horosphere"]
    importances = model.feature_importances_
    assert importances.sum() == pytest.approx(1)
    assert (importances > 0).all()
    for place, factor in ((2, 0), (3, 2)):
        assert horospheres(model, factor).importance.sum() == pytest.approx(importances[place])
        assert model.factor_importances_[factor] == pytest.approx(importances[place])


def test_families_are_chosen_by_gain() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    manifold = Manifold("H2", "tangent")
    inside = manifold.busemann(X, [0.6, 0.8]) <= 0.2
    y = inside.astype(int) + 2 * (X[:, 0] > 0)
    model = ManifoldTreeClassifier(
        "H2", coordinates="tangent", splits=("geodesic", "horosphere"), random_state=0
    ).fit(X, y)
    importances = dict(zip(model.column_names_, model.feature_importances_, strict=True))
    assert importances["h1.rapidity1"] > 0.2
    assert importances["h1.horosphere"] > 0.2
    both = model.get_n_leaves()
    alone = ManifoldTreeClassifier("H2", coordinates="tangent", random_state=0).fit(X, y)
    assert both < alone.get_n_leaves()


def test_regression_cuts_horospheres() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 2))
    y = np.tanh(Manifold("H2", "tangent").busemann(X, [-0.8, 0.6]))
    parameters: dict[str, Any] = {"coordinates": "tangent", "random_state": 0, "max_depth": 4}
    tree = ManifoldTreeRegressor("H2", splits="horosphere", **parameters).fit(X[:400], y[:400])
    axes = ManifoldTreeRegressor("H2", **parameters).fit(X[:400], y[:400])
    assert tree.score(X[400:], y[400:]) > 0.9
    assert tree.score(X[400:], y[400:]) > axes.score(X[400:], y[400:])
    assert horospheres(tree).importance.sum() == pytest.approx(1)
    trees = ManifoldForestRegressor(
        "H2", splits=("horosphere", "geodesic"), n_estimators=5, **parameters
    ).fit(X[:400], np.stack([y, -y], axis=1)[:400])
    assert trees.predict(X[400:]).shape == (200, 2)


def test_more_options_change_the_forest() -> None:
    X, y = mixture()
    shares = [
        forest(**given).fit(X, y).predict_proba(X).tobytes()
        for given in (
            {},
            {"beta": 0.99},
            {"hyperclasses": False},
            {"threshold": "margin"},
            {"ideal_points": "search"},
            {"ideal_points": "both"},
            {"ideal_points": "axes"},
            {"ideal_points": "search", "n_candidates": 3},
        )
    ]
    assert len(set(shares)) == len(shares)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ideal_points": "best"}, "ideal_points is 'best'"),
        ({"threshold": 0.5}, "threshold is 0.5"),
        ({"hyperclasses": "no"}, "hyperclasses is 'no', expected True or False"),
        ({"beta": 1.5}, "beta is 1.5, expected a number from 0 to 1"),
        ({"n_candidates": 0}, "n_candidates is 0, expected a whole number of at least 1"),
        (
            {"signature": "E2", "coordinates": "ambient"},
            "E2 has no hyperbolic factor, and so no horospheres: expected one such as H2, or "
            "splits of another kind besides",
        ),
    ],
)
def test_mistakes_are_told(given: dict[str, Any], message: str) -> None:
    X, y = mixture()
    with pytest.raises(ValueError) as error:
        forest().set_params(**given).fit(X, y)
    assert str(error.value).startswith(message)


def test_horospheres_of_what_has_none_are_refused() -> None:
    X, y = mixture()
    with pytest.raises(ValueError) as error:
        horospheres(ManifoldTreeClassifier("H2", coordinates="poincare").fit(X, y))
    assert str(error.value) == "ManifoldTreeClassifier cuts no horospheres: splits lack them"
    X, y = make_mixture(50, "H2 x H1", coordinates="poincare", random_state=0)
    model = HoroTreeClassifier("H2 x H1", coordinates="poincare").fit(X, y)
    with pytest.raises(ValueError) as error:
        horospheres(model)
    assert str(error.value) == "H2 x H1 has horospheres in factors [0, 1], name one"
    with pytest.raises(ValueError) as error:
        horospheres(model, 2)
    assert str(error.value) == "factor is 2, expected one of [0, 1]"


def test_regions_have_horocycles() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.collections import LineCollection

    from bentwood.plot import decision_regions, plot_tree

    X, y = mixture()
    model = HoroTreeClassifier("H2", coordinates="poincare", max_depth=2, random_state=0).fit(X, y)
    axes = decision_regions(model, X, y, resolution=50)
    (cuts,) = [item for item in axes.collections if isinstance(item, LineCollection)]
    points = np.concatenate(cuts.get_segments())
    assert len(points) > 100
    # Every point of every arc is on one of the horocycles.
    found = horospheres(model)
    manifold = Manifold("H2", "poincare")
    points = points[np.linalg.norm(points, axis=1) < 0.999]
    distances = [
        np.abs(manifold.busemann(points, ideal) - level)
        for ideal, level in zip(found.ideal_point, found.level, strict=True)
    ]
    assert np.min(distances, axis=0).max() < 1e-6
    plot_tree(model)
