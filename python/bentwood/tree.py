"""Decision trees on hyperbolic, spherical, Euclidean and product space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from scipy import sparse

from bentwood import _core
from bentwood._estimator import Integers, TreeEstimator
from bentwood._target import ClassifierEstimator, RegressorEstimator
from bentwood._tree_structure import TreeStructure
from bentwood.geometry import Coordinates

__all__ = ["ManifoldTreeClassifier", "ManifoldTreeRegressor"]


class SingleTree(TreeEstimator):
    """A forest of one tree that has all rows."""

    def apply(self, X: Any) -> Integers:
        """Return the number of the leaf that each row reaches."""
        leaves: Integers = super().apply(X)[:, 0]
        return leaves

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return a sparse matrix with 1 where a row (down) passes a node (across)."""
        return super().decision_path(X)[0]

    @property
    def tree_(self) -> TreeStructure:
        """The nodes as arrays."""
        return self._tree(0)

    def _set_forest_options(self, options: _core.ForestOptions, n_rows: int) -> None:
        options.n_trees = 1
        options.bootstrap = False


class ManifoldTreeClassifier(SingleTree, ClassifierEstimator):
    """A decision tree that classifies points of a manifold.

    CART on natural coordinates: on hyperbolic space each cut is a geodesic hyperplane at right
    angles to an axis (HyperDT [1]_), on a sphere a great sphere, on Euclidean space an ordinary
    threshold, on a product any of them (mixed-curvature trees [2]_). Best cuts are exact.

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
    class_weight : dict, "balanced" or None
        The weight of each class; "balanced" makes all classes weigh the same.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides which columns a node looks at and between columns of equal gain; the same integer
        gives the same tree.

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
    tree_ : TreeStructure
        The nodes as arrays.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, "Fast Hyperboloid Decision Tree Algorithms",
       ICLR 2024.
    .. [2] P. Chlenski, Q. Chu, R. R. Khan, K. Du, A. K. Moretti, I. Pe'er, "Mixed-Curvature
       Decision Trees and Random Forests", ICML 2025.

    Examples
    --------
    >>> from bentwood import ManifoldTreeClassifier
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(400, "H2", random_state=1)
    >>> model = ManifoldTreeClassifier("H2", max_depth=3).fit(X[:200], y[:200])
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
        criterion: Literal["gini", "entropy", "log_loss"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Mapping[Any, float] | str | None = None,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.splits = splits
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state


class ManifoldTreeRegressor(SingleTree, RegressorEstimator):
    """A decision tree that predicts numbers from points of a manifold.

    CART on natural coordinates: on hyperbolic space each cut is a geodesic hyperplane at right
    angles to an axis (HyperDT [1]_), on a sphere a great sphere, on Euclidean space an ordinary
    threshold, on a product any of them (mixed-curvature trees [2]_). Best cuts are exact.

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
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides which columns a node looks at and between columns of equal gain; the same integer
        gives the same tree.

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
    tree_ : TreeStructure
        The nodes as arrays.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, "Fast Hyperboloid Decision Tree Algorithms",
       ICLR 2024.
    .. [2] P. Chlenski, Q. Chu, R. R. Khan, K. Du, A. K. Moretti, I. Pe'er, "Mixed-Curvature
       Decision Trees and Random Forests", ICML 2025.

    Examples
    --------
    >>> from bentwood import ManifoldTreeRegressor
    >>> from bentwood.datasets import make_uniform
    >>> X = make_uniform(400, "S2", random_state=0)
    >>> model = ManifoldTreeRegressor("S2", max_depth=5).fit(X[:200], X[:200, 1])
    >>> model.score(X[200:], X[200:, 1]) > 0.8
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "ambient",
        off_manifold: Literal["error", "project"] = "error",
        splits: tuple[str, ...] | str = ("geodesic",),
        criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.splits = splits
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.n_jobs = n_jobs
        self.random_state = random_state
