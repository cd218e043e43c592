"""What every estimator on a manifold has, whatever it learns.

Points are checked at the door; a model of the compiled half is trained on them, kept, asked, saved,
loaded and pickled. An estimator says which model it holds (``_model_type``), how it is trained and
what it is asked; its parameters ``signature``, ``coordinates``, ``off_manifold``, ``n_jobs`` and
``random_state`` have one meaning everywhere.
"""

from __future__ import annotations

import contextlib
import inspect
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from bentwood import _core
from bentwood._arguments import as_jobs, as_text
from bentwood._arrays import Vector, refuse_masked
from bentwood._file_parameters import file_parameters
from bentwood._model_file import Model, parameters_of, path_bytes
from bentwood._rows import Points, as_points, as_row_weights, foreign_look
from bentwood._warn import warn, warn_of_projection
from bentwood.geometry import PrecisionWarning

Answer = TypeVar("Answer")
Extra = TypeVar("Extra")

#: What a model says of rows, how many of them were projected, and how far at most.
Told = tuple[Answer, int, float]
#: What training gives: model, something besides, projected rows, how far, a warning about rounding.
Outcome = tuple[Model, Extra, int, float, str]


class Options(Protocol):
    """What a training is told about the estimator, for the model's file."""

    estimator: str
    feature_names: list[str]
    parameters: dict[str, str]


