"""The papers' data as arrays: BENTWOOD_DATA names the folder that holds them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

Array = NDArray[Any]


class Rows(NamedTuple):
    """Points with what is to be predicted; rows of one group are not parted by folds."""

    X: Array
    y: Array
    groups: Array | None = None

    def taken(self, chosen: Array) -> Rows:
        groups = None if self.groups is None else self.groups[chosen]
        return Rows(self.X[chosen], self.y[chosen], groups)


def data_folder() -> Path:
    """The folder of the papers' data; without it the program ends with a word on what to do."""
    program = Path(sys.argv[0]).name
    given = os.environ.get("BENTWOOD_DATA")
    if not given:
        raise SystemExit(f"{program}: set BENTWOOD_DATA to the folder of the papers' data")
    if not Path(given).is_dir():
        raise SystemExit(f"{program}: BENTWOOD_DATA is {given}, which is no folder")
    return Path(given)


def files(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise SystemExit(f"{Path(sys.argv[0]).name}: no file is called {folder / pattern}")
    return found


def drawn(path: Path, part: str, seed: int, most: int | None) -> Rows:
    """At most so many rows of "train" or "test", in a random order."""
    with np.load(path) as data:
        rows = Rows(data[f"X_{part}"], data[f"y_{part}"])
    return rows.taken(np.random.default_rng(seed).permutation(len(rows.y))[:most])


def folds(rows: Rows, n_folds: int, seed: int, regression: bool) -> list[tuple[Array, Array]]:
    """Training and test rows by number: whole groups, or else equal shares of classes."""
    if rows.groups is not None:
        splitter: Any = GroupKFold
    else:
        splitter = KFold if regression else StratifiedKFold
    folded = splitter(n_folds, shuffle=True, random_state=seed)
    return list(folded.split(rows.X, rows.y, rows.groups))


def network(folder: Path, name: str, seed: int) -> Rows:
    """A network in the Poincaré disk, in one of its three embeddings."""
    data = np.load(files(folder, f"networks/{name}_{1 + seed % 3}.npz")[0])
    return Rows(data["X"].astype(np.float64), data["y"])


def olsson(folder: Path) -> Rows:
    """Cells in the Poincaré disk, both parts of the file."""
    data = np.load(files(folder, "poincare_linear/olsson.npz")[0])
    X, y = (np.concatenate([data[f"{name}_{part}"] for part in ("train", "test")]) for name in "Xy")
    return Rows(X.astype(np.float64), y)


def temperature(folder: Path, grouped: bool) -> Rows:
    """A row per city and month on S2 x S1.

    Line 194 is a station of the Antarctic at Bangkok's place, the only one without a city's name.
    """
    table = pd.read_csv(files(folder, "tables/temperature.csv")[0])
    table = table[table["City"].notna()]
    position = table[["X", "Y", "Z"]].to_numpy()
    position /= np.linalg.norm(position, axis=1, keepdims=True)
    degrees = table.loc[:, "Jan":"Dec"].to_numpy()
    n_months = degrees.shape[1]
    city, month = np.divmod(np.arange(degrees.size), n_months)
    angle = 2 * np.pi * month / n_months
    X = np.column_stack([position[city], np.cos(angle), np.sin(angle)])
    return Rows(X, degrees.ravel(), city if grouped else None)
