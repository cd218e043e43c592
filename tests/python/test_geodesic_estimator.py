"""GeodesicForest as an estimator: scikit-learn's tools, copies, messages, Ctrl-C."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import TSNE, Isomap
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import bentwood
from bentwood import GeodesicForest, ManifoldTreeClassifier, datasets
from bentwood.geometry import Manifold
from bentwood.metrics import geodesic_precision
from geodesic_samples import helix, small
from interrupting import assert_ctrl_c_is_heard

Array = NDArray[Any]


# With trees that are worth the name: the data of the checks have few rows.
@parametrize_with_checks(
    [
        GeodesicForest(n_estimators=5, min_samples_split=10),
        GeodesicForest(n_estimators=5, min_samples_split=10, projection="sparse", bootstrap=False),
    ]
)
def test_it_keeps_scikit_learns_contract(estimator: Any, check: Any) -> None:
    check(estimator)


# With scikit-learn's tools.


def test_its_proximities_are_a_precomputed_affinity_and_distance() -> None:
    X, cloud = datasets.make_three_gaussians(500, n_noise=10, random_state=0)
    forest = GeodesicForest(random_state=0).fit(X)
    near = forest.proximity(dense=True)
    clusters = SpectralClustering(3, affinity="precomputed", random_state=0).fit_predict(near)
    assert adjusted_rand_score(cloud, clusters) > 0.85
    blind = KMeans(3, n_init=3, random_state=0).fit_predict(X)
    assert adjusted_rand_score(cloud, blind) < 0.3

    shown = TSNE(metric="precomputed", init="random", max_iter=300, random_state=0)
    drawn = shown.fit_transform(1 - near)
    found = NearestNeighbors(n_neighbors=50).fit(drawn).kneighbors(return_distance=False)
    assert geodesic_precision(found, labels=cloud) > 0.85

    X, position = datasets.make_linear(500, n_noise=10, random_state=0)
    near = GeodesicForest(random_state=0).fit(X).proximity(dense=True)
    line = Isomap(n_neighbors=30, n_components=1, metric="precomputed").fit_transform(1 - near)
    assert abs(np.corrcoef(line[:, 0], position)[0, 1]) > 0.9


def test_it_is_a_step_of_a_pipeline() -> None:
    X, cloud = datasets.make_three_gaussians(600, n_noise=10, random_state=0)
    model = make_pipeline(
        StandardScaler(),
        small(n_estimators=50),
        OneHotEncoder(handle_unknown="ignore"),
        LogisticRegression(),
    )
    model.fit(X[:400], cloud[:400])
    assert model.score(X[400:], cloud[400:]) > 0.9


def test_leaves_come_as_a_frame_where_that_is_asked_for() -> None:
    frame = pd.DataFrame(helix(), columns=list("abcde"))
    forest = small(n_estimators=3).set_output(transform="pandas")
    leaves = forest.fit_transform(frame)
    assert list(leaves.columns) == ["geodesicforest0", "geodesicforest1", "geodesicforest2"]
    assert list(leaves.columns) == list(forest.get_feature_names_out())
    np.testing.assert_array_equal(leaves.to_numpy(), forest.apply(frame))
    assert list(forest.feature_names_in_) == list("abcde")
    assert forest.column_names_ == list("abcde")
    with pytest.raises(ValueError, match="feature names should match"):
        forest.kneighbors(frame[list("edcba")])


def assert_alike(forest: GeodesicForest, other: GeodesicForest, X: Array) -> None:
    np.testing.assert_array_equal(forest.apply(X), other.apply(X))
    for mine, its in zip(forest.kneighbors(), other.kneighbors(), strict=True):
        np.testing.assert_array_equal(mine, its)
    np.testing.assert_array_equal(forest.proximity(X, dense=True), other.proximity(X, dense=True))
    np.testing.assert_array_equal(forest.feature_importances_, other.feature_importances_)
    np.testing.assert_array_equal(forest.embed(n_neighbors=20), other.embed(n_neighbors=20))


def test_copies_are_the_same_model(tmp_path: Path) -> None:
    X = Manifold("H2 x S2").random(150, 0.7, 1)
    forest = small(signature="H2 x S2", counted="in_bag", max_samples=0.8, density=0.5).fit(X)
    assert_alike(forest, pickle.loads(pickle.dumps(forest)), X)
    joblib.dump(forest, tmp_path / "forest.joblib")
    assert_alike(forest, joblib.load(tmp_path / "forest.joblib"), X)
    path = tmp_path / "forest.bent"
    forest.save(path)
    for loaded in (bentwood.load(path), GeodesicForest.load(path)):
        assert isinstance(loaded, GeodesicForest)
        assert_alike(forest, loaded, X)
        assert loaded.get_params() == forest.get_params()
        assert loaded.n_samples_fit_ == 150
        # What is loaded can be fitted again, to the same model.
        assert_alike(forest, clone(loaded).fit(X), X)
    with pytest.raises(ValueError) as caught:
        ManifoldTreeClassifier.load(path)
    assert str(caught.value) == (
        f"{path} holds a GeodesicForest, expected a ManifoldTreeClassifier; "
        "bentwood.load reads any model"
    )


def test_a_clone_has_the_parameters_and_no_model() -> None:
    forest = small(temperature=0.3).fit(helix())
    copy = clone(forest)
    assert copy.get_params() == forest.get_params()
    for question in (copy.kneighbors, copy.proximity, copy.embed, copy.geodesic_distance):
        with pytest.raises(NotFittedError):
            question()
    with pytest.raises(NotFittedError):
        copy.n_samples_fit_  # noqa: B018


def test_threads_do_not_change_the_model(tmp_path: Path) -> None:
    X = helix(300)
    files = []
    for n_jobs in (1, 2, 3, 8):
        path = tmp_path / f"{n_jobs}.bent"
        small(n_jobs=n_jobs).fit(X).save(path)
        files.append(path.read_bytes())
    assert all(bytes_ == files[0] for bytes_ in files)


def test_the_same_seed_gives_the_same_forest_and_another_one_another() -> None:
    X = helix()
    leaves = small().fit(X).apply(X)
    np.testing.assert_array_equal(leaves, small().fit(X).apply(X))
    assert not np.array_equal(leaves, small(random_state=1).fit(X).apply(X))


def test_verbose_shows_a_progress_bar_on_standard_error(capfd: Any) -> None:
    small(n_estimators=7, verbose=1).fit(helix())
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "GeodesicForest [##############################] 7/7 trees" in shown.err


# What goes wrong.


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "n_estimators is 0, expected a whole number of at least 1"),
        (
            {"criterion": "gini"},
            'criterion is "gini", expected "two_means", "fast_bic", "fast_bic_raw" or "em_bic"',
        ),
        (
            {"projection": "dense"},
            'projection is "dense", expected "guided", "sparse" or "axis"',
        ),
        ({"counted": "some"}, 'counted is "some", expected "all", "in_bag" or "out_of_bag"'),
        (
            {"max_features": 0},
            "max_features is 0, expected a number of columns of at least 1, "
            'a fraction in (0, 1], "sqrt", "log2" or None',
        ),
        ({"n_projections": 0}, "n_projections is 0, expected a whole number of at least 1"),
        ({"density": 1.5}, "density is 1.5, expected a number above 0 and at most 1, or None"),
        ({"density": 0.0}, "density is 0.0, expected a number above 0 and at most 1, or None"),
        ({"temperature": -1}, "temperature is -1, expected a number of at least 0"),
        (
            {"temperature": float("inf")},
            "temperature is inf, expected a number of at least 0",
        ),
        ({"min_share": 0.6}, "min_share is 0.6, expected a number from 0 to 0.5"),
        (
            {"min_samples_split": 1},
            "min_samples_split is 1, expected a whole number of at least 2, "
            "or a fraction of the rows",
        ),
        ({"max_depth": 0}, "max_depth is 0, expected a whole number of at least 1, or None"),
        ({"bootstrap": 1}, "bootstrap is 1, expected True or False"),
        (
            {"max_samples": 201, "bootstrap": True},
            "max_samples is 201, expected a number of rows from 1 to 200, "
            "a fraction in (0, 1] or None",
        ),
        (
            {"max_samples": 10},
            "max_samples is 10, which needs bootstrap=True",
        ),
    ],
)
def test_a_wrong_parameter_is_named_with_what_it_may_be(
    parameters: dict[str, Any], message: str
) -> None:
    forest = GeodesicForest(**parameters)
    with pytest.raises(ValueError) as caught:
        forest.fit(helix())
    assert str(caught.value) == message
    assert not hasattr(forest, "n_features_in_")


def test_a_wrong_question_is_answered_with_what_it_may_be() -> None:
    forest = small().fit(helix())
    wrong: list[tuple[Any, str]] = [
        (
            lambda: forest.kneighbors(n_neighbors=200),
            "n_neighbors is 200, expected a number from 1 to 199, the rows besides one",
        ),
        (
            lambda: forest.kneighbors(helix(), 201),
            "n_neighbors is 201, expected a number from 1 to 200, the rows of the forest",
        ),
        (
            lambda: forest.kneighbors(n_neighbors=0),
            "n_neighbors is 0, expected a whole number of at least 1",
        ),
        (
            lambda: forest.kneighbors(return_distance="no"),
            "return_distance is 'no', expected True or False",
        ),
        (
            lambda: forest.kneighbors_graph(mode="weights"),
            'mode is \'weights\', expected "connectivity", "distance" or "proximity"',
        ),
        (lambda: forest.proximity(dense=1), "dense is 1, expected True or False"),
        (lambda: forest.embed(0), "n_components is 0, expected a whole number of at least 1"),
    ]
    for ask, message in wrong:
        with pytest.raises(ValueError) as caught:
            ask()
        assert str(caught.value) == message


def test_a_fit_that_fails_leaves_the_forest_as_it_was() -> None:
    X = helix()
    forest = small().fit(X)
    leaves = forest.apply(X)
    with pytest.raises(ValueError):
        forest.fit(np.full((5, 3), np.nan))
    np.testing.assert_array_equal(forest.apply(X), leaves)


@pytest.mark.parametrize("projection", ["guided", "sparse", "axis"])
def test_numbers_at_the_ends_of_their_range_are_learned_from(projection: str) -> None:
    X = helix(300)
    extreme = X.copy()
    extreme[:, 0] *= 1e-312
    extreme[:, 1] *= 1e306
    extreme[:, 3] = 7.0
    forest = small(projection=projection, density=0.5).fit(extreme)
    pickle.loads(pickle.dumps(forest)).kneighbors(extreme)
    # A share of the columns so small that no sum would ever have one.
    small(projection="sparse", density=1e-12).fit(X)


FIT_FOR_A_MINUTE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from bentwood import GeodesicForest
from bentwood.datasets import make_helix
X, _ = make_helix({n_samples}, n_noise=20, random_state=0)
model = GeodesicForest({n_estimators}, criterion="{criterion}", n_jobs={n_jobs})
print("fitting", flush=True)
try:
    model.fit(X)
except KeyboardInterrupt:
    print("fitted" if hasattr(model, "n_features_in_") else "interrupted", flush=True)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
# Many trees, large ones, and a mixture that takes longer than a tree.
@pytest.mark.parametrize(
    ("n_samples", "n_estimators", "criterion"),
    [(2000, 100_000, "fast_bic"), (200_000, 1000, "fast_bic"), (200_000, 1000, "em_bic")],
)
def test_ctrl_c_stops_a_fit_and_leaves_nothing_half_fitted(
    n_jobs: int, n_samples: int, n_estimators: int, criterion: str
) -> None:
    code = FIT_FOR_A_MINUTE.format(
        n_jobs=n_jobs, n_samples=n_samples, n_estimators=n_estimators, criterion=criterion
    )
    assert_ctrl_c_is_heard(code, 0.5)


PATHS_FOR_MINUTES = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from bentwood import GeodesicForest
from bentwood.datasets import make_helix
X, _ = make_helix(20_000, random_state=0)
forest = GeodesicForest(5, random_state=0).fit(X)
print("fitting", flush=True)
try:
    forest.geodesic_distance()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_stops_the_paths() -> None:
    assert_ctrl_c_is_heard(PATHS_FOR_MINUTES)


def test_paths_are_the_same_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    forest = small().fit(helix(60))
    whole = forest.geodesic_distance(5)
    rows = np.array([[3, 1, 4], [1, 5, 9]])
    monkeypatch.setattr("bentwood.geodesic.PATH_EDGES", 1)
    np.testing.assert_array_equal(forest.geodesic_distance(5), whole)
    np.testing.assert_array_equal(forest.geodesic_distance(5, rows), whole[rows])
    np.testing.assert_array_equal(forest.geodesic_distance(5, 7), whole[[7]])


@pytest.mark.parametrize("shared", ["evidence", "node", "leaf"])
def test_where_a_point_stands_among_others_changes_nothing(shared: str) -> None:
    X = helix(300)
    forest = small(shared=shared).fit(X[:200])
    distances, indices = forest.kneighbors(X[200:], 5)
    backwards = forest.kneighbors(X[200:][::-1], 5)
    np.testing.assert_array_equal(backwards[0][::-1], distances)
    np.testing.assert_array_equal(backwards[1][::-1], indices)


def test_nodes_above_leaves_count_however_few_rows_a_tree_draws() -> None:
    X = datasets.make_helix(600, n_noise=5, random_state=0)[0]
    counts = {
        shared: small(n_estimators=3, max_samples=0.1, shared=shared).fit(X).proximity().nnz
        for shared in ("evidence", "node", "leaf")
    }
    assert counts["evidence"] >= counts["node"] > 1.2 * counts["leaf"]


def test_rows_that_no_tree_leaves_out_cannot_be_counted_out_of_bag() -> None:
    with pytest.raises(ValueError, match="counted is out_of_bag, which needs a bootstrap"):
        small(counted="out_of_bag", bootstrap=False).fit(helix())


def test_questions_about_pictures_and_paths_are_checked() -> None:
    forest = small(min_samples_split=5).fit(helix(30))
    assert forest.embed().shape == (30, 2)
    with pytest.raises(ValueError, match="n_components is 29, expected at most 28 for 30 rows"):
        forest.embed(29)
    for wrong in ([1.5], [30], [-1]):
        with pytest.raises(ValueError, match="expected numbers of rows from 0 to 29"):
            forest.geodesic_distance(5, indices=wrong)
