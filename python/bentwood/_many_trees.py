"""What forests have in common, whatever they cut and predict."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import accuracy_score

from bentwood import _core
from bentwood._arrays import Matrix
from bentwood._estimator import TreeEstimator
from bentwood._parameters import as_drawn_rows, as_flag, as_whole, is_flag, is_fraction
from bentwood._progress import ProgressBar
from bentwood._target import ClassifierEstimator
from bentwood._tree_structure import TreeStructure
from bentwood._warn import warn


class NotInFiles:
    """An attribute of ``fit`` as large as the training data, which model files do not keep."""

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember what it is called."""
        self.name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        """Say where it is, unless the instance has it: that is looked at first."""
        if instance is None:
            return self
        raise AttributeError(
            f"{owner.__name__!r} object has no attribute {self.name!r}: it is of fit with "
            "oob_score=True, and kept in pickles but not in model files"
        )


class ManyTrees(TreeEstimator):
    """Trees that draw rows and columns, and their mean."""

    oob_score_: float

    @property
    def trees_(self) -> list[TreeStructure]:
        """The nodes of each tree as arrays."""
        self._tree(0)
        return [self._tree(number) for number in range(self._model.n_trees)]

    def _set_forest_options(self, options: _core.ForestOptions, n_rows: int) -> None:
        options.n_trees = as_whole(self.n_estimators, "n_estimators", 1)
        options.bootstrap = as_flag(self.bootstrap, "bootstrap")
        options.max_samples = as_drawn_rows(self.max_samples, n_rows, options.bootstrap)
        options.out_of_bag = callable(self.oob_score) or as_flag(self.oob_score, "oob_score")
        if options.out_of_bag and not options.bootstrap:
            raise ValueError("oob_score needs bootstrap=True: without it every tree has all rows")

    def _earlier(self) -> _core.Forest | None:
        forest: _core.Forest | None = self.__dict__.get("_model")
        if not as_flag(self.warm_start, "warm_start") or forest is None:
            return None
        if forest.n_features != self.n_features_in_:
            raise ValueError(
                f"warm_start: X has {self.n_features_in_} columns, the forest has "
                f"{forest.n_features}"
            )
        if forest.n_trees == self.n_estimators:
            warn(
                f"warm_start: the forest has {forest.n_trees} trees already; "
                "raise n_estimators to add some"
            )
        return forest

    def _progress(self, n_trees: int) -> Callable[[int], None] | None:
        shown = as_whole(int(self.verbose) if is_flag(self.verbose) else self.verbose, "verbose", 0)
        return ProgressBar(type(self).__name__, n_trees) if shown else None

    def _keep_score(self, score: Any) -> None:
        """Keep the score of rows that trees have not drawn, in the model's file, too."""
        self.oob_score_ = score
        if is_fraction(score) and not np.isinf(score):
            self._model.keep("out_of_bag_score", "null" if np.isnan(score) else repr(float(score)))

    def _adopt(self, given: dict[str, Any]) -> None:
        super()._adopt(given)
        if "out_of_bag_score" in given:
            score = given["out_of_bag_score"]
            self.oob_score_ = math.nan if score is None else score

    def _scored_rows(self, values: Matrix) -> npt.NDArray[np.bool_]:
        """Return the rows that some tree has not drawn, after a warning where that is not all."""
        known: npt.NDArray[np.bool_] = ~np.isnan(values[:, 0])
        if not known.all():
            warn(
                f"{np.count_nonzero(~known)} of {len(known)} rows were drawn by every tree and "
                "have no out-of-bag prediction; raise n_estimators"
            )
        return known


class ForestClassifier(ManyTrees, ClassifierEstimator):
    """What forests that classify have in common, whatever they cut."""

    _balances = ("balanced", "balanced_subsample")

    oob_decision_function_: Any = NotInFiles()

    def _keep_out_of_bag(self, y: npt.NDArray[Any], values: Matrix) -> None:
        known = self._scored_rows(values)
        self.oob_decision_function_ = values
        score = self.oob_score if callable(self.oob_score) else accuracy_score
        winners = self.classes_[np.argmax(values[known], axis=1)]
        self._keep_score(score(y[known], winners) if known.any() else np.nan)
