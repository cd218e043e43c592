"""From what users have (lists, frames, arrays of any number type) to what the library views.

The compiled half takes float64 arrays in C order. Where the input already is one it passes through
without a copy.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
Precision = Literal["float16", "float32", "float64"]


def as_matrix(X: npt.ArrayLike, name: str = "X") -> tuple[Matrix, Precision]:
    """Return the rows of X as a float64 matrix in C order, and the precision they were stored in.

    The precision decides how far from a manifold rounding alone may have put a point. Raises
    TypeError for what is not numbers and ValueError for what is not a matrix.
    """
    array = _as_numbers(X, name)
    if array.ndim != 2:
        hint = f"; for a single point pass {name}.reshape(1, -1)" if array.ndim == 1 else ""
        raise ValueError(
            f"{name} has shape {array.shape}, expected two dimensions (rows, columns){hint}"
        )
    return _as_float64(array), _precision(array)


def as_rows_together(*given: tuple[npt.ArrayLike, str]) -> list[tuple[Matrix, Precision]]:
    """Return several matrices of rows that belong together, row i to row i.

    A vector, or a matrix of one row, goes with every row of the others. Each argument is an array
    and its name in messages.
    """
    arrays = [_as_numbers(values, name) for values, name in given]
    matrices = [
        as_matrix(array.reshape(1, -1) if array.ndim == 1 else array, name)
        for array, (_, name) in zip(arrays, given, strict=True)
    ]
    counts = {len(rows) for rows, _ in matrices} - {1}
    if len(counts) != 1:  # all have one row, or the library says which have too few
        return matrices
    (n_rows,) = counts
    return [
        (np.repeat(rows, n_rows, axis=0) if len(rows) == 1 else rows, precision)
        for rows, precision in matrices
    ]


def as_vector(x: npt.ArrayLike, name: str, size: int | None = None) -> Vector:
    """Return x as a float64 vector, of the given size where there is one.

    Raises TypeError for what is not numbers and ValueError for another shape.
    """
    array = _as_numbers(x, name)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}, expected one dimension")
    if size is not None and array.shape[0] != size:
        raise ValueError(f"{name} has {array.shape[0]} entries, expected {size}")
    return _as_float64(array)


def refuse_masked(values: Any, name: str) -> None:
    """Raise ValueError where an array's mask hides some of its numbers."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked entries, expected numbers; fill or drop them first")


def _as_numbers(values: Any, name: str) -> npt.NDArray[Any]:
    if sparse.issparse(values):
        raise TypeError(
            f"{name} is a sparse matrix, expected a dense array; "
            f"pass {name}.toarray() if it fits in memory"
        )
    refuse_masked(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} is not a matrix: its rows have different lengths") from error
    if array.dtype.kind == "O" and _is_frame_of_numbers(values):
        # pandas' nullable columns become objects unless asked; their missing values become NaN.
        array = values.to_numpy(dtype=np.float64, na_value=np.nan)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} has dtype {array.dtype}, expected real numbers")
    return array


def _is_frame_of_numbers(values: Any) -> bool:
    dtypes = getattr(values, "dtypes", None)
    if dtypes is None or not hasattr(values, "to_numpy"):
        return False
    return all(getattr(dtype, "kind", "O") in "fiub" for dtype in np.atleast_1d(dtypes))


def _as_float64(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return np.require(array, dtype=np.float64, requirements=["C", "A"])


def _precision(array: npt.NDArray[Any]) -> Precision:
    if array.dtype.kind != "f" or array.dtype.itemsize >= 8:
        return "float64"
    return "float32" if array.dtype.itemsize == 4 else "float16"
