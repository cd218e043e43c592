"""Linear classifiers on hyperbolic space and products: the Poincaré support vector machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arguments import as_jobs
from bentwood._arrays import Matrix, Vector
from bentwood._boundaries import BoundaryClassifier
from bentwood._classifier import logarithms
from bentwood._labels import show
from bentwood._parameters import as_choice, as_flag, as_positive, as_whole
from bentwood._random import as_seed
from bentwood._rows import Points
from bentwood._warn import warn
from bentwood.geometry import Coordinates

__all__ = ["PoincareSVC"]


def _has_probability(estimator: PoincareSVC) -> bool:
    if not as_flag(estimator.probability, "probability"):
        raise AttributeError("predict_proba is not available when probability=False")
    return True


class PoincareSVC(BoundaryClassifier):
    """A linear support vector machine on hyperbolic space, and on products of any factors.

    A point ``x`` becomes a vector of features ``f(x)``, and two classes are told apart by the sign
    of ``w . f(x) + b`` for the ``w`` that minimises ``|w|**2 / 2`` plus ``C`` times the sum of the
    losses of all rows: a convex problem. More classes have one boundary each, against the rest.

    With ``space="tangent"`` the features are the logarithm of ``x`` at a reference point ``p``;
    without an intercept boundaries are the geodesic hyperplanes through ``p`` [1]_. With
    ``space="lorentz"`` they are the ambient coordinates: all geodesic hyperplanes, no reference
    point; and with an intercept equidistants, horospheres and balls.

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
    space : {"tangent", "weighted", "lorentz"}
        The features. ``"weighted"`` are the tangent vectors times the weight of the paper's
        equation 7, which the authors' program leaves out: the same boundaries, but rows weigh more
        the farther they are from the reference point.
    reference : {"hull", "means", "origin"} or array-like of shape (n_boundaries, n_features)
        The reference points: halfway between the nearest points of the convex hulls of a class and
        of the others, halfway between their centres, the origin, or given ones in the coordinates
        of X, one a class (one for two classes). Not for Lorentz space. Hulls need one factor that
        is hyperbolic or Euclidean; those that overlap are told in ``overlapping_``.
    C : float
        What it costs that a row is short of its margin; less means a wider margin. A large one is
        the hard margin where classes can be separated.
    loss : {"squared_hinge", "hinge"}
        How much: the square of what is missing, or itself.
    fit_intercept : bool
        Whether scores have a constant ``b``, which is penalised like a weight, as LIBLINEAR has it.
        False is as published: boundaries go through their reference points.
    class_weight : dict, "balanced" or None
        The weight of each class; "balanced" makes all classes weigh the same.
    probability : bool
        Whether to learn probabilities, too, by Platt scaling. Of more than two classes the one of
        the highest probability is predicted then, as published: scores that are seen from different
        reference points do not compare.
    platt : {"cross", "train"}
        The scores that Platt scaling learns from: those of rows that were left out, in five folds
        that are dealt by rows, or those of the training rows, as published.
    max_iter : int
        The most Newton steps (squared hinge) or passes over the rows (hinge).
    tol : float
        Training ends where the objective is within this of its minimum, relative to it.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides the order of rows for the hinge and the folds of ``probability``; the same integer
        gives the same model.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, ascending.
    n_classes_ : int
        Their number.
    coef_ : ndarray of shape (n_boundaries, n_tangent_or_ambient)
        The weights ``w`` of each boundary: one for two classes, else one a class.
    intercept_ : ndarray of shape (n_boundaries,)
        The constants ``b``.
    reference_points_ : ndarray of shape (n_boundaries, n_features_in_)
        The reference points in the coordinates of X; no row in Lorentz space.
    overlapping_ : ndarray of shape (n_boundaries,) of bool
        With ``reference="hull"`` whether the hulls overlap, so that there is no nearest pair: then
        the nearest two vertices have been taken, and above three dimensions the centres.
    support_ : ndarray of int
        The rows that hold some boundary in its place: the support vectors, ascending.
    n_iter_ : ndarray of shape (n_boundaries,)
        The steps or passes of each.
    objective_ : ndarray of shape (n_boundaries,)
        The minimum that each has found; not known of a model from a file.
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
    >>> from bentwood import PoincareSVC
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(400, "H2", coordinates="poincare", random_state=1)
    >>> model = PoincareSVC("H2", coordinates="poincare", space="lorentz")
    >>> model.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.7
    True

    """

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "tangent",
        off_manifold: Literal["error", "project"] = "error",
        space: Literal["tangent", "weighted", "lorentz"] = "tangent",
        reference: Literal["hull", "means", "origin"] | npt.ArrayLike = "hull",
        C: float = 1.0,
        loss: Literal["squared_hinge", "hinge"] = "squared_hinge",
        fit_intercept: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        probability: bool = False,
        platt: Literal["cross", "train"] = "cross",
        max_iter: int = 100_000,
        tol: float = 1e-6,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.space = space
        self.reference = reference
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.platt = platt
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    @available_if(_has_probability)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class for each row; needs ``probability=True``.

        Of more than two classes the probabilities of each against the rest are divided by their
        sum.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.

        """
        check_is_fitted(self)
        if not self._model.has_probabilities:
            raise ValueError("the model was fitted with probability=False; fit it again with True")
        return self._ask(_core.Linear.probabilities, X)

    @available_if(_has_probability)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of :meth:`predict_proba`; -inf where a probability is 0."""
        return logarithms(self.predict_proba(X))

    @property
    def support_(self) -> npt.NDArray[np.int64]:
        """The rows that hold some boundary in its place, ascending."""
        check_is_fitted(self)
        return self._model.support()

    def _fit(self, points: Points, y: npt.NDArray[Any], weights: Vector | None) -> None:
        labels, numbers = self._learn_classes(y)
        if len(labels) < 2:
            raise ValueError(
                f"y has one class, {show(self.classes_[0])}, expected at least two classes"
            )
        seed = as_seed(self.random_state)
        outcome = _core.train_linear(
            points,
            numbers,
            labels,
            self._class_weights(y, weights),
            self._options(seed),
            as_jobs(self.n_jobs),
        )
        n_stopped, objectives = self._keep(outcome, len(points[0]), seed)
        self.objective_ = np.asarray(objectives)
        if n_stopped:
            out_of_steps = (self.n_iter_ >= self.max_iter).sum() >= n_stopped
            warn(
                f"{n_stopped} of {len(objectives)} boundaries "
                + (
                    f"were still improving after max_iter={self.max_iter} steps; raise max_iter or "
                    "tol"
                    if out_of_steps
                    else "ended above their minimum: the features differ so much in size that "
                    "rounding hides it; scale them, or choose another space"
                    + ("" if self.space == "lorentz" else " or reference")
                ),
                ConvergenceWarning,
            )

    def _options(self, seed: int) -> _core.LinearOptions:
        options = _core.LinearOptions(*self._space())
        space = as_choice(self.space, "space", ("tangent", "weighted", "lorentz"))
        options.set_space(space)
        if space == "lorentz" and not isinstance(self.reference, str | None):
            raise ValueError('reference has points, which space="lorentz" does not use')
        self._set_reference(options)
        options.cost = as_positive(self.C, "C")
        options.set_loss(as_choice(self.loss, "loss", ("squared_hinge", "hinge")))
        options.fit_intercept = as_flag(self.fit_intercept, "fit_intercept")
        platt = as_choice(self.platt, "platt", ("cross", "train"))
        if as_flag(self.probability, "probability"):
            options.set_platt(platt)
        options.max_iterations = as_whole(self.max_iter, "max_iter", 1)
        options.tolerance = as_positive(self.tol, "tol")
        options.seed = seed
        options.balance_classes = self._balance() is not None
        self._describe(options, seed)
        return options

    def _adopt(self, given: dict[str, Any]) -> None:
        super()._adopt(given)
        self.probability = self._model.has_probabilities
