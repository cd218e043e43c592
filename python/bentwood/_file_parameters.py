"""What a model file may say of its estimator: a table for each, and the one reader of it.

The compiled half has checked what predicts before this is asked (``bentwood/model``). What is left
are the file's ``parameters``, names with JSON: arguments of the estimator, and what training has
found out besides. A name that is not in the table of an estimator is not read, so that nothing
comes from a file that does not shape the model: threads, verbosity, warm start.
"""

from __future__ import annotations

import bisect
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from bentwood._arguments import as_text
from bentwood._parameters import (
    as_between,
    as_choice,
    as_features,
    as_flag,
    as_limit,
    as_positive,
    as_rows,
    as_share,
    as_whole,
    is_fraction,
    is_whole,
)


class Told(Protocol):
    """What the reader asks of a model of the compiled half."""

    @property
    def estimator(self) -> str:
        """The name of the estimator that trained it."""

    @property
    def parameters(self) -> dict[str, str]:
        """What its file tells of the training, as JSON."""


#: Raises ValueError or TypeError that names the parameter where its value is wrong.
Check = Callable[[Any, str], object]
#: Returns the value of a parameter from its JSON, checked before much memory is taken for it.
Reader = Callable[[str, str, Told], Any]
Table = Mapping[str, Reader]

#: Parameters that do not change the model are not in its file, nor those that it says elsewhere.
ABSENT = {"coordinates", "n_jobs", "off_manifold", "oob_score", "splits", "verbose", "warm_start"}

#: No number, word or signature of a person is longer.
LONGEST = 10_000


def one(check: Check) -> Reader:
    """Return the reader of a single value."""

    def read(text: str, name: str, model: Told) -> Any:
        if len(text) > LONGEST or text[:1] in ("[", "{"):
            raise ValueError(f"{name} is {shortened(text)}, expected a single value")
        value = json.loads(text)
        check(value, name)
        return value

    return read


def per_boundary(check: Check) -> Reader:
    """Return the reader of a list with one value per boundary."""

    def read(text: str, name: str, model: Any) -> list[Any]:
        n_classes = len(model.classes)
        n_boundaries = 1 if n_classes == 2 else n_classes
        is_flat = text.startswith("[") and text.count("[") == 1 and "{" not in text
        if not is_flat or text.count(",") + 1 != n_boundaries:
            raise ValueError(
                f"{name} is {shortened(text)}, expected {n_boundaries} values, one per boundary"
            )
        values: list[Any] = json.loads(text)
        for value in values:
            check(value, name)
        return values

    return read


def class_weights(text: str, name: str, model: Any) -> Any:
    """Return weights of classes: a word, None, or a dict of those that the model has."""
    if not text.startswith("["):
        return one(or_none(choice("balanced", "balanced_subsample")))(text, name, model)
    classes = model.classes
    result = {}
    for pair in _items(text):
        if not (isinstance(pair, list) and len(pair) == 2):
            raise ValueError(f"{name} has {shortened(repr(pair))}, expected pairs of class, weight")
        label, weight = pair
        if not (isinstance(label, (str, bool)) or is_whole(label) or is_fraction(label)):
            raise ValueError(f"{name} has {shortened(repr(label))}, expected a class")
        as_between(weight, f"{name} of class {label!r}", math.inf)
        if _is_among(classes, label):
            result[label] = weight
    return result


def reference(text: str, name: str, model: Told) -> str | None:
    """Return how reference points were found; None where they were given: the model has them."""
    if text.startswith("["):
        return None
    value: str = one(choice("hull", "means", "origin"))(text, name, model)
    return value


def signature(text: str, name: str, model: Any) -> str | None:
    """Return the model's own signature; None where none was asked for."""
    if text != "null" and not text.startswith('"'):
        raise ValueError(f"{name} is {shortened(text)}, expected text or None")
    asked: str | None = None if text == "null" else model.signature
    return asked


def class_dtype(text: str, name: str, model: Told) -> Any:
    """Return the type that classes had; None is the one that suits them."""
    value = one(as_text)(text, name, model)
    if value in CLASS_DTYPES:
        return np.dtype(value)
    is_text = any(
        value.startswith(stem) and value[len(stem) :].isdigit() for stem in ("str", "StringDType")
    )
    if is_text or value in ("float96", "float128"):  # the last two of other machines
        return None
    raise ValueError(
        f"{name} is {shortened(repr(value))}, expected the type of whole numbers, reals, truth "
        "values or text"
    )


