"""Perceptrons on hyperbolic space and products: geodesic boundaries learned row by row."""

from __future__ import annotations

import math
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arguments import as_jobs
from bentwood._arrays import Vector
from bentwood._boundaries import BoundaryClassifier
from bentwood._classifier import ClassNumbers
from bentwood._file_parameters import file_parameter
from bentwood._labels import show
from bentwood._model_file import ClassLabels, labels_of
from bentwood._parameters import UNLIMITED, as_between, as_flag, as_limit, as_whole
from bentwood._random import as_seed
from bentwood._rows import Points
from bentwood._warn import warn
from bentwood.geometry import Coordinates

__all__ = ["PoincarePerceptron", "PoincareSecondOrderPerceptron"]


class PoincarePerceptron(BoundaryClassifier):
    """A perceptron on hyperbolic space, and on products of any factors.

    Seen from a reference point ``p``, a point ``x`` becomes the vector ``z`` of its weighted
    tangent coordinates, and two classes are told apart by the sign of ``w . z``: a geodesic
    hyperplane through ``p``. Rows are visited one by one; where the sign is wrong, ``z`` is added
    to ``w`` or taken from it. Where classes can be separated, mistakes end after finitely many
    [1]_. More classes have one boundary each, against the rest.

    Parameters
    ----------
    signature : str or None
        The manifold, such as ``"H2"``, ``"H5(-0.5)"`` or ``"H2 x E1"``; None means H with curvature
        -1 of as many dimensions as X describes.
    coordinates : {"tangent", "ambient", "poincare", "stereographic", "klein"}
        How the rows of X describe points; any real matrix will do as ``"tangent"``.
    off_manifold : {"error", "project"}
        What to do with rows that are off the manifold by more than rounding: refuse them, or
        project them with a warning.
    reference : {"hull", "means", "origin"} or array-like of shape (n_boundaries, n_features)
        The reference points: halfway between the nearest points of the convex hulls of a class and
        of the others, which separates whatever can be separated; halfway between their centres,
        which is better where hulls overlap; the origin; or given ones in the coordinates of X, one
        a class (one for two classes). Hulls need one factor that is hyperbolic or Euclidean; those
        that overlap are told in ``overlapping_``.
    average : bool
        Whether to take the mean of ``w`` over all visits rather than the last: steadier where
        classes overlap, but it need not separate those that can be separated.
    shuffle : bool
        Whether each pass of :meth:`fit` visits the rows in an order of its own. False is as
        published: again and again in the order of X.
    max_iter : int
        The most passes over the rows of :meth:`fit`. It ends after one without a mistake; there is
        none where classes cannot be separated.
    max_updates : int or None
        The most mistakes of a boundary in :meth:`fit`; None means any number.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides the order of the rows; the same integer gives the same model.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, ascending.
    n_classes_ : int
        Their number.
    coef_ : ndarray of shape (n_boundaries, n_dimensions)
        ``w`` of each boundary, divided by its length: one for two classes, else one a class.
    intercept_ : ndarray of shape (n_boundaries,)
        Zeros: boundaries go through their reference points.
    reference_points_ : ndarray of shape (n_boundaries, n_features_in_)
        The reference points in the coordinates of X.
    overlapping_ : ndarray of shape (n_boundaries,) of bool
        With ``reference="hull"`` whether the hulls overlap, so that there is no nearest pair.
    n_updates_ : ndarray of shape (n_boundaries,) of int
        The mistakes of each boundary while it learned, each of which changed it.
    margin_ : ndarray of shape (n_boundaries,)
        The distance of the nearest training row from the boundary (where the manifold is not one
        hyperbolic factor, its score); negative where some are on the wrong side. Of :meth:`fit`.
    bound_ : ndarray of shape (n_boundaries,)
        The most mistakes that theory allows on rows that can be separated by such a margin
        (Theorem 3.1 of [1]_); infinite where they have not been. Of :meth:`fit`.
    n_iter_ : ndarray of shape (n_boundaries,)
        Passes over the rows; each batch of :meth:`partial_fit` is one.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X was a frame with names.
    signature_ : str
        The signature in canonical form.
    n_projected_ : int
        Training rows that were off the manifold and were projected.

    References
    ----------
    .. [1] E. Chien, C. Pan, P. Tabaghi, O. Milenkovic, "Highly Scalable and Provably Accurate
       Classification in Poincaré Balls", ICDM 2021.

    Examples
    --------
    >>> from bentwood import PoincarePerceptron
    >>> from bentwood.datasets import make_separable
    >>> data = make_separable(500, "H2", margin=0.1, coordinates="poincare", random_state=0)
    >>> model = PoincarePerceptron(
    ...     "H2", coordinates="poincare", reference=data.reference, random_state=0
    ... )
    >>> model.fit(data.X, data.y).score(data.X, data.y)
    1.0
    >>> bool(model.n_updates_[0] <= model.bound_[0])
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "tangent",
        off_manifold: Literal["error", "project"] = "error",
        reference: Literal["hull", "means", "origin"] | npt.ArrayLike = "means",
        average: bool = False,
        shuffle: bool = True,
        max_iter: int = 1000,
        max_updates: int | None = None,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.reference = reference
        self.average = average
        self.shuffle = shuffle
        self.max_iter = max_iter
        self.max_updates = max_updates
        self.n_jobs = n_jobs
        self.random_state = random_state

    # A row of weight 2 would not be two rows: after the first the second may be right.
    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Learn from points and their classes, passing over them until there is no mistake.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points of the manifold in the coordinates that the estimator was told; a frame's names
            are remembered.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where a point is off the manifold, a number is not finite or a parameter is wrong. The
            estimator is then what it was before, and so it is after Ctrl-C.

        """
        return super().fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn on from a batch of rows, one pass over them in their order.

        The first batch decides the reference points where ``reference`` does not give them. A model
        from :meth:`fit`, from a file or a pickle learns on, too: files hold all that is needed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points, as in :meth:`fit`.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like of shape (n_classes,) or None
            All classes there will ever be; needed at the first call, and the same later.

        Returns
        -------
        self

        """
        with self._all_or_nothing():
            before = self._model if self.__sklearn_is_fitted__() else None
            points, y = self._learned_rows(X, y, reset=before is None)
            labels, numbers = self._known_classes(y, classes, first=before is None)
            seed = as_seed(self.random_state) if before is None else self._seed
            outcome = _core.learn_batch(
                before, points, numbers, labels, self._options(seed), as_jobs(self.n_jobs)
            )
            self._keep(outcome, len(points[0]), seed)
        return self

    @property
    def n_updates_(self) -> npt.NDArray[np.int64]:
        """The mistakes of each boundary, each of which changed it."""
        return np.asarray(self._told("n_updates"), dtype=np.int64)

    @property
    def margin_(self) -> Vector:
        """The distance of the nearest training row from each boundary."""
        return np.asarray(self._told("margin"), dtype=np.float64)

    @property
    def bound_(self) -> Vector:
        """The most mistakes that theory allows with such a margin."""
        bounds = self._told("bound")
        return np.asarray([math.inf if bound is None else bound for bound in bounds])

    def _told(self, name: str) -> Any:
        check_is_fitted(self)
        told = file_parameter(type(self), self._model, name)
        if told is None:
            raise AttributeError(f"{name}_ is of fit: partial_fit does not know all rows")
        return told

    def _known_classes(
        self, y: npt.NDArray[Any], classes: Any, first: bool
    ) -> tuple[ClassLabels, ClassNumbers]:
        """Return all classes as the model holds them, and the number of each row's."""
        if first:
            if classes is None:
                raise ValueError("classes is None, expected all classes at the first partial_fit")
            given = np.asarray(classes)
            missing = given.dtype.kind in "fO" and any(c is None or c != c for c in given.flat)
            if given.ndim != 1 or given.size == 0 or missing:
                raise ValueError(
                    f"classes is {classes!r}, expected a list of all classes, none of them missing"
                )
            self._learn_classes(given)
            if self.n_classes_ < 2:
                raise ValueError(
                    f"classes has one class, {show(self.classes_[0])}, expected at least two"
                )
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError("classes are other than those of the first partial_fit")
        y = np.asarray(y).ravel()
        numbers = np.searchsorted(self.classes_, y).clip(max=self.n_classes_ - 1)
        unknown = self.classes_[numbers] != y
        if unknown.any():
            row = int(unknown.argmax())
            raise ValueError(f"row {row} of y is {show(y[row])}, which is none of the classes")
        return labels_of(self.classes_), numbers.astype(np.uint32)

    def _fit(self, points: Points, y: npt.NDArray[Any], weights: Vector | None) -> None:
        labels, numbers = self._learn_classes(y)
        if len(labels) < 2:
            raise ValueError(
                f"y has one class, {show(self.classes_[0])}, expected at least two classes"
            )
        seed = as_seed(self.random_state)
        outcome = _core.train_perceptron(
            points, numbers, labels, self._options(seed), as_jobs(self.n_jobs)
        )
        n_stopped = self._keep(outcome, len(points[0]), seed)
        if n_stopped:
            warn(
                f"{n_stopped} of {len(self.n_updates_)} boundaries still made mistakes after "
                f"{self.max_iter} passes"
                + ("" if self.max_updates is None else f" or {self.max_updates} mistakes")
                + "; classes that overlap never end: try "
                + ("" if self.average else "average=True, or ")
                + "another reference",
                ConvergenceWarning,
            )

    def _options(self, seed: int) -> _core.PerceptronOptions:
        options = _core.PerceptronOptions(*self._space())
        self._set_reference(options)
        options.average = as_flag(self.average, "average")
        options.shuffle = as_flag(self.shuffle, "shuffle")
        options.max_passes = as_whole(self.max_iter, "max_iter", 1)
        options.max_updates = as_limit(self.max_updates, "max_updates", 1, UNLIMITED)
        options.seed = seed
        self._describe(options, seed)
        return options


