"""What is learned: classes, values, and how much rows count."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from api.dice import Dice
from api.points import Array
from api.values import EXTREME_NUMBERS, NOT_FINITE, wrong

#: Weights around 1 that overflow or vanish where they are summed or multiplied.
EXTREME_WEIGHTS = (0.0, 5e-324, 1e-310, 1e-200, 1e-17, 1.0, 3.0, 1e17, 1e200, 1e300, 1e308, 1.7e308)


def draw_classes(dice: Dice, n_rows: int) -> Any:
    """Return a class for each row."""
    n_classes = dice.weighted({2: 50, 3: 25, 5: 15, 1: 3, max(1, n_rows): 7})
    numbers = dice.numbers.integers(n_classes, size=n_rows)
    if n_rows >= n_classes and dice.chance(0.7):
        numbers[:n_classes] = np.arange(n_classes)
    if dice.is_wrong(0.3):
        return dice.choice(_WRONG_CLASSES)(numbers)
    return dice.choice(_CLASSES)(numbers) if dice.chance(0.6) else numbers


def draw_values(dice: Dice, n_rows: int) -> Any:
    """Return a number, or several, for each row."""
    values = dice.normals(n_rows)
    if dice.chance(0.2):
        values = dice.normals(n_rows, dice.randint(1, 3))
    if dice.is_extreme(0.6):
        with np.errstate(all="ignore"):
            values = np.clip(values * dice.choice(EXTREME_NUMBERS), -1.7e308, 1.7e308)
        if values.size and dice.chance(0.3):
            values.flat[dice.randrange(values.size)] = dice.choice(EXTREME_NUMBERS)
    if values.size and dice.is_wrong(0.2):
        values.flat[dice.randrange(values.size)] = dice.choice(NOT_FINITE)
    if dice.is_wrong(0.2):
        return dice.choice(_WRONG_CLASSES)(
            np.sign(np.nan_to_num(values)).astype(int).ravel()[:n_rows]
        )
    if dice.chance(0.2):
        return dice.choice(_VALUES)(values)
    return values


def draw_weights(dice: Dice, n_rows: int) -> Any:
    """Return a weight for each row, or None."""
    if dice.is_wrong(0.25):
        return dice.choice(
            (
                np.zeros(n_rows),
                -np.ones(n_rows),
                np.ones(n_rows + 1),
                np.full(n_rows, math.nan),
                np.full(n_rows, math.inf),
                np.ones((n_rows, 1)),
                ["a"] * n_rows,
                wrong(dice),
            )
        )
    if dice.chance(0.5):
        return None
    if dice.is_extreme(0.7):
        weights = dice.numbers.choice(dice.some_of(EXTREME_WEIGHTS, 3), size=n_rows)
    else:
        weights = dice.numbers.choice([0.0, 0.5, 1.0, 1.0, 2.0, 3.0], size=n_rows)
    return dice.choice((np.asarray, list, np.ndarray.tolist, pd.Series))(weights)


def draw_class_weight(dice: Dice, classes: Array) -> Any:
    """Return the weights of classes as estimators take them."""
    if dice.is_wrong(0.3):
        return dice.one_of(
            "balancd", {0: -1}, {0: "a"}, {0: math.nan}, {"nobody": 1.0}, wrong(dice)
        )
    if dice.chance(0.5):
        return dice.one_of("balanced", "balanced", "balanced_subsample", None)
    weights = EXTREME_WEIGHTS if dice.is_extreme(0.8) else (0.0, 0.5, 1.0, 2.0, 5)
    return {
        label: dice.choice(weights) for label in classes.tolist() if isinstance(label, Hashable)
    }


_CLASSES = (
    lambda numbers: numbers * 10 - 7,
    lambda numbers: numbers.tolist(),
    lambda numbers: numbers.astype(np.float64),
    lambda numbers: numbers.astype(np.uint8),
    lambda numbers: numbers > 0,
    lambda numbers: np.array([f"class {number}" for number in numbers]),
    lambda numbers: [f"class {number}" for number in numbers],
    lambda numbers: np.array([f"é\n{number}" for number in numbers], dtype=object),
    lambda numbers: pd.Series(numbers),
    lambda numbers: pd.Series([f"c{number}" for number in numbers], dtype="category"),
    lambda numbers: pd.Series(numbers, dtype="Int64"),
    lambda numbers: numbers.reshape(-1, 1),
    lambda numbers: numbers + 2**62,
    lambda numbers: numbers.astype(np.float32) * 1e30,
)

_WRONG_CLASSES = (
    lambda numbers: numbers + 0.5,
    lambda numbers: numbers.astype(np.uint64) + 2**63,
    lambda numbers: np.where(numbers == 0, math.nan, numbers),
    lambda numbers: np.where(numbers == 0, math.inf, numbers),
    lambda numbers: [None if number == 0 else number for number in numbers],
    lambda numbers: ["a" if number == 0 else number for number in numbers],
    lambda numbers: np.array(["a" if number == 0 else number for number in numbers], dtype=object),
    lambda numbers: numbers[:-1],
    lambda numbers: np.stack([numbers, numbers], axis=1),
    lambda numbers: numbers.astype(complex),
    lambda numbers: numbers.astype("datetime64[D]"),
    lambda numbers: np.array([str(number).encode() for number in numbers], dtype="S5"),
    lambda numbers: [f"\ud800{number}" for number in numbers],
    lambda numbers: [10 ** (400 + number) for number in numbers.tolist()],
    lambda numbers: [(number,) for number in numbers],
    lambda numbers: np.ma.masked_array(numbers, mask=numbers == 0),
    lambda numbers: pd.Series(numbers, dtype="Int64").where(numbers > 0),
    lambda _numbers: None,
    lambda _numbers: "label",
    lambda _numbers: 3,
    lambda numbers: dict(enumerate(numbers)),
)

_VALUES = (
    np.ndarray.tolist,
    lambda values: values.astype(np.float32) if np.abs(values).max(initial=0) < 1e30 else values,
    lambda values: np.sign(values).astype(np.int64),
    lambda values: pd.DataFrame(values),
    lambda values: values.astype(object),
    np.asfortranarray,
)
