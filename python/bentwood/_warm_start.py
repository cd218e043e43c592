"""What a forest that grows on was grown with before, and what of it is something else now."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bentwood import _core
from bentwood._arrays import Matrix, Vector
from bentwood._classifier import ClassNumbers
from bentwood._rows import Points

#: More trees are what is wanted; another signature is refused, and so are other classes.
FREE = {"n_estimators", "signature", "class_dtype"}


def fingerprint(
    points: Points, target: Matrix | ClassNumbers, weights: Vector | None
) -> dict[str, str]:
    """Return a checksum of each argument of ``fit``, in a millisecond for 10 MB."""
    return {
        "X": _core.checksum(points[0]),
        "y": _core.checksum(target),
        "sample_weight": "" if weights is None else _core.checksum(weights),
    }


def changed_rows(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return which arguments of ``fit`` are not those of before, where these are known."""
    return [name for name in now if before.get(name, now[name]) != now[name]]


def changed_parameters(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the parameters, given as JSON, that would have grown other trees."""
    return sorted(
        name
        for name in (before.keys() & now.keys()) - FREE
        if json.loads(before[name]) != json.loads(now[name])
    )
