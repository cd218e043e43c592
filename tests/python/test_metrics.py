"""The metrics against scikit-learn and SciPy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics as sk

from bentwood import metrics

SEEDS = range(40)
NAMES = np.array(["ant", "bee", "cat", "dog", "eel"])


def labels(seed: int, n_classes: int | None = None) -> tuple[Any, Any, Any]:
    """True and predicted labels, some classes in only one of the two, and weights or none."""
    rng = np.random.default_rng(seed)
    n_rows = rng.integers(1, 60)
    truth = rng.integers(n_classes or rng.integers(1, 6), size=n_rows)
    predicted = rng.integers(n_classes or rng.integers(1, 6), size=n_rows)
    weights = rng.uniform(0.1, 2, size=n_rows) if seed % 2 else None
    if seed % 3 == 0:
        return NAMES[truth], NAMES[predicted], weights
    return truth, predicted, weights


def scored(seed: int, n_classes: int) -> tuple[Any, Any, Any]:
    """True labels, every class among them, scores with ties or without, and weights or none."""
    rng = np.random.default_rng(seed)
    n_rows = rng.integers(n_classes, 60)
    truth = rng.permutation(np.arange(n_rows) % n_classes)
    scores = rng.uniform(size=(n_rows, n_classes)) + 0.3 * np.eye(n_classes)[truth]
    if seed % 3:
        scores = np.round(scores, seed % 3)
    return truth, scores, rng.uniform(0.1, 2, size=n_rows) if seed % 2 else None


@pytest.mark.parametrize("seed", SEEDS)
def test_accuracy_and_confusion_are_scikit_learns(seed: int) -> None:
    y, p, w = labels(seed)
    assert_allclose(
        metrics.accuracy(y, p, sample_weight=w), sk.accuracy_score(y, p, sample_weight=w)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, about a single label
        expected = sk.confusion_matrix(y, p, sample_weight=w)
    result = metrics.confusion_matrix(y, p, sample_weight=w)
    assert_allclose(result, expected, rtol=1e-14)
    assert result.dtype == (np.int64 if w is None else np.float64)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
def test_f1_precision_and_recall_are_scikit_learns(seed: int, average: Any) -> None:
    y, p, w = labels(seed)
    for ours, theirs in [
        (metrics.f1_score, sk.f1_score),
        (metrics.precision_score, sk.precision_score),
        (metrics.recall_score, sk.recall_score),
    ]:
        expected = theirs(y, p, average=average, sample_weight=w, zero_division=0)
        assert_allclose(ours(y, p, average=average, sample_weight=w), expected, atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_binary_f1_is_scikit_learns(seed: int) -> None:
    y, p, w = labels(seed, n_classes=2)
    for positive in np.unique(np.concatenate([y, p])):
        expected = sk.f1_score(y, p, pos_label=positive, sample_weight=w, zero_division=0)
        assert_allclose(metrics.f1_score(y, p, pos_label=positive, sample_weight=w), expected)


def test_a_label_that_nobody_has_scores_zero_only_where_it_may_be_meant() -> None:
    assert metrics.f1_score([0, 0], [0, 0]) == 0
    assert metrics.f1_score([1, 1], [1, 1]) == 1
    with pytest.raises(ValueError, match=r"^pos_label is 1, expected one of"):
        metrics.f1_score(["no", "yes"], ["no", "no"])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_log_loss_is_scikit_learns(seed: int, n_classes: int) -> None:
    y, scores, w = scored(seed, n_classes)
    scores[0] = np.eye(n_classes)[seed % n_classes]  # certain, and sometimes wrong
    proba = scores / scores.sum(axis=1, keepdims=True)
    assert_allclose(
        metrics.log_loss(y, proba, sample_weight=w), sk.log_loss(y, proba, sample_weight=w)
    )
    single = proba.astype(np.float32)
    assert_allclose(
        metrics.log_loss(y, single, sample_weight=w),
        sk.log_loss(y, single, sample_weight=w),
        rtol=1e-5,
    )
    some = y != 0  # a class that has a column and no row
    weights = None if w is None else w[some]
    assert_allclose(
        metrics.log_loss(
            NAMES[y[some]], proba[some], labels=NAMES[:n_classes], sample_weight=weights
        ),
        sk.log_loss(NAMES[y[some]], proba[some], labels=NAMES[:n_classes], sample_weight=weights),
    )


def test_log_loss_takes_the_probability_of_the_second_label() -> None:
    y, p = ["a", "b", "b"], [0.25, 0.5, 1.0]
    expected = -np.mean(np.log([0.75, 0.5, 1.0]))
    assert metrics.log_loss(y, p) == pytest.approx(expected)
    assert metrics.log_loss(y, pd.Series(p, dtype="Float64")) == pytest.approx(expected)
    assert metrics.log_loss(y, [[1 - b, b] for b in p], labels=["a", "b"]) == pytest.approx(
        expected
    )
    swapped = [[b, 1 - b] for b in p]
    assert metrics.log_loss(y, swapped, labels=["b", "a"]) == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_binary_areas_are_scikit_learns(seed: int) -> None:
    y, scores, w = scored(seed, 2)
    for positive in (0, 1):
        column = scores[:, positive]
        assert_allclose(
            metrics.average_precision(y, column, pos_label=positive, sample_weight=w),
            sk.average_precision_score(y, column, pos_label=positive, sample_weight=w),
            rtol=1e-13,
        )
        assert_allclose(
            metrics.roc_auc(y, column, pos_label=positive, sample_weight=w),
            sk.roc_auc_score(y == positive, column, sample_weight=w),
            rtol=1e-13,
        )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [3, 5])
def test_macro_areas_are_scikit_learns(seed: int, n_classes: int) -> None:
    y, scores, w = scored(seed, n_classes)
    expected = sk.average_precision_score(y, scores, sample_weight=w)
    assert_allclose(metrics.average_precision(y, scores, sample_weight=w), expected, rtol=1e-13)
    proba = scores / scores.sum(axis=1, keepdims=True)
    expected = sk.roc_auc_score(y, proba, multi_class="ovr", sample_weight=w)
    assert_allclose(metrics.roc_auc(y, proba, sample_weight=w), expected, rtol=1e-13)
    # A column of a class that has no row changes nothing.
    wider = np.column_stack([np.arange(len(y)), scores])
    assert metrics.average_precision(
        y + 1, wider, labels=np.arange(n_classes + 1), sample_weight=w
    ) == metrics.average_precision(y, scores, sample_weight=w)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_outputs", [None, 1, 3])
def test_regression_scores_are_scikit_learns(seed: int, n_outputs: int | None) -> None:
    rng = np.random.default_rng(seed)
    shape = (20,) if n_outputs is None else (20, n_outputs)
    y, p = rng.normal(size=shape), rng.normal(size=shape)
    w = rng.uniform(0.1, 2, size=20) if seed % 2 else None
    for ours, theirs in [
        (metrics.rmse, sk.root_mean_squared_error),
        (metrics.mae, sk.mean_absolute_error),
        (metrics.r2, sk.r2_score),
    ]:
        assert_allclose(ours(y, p, sample_weight=w), theirs(y, p, sample_weight=w), rtol=1e-12)


def test_r2_of_equal_values_is_scikit_learns() -> None:
    for y, p in [([2.0, 2.0], [2.0, 2.0]), ([2.0, 2.0], [2.0, 3.0])]:
        assert metrics.r2(y, p) == sk.r2_score(y, p)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_paired_test_is_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_folds = rng.integers(2, 30)
    a = rng.normal(size=n_folds)
    b = a + rng.normal(rng.choice([0, 0.1, 10]), size=n_folds)
    ours = metrics.paired_t_test(a, b, confidence=0.9)
    theirs = scipy.stats.ttest_rel(a, b)
    assert_allclose(ours.mean_difference, np.mean(a - b), rtol=1e-12)
    assert_allclose(ours.t, theirs.statistic, rtol=1e-12)
    assert ours.degrees_of_freedom == theirs.df
    assert_allclose(ours.p_value, theirs.pvalue, rtol=1e-11)
    assert_allclose(ours.confidence_interval, theirs.confidence_interval(0.9), rtol=1e-11)


# Two folds, differences 1 and d: t and its p-value for one degree of freedom are arctangents.
@pytest.mark.parametrize("d", [0.5, 0.9, 0.999, 1 - 1e-9, -0.5])
def test_p_values_agree_with_many_digits(d: float) -> None:
    test = metrics.paired_t_test([1.0, d], [0.0, 0.0])
    with mpmath.workdps(50):
        t = (1 + mpmath.mpf(d)) / abs(1 - mpmath.mpf(d))
        p = 2 / mpmath.pi * mpmath.atan(1 / t)
        assert_allclose(test.t, float(t), rtol=1e-12)
        assert_allclose(test.p_value, float(p), rtol=1e-12)


def test_the_result_of_the_paired_test_is_readable() -> None:
    a, b = [0.91, 0.93, 0.90, 0.95, 0.92], [0.90, 0.90, 0.91, 0.91, 0.90]
    test = metrics.paired_t_test(a, b)
    assert repr(test) == (
        "PairedTTest(mean_difference=0.018, t=2.092, degrees_of_freedom=4, p_value=0.1045, "
        "confidence_interval=(-0.005884, 0.04188), confidence=0.95)"
    )
    assert test.p_value == pytest.approx(scipy.stats.ttest_rel(a, b).pvalue, rel=1e-12)
    assert metrics.paired_t_test(a, a).p_value == 1
    assert metrics.paired_t_test([0.9, 0.7, 0.3], [0.8, 0.6, 0.2]).p_value == 0


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.array,
        lambda y: np.array(y, dtype=object),
        pd.Series,
        lambda y: pd.Series(y, dtype="category"),
        lambda y: pd.Series(y, dtype="string"),
        pl.Series,
    ],
)
def test_labels_may_come_in_any_container(make: Callable[[Any], Any]) -> None:
    y, p = ["b", "a", "ccc", "a"], ["b", "ccc", "ccc", "a"]
    assert_array_equal(metrics.confusion_matrix(make(y), p), sk.confusion_matrix(y, p))
    assert metrics.accuracy(p, make(y)) == 0.75


def test_numbers_of_several_types_are_compared_exactly() -> None:
    assert metrics.accuracy([0, 1, 1], [0.0, 1.0, 0.0]) == pytest.approx(2 / 3)
    assert metrics.accuracy([True, False], np.array([1, 1])) == 0.5
    big = 2**53
    assert metrics.accuracy([big, big + 1], np.array([big, big], dtype=np.uint64)) == 0.5
    dates = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    assert metrics.accuracy(dates, dates[::-1]) == 0


def test_the_order_of_labels_may_be_chosen() -> None:
    y, p = ["a", "b", "b"], ["a", "a", "b"]
    assert metrics.confusion_matrix(y, p, labels=["b", "c", "a"]).tolist() == [
        [1, 0, 1],
        [0, 0, 0],
        [0, 0, 1],
    ]


def test_a_row_of_weight_zero_counts_as_absent() -> None:
    y, p, w = [0, 1, 2, 1], [0, 1, 0, 0], [1, 1, 0, 1]
    for score in (metrics.f1_score, metrics.precision_score, metrics.recall_score):
        for average in ("micro", "macro", "weighted"):
            assert score(y, p, average=average, sample_weight=w) == score(
                [0, 1, 1], [0, 1, 0], average=average
            )
