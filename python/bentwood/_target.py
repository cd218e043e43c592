"""What classifiers and regressors do in their own way, whatever the number of trees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bentwood import _core
from bentwood._arguments import as_jobs, as_number
from bentwood._arrays import Matrix, Vector
from bentwood._estimator import ManifoldEstimator, Points
from bentwood._model_file import labels_of


class ClassifierEstimator(ClassifierMixin, ManifoldEstimator):
    """Trees and forests whose leaves hold the shares of classes."""

    _criteria = ("gini", "entropy", "log_loss")
    _multi_output = False
    _balances: ClassVar[Sequence[str]] = ("balanced",)

    classes_: npt.NDArray[Any]
    n_classes_: int
    n_outputs_: int

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row: that of the greatest share, the first of equal ones."""
        forest = self._plain(X)
        if forest is not None:
            winners = forest.plain_winners(X, as_jobs(self.n_jobs))
            if winners is not None:
                return self.classes_[winners]
        points = self._points(X)
        told = self._forest.winners(points, as_jobs(self.n_jobs))
        classes: npt.NDArray[Any] = self.classes_[self._told(len(points[0]), *told)]
        return classes

    def predict_proba(self, X: Any) -> Matrix:
        """Return the share of each class in each row's leaves, the mean over the trees.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.

        """
        forest = self._plain(X)
        if forest is not None:
            shares = forest.plain_values(X, as_jobs(self.n_jobs))
            if shares is not None:
                return shares
        points = self._points(X)
        told = self._forest.values(points, as_jobs(self.n_jobs))
        result: Matrix = self._told(len(points[0]), *told)
        return result

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of :meth:`predict_proba`; -inf where a share is 0."""
        with np.errstate(divide="ignore"):
            logarithms: Matrix = np.log(self.predict_proba(X))
        return logarithms

    def _train(
        self,
        points: Points,
        y: npt.NDArray[Any],
        weights: Vector | None,
        options: _core.TrainOptions,
        earlier: _core.Forest | None,
    ) -> tuple[_core.Forest, Matrix, int, float, str]:
        check_classification_targets(y)
        classes, numbers = np.unique(y, return_inverse=True)
        labels = labels_of(classes)
        if earlier is not None and list(earlier.classes) != labels:
            raise ValueError(
                f"warm_start: y has the classes {labels}, the forest has {list(earlier.classes)}"
            )
        options.forest.balance = self._balance()
        parameters = options.parameters
        parameters["class_dtype"] = json.dumps(classes.dtype.name)
        options.parameters = parameters
        outcome = _core.train_classifier(
            points,
            numbers.astype(np.uint32).ravel(),
            labels,
            self._class_weights(y, weights),
            options,
            earlier,
            self._progress(options.forest.n_trees),
            as_jobs(self.n_jobs),
        )
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.n_outputs_ = 1
        return outcome

    def _balance(self) -> _core.ClassBalance:
        choices = {
            "balanced": _core.ClassBalance.all_rows,
            "balanced_subsample": _core.ClassBalance.each_tree,
        }
        if self.class_weight is None or isinstance(self.class_weight, Mapping):
            return _core.ClassBalance.none
        if isinstance(self.class_weight, str) and self.class_weight in self._balances:
            return choices[self.class_weight]
        listed = ", ".join(f'"{name}"' for name in self._balances)
        raise ValueError(
            f"class_weight is {self.class_weight!r}, expected {listed}, "
            "a dict from classes to weights or None"
        )

    def _class_weights(self, y: npt.NDArray[Any], weights: Vector | None) -> Vector | None:
        if not isinstance(self.class_weight, Mapping):
            return weights
        for label, weight in self.class_weight.items():
            if not as_number(weight, f"class_weight of class {label!r}") >= 0:
                raise ValueError(
                    f"class_weight of class {label!r} is {weight!r}, "
                    "expected a number of at least 0"
                )
        factors = compute_sample_weight(dict(self.class_weight), y)
        result: Vector = factors if weights is None else factors * weights
        if not result.any():
            raise ValueError(f"class_weight is {self.class_weight!r}, which leaves no row a weight")
        return result


class RegressorEstimator(RegressorMixin, ManifoldEstimator):
    """Trees and forests whose leaves hold means of one or several outputs."""

    _criteria = ("squared_error",)
    _multi_output = True

    n_outputs_: int

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the mean of each row's leaves over the trees.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            As ``y`` was.

        """
        forest = self._plain(X)
        values = None if forest is None else forest.plain_values(X, as_jobs(self.n_jobs))
        if values is None:
            points = self._points(X)
            told = self._forest.values(points, as_jobs(self.n_jobs))
            values = self._told(len(points[0]), *told)
        return values.ravel() if values.shape[1] == 1 else values

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
    ) -> tuple[_core.Forest, Matrix, int, float, str]:
        outputs = _outputs(y)
        if earlier is not None and earlier.width != outputs.shape[1]:
            raise ValueError(
                f"warm_start: y has {outputs.shape[1]} outputs, the forest has {earlier.width}"
            )
        outcome = _core.train_regressor(
            points,
            outputs,
            weights,
            options,
            earlier,
            self._progress(options.forest.n_trees),
            as_jobs(self.n_jobs),
        )
        self.n_outputs_ = outputs.shape[1]
        return outcome


def _outputs(y: npt.NDArray[Any]) -> Matrix:
    if y.ndim == 2 and y.shape[1] == 1:
        y = column_or_1d(y, warn=True)
    if y.ndim > 2:
        raise ValueError(f"y has shape {y.shape}, expected one or two dimensions")
    outputs = np.ascontiguousarray(y, dtype=np.float64)
    return outputs.reshape(len(outputs), -1)
