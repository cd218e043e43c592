"""How many neighbours found are neighbours in truth, a part of bentwood.metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_count, as_jobs
from bentwood._arrays import Matrix, Vector, as_matrix, as_vector
from bentwood._labels import Indices, as_labels, distinct, indices
from bentwood._scored import n_dimensions
from bentwood.geometry import Coordinates, Manifold

Distances = Callable[[Indices], npt.ArrayLike]


def geodesic_precision(
    neighbors: npt.ArrayLike,
    *,
    labels: npt.ArrayLike | None = None,
    positions: npt.ArrayLike | None = None,
    signature: str | None = None,
    coordinates: Coordinates = "ambient",
    distances: npt.ArrayLike | Distances | None = None,
    n_neighbors: int | npt.ArrayLike | None = None,
    per_row: bool = False,
    n_jobs: int | None = -1,
) -> float | Vector | Matrix:
    """Return the share of the neighbours found that are neighbours in truth.

    Of Madhyastha et al., "Geodesic Forests", KDD 2020. The truth is one of three: `labels`, where
    the true neighbours of a row are all others with its label; `positions` on a manifold, or
    `distances`, where they are as many others as are looked at, the nearest, and those that are as
    near as the last of them.

    Parameters
    ----------
    neighbors : array-like of shape (n_samples, n_found)
        The rows found nearest to each row, the nearest first, without the row itself: the second
        result of ``kneighbors()``.
    labels : array-like of shape (n_samples,)
        Rows with the same label are neighbours.
    positions : array-like of shape (n_samples,) or (n_samples, n_columns)
        Where the rows are in truth: along a curve, or on the manifold of `signature`.
    signature : str or None
        The manifold of `positions`, such as ``"S2"``; None is Euclidean space of their width.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How `positions` describe points of it.
    distances : array-like of shape (n_samples, n_samples) or callable
        The true distances; or a function that gives those of an array of rows from all rows, a row
        each, where all at once would be too many.
    n_neighbors : int, array-like of int or None
        How many of the neighbours found are judged; None is all. Of several numbers the result has
        one score each: a curve.
    per_row : bool
        Whether to return the score of each row instead of their mean.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    float or ndarray
        One number; of shape (n_samples,) with `per_row`, (len(n_neighbors),) for a curve and
        (n_samples, len(n_neighbors)) for both.

    Examples
    --------
    >>> from bentwood.metrics import geodesic_precision
    >>> neighbors = [[1, 2], [0, 2], [1, 3], [2, 0]]
    >>> geodesic_precision(neighbors, positions=[0.0, 1.0, 2.1, 3.3])
    0.875
    >>> geodesic_precision(neighbors, labels=["a", "a", "b", "b"], n_neighbors=[1, 2])
    array([0.75, 0.5 ])

    """
    return _score(
        0, neighbors, labels, positions, signature, coordinates, distances, n_neighbors, per_row,
        n_jobs,
    )  # fmt: skip


def geodesic_recall(
    neighbors: npt.ArrayLike,
    *,
    labels: npt.ArrayLike | None = None,
    positions: npt.ArrayLike | None = None,
    signature: str | None = None,
    coordinates: Coordinates = "ambient",
    distances: npt.ArrayLike | Distances | None = None,
    n_neighbors: int | npt.ArrayLike | None = None,
    per_row: bool = False,
    n_jobs: int | None = -1,
) -> float | Vector | Matrix:
    """Return the share of the true neighbours that were found; as :func:`geodesic_precision`.

    With `labels` it grows with `n_neighbors` to 1: precision over recall is a curve. With
    `positions` or `distances` there are as many true neighbours as are looked at, and recall is
    precision but for ties in truth. It is 0 for a row that is alone with its label.

    Examples
    --------
    >>> from bentwood.metrics import geodesic_recall
    >>> neighbors = [[1, 2], [0, 2], [3, 1], [2, 0]]
    >>> geodesic_recall(neighbors, labels=["a", "a", "a", "b"], n_neighbors=[1, 2])
    array([0.25 , 0.625])

    """
    return _score(
        1, neighbors, labels, positions, signature, coordinates, distances, n_neighbors, per_row,
        n_jobs,
    )  # fmt: skip


def _score(
    which: int,
    neighbors: npt.ArrayLike,
    labels: npt.ArrayLike | None,
    positions: npt.ArrayLike | None,
    signature: str | None,
    coordinates: Coordinates,
    distances: npt.ArrayLike | Distances | None,
    n_neighbors: int | npt.ArrayLike | None,
    per_row: bool,
    n_jobs: int | None,
) -> float | Vector | Matrix:
    """Return precision (0) or recall (1)."""
    given = {"labels": labels, "positions": positions, "distances": distances}
    names = [name for name, truth in given.items() if truth is not None]
    if len(names) != 1:
        raise ValueError(
            f"the truth is {' and '.join(names) or 'not given'}, expected one of labels, "
            "positions and distances"
        )
    if positions is None and signature is not None:
        raise ValueError(f"signature is {signature!r}, which goes with positions alone")
    found = _as_neighbors(neighbors)
    sizes = _as_sizes(n_neighbors, found.shape[1])
    jobs = as_jobs(n_jobs)
    if labels is not None:
        known = as_labels(labels, "labels")
        _require_rows(len(known), "labels", found)
        classes = indices(known, "labels", distinct("labels", known))
        tables = _core.class_neighbour_scores(found, classes, sizes, jobs)
    elif positions is not None:
        manifold, points = _as_positions(positions, signature, coordinates)
        _require_rows(len(points), "positions", found)
        tables = _core.manifold_neighbour_scores(
            found, manifold._manifold, (points, "float64"), sizes, jobs
        )
    else:
        tables = _core.distance_neighbour_scores(found, _strips(distances, found), sizes, jobs)
    scores: Matrix = tables[which]
    if not per_row:
        means: Vector = scores.mean(axis=0)
        return means if _is_curve(n_neighbors) else float(means[0])
    return scores if _is_curve(n_neighbors) else np.ascontiguousarray(scores[:, 0])


def _as_neighbors(neighbors: npt.ArrayLike) -> Indices:
    array = np.asarray(neighbors)
    if array.ndim != 2:
        raise ValueError(
            f"neighbors has shape {array.shape}, expected two dimensions (rows, neighbours)"
        )
    if array.dtype.kind not in "iu":
        raise TypeError(f"neighbors has dtype {array.dtype}, expected numbers of rows")
    return np.require(array, dtype=np.int64, requirements=["C", "A"])


def _is_curve(n_neighbors: int | npt.ArrayLike | None) -> bool:
    return n_neighbors is not None and np.ndim(n_neighbors) > 0


def _as_sizes(n_neighbors: Any, n_found: int) -> list[int]:
    if n_neighbors is None:
        return [n_found]
    if np.ndim(n_neighbors) > 1:
        raise ValueError(
            f"n_neighbors has shape {np.shape(n_neighbors)}, expected a number or a list of them"
        )
    return [as_count(size, "n_neighbors") for size in np.atleast_1d(n_neighbors).tolist()]


def _require_rows(n_rows: int, name: str, neighbors: Indices) -> None:
    if n_rows != len(neighbors):
        raise ValueError(
            f"neighbors has {len(neighbors)} rows and {name} has {n_rows}, expected equally many"
        )


def _as_positions(
    positions: npt.ArrayLike, signature: str | None, coordinates: Coordinates
) -> tuple[Manifold, Matrix]:
    """Return the manifold, and points that are on it."""
    if n_dimensions(positions) == 1:
        positions = as_vector(positions, "positions").reshape(-1, 1)
    matrix, _ = as_matrix(positions, "positions")
    manifold = Manifold(signature or f"E{matrix.shape[1]}", coordinates)
    return manifold, manifold.require(positions)


def _strips(
    distances: npt.ArrayLike | Distances | None, neighbors: Indices
) -> Callable[[int, int], Matrix]:
    """Return the function that the library asks for the distances of a strip of rows."""
    if callable(distances):
        ask = distances
        return lambda begin, end: as_matrix(ask(np.arange(begin, end)), "distances")[0]
    matrix, _ = as_matrix(distances, "distances")  # type: ignore[arg-type]
    if matrix.shape != (len(neighbors), len(neighbors)):
        raise ValueError(
            f"distances has shape {matrix.shape}, expected {(len(neighbors), len(neighbors))}"
        )
    return lambda begin, end: matrix[begin:end]
