"""Geodesic precision and recall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from bentwood import datasets
from bentwood.geometry import Manifold
from bentwood.metrics import geodesic_precision, geodesic_recall

Array = NDArray[Any]


def by_definition(found: Array, is_true: Callable[[int, int, int], bool], k: int) -> Array:
    """Precision and recall of every row, each pair of rows asked for by itself."""
    n = len(found)
    scores = np.zeros((n, 2))
    for row in range(n):
        true = {other for other in range(n) if other != row and is_true(row, other, k)}
        hits = len(true & set(found[row, :k].tolist()))
        scores[row] = hits / k, hits / len(true) if true else 0.0
    return scores


def among_the_nearest(distances: Array) -> Callable[[int, int, int], bool]:
    """Fewer than k others are nearer."""

    def is_true(row: int, other: int, k: int) -> bool:
        nearer = distances[row] < distances[row, other]
        nearer[row] = False
        return int(nearer.sum()) < k

    return is_true


def random_neighbours(generator: np.random.Generator, n: int, k: int) -> Array:
    others = [np.delete(np.arange(n), row) for row in range(n)]
    return np.array([generator.permutation(rows)[:k] for rows in others])


def euclidean(X: Array, k: int) -> Array:
    return NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_the_definition(seed: int) -> None:
    generator = np.random.default_rng(seed)
    found = random_neighbours(generator, 30, 12)
    line = generator.integers(0, 15, 30).astype(float)  # with ties
    ball = Manifold("H2 x E1").random(30, 1.0, seed)
    labels = generator.choice(["leaf", "root", "twig"], 30)
    truths: list[tuple[dict[str, Any], Callable[[int, int, int], bool]]] = [
        ({"positions": line}, among_the_nearest(np.abs(line[:, None] - line))),
        (
            {"positions": ball, "signature": "H2 x E1"},
            among_the_nearest(Manifold("H2 x E1").pairwise_distance(ball)),
        ),
        ({"labels": labels}, lambda row, other, _: bool(labels[row] == labels[other])),
    ]
    for truth, is_true in truths:
        for k in (1, 5, 12):
            expected = by_definition(found, is_true, k)
            for which, score in enumerate((geodesic_precision, geodesic_recall)):
                by_row = score(found, n_neighbors=k, per_row=True, **truth)
                np.testing.assert_array_equal(by_row, expected[:, which])
                assert score(found, n_neighbors=k, **truth) == pytest.approx(
                    expected[:, which].mean(), abs=1e-15
                )


def test_every_way_to_give_the_truth_gives_the_same() -> None:
    X, latent = datasets.make_sphere(300, random_state=0)
    found = euclidean(X, 20)
    distances = Manifold("S2").pairwise_distance(latent)
    expected = geodesic_precision(found, positions=latent, signature="S2", per_row=True)
    for other in (
        geodesic_precision(found, distances=distances, per_row=True),
        geodesic_precision(found, distances=lambda rows: distances[rows], per_row=True),
        geodesic_precision(
            found, positions=latent, signature="S2", per_row=True, n_jobs=1, n_neighbors=20
        ),
        geodesic_precision(found.astype(np.uint16), distances=distances.tolist(), per_row=True),
    ):
        np.testing.assert_array_equal(other, expected)
    # Chords and arcs have the same order.
    assert geodesic_precision(found, positions=latent, signature="S2") == pytest.approx(1)


def test_a_curve_has_a_score_for_each_number_of_neighbours() -> None:
    X, latent = datasets.make_helix(200, n_noise=2, random_state=1)
    found = euclidean(X, 40)
    sizes = [40, 1, 7]
    for score in (geodesic_precision, geodesic_recall):
        curve = score(found, positions=latent, n_neighbors=sizes)
        single = [score(found[:, :k], positions=latent) for k in sizes]
        # NumPy sums a column of many in another order than a column alone.
        np.testing.assert_allclose(curve, single, rtol=1e-14)
        by_row = score(found, positions=latent, n_neighbors=sizes, per_row=True)
        assert np.shape(by_row) == (200, 3)
        np.testing.assert_allclose(np.mean(by_row, axis=0), curve, rtol=1e-14)


def test_precision_falls_to_the_share_of_the_class_and_recall_grows_to_one() -> None:
    X, y = datasets.make_three_gaussians(150, random_state=0)
    found = euclidean(X, 149)
    sizes = np.arange(1, 150)
    recall = np.asarray(geodesic_recall(found, labels=y, n_neighbors=sizes))
    precision = np.asarray(geodesic_precision(found, labels=y, n_neighbors=sizes))
    assert np.all(np.diff(recall) >= 0)
    assert recall[-1] == pytest.approx(1)
    others = np.array([np.sum(y == label) - 1 for label in y])
    assert precision[-1] == pytest.approx(np.mean(others / 149))
    assert precision[0] > 0.95


@pytest.mark.parametrize(
    ("make", "expected"), [(datasets.make_linear, 1.0), (datasets.make_helix, 0.87)]
)
def test_euclidean_neighbours_score_what_is_known_of_them(make: Any, expected: float) -> None:
    X, arc_length = make(1000, random_state=0)
    score = geodesic_precision(euclidean(X, 50), positions=arc_length)
    assert score == pytest.approx(expected, abs=0.02)
    assert score == pytest.approx(geodesic_recall(euclidean(X, 50), positions=arc_length))


def test_distances_are_asked_for_strip_by_strip() -> None:
    n = 4000
    positions = np.random.default_rng(0).normal(size=(n, 2))
    asked: list[int] = []

    def distances(rows: Array) -> Array:
        asked.extend(rows.tolist())
        assert len(rows) < n
        return cdist(positions[rows], positions)

    found = euclidean(positions, 10)
    assert geodesic_precision(found, distances=distances) == 1
    assert asked == list(range(n))


def test_an_error_of_the_function_of_distances_comes_through() -> None:
    def distances(_: Array) -> Array:
        raise LookupError("no such row")

    with pytest.raises(LookupError) as caught:
        geodesic_precision([[1], [0]], distances=distances)
    assert str(caught.value) == "no such row"


def message(error: type[Exception] = ValueError, **arguments: Any) -> str:
    neighbors = arguments.pop("neighbors", [[1, 2], [0, 2], [1, 0]])
    with pytest.raises(error) as caught:
        geodesic_precision(neighbors, **arguments)
    return str(caught.value)


def test_mistakes_are_named() -> None:
    line = [0.0, 1.0, 3.0]
    assert message() == ("the truth is not given, expected one of labels, positions and distances")
    assert message(labels=[0, 0, 1], positions=line) == (
        "the truth is labels and positions, expected one of labels, positions and distances"
    )
    assert message(labels=[0, 0, 1], signature="E1") == (
        "signature is 'E1', which goes with positions alone"
    )
    assert message(labels=[0, 0]) == (
        "neighbors has 3 rows and labels has 2, expected equally many"
    )
    assert message(positions=line[:2]) == (
        "neighbors has 3 rows and positions has 2, expected equally many"
    )
    assert message(distances=[[0.0]]) == "distances has shape (1, 1), expected (3, 3)"
    assert message(positions=line, n_neighbors=3) == (
        "the number of neighbours is 3, expected 1 to 2"
    )
    assert message(positions=line, n_neighbors=[[1]]) == (
        "n_neighbors has shape (1, 1), expected a number or a list of them"
    )
    assert message(TypeError, positions=line, n_neighbors=1.5) == (
        "n_neighbors is 1.5, expected a whole number"
    )
    assert message(positions=line, neighbors=[1, 2, 0]) == (
        "neighbors has shape (3,), expected two dimensions (rows, neighbours)"
    )
    assert message(TypeError, positions=line, neighbors=[[1.0], [0.0], [1.0]]) == (
        "neighbors has dtype float64, expected numbers of rows"
    )
    assert message(positions=line, neighbors=[[0, 1], [0, 2], [1, 0]]) == (
        "row 0: is its own neighbour, expected other rows alone"
    )
    off = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
    assert message(positions=off, signature="S2").startswith("row 2")
    assert message(distances=np.full((3, 3), np.nan)) == (
        "row 0: the true distance from row 0 is nan, expected at least 0"
    )
    assert message(distances=lambda rows: np.zeros((1, 3))) == (
        "the true distances of rows 0 to 2 are 1 by 3 numbers, expected 3 by 3"
    )
