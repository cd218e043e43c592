"""What scores of several methods on the same trials say: means, paired differences, ranks.

Trials are called unit/part. Trials of one unit share their rows or their embedding, so the mean of
each unit counts as one observation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

Scores = Mapping[str, float]
"""One method's score per trial."""


def summary(values: Sequence[float]) -> dict[str, Any]:
    """The mean and its standard error, which one value alone does not have."""
    n = len(values)
    error = float(np.std(values, ddof=1) / np.sqrt(n)) if n > 1 else None
    return {"mean": float(np.mean(values)), "standard_error": error}


def unit_means(scores: Scores) -> list[float]:
    """The mean of each unit, in the order of their names."""
    units: dict[str, list[float]] = {}
    for trial, score in sorted(scores.items()):
        units.setdefault(trial.rpartition("/")[0], []).append(score)
    return [float(np.mean(values)) for values in units.values()]


def ranks(means: Mapping[str, float], larger_is_better: bool) -> dict[str, float]:
    """1 for the best; equals share the mean of their ranks."""
    sign = -1 if larger_is_better else 1
    found = rankdata([sign * mean for mean in means.values()])
    return dict(zip(means, map(float, found), strict=True))


def compared(scores: Mapping[str, Scores], against: str, larger_is_better: bool) -> dict[str, Any]:
    """Each method on the trials that all of them have.

    `gain` is the paired difference to the method `against`: positive is better than it.
    """
    common = set.intersection(*(set(of_method) for of_method in scores.values()))
    if not common:
        return {"trials": 0, "units": 0, "methods": {}}
    units = {
        method: np.array(unit_means({trial: of_method[trial] for trial in common}))
        for method, of_method in scores.items()
    }
    methods = {method: summary(values.tolist()) for method, values in units.items()}
    found = ranks({name: entry["mean"] for name, entry in methods.items()}, larger_is_better)
    sign = 1 if larger_is_better else -1
    for method, entry in methods.items():
        entry["rank"] = found[method]
        if against in units:
            entry["gain"] = summary((sign * (units[method] - units[against])).tolist())
    return {"trials": len(common), "units": len(units[method]), "methods": methods}


def mean_ranks(tables: Mapping[str, Any], methods: Sequence[str]) -> dict[str, float | None]:
    """Over the data sets that every method has been tried on; None where there is none."""
    complete = [
        table["methods"] for table in tables.values() if set(methods) <= set(table["methods"])
    ]
    return {
        method: float(np.mean([of_data[method]["rank"] for of_data in complete]))
        if complete
        else None
        for method in methods
    }
