"""From labels of any kind (numbers, text, dates) to the class indices that the library counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Indices = npt.NDArray[np.int64]


def as_labels(y: npt.ArrayLike, name: str) -> Array:
    """Return y as a vector of labels, none of them missing; raises ValueError otherwise."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise ValueError(f"{name} has masked entries, expected labels; fill or drop them first")
    array = np.asarray(y)
    if array.dtype.kind in "US" and isinstance(y, (list, tuple)):
        # NumPy has made text of everything in a list that holds some: of 1, and of nan.
        array = np.asarray(y, dtype=object)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}, expected one dimension")
    if array.shape[0] == 0:
        raise ValueError(f"{name} is empty, expected at least one label")
    row = _first_missing(array)
    if row is not None:
        raise ValueError(f"{name}[{row}] is {show(array[row])}, expected a label")
    return array


def require_equally_many(n_true: int, n_predicted: int, name: str) -> None:
    """Raise ValueError unless y_true and its partner of that name have as many rows."""
    if n_true != n_predicted:
        raise ValueError(
            f"y_true has {n_true} rows and {name} has {n_predicted}, expected equally many"
        )


def distinct(names: str, *arrays: Array) -> Array:
    """Return the labels that occur in the arrays, sorted."""
    try:
        result: Array = np.unique(np.concatenate(_alike(*arrays)))
    except TypeError:
        raise not_comparable(f"{names} hold", *arrays) from None
    return result


def indices(y: Array, name: str, labels: Array) -> Indices:
    """Return the place of each label of y among the distinct `labels`; ValueError for none."""
    y, labels = _alike(y, labels)
    try:
        order = np.argsort(labels, kind="stable")
        found = order[np.minimum(np.searchsorted(labels[order], y), len(labels) - 1)]
    except TypeError:
        raise not_comparable(f"{name} and labels hold", y, labels) from None
    unknown = np.flatnonzero(labels[found] != y)
    if unknown.size:
        row = unknown[0]
        raise ValueError(f"{name}[{row}] is {show(y[row])}, expected one of {show_all(labels)}")
    return np.require(found, dtype=np.int64, requirements=["C", "A"])


def not_comparable(holders: str, *arrays: Array) -> TypeError:
    """Return the error of labels that have no order: "y holds labels of types int, str"."""
    types = sorted({type(label).__name__ for array in arrays for label in array.tolist()})
    return TypeError(f"{holders} labels of types {', '.join(types)}, expected a single type")


def show(label: Any) -> str:
    """Return a label as the user would write it."""
    return repr(label.item() if isinstance(label, np.generic) else label)


def show_all(labels: Array) -> str:
    """Return the labels as the user would write them, the first ten where there are many."""
    shown = ", ".join(show(label) for label in labels[:10])
    return f"{shown}, ... ({len(labels)} labels)" if len(labels) > 10 else shown


def _alike(*arrays: Array) -> tuple[Array, ...]:
    """Return arrays that compare exactly: NumPy takes 1 for "1", and big integers for floats."""
    kinds = {array.dtype.kind for array in arrays}
    return arrays if len(kinds) == 1 else tuple(array.astype(object) for array in arrays)


def _first_missing(array: Array) -> int | None:
    if array.dtype.kind == "O":
        return next((row for row, label in enumerate(array) if _is_missing(label)), None)
    missing = np.flatnonzero(array != array)  # as NaN and NaT do
    return int(missing[0]) if missing.size else None


def _is_missing(label: Any) -> bool:
    try:
        return label is None or not bool(label == label)
    except TypeError:  # pandas.NA is neither equal to itself nor not
        return True
