"""From estimators to what a model file says about them, and back."""

from __future__ import annotations

import json
import os
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_text
from bentwood._file_parameters import ABSENT
from bentwood._parameters import as_json

ClassLabels = list[int] | list[float] | list[str]


class Model(Protocol):
    """What every model of the compiled half says of itself."""

    @property
    def estimator(self) -> str:
        """The name of the estimator that trained it."""

    @property
    def signature(self) -> str:
        """The manifold of its points."""

    @property
    def coordinates(self) -> str:
        """How rows describe points."""

    @property
    def off_manifold(self) -> str:
        """What to do with rows off the manifold."""

    @property
    def n_features(self) -> int:
        """The numbers of a row."""

    @property
    def feature_names(self) -> list[str]:
        """Their names, none where they have none."""

    @property
    def parameters(self) -> dict[str, str]:
        """What shaped it, as JSON."""

    def save(self, path: bytes) -> None:
        """Write it to a file."""


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return a path as the compiled half takes it."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError(f"the path {os.fspath(path)!r} holds a NUL byte")
    return encoded


def parameters_of(estimator: Any, seed: int) -> dict[str, str]:
    """Return the parameters that shaped a model, as JSON."""
    result = {"seed": json.dumps(seed)}
    for name, value in estimator.get_params(deep=False).items():
        text = as_json(value) if name not in ABSENT else None
        if text is not None:
            result[name] = text
    return result


def labels_of(classes: npt.NDArray[Any]) -> ClassLabels:
    """Return classes as the model holds them."""
    if classes.dtype.kind in "biu":
        whole: list[int] = classes.astype(object).tolist()
        largest = max(int(label) for label in whole)
        if largest >= 2**63:
            raise ValueError(f"class {largest} is too large, expected less than 2**63")
        return [int(label) for label in whole]
    if classes.dtype.kind == "f":
        return [float(label) for label in classes]
    if classes.dtype.kind not in "UOT":
        raise ValueError(
            f"y has dtype {classes.dtype}, expected classes that are integers, whole reals, "
            "booleans or text"
        )
    return [as_text(str(label), "a class") for label in classes]


def class_array(labels: ClassLabels, dtype: Any) -> npt.NDArray[Any]:
    """Return the classes of a model in the type that they had; None is the one that suits them.

    Raises ValueError where that type does not hold them.
    """
    if labels and isinstance(labels[0], str):
        texts: list[str] = labels
        if dtype is not None and dtype.kind != "O":
            raise ValueError(f"parameter class_dtype is {dtype.name}, but the classes are text")
        # NumPy's text takes as much for each as for the longest: 4 bytes a character.
        n_bytes = 4 * len(texts) * max(map(len, texts))
        is_uneven = n_bytes > 8 * sum(map(len, texts)) + 2**20
        return np.asarray(texts, dtype=object if is_uneven else dtype)
    whole = not labels or isinstance(labels[0], int)
    plain = np.asarray(labels, dtype=np.int64 if whole else np.float64)
    if dtype is None:
        return plain
    with np.errstate(over="ignore"):
        held = plain.astype(dtype) if dtype.kind in ("biu" if whole else "f") else None
    if held is None or not np.array_equal(held, plain):
        found = "whole numbers" if whole else "reals"
        raise ValueError(
            f"parameter class_dtype is {dtype.name}, which does not hold {found} "
            f"such as {labels[-1]}"
        )
    return held


def load(path: str | os.PathLike[str]) -> Any:
    """Return the estimator that a model file holds, of whichever class.

    Parameters
    ----------
    path : path-like
        A file that ``save`` or the program ``bentwood train`` wrote.

    Returns
    -------
    estimator
        A tree, a forest, horospheres or linear boundaries, a classifier or a regressor, as it
        was saved.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not a model, or a damaged one.

    """
    import bentwood
    from bentwood._base import ManifoldEstimator

    model = _core.load_model(path_bytes(path))
    # A file may say anything: only names of the package are looked up.
    known = getattr(bentwood, model.estimator) if model.estimator in bentwood.__all__ else None
    if isinstance(known, type) and issubclass(known, ManifoldEstimator) and known._fits(model):
        return known._adopted(model, os.fspath(path))
    raise ValueError(f"{os.fspath(path)} holds a {model.estimator!r}, which this version lacks")
