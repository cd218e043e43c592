"""Metrics: labels, scores and neighbours that fit together, or not."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from api.arguments import draw_named
from api.dice import Dice
from api.points import Array
from api.session import Session
from api.spaces import COORDINATES
from api.targets import draw_classes, draw_values, draw_weights
from api.values import EXTREME_NUMBERS, count, number
from bentwood import metrics

FUNCTIONS = [
    function
    for function in (getattr(metrics, name) for name in metrics.__all__)
    if inspect.isfunction(function)
]

#: Scores that are no shares.
_UNBOUNDED = {"log_loss", "r2", "rmse", "mae", "mistake_severity", "hierarchical_distance"}


def run(session: Session) -> None:
    """Score something."""
    dice = session.dice
    function = dice.choice(FUNCTIONS)
    name = function.__name__
    arguments = draw_named(dice, function, _menu(dice, name))
    # t is infinite where differences are all the same, and an error beyond all numbers overflows.
    finite = dice.mood == "plain" and name != "paired_t_test"
    told = session.call(name, function, finite=finite, twice=True, **arguments)
    if told.ok and isinstance(told.value, float) and name not in _UNBOUNDED:
        session.require(name, "is no share", 0 <= told.value <= 1, told.value)
    if told.ok and isinstance(told.value, float) and dice.mood != "plain":
        session.require(name, "is NaN", not math.isnan(told.value), arguments)


def _menu(dice: Dice, name: str) -> dict[str, Callable[[Dice], Any]]:
    """Return how to draw arguments that belong together."""
    n_rows = dice.one_of(1, 2, 5, 20)
    if name in ("rmse", "mae", "r2"):
        shape = dice.one_of((n_rows,), (n_rows,), (n_rows, 2))
        truth: Any = _numbers(dice, *shape)
        predicted: Any = truth.copy() if dice.chance(0.1) else _numbers(dice, *shape)
        if dice.mood == "wrong":
            predicted = draw_values(dice, n_rows)
    else:
        truth, predicted = draw_classes(dice, n_rows), draw_classes(dice, n_rows)
        if name in ("log_loss", "roc_auc", "average_precision"):
            truth = dice.numbers.integers(2, size=n_rows) if dice.chance(0.7) else truth
    return {
        "y_true": lambda _dice: truth,
        "y_pred": lambda _dice: predicted,
        "y_proba": lambda dice: _shares(dice, n_rows),
        "y_score": lambda dice: dice.one_of(_numbers(dice, n_rows), _numbers(dice, n_rows, 2)),
        "sample_weight": lambda dice: draw_weights(dice, n_rows),
        "labels": lambda dice: dice.one_of(None, [0, 1], [1, 0], [0, 1, 2, 3, 4], truth),
        "average": lambda dice: dice.one_of("binary", "micro", "macro", "weighted", None),
        "pos_label": lambda dice: dice.one_of(0, 1, "a", None, np.int64(1)),
        "tree": lambda dice: dice.choice(_TREES)(dice),
        "first": lambda dice: _numbers(dice, n_rows),
        "second": lambda dice: _numbers(dice, n_rows),
        "confidence": lambda dice: dice.one_of(0.95, 0.5, number(dice)),
        "neighbors": lambda dice: _neighbours(dice, n_rows),
        "positions": lambda dice: dice.one_of(
            None, _numbers(dice, n_rows), _numbers(dice, n_rows, 2)
        ),
        "signature": lambda dice: dice.one_of(None, None, "E2", "H2", "S1"),
        "coordinates": lambda dice: dice.choice(COORDINATES),
        "distances": lambda dice: dice.one_of(None, None, np.abs(_numbers(dice, n_rows, n_rows))),
        "n_neighbors": lambda dice: dice.one_of(None, 1, [1, 2], count(dice)),
        "per_row": lambda dice: dice.one_of(True, False),
        "n_jobs": lambda dice: dice.one_of(1, 1, 2, None),
    }


def _numbers(dice: Dice, *shape: int) -> Array:
    if dice.is_extreme(0.7):
        return dice.numbers.choice(EXTREME_NUMBERS, size=shape)
    return dice.normals(*shape).round(dice.one_of(0, 1, 9))


def _shares(dice: Dice, n_rows: int) -> Array:
    shares = dice.numbers.random((n_rows, 2)) ** dice.one_of(1, 30)
    shares /= shares.sum(axis=1, keepdims=True)
    if dice.chance(0.2):
        shares = shares.round()
        shares[:, 1] = 1 - shares[:, 0]
    if dice.is_wrong(0.3):
        shares *= number(dice)
    return dice.one_of(shares, shares[:, 1], shares.astype(np.float32))


def _neighbours(dice: Dice, n_rows: int) -> Array:
    n_found = dice.randint(1, 3)
    if dice.mood == "wrong" or n_rows <= n_found:
        return dice.numbers.integers(-1, n_rows + 1, size=(n_rows, n_found))
    steps = np.argsort(dice.numbers.random((n_rows, n_rows - 1)), axis=1)[:, :n_found] + 1
    return (np.arange(n_rows)[:, np.newaxis] + steps) % n_rows


_TREES: tuple[Callable[[Dice], Any], ...] = (
    lambda _dice: {0: "root", 1: "root", 2: "inner", 3: "inner", "inner": "root", 4: "root"},
    lambda _dice: dict.fromkeys(range(5), -1),
    lambda dice: {number: dice.randrange(5) for number in range(5)},
    lambda _dice: np.array([[0.0, 1.0, 1.0, 2.0]]),
    lambda dice: np.array([[0.0, 1.0, number(dice), 2.0], [2.0, 3.0, number(dice), 3.0]]),
    lambda dice: dice.normals(2, 4),
    lambda _dice: {},
)
