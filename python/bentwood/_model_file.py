"""From estimators to what a model file says about them, and back."""

from __future__ import annotations

import inspect
import json
import os
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_unicode
from bentwood._parameters import as_json, from_json

#: Parameters that do not change the model are not in its file, nor those that it says elsewhere.
ABSENT = {"coordinates", "n_jobs", "off_manifold", "oob_score", "splits", "verbose", "warm_start"}

Estimator = TypeVar("Estimator")


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


def labels_of(classes: npt.NDArray[Any]) -> list[int] | list[float] | list[str]:
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
    return [as_unicode(str(label), "a class") for label in classes]


def adopt(cls: type[Estimator], forest: _core.Forest) -> Estimator:
    """Return an estimator of trees with a model that came from a file."""
    estimator, given = _adopted(cls, forest)
    estimator.splits = tuple(forest.splits)
    estimator._forest = forest
    if forest.is_classifier:
        _adopt_classes(estimator, forest, given)
        estimator.n_outputs_ = 1
    else:
        estimator.n_outputs_ = forest.width
    adopted: Estimator = estimator
    return adopted


def adopt_horospheres(cls: type[Estimator], model: _core.Horospheres) -> Estimator:
    """Return an estimator of horospheres with a model that came from a file."""
    estimator, given = _adopted(cls, model)
    estimator._model = model
    estimator.probability = model.has_probabilities
    _adopt_classes(estimator, model, given)
    adopted: Estimator = estimator
    return adopted


def _adopted(cls: type[Any], model: _core.Forest | _core.Horospheres) -> tuple[Any, dict[str, Any]]:
    """Return an estimator with what all models say of themselves, and the parameters given."""
    given = {name: from_json(name, text) for name, text in model.parameters.items()}
    known = inspect.signature(cls).parameters
    estimator: Any = cls(**{name: given[name] for name in given if name in known})
    # No signature was asked for where the file says null; else the model's own is the one.
    if given.get("signature", "") is not None:
        estimator.signature = model.signature
    estimator.coordinates = model.coordinates
    estimator.off_manifold = model.off_manifold
    estimator._seed = given.get("seed", 0)
    estimator.n_features_in_ = model.n_features
    if model.feature_names:
        estimator.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
    return estimator, given


def _adopt_classes(
    estimator: Any, model: _core.Forest | _core.Horospheres, given: dict[str, Any]
) -> None:
    estimator.classes_ = np.asarray(model.classes, dtype=_class_dtype(given))
    estimator.n_classes_ = len(estimator.classes_)


def load(path: str | os.PathLike[str]) -> Any:
    """Return the estimator that a model file holds, of whichever class.

    Parameters
    ----------
    path : path-like
        A file that ``save`` or the program ``bentwood train`` wrote.

    Returns
    -------
    estimator
        A tree, a forest or horospheres, a classifier or a regressor, as it was saved.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not a model, or a damaged one.

    """
    from bentwood import forest, horo, linear, tree

    loaded = _core.load_model(path_bytes(path))
    if isinstance(loaded, _core.Horospheres):
        if loaded.estimator == linear.HoroSVC.__name__:
            return adopt_horospheres(linear.HoroSVC, loaded)
        raise ValueError(
            f"{os.fspath(path)} holds a {loaded.estimator!r}, which this version lacks"
        )
    for module in (tree, forest, horo):
        if loaded.estimator in module.__all__:
            return adopt(getattr(module, loaded.estimator), loaded)
    raise ValueError(f"{os.fspath(path)} holds a {loaded.estimator!r}, which this version lacks")


def _class_dtype(given: dict[str, Any]) -> Any:
    """Return the dtype that the classes had, or None for the one that suits them."""
    name = given.get("class_dtype")
    if name == "object" or (isinstance(name, str) and name[:3] in ("boo", "int", "uin", "flo")):
        return np.dtype(name)
    return None
