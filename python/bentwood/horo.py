"""Trees and forests of horospheres on hyperbolic space (HoroRF)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from bentwood import _core
from bentwood._estimator import TreeEstimator
from bentwood._horospheres import Horospheres, horospheres
from bentwood._hyperbolic import HyperbolicEstimator
from bentwood._many_trees import ForestClassifier
from bentwood._parameters import as_between, as_choice, as_flag, as_whole
from bentwood._target import ClassifierEstimator
from bentwood.geometry import Coordinates
from bentwood.tree import SingleTree

__all__ = ["HoroForestClassifier", "HoroTreeClassifier", "Horospheres", "horospheres"]


class HoroEstimator(HyperbolicEstimator, TreeEstimator):
    """What a tree and a forest of horospheres have in common."""

    #: Of hyperbolic factors horospheres alone, of all others their columns.
    splits = ("horosphere",)

    def _options(self, n_rows: int) -> _core.TrainOptions:
        options = super()._options(n_rows)
        _core.set_horospheres(
            options.forest.grow,
            as_choice(self.ideal_points, "ideal_points", ("svm", "search", "both", "axes")),
            as_choice(self.threshold, "threshold", ("gain", "margin")),
            as_flag(self.hyperclasses, "hyperclasses"),
            as_between(self.beta, "beta", 1),
            as_whole(self.n_candidates, "n_candidates", 1),
        )
        return options


class HoroTreeClassifier(HoroEstimator, SingleTree, ClassifierEstimator):
    """A decision tree on hyperbolic space whose cuts are horospheres.

    A horosphere is a sphere that touches the boundary of hyperbolic space at an ideal point ``w``;
    the Busemann function ``B_w`` is constant on it. Every node finds ideal points of its own by
    SVMs that tell its classes apart, and cuts the one that decreases impurity most [1]_. On
    products, spherical and Euclidean factors are cut as ``ManifoldTreeClassifier`` does.

    Parameters
    ----------
    signature : str or None
        The manifold, such as ``"H2"``, ``"H5(-0.5)"`` or ``"H2 x S2 x E3"``, with one hyperbolic
        factor at least; None means H with curvature -1 of as many dimensions as X describes.
    coordinates : {"tangent", "ambient", "poincare", "stereographic", "klein"}
        How the rows of X describe points; any real matrix will do as ``"tangent"``.
    off_manifold : {"error", "project"}
        What to do with rows that are off the manifold by more than rounding: refuse them, or
        project them with a warning.
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
        How many columns of spherical and Euclidean factors a node looks at besides its horospheres,
        drawn anew for each; a float is a fraction of them, None means all.
    max_leaf_nodes : int or None
        The most leaves of a tree, which then grows where impurity decreases most; None means no
        limit.
    min_impurity_decrease : float
        The decrease in impurity, weighted by the node's share of the rows, that a cut must bring.
    ideal_points : {"svm", "search", "both", "axes"}
        Where a node looks for ideal points: horosphere SVMs of its classes, and where none of them
        can be cut a search; a search of random directions, directions of the rows and steps from
        the best; both; or the axes alone.
    threshold : {"gain", "margin"}
        Where the horospheres of an SVM are cut: where impurity decreases most, or where the SVM has
        its boundary.
    hyperclasses : bool
        Whether SVMs also tell groups of classes apart whose means have a common ancestor far from
        the origin.
    beta : float
        Class balance of the SVMs' two sides, from 0 (none) to 1 (both weigh the same): rows of a
        side with n rows weigh ``(1 - beta) / (1 - beta**n)``, in the limit ``1 / n``.
    n_candidates : int
        The directions that a search begins with.
    class_weight : dict, "balanced" or None
        The weight of each class; "balanced" makes all classes weigh the same.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides the cost of each node's SVMs, what a search looks at and which columns are drawn;
        the same integer gives the same tree.

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
        The columns of spherical and Euclidean factors, and the horospheres of each hyperbolic one.
    feature_importances_ : ndarray of shape (n_columns,)
        The importance of each of them: its share of the decrease in impurity. ``horospheres`` tells
        that of every ideal point.
    factor_importances_ : ndarray of shape (n_factors,)
        The importance of each factor of the signature.
    n_projected_ : int
        Training rows that were off the manifold and were projected.
    tree_ : TreeStructure
        The nodes as arrays; of a horosphere ``feature`` is that of its factor, and ``threshold``
        the value of its Busemann function in curvature radii.

    References
    ----------
    .. [1] L. Doorenbos, P. Márquez-Neila, R. Sznitman, P. Mettes, "Hyperbolic Random Forests",
       TMLR 2024.

    Examples
    --------
    >>> from bentwood import HoroTreeClassifier
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(400, "H2", coordinates="poincare", random_state=1)
    >>> model = HoroTreeClassifier("H2", coordinates="poincare", max_depth=4, random_state=0)
    >>> model.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.8
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "tangent",
        off_manifold: Literal["error", "project"] = "error",
        criterion: Literal["gini", "entropy", "log_loss"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 3,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ideal_points: Literal["svm", "search", "both", "axes"] = "svm",
        threshold: Literal["gain", "margin"] = "gain",
        hyperclasses: bool = True,
        beta: float = 0.0,
        n_candidates: int = 60,
        class_weight: Mapping[Any, float] | str | None = None,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ideal_points = ideal_points
        self.threshold = threshold
        self.hyperclasses = hyperclasses
        self.beta = beta
        self.n_candidates = n_candidates
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state


class HoroForestClassifier(HoroEstimator, ForestClassifier):
    """A random forest on hyperbolic space whose cuts are horospheres (HoroRF [1]_).

    Each tree draws its rows with replacement, and each of its nodes finds horospheres of its own by
    SVMs that tell its classes, and groups of classes that belong together, apart. The forest
    predicts the mean of what the leaves say. ``HoroTreeClassifier`` is one such tree.

    Parameters
    ----------
    signature : str or None
        The manifold, such as ``"H2"``, ``"H5(-0.5)"`` or ``"H2 x S2 x E3"``, with one hyperbolic
        factor at least; None means H with curvature -1 of as many dimensions as X describes.
    coordinates : {"tangent", "ambient", "poincare", "stereographic", "klein"}
        How the rows of X describe points; any real matrix will do as ``"tangent"``.
    off_manifold : {"error", "project"}
        What to do with rows that are off the manifold by more than rounding: refuse them, or
        project them with a warning.
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
        How many columns of spherical and Euclidean factors a node looks at besides its horospheres,
        drawn anew for each; a float is a fraction of them, None means all.
    max_leaf_nodes : int or None
        The most leaves of a tree, which then grows where impurity decreases most; None means no
        limit.
    min_impurity_decrease : float
        The decrease in impurity, weighted by the node's share of the rows, that a cut must bring.
    ideal_points : {"svm", "search", "both", "axes"}
        Where a node looks for ideal points: horosphere SVMs of its classes, and where none of them
        can be cut a search; a search of random directions, directions of the rows and steps from
        the best; both; or the axes alone.
    threshold : {"gain", "margin"}
        Where the horospheres of an SVM are cut: where impurity decreases most, or where the SVM has
        its boundary.
    hyperclasses : bool
        Whether SVMs also tell groups of classes apart whose means have a common ancestor far from
        the origin.
    beta : float
        Class balance of the SVMs' two sides, from 0 (none) to 1 (both weigh the same): rows of a
        side with n rows weigh ``(1 - beta) / (1 - beta**n)``, in the limit ``1 / n``.
    n_candidates : int
        The directions that a search begins with.
    bootstrap : bool
        Whether each tree draws its rows with replacement, or takes them all.
    oob_score : bool or callable
        Whether to score the forest on the rows that trees have not drawn; a callable is called with
        the true and the predicted values.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides which rows a tree draws, the cost of each node's SVMs and what a search looks at;
        the same integer gives the same forest.
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
        The columns of spherical and Euclidean factors, and the horospheres of each hyperbolic one.
    feature_importances_ : ndarray of shape (n_columns,)
        The importance of each of them: its share of the decrease in impurity. ``horospheres`` tells
        that of every ideal point.
    factor_importances_ : ndarray of shape (n_factors,)
        The importance of each factor of the signature.
    n_projected_ : int
        Training rows that were off the manifold and were projected.
    trees_ : list of TreeStructure
        The nodes of each tree as arrays; see ``HoroTreeClassifier``.
    oob_score_ : float
        The accuracy, or whatever ``oob_score`` computes, on rows that trees have not drawn.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        What those trees say of each training row; NaN where every tree has drawn it.

    References
    ----------
    .. [1] L. Doorenbos, P. Márquez-Neila, R. Sznitman, P. Mettes, "Hyperbolic Random Forests",
       TMLR 2024.

    Examples
    --------
    >>> from bentwood import HoroForestClassifier
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(400, "H2", coordinates="poincare", random_state=1)
    >>> model = HoroForestClassifier("H2", coordinates="poincare", n_estimators=20, random_state=0)
    >>> model.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.8
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "tangent",
        off_manifold: Literal["error", "project"] = "error",
        n_estimators: int = 100,
        criterion: Literal["gini", "entropy", "log_loss"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 3,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ideal_points: Literal["svm", "search", "both", "axes"] = "svm",
        threshold: Literal["gain", "margin"] = "gain",
        hyperclasses: bool = True,
        beta: float = 0.0,
        n_candidates: int = 60,
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
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ideal_points = ideal_points
        self.threshold = threshold
        self.hyperclasses = hyperclasses
        self.beta = beta
        self.n_candidates = n_candidates
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.max_samples = max_samples
