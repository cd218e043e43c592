"""What classifiers and regressors do in their own way, whatever the number of trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import column_or_1d

from bentwood import _core
from bentwood._arguments import as_jobs
from bentwood._arrays import Matrix, Vector
from bentwood._base import Outcome
from bentwood._classifier import ManifoldClassifier, logarithms
from bentwood._estimator import Integers, TreeEstimator
from bentwood._rows import Points, foreign_look

BALANCES = {
    None: _core.ClassBalance.none,
    "balanced": _core.ClassBalance.all_rows,
    "balanced_subsample": _core.ClassBalance.each_tree,
}


class ClassifierEstimator(ManifoldClassifier, TreeEstimator):
    """Trees and forests whose leaves hold the shares of classes."""

    _criteria = ("gini", "entropy", "log_loss")

    @classmethod
    def _fits(cls, model: Any) -> bool:
        return super()._fits(model) and model.is_classifier

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row: that of the greatest share, the first of equal ones."""
        winners: Integers = self._ask_plainly(_core.Forest.plain_winners, _core.Forest.winners, X)
        return self.classes_[winners]

    def predict_proba(self, X: Any) -> Matrix:
        """Return the share of each class in each row's leaves, the mean over the trees.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.

        """
        return self._ask_plainly(_core.Forest.plain_values, _core.Forest.values, X)

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of :meth:`predict_proba`; -inf where a share is 0."""
        return logarithms(self.predict_proba(X))

    def _train(
        self,
        points: Points,
        y: npt.NDArray[Any],
        weights: Vector | None,
        options: _core.TrainOptions,
        earlier: _core.Forest | None,
    ) -> Outcome[Matrix]:
        labels, numbers = self._learn_classes(y)
        if earlier is not None and list(earlier.classes) != labels:
            raise ValueError(
                f"warm_start: y has the classes {labels}, the forest has {list(earlier.classes)}"
            )
        self.n_outputs_ = 1
        options.forest.balance = BALANCES[self._balance()]
        self._describe(options, options.forest.seed)
        return _core.train_classifier(
            points,
            numbers,
            labels,
            self._class_weights(y, weights),
            options,
            earlier,
            self._progress(options.forest.n_trees),
            as_jobs(self.n_jobs),
        )


class RegressorEstimator(RegressorMixin, TreeEstimator):
    """Trees and forests whose leaves hold means of one or several outputs."""

    _criteria = ("squared_error",)
    _multi_output = True

    @classmethod
    def _fits(cls, model: Any) -> bool:
        return super()._fits(model) and not model.is_classifier

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the mean of each row's leaves over the trees.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            As ``y`` was.

        """
        values = self._ask_plainly(_core.Forest.plain_values, _core.Forest.values, X)
        return values.ravel() if values.shape[1] == 1 else values

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R², the share of the variance of y that is explained, as scikit-learn has it."""
        return r2_in_range(y, self.predict(X), sample_weight)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that y may have several columns."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _train(
        self,
        points: Points,
        y: npt.NDArray[Any],
        weights: Vector | None,
        options: _core.TrainOptions,
        earlier: _core.Forest | None,
    ) -> Outcome[Matrix]:
        outputs = _outputs(y)
        if earlier is not None and earlier.width != outputs.shape[1]:
            raise ValueError(
                f"warm_start: y has {outputs.shape[1]} outputs, the forest has {earlier.width}"
            )
        self.n_outputs_ = outputs.shape[1]
        self._describe(options, options.forest.seed)
        return _core.train_regressor(
            points,
            outputs,
            weights,
            options,
            earlier,
            self._progress(options.forest.n_trees),
            as_jobs(self.n_jobs),
        )


def r2_in_range(truth: Any, predicted: Any, sample_weight: Any = None) -> float:
    """Return R² of numbers of any size: scikit-learn's squares overflow from 1e154 on."""
    values = np.asarray(truth)
    if values.dtype.kind == "f":
        largest = max(np.abs(values).max(initial=0), np.abs(predicted).max(initial=0))
        # A power of two changes no digit, and R² has no unit.
        exponent = int(np.frexp(largest)[1])
        if abs(exponent) > 400:
            truth, predicted = np.ldexp(values, -exponent), np.ldexp(predicted, -exponent)
    result: float = r2_score(truth, predicted, sample_weight=sample_weight)
    return result


def _outputs(y: npt.NDArray[Any]) -> Matrix:
    if y.ndim == 2 and y.shape[1] == 1:
        y = column_or_1d(y, warn=True)
    if y.ndim > 2:
        raise ValueError(f"y has shape {y.shape}, expected one or two dimensions")
    with foreign_look("X or y"):
        outputs = np.ascontiguousarray(y, dtype=np.float64)
    return outputs.reshape(len(outputs), -1)
