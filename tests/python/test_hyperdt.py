"""Trees on hyperbolic space are HyperDT: CART on rapidities, as scikit-learn grows it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.model_selection import KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from bentwood import ManifoldForestClassifier, ManifoldTreeClassifier
from bentwood.datasets import make_mixture

Array = npt.NDArray[Any]


def rapidities(X: Array, curvature: float) -> Array:
    """artanh(x_d / x_0) of points of the hyperboloid, in the form that does not cancel."""
    space = X[:, 1:]
    others = -1 / curvature + (space**2).sum(axis=1, keepdims=True) - space**2
    result: Array = np.arcsinh(space / np.sqrt(others))
    return result


def mixture(
    n: int, dim: int, curvature: float, seed: int, coordinates: str = "ambient", n_classes: int = 4
) -> Any:
    # Less noise where the curvature radius is short: Klein coordinates end at 19 of them.
    return make_mixture(
        n,
        f"H{dim}({curvature})",
        n_classes=n_classes,
        noise=2 / max(1.0, curvature**2),
        coordinates=coordinates,
        random_state=seed,
    )


# Far out, Klein coordinates warn, rightly.
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@pytest.mark.parametrize("curvature", [-0.25, -1.0, -4.0])
@pytest.mark.parametrize("coordinates", ["ambient", "poincare", "klein", "tangent"])
def test_shallow_trees_predict_what_cart_on_rapidities_predicts(
    coordinates: str, curvature: float
) -> None:
    n_equal = n_rows = 0
    for dim, seed in itertools.product((2, 4, 8, 16), range(3)):
        data = (2000, dim, curvature, 100 * dim + seed)
        ambient, y = mixture(*data, n_classes=2)
        X, _ = mixture(*data, coordinates, n_classes=2)
        ours = ManifoldTreeClassifier(
            f"H{dim}({curvature})", coordinates=coordinates, max_depth=3
        ).fit(X[:1000], y[:1000])
        R = rapidities(ambient, curvature)
        theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(R[:1000], y[:1000])
        # They differ on a row in a thousand, where two columns of equal gain leave a choice.
        n_equal += np.count_nonzero(ours.predict(X[1000:]) == theirs.predict(R[1000:]))
        n_rows += 1000
    assert n_equal >= 0.999 * n_rows


def gini(y: Array) -> float:
    shares = np.bincount(y) / len(y)
    return float(1 - (shares**2).sum())


def decrease(y: Array, left: Array) -> float:
    n_left = np.count_nonzero(left)
    return gini(y) - (n_left * gini(y[left]) + (len(y) - n_left) * gini(y[~left])) / len(y)


def compare_nodes(ours: Any, theirs: Any, R: Array, y: Array) -> int:
    """Walk both trees while they agree; return the number of inner nodes that both reached."""
    rounded = R.astype(np.float32)
    n_compared = 0
    stack = [(0, 0, np.arange(len(y)))]
    while stack:
        our, their, rows = stack.pop()
        if ours.feature[our] < 0 or theirs.feature[their] < 0:
            assert gini(y[rows]) == 0 or ours.feature[our] == theirs.feature[their] + 1
            continue
        our_left = R[rows, ours.feature[our]] <= ours.threshold[our]
        their_left = rounded[rows, theirs.feature[their]] <= theirs.threshold[their]
        # Equal gains let two trees choose different cuts, which then part.
        assert decrease(y[rows], our_left) == pytest.approx(decrease(y[rows], their_left), abs=1e-9)
        n_compared += 1
        if (our_left == their_left).all():
            stack += [
                (ours.children_left[our], theirs.children_left[their], rows[our_left]),
                (ours.children_right[our], theirs.children_right[their], rows[~our_left]),
            ]
    return n_compared


@pytest.mark.parametrize("dim", [2, 4, 8, 16])
def test_unlimited_trees_have_the_impurities_and_the_accuracy_of_cart(dim: int) -> None:
    accuracies = []
    n_compared = 0
    for seed in range(20):
        X, y = mixture(2000, dim, -1.0, 100 + seed)
        R = rapidities(X, -1.0)
        ours = ManifoldTreeClassifier(f"H{dim}", random_state=seed).fit(X[:1000], y[:1000])
        theirs = DecisionTreeClassifier(random_state=seed).fit(R[:1000], y[:1000])
        n_compared += compare_nodes(ours.tree_, theirs.tree_, R[:1000], y[:1000])
        accuracies.append([ours.score(X[1000:], y[1000:]), theirs.score(R[1000:], y[1000:])])
    ours_mean, theirs_mean = np.mean(accuracies, axis=0)
    assert abs(ours_mean - theirs_mean) <= 0.005
    assert n_compared > 20


# Table 1 of the paper: n = 800, depth 3, five folds; 12 trees without a choice of columns.
@pytest.mark.parametrize(("dim", "published", "spread"), [(2, 91.9, 0.7), (4, 99.3, 0.3)])
def test_the_published_accuracies_come_out(dim: int, published: float, spread: float) -> None:
    trees, forests = [], []
    folds = KFold(5, shuffle=True, random_state=0)
    for seed in range(100):
        X, y = make_mixture(800, f"H{dim}", random_state=seed)
        tree = ManifoldTreeClassifier(f"H{dim}", max_depth=3)
        trees.append(100 * cross_val_score(tree, X, y, cv=folds).mean())
        if seed < 20:
            forest = ManifoldForestClassifier(
                f"H{dim}", max_depth=3, n_estimators=12, max_features=None, random_state=seed
            )
            forests.append(100 * cross_val_score(forest, X, y, cv=folds).mean())
    error = np.std(trees) / np.sqrt(len(trees))
    assert abs(np.mean(trees) - published) <= spread + 2 * error
    assert np.mean(forests) >= np.mean(trees[:20]) - spread