class PoincareSecondOrderPerceptron(PoincarePerceptron):
    """A second-order perceptron on hyperbolic space, and on products of any factors.

    Like :class:`PoincarePerceptron`, but ``w = inv(a I + S S^T) xi``: ``S`` has the vectors of all
    mistakes as columns, ``xi`` is their sum with signs, and ``a`` the regularization. It whitens
    what it has seen, and makes far fewer mistakes where vectors are of very different lengths
    [1]_ [2]_; a mistake costs O(d^2).

    Parameters
    ----------
    signature, coordinates, off_manifold, reference, average, shuffle, max_iter, max_updates, \
n_jobs, random_state
        As of :class:`PoincarePerceptron`.
    regularization : float
        ``a``, at least 0. 0 stands for the limit, the pseudo-inverse: as published, but every row
        outside of the span of the mistakes before it is one, too.

    Attributes
    ----------
    bound_ : ndarray of shape (n_boundaries,)
        The most mistakes that theory allows on rows that can be separated by such a margin
        (Theorem 3.1 of [2]_); infinite where they have not been, and for ``regularization=0``.
    classes_, n_classes_, coef_, intercept_, reference_points_, overlapping_, n_updates_, margin_, \
n_iter_, n_features_in_, feature_names_in_, signature_, n_projected_
        As of :class:`PoincarePerceptron`.

    References
    ----------
    .. [1] E. Chien, C. Pan, P. Tabaghi, O. Milenkovic, "Highly Scalable and Provably Accurate
       Classification in Poincaré Balls", ICDM 2021.
    .. [2] N. Cesa-Bianchi, A. Conconi, C. Gentile, "A second-order perceptron algorithm", SIAM
       Journal on Computing 34, 2005.

    Examples
    --------
    >>> from bentwood import PoincarePerceptron, PoincareSecondOrderPerceptron
    >>> from bentwood.datasets import make_separable
    >>> data = make_separable(2000, "H8", margin=0.01, coordinates="poincare", random_state=0)
    >>> settings = {"coordinates": "poincare", "reference": data.reference, "random_state": 0}
    >>> first = PoincarePerceptron(**settings).fit(data.X, data.y)
    >>> second = PoincareSecondOrderPerceptron(**settings).fit(data.X, data.y)
    >>> bool(3 * second.n_updates_[0] < first.n_updates_[0])
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "tangent",
        off_manifold: Literal["error", "project"] = "error",
        reference: Literal["hull", "means", "origin"] | npt.ArrayLike = "means",
        regularization: float = 1.0,
        average: bool = False,
        shuffle: bool = True,
        max_iter: int = 1000,
        max_updates: int | None = None,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            signature,
            coordinates=coordinates,
            off_manifold=off_manifold,
            reference=reference,
            average=average,
            shuffle=shuffle,
            max_iter=max_iter,
            max_updates=max_updates,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.regularization = regularization

    def _options(self, seed: int) -> _core.PerceptronOptions:
        options = super()._options(seed)
        options.set_second_order(as_between(self.regularization, "regularization", math.inf))
        return options
