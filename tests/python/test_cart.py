"""Trees and forests on Euclidean space are CART and random forests, as scikit-learn grows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from bentwood import (
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
)

Array = npt.NDArray[Any]


def impurity(criterion: str, y: Array, weights: Array) -> float:
    """Weighted impurity from the definition, times the weight."""
    total = weights.sum()
    if total == 0:
        return 0.0
    if criterion == "squared_error":
        outputs = y.reshape(len(y), -1)
        mean = (weights[:, None] * outputs).sum(axis=0) / total
        return float((weights[:, None] * (outputs - mean) ** 2).sum() / outputs.shape[1])
    shares = np.bincount(y, weights) / total
    shares = shares[shares > 0]
    if criterion == "gini":
        return float(total * (1 - (shares**2).sum()))
    return float(-total * (shares * np.log2(shares)).sum())


def left_of_the_root(tree: Any, X: Array) -> Array:
    result: Array = X[:, tree.feature[0]] <= tree.threshold[0]
    return result


# Whole numbers: thresholds at halves, exact in float32, and many ties.
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "outputs"])
def test_the_best_cut_is_as_good_as_scikit_learns_on_random_sets(criterion: str) -> None:
    rng = np.random.default_rng(0)
    regression = criterion in ("squared_error", "outputs")
    name = "squared_error" if regression else criterion
    ours = (ManifoldTreeRegressor if regression else ManifoldTreeClassifier)(
        criterion=name, max_depth=1, n_jobs=1
    )
    theirs = (DecisionTreeRegressor if regression else DecisionTreeClassifier)(
        criterion=name, max_depth=1
    )
    n_cut = 0
    for _ in range(2500):
        n_rows, n_columns = rng.integers(2, 16), rng.integers(1, 4)
        X = rng.integers(0, rng.integers(2, 12), (n_rows, n_columns)).astype(np.float64)
        n_outputs = () if criterion != "outputs" else (2,)
        y = rng.normal(size=(n_rows, *n_outputs)) if regression else rng.integers(0, 4, n_rows)
        weights = rng.integers(1, 4, n_rows).astype(float) if rng.random() < 0.5 else None
        ours.fit(X, y, weights)
        theirs.fit(X.astype(np.float32), y, weights, check_input=False)
        ones = np.ones(n_rows) if weights is None else weights
        found = []
        for tree in (ours.tree_, theirs.tree_):
            if tree.feature[0] < 0:
                found.append(impurity(name, y, ones))
                continue
            left = left_of_the_root(tree, X)
            assert 0 < np.count_nonzero(left) < n_rows
            found.append(
                impurity(name, y[left], ones[left]) + impurity(name, y[~left], ones[~left])
            )
        assert found[0] == pytest.approx(found[1], abs=1e-9)
        n_cut += ours.tree_.feature[0] >= 0
    assert n_cut > 2000


def test_a_tree_of_few_leaves_grows_where_scikit_learns_does() -> None:
    X, y = datasets.load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    for n_leaves in (2, 3, 5, 8):
        ours = ManifoldTreeClassifier(max_leaf_nodes=n_leaves).fit(X, y)
        theirs = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y)
        assert ours.get_n_leaves() == n_leaves
        assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.002)


@pytest.mark.parametrize(
    "parameters",
    [
        {"min_samples_leaf": 7},
        {"min_samples_leaf": 0.05},
        {"min_samples_split": 40},
        {"min_samples_split": 0.3},
        {"min_weight_fraction_leaf": 0.1},
        {"min_weight_fraction_leaf": 0.1, "class_weight": {0: 10, 1: 10, 2: 10}},
        {"min_weight_fraction_leaf": 0.1, "class_weight": {0: 0.1, 1: 0.2, 2: 0.1}},
        {"min_impurity_decrease": 0.01},
        {"max_depth": 2},
    ],
)
def test_trees_stop_where_scikit_learns_stop(parameters: dict[str, Any]) -> None:
    X, y = datasets.load_wine(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    ours = ManifoldTreeClassifier(random_state=0, **parameters).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **parameters).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.get_depth() == theirs.get_depth()
    np.testing.assert_allclose(
        sorted(ours.tree_.weighted_n_node_samples), sorted(theirs.tree_.weighted_n_node_samples)
    )


def classified_sets() -> dict[str, tuple[Array, Array]]:
    return {
        "iris": datasets.load_iris(return_X_y=True),
        "wine": datasets.load_wine(return_X_y=True),
        "breast cancer": datasets.load_breast_cancer(return_X_y=True),
        "digits": datasets.load_digits(return_X_y=True),
        "informative": datasets.make_classification(
            1000, 20, n_informative=8, n_classes=3, flip_y=0.1, random_state=0
        ),
    }


@pytest.mark.parametrize("name", classified_sets())
def test_forests_are_as_accurate_as_scikit_learns(name: str) -> None:
    X, y = classified_sets()[name]
    scores = []
    for seed in range(10):
        train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=seed)
        ours = ManifoldForestClassifier(random_state=seed).fit(train, y_train)
        theirs = RandomForestClassifier(random_state=seed).fit(train, y_train)
        scores.append([ours.score(test, y_test), theirs.score(test, y_test)])
    ours_mean, theirs_mean = np.mean(scores, axis=0)
    assert abs(ours_mean - theirs_mean) <= 0.005


def test_regression_forests_are_as_good_as_scikit_learns() -> None:
    X, y = datasets.load_diabetes(return_X_y=True)
    scores = []
    for seed in range(5):
        train, test, y_train, y_test = train_test_split(X, y, random_state=seed)
        ours = ManifoldForestRegressor(random_state=seed).fit(train, y_train)
        theirs = RandomForestRegressor(random_state=seed).fit(train, y_train)
        scores.append([ours.score(test, y_test), theirs.score(test, y_test)])
    ours_mean, theirs_mean = np.mean(scores, axis=0)
    assert abs(ours_mean - theirs_mean) <= 0.02
