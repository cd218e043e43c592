"""How bad mistakes are where classes form a tree, a part of bentwood.metrics."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from bentwood import _core
from bentwood._class_tree import class_tree
from bentwood._scored import as_label_pair, as_weights


def mistake_severity(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    tree: Any,
    *,
    labels: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Return how bad mistakes are on the mean, where classes form a tree.

    The mean over the rows predicted wrong of the height of the lowest common ancestor of their true
    and their predicted label; 0 where no row is.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The labels.
    y_pred : array-like of shape (n_samples,)
        What was predicted.
    tree : mapping, array-like of shape (n_classes - 1, 4) or Hyperclasses
        The tree: for each node its parent (None, or no entry, for the root), labels being nodes; or
        a linkage as SciPy has it, or what :func:`bentwood.linear.hyperclasses` returns. In a
        mapping the height of a node is the number of edges of the longest way down to a leaf;
        a linkage has the heights of its merges, and leaves of height 0.
    labels : array-like of shape (n_classes,) or None
        The labels of the leaves of a linkage, in their order. None takes those that occur, sorted.
    sample_weight : array-like of shape (n_samples,) or None
        The weight of each row.

    Examples
    --------
    >>> from bentwood.metrics import mistake_severity
    >>> tree = {"dog": "animal", "cat": "animal", "oak": "plant", "animal": "life", "plant": "life"}
    >>> mistake_severity(["dog", "dog", "oak", "oak"], ["cat", "oak", "oak", "oak"], tree)
    1.5

    """
    return _hierarchical(y_true, y_pred, tree, labels, sample_weight)[0]


def hierarchical_distance(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    tree: Any,
    *,
    labels: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Return the mean of :func:`mistake_severity` over all rows, those predicted right counting 0.

    Examples
    --------
    >>> from bentwood.metrics import hierarchical_distance
    >>> tree = {"dog": "animal", "cat": "animal", "oak": "plant", "animal": "life", "plant": "life"}
    >>> hierarchical_distance(["dog", "dog", "oak", "oak"], ["cat", "oak", "oak", "oak"], tree)
    0.75

    """
    return _hierarchical(y_true, y_pred, tree, labels, sample_weight)[1]


def _hierarchical(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    tree: Any,
    labels: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
) -> tuple[float, float]:
    """Return mistake severity and hierarchical distance."""
    truth, predicted = as_label_pair(y_true, y_pred)
    built, nodes, true_places, predicted_places = class_tree(tree, labels, truth, predicted)
    weights = as_weights(sample_weight, len(truth))
    return _core.hierarchical_scores(true_places, predicted_places, built, nodes, weights)
