"""How good predictions are, and whether one method is better than another.

Labels may be numbers or text. ``sample_weight`` gives every row a weight: 2 counts as two such
rows, 0 as none. Wrong arguments raise ValueError or TypeError in one line that says where.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arrays import Vector, as_matrix, as_vector
from bentwood._hierarchical import hierarchical_distance, mistake_severity
from bentwood._labels import Array
from bentwood._neighbors import geodesic_precision, geodesic_recall
from bentwood._paired_test import PairedTTest, paired_t_test
from bentwood._scored import (
    as_outputs,
    as_weights,
    binary_scores,
    encoded_columns,
    encoded_pair,
    n_dimensions,
    place_of,
    rounding_unit,
)

__all__ = [
    "PairedTTest",
    "accuracy",
    "average_precision",
    "confusion_matrix",
    "f1_score",
    "geodesic_precision",
    "geodesic_recall",
    "hierarchical_distance",
    "log_loss",
    "mae",
    "mistake_severity",
    "paired_t_test",
    "precision_score",
    "r2",
    "recall_score",
    "rmse",
    "roc_auc",
]

Average = Literal["binary", "micro", "macro", "weighted"]


def accuracy(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> float:
    """Return the share of the rows whose label was predicted right.

    Examples
    --------
    >>> from bentwood.metrics import accuracy
    >>> accuracy(["cat", "dog", "dog", "cat"], ["cat", "dog", "cat", "cat"])
    0.75

    """
    _, truth, predicted = encoded_pair(y_true, y_pred)
    return _core.accuracy(truth, predicted, as_weights(sample_weight, len(truth)))


def confusion_matrix(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    labels: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> Array:
    """Count the rows of each true label that were predicted as each label.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The labels.
    y_pred : array-like of shape (n_samples,)
        What was predicted.
    labels : array-like of shape (n_classes,) or None
        The labels of the rows and columns of the result; every label must be among them. None
        takes the labels that occur, sorted.
    sample_weight : array-like of shape (n_samples,) or None
        The weight of each row.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Entry (i, j) is how many rows of label i were predicted as label j: an integer, or with
        weights the sum of them.

    Examples
    --------
    >>> from bentwood.metrics import confusion_matrix
    >>> confusion_matrix(["cat", "dog", "dog", "cat"], ["cat", "dog", "cat", "cat"])
    array([[2, 0],
           [1, 1]])

    """
    classes, truth, predicted = encoded_pair(y_true, y_pred, labels)
    weights = as_weights(sample_weight, len(truth))
    counts: Array = _core.confusion_matrix(truth, predicted, len(classes), weights)
    return counts if len(weights) else counts.astype(np.int64)


def precision_score(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    average: Average | None = "binary",
    pos_label: Any = 1,
    sample_weight: npt.ArrayLike | None = None,
) -> float | Vector:
    """Return the share of the rows predicted as a label that have it; see :func:`f1_score`."""
    return _class_score(0, y_true, y_pred, average, pos_label, sample_weight)


def recall_score(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    average: Average | None = "binary",
    pos_label: Any = 1,
    sample_weight: npt.ArrayLike | None = None,
) -> float | Vector:
    """Return the share of the rows of a label that were predicted as such; see :func:`f1_score`."""
    return _class_score(1, y_true, y_pred, average, pos_label, sample_weight)


def f1_score(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    average: Average | None = "binary",
    pos_label: Any = 1,
    sample_weight: npt.ArrayLike | None = None,
) -> float | Vector:
    """Return the harmonic mean of precision and recall.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The labels.
    y_pred : array-like of shape (n_samples,)
        What was predicted.
    average : {"binary", "micro", "macro", "weighted"} or None
        ``"binary"`` is the score of `pos_label` and needs two labels at most; ``"macro"`` is the
        plain mean over the labels that occur; ``"weighted"`` weights them with how often they
        are true; ``"micro"`` counts the hits of all labels together, which makes it the accuracy.
        None returns the score of each label that occurs, in sorted order.
    pos_label : label
        The label that ``"binary"`` is about.
    sample_weight : array-like of shape (n_samples,) or None
        The weight of each row.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        0 for a label that is never true and never predicted.

    Examples
    --------
    >>> from bentwood.metrics import f1_score
    >>> f1_score([0, 1, 2, 2], [0, 1, 1, 2], average=None)
    array([1.        , 0.66666667, 0.66666667])
    >>> f1_score([0, 1, 2, 2], [0, 1, 1, 2], average="micro")
    0.75

    """
    return _class_score(2, y_true, y_pred, average, pos_label, sample_weight)


def log_loss(
    y_true: npt.ArrayLike,
    y_proba: npt.ArrayLike,
    *,
    labels: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Return the mean of ``-log(probability of the true label)``.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The labels.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        The probability of each label, or of the second of two. Rows sum to 1. Probabilities of 0
        and 1 are moved inside by the rounding unit of their dtype.
    labels : array-like of shape (n_classes,) or None
        The labels of the columns, in their order: ``classes_`` of an estimator. None takes the
        labels that occur, sorted.
    sample_weight : array-like of shape (n_samples,) or None
        The weight of each row.

    Examples
    --------
    >>> from bentwood.metrics import log_loss
    >>> round(log_loss(["cat", "dog"], [[0.75, 0.25], [0.5, 0.5]]), 6)
    0.490415

    """
    if n_dimensions(y_proba) == 1:
        second = as_vector(y_proba, "y_proba")
        probabilities = np.column_stack([1 - second, second])
    else:
        probabilities, _ = as_matrix(y_proba, "y_proba")
    truth = encoded_columns(y_true, probabilities, "y_proba", labels)
    weights = as_weights(sample_weight, len(truth))
    return _core.log_loss(truth, probabilities, weights, rounding_unit(y_proba))


