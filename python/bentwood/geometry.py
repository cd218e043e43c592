"""Hyperbolic, spherical, Euclidean and product geometry over rows of arrays."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_count, as_jobs, as_number, as_optional_text, as_text
from bentwood._arrays import Matrix, Precision, Vector, as_matrix, as_rows_together, as_vector
from bentwood._hulls import NearestPair, convex_hull, nearest_pair
from bentwood._random import as_seed
from bentwood._warn import warn, warn_of_projection

__all__ = [
    "Coordinates",
    "Manifold",
    "NearestPair",
    "PrecisionWarning",
    "convex_hull",
    "nearest_pair",
]

Coordinates = Literal["ambient", "poincare", "stereographic", "klein", "tangent"]


class PrecisionWarning(UserWarning):
    """Points lie where their coordinates can no longer tell neighbours apart."""


class Manifold:
    """A product of hyperbolic, spherical and Euclidean spaces whose points are rows of an array.

    Parameters
    ----------
    signature : str
        Factors ``H``, ``S`` or ``E`` with their dimension and, in parentheses, their curvature
        (-1, 1 and 0 if left out): ``"H2"``, ``"H2(-0.5) x (S2)^4 x E1"``.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How rows describe points: hyperboloid and sphere (``"ambient"``), Poincaré ball and
        stereographic plane, Klein ball and gnomonic plane, or the tangent space at the origin.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Notes
    -----
    Methods take anything that becomes a matrix of numbers and return float64 arrays. They raise
    ValueError, naming the row, where a point is off the manifold by more than rounding of its dtype
    explains; :meth:`project` mends such points. Tangent vectors are components in the same
    coordinates. A row's result does not depend on the other rows. Where a method takes row i of one
    array with row i of another, either may be one point, a vector or a single row, that goes with
    every row of the other.

    Examples
    --------
    >>> from bentwood.geometry import Manifold
    >>> disk = Manifold("H2", coordinates="poincare")
    >>> disk.distance([[0.0, 0.0]], [[0.5, 0.0]])
    array([1.09861229])

    """

    def __init__(
        self, signature: str, coordinates: Coordinates = "ambient", *, n_jobs: int | None = -1
    ) -> None:
        self._manifold = _core.Manifold(
            as_text(signature, "signature"), as_text(coordinates, "coordinates")
        )
        self.n_jobs = n_jobs if n_jobs is None else as_jobs(n_jobs)

    @property
    def signature(self) -> str:
        """The signature in canonical form."""
        return self._manifold.signature

    @property
    def coordinates(self) -> str:
        """The coordinates of the rows that methods take and return."""
        return self._manifold.coordinates

    @property
    def dim(self) -> int:
        """The dimension of the manifold."""
        return self._manifold.dim

    @property
    def ambient_dim(self) -> int:
        """The number of columns of a point in ambient coordinates."""
        return self._manifold.ambient_dim

    @property
    def n_columns(self) -> int:
        """The number of columns of a point in this manifold's coordinates."""
        return self._manifold.n_columns

    @property
    def natural_names(self) -> list[str]:
        """One name a column of :meth:`natural_coordinates`: ``h1.rapidity1``, ``s2.angle1``..."""
        return list(self._manifold.natural_names)

    @property
    def _jobs(self) -> int:
        """The threads of a call made now."""
        return as_jobs(self.n_jobs)

    def __repr__(self) -> str:
        """Return the call that makes an equal manifold."""
        return f"Manifold({self.signature!r}, coordinates={self.coordinates!r})"

    def __eq__(self, other: object) -> bool:
        """Compare signatures and coordinates."""
        if not isinstance(other, Manifold):
            return NotImplemented
        return (self.signature, self.coordinates) == (other.signature, other.coordinates)

    def __hash__(self) -> int:
        """Hash what equality compares."""
        return hash((self.signature, self.coordinates))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the arguments of the constructor."""
        return _rebuild, (self.signature, self.coordinates, self.n_jobs)

    def convert(
        self,
        X: npt.ArrayLike,
        source: Coordinates | None = None,
        target: Coordinates | None = None,
    ) -> Matrix:
        """Return the same points in other coordinates; None stands for the manifold's own."""
        return self._manifold.convert(
            as_matrix(X),
            as_optional_text(source, "source") or self.coordinates,
            as_optional_text(target, "target") or self.coordinates,
            self._jobs,
        )

    def contains(self, X: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Tell for each row whether it is on the manifold, up to rounding of its dtype."""
        return self._manifold.contains(as_matrix(X), self._jobs).view(np.bool_)

    def require(
        self, X: npt.ArrayLike, off_manifold: Literal["error", "project"] = "error"
    ) -> Matrix:
        """Return X as a float64 matrix of points of the manifold, or raise ValueError.

        With ``off_manifold="project"`` rows off the manifold are moved onto it, with a warning that
        counts them. Warns too where points lie beyond what their dtype can resolve.
        """
        points, precision = as_matrix(X)
        if off_manifold not in ("error", "project"):
            raise ValueError(
                f'unknown off_manifold "{off_manifold}", expected "error" or "project"'
            )
        n_projected, largest = 0, 0.0
        if off_manifold == "error":
            warning = self._manifold.require((points, precision), self._jobs)
        if off_manifold == "project" or precision != "float64":
            points, n_projected, largest = self._manifold.project((points, precision), self._jobs)
            warning = self._manifold.require((points, precision), self._jobs)
        warn_of_projection(n_projected, len(points), self.signature, largest)
        if warning:
            warn(warning, PrecisionWarning)
        return points

    def project(self, X: npt.ArrayLike) -> Matrix:
        """Return the points moved onto the manifold where they were off it.

        On H the spatial part stays and x_0 is recomputed, on S the vector is normalised, a point
        outside a ball is scaled just inside. Other rows come back untouched.
        """
        points: Matrix = self._manifold.project(as_matrix(X), self._jobs)[0]
        return points

    def distance(self, X: npt.ArrayLike, Y: npt.ArrayLike) -> Vector:
        """Return the distance of row i of X from row i of Y, or of one point from every row."""
        return self._manifold.distance(*self._pair(X, Y), self._jobs)

    def pairwise_distance(self, X: npt.ArrayLike, Y: npt.ArrayLike | None = None) -> Matrix:
        """Return the distances of all rows of X from all rows of Y (or of X)."""
        others = None if Y is None else as_matrix(Y, "Y")
        return self._manifold.pairwise_distance(as_matrix(X), others, self._jobs)

    def radii(self, X: npt.ArrayLike) -> Matrix:
        """Return the distance of each row from the origin within each factor, a column a factor."""
        return self._manifold.radii(as_matrix(X), self._jobs)

    def exp(self, X: npt.ArrayLike, V: npt.ArrayLike) -> Matrix:
        """Return where the geodesic from row i of X with velocity V[i] is at time 1."""
        points, (vectors, _) = self._pair(X, V, "V")
        return self._manifold.exp(points, vectors, self._jobs)

    def log(self, X: npt.ArrayLike, Y: npt.ArrayLike) -> Matrix:
        """Return the velocity at X[i] of the geodesic that is at Y[i] at time 1."""
        return self._manifold.log(*self._pair(X, Y), self._jobs)

    def transport(self, X: npt.ArrayLike, Y: npt.ArrayLike, V: npt.ArrayLike) -> Matrix:
        """Return the vectors V[i] at X[i] carried to Y[i] along the geodesic without turning."""
        points, others, (vectors, _) = as_rows_together((X, "X"), (Y, "Y"), (V, "V"))
        return self._manifold.transport(points, others, vectors, self._jobs)

    def geodesic(self, X: npt.ArrayLike, Y: npt.ArrayLike, t: npt.ArrayLike) -> Matrix:
        """Return the point a fraction t along the geodesic from X[i] to Y[i].

        ``t`` is one number, or one per row; 0 gives X and 1 gives Y. Of one pair of points many
        numbers give a path.
        """
        times = as_vector(np.atleast_1d(np.asarray(t)), "t")
        points, others = self._pair(X, Y)
        if len(points[0]) == len(others[0]) == 1:
            points, others, _ = as_rows_together((X, "X"), (Y, "Y"), (times.reshape(-1, 1), "t"))
        return self._manifold.geodesic(points, others, times, self._jobs)

    def midpoint(self, X: npt.ArrayLike, Y: npt.ArrayLike) -> Matrix:
        """Return the point halfway between X[i] and Y[i]."""
        return self._manifold.midpoint(*self._pair(X, Y), self._jobs)

    def lowest_common_ancestor(self, X: npt.ArrayLike, Y: npt.ArrayLike) -> Matrix:
        """Return the point nearest the origin on the geodesic segment from X[i] to Y[i].

        On a product each factor has its own.
        """
        return self._manifold.lowest_common_ancestor(*self._pair(X, Y), self._jobs)

    def inner(self, X: npt.ArrayLike, U: npt.ArrayLike, V: npt.ArrayLike) -> Vector:
        """Return the inner product of the vectors U[i] and V[i] at X[i]."""
        points, (left, _), (right, _) = as_rows_together((X, "X"), (U, "U"), (V, "V"))
        return self._manifold.inner(points, left, right, self._jobs)

    def mean(
        self,
        X: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        kind: Literal["frechet", "einstein"] = "frechet",
    ) -> Vector:
        """Return the centre of all rows, one point.

        ``"frechet"`` has the least weighted sum of squared distances; ``"einstein"`` is the closed
        form: the Lorentz centroid on H (Einstein midpoint), the normalised mean on S.
        """
        if kind not in ("frechet", "einstein"):
            raise ValueError(f'unknown kind "{kind}", expected "frechet" or "einstein"')
        shares = None if weights is None else as_vector(weights, "weights")
        centre: Vector = self._manifold.mean(as_matrix(X), shares, kind == "frechet", self._jobs)[0]
        return centre

    def busemann(self, X: npt.ArrayLike, ideal_point: npt.ArrayLike) -> Vector:
        """Return the Busemann function of every row for an ideal point.

        The ideal point is a direction in the tangent space at the origin (``dim`` numbers of any
        length). Values are lengths: 0 at the origin, falling by 1 for each unit of way towards it.
        """
        return self._manifold.busemann(
            as_matrix(X), as_vector(ideal_point, "ideal_point"), self._jobs
        )

    def natural_coordinates(self, X: npt.ArrayLike) -> Matrix:
        """Return the columns that trees cut: rapidities on H, angles on S, coordinates on E."""
        return self._manifold.natural_coordinates(as_matrix(X), self._jobs)

    def random(self, n_samples: int, scale: float = 1.0, random_state: Any = None) -> Matrix:
        """Return rows of the wrapped normal at the origin with standard deviation ``scale``."""
        return self._manifold.random(
            as_count(n_samples, "n_samples"),
            as_number(scale, "scale"),
            as_seed(random_state),
            self._jobs,
        )

    @staticmethod
    def _pair(
        X: npt.ArrayLike, Y: npt.ArrayLike, name: str = "Y"
    ) -> tuple[tuple[Matrix, Precision], tuple[Matrix, Precision]]:
        """Return rows that belong together; one point goes with every row of the others."""
        first, second = as_rows_together((X, "X"), (Y, name))
        return first, second


def _rebuild(signature: str, coordinates: Coordinates, n_jobs: int | None) -> Manifold:
    return Manifold(signature, coordinates, n_jobs=n_jobs)
