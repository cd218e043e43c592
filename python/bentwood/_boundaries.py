"""What every estimator of linear boundaries has: weights, reference points, scores, winners."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arrays import Matrix, Precision, Vector, as_matrix
from bentwood._classifier import ManifoldClassifier
from bentwood._file_parameters import file_parameter
from bentwood._hyperbolic import HyperbolicEstimator
from bentwood._parameters import as_choice


class ReferenceOptions(Protocol):
    """What a training is told about its reference points."""

    def set_reference(self, name: str, /) -> None:
        """Let it find points."""

    def set_references(self, points: tuple[Matrix, Precision], /) -> None:
        """Give it points."""


class BoundaryClassifier(HyperbolicEstimator, ManifoldClassifier):
    """A classifier whose model is a linear boundary a class, or one for two classes."""

    _model_type = _core.Linear
    _model: _core.Linear

    reference: Any

    def decision_function(self, X: Any) -> Matrix | Vector:
        """Return the score of each row on each boundary.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes how much a row looks like the second one; else one column a class. Of
            more than two classes with probabilities the logarithm of the odds that Platt scaling
            makes of the score, which is what :meth:`predict` compares.

        """
        compared = self._compared(self._ask(_core.Linear.scores, X))
        return compared.ravel() if compared.shape[1] == 1 else compared

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row, the first of equal ones.

        Of two classes the sign of the score decides; of more the highest score, or the highest
        probability where they were learned.
        """
        winners = self._ask(_core.Linear.winners, X)
        return self.classes_[winners]

    @property
    def coef_(self) -> Matrix:
        """The weights of the features, one row a boundary."""
        check_is_fitted(self)
        return self._model.coefficients()

    @property
    def intercept_(self) -> Vector:
        """The constant of each boundary's score."""
        check_is_fitted(self)
        return self._model.intercepts()

    @property
    def reference_points_(self) -> Matrix:
        """The point that each boundary is seen from, in the coordinates of X."""
        check_is_fitted(self)
        return self._model.references()

    @property
    def overlapping_(self) -> npt.NDArray[np.bool_]:
        """Whether the hulls of each boundary's two sides overlap."""
        check_is_fitted(self)
        told = file_parameter(type(self), self._model, "overlapping")
        if told is None:
            raise AttributeError('only models with reference="hull" know which hulls overlap')
        return np.asarray(told, dtype=bool)

    @property
    def n_iter_(self) -> npt.NDArray[np.int64]:
        """The steps, or passes over the rows, of each boundary."""
        check_is_fitted(self)
        return self._model.n_iterations()

    def _compared(self, scores: Matrix) -> Matrix:
        """Return what decides between classes, from the scores of the boundaries."""
        if scores.shape[1] == 1 or not self._model.has_probabilities:
            return scores
        slopes, offsets = self._model.sigmoids().T
        with np.errstate(over="ignore"):
            odds: Matrix = -(scores * slopes + offsets)
        largest = np.finfo(np.float64).max
        return odds.clip(-largest, largest)

    def _set_reference(self, options: ReferenceOptions) -> None:
        """Say which reference points the estimator asks for."""
        if isinstance(self.reference, str):
            options.set_reference(
                as_choice(self.reference, "reference", ("hull", "means", "origin"))
            )
        elif self.reference is None:
            raise ValueError(
                'reference is None, expected "hull", "means", "origin" or points, one a class'
            )
        else:
            options.set_references(as_matrix(self.reference, "reference"))

    def _adopt(self, given: dict[str, Any]) -> None:
        super()._adopt(given)
        if given.get("reference") is None:  # points were given, which the model has
            self.reference = self._model.references()