def average_precision(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    labels: npt.ArrayLike | None = None,
    pos_label: Any = 1,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Return the area under the precision-recall curve (AUPR) as average precision.

    The sum of ``(R_k - R_(k-1)) * P_k`` over the distinct scores from the largest down, P_k and R_k
    being the precision and recall of "positive where the score is at least the k-th".

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        One column: how much each row looks like `pos_label`. Several: how much it looks like each
        label; the result is the mean over the labels that occur, each against the rest.
    labels : array-like of shape (n_classes,) or None
        The labels of the columns, in their order: ``classes_`` of an estimator. None takes the
        labels that occur, sorted. Not used for scores of one column.
    pos_label : label
        The label that scores of one column are about.
    sample_weight : array-like of shape (n_samples,) or None
        The weight of each row.

    Examples
    --------
    >>> from bentwood.metrics import average_precision
    >>> average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333

    """
    if n_dimensions(y_score) == 1:
        truth, scores, weights = binary_scores(y_true, y_score, pos_label, sample_weight)
        return _core.average_precision(truth, scores, weights)
    matrix, _ = as_matrix(y_score, "y_score")
    truth = encoded_columns(y_true, matrix, "y_score", labels)
    return _core.macro_average_precision(truth, matrix, as_weights(sample_weight, len(truth)))


def roc_auc(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    labels: npt.ArrayLike | None = None,
    pos_label: Any = 1,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Return the area under the ROC curve; arguments as for :func:`average_precision`.

    The probability that a row of the label scores higher than another row; equal scores are half
    right.

    Examples
    --------
    >>> from bentwood.metrics import roc_auc
    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75

    """
    if n_dimensions(y_score) == 1:
        truth, scores, weights = binary_scores(y_true, y_score, pos_label, sample_weight)
        return _core.roc_auc(truth, scores, weights)
    matrix, _ = as_matrix(y_score, "y_score")
    truth = encoded_columns(y_true, matrix, "y_score", labels)
    return _core.macro_roc_auc(truth, matrix, as_weights(sample_weight, len(truth)))


def rmse(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> float:
    """Return the root of the mean squared error; of several outputs (columns) their plain mean.

    Examples
    --------
    >>> from bentwood.metrics import rmse
    >>> rmse([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 6.0])
    1.0

    """
    return _core.rmse(*as_outputs(y_true, y_pred, sample_weight))


def mae(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> float:
    """Return the mean absolute error; of several outputs (columns) their plain mean.

    Examples
    --------
    >>> from bentwood.metrics import mae
    >>> mae([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 6.0])
    0.5

    """
    return _core.mae(*as_outputs(y_true, y_pred, sample_weight))


def r2(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> float:
    """Return R², the share of the variance explained; of several outputs their plain mean.

    1 is perfect, 0 as good as predicting the mean. Where all of `y_true` are equal it is 1 if every
    prediction is right and 0 otherwise.

    Examples
    --------
    >>> from bentwood.metrics import r2
    >>> round(r2([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]), 6)
    0.8

    """
    return _core.r2(*as_outputs(y_true, y_pred, sample_weight))


def _class_score(
    which: int,
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    average: Average | None,
    pos_label: Any,
    sample_weight: npt.ArrayLike | None,
) -> float | Vector:
    """Return precision (0), recall (1) or F1 (2)."""
    if average not in ("binary", "micro", "macro", "weighted", None):
        raise ValueError(
            f'average is {average!r}, expected "binary", "micro", "macro", "weighted" or None'
        )
    classes, truth, predicted = encoded_pair(y_true, y_pred)
    weights = as_weights(sample_weight, len(truth))
    if average is not None and average != "binary":
        mean: float = _core.average_scores(truth, predicted, len(classes), average, weights)[which]
        return mean
    scores: Vector = _core.class_scores(truth, predicted, len(classes), weights)[which]
    if average is None:
        return scores
    if len(classes) > 2:
        raise ValueError(
            f'average is "binary" and there are {len(classes)} labels, expected at most 2; '
            'choose "micro", "macro", "weighted" or None'
        )
    place = place_of(pos_label, classes)
    return 0.0 if place is None else float(scores[place])