def choice(*words: str) -> Check:
    """Return the check of one of some words."""
    return lambda value, name: as_choice(value, name, words)


def whole(least: int) -> Check:
    """Return the check of a whole number of at least ``least``."""
    return lambda value, name: as_whole(value, name, least)


def limit(least: int) -> Check:
    """Return the check of a whole number of at least ``least``, or None."""
    return lambda value, name: as_limit(value, name, least, 0)


def rows(least: int) -> Check:
    """Return the check of a number of rows, or a fraction of them."""
    return lambda value, name: as_rows(value, name, 1, least)


def between(most: float) -> Check:
    """Return the check of a number from 0 to ``most``."""
    return lambda value, name: as_between(value, name, most)


def or_none(check: Check) -> Check:
    """Return a check that takes None, too."""
    return lambda value, name: None if value is None else check(value, name)


def some_columns(value: Any, name: str) -> None:
    """Check how many columns a node looks at."""
    as_features(value, 1)


def drawn_rows(value: Any, name: str) -> None:
    """Check how many rows a tree draws."""
    if is_fraction(value):
        as_share(value, name)
    elif value is not None:
        as_whole(value, name, 1)


def seed(value: Any, name: str) -> None:
    """Check a seed of 64 bits."""
    if not (is_whole(value) and 0 <= value < 2**64):
        raise ValueError(f"{name} is {value!r}, expected a whole number from 0 to 2**64 - 1")


def finite(value: Any, name: str) -> None:
    """Check a finite number."""
    if not ((is_fraction(value) or is_whole(value)) and math.isfinite(value)):
        raise ValueError(f"{name} is {value!r}, expected a finite number")


def count(value: Any, name: str) -> None:
    """Check a count, which the library writes as a real number."""
    finite(value, name)
    if not (0 <= value < 2**63 and float(value).is_integer()):
        raise ValueError(f"{name} is {value!r}, expected a count")


#: The types of NumPy that classes may have, but for text, whose type has its length in its name.
CLASS_DTYPES = {np.dtype(code).name for code in "?bBhHiIlLqQefdgO"}

_EVERY: Table = {
    "signature": signature,
    "random_state": one(or_none(seed)),
    "seed": one(seed),
    "n_projected": one(whole(0)),
}
_CLASSES: Table = {"class_dtype": class_dtype, "class_weight": class_weights}
_TREES: Table = {
    **_EVERY,
    "max_depth": one(limit(1)),
    "min_samples_split": one(rows(2)),
    "min_samples_leaf": one(rows(1)),
    "min_weight_fraction_leaf": one(between(0.5)),
    "max_features": one(some_columns),
    "max_leaf_nodes": one(limit(2)),
    "min_impurity_decrease": one(between(math.inf)),
}
_FOREST: Table = {
    "n_estimators": one(whole(1)),
    "bootstrap": one(as_flag),
    "max_samples": one(drawn_rows),
    "out_of_bag_score": one(or_none(finite)),
}
_CLASSIFYING_TREES: Table = {
    **_TREES,
    **_CLASSES,
    "criterion": one(choice("gini", "entropy", "log_loss")),
}
_REGRESSING_TREES: Table = {**_TREES, "criterion": one(choice("squared_error"))}
_HOROSPHERES: Table = {
    **_CLASSIFYING_TREES,
    "ideal_points": one(choice("svm", "search", "both", "axes")),
    "threshold": one(choice("gain", "margin")),
    "hyperclasses": one(as_flag),
    "beta": one(between(1)),
    "n_candidates": one(whole(1)),
}
_DESCENT: Table = {
    **_EVERY,
    **_CLASSES,
    "C": one(as_positive),
    "loss": one(choice("squared_hinge", "hinge")),
    "max_iter": one(whole(1)),
    "tol": one(as_positive),
    "probability": one(as_flag),
}
_BOUNDARIES: Table = {"reference": reference, "overlapping": per_boundary(as_flag)}
_PERCEPTRON: Table = {
    **_EVERY,
    **_CLASSES,
    **_BOUNDARIES,
    "average": one(as_flag),
    "shuffle": one(as_flag),
    "max_iter": one(whole(1)),
    "max_updates": one(limit(1)),
    "n_updates": per_boundary(count),
    "margin": per_boundary(or_none(finite)),
    "bound": per_boundary(or_none(finite)),
}