class ManifoldEstimator(BaseEstimator, ABC):
    """An estimator with a model of the library's."""

    #: The class of the model, of ``_core``.
    _model_type: ClassVar[type]

    _model: Any
    _seed: int
    n_features_in_: int
    n_projected_: int

    @property
    def signature_(self) -> str:
        """The signature in canonical form."""
        check_is_fitted(self)
        signature: str = self._model.signature
        return signature

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, by custom named ``*.bent``; see docs/model-file.md.

        The old file or the new one survives a crash or a full disk.
        """
        check_is_fitted(self)
        self._model.save(path_bytes(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the estimator that :meth:`save` wrote to a file.

        Raises ValueError where the file is damaged or holds another estimator; ``bentwood.load``
        reads any.
        """
        model = _core.load_model(path_bytes(path))
        if not cls._fits(model) or model.estimator != cls.__name__:
            name = model.estimator if model.estimator.isidentifier() else repr(model.estimator)
            raise ValueError(
                f"{os.fspath(path)} holds a {name}, expected a {cls.__name__}; "
                "bentwood.load reads any model"
            )
        return cls._adopted(model, os.fspath(path))

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether there is a model."""
        return "_model" in self.__dict__

    # Before training.

    @contextlib.contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Give the estimator its attributes back where fitting does not come to an end."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _learned_rows(
        self, X: Any, y: Any, *, reset: bool = True, multi_output: bool = False
    ) -> tuple[Points, npt.NDArray[Any]]:
        """Return checked points and y; with ``reset`` their width and names are remembered."""
        # scikit-learn would take the numbers from under the mask.
        refuse_masked(X, "X")
        refuse_masked(y, "y")
        with foreign_look("X or y"):
            X, y = validate_data(
                self,
                X,
                y,
                reset=reset,
                dtype="numeric",
                ensure_all_finite=False,
                multi_output=multi_output,
            )
        return as_points(X), y

    def _points(self, X: Any, *, reset: bool = False) -> Points:
        """Return checked points; with ``reset`` their width and names are remembered."""
        refuse_masked(X, "X")
        with foreign_look("X"):
            X = validate_data(self, X, reset=reset, dtype="numeric", ensure_all_finite=False)
        return as_points(X)

    def _space(self) -> tuple[str, str, str]:
        """Return signature, coordinates and what to do with points off the manifold."""
        coordinates = as_text(self.coordinates, "coordinates")
        signature = (
            self._default_signature(coordinates) if self.signature is None else self.signature
        )
        return (
            as_text(signature, "signature"),
            coordinates,
            as_text(self.off_manifold, "off_manifold"),
        )

    def _default_signature(self, coordinates: str) -> str:
        """Return the manifold where none was given: Euclidean space as wide as X."""
        return f"E{self.n_features_in_}"

    def _describe(self, options: Options, seed: int) -> None:
        """Say what the model's file will tell about the estimator."""
        options.estimator = type(self).__name__
        names = getattr(self, "feature_names_in_", [])
        options.feature_names = [as_text(name, "a column's name") for name in names]
        options.parameters = self._parameters(seed)

    def _parameters(self, seed: int) -> dict[str, str]:
        """Return what shapes the model, as JSON."""
        return parameters_of(self, seed)

    # After training.

    def _keep(self, outcome: Outcome[Extra], n_rows: int, seed: int) -> Extra:
        """Keep a trained model, with warnings about its points; return what came besides."""
        self._model, extra, self.n_projected_, largest, warning = outcome
        self._seed = seed
        if warning:
            warn(warning, PrecisionWarning)
        warn_of_projection(self.n_projected_, n_rows, self._model.signature, largest)
        return extra

    def _ask(self, question: Callable[[Any, Points, int | None], Told[Answer]], X: Any) -> Answer:
        """Return what the model says of the rows of X; a question is a method of its class."""
        check_is_fitted(self)
        points = self._points(X)
        answer, n_projected, largest = question(self._model, points, as_jobs(self.n_jobs))
        warn_of_projection(n_projected, len(points[0]), self._model.signature, largest)
        return answer

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the attributes from a pickle, whose model is checked like that of a file."""
        super().__setstate__(state)
        if "_model" in self.__dict__:
            cls = type(self)
            if not cls._fits(self._model):
                raise ValueError(f"pickle: the model is none of a {cls.__name__}")
            cls._file_parameters(self._model, "pickle")
            self._check_state()

    def _check_state(self) -> None:
        """Raise ValueError where the attributes of a pickle are not those of its model."""
        if self.__dict__.get("n_features_in_") != self._model.n_features:
            raise ValueError(
                f"pickle: n_features_in_ is {self.__dict__.get('n_features_in_')!r}, the model has "
                f"{self._model.n_features}"
            )

    @classmethod
    def _fits(cls, model: Any) -> bool:
        """Tell whether a model can be that of such an estimator."""
        return isinstance(model, cls._model_type)

    @classmethod
    def _file_parameters(cls, model: Model, source: str) -> dict[str, Any]:
        """Return what the file of a model says of its training, every value checked."""
        try:
            return file_parameters(cls, model)
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None

    @classmethod
    def _adopted(cls, model: Model, source: str) -> Self:
        """Return an estimator with a model that came from a file; raises ValueError."""
        given = cls._file_parameters(model, source)
        known = inspect.signature(cls).parameters
        estimator = cls(**{name: given[name] for name in given if name in known})
        # No signature was asked for where the file says null; else the model's own is the one.
        estimator.signature = given.get("signature", model.signature)
        estimator.coordinates = model.coordinates
        estimator.off_manifold = model.off_manifold
        estimator.n_features_in_ = model.n_features
        if model.feature_names:
            estimator.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
        estimator._model = model
        estimator._seed = given.get("seed", 0)
        if "n_projected" in given:
            estimator.n_projected_ = given["n_projected"]
        elif model.off_manifold == "error":
            estimator.n_projected_ = 0
        try:
            estimator._adopt(given)
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
        return estimator

    def _adopt(self, given: dict[str, Any]) -> None:
        """Set what this kind of estimator has learned besides, from its model and parameters."""


class SupervisedEstimator(ManifoldEstimator):
    """An estimator that learns from points with labels or values."""

    #: Whether y may have several columns.
    _multi_output: ClassVar[bool] = False

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
        with self._all_or_nothing():
            points, y = self._learned_rows(X, y, multi_output=self._multi_output)
            self._fit(points, y, as_row_weights(sample_weight, len(points[0])))
        return self

    @abstractmethod
    def _fit(self, points: Points, y: npt.NDArray[Any], weights: Vector | None) -> None:
        """Train a model and keep it with what y has taught."""
