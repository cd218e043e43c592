"""Classifiers of one boundary on hyperbolic space, and the class tree behind them."""

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
from bentwood._classifier import ManifoldClassifier, logarithms
from bentwood._hyperbolic import HyperbolicEstimator
from bentwood._hyperclasses import Hyperclasses, hyperclasses
from bentwood._labels import show
from bentwood._parameters import as_between, as_choice, as_flag, as_positive, as_whole
from bentwood._random import as_seed
from bentwood._rows import Points
from bentwood._warn import warn
from bentwood.geometry import Coordinates

__all__ = ["HoroSVC", "Hyperclasses", "hyperclasses"]


def _has_probability(estimator: HoroSVC) -> bool:
    if not as_flag(estimator.probability, "probability"):
        raise AttributeError("predict_proba is not available when probability=False")
    return True


class HoroSVC(HyperbolicEstimator, ManifoldClassifier):
    """A support vector machine on hyperbolic space whose boundaries are horospheres.

    A horosphere is a sphere that touches the boundary of hyperbolic space at an ideal point ``w``;
    the Busemann function ``B_w`` is constant on it. Two classes are told apart by the sign of

        ``score(x) = -slope * B_w(x) - offset``

    for the unit vector ``w``, slope and offset that minimise ``slope**2 / 2`` plus ``C`` times the
    sum of the losses of all rows [1]_ [2]_. More classes have one horosphere each, against the
    rest. ``B_w`` is counted in curvature radii, so that scaling the space together with its
    curvature changes nothing.

    Parameters
    ----------
    signature : str or None
        One hyperbolic factor such as ``"H2"`` or ``"H5(-0.5)"``; None means H with curvature -1 of
        as many dimensions as X describes.
    coordinates : {"tangent", "ambient", "poincare", "stereographic", "klein"}
        How the rows of X describe points; any real matrix will do as ``"tangent"``.
    off_manifold : {"error", "project"}
        What to do with rows that are off the manifold by more than rounding: refuse them, or
        project them with a warning.
    C : float
        What it costs that a row is short of its margin; less means a wider margin.
    loss : {"squared_hinge", "hinge"}
        How much: the square of what is missing, or itself.
    beta : float
        Class balance of each horosphere's two sides, from 0 (none) to 1 (both weigh the same): rows
        of a side with n rows weigh ``(1 - beta) / (1 - beta**n)``, in the limit ``1 / n``.
    class_weight : dict, "balanced" or None
        The weight of each class; "balanced" makes all classes weigh the same. Not together with
        ``beta``. Probabilities do not see it: they are of the classes as often as they are there.
    n_restarts : int
        Descents besides the one from the direction of the class means, at most 1000; the best one
        counts.
    max_iter : int
        The most steps of a descent.
    tol : float
        A descent ends where no component of the gradient is larger than this times the objective,
        or than this itself where the objective is below 1.
    probability : bool
        Whether to learn probabilities, too: Platt scaling of the scores of rows that were left out,
        in five folds; a class of one row cannot be left out and takes the scores of the training
        rows instead. Takes about six times as long. Folds are dealt by rows: a row of weight 2 is
        not the same as two rows there.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        Decides where descents begin, and the folds of ``probability``; the same integer gives the
        same model.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, ascending.
    n_classes_ : int
        Their number.
    ideal_points_ : ndarray of shape (n_horospheres, n_dimensions)
        The unit vector ``w`` of each horosphere: where it touches the boundary of the Poincaré and
        of the Klein ball of radius 1. There is one for two classes, else one a class.
    slopes_ : ndarray of shape (n_horospheres,)
        The slopes. Where one is negative, the class is outside its horosphere.
    offsets_ : ndarray of shape (n_horospheres,)
        The offsets, in units of the score.
    levels_ : ndarray of shape (n_horospheres,)
        The value of the Busemann function on each horosphere, ``-offset / slope`` curvature radii,
        as ``Manifold(signature_).busemann(X, w)`` has it: a length on the manifold, minus how far
        the horosphere is from the origin in the direction of ``w``. Infinite where a slope is 0.
    n_iter_ : ndarray of shape (n_horospheres,)
        The steps of all descents of each.
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
    .. [1] X. Fan, C.-H. Yang, B. C. Vemuri, "Horospherical Decision Boundaries for Large Margin
       Classification in Hyperbolic Space", NeurIPS 2023.
    .. [2] L. Doorenbos, P. Márquez-Neila, R. Sznitman, P. Mettes, "Hyperbolic Random Forests",
       TMLR 2024.

    Examples
    --------
    >>> from bentwood import HoroSVC
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(400, "H2", coordinates="poincare", random_state=1)
    >>> model = HoroSVC("H2", coordinates="poincare", random_state=0).fit(X[:200], y[:200])
    >>> model.score(X[200:], y[200:]) > 0.7
    True

    """

    _model_type = _core.Horospheres
    _model: _core.Horospheres

    def __init__(
        self,
        signature: str | None = None,
        *,
        coordinates: Coordinates = "tangent",
        off_manifold: Literal["error", "project"] = "error",
        C: float = 1.0,
        loss: Literal["squared_hinge", "hinge"] = "squared_hinge",
        beta: float = 0.0,
        class_weight: Mapping[Any, float] | str | None = None,
        n_restarts: int = 2,
        max_iter: int = 200,
        tol: float = 1e-6,
        probability: bool = False,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.C = C
        self.loss = loss
        self.beta = beta
        self.class_weight = class_weight
        self.n_restarts = n_restarts
        self.max_iter = max_iter
        self.tol = tol
        self.probability = probability
        self.n_jobs = n_jobs
        self.random_state = random_state

    def decision_function(self, X: Any) -> Matrix | Vector:
        """Return the score of each row on each horosphere.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes how much a row looks like the second one; else one column a class. A
            class whose rows all weigh 0 has the lowest finite number, so that it never wins.

        """
        scores = self._ask(_core.Horospheres.scores, X)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row: that of the highest score, the first of equal ones."""
        winners = self._ask(_core.Horospheres.winners, X)
        return self.classes_[winners]

    @available_if(_has_probability)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class for each row; needs ``probability=True``.

        Of more than two classes the probabilities of each against the rest are divided by their
        sum. As they are calibrated on rows that were left out, the class of the highest probability
        need not be that of the highest score, which :meth:`predict` returns.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.

        """
        check_is_fitted(self)
        if not self._model.has_probabilities:
            raise ValueError("the model was fitted with probability=False; fit it again with True")
        return self._ask(_core.Horospheres.probabilities, X)

    @available_if(_has_probability)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of :meth:`predict_proba`; -inf where a probability is 0."""
        return logarithms(self.predict_proba(X))

    @property
    def ideal_points_(self) -> Matrix:
        """The unit vector of each horosphere's ideal point."""
        check_is_fitted(self)
        return self._model.ideal_points()

    @property
    def slopes_(self) -> Vector:
        """The slope of each horosphere's score."""
        check_is_fitted(self)
        return self._model.slopes()

    @property
    def offsets_(self) -> Vector:
        """The offset of each horosphere's score."""
        check_is_fitted(self)
        return self._model.offsets()

    @property
    def levels_(self) -> Vector:
        """The value of the Busemann function on each horosphere, a length on the manifold."""
        slopes, offsets = self.slopes_, self.offsets_
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            levels: Vector = -offsets / slopes * self._model.radius
        # Without a slope there is no horosphere, with an offset or without.
        levels[slopes == 0] = np.where(offsets[slopes == 0] < 0, np.inf, -np.inf)
        return levels

    @property
    def n_iter_(self) -> npt.NDArray[np.int64]:
        """The steps of all descents of each horosphere."""
        check_is_fitted(self)
        return self._model.n_iterations()

    def _fit(self, points: Points, y: npt.NDArray[Any], weights: Vector | None) -> None:
        labels, numbers = self._learn_classes(y)
        if len(labels) < 2:
            raise ValueError(
                f"y has one class, {show(self.classes_[0])}, expected at least two classes"
            )
        seed = as_seed(self.random_state)
        options = self._options(seed)
        of_classes = self._weights_of_classes(y)
        if of_classes is not None:
            options.class_weights = of_classes.tolist()
        outcome = _core.train_horospheres(
            points,
            numbers,
            labels,
            weights,
            options,
            as_jobs(self.n_jobs),
        )
        n_stopped = self._keep(outcome, len(points[0]), seed)
        if n_stopped:
            warn(
                f"{n_stopped} of {len(self.slopes_)} horospheres were still improving after "
                f"max_iter={self.max_iter} steps; raise max_iter or tol",
                ConvergenceWarning,
            )

    def _options(self, seed: int) -> _core.HorosphereOptions:
        options = _core.HorosphereOptions(*self._space())
        options.cost = as_positive(self.C, "C")
        options.loss = as_choice(self.loss, "loss", ("squared_hinge", "hinge"))
        options.balance = as_between(self.beta, "beta", 1)
        options.n_restarts = as_whole(self.n_restarts, "n_restarts", 0)
        options.max_iterations = as_whole(self.max_iter, "max_iter", 1)
        options.tolerance = as_positive(self.tol, "tol")
        options.probability = as_flag(self.probability, "probability")
        options.seed = seed
        if self.class_weight is not None and self.beta != 0:
            raise ValueError(
                f"beta is {self.beta!r} and class_weight is {self.class_weight!r}, "
                "expected one of the two"
            )
        options.balance_classes = self._balance() is not None
        self._describe(options, seed)
        return options

    def _adopt(self, given: dict[str, Any]) -> None:
        super()._adopt(given)
        self.probability = self._model.has_probabilities
