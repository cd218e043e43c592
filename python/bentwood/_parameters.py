"""Checks of estimators' parameters, and from scikit-learn's meanings to the library's.

What a parameter may be is scikit-learn's; a wrong one is one line that names it.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bentwood import _core
from bentwood._arguments import as_text

#: Larger than any count of rows, leaves or levels.
UNLIMITED = 2**63 - 1


def as_whole(value: Any, name: str, least: int) -> int:
    """Return a whole number of at least ``least``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if is_flag(value) or number < least:
        raise ValueError(f"{name} is {value!r}, expected a whole number of at least {least}")
    if number > UNLIMITED:
        raise ValueError(f"{name} is {value!r}, expected less than 2**63")
    return number


def as_limit(value: Any, name: str, least: int, unlimited: int) -> int:
    """Return a whole number of at least ``least``, or ``unlimited`` for None."""
    if value is None:
        return unlimited
    try:
        return as_whole(value, name, least)
    except ValueError as error:
        raise ValueError(f"{error}, or None") from None


def as_between(value: Any, name: str, most: float) -> float:
    """Return a number from 0 to ``most``."""
    if is_fraction(value) or is_whole(value):
        number = _as_float(value)
        if 0 <= number <= most and math.isfinite(number):
            return number
    bounds = "of at least 0" if most == math.inf else f"from 0 to {most}"
    raise ValueError(f"{name} is {value!r}, expected a number {bounds}")


def as_share(value: Any, name: str) -> float:
    """Return a number above 0 and at most 1."""
    if (is_fraction(value) or is_whole(value)) and 0 < value <= 1:
        return float(value)
    raise ValueError(f"{name} is {value!r}, expected a number above 0 and at most 1, or None")


def as_positive(value: Any, name: str) -> float:
    """Return a number above 0."""
    if is_fraction(value) or is_whole(value):
        number = _as_float(value)
        if 0 < number < math.inf:
            return number
    raise ValueError(f"{name} is {value!r}, expected a number above 0")


def as_rows(value: Any, name: str, n_rows: int, least: int) -> int:
    """Return a count of rows, given as such or as a fraction of all, rounded up."""
    if is_fraction(value):
        if not 0 < value <= 1:
            raise ValueError(f"{name} is {value!r}, expected a fraction in (0, 1]")
        return max(least, math.ceil(float(value) * n_rows))
    try:
        return as_whole(value, name, least)
    except ValueError as error:
        raise ValueError(f"{error}, or a fraction of the rows") from None


def as_features(value: Any, n_columns: int) -> int:
    """Return how many columns a node looks at."""
    if value is None:
        return max(1, n_columns)
    if isinstance(value, str):
        if value == "sqrt":
            return _core.square_root_features(n_columns)
        if value == "log2":
            return _core.logarithm_features(n_columns)
    elif is_fraction(value):
        if 0 < value <= 1:
            return max(1, int(value * n_columns))
    elif is_whole(value) and value >= 1:
        return min(as_whole(value, "max_features", 1), max(1, n_columns))
    raise ValueError(
        f"max_features is {value!r}, expected a number of columns of at least 1, "
        'a fraction in (0, 1], "sqrt", "log2" or None'
    )


def as_drawn_rows(value: Any, n_rows: int, bootstrap: bool) -> int:
    """Return how many rows a tree draws; 0 means as many as there are."""
    if value is None:
        return 0
    if not bootstrap:
        raise ValueError(f"max_samples is {value!r}, which needs bootstrap=True")
    if is_fraction(value):
        if 0 < value <= 1:
            return max(1, round(float(value) * n_rows))
    elif is_whole(value) and 1 <= value <= n_rows:
        return int(value)
    raise ValueError(
        f"max_samples is {value!r}, expected a number of rows from 1 to {n_rows}, "
        "a fraction in (0, 1] or None"
    )


def as_choice(value: Any, name: str, choices: Sequence[str]) -> str:
    """Return one of some words."""
    if isinstance(value, str) and value in choices:
        return value
    listed = " or ".join(f'"{choice}"' for choice in choices)
    raise ValueError(f"{name} is {value!r}, expected {listed}")


def as_flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if is_flag(value):
        return bool(value)
    raise ValueError(f"{name} is {value!r}, expected True or False")


def as_splits(splits: Any) -> list[str]:
    """Return the names of families of columns; one may stand alone."""
    if isinstance(splits, str):
        return [as_text(splits, "splits")]
    if not isinstance(splits, (tuple, list)):
        raise TypeError(f"splits is {splits!r}, expected names such as ('geodesic', 'pairs')")
    return [as_text(name, "a name in splits") for name in splits]


def is_flag(value: Any) -> bool:
    """Tell whether a value is True or False, of Python or of NumPy."""
    return isinstance(value, (bool, np.bool_))


def is_fraction(value: Any) -> bool:
    """Tell whether a value is a real number that is not of an integer type."""
    return isinstance(value, (float, np.floating))


def is_whole(value: Any) -> bool:
    """Tell whether a value is of an integer type."""
    # A span of time is a subclass of numpy's integers.
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def as_json(value: Any) -> str | None:
    """Return a parameter as JSON for the model file, or None where it has no such form.

    The classes and weights of a dict become a list of pairs: JSON's keys are text.
    """
    if isinstance(value, Mapping):
        value = [[_plain(key), _plain(weight)] for key, weight in value.items()]
    try:
        return json.dumps(_plain(value), allow_nan=False)
    except (TypeError, ValueError):
        return None


def _as_float(value: Any) -> float:
    """Return a number, infinite where it is an integer beyond all of float's."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
