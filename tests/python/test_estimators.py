"""What trees and forests do beyond scikit-learn's contract."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import DataConversionWarning
from sklearn.tree import DecisionTreeClassifier

import bentwood
from bentwood import (
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
)
from bentwood._parameters import as_features
from bentwood.datasets import make_mixture, make_uniform
from bentwood.geometry import Manifold
from interrupting import assert_ctrl_c_is_heard

ESTIMATORS = [
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
    ManifoldForestClassifier,
    ManifoldForestRegressor,
]
PRODUCT = "H2(-0.5) x S2 x E2"


def product_points(n_rows: int = 300) -> tuple[Any, Any]:
    return make_mixture(n_rows, PRODUCT, n_classes=3, random_state=0)


def small(estimator: Any, **parameters: Any) -> Any:
    if estimator in (ManifoldForestClassifier, ManifoldForestRegressor):
        parameters.setdefault("n_estimators", 7)
    return estimator(PRODUCT, random_state=0, **parameters)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("splits", [("geodesic",), ("geodesic", "pairs")])
def test_the_number_of_threads_changes_no_byte(estimator: Any, splits: tuple[str, ...]) -> None:
    X, y = product_points(2000)
    models = [
        small(estimator, splits=splits, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2, 3, 8, None)
    ]
    assert len({model._model.to_bytes() for model in models}) == 1
    assert len({model.predict(X).tobytes() for model in models}) == 1


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_row_is_predicted_alone_as_among_others(estimator: Any) -> None:
    X, y = product_points()
    model = small(estimator).fit(X, y)
    alone = [model.predict(X[row : row + 1])[0] for row in range(len(X))]
    np.testing.assert_array_equal(alone, model.predict(X))
    # A list is not an array: it goes the way that checks everything.
    np.testing.assert_array_equal(model.predict(X.tolist()), model.predict(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(model.predict_proba(X.tolist()), model.predict_proba(X))
        logarithms = model.predict_log_proba(X)
        np.testing.assert_allclose(np.exp(logarithms), model.predict_proba(X), rtol=1e-14)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_leaves_paths_and_arrays_tell_one_story(estimator: Any) -> None:
    X, y = product_points()
    model = small(estimator).fit(X, y)
    leaves = model.apply(X)
    if hasattr(model, "tree_"):
        trees = [model.tree_]
        indicator, begins = model.decision_path(X), np.array([0, model.tree_.node_count])
        leaves = leaves[:, None]
    else:
        trees = model.trees_
        indicator, begins = model.decision_path(X)
    assert indicator.shape == (len(X), begins[-1])
    assert [tree.node_count for tree in trees] == np.diff(begins).tolist()
    values = np.mean([tree.value[leaves[:, t]] for t, tree in enumerate(trees)], axis=0)
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(values, model.predict_proba(X), rtol=1e-13)
    else:
        np.testing.assert_allclose(values[:, 0], model.predict(X), rtol=1e-13)
    columns = Manifold(PRODUCT).natural_coordinates(X)
    for number, tree in enumerate(trees):
        for row in range(0, len(X), 10):
            path = walk(tree, columns[row])
            passed = indicator[row].indices
            mine = passed[(passed >= begins[number]) & (passed < begins[number + 1])]
            assert sorted(mine - begins[number]) == sorted(path)
            assert path[-1] == leaves[row, number]


def walk(tree: Any, values: Any) -> list[int]:
    """The nodes of a row, as the arrays define them."""
    path = [0]
    while tree.feature[path[-1]] >= 0:
        node = path[-1]
        value, threshold = values[tree.feature[node]], tree.threshold[node]
        is_left = (
            threshold < value % (2 * np.pi) <= threshold + np.pi
            if tree.is_circle[node]
            else value <= threshold
        )
        path.append(int((tree.children_left if is_left else tree.children_right)[node]))
    return path


def test_importances_are_by_column_and_by_factor() -> None:
    X, y = product_points()
    model = small(ManifoldForestClassifier).fit(X, y)
    assert model.column_names_ == [
        *("h1.rapidity1", "h1.rapidity2", "s2.angle1", "s2.angle2", "e3.x1", "e3.x2"),
    ]
    assert model.feature_importances_.sum() == pytest.approx(1)
    np.testing.assert_allclose(
        model.factor_importances_, model.feature_importances_.reshape(3, 2).sum(axis=1)
    )
    assert model.signature_ == PRODUCT


def test_out_of_bag_scores_foretell_those_of_new_rows() -> None:
    X, y = make_mixture(1000, "H2", n_classes=3, random_state=1)
    model = ManifoldForestClassifier("H2", oob_score=True, random_state=0).fit(X[:500], y[:500])
    assert model.oob_score_ == pytest.approx(model.score(X[500:], y[500:]), abs=0.05)
    assert model.oob_decision_function_.shape == (500, 3)
    np.testing.assert_allclose(model.oob_decision_function_.sum(axis=1), 1)
    regressor = ManifoldForestRegressor("H2", oob_score=True, random_state=0).fit(
        X, np.log(X[:, 0])
    )
    assert regressor.oob_prediction_.shape == (1000,)
    assert regressor.oob_score_ > 0.7
    few = ManifoldForestClassifier("H2", n_estimators=1, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="drawn by every tree") as warned:
        few.fit(X, y)
    n_missing = np.count_nonzero(np.isnan(few.oob_decision_function_[:, 0]))
    assert [str(warning.message) for warning in warned] == [
        f"{n_missing} of 1000 rows were drawn by every tree and have no out-of-bag prediction; "
        "raise n_estimators"
    ]


@pytest.mark.parametrize("estimator", [ManifoldForestClassifier, ManifoldForestRegressor])
@pytest.mark.parametrize("seed", [0, None])
def test_a_warm_start_ends_where_a_single_fit_does(estimator: Any, seed: int | None) -> None:
    X, y = product_points()
    model = estimator(PRODUCT, n_estimators=4, warm_start=True, random_state=seed, oob_score=True)
    with pytest.warns(UserWarning, match="raise n_estimators"):
        model.fit(X, y)
    model.set_params(n_estimators=30).fit(X, y)
    at_once = estimator(PRODUCT, n_estimators=30, random_state=model._seed, oob_score=True).fit(
        X, y
    )
    np.testing.assert_array_equal(model.predict(X), at_once.predict(X))
    assert model.oob_score_ == at_once.oob_score_
    with pytest.warns(UserWarning, match="raise n_estimators to add some"):
        model.fit(X, y)


@pytest.mark.parametrize("rule", ["sqrt", "log2", None, 0.3, 3])
def test_a_node_looks_at_as_many_columns_as_scikit_learns(rule: Any) -> None:
    for n_columns in (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000):
        peer = DecisionTreeClassifier(max_features=rule).fit(np.eye(2, n_columns), [0, 1])
        # scikit-learn refuses a count above the columns that there are.
        assert as_features(rule, n_columns) == min(peer.max_features_, n_columns)


def test_several_outputs_are_predicted_together() -> None:
    X = make_uniform(400, "S2", random_state=0)
    model = ManifoldForestRegressor("S2", n_estimators=30, random_state=0).fit(X, X)
    assert model.predict(X).shape == X.shape
    assert model.n_outputs_ == 3
    assert model.score(X, X) > 0.95
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        one = ManifoldForestRegressor("S2", n_estimators=3).fit(X, X[:, :1])
    assert one.predict(X).shape == (400,)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, -1, 7]),
        np.array([3, 200, 7], dtype=np.uint8),
        np.array([1.0, -1.0, 2.0]),
        np.array(["ant", "bee", "Zoë"]),
        np.array(["ant", "bee", "wasp"], dtype=object),
        np.array([True, False, True]),
    ],
)
def test_labels_come_back_as_they_were_given(labels: Any, tmp_path: Path) -> None:
    X, numbers = product_points()
    y = labels[numbers]
    model = small(ManifoldForestClassifier).fit(X, y)
    assert model.predict(X).dtype == y.dtype
    assert model.score(X, y) > 0.95
    model.save(tmp_path / "model.bent")
    again = bentwood.load(tmp_path / "model.bent")
    np.testing.assert_array_equal(again.classes_, model.classes_)
    assert again.classes_.dtype.kind == model.classes_.dtype.kind
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_file_gives_the_estimator_back(estimator: Any, tmp_path: Path) -> None:
    X, y = product_points()
    model = small(estimator, max_depth=4, splits=("geodesic", "pairs")).fit(X, y)
    path = tmp_path / "model.bent"
    model.save(path)
    for again in (bentwood.load(path), estimator.load(str(path))):
        assert type(again) is estimator
        assert again.get_params() == model.get_params()
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        assert again.n_features_in_ == X.shape[1]
        # Fitted anew it is the same model, with the same bytes.
        assert again.fit(X, y)._model.to_bytes() == model._model.to_bytes()


def test_weights_of_classes_survive_a_file_and_shift_predictions(tmp_path: Path) -> None:
    X, y = make_mixture(400, "H2", label_noise=0.3, class_weights=[0.5, 0.5], random_state=0)
    counts = []
    for weights in ({0: 1, 1: 20}, None, {0: 20, 1: 1}):
        model = ManifoldTreeClassifier("H2", max_depth=2, class_weight=weights).fit(X, y)
        counts.append(np.count_nonzero(model.predict(X)))
        model.save(tmp_path / "model.bent")
        assert bentwood.load(tmp_path / "model.bent").class_weight == weights
    assert counts[0] > counts[1] > counts[2]


def test_what_does_not_change_the_model_is_not_in_its_bytes() -> None:
    X, y = product_points()
    one = small(ManifoldForestClassifier).fit(X, y)
    other = small(ManifoldForestClassifier, n_jobs=1, warm_start=True, oob_score=False).fit(X, y)
    assert one._model.to_bytes() == other._model.to_bytes()


def test_a_tree_is_exported_as_text_and_for_graphviz() -> None:
    X = np.array([[-1.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0]])
    model = ManifoldTreeClassifier(random_state=0).fit(X, ["a", 'b"', 'b"', 'b"'])
    assert model.export_text() == (
        "|--- e1.x1 <= 0.000\n"
        "|   |--- class: a (weight 1)\n"
        "|--- e1.x1 > 0.000\n"
        '|   |--- class: b" (weight 3)\n'
    )
    dot = model.export_graphviz(decimals=1)
    assert '0 [label="e1.x1 <= 0.0\\nweight 4"];' in dot
    assert '2 [label="class: b\\"\\nweight 3"];' in dot
    assert '0 -> 1 [label="yes"];' in dot
    assert (model.get_depth(), model.get_n_leaves()) == (1, 2)
    regressor = ManifoldTreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 3.0])
    assert regressor.export_text(max_depth=0) == "|--- 6 more nodes (weight 4)\n"


def test_an_exported_tree_has_the_names_that_the_user_knows() -> None:
    frame = pd.DataFrame({"height (m)": [-1.0, 1.0, 2.0, 2.0]})
    model = ManifoldTreeClassifier().fit(frame, [False, True, True, False])
    assert model.export_text(decimals=1) == (
        "|--- height (m) <= 0.0\n"
        "|   |--- class: False (weight 1)\n"
        "|--- height (m) > 0.0\n"
        "|   |--- height (m) <= 1.5\n"
        "|   |   |--- class: True (weight 1)\n"
        "|   |--- height (m) > 1.5\n"
        "|   |   |--- class: False (weight 2, shares: False 0.5, True 0.5)\n"
    )


def test_a_cut_of_a_circle_is_exported_as_a_half_turn() -> None:
    X = make_uniform(200, "S2", random_state=0)
    model = ManifoldTreeClassifier("S2", max_depth=1).fit(X, X[:, 1] > 0)
    first, _, second, _ = model.export_text().splitlines()
    assert first.startswith("|--- s1.angle1 in (")
    assert second == first.replace("angle1 in", "angle1 not in")


def test_float32_points_are_judged_by_their_own_precision() -> None:
    X, y = make_mixture(300, "H2", n_classes=3, random_state=0)
    rounded = X.astype(np.float32)
    model = ManifoldForestClassifier("H2", n_estimators=10, random_state=0).fit(rounded, y)
    assert model.score(rounded, y) > 0.95
    with pytest.raises(ValueError, match="off"):
        ManifoldTreeClassifier("H2").fit(rounded.astype(np.float64), y)


def test_an_out_of_bag_score_belongs_to_the_model_at_hand() -> None:
    X, y = make_mixture(100, "H2", random_state=0)
    model = ManifoldForestClassifier("H2", n_estimators=20, oob_score=True, random_state=0).fit(
        X, y
    )
    assert 0 <= model.oob_score_ <= 1
    model.set_params(oob_score=False).fit(X, y)
    assert not hasattr(model, "oob_score_")
    assert not hasattr(model, "oob_decision_function_")


def test_verbose_shows_a_progress_bar_on_standard_error(capfd: Any) -> None:
    X, y = product_points()
    small(ManifoldForestClassifier, verbose=1).fit(X, y)
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "ManifoldForestClassifier [##############################] 7/7 trees" in shown.err
    small(ManifoldForestClassifier).fit(X, y)
    assert capfd.readouterr().err == ""


FIT_FOR_A_MINUTE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from bentwood import {name}
from bentwood.datasets import make_mixture
X, y = make_mixture(200_000, "H8", n_classes=5, label_noise=0.3, random_state=0)
model = {name}("H8", n_estimators=100_000, n_jobs={n_jobs})
print("fitting", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("fitted" if hasattr(model, "classes_") else "interrupted", flush=True)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_stops_a_fit_and_leaves_nothing_half_fitted(n_jobs: int) -> None:
    code = FIT_FOR_A_MINUTE.format(name="ManifoldForestClassifier", n_jobs=n_jobs)
    assert_ctrl_c_is_heard(code, 0.5)


def test_importing_the_package_does_not_import_scikit_learn() -> None:
    code = "import sys, bentwood; sys.exit('sklearn' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert {"ManifoldForestClassifier", "load"} <= set(dir(bentwood))
    with pytest.raises(AttributeError, match=r"^module 'bentwood' has no attribute 'Forest'$"):
        bentwood.Forest  # noqa: B018
