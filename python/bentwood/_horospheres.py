"""The horospheres that trees cut, and what each is worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arrays import Matrix, Vector
from bentwood._estimator import TreeEstimator
from bentwood._parameters import as_whole


class Horospheres(NamedTuple):
    """The horospheres that trees cut in one hyperbolic factor, one entry a node that cuts one."""

    tree: npt.NDArray[np.int64]
    """The number of the tree."""
    node: npt.NDArray[np.int64]
    """The number of the node within it."""
    ideal_point: Matrix
    """The unit vector ``w`` where the horosphere touches the boundary."""
    level: Vector
    """The value of the Busemann function ``B_w`` on it, in curvature radii; less goes left."""
    importance: Vector
    """Its share of the decrease in impurity; their sum is the importance of all of them."""


def horospheres(estimator: TreeEstimator, factor: int | None = None) -> Horospheres:
    """Return the horospheres that the trees of an estimator cut, and what each is worth.

    Parameters
    ----------
    estimator : fitted tree or forest
        Any that cuts horospheres: ``HoroTreeClassifier``, ``HoroForestClassifier`` or a tree or
        forest with ``"horosphere"`` among its ``splits``.
    factor : int or None
        The hyperbolic factor's place in the signature, from 0; None means the only one.

    Examples
    --------
    >>> from bentwood import HoroTreeClassifier
    >>> from bentwood.datasets import make_mixture
    >>> from bentwood.horo import horospheres
    >>> X, y = make_mixture(200, "H2", random_state=1)
    >>> model = HoroTreeClassifier("H2", coordinates="ambient", random_state=0).fit(X, y)
    >>> found = horospheres(model)
    >>> found.ideal_point.shape[1], round(float(found.importance.sum()), 6)
    (2, 1.0)

    """
    check_is_fitted(estimator)
    forest = estimator._model
    factors = list(_core.horosphere_factors(forest))
    if not factors:
        raise ValueError(f"{type(estimator).__name__} cuts no horospheres: splits lack them")
    if factor is None and len(factors) > 1:
        raise ValueError(f"{forest.signature} has horospheres in factors {factors}, name one")
    place = factors[0] if factor is None else as_whole(factor, "factor", 0)
    if place not in factors:
        raise ValueError(f"factor is {factor}, expected one of {factors}")
    return Horospheres(*_core.horospheres(forest, factors.index(place)))
