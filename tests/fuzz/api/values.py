"""Single values: numbers at the ends of their ranges, and things that are no numbers at all."""

from __future__ import annotations

import decimal
import fractions
import math
from typing import Any

import numpy as np
import pandas as pd

from api.dice import Dice

#: Finite, but sums, squares, products or quotients of them are not.
EXTREME_NUMBERS = (
    0.0, -0.0, 5e-324, -5e-324, 2.3e-308, 1e-300, 1e-160, -1e-160, 1e-17, 1e-8, 1 - 2**-53,
    1 + 2**-52, 9007199254740993.0, 1e16, 1e100, -1e100, 1.4e154, 1e160, 1e300, 1e308, -1e308,
    1.7976931348623157e308, -1.7976931348623157e308,
)  # fmt: skip

NOT_FINITE = (math.nan, math.inf, -math.inf)

#: Integers around the limits of the types that C++ keeps them in.
EXTREME_COUNTS = (
    0, 1, 2, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**62,
    2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**400, -1, -2, -(2**31), -(2**63), -(2**63) - 1,
)  # fmt: skip


class Opaque:
    """Something that nothing is known about."""

    def __repr__(self) -> str:
        """Return the same text every time, without an address."""
        return "Opaque()"


class Unwilling:
    """Something whose comparisons and conversions raise errors of the user's own."""

    def __repr__(self) -> str:
        """Return the same text every time, without an address."""
        return "Unwilling()"

    def __float__(self) -> float:
        """Refuse."""
        raise ValueError("an Unwilling is no number")

    def __eq__(self, other: object) -> bool:
        """Refuse."""
        raise TypeError("an Unwilling equals nothing")

    __hash__ = object.__hash__


def nothing() -> None:
    """Be a function."""


WRONG_THINGS = (
    None, True, False, "", "text", "1", "nan", "é\ud800", "a\0b", b"bytes", [], [1], [1.5, "a"],
    [[1, 2], [3]], (), (1, 2), {}, {0: 1}, {"a": 1}, set(), frozenset((1,)), range(3), 1j, nothing,
    dict, Opaque(), Unwilling(), decimal.Decimal("0.5"), fractions.Fraction(1, 3), pd.NA, pd.NaT,
    np.datetime64("2020-01-01"), np.timedelta64(1, "s"), np.array(3), np.array([1, 2]),
    np.array([]), np.zeros((2, 0)), np.int8(3), np.uint64(2**64 - 1), np.float16(0.5),
    np.float32(0.5), np.longdouble(0.5), np.bool_(True), np.str_("sqrt"), np.ma.masked, slice(None),
    ..., NotImplemented,
)  # fmt: skip


def number(dice: Dice) -> float:
    """Return a number, ordinary or not as the mood is."""
    if dice.is_wrong():
        return dice.choice(NOT_FINITE)
    if dice.is_extreme():
        return dice.choice(EXTREME_NUMBERS)
    return dice.one_of(0.0, 0.1, 0.5, 1.0, 2.0, 10.0, dice.random(), dice.gauss(0, 1))


def count(dice: Dice, most: int = 5) -> int:
    """Return a count that costs little, or one that no memory holds."""
    if dice.mood == "plain":
        return dice.randint(1, most)
    # What is merely large would take long, and rightly so.
    unaffordable = [value for value in EXTREME_COUNTS if not most < value < 2**53]
    return dice.choice(unaffordable) if dice.chance(0.2) else dice.randint(1, most)


def wrong(dice: Dice) -> Any:
    """Return what is likely to be refused."""
    things = dice.one_of(WRONG_THINGS, WRONG_THINGS, EXTREME_COUNTS, EXTREME_NUMBERS, NOT_FINITE)
    return dice.choice(things)
