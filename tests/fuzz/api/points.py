"""Rows of points: on their manifold or not, at any scale, in any container."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from api.dice import Dice
from api.session import Session
from api.spaces import Space
from api.values import EXTREME_NUMBERS, NOT_FINITE
from bentwood.geometry import Manifold

Array = np.ndarray[Any, Any]

SCALES = (0.1, 0.5, 1.0, 1.0, 2.0, 5.0)
EXTREME_SCALES = (
    0.0, 5e-324, 1e-310, 1e-300, 1e-160, 1e-80, 1e-16, 1e-8, 15.0, 30.0, 300.0, 349.0, 700.0, 1e4,
    1e8, 1e16, 1e100, 1e154, 1e160, 1e300, 1e308,
)  # fmt: skip


@dataclass(frozen=True)
class Rows:
    """Points as they are passed, and as plain numbers."""

    given: Any
    array: Array

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(self.array)


def draw_rows(session: Session, space: Space, *, n_rows: int | None = None) -> Rows:
    """Return points, most often some that are on the manifold."""
    dice = session.dice
    if n_rows is None:
        n_rows = dice.weighted({1: 4, 2: 6, 5: 10, 12: 30, 30: 40, 100: 9, 300: 1})
        if dice.is_wrong(0.05):
            n_rows = 0
    array = _on_manifold(session, space, n_rows)
    array = _repeated(dice, array)
    if dice.is_extreme(0.15) or dice.is_wrong(0.15):
        array = _spoiled(dice, array)
    return Rows(_contained(dice, array), array)


def draw_tangents(dice: Dice, n_rows: int, n_columns: int) -> Array:
    """Return vectors of ordinary or of extreme lengths."""
    vectors = dice.normals(n_rows, n_columns)
    if not dice.is_extreme(0.6):
        return vectors * dice.choice(SCALES)
    scales: Any = dice.choice(EXTREME_SCALES)
    if dice.chance(0.3):
        scales = dice.numbers.choice(EXTREME_SCALES, size=(n_rows, dice.one_of(1, n_columns)))
    with np.errstate(all="ignore"):
        return np.clip(vectors * scales, -1.7e308, 1.7e308)


def _on_manifold(session: Session, space: Space, n_rows: int) -> Array:
    dice = session.dice
    if not space.is_valid or dice.chance(0.03):
        return draw_tangents(dice, n_rows, space.n_columns)
    tangent = Manifold(space.signature, "tangent", n_jobs=1)
    vectors = draw_tangents(dice, n_rows, tangent.n_columns)
    points = session.call("convert", tangent.convert, vectors, target=space.coordinates)
    if points.ok and np.isfinite(points.value).all():
        return np.asarray(points.value)
    return draw_tangents(dice, n_rows, space.n_columns)


def _repeated(dice: Dice, array: Array) -> Array:
    """Return rows some of which, or all of which, are the same."""
    if len(array) > 1 and dice.chance(0.15):
        rows = dice.numbers.integers(dice.one_of(1, 2, len(array)), size=len(array))
        return array[rows]
    return array


def _spoiled(dice: Dice, array: Array) -> Array:
    """Return rows with a wrong width or numbers that are wrong somewhere."""
    array = array.copy()
    if array.size == 0:
        return array
    how = dice.weighted({"cell": 4, "column": 2, "width": 1, "noise": 1, "scale": 1})
    special = dice.choice(NOT_FINITE if dice.mood == "wrong" else EXTREME_NUMBERS)
    if how == "cell":
        array[dice.randrange(len(array)), dice.randrange(array.shape[1])] = special
    elif how == "column":
        array[:, dice.randrange(array.shape[1])] = special
    elif how == "width":
        return array[:, : dice.randrange(array.shape[1])]
    elif how == "noise":
        return array + dice.one_of(1e-12, 1e-6, 0.1) * dice.normals(*array.shape)
    else:
        with np.errstate(all="ignore"):
            return array * dice.one_of(0.5, 1 + 1e-9, 1e3, 1e-3, -1)
    return array


def _contained(dice: Dice, array: Array) -> Any:
    """Return the numbers as one of the things that users pass."""
    if dice.chance(0.6):
        return array
    if dice.is_wrong(0.4):
        return dice.choice(_WRONG_CONTAINERS)(array)
    return dice.choice(_CONTAINERS)(array)


def _read_only(array: Array) -> Array:
    array = array.copy()
    array.flags.writeable = False
    return array


def _strided(array: Array) -> Array:
    wide = np.full((2 * len(array), 2 * array.shape[1]), np.nan)
    wide[::2, ::2] = array
    return wide[::2, ::2]


def _unaligned(array: Array) -> Array:
    memory = bytearray(array.nbytes + 1)
    result = np.frombuffer(memory, dtype=np.float64, offset=1, count=array.size)
    result = result.reshape(array.shape)
    result[...] = array
    return result


def _narrow(dtype: type) -> Any:
    def convert(array: Array) -> Array:
        with np.errstate(all="ignore"):
            return array.astype(dtype)

    return convert


def _integers(array: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.nan_to_num(array).clip(-9e18, 9e18).round().astype(np.int64)


def _names(array: Array) -> list[str]:
    return [f"x{column}" for column in range(array.shape[1])]


_CONTAINERS = (
    np.asfortranarray,
    _read_only,
    _strided,
    _unaligned,
    lambda array: array[::-1],
    lambda array: np.broadcast_to(array[:1], array.shape),
    lambda array: array.astype(">f8"),
    _narrow(np.float32),
    _narrow(np.float16),
    _narrow(np.longdouble),
    _integers,
    lambda array: _integers(array).astype(np.uint8),
    lambda array: array.astype(object),
    lambda array: array > 0,
    lambda array: array.tolist(),
    lambda array: [list(row) for row in array],
    lambda array: tuple(map(tuple, array.tolist())),
    lambda array: pd.DataFrame(array, columns=_names(array)),
    lambda array: pd.DataFrame(array),
    lambda array: pd.DataFrame(array, columns=_names(array)).convert_dtypes(),
    lambda array: pd.DataFrame(array, columns=_names(array)).astype("float32"),
    lambda array: pl.DataFrame(dict(zip(_names(array), array.T, strict=True))),
    lambda array: np.ma.masked_array(array, mask=np.zeros(array.shape, dtype=bool)),
    lambda array: np.matrix(array) if array.size else array,
    memoryview,
)

_WRONG_CONTAINERS = (
    lambda array: array.ravel(),
    lambda array: array[np.newaxis],
    lambda array: array.astype(complex),
    lambda array: array.astype(str),
    lambda array: np.full(array.shape, 10**400, dtype=object),
    lambda array: [[*row, "x"] for row in array.tolist()],
    lambda array: [row[: number % 3] for number, row in enumerate(array.tolist())],
    lambda array: [[None, *row[1:]] for row in array.tolist()],
    lambda array: np.ma.masked_array(array, mask=np.ones(array.shape, dtype=bool)),
    lambda array: sparse.csr_matrix(np.nan_to_num(array)),
    lambda array: pd.DataFrame(array, columns=_names(array)).assign(text="a"),
    lambda array: pd.DataFrame(array, columns=[0, *_names(array)[1:]][: array.shape[1]]),
    lambda array: pd.DataFrame(array).astype("category"),
    lambda array: pd.Series(list(array), dtype=object),
    lambda array: np.zeros(len(array), dtype=[("x", "f8"), ("y", "i4")]),
    lambda array: array.astype("datetime64[s]") if np.isfinite(array).all() else array,
    lambda array: array.tobytes(),
    lambda array: float(array.size),
    lambda _array: None,
    lambda _array: "points.csv",
    lambda _array: {"x": [1.0]},
    lambda array: iter(array.tolist()),
)
