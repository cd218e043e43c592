"""Arguments that nobody passes on purpose: each is refused in one line, or harmless."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from bentwood import (
    GeodesicForest,
    HoroSVC,
    ManifoldTreeClassifier,
    ManifoldTreeRegressor,
    PoincarePerceptron,
    PoincareSVC,
)
from bentwood.datasets import make_mixture, make_tree
from bentwood.geometry import Manifold
from bentwood.io import read_points, read_table, write_table

X = np.linspace(-1, 1, 24).reshape(12, 2)
Y = np.arange(12) % 2
HUGE = np.full((12, 2), 10**400, dtype=object)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ManifoldTreeClassifier().fit(HUGE, Y),
            "X or y holds an integer beyond all numbers of float64",
        ),
        (
            lambda: ManifoldTreeClassifier().fit(X, Y).predict(HUGE),
            "X holds an integer beyond all numbers of float64",
        ),
        (
            lambda: GeodesicForest(2).fit(HUGE),
            "X holds an integer beyond all numbers of float64",
        ),
        (
            lambda: ManifoldTreeRegressor().fit(X, [10**400] * 12),
            "X or y holds an integer beyond all numbers of float64",
        ),
        (
            lambda: PoincarePerceptron().partial_fit(HUGE, Y, classes=[0, 1]),
            "X or y holds an integer beyond all numbers of float64",
        ),
    ],
)
def test_integers_beyond_all_numbers_are_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        call()
    assert str(raised.value) == message


def test_more_columns_than_a_file_can_say_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^max_features is 10+, expected less than 2\*\*63$"):
        ManifoldTreeClassifier(max_features=10**70).fit(X, Y)


def test_a_span_of_time_is_no_weight() -> None:
    with pytest.raises(TypeError) as raised:
        ManifoldTreeClassifier().fit(X, Y, sample_weight=np.timedelta64(1, "s"))
    assert str(raised.value) == "sample_weight has dtype timedelta64[s], expected real numbers"


# Infinity times the 0 of a class is not a number: a warning of NumPy's would be an error here.
def test_infinite_weights_are_refused_without_a_warning() -> None:
    model = PoincareSVC(class_weight={0: 0.0, 1: 1.0})
    with pytest.raises(ValueError, match=r"^row 0: the weight is inf"):
        model.fit(X / 2, Y, sample_weight=np.full(12, np.inf))


@pytest.mark.parametrize("estimator", [ManifoldTreeClassifier(), HoroSVC()])
def test_classes_of_several_types_are_named(estimator: Any) -> None:
    mixed = np.array(["a", 1, 2] * 4, dtype=object)
    with pytest.raises(TypeError) as raised:
        estimator.fit(X, mixed)
    assert str(raised.value) == "y holds labels of types int, str, expected a single type"
    mixed[1::3] = np.int64(1)
    with pytest.raises(TypeError) as raised:
        estimator.fit(X, mixed)
    assert str(raised.value) == "y holds labels of types int, int64, str, expected a single type"


# scikit-learn converts what it looks at to integers: a warning of NumPy's would be an error here.
def test_reals_too_large_for_integers_are_refused_without_a_warning() -> None:
    with pytest.raises(ValueError, match=r"^Unknown label type: continuous"):
        ManifoldTreeClassifier().fit(X, Y * 1e30)
    with pytest.raises(ValueError, match=r"^Unknown label type: continuous"):
        PoincarePerceptron().partial_fit(X, Y, classes=[0.0, 1e30])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda text: Manifold(text), "signature is 'H2\\ud800', which is not valid Unicode"),
        (
            lambda text: ManifoldTreeClassifier(text).fit(X, Y),
            "signature is 'H2\\ud800', which is not valid Unicode",
        ),
        (
            lambda text: ManifoldTreeClassifier(splits=text).fit(X, Y),
            "splits is 'H2\\ud800', which is not valid Unicode",
        ),
        (
            lambda text: make_mixture(10, text),
            "signature is 'H2\\ud800', which is not valid Unicode",
        ),
        (
            lambda text: Manifold("H2").convert(X, text),
            "source is 'H2\\ud800', which is not valid Unicode",
        ),
        (
            lambda text: read_table("x.csv", format=text),
            "format is 'H2\\ud800', which is not valid Unicode",
        ),
    ],
)
def test_halves_of_characters_are_refused(call: Callable[[str], Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        call("H2\ud800")
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda path: read_points(path, columns=3.5), "columns is 3.5, expected a list of names"),
        (
            lambda path: write_table(path, [1, 2]),
            "columns is [1, 2], expected a mapping from names to columns",
        ),
        (lambda _path: make_tree(3.5), "parents is 3.5, expected a list of the nodes' parents"),
        (
            lambda _path: make_tree(np.array(3)),
            "parents is array(3), expected a list of the nodes' parents",
        ),
    ],
)
def test_what_is_no_list_is_named(
    tmp_path: Path, call: Callable[[Path], Any], message: str
) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n")
    with pytest.raises(TypeError) as raised:
        call(path)
    assert str(raised.value) == message


def test_a_class_with_a_line_break_does_not_break_the_message() -> None:
    model = PoincarePerceptron()
    with pytest.raises(ValueError) as raised:
        model.partial_fit(X[:3], ["a\nb"] * 3, classes=["a\nb", "c\nd"])
    assert str(raised.value) == (
        'the first batch has no row of class "c\\x0ad", and reference points are found between the '
        'classes of it; give it some, or reference points, or reference "origin"'
    )


def test_splits_that_do_nothing_are_told() -> None:
    with pytest.warns(UserWarning, match="chordal") as caught:
        ManifoldTreeClassifier("E2", splits=("geodesic", "chordal")).fit(X, Y)
    assert [str(warning.message) for warning in caught] == [
        'E2 has no spherical factor, and so no chordal columns: "chordal" among the splits does '
        "nothing"
    ]
    assert caught[0].filename == __file__
    with pytest.raises(ValueError) as raised:
        ManifoldTreeClassifier("E2", splits="chordal").fit(X, Y)
    assert str(raised.value) == (
        "E2 has no spherical factor, and so no chordal columns: expected one such as S2, or splits "
        "of another kind besides"
    )


def test_a_forest_of_one_row_says_that_it_has_no_neighbours() -> None:
    forest = GeodesicForest(2, random_state=0).fit(X[:1])
    with pytest.raises(ValueError) as raised:
        forest.kneighbors(n_neighbors=1)
    assert str(raised.value) == (
        "the forest has one row, which has no neighbours among its own rows"
    )


def test_warnings_recommend_nothing_that_is_set() -> None:
    overlapping = np.tile(X, (2, 1)), np.repeat([0, 1], 12)
    told = (
        "1 of 1 boundaries still made mistakes after 3 passes; classes that overlap never end: try "
    )
    for average, hint in (
        (False, "average=True, or another reference"),
        (True, "another reference"),
    ):
        with pytest.warns(ConvergenceWarning) as caught:
            PoincarePerceptron(max_iter=3, average=average, random_state=0).fit(*overlapping)
        assert [str(warning.message) for warning in caught] == [told + hint]
