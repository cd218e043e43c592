"""Parameters of estimators: one menu for each name."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from api.dice import Dice
from api.points import Rows
from api.spaces import COORDINATES, Space
from api.targets import draw_class_weight
from api.values import EXTREME_COUNTS, EXTREME_NUMBERS, NOT_FINITE, count, number, wrong

SPLITS = ("geodesic", "pairs", "horosphere", "chordal")

#: How to draw a value that should be accepted. Those that cost time are kept small.
_PLAIN: dict[str, Callable[[Dice], Any]] = {
    "C": lambda dice: dice.one_of(1e-3, 0.1, 1.0, 10, 1e3),
    "average": lambda dice: dice.one_of(True, False),
    "beta": lambda dice: dice.one_of(0, 0.0, 0.5, 0.99, 1, 1.0),
    "bootstrap": lambda dice: dice.one_of(True, False),
    "counted": lambda dice: dice.one_of("all", "in_bag", "out_of_bag"),
    "density": lambda dice: dice.one_of(None, 0.1, 0.5, 1),
    "fit_intercept": lambda dice: dice.one_of(True, False),
    "hyperclasses": lambda dice: dice.one_of(True, False),
    "ideal_points": lambda dice: dice.one_of("svm", "search", "both", "axes"),
    "loss": lambda dice: dice.one_of("squared_hinge", "hinge"),
    "max_depth": lambda dice: dice.one_of(None, 1, 2, 5),
    "max_features": lambda dice: dice.one_of(None, "sqrt", "log2", 1, 2, 0.5, 1.0),
    "max_iter": lambda dice: dice.one_of(1, 5, 50, 200),
    "max_leaf_nodes": lambda dice: dice.one_of(None, 2, 3, 10),
    "max_samples": lambda dice: dice.one_of(None, 1, 0.5, 1.0),
    "max_updates": lambda dice: dice.one_of(None, 1, 10),
    "min_impurity_decrease": lambda dice: dice.one_of(0.0, 0.01, 1),
    "min_samples_leaf": lambda dice: dice.one_of(1, 2, 5, 0.1),
    "min_samples_split": lambda dice: dice.one_of(2, 3, 10, 0.1, 1.0),
    "min_share": lambda dice: dice.one_of(0, 0.1, 0.5),
    "min_weight_fraction_leaf": lambda dice: dice.one_of(0.0, 0.1, 0.5),
    "n_candidates": lambda dice: dice.one_of(1, 5, 60),
    "n_estimators": lambda dice: dice.randint(1, 5),
    "n_jobs": lambda dice: dice.one_of(1, 1, 1, 2, None, -1),
    "n_projections": lambda dice: dice.one_of(1, 4, 16),
    "n_restarts": lambda dice: dice.one_of(0, 1, 3),
    "off_manifold": lambda dice: dice.one_of("error", "project"),
    "oob_score": lambda dice: dice.one_of(True, False, _mean_agreement),
    "platt": lambda dice: dice.one_of("cross", "train"),
    "probability": lambda dice: dice.one_of(True, True, False),
    "projection": lambda dice: dice.one_of("guided", "sparse", "axis"),
    "random_state": lambda dice: dice.one_of(0, 1, 2**32 - 1, 2**64 - 1, np.int64(5)),
    "regularization": lambda dice: dice.one_of(0, 0.1, 1.0, 100),
    "shared": lambda dice: dice.one_of("evidence", "node", "leaf"),
    "shuffle": lambda dice: dice.one_of(True, False),
    "space": lambda dice: dice.one_of("tangent", "weighted", "lorentz"),
    "temperature": lambda dice: dice.one_of(0, 0.2, 5),
    "threshold": lambda dice: dice.one_of("gain", "margin"),
    "tol": lambda dice: dice.one_of(1e-8, 1e-4, 0.1),
    "verbose": lambda _dice: 0,
    "warm_start": lambda dice: dice.one_of(True, False),
}

#: Those that reach for the ends of a range of real numbers, and of one of integers.
_REALS = {
    "C", "beta", "density", "min_impurity_decrease", "min_share", "min_weight_fraction_leaf",
    "regularization", "temperature", "tol", "max_features", "max_samples", "min_samples_leaf",
    "min_samples_split",
}  # fmt: skip
_COUNTS = {
    "max_depth", "max_features", "max_leaf_nodes", "max_samples", "max_updates", "min_samples_leaf",
    "min_samples_split", "random_state",
}  # fmt: skip
#: Those that rightly take long where they are large.
_COSTLY = {"max_iter", "n_candidates", "n_estimators", "n_projections", "n_restarts"}
#: Those that depend on the points or the classes.
_OTHERS = {"class_weight", "coordinates", "criterion", "reference", "signature", "splits"}

#: Left at their defaults they would take long.
_ALWAYS = {"signature", "coordinates", "n_estimators", "random_state", "n_jobs", "max_iter"}


def draw_parameters(
    dice: Dice, estimator: type, space: Space, rows: Rows, classes: Any
) -> dict[str, Any]:
    """Return parameters for an estimator that is to learn from these rows."""
    names = list(inspect.signature(estimator).parameters)
    return {
        name: _draw(dice, estimator, name, space, rows, classes)
        for name in names
        if name in _ALWAYS or dice.chance(0.3)
    }


def draw_wrong(dice: Dice, name: str) -> Any:
    """Return what a parameter of that name is likely to refuse."""
    value = wrong(dice)
    is_long = isinstance(value, int | float) and name in _COSTLY and value > 1000
    return -1 if is_long else value


def require_menus(estimators: list[type]) -> None:
    """Raise LookupError where an estimator has a parameter that nothing is known about."""
    names = {name for kind in estimators for name in inspect.signature(kind).parameters}
    unknown = names - set(_PLAIN) - _OTHERS
    if unknown:
        raise LookupError(f"no menu for {sorted(unknown)}; add one to parameters.py")


def _draw(dice: Dice, estimator: type, name: str, space: Space, rows: Rows, classes: Any) -> Any:
    if dice.is_wrong(0.08):
        return draw_wrong(dice, name)
    if name == "signature":
        # None is Euclidean, or hyperbolic, as wide as the points.
        return (
            None
            if space.signature.startswith(("E", "H")) and dice.chance(0.05)
            else space.signature
        )
    if name == "coordinates":
        return space.coordinates if not dice.is_wrong(0.1) else dice.choice(COORDINATES)
    if name == "criterion":
        return _criterion(dice, estimator)
    if name == "splits":
        return _splits(dice)
    if name == "class_weight":
        return draw_class_weight(dice, _distinct(classes))
    if name == "reference":
        return _reference(dice, rows, classes)
    if dice.is_extreme(0.25):
        if name in _REALS and dice.chance(0.7):
            return dice.choice(EXTREME_NUMBERS)
        if name in _COUNTS:
            return dice.choice(EXTREME_COUNTS)
        if name == "n_estimators":
            return count(dice)
    if name in _REALS and dice.is_wrong(0.1):
        return dice.one_of(number(dice), *NOT_FINITE, -1, 2)
    return _PLAIN[name](dice)


def _criterion(dice: Dice, estimator: type) -> str:
    if estimator.__name__ == "GeodesicForest":
        return dice.one_of("fast_bic", "fast_bic_raw", "two_means", "em_bic")
    if estimator.__name__.endswith("Regressor"):
        return "squared_error"
    return dice.one_of("gini", "entropy", "log_loss")


def _splits(dice: Dice) -> Any:
    if dice.is_wrong(0.2):
        return dice.one_of(
            (), [], ("geodesic", 3), ("geodesc",), ("geodesic", "geodesic"), "x" * 99
        )
    return dice.choice(SPLITS) if dice.chance(0.4) else tuple(dice.some_of(SPLITS, 4))


def _reference(dice: Dice, rows: Rows, classes: Any) -> Any:
    if dice.chance(0.7) or rows.n_rows == 0:
        return dice.one_of("hull", "means", "origin")
    n_classes = len(_distinct(classes))
    return rows.array[dice.numbers.integers(rows.n_rows, size=1 if n_classes == 2 else n_classes)]


def _distinct(classes: Any) -> np.ndarray[Any, Any]:
    """Return the classes that occur, none where they cannot be compared."""
    try:
        return np.unique(np.asarray(classes))
    except (TypeError, ValueError):
        return np.array([])


def _mean_agreement(truth: Any, predicted: Any) -> float:
    """Return a score of the user's own."""
    agreement = np.mean(np.asarray(truth) == np.asarray(predicted))
    return float(agreement) if math.isfinite(agreement) else 0.0
