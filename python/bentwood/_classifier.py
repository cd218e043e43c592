"""What every classifier on a manifold has: classes, and what each of them weighs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from bentwood import _core
from bentwood._arguments import as_number
from bentwood._arrays import Matrix, Vector
from bentwood._base import SupervisedEstimator
from bentwood._labels import not_comparable
from bentwood._model_file import ClassLabels, class_array, labels_of
from bentwood._rows import foreign_look
from bentwood._warn import warn

ClassNumbers = npt.NDArray[np.uint32]


class ManifoldClassifier(ClassifierMixin, SupervisedEstimator):
    """An estimator whose labels are classes: integers, whole reals, booleans or text."""

    #: The words that ``class_weight`` may be.
    _balances: ClassVar[Sequence[str]] = ("balanced",)

    classes_: npt.NDArray[Any]
    n_classes_: int

    def _learn_classes(self, y: npt.NDArray[Any]) -> tuple[ClassLabels, ClassNumbers]:
        """Keep the classes; return them as the model holds them, and the number of each row's.

        Warns where nearly every row has a class of its own.
        """
        numbers = self._keep_classes(y)
        labels = labels_of(self.classes_)
        regression = "a regressor" if self.classes_.dtype.kind in "iuf" else ""
        doubt = _core.doubt_of_classes(self.n_classes_, len(numbers), "y", regression)
        if doubt:
            warn(doubt)
        return labels, numbers

    def _keep_classes(self, y: npt.NDArray[Any]) -> ClassNumbers:
        """Keep the classes that y holds; return the number of each row's."""
        try:
            self.classes_, numbers = np.unique(y, return_inverse=True)
            with foreign_look("y"):
                check_classification_targets(_doubtful(self.classes_))
        except TypeError:
            raise not_comparable("y holds", y) from None
        self.n_classes_ = len(self.classes_)
        return numbers.astype(np.uint32).ravel()

    def _balance(self) -> str | None:
        """Return the word that ``class_weight`` is, None where it is weights or nothing."""
        if self.class_weight is None or isinstance(self.class_weight, Mapping):
            return None
        if isinstance(self.class_weight, str) and self.class_weight in self._balances:
            return self.class_weight
        listed = ", ".join(f'"{name}"' for name in self._balances)
        raise ValueError(
            f"class_weight is {self.class_weight!r}, expected {listed}, "
            "a dict from classes to weights or None"
        )

    def _weights_of_classes(self, y: npt.NDArray[Any]) -> Vector | None:
        """Return the weight of each class where ``class_weight`` is a dict."""
        if not isinstance(self.class_weight, Mapping):
            return None
        for label, weight in self.class_weight.items():
            if not as_number(weight, f"class_weight of class {label!r}") >= 0:
                raise ValueError(
                    f"class_weight of class {label!r} is {weight!r}, "
                    "expected a number of at least 0"
                )
        result: Vector = compute_class_weight(dict(self.class_weight), classes=self.classes_, y=y)
        return result

    def _class_weights(self, y: npt.NDArray[Any], weights: Vector | None) -> Vector | None:
        """Return the weights of the rows times those that ``class_weight`` gives their classes."""
        of_classes = self._weights_of_classes(y)
        if of_classes is None:
            return weights
        factors = of_classes[np.searchsorted(self.classes_, y)]
        result: Vector = factors if weights is None else _products(factors, weights)
        if not result.any():
            raise ValueError(f"class_weight is {self.class_weight!r}, which leaves no row a weight")
        return result

    def _parameters(self, seed: int) -> dict[str, str]:
        # The file knows labels by kind; NumPy has several types of each.
        dtype = json.dumps(self.classes_.dtype.name)
        return {**super()._parameters(seed), "class_dtype": dtype}

    def _check_state(self) -> None:
        super()._check_state()
        n_classes = len(self._model.classes)
        if len(self.__dict__.get("classes_", ())) != n_classes:
            raise ValueError(f"pickle: classes_ is not what the model has, {n_classes} classes")

    def _adopt(self, given: dict[str, Any]) -> None:
        super()._adopt(given)
        self.classes_ = class_array(self._model.classes, given.get("class_dtype"))
        self.n_classes_ = len(self.classes_)


def _doubtful(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return some classes, those first that are no whole numbers.

    Of more than 20 scikit-learn would say that they are as many as there are rows.
    """
    if classes.dtype.kind == "f":
        broken = classes[classes.astype(np.int64).astype(classes.dtype) != classes]
        classes = broken if broken.size else classes
    return classes[:20]


def _products(factors: Vector, weights: Vector) -> Vector:
    """Return the weights of rows times those of their classes, which must be numbers."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        result: Vector = factors * weights
    lost = ~np.isfinite(result) | ((result == 0) & (factors != 0) & (weights != 0))
    if lost.any():
        row = int(np.argmax(lost))
        raise ValueError(
            f"row {row}: the weight is {weights[row]:g} and that of its class {factors[row]:g}, "
            "expected a product that is a number above 0"
        )
    return result


def logarithms(probabilities: Matrix) -> Matrix:
    """Return the logarithms of probabilities; -inf where one is 0."""
    with np.errstate(divide="ignore"):
        result: Matrix = np.log(probabilities)
    return result
