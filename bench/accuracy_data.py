"""The data sets of the accuracy table as trials: the same rows and seeds for every method."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from forest_methods import Space
from paper_data import Rows, drawn, files, folds, network, olsson, temperature

N_FOLDS = 5
DISK = Space("H2", "poincare")
Source = tuple[str, int, Callable[[], Rows]]
"""The name of a set of rows, the seed that parts it into folds, and how it is read."""


@dataclass(frozen=True)
class Trial:
    """One training and one test set.

    Trials of one unit share their rows or their embedding, so that a unit counts once.
    """

    unit: str
    part: str
    space: Space
    load: Callable[[], tuple[Rows, Rows]]
    """The training rows and the test rows."""

    @property
    def name(self) -> str:
        return f"{self.unit}/{self.part}"


@dataclass(frozen=True)
class DataSet:
    """The trials of one row of the table, and the sizes of leaves to choose from."""

    trials: Callable[[Path], list[Trial]]
    regression: bool = False
    leaves: tuple[int, ...] = (1, 3, 10)


def stored(
    folder: Path,
    *,
    pattern: str,
    space: Callable[[str], Space],
    most: int | None = None,
    n_draws: int = 1,
) -> list[Trial]:
    """Trials that files hold, a unit per file; `most` training rows are drawn anew per part."""

    def load(path: Path, seed: int) -> tuple[Rows, Rows]:
        return drawn(path, "train", seed, most), drawn(path, "test", seed, None)

    return [
        Trial(path.stem, str(seed), space(path.stem), partial(load, path, seed))
        for path in files(folder, pattern)
        for seed in range(n_draws)
    ]


def folded(
    folder: Path,
    *,
    sources: Callable[[Path], Iterable[Source]],
    space: Space,
    fold_is_unit: bool,
) -> list[Trial]:
    """Each fold of each source as a trial."""

    def load(read: Callable[[], Rows], seed: int, fold: int) -> tuple[Rows, Rows]:
        rows = read()
        train, test = folds(rows, N_FOLDS, seed, space.regression)[fold]
        return rows.taken(train), rows.taken(test)

    return [
        Trial(
            f"{name}-{fold}" if fold_is_unit else name,
            "0" if fold_is_unit else str(fold),
            space,
            partial(load, read, seed, fold),
        )
        for name, seed, read in sources(folder)
        for fold in range(N_FOLDS)
    ]


def gaussians(folder: Path) -> Iterable[Source]:
    def read(path: Path) -> Rows:
        with np.load(path) as data:
            return Rows(data["X"], data["y"])

    return [(path.stem, 0, partial(read, path)) for path in files(folder, "gaussian_cho/*.npz")]


def repeated(read: Callable[[Path, int], Rows], n_seeds: int) -> Callable[[Path], Iterable[Source]]:
    """Rows that are read and parted anew per seed."""
    return lambda folder: [
        (str(seed), seed, partial(read, folder, seed)) for seed in range(n_seeds)
    ]


def graph(name: str, regression: bool = False) -> DataSet:
    """H_0 is in H4, HE_0 in H2 x E2."""

    def space(stem: str) -> Space:
        letters = stem.partition("_")[0]
        signature = " x ".join(f"{letter}{4 // len(letters)}" for letter in letters)
        return Space(signature, regression=regression)

    pattern = f"product_graphs/{name}/*_*.npz"
    return DataSet(partial(stored, pattern=pattern, space=space), regression)


def latents(name: str, most: int | None = None) -> DataSet:
    """With all training rows, or with `most` of them, drawn three times; all test rows."""
    trials = partial(
        stored,
        pattern=f"product_vae/{name}_?.npz",
        space=lambda _: Space(LATENTS[name]),
        most=most,
        n_draws=3 if most else 1,
    )
    return DataSet(trials) if most else DataSet(trials, leaves=(5, 20))


def in_disk(sources: Callable[[Path], Iterable[Source]], fold_is_unit: bool = True) -> DataSet:
    return DataSet(partial(folded, sources=sources, space=DISK, fold_is_unit=fold_is_unit))


def embedded(name: str) -> DataSet:
    """A network in each of its three embeddings."""
    return in_disk(repeated(lambda folder, seed: network(folder, name, seed), 3))


def cities(grouped: bool) -> DataSet:
    sources = repeated(lambda folder, _: temperature(folder, grouped), 1)
    space = Space("S2 x S1", regression=True)
    return DataSet(partial(folded, sources=sources, space=space, fold_is_unit=True), True)


NETWORKS = ("karate", "polbooks", "football", "polblogs")
LATENTS = {"lymphoma": "S2 x S2", "mnist": "S2 x E2 x H2", "cifar_100": "(S2)^4"}

DATA: dict[str, DataSet] = {
    "polblogs": graph("polblogs"),
    "cora": graph("cora"),
    "cs_phds": graph("cs_phds", regression=True),
    **{f"network_{name}": embedded(name) for name in NETWORKS},
    "gaussians": in_disk(gaussians, fold_is_unit=False),
    "olsson": in_disk(repeated(lambda folder, _: olsson(folder), 5)),
    "olsson_split": DataSet(
        partial(stored, pattern="poincare_linear/olsson.npz", space=lambda _: DISK, n_draws=10)
    ),
    "temperature_random": cities(grouped=False),
    "temperature_cities": cities(grouped=True),
    **{f"{name}_1000": latents(name, most=1000) for name in LATENTS},
    **{f"{name}_all": latents(name) for name in LATENTS},
}
