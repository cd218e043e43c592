"""What trees and forests, classifiers and regressors have in common: growing and applying."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arguments import as_jobs
from bentwood._arrays import Matrix, Vector
from bentwood._base import Answer, Outcome, SupervisedEstimator, Told
from bentwood._parameters import (
    UNLIMITED,
    as_between,
    as_choice,
    as_features,
    as_limit,
    as_rows,
    as_splits,
)
from bentwood._random import as_seed
from bentwood._rows import Points
from bentwood._tree_structure import TreeStructure, tree_structure
from bentwood._tree_texts import TreeTexts
from bentwood._warn import warn

Integers = npt.NDArray[np.int64]

IMPURITIES = {
    "gini": _core.Impurity.gini,
    "entropy": _core.Impurity.entropy,
    "log_loss": _core.Impurity.entropy,
    "squared_error": _core.Impurity.squared_error,
}


class TreeEstimator(TreeTexts, SupervisedEstimator):
    """The base of all trees and forests. A tree is a forest of one."""

    _model_type = _core.Forest
    _criteria: ClassVar[Sequence[str]]

    _model: _core.Forest
    splits: tuple[str, ...] | str
    n_outputs_: int

    def apply(self, X: Any) -> Integers:
        """Return the number of the leaf that each row reaches, a column a tree."""
        return self._ask(_core.Forest.apply, X)

    def decision_path(self, X: Any) -> tuple[sparse.csr_matrix, Integers]:
        """Return the nodes that each row passes.

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; the nodes of all trees side by side.
        n_nodes_ptr : ndarray of shape (n_trees + 1,)
            Where the nodes of each tree begin.

        """
        rows, nodes, trees = self._ask(_paths, X)
        ones = np.ones(len(nodes), dtype=np.int64)
        shape = len(rows) - 1, int(trees[-1])
        return sparse.csr_matrix((ones, nodes, rows), shape=shape), trees

    @property
    def column_names_(self) -> list[str]:
        """One name a column that the trees can cut: ``h1.rapidity1``, ``s2.angle1``, ``e3.x1``.

        A Euclidean column has the name of the feature where the features have names.
        """
        check_is_fitted(self)
        return [name for name, _, _ in self._model.columns]

    @property
    def feature_importances_(self) -> Vector:
        """One number a column, see ``column_names_``: its share of the decrease in impurity."""
        check_is_fitted(self)
        return self._model.importances()

    @property
    def factor_importances_(self) -> Vector:
        """One number a factor of the signature: the sum of its columns' importances."""
        check_is_fitted(self)
        factors = [factor for _, _, factor in self._model.columns]
        sums: Vector = np.bincount(factors, weights=self._model.importances()).astype(np.float64)
        return sums

    def get_depth(self) -> int:
        """Return the number of cuts above the deepest leaf."""
        check_is_fitted(self)
        return max(self._model.depths)

    def get_n_leaves(self) -> int:
        """Return the number of leaves, of all trees."""
        check_is_fitted(self)
        return sum(self._model.n_leaves)

    # What the kinds of estimators do in their own way.

    @abstractmethod
    def _train(
        self,
        points: Points,
        y: npt.NDArray[Any],
        weights: Vector | None,
        options: _core.TrainOptions,
        earlier: _core.Forest | None,
    ) -> Outcome[Matrix]:
        """Train a model, and keep what the target has taught; besides come out-of-bag values."""

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
        idle = options.idle_splits()
        if idle:
            warn(idle)
        out_of_bag = self._keep(self._train(points, y, weights, options, earlier), n_rows, seed)
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
            self.__dict__.pop(name, None)
        if options.forest.out_of_bag:
            self._keep_out_of_bag(y, out_of_bag)

    def _options(self, n_rows: int) -> _core.TrainOptions:
        signature, coordinates, off_manifold = self._space()
        options = _core.TrainOptions(signature, coordinates, as_splits(self.splits), off_manifold)
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

    def _adopt(self, given: dict[str, Any]) -> None:
        super()._adopt(given)
        self.splits = tuple(self._model.splits)
        self.n_outputs_ = 1 if self._model.is_classifier else self._model.width

    def _ask_plainly(
        self,
        plain: Callable[[_core.Forest, Any, int | None], Answer | None],
        question: Callable[[_core.Forest, Points, int | None], Told[Answer]],
        X: Any,
    ) -> Answer:
        """Ask, without more ado where X is a bare array on the manifold: one row is quick."""
        known = self.__dict__
        if type(X) is np.ndarray and "_model" in known and "feature_names_in_" not in known:
            answer = plain(known["_model"], X, as_jobs(known["n_jobs"]))
            if answer is not None:
                return answer
        return self._ask(question, X)

    def _tree(self, tree: int) -> TreeStructure:
        self._require_tree(tree)
        return tree_structure(self._model, tree)


def _paths(
    forest: _core.Forest, points: Points, n_jobs: int | None
) -> Told[tuple[Integers, Integers, Integers]]:
    """Return the nodes of rows: where each row's begin, the nodes, where each tree's begin."""
    rows, nodes, trees, n_projected, largest = forest.decision_paths(points, n_jobs)
    return (rows, nodes, trees), n_projected, largest


def as_tree_estimator(estimator: Any) -> TreeEstimator:
    """Return a fitted tree or forest."""
    if not isinstance(estimator, TreeEstimator):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}, expected a tree or forest of bentwood"
        )
    check_is_fitted(estimator)
    return estimator
