"""What must be true of every call: of what it raises, warns of and returns."""

from __future__ import annotations

import dataclasses
import dis
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.exceptions import (
    ConvergenceWarning,
    DataConversionWarning,
    NotFittedError,
    UndefinedMetricWarning,
)

import bentwood
from bentwood.geometry import PrecisionWarning

PACKAGE = str(Path(bentwood.__file__).parent)

#: Nothing else may come out of the package, nor a subclass of these but of OSError.
ERRORS = (ValueError, TypeError, NotFittedError, AttributeError, MemoryError)

WARNINGS = (
    UserWarning,
    PrecisionWarning,
    ConvergenceWarning,
    DataConversionWarning,
    UndefinedMetricWarning,
)

_RAISES = {dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]}


def fault_of_error(error: BaseException) -> str | None:
    """Return what is wrong with an exception, None where it is one that a user may see."""
    kind = type(error)
    ours = _last_frame(error.__traceback__)
    # scikit-learn has kinds of ValueError of its own.
    known = kind in ERRORS or (ours is None and isinstance(error, ValueError))
    if not isinstance(error, OSError | MemoryError) and not known:
        return f"raises {kind.__name__}"
    if isinstance(error, MemoryError):
        return None
    message = str(error)
    if not message.strip():
        return f"raises {kind.__name__} without a message"
    if ours is None:
        return None
    if "\n" in message:
        return f"raises {kind.__name__} with a message of several lines"
    if "incompatible function arguments" in message:
        return "raises the compiled half's TypeError"
    # One that the package has not raised itself is an accident, and so is its message.
    if kind in (TypeError, AttributeError) and not _is_raised_on_purpose(ours):
        return f"raises {kind.__name__} by accident"
    return None


def place_of_error(error: BaseException) -> str:
    """Return the function of the package that an exception came from or through."""
    place = "outside of the package"
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(PACKAGE):
            place = f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_qualname}"
        trace = trace.tb_next
    return place


def fault_of_warning(warning: warnings.WarningMessage) -> str | None:
    """Return what is wrong with a warning."""
    if warning.category in WARNINGS:
        return None
    # Scores are scikit-learn's, and may overflow there.
    if "/sklearn/metrics/" in warning.filename:
        return None
    return f"warns with {warning.category.__name__}"


def numbers_in(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Return all arrays of real numbers that a result or an argument holds."""
    if isinstance(value, np.ma.MaskedArray):
        value = value.filled(np.nan) if value.dtype.kind == "f" else value.data
    if isinstance(value, pd.DataFrame | pd.Series):
        value = value.to_numpy()
    if sparse.issparse(value):
        value = value.data
    if isinstance(value, float | np.floating):
        yield np.asarray(value, dtype=np.float64)
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            yield value
        elif value.dtype.kind == "O":
            yield np.array([x for x in value.flat if isinstance(x, float)], dtype=np.float64)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from numbers_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from numbers_in(each)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from numbers_in(getattr(value, field.name))
    elif hasattr(value, "to_numpy"):
        yield from numbers_in(value.to_numpy())


def is_finite(value: Any) -> bool:
    """Tell whether there is no NaN and no infinity in a value."""
    return all(np.isfinite(array).all() for array in numbers_in(value))


def same_bits(first: Any, second: Any) -> bool:
    """Tell whether two results are equal to the last bit; NaN equals itself."""
    if type(first) is not type(second):
        return False
    if sparse.issparse(first):
        parts = ("data", "indices", "indptr")
        return all(same_bits(getattr(first, part), getattr(second, part)) for part in parts)
    if isinstance(first, np.ndarray):
        if first.shape != second.shape or first.dtype.kind != second.dtype.kind:
            return False
        if first.dtype.kind == "O":
            return all(same_bits(a, b) for a, b in zip(first.flat, second.flat, strict=True))
        # Text may be given more room than it needs.
        if first.dtype.kind == "U":
            return bool((first == second).all())
        return first.tobytes() == second.tobytes()
    if isinstance(first, Mapping):
        return same_bits(list(first.items()), list(second.items()))
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(
            same_bits(a, b) for a, b in zip(first, second, strict=True)
        )
    if dataclasses.is_dataclass(first):
        return all(
            same_bits(getattr(first, field.name), getattr(second, field.name))
            for field in dataclasses.fields(first)
        )
    if isinstance(first, float):
        return np.float64(first).tobytes() == np.float64(second).tobytes()
    if isinstance(first, str | bytes | int | np.generic):
        return bool(first == second)
    # Of anything else, such as an estimator, there is nothing to compare.
    return True


def _last_frame(trace: TracebackType | None) -> TracebackType | None:
    """Return the innermost frame where it is of the package, None where it is another's."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not trace.tb_frame.f_code.co_filename.startswith(PACKAGE):
        return None
    return trace


def _is_raised_on_purpose(trace: TracebackType) -> bool:
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] in _RAISES
