"""What trees and forests, classifiers and regressors have in common: fitting and applying."""

from __future__ import annotations

import contextlib
import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from bentwood import _core
from bentwood._arguments import as_jobs, as_text, as_unicode
from bentwood._arrays import Matrix, Precision, Vector, as_matrix, as_vector, refuse_masked
from bentwood._model_file import adopt, parameters_of, path_bytes
from bentwood._parameters import (
    UNLIMITED,
    as_between,
    as_choice,
    as_features,
    as_limit,
    as_rows,
    as_splits,
    as_whole,
    is_fraction,
    is_whole,
)
from bentwood._random import as_seed
from bentwood._tree_structure import TreeStructure, tree_structure
from bentwood.geometry import PrecisionWarning

Points = tuple[Matrix, Precision]
Integers = npt.NDArray[np.int64]

IMPURITIES = {
    "gini": _core.Impurity.gini,
    "entropy": _core.Impurity.entropy,
    "log_loss": _core.Impurity.entropy,
    "squared_error": _core.Impurity.squared_error,
}


class ManifoldEstimator(BaseEstimator, ABC):
    """The base of all trees and forests. A tree is a forest of one."""

    _criteria: ClassVar[Sequence[str]]
    _multi_output: ClassVar[bool]

    _forest: _core.Forest
    _seed: int
    n_features_in_: int
    n_projected_: int

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from points and their labels or values.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points of the manifold in the coordinates that the estimator was told; a frame's names
            are remembered.
        y : array-like of shape (n_samples,) or, for regression, (n_samples, n_outputs)
            What to predict.
        sample_weight : array-like of shape (n_samples,) or None
            How much each row counts; None means equally.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where a point is off the manifold, a number is not finite or a parameter is wrong. The
            estimator is then what it was before, and so it is after Ctrl-C.

        """
        with _all_or_nothing(self):
            # scikit-learn would take the numbers from under the mask.
            refuse_masked(X, "X")
            refuse_masked(y, "y")
            X, y = validate_data(
                self,
                X,
                y,
                dtype="numeric",
                ensure_all_finite=False,
                multi_output=self._multi_output,
            )
            points = _checked_points(X)
            self._fit(points, y, _weights(sample_weight, len(points[0])))
        return self

    def apply(self, X: Any) -> Integers:
        """Return the number of the leaf that each row reaches, a column a tree."""
        points = self._points(X)
        told = self._forest.apply(points, as_jobs(self.n_jobs))
        leaves: Integers = self._told(len(points[0]), *told)
        return leaves

    def decision_path(self, X: Any) -> tuple[sparse.csr_matrix, Integers]:
        """Return the nodes that each row passes.

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; the nodes of all trees side by side.
        n_nodes_ptr : ndarray of shape (n_trees + 1,)
            Where the nodes of each tree begin.

        """
        points = self._points(X)
        rows, nodes, trees, n_projected, largest = self._forest.decision_paths(
            points, as_jobs(self.n_jobs)
        )
        self._told(len(points[0]), None, n_projected, largest)
        ones = np.ones(len(nodes), dtype=np.int64)
        shape = len(points[0]), int(trees[-1])
        return sparse.csr_matrix((ones, nodes, rows), shape=shape), trees

    @property
    def column_names_(self) -> list[str]:
        """One name a column that the trees can cut: ``h1.rapidity1``, ``s2.angle1``, ``e3.x1``.

        A Euclidean column has the name of the feature where the features have names.
        """
        check_is_fitted(self)
        return [name for name, _, _ in self._forest.columns]

    @property
    def feature_importances_(self) -> Vector:
        """One number a column, see ``column_names_``: its share of the decrease in impurity."""
        check_is_fitted(self)
        return self._forest.importances()

    @property
    def factor_importances_(self) -> Vector:
        """One number a factor of the signature: the sum of its columns' importances."""
        check_is_fitted(self)
        factors = [factor for _, _, factor in self._forest.columns]
        sums: Vector = np.bincount(factors, weights=self._forest.importances()).astype(np.float64)
        return sums

    @property
    def signature_(self) -> str:
        """The signature in canonical form; Euclid of the input's width where none was given."""
        check_is_fitted(self)
        return self._forest.signature

    def get_depth(self) -> int:
        """Return the number of cuts above the deepest leaf."""
        check_is_fitted(self)
        return max(self._forest.depths)

    def get_n_leaves(self) -> int:
        """Return the number of leaves, of all trees."""
        check_is_fitted(self)
        return sum(self._forest.n_leaves)

    def export_text(self, tree: int = 0, *, max_depth: int | None = None, decimals: int = 3) -> str:
        """Return a tree as text, a line a side of a cut and a line a leaf.

        A leaf says its class or value, the training weight that reached it and, where it is not
        pure, the shares of its classes. It is the text that ``bentwood inspect`` shows.

        Parameters
        ----------
        tree : int
            The number of the tree in the forest.
        max_depth : int or None
            How many cuts deep to show; None means all.
        decimals : int
            Digits after the decimal point, up to 100.

        """
        return self._shown(tree).text(tree, self._text_options(max_depth, decimals))

    def export_graphviz(
        self, tree: int = 0, *, max_depth: int | None = None, decimals: int = 3
    ) -> str:
        """Return a tree in the language of Graphviz' ``dot``; see :meth:`export_text`."""
        return self._shown(tree).graphviz(tree, self._text_options(max_depth, decimals))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, by custom named ``*.bent``; see docs/model-file.md.

        The old file or the new one survives a crash or a full disk.
        """
        check_is_fitted(self)
        self._forest.save(path_bytes(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the estimator that :meth:`save` wrote to a file.

        Raises ValueError where the file is damaged or holds another estimator; ``bentwood.load``
        reads any.
        """
        forest = _core.load_model(path_bytes(path))
        if not isinstance(forest, _core.Forest) or forest.estimator != cls.__name__:
            raise ValueError(
                f"{os.fspath(path)} holds a {forest.estimator}, expected a {cls.__name__}; "
                "bentwood.load reads any model"
            )
        return adopt(cls, forest)

    # What the kinds of estimators do in their own way.

    @abstractmethod
    def _train(
        self,
        points: Points,
        y: npt.NDArray[Any],
        weights: Vector | None,
        options: _core.TrainOptions,
        earlier: _core.Forest | None,
    ) -> tuple[_core.Forest, Matrix, int, float, str]:
        """Train a model, and keep what the target has taught."""

    @abstractmethod
    def _set_forest_options(self, options: _core.ForestOptions, n_rows: int) -> None:
        """Say how many trees there are, and which rows they have."""

    def _earlier(self) -> _core.Forest | None:
        return None

    def _progress(self, n_trees: int) -> Callable[[int], None] | None:
        return None

    def _keep_out_of_bag(self, y: npt.NDArray[Any], values: Matrix) -> None:
        pass

    # What they share.

    def _fit(self, points: Points, y: npt.NDArray[Any], weights: Vector | None) -> None:
        n_rows = len(points[0])
        earlier = self._earlier()
        seed = self._seed if earlier else as_seed(self.random_state)
        options = self._options(n_rows)
        options.forest.seed = seed
        options.parameters = parameters_of(self, seed)
        trained, out_of_bag, n_projected, largest, warning = self._train(
            points, y, weights, options, earlier
        )
        self._forest = trained
        self._seed = seed
        self.n_projected_ = n_projected
        if warning:
            warnings.warn(warning, PrecisionWarning, stacklevel=4)
        self._told(n_rows, None, n_projected, largest)
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
            self.__dict__.pop(name, None)
        if options.forest.out_of_bag:
            self._keep_out_of_bag(y, out_of_bag)

    def _options(self, n_rows: int) -> _core.TrainOptions:
        signature = self._default_signature() if self.signature is None else self.signature
        options = _core.TrainOptions(
            as_text(signature, "signature"),
            as_text(self.coordinates, "coordinates"),
            as_splits(self.splits),
            as_text(self.off_manifold, "off_manifold"),
        )
        options.estimator = type(self).__name__
        names = getattr(self, "feature_names_in_", [])
        options.feature_names = [as_unicode(name, "a column's name") for name in names]
        forest = options.forest
        self._set_forest_options(forest, n_rows)
        grow = forest.grow
        grow.impurity = IMPURITIES[as_choice(self.criterion, "criterion", self._criteria)]
        grow.max_depth = as_limit(self.max_depth, "max_depth", 1, UNLIMITED)
        grow.min_samples_leaf = as_rows(self.min_samples_leaf, "min_samples_leaf", n_rows, 1)
        grow.min_samples_split = as_rows(self.min_samples_split, "min_samples_split", n_rows, 2)
        grow.min_weight_fraction_leaf = as_between(
            self.min_weight_fraction_leaf, "min_weight_fraction_leaf", 0.5
        )
        grow.max_features = as_features(self.max_features, options.n_columns)
        grow.max_leaf_nodes = as_limit(self.max_leaf_nodes, "max_leaf_nodes", 2, 0)
        grow.min_impurity_decrease = as_between(
            self.min_impurity_decrease, "min_impurity_decrease", np.inf
        )
        return options

    def _default_signature(self) -> str:
        return f"E{self.n_features_in_}"

    def _plain(self, X: Any) -> _core.Forest | None:
        """Return the forest where X may be predicted without more ado: a bare array."""
        if type(X) is np.ndarray and "feature_names_in_" not in self.__dict__:
            return self.__dict__.get("_forest")
        return None

    def _points(self, X: Any) -> Points:
        check_is_fitted(self)
        refuse_masked(X, "X")
        X = validate_data(self, X, reset=False, dtype="numeric", ensure_all_finite=False)
        return _checked_points(X)

    def _told(self, n_rows: int, result: Any, n_projected: int, largest: float) -> Any:
        """Return the result, after a warning where rows were projected."""
        if n_projected:
            warnings.warn(
                f"{n_projected} of {n_rows} rows were off {self._forest.signature} "
                f"(by at most {largest:.2g} of the radius) and have been projected onto it",
                UserWarning,
                stacklevel=4,
            )
        return result

    def _tree(self, tree: int) -> TreeStructure:
        return tree_structure(self._shown(tree), tree)

    def _shown(self, tree: int) -> _core.Forest:
        """Return the forest, which has a tree of that number."""
        check_is_fitted(self)
        n_trees = self._forest.n_trees
        if as_whole(tree, "tree", 0) >= n_trees:
            raise ValueError(f"tree is {tree}, expected less than the number of trees, {n_trees}")
        return self._forest

    def _text_options(self, max_depth: int | None, decimals: int) -> _core.TreeTextOptions:
        classes = np.asarray(getattr(self, "classes_", []))
        return _core.TreeTextOptions(
            as_limit(max_depth, "max_depth", 0, UNLIMITED),
            as_whole(decimals, "decimals", 0),
            # The library knows them as 0 and 1.
            [str(label) for label in classes] if classes.dtype == np.bool_ else [],
        )


@contextlib.contextmanager
def _all_or_nothing(estimator: BaseEstimator) -> Iterator[None]:
    """Give the estimator its attributes back where fitting does not come to an end."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


def _checked_points(X: npt.NDArray[Any]) -> Points:
    points, precision = as_matrix(X)
    # The sum is finite where all numbers are, unless it overflows: then a closer look settles it.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(points.sum())
    if suspicious and not np.isfinite(points).all():
        bad = np.argwhere(~np.isfinite(points))
        row, column = bad[0]
        value = points[row, column]
        more = f"; {len(bad)} values are not finite" if len(bad) > 1 else ""
        raise ValueError(
            f"row {row}, column {column}: found {'NaN' if np.isnan(value) else value}, "
            f"expected a finite number{more}"
        )
    return points, precision


def _weights(sample_weight: Any, n_rows: int) -> Vector | None:
    if sample_weight is None:
        return None
    if is_fraction(sample_weight) or is_whole(sample_weight):
        weights = np.full(n_rows, float(sample_weight))
    else:
        weights = as_vector(sample_weight, "sample_weight", n_rows)
    if not weights.any():
        raise ValueError("sample_weight is zero in every row, expected one above zero at least")
    return weights
