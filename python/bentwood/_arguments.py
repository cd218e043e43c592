"""Checks of plain arguments, so that a wrong type is one line that names the argument."""

from __future__ import annotations

import operator
from typing import Any


def as_count(value: Any, name: str) -> int:
    """Return a count that C++ can hold."""
    count = _as_integer(value, name, "a whole number")
    if not 0 <= count < 2**63:
        raise ValueError(f"{name} is {count}, expected at least 0")
    return count


def as_number(value: Any, name: str) -> float:
    """Return a real number; text that looks like one is not one."""
    if not isinstance(value, (str, bytes, bytearray)):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise TypeError(f"{name} is {value!r}, expected a number")


def as_text(value: Any, name: str) -> str:
    """Return text that C++ can read: Python also has halves of characters."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {value!r}, which is not valid Unicode") from None
    return value


def as_optional_text(value: Any, name: str) -> str | None:
    """Return text or None."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected text or None")
    return None if value is None else as_text(value, name)


def as_list(value: Any, name: str, expected: str) -> list[Any]:
    """Return the items of a list or of anything like it, but of text."""
    if not isinstance(value, (str, bytes)):
        try:
            return list(value)
        except TypeError:
            pass
    raise TypeError(f"{name} is {value!r}, expected {expected}")


def as_jobs(n_jobs: Any) -> int:
    """Return a number of threads; negative ones leave cores out, and -1 none.

    None means what it means in scikit-learn: one thread, or what the context of
    ``joblib.parallel_config`` says.
    """
    if n_jobs is None:
        from joblib import effective_n_jobs  # scikit-learn's, which not all of the package needs

        return int(effective_n_jobs(None))
    jobs = _as_integer(n_jobs, "n_jobs", "a whole number or None")
    if not -(2**31) <= jobs < 2**31:
        raise ValueError(f"n_jobs is {jobs}, expected a number of threads")
    return jobs


def _as_integer(value: Any, name: str, expected: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected {expected}") from None
