"""Random forests on hyperbolic, spherical, Euclidean and product space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bentwood._arrays import Matrix
from bentwood._many_trees import ForestClassifier, ManyTrees, NotInFiles
from bentwood._target import RegressorEstimator, r2_in_range
from bentwood.geometry import Coordinates

__all__ = ["ManifoldForestClassifier", "ManifoldForestRegressor"]


class ManifoldForestClassifier(ForestClassifier):
    """A random forest that classifies points of a manifold.

    Each tree draws its rows with replacement and looks at some of the columns in each node; the
    forest predicts the mean of its trees. On hyperbolic space this is HyperRF [1]_, on a product
    the mixed-curvature forest [2]_, on Euclidean space an ordinary random forest.

    Parameters
    ----------
    signature : str or None
        The manifold, such as ``"H2"`` or ``"H2(-0.5) x S2 x E3"``; None means Euclidean space of
        as many dimensions as X has columns.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How the rows of X describe points.
    off_manifold : {"error", "project"}
        What to do with rows that are off the manifold by more than rounding: refuse them, or
        project them with a warning.
    splits : {"geodesic", "pairs", "horosphere", "chordal"}, or a tuple of them
        What trees may cut: the natural coordinates of every factor (rapidities on H, angles on S,
        coordinates on E), which are always there but on H with "horosphere" alone and on S with
        "chordal" alone; with "pairs" the angles of all pairs of a factor's axes besides; with
        "horosphere" horospheres of hyperbolic factors, whose ideal points every node finds for
        itself; and with "chordal" the ambient coordinates of spherical factors.
    n_estimators : int
        The number of trees.
    criterion : {"gini", "entropy", "log_loss"}
        The impurity that cuts decrease; the last two are the same.
    max_depth : int or None
        The most cuts above a leaf; None means no limit.
    min_samples_split : int or float
        Rows that a node needs to be cut; a float is a fraction of all rows.
    min_samples_leaf : int or float
        Rows that each side of a cut must keep; a float is a fraction of all rows.
    min_weight_fraction_leaf : float
        The share of all weight that each side of a cut must keep.
    max_features : int, float, "sqrt", "log2" or None
        How many columns a node looks at, drawn anew for each; a float is a fraction of the columns,
        None means all.
    max_leaf_nodes : int or None
        The most leaves of a tree, which then grows where impurity decreases most; None means no
        limit.
    min_impurity_decrease : float
        The decrease in impurity, weighted by the node's share of the rows, that a cut must bring.
    bootstrap : bool
        Whether each tree draws its rows with replacement, or takes them all.
    oob_score : bool or callable
        Whether to score the forest on the rows that trees have not drawn; a callable is called with
        the true and the predicted values.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides which rows a tree draws and which columns a node looks at; the same integer gives
        the same forest.
    verbose : int
        More than 0 shows a progress bar on standard error.
    warm_start : bool
        Whether fitting again keeps the trees and adds those that are missing. The data must be the
        same, and the result is what growing all trees at once would have given.
    class_weight : dict, "balanced", "balanced_subsample" or None
        The weight of each class; "balanced" makes all classes weigh the same, and
        "balanced_subsample" does so among the rows that each tree has drawn.
    max_samples : int, float or None
        Rows that each tree draws; a float is a fraction of all rows, None means as many as there
        are.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, ascending.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X was a frame with names.
    signature_ : str
        The signature in canonical form.
    column_names_ : list of str
        The columns that can be cut.
    feature_importances_ : ndarray of shape (n_columns,)
        The importance of each of them: its share of the decrease in impurity.
    factor_importances_ : ndarray of shape (n_factors,)
        The importance of each factor of the signature.
    n_projected_ : int
        Training rows that were off the manifold and were projected.
    trees_ : list of TreeStructure
        The nodes of each tree as arrays.
    oob_score_ : float
        The accuracy, or whatever ``oob_score`` computes, on rows that trees have not drawn.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        What those trees say of each training row; NaN where every tree has drawn it.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, "Fast Hyperboloid Decision Tree Algorithms",
       ICLR 2024.
    .. [2] P. Chlenski, Q. Chu, R. R. Khan, K. Du, A. K. Moretti, I. Pe'er, "Mixed-Curvature
       Decision Trees and Random Forests", ICML 2025.

    Examples
    --------
    >>> from bentwood import ManifoldForestClassifier
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(400, "H2", random_state=1)
    >>> model = ManifoldForestClassifier("H2", random_state=0).fit(X[:200], y[:200])
    >>> model.score(X[200:], y[200:]) > 0.8
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "ambient",
        off_manifold: Literal["error", "project"] = "error",
        splits: tuple[str, ...] | str = ("geodesic",),
        n_estimators: int = 100,
        criterion: Literal["gini", "entropy", "log_loss"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: bool | Callable[..., float] = False,
        n_jobs: int | None = -1,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Mapping[Any, float] | str | None = None,
        max_samples: int | float | None = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.splits = splits
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.max_samples = max_samples


class ManifoldForestRegressor(ManyTrees, RegressorEstimator):
    """A random forest that predicts numbers from points of a manifold.

    Each tree draws its rows with replacement and looks at some of the columns in each node; the
    forest predicts the mean of its trees. On hyperbolic space this is HyperRF [1]_, on a product
    the mixed-curvature forest [2]_, on Euclidean space an ordinary random forest.

    Parameters
    ----------
    signature : str or None
        The manifold, such as ``"H2"`` or ``"H2(-0.5) x S2 x E3"``; None means Euclidean space of
        as many dimensions as X has columns.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How the rows of X describe points.
    off_manifold : {"error", "project"}
        What to do with rows that are off the manifold by more than rounding: refuse them, or
        project them with a warning.
    splits : {"geodesic", "pairs", "horosphere", "chordal"}, or a tuple of them
        What trees may cut: the natural coordinates of every factor (rapidities on H, angles on S,
        coordinates on E), which are always there but on H with "horosphere" alone and on S with
        "chordal" alone; with "pairs" the angles of all pairs of a factor's axes besides; with
        "horosphere" horospheres of hyperbolic factors, whose ideal points every node finds for
        itself; and with "chordal" the ambient coordinates of spherical factors.
    n_estimators : int
        The number of trees.
    criterion : {"squared_error"}
        The impurity that cuts decrease.
    max_depth : int or None
        The most cuts above a leaf; None means no limit.
    min_samples_split : int or float
        Rows that a node needs to be cut; a float is a fraction of all rows.
    min_samples_leaf : int or float
        Rows that each side of a cut must keep; a float is a fraction of all rows.
    min_weight_fraction_leaf : float
        The share of all weight that each side of a cut must keep.
    max_features : int, float, "sqrt", "log2" or None
        How many columns a node looks at, drawn anew for each; a float is a fraction of the columns,
        None means all.
    max_leaf_nodes : int or None
        The most leaves of a tree, which then grows where impurity decreases most; None means no
        limit.
    min_impurity_decrease : float
        The decrease in impurity, weighted by the node's share of the rows, that a cut must bring.
    bootstrap : bool
        Whether each tree draws its rows with replacement, or takes them all.
    oob_score : bool or callable
        Whether to score the forest on the rows that trees have not drawn; a callable is called with
        the true and the predicted values.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides which rows a tree draws and which columns a node looks at; the same integer gives
        the same forest.
    verbose : int
        More than 0 shows a progress bar on standard error.
    warm_start : bool
        Whether fitting again keeps the trees and adds those that are missing. The data must be the
        same, and the result is what growing all trees at once would have given.
    max_samples : int, float or None
        Rows that each tree draws; a float is a fraction of all rows, None means as many as there
        are.

    Attributes
    ----------
    n_outputs_ : int
        The number of columns of y.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X was a frame with names.
    signature_ : str
        The signature in canonical form.
    column_names_ : list of str
        The columns that can be cut.
    feature_importances_ : ndarray of shape (n_columns,)
        The importance of each of them: its share of the decrease in impurity.
    factor_importances_ : ndarray of shape (n_factors,)
        The importance of each factor of the signature.
    n_projected_ : int
        Training rows that were off the manifold and were projected.
    trees_ : list of TreeStructure
        The nodes of each tree as arrays.
    oob_score_ : float
        R², or whatever ``oob_score`` computes, on rows that trees have not drawn.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        What those trees say of each training row; NaN where every tree has drawn it.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, "Fast Hyperboloid Decision Tree Algorithms",
       ICLR 2024.
    .. [2] P. Chlenski, Q. Chu, R. R. Khan, K. Du, A. K. Moretti, I. Pe'er, "Mixed-Curvature
       Decision Trees and Random Forests", ICML 2025.

    Examples
    --------
    >>> from bentwood import ManifoldForestRegressor
    >>> from bentwood.datasets import make_uniform
    >>> X = make_uniform(400, "S2", random_state=0)
    >>> model = ManifoldForestRegressor("S2", random_state=0).fit(X[:200], X[:200, 1])
    >>> model.score(X[200:], X[200:, 1]) > 0.8
    True

    """

    oob_prediction_: Any = NotInFiles()

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "ambient",
        off_manifold: Literal["error", "project"] = "error",
        splits: tuple[str, ...] | str = ("geodesic",),
        n_estimators: int = 100,
        criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: bool | Callable[..., float] = False,
        n_jobs: int | None = -1,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        max_samples: int | float | None = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.splits = splits
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.max_samples = max_samples

    def _keep_out_of_bag(self, y: npt.NDArray[Any], values: Matrix) -> None:
        known = self._scored_rows(values)
        self.oob_prediction_ = values.ravel() if values.shape[1] == 1 else values
        score = self.oob_score if callable(self.oob_score) else r2_in_range
        truth = y.reshape(self.oob_prediction_.shape)
        self._keep_score(
            score(truth[known], self.oob_prediction_[known]) if known.any() else np.nan
        )
