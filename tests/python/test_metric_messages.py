"""What the metrics say where something is wrong: the whole line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bentwood import metrics


def message(call: Callable[[], Any], error: type[Exception] = ValueError) -> str:
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    return str(caught.value)


def test_bad_labels_are_named() -> None:
    accuracy = metrics.accuracy
    for call, expected in [
        (
            lambda: accuracy([1, 2, 3], [1, 2]),
            "y_true has 3 rows and y_pred has 2, expected equally many",
        ),
        (lambda: accuracy([], []), "y_true is empty, expected at least one label"),
        (lambda: accuracy([1, 2], [[1], [2]]), "y_pred has shape (2, 1), expected one dimension"),
        (lambda: accuracy([1, np.nan], [1, 2]), "y_true[1] is nan, expected a label"),
        (lambda: accuracy(["a", "b"], [None, "b"]), "y_pred[0] is None, expected a label"),
        (lambda: accuracy(["a", np.nan], ["a", "b"]), "y_true[1] is nan, expected a label"),
        (
            lambda: accuracy(np.array([1, pd.NA], dtype=object), [1, 2]),
            "y_true[1] is <NA>, expected a label",
        ),
        (
            lambda: accuracy(np.ma.masked_equal([1, 2], 2), [1, 2]),
            "y_true has masked entries, expected labels; fill or drop them first",
        ),
        (
            lambda: metrics.confusion_matrix(["a", "b"], ["a", "c"], labels=["b", "a"]),
            "y_pred[1] is 'c', expected one of 'b', 'a'",
        ),
        (
            lambda: metrics.confusion_matrix([1, 2], [1, 2], labels=[1, 2, 1]),
            "labels are 1, 2, 1, expected each of them once",
        ),
        (
            lambda: metrics.confusion_matrix([99], [1], labels=range(50)),
            "y_true[0] is 99, expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... (50 labels)",
        ),
        (
            lambda: accuracy([1, 2], [1, 2], sample_weight=[1]),
            "sample_weight has 1 entries, expected 2",
        ),
        (
            lambda: accuracy([1, 2], [1, 2], sample_weight=[1, np.nan]),
            "row 1: the weight is nan, expected a finite number >= 0",
        ),
        (
            lambda: accuracy([1, 2], [1, 2], sample_weight=[0, 0]),
            "all weights are 0, expected one above 0",
        ),
    ]:
        assert message(call) == expected
    assert message(lambda: accuracy([1, 2], ["1", "2"]), TypeError) == (
        "y_true and y_pred hold labels of types int, str, expected a single type"
    )
    assert message(
        lambda: metrics.confusion_matrix([1, 2], [1, 2], labels=["1", "2"]), TypeError
    ) == ("y_true and labels hold labels of types int, str, expected a single type")


def test_bad_averages_are_named() -> None:
    assert message(lambda: metrics.f1_score(["no", "yes"], ["no", "no"])) == (
        "pos_label is 1, expected one of 'no', 'yes'"
    )
    f1: Any = metrics.f1_score
    assert message(lambda: f1([0, 1], [0, 1], average="mean")) == (
        'average is \'mean\', expected "binary", "micro", "macro", "weighted" or None'
    )
    assert message(lambda: f1([0, 1, 2], [0, 1, 2])) == (
        'average is "binary" and there are 3 labels, expected at most 2; '
        'choose "micro", "macro", "weighted" or None'
    )


def test_bad_scores_and_probabilities_are_named() -> None:
    for call, expected in [
        (
            lambda: metrics.log_loss([0, 1], [[0.5, 0.5]]),
            "y_true has 2 rows and y_proba has 1, expected equally many",
        ),
        (
            lambda: metrics.log_loss([0, 0], [[0.5, 0.5], [1, 0]]),
            "y_proba has 2 columns and y_true 1 labels, expected a column a label; "
            "pass labels to name the columns",
        ),
        (
            lambda: metrics.log_loss([0, 0], [[0.5, 0.5], [1, 0]], labels=[0, 1, 2]),
            "y_proba has 2 columns and labels 3 labels, expected a column a label",
        ),
        (
            lambda: metrics.log_loss([0, 1], [[0.5, 0.5], [0.5, 0.6]]),
            "row 1: the probabilities sum to 1.1, expected 1 within 1.5e-08",
        ),
        (
            lambda: metrics.log_loss([0, 1], [[0.5, 0.5], [np.nan, 0.6]]),
            "row 1: the probability of class 0 is nan, expected 0 to 1",
        ),
        (
            lambda: metrics.average_precision([0, 1, 2], [0.1, 0.2, 0.3]),
            "y_score has one column and y_true 3 labels, expected a column a label",
        ),
        (
            lambda: metrics.average_precision([0, 0], [0.1, 0.2]),
            "no row is of the positive class, expected at least one: average precision is not "
            "defined",
        ),
        (
            lambda: metrics.average_precision([0, 1], [0.1, np.nan]),
            "row 1: the score is nan, expected a finite number",
        ),
        (
            lambda: metrics.average_precision(["no", "yes"], [0.1, 0.2]),
            "pos_label is 1, expected one of 'no', 'yes'",
        ),
        (
            lambda: metrics.roc_auc([1, 1], [0.1, 0.2]),
            "all rows or none are of the positive class, expected some: ROC AUC is not defined",
        ),
        (
            lambda: metrics.roc_auc([0, 1], [0.1, 0.2, 0.3]),
            "y_true has 2 rows and y_score has 3, expected equally many",
        ),
    ]:
        assert message(call) == expected


def test_bad_numbers_are_named() -> None:
    for call, expected in [
        (
            lambda: metrics.rmse([1.0, 2.0, 3.0], [1.0]),
            "y_true has 3 rows and y_pred has 1, expected equally many",
        ),
        (
            lambda: metrics.mae([1.0, np.nan], [1.0, 2.0]),
            "row 1: the true value is nan, expected a finite number",
        ),
        (
            lambda: metrics.r2([1.0, 2.0], [1.0, -np.inf]),
            "row 1: the predicted value is -inf, expected a finite number",
        ),
        (
            lambda: metrics.rmse([[1.0, 2.0]], [1.0]),
            "2 true outputs and 1 predicted ones, expected equally many",
        ),
        (
            lambda: metrics.r2([1.0], [1.0]),
            "1 row has weight, expected at least 2: R² is not defined",
        ),
        (
            lambda: metrics.rmse([[1.0, 2.0], [3.0]], [1.0, 2.0]),  # type: ignore[list-item]
            "y_true is not a matrix: its rows have different lengths",
        ),
        (
            lambda: metrics.paired_t_test([1, 2, 3], [1, 2]),
            "3 scores of the first method and 2 of the second, expected one each for every fold",
        ),
        (
            lambda: metrics.paired_t_test([1], [1]),
            "a paired test needs at least 2 folds, found 1",
        ),
        (
            lambda: metrics.paired_t_test([1, 2], [1, 4], confidence=95),
            "the confidence is 95, expected more than 0 and less than 1",
        ),
    ]:
        assert message(call) == expected
    assert message(lambda: metrics.mae(["1"], [1.0]), TypeError) == (
        "y_true has dtype <U1, expected real numbers"
    )
