"""The arguments of metrics: labels as class indices, numbers as columns, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bentwood._arrays import Matrix, Vector, as_matrix, as_vector
from bentwood._labels import (
    Array,
    Indices,
    as_labels,
    distinct,
    indices,
    require_equally_many,
    show,
    show_all,
)


def encoded_pair(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, labels: npt.ArrayLike | None = None
) -> tuple[Array, Indices, Indices]:
    """Return the labels, and both vectors as places among them."""
    truth, predicted = as_label_pair(y_true, y_pred)
    classes = (
        distinct("y_true and y_pred", truth, predicted) if labels is None else as_classes(labels)
    )
    return classes, indices(truth, "y_true", classes), indices(predicted, "y_pred", classes)


def as_label_pair(y_true: npt.ArrayLike, y_pred: npt.ArrayLike) -> tuple[Array, Array]:
    """Return true and predicted labels, equally many."""
    truth = as_labels(y_true, "y_true")
    predicted = as_labels(y_pred, "y_pred")
    require_equally_many(len(truth), len(predicted), "y_pred")
    return truth, predicted


def as_classes(labels: npt.ArrayLike) -> Array:
    """Return the labels that a user lists, each of them once; raises ValueError otherwise."""
    classes = as_labels(labels, "labels")
    if len(distinct("labels", classes)) < len(classes):
        raise ValueError(f"labels are {show_all(classes)}, expected each of them once")
    return classes


def encoded_columns(
    y_true: npt.ArrayLike, columns: Matrix, name: str, labels: npt.ArrayLike | None
) -> Indices:
    """Return the column that belongs to each true label."""
    truth = as_labels(y_true, "y_true")
    require_equally_many(len(truth), len(columns), name)
    source = "y_true" if labels is None else "labels"
    classes = distinct("y_true", truth) if labels is None else as_classes(labels)
    if len(classes) != columns.shape[1]:
        hint = "; pass labels to name the columns" if labels is None else ""
        raise ValueError(
            f"{name} has {columns.shape[1]} columns and {source} {len(classes)} labels, expected "
            f"a column a label{hint}"
        )
    return indices(truth, "y_true", classes)


def binary_scores(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any, sample_weight: Any
) -> tuple[Indices, Vector, Vector]:
    """Return 1 for each row of `pos_label` and 0 for the others, the scores and the weights."""
    truth = as_labels(y_true, "y_true")
    scores = as_vector(y_score, "y_score")
    require_equally_many(len(truth), len(scores), "y_score")
    classes = distinct("y_true", truth)
    if len(classes) > 2:
        raise ValueError(
            f"y_score has one column and y_true {len(classes)} labels, expected a column a label"
        )
    positive = place_of(pos_label, classes)
    is_positive = indices(truth, "y_true", classes) == positive
    return is_positive.astype(np.int64), scores, as_weights(sample_weight, len(truth))


def place_of(pos_label: Any, classes: Array) -> int | None:
    """Return where `pos_label` is among at most two labels; None where the only one is another."""
    for place, label in enumerate(classes):
        if label == pos_label:
            return place
    if len(classes) == 2:
        raise ValueError(f"pos_label is {show(pos_label)}, expected one of {show_all(classes)}")
    return None


def as_outputs(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Matrix, Matrix, Vector]:
    """Return true and predicted numbers, a column an output, and the weights."""
    truth = _as_output_matrix(y_true, "y_true")
    predicted = _as_output_matrix(y_pred, "y_pred")
    require_equally_many(len(truth), len(predicted), "y_pred")
    return truth, predicted, as_weights(sample_weight, len(truth))


def _as_output_matrix(y: npt.ArrayLike, name: str) -> Matrix:
    """Return a column an output; a vector is one."""
    if n_dimensions(y) == 1:
        return as_vector(y, name).reshape(-1, 1)
    return as_matrix(y, name)[0]


def n_dimensions(values: npt.ArrayLike) -> int:
    """Return the number of dimensions that the values have as an array."""
    try:
        return np.ndim(values)
    except ValueError:  # rows of different lengths, which as_matrix has a message for
        return 2


def as_weights(sample_weight: npt.ArrayLike | None, n_rows: int) -> Vector:
    """Return the weights; none at all where every row counts 1."""
    if sample_weight is None:
        return np.empty(0)
    return as_vector(sample_weight, "sample_weight", n_rows)


def rounding_unit(values: npt.ArrayLike) -> float:
    """Return ε of the type the values are stored in."""
    dtype = np.asarray(values).dtype
    return float(np.finfo(dtype if dtype in (np.float16, np.float32) else np.float64).eps)
