"""Geodesic convex hulls against Qhull in Klein coordinates, and nearest pairs of them."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from sklearn.exceptions import ConvergenceWarning

from bentwood import PoincarePerceptron, PoincareSecondOrderPerceptron, PoincareSVC
from bentwood.datasets import make_separable
from bentwood.geometry import Manifold, convex_hull, nearest_pair


@pytest.mark.parametrize("dim", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("coordinates", ["poincare", "tangent"])
def test_hulls_are_those_of_qhull(dim: int, coordinates: str) -> None:
    manifold = Manifold(f"H{dim}(-0.5)", coordinates)  # type: ignore[arg-type]
    for seed in range(20):
        n_points = 150 if dim < 6 else 50  # of more Qhull makes many facets
        X = manifold.random(n_points, 1.0 + 0.1 * seed, random_state=seed)
        expected = ConvexHull(manifold.convert(X, target="klein")).vertices
        assert sorted(convex_hull(manifold, X).tolist()) == sorted(expected.tolist())
    if dim == 2:
        found = convex_hull(manifold, X).tolist()
        start = expected.tolist().index(found[0])
        assert found == np.roll(expected, -start).tolist()


def test_the_hull_of_many_points_is_that_of_qhull() -> None:
    disk = Manifold("H2", "poincare")
    X = disk.random(100_000, 1.0, random_state=0)
    expected = ConvexHull(disk.convert(X, target="klein")).vertices
    assert set(convex_hull(disk, X).tolist()) == set(expected.tolist())


def test_two_planes_prove_the_nearest_points_of_euclidean_hulls() -> None:
    plane = Manifold("E3")
    X = plane.random(40, 1.0, random_state=0)
    Y = plane.random(40, 1.0, random_state=1) + np.array([5, 0, 1])
    pair = nearest_pair(plane, X, Y)
    normal = (pair.second - pair.first) / pair.distance
    # Both sets lie behind the planes through the pair, so no two points are nearer.
    assert (X @ normal).max() == pytest.approx(pair.first @ normal, abs=1e-12)
    assert (Y @ normal).min() == pytest.approx(pair.second @ normal, abs=1e-12)
    assert not pair.overlap


def test_nearest_pairs_move_with_isometries() -> None:
    space = Manifold("H4")
    X = space.random(50, 0.5, random_state=2)
    Y = space.random(50, 0.5, random_state=3)
    turn, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))

    def boosted(points: np.ndarray, rapidity: float) -> np.ndarray:
        moved = points.copy()
        moved[:, 0] = np.cosh(rapidity) * points[:, 0] + np.sinh(rapidity) * points[:, 1]
        moved[:, 1] = np.sinh(rapidity) * points[:, 0] + np.cosh(rapidity) * points[:, 1]
        moved[:, 1:] = moved[:, 1:] @ turn
        return moved

    Y = boosted(Y, 3.0)
    pair = nearest_pair(space, X, Y)
    moved = nearest_pair(space, boosted(X, 2.0), boosted(Y, 2.0))
    assert moved.distance == pytest.approx(pair.distance, rel=1e-9)
    np.testing.assert_allclose(
        moved.midpoint, boosted(pair.midpoint.reshape(1, -1), 2.0)[0], rtol=1e-5, atol=1e-5
    )
    np.testing.assert_allclose(
        space.midpoint([pair.first], [pair.second])[0], pair.midpoint, rtol=1e-9
    )


def test_hulls_that_meet_are_told() -> None:
    disk = Manifold("H2", "poincare")
    cross = nearest_pair(disk, [[0.5, 0], [-0.5, 0]], [[0, 0.5], [0, -0.5]])
    assert cross.overlap
    assert cross.distance == 0
    np.testing.assert_allclose(cross.midpoint, 0, atol=1e-12)


def test_mistakes_are_named() -> None:
    for signature in ("S2", "H2 x E1"):
        manifold = Manifold(signature)
        message = (
            f"the signature is {signature}, expected one hyperbolic or Euclidean factor: "
            "others have no flat map"
        )
        with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
            convex_hull(manifold, manifold.random(3, random_state=0))
    disk = Manifold("H2", "poincare")
    with pytest.raises(ValueError, match="outside"):
        convex_hull(disk, [[2.0, 0.0]])


# On these rows a vertex is wanted with a share of exactly 0, which was divided by 0.
def test_a_vertex_that_adds_nothing_makes_no_nan() -> None:
    ball = Manifold("H3", "poincare")
    data = make_separable(400, "H3", margin=0.2, coordinates="poincare", random_state=1)
    some, others = data.X[data.y == 0], data.X[data.y == 1]
    pair = nearest_pair(ball, some, others)
    assert not pair.overlap
    assert 0 < pair.distance < ball.pairwise_distance(some, others).min()
    for point in (pair.first, pair.second, pair.midpoint):
        assert np.isfinite(point).all()


@pytest.mark.parametrize("curvature", [-1.0, -4.0])
@pytest.mark.parametrize("radius", [1.0, 8.0, 12.0, 18.0, 25.0, 30.0])
def test_nearest_points_far_out_are_those_of_trigonometry(radius, curvature):
    manifold = Manifold(f"H2({curvature})", "tangent")
    unit = 1 / np.sqrt(-curvature)
    alone = nearest_pair(manifold, [[-radius * unit, 0.0]], [[radius * unit, 0.0]])
    assert alone.distance == pytest.approx(2 * radius * unit, rel=1e-12)
    np.testing.assert_allclose(alone.first, [-radius * unit, 0], rtol=1e-12)
    # The segment between two points at angles +-a crosses the axis where tanh r = tanh R cos a.
    for angle in (0.05, 0.5, 1.2):
        corner = radius * unit * np.array([np.cos(angle), np.sin(angle)])
        right = np.array([corner, corner * [1, -1]])
        pair = nearest_pair(manifold, -right, right)
        reach = unit * np.arctanh(np.tanh(radius) * np.cos(angle))
        assert pair.distance == pytest.approx(2 * reach, rel=1e-9)
        np.testing.assert_allclose(pair.second, [reach, 0], rtol=1e-7, atol=1e-6 * unit)


@pytest.mark.parametrize("size", [0.0, 5e-324, 1e-310, 1e-200, 1e-60])
@pytest.mark.parametrize("signature", ["H2", "H3", "H5", "E3"])
@pytest.mark.parametrize(
    "estimator", [PoincareSVC, PoincarePerceptron, PoincareSecondOrderPerceptron]
)
def test_classifiers_with_hulls_at_the_origin_are_finite(estimator, signature, size):
    grid = np.random.default_rng(0).choice([-1, 0, 1], size=(12, int(signature[1:])))
    y = [0, 1, 2] * 4
    model = estimator(signature, coordinates="tangent", reference="hull")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(grid * size, y)
    for numbers in (model.reference_points_, model.coef_, model.decision_function(grid * size)):
        assert np.isfinite(numbers).all()
