"""The rows that are learned from: points with all their numbers, and what each of them weighs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from bentwood._arrays import Matrix, Precision, Vector, as_matrix, as_vector
from bentwood._parameters import is_fraction, is_whole

#: Points as the compiled half takes them: numbers, and the precision that they were stored in.
Points = tuple[Matrix, Precision]


@contextlib.contextmanager
def foreign_look(names: str) -> Iterator[None]:
    """Let others look at arguments: scikit-learn sums and converts what may be too large for it."""
    with np.errstate(over="ignore", invalid="ignore"):
        try:
            yield
        except OverflowError:
            raise ValueError(f"{names} holds an integer beyond all numbers of float64") from None


def as_points(X: npt.ArrayLike) -> Points:
    """Return the rows of X; raises ValueError where a number is not finite."""
    points, precision = as_matrix(X)
    # The sum is finite where all numbers are, unless it overflows: then a closer look settles it.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(points.sum())
    if suspicious and not np.isfinite(points).all():
        bad = np.argwhere(~np.isfinite(points))
        row, column = bad[0]
        value = points[row, column]
        more = f"; {len(bad)} values are not finite" if len(bad) > 1 else ""
        raise ValueError(
            f"row {row}, column {column}: found {'NaN' if np.isnan(value) else value}, "
            f"expected a finite number{more}"
        )
    return points, precision


def as_row_weights(sample_weight: Any, n_rows: int) -> Vector | None:
    """Return a weight a row, or None where all weigh the same; one number is that of all rows."""
    if sample_weight is None:
        return None
    if is_fraction(sample_weight) or is_whole(sample_weight):
        weights = np.full(n_rows, float(sample_weight))
    else:
        weights = as_vector(sample_weight, "sample_weight", n_rows)
    if not weights.any():
        raise ValueError("sample_weight is zero in every row, expected one above zero at least")
    return weights
