"""Geodesic convex hulls, and the nearest points of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arrays import Vector, as_matrix

if TYPE_CHECKING:
    from bentwood.geometry import Manifold


@dataclass(frozen=True)
class NearestPair:
    """The nearest points of two convex hulls, in the manifold's coordinates."""

    first: Vector
    second: Vector
    #: Halfway between them.
    midpoint: Vector
    distance: float
    #: Whether the hulls have a point in common, which then is all three.
    overlap: bool


def convex_hull(manifold: Manifold, X: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the rows that are vertices of the geodesic convex hull of all rows.

    Geodesics are straight in Klein coordinates, so it is the Euclidean hull there. In two
    dimensions in O(n log n); above, the time grows with the number of vertices.

    Parameters
    ----------
    manifold : Manifold
        One hyperbolic or Euclidean factor.
    X : array-like of shape (n_samples, n_columns)
        Points of the manifold.

    Returns
    -------
    ndarray of int
        Row numbers: in two dimensions counter-clockwise, else ascending; of equal rows the first.

    Examples
    --------
    >>> from bentwood.geometry import Manifold, convex_hull
    >>> disk = Manifold("H2", coordinates="poincare")
    >>> convex_hull(disk, [[0.5, 0.0], [0.0, 0.5], [-0.5, -0.5], [0.1, 0.1]]).tolist()
    [2, 0, 1]

    """
    return _core.convex_hull(manifold._manifold, as_matrix(X), manifold._jobs)


def nearest_pair(manifold: Manifold, X: npt.ArrayLike, Y: npt.ArrayLike) -> NearestPair:
    """Return the nearest points of the geodesic convex hulls of two sets of points.

    Exact up to rounding in any dimension; no hull is built.

    Parameters
    ----------
    manifold : Manifold
        One hyperbolic or Euclidean factor.
    X, Y : array-like of shape (n_samples, n_columns)
        The points of the two sets.

    Returns
    -------
    NearestPair
        ``first`` and ``second``, their ``midpoint`` and ``distance``, and whether the hulls
        ``overlap``.

    Examples
    --------
    >>> from bentwood.geometry import Manifold, nearest_pair
    >>> disk = Manifold("H2", coordinates="poincare")
    >>> pair = nearest_pair(disk, [[0.5, 0.2], [0.5, -0.2]], [[-0.5, 0.2], [-0.5, -0.2]])
    >>> round(pair.distance, 4), pair.overlap
    (2.0664, False)

    """
    first, second, midpoint, distance, overlap = _core.nearest_pair(
        manifold._manifold, as_matrix(X), as_matrix(Y, "Y"), manifold._jobs
    )
    return NearestPair(first[0], second[0], midpoint[0], distance, overlap)