#: What the file of each estimator may tell.
TABLES: Mapping[str, Table] = {
    "ManifoldTreeClassifier": _CLASSIFYING_TREES,
    "ManifoldTreeRegressor": _REGRESSING_TREES,
    "ManifoldForestClassifier": {**_CLASSIFYING_TREES, **_FOREST},
    "ManifoldForestRegressor": {**_REGRESSING_TREES, **_FOREST},
    "HoroTreeClassifier": _HOROSPHERES,
    "HoroForestClassifier": {**_HOROSPHERES, **_FOREST},
    "HoroSVC": {**_DESCENT, "beta": one(between(1)), "n_restarts": one(whole(0))},
    "PoincareSVC": {
        **_DESCENT,
        **_BOUNDARIES,
        "space": one(choice("tangent", "weighted", "lorentz")),
        "fit_intercept": one(as_flag),
        "platt": one(choice("cross", "train")),
    },
    "PoincarePerceptron": _PERCEPTRON,
    "PoincareSecondOrderPerceptron": {**_PERCEPTRON, "regularization": one(between(1e100))},
    "GeodesicForest": {
        **_EVERY,
        "n_estimators": one(whole(1)),
        "criterion": one(choice("fast_bic", "fast_bic_raw", "two_means", "em_bic")),
        "projection": one(choice("guided", "sparse", "axis")),
        "max_features": one(some_columns),
        "n_projections": one(whole(1)),
        "density": one(or_none(as_share)),
        "temperature": one(between(math.inf)),
        "min_share": one(between(0.5)),
        "min_samples_split": one(rows(2)),
        "max_depth": one(limit(1)),
        "bootstrap": one(as_flag),
        "max_samples": one(drawn_rows),
        "shared": one(choice("evidence", "node", "leaf")),
        "counted": one(choice("all", "in_bag", "out_of_bag")),
    },
}


def file_parameters(estimator: type, model: Told) -> dict[str, Any]:
    """Return what a model's file says of its training, every value checked.

    Raises ValueError that names the parameter. Parameters that a subclass of the user's adds to
    those of the package's class are taken as they are.
    """
    table = _table(estimator)
    readers = {**dict.fromkeys(_own_parameters(estimator), _anything), **table}
    result = {}
    for name, text in model.parameters.items():
        if name in readers:
            try:
                result[name] = readers[name](text, name, model)
            except (TypeError, ValueError) as error:
                raise ValueError(f"parameter {error}") from None
    return result


def file_parameter(estimator: type, model: Told, name: str) -> Any:
    """Return one of them, None where the file does not tell it."""
    text = model.parameters.get(name)
    return None if text is None else _table(estimator)[name](text, name, model)


def shortened(text: str) -> str:
    """Return text that fits into a message."""
    return text if len(text) <= 40 else text[:37] + "..."


def _table(estimator: type) -> Table:
    """Return the table of an estimator of the package, or of the one that a class extends."""
    names = (base.__name__ for base in estimator.__mro__)
    return next((TABLES[name] for name in names if name in TABLES), _EVERY)


def _own_parameters(estimator: Any) -> set[str]:
    """Return the parameters that a class has and that of the package, which it extends, has not."""
    known = next((base for base in estimator.__mro__ if base.__name__ in TABLES), None)
    inherited = known._get_param_names() if known else ()
    return set(estimator._get_param_names()).difference(inherited, ABSENT)


def _anything(text: str, name: str, model: Told) -> Any:
    value = json.loads(text)
    return tuple(value) if isinstance(value, list) else value


def _is_among(classes: Sequence[Any], label: Any) -> bool:
    """Tell whether a label is one of classes, which ascend."""
    try:
        place = bisect.bisect_left(classes, label)
    except TypeError:  # a number among texts
        return False
    return place < len(classes) and bool(classes[place] == label)


def _items(text: str) -> Iterable[Any]:
    """Yield the items of a JSON list one by one: all at once would take twenty times its length."""
    decoder = json.JSONDecoder()
    place = 1
    while text[place] != "]":
        item, place = decoder.raw_decode(text, place)
        yield item
        place += text[place] == ","
