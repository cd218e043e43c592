"""Every geometric function against its definition in 60 digits (oracle.py)."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import geometric_slerp
from scipy.spatial.distance import cdist

import oracle
from bentwood.geometry import Manifold

CURVATURES = [-4.0, -1.0, -0.25, -0.3, 0.25, 1.0, 4.0]
COORDINATES = ["ambient", "poincare", "klein", "tangent"]
Array = NDArray[np.float64]


def name(curvature: float, dim: int) -> str:
    return f"{'H' if curvature < 0 else 'S'}{dim}({curvature})"


def directions(rng: np.random.Generator, n: int, dim: int) -> Array:
    vectors = rng.normal(size=(n, dim))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def at_radius(manifold: Manifold, curvature: float, r: float, rng: np.random.Generator) -> Array:
    """Eight points r curvature radii from the origin, in the manifold's coordinates."""
    radius = 1 / np.sqrt(abs(curvature))
    vectors = r * radius * directions(rng, 8, manifold.dim)
    return manifold.convert(vectors, source="tangent")


def neighbours(manifold: Manifold, X: Array, step: float, rng: np.random.Generator) -> Array:
    """Points about `step` from X, as exact as the coordinates allow."""
    V = directions(rng, len(X), X.shape[1])
    if manifold.coordinates == "ambient":  # make them tangent
        ambient = Manifold(manifold.signature)
        V = ambient.log(X, ambient.convert(V[:, 1:], source="tangent"))
    length = np.sqrt(manifold.inner(X, V, V))[:, None]
    return manifold.exp(X, V * step / length)


def relative_error(found: Any, expected: Any) -> float:
    return float(abs((mp.mpf(float(found)) - expected) / expected))


def apart(factor: oracle.Factor, x: oracle.Vector, y: oracle.Vector) -> float:
    """The distance of two 60-digit points; they may be equal up to rounding."""
    return float(mp.re(factor.distance(x, y)))


def radii(curvature: float, coordinates: str) -> list[float]:
    if curvature > 0:
        return [0.1, 1.0, 1.5] if coordinates == "klein" else [0.1, 1.0, 3.0]
    return (
        [0.1, 1.0, 5.0, 10.0, 16.0] if coordinates == "klein" else [0.1, 1.0, 5.0, 10.0, 20.0, 30.0]
    )


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", CURVATURES)
@pytest.mark.parametrize("dim", [1, 2, 5])
def test_distances_of_neighbours_keep_their_digits_at_every_radius(
    curvature: float, coordinates: str, dim: int
) -> None:
    rng = np.random.default_rng(1)
    manifold = Manifold(name(curvature, dim), coordinates)  # type: ignore[arg-type]
    factor = oracle.Factor(curvature)
    for r in radii(curvature, coordinates):
        for step in (1e-3, 1e-1, 1.0):
            if curvature > 0 and (r + step > 3.1 or (coordinates == "klein" and r + step > 1.56)):
                continue
            X = at_radius(manifold, curvature, r, rng)
            Y = neighbours(manifold, X, step / np.sqrt(abs(curvature)), rng)
            found = manifold.distance(X, Y)
            crossed = manifold.pairwise_distance(X, Y)
            for i in range(len(X)):
                for j in (i, (i + 3) % len(X)):
                    x, y = factor.lift(X[i], coordinates), factor.lift(Y[j], coordinates)
                    expected = mp.re(factor.distance(x, y))
                    if X[i].tolist() == Y[j].tolist():  # on a line they may meet
                        assert crossed[i, j] == 0
                        continue
                    # A few units in the last place of the answer, and of R: that far the rounding
                    # of a scale may move a point along its ray.
                    allowed = 1e-14 + 5e-15 / np.sqrt(abs(curvature)) / float(expected)
                    assert relative_error(crossed[i, j], expected) < allowed
                assert crossed[i, i] == found[i]


@pytest.mark.parametrize("coordinates", ["ambient", "tangent"])
@pytest.mark.parametrize("dim", [1, 2, 12])
def test_distances_are_right_to_the_end_of_the_range(dim: int, coordinates: Any) -> None:
    rng = np.random.default_rng(12)
    manifold, factor = Manifold(f"H{dim}", coordinates), oracle.Factor(-1)
    for r in (60.0, 150.0, 340.0):
        # Along one ray, and in all directions; the rays are exact, as coordinates are read exactly.
        ray = directions(rng, 1, dim)[0]
        lengths = r + np.array([0.0, 1e-3, 1.0, 5.0, -r / 2])
        axis = np.eye(dim)[0]
        V = np.vstack([lengths[:, None] * axis, lengths[:, None] * ray])
        X = manifold.convert(V, source="tangent")
        found = manifold.pairwise_distance(X)
        with mp.workdps(700):
            points = [factor.lift(row, coordinates) for row in X]
            for i in range(len(X)):
                for j in range(i):
                    expected = mp.re(factor.distance(points[i], points[j]))
                    assert abs(found[i, j] - expected) < 1e-14 * (1 + r) + 1e-14 * expected


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", CURVATURES)
def test_conversions_agree_with_the_definitions(curvature: float, coordinates: str) -> None:
    rng = np.random.default_rng(2)
    factor = oracle.Factor(curvature)
    manifold = Manifold(name(curvature, 3), coordinates)  # type: ignore[arg-type]
    for r in (1e-8, 0.3, 1.5, 8.0) if curvature < 0 else (1e-8, 0.3, 1.5):
        X = at_radius(manifold, curvature, r, rng)
        for target in COORDINATES:
            converted = manifold.convert(X, target=target)  # type: ignore[arg-type]
            for row, found in zip(X, converted, strict=True):
                x = factor.lift(row, coordinates)
                expected = np.array([float(c) for c in factor.lower(x, target)])
                np.testing.assert_allclose(
                    found, expected, rtol=3e-15, atol=3e-15 * abs(expected).max()
                )


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", CURVATURES)
def test_exp_log_transport_and_inner_products_agree_with_the_definitions(
    curvature: float, coordinates: str
) -> None:
    rng = np.random.default_rng(3)
    factor = oracle.Factor(curvature)
    manifold = Manifold(name(curvature, 3), coordinates)  # type: ignore[arg-type]
    for r in (0.2, 1.2, 4.0) if curvature < 0 else (0.2, 0.9):
        X = at_radius(manifold, curvature, r, rng)[:4]
        Y = neighbours(manifold, X, 0.6 / np.sqrt(abs(curvature)), rng)
        V = manifold.log(X, Y)
        W = manifold.log(X, np.roll(Y, 1, axis=0))
        carried = manifold.transport(X, Y, W)
        products = manifold.inner(X, V, W)
        reached = manifold.exp(X, W)
        for i in range(len(X)):
            x, y = factor.lift(X[i], coordinates), factor.lift(Y[i], coordinates)
            v, w = (factor.push(X[i], U[i], coordinates) for U in (V, W))
            scale = float(max(abs(c) for c in v)) + 1e-300
            for a, b in zip(v, factor.log(x, y), strict=True):
                assert float(abs(a - b)) < 1e-13 * scale
            expected = factor.form(v, w)
            size = mp.sqrt(factor.form(v, v) * factor.form(w, w))
            assert float(abs(products[i] - expected) / size) < 1e-12
            assert apart(factor, factor.lift(reached[i], coordinates), factor.exp(x, w)) < 1e-12
            u = factor.push(Y[i], carried[i], coordinates)
            error = oracle.combine(1, u, -1, factor.transport(x, y, w))
            assert float(mp.sqrt(abs(factor.form(error, error)))) < 1e-12


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", [-4.0, -1.0, -0.25])
def test_logs_of_neighbours_are_right_far_out(curvature: float, coordinates: Any) -> None:
    rng = np.random.default_rng(13)
    factor = oracle.Factor(curvature)
    manifold = Manifold(name(curvature, 3), coordinates)
    for r in radii(curvature, coordinates):
        for step in (1e-3, 1.0):
            X = at_radius(manifold, curvature, r, rng)[:4]
            Y = neighbours(manifold, X, step / np.sqrt(-curvature), rng)
            V = manifold.log(X, Y)
            for row, other, v in zip(X, Y, V, strict=True):
                x, y = factor.lift(row, coordinates), factor.lift(other, coordinates)
                expected = factor.log(x, y)
                error = oracle.combine(1, factor.push(row, v, coordinates), -1, expected)
                size = mp.sqrt(factor.form(expected, expected))
                # What rounding the components of the right vector can do, in units of its length:
                # Poincaré coordinates are conformal, the others stretch along the ray by e^r.
                stretch = 1.0 if coordinates == "poincare" else np.exp(r)
                allowed = 1e-14 / step + 2e-15 * stretch
                assert float(mp.sqrt(abs(factor.form(error, error))) / size) < allowed


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", CURVATURES)
def test_geodesics_and_midpoints_agree_with_the_definitions(
    curvature: float, coordinates: str
) -> None:
    rng = np.random.default_rng(4)
    factor = oracle.Factor(curvature)
    manifold = Manifold(name(curvature, 2), coordinates)  # type: ignore[arg-type]
    # Rounding one coordinate moves a point sideways by ε sinh r, so that is what can be asked.
    for r in radii(curvature, coordinates) if curvature < 0 else (0.5, 0.9):
        X = at_radius(manifold, curvature, r, rng)
        Y = np.roll(X, 1, axis=0)
        middle = manifold.midpoint(X, Y)
        third = manifold.geodesic(X, Y, 1 / 3)
        allowed = 1e-15 * np.exp(2 * r if coordinates == "klein" else r) * 4 + 1e-14
        for i in range(len(X)):
            x, y = factor.lift(X[i], coordinates), factor.lift(Y[i], coordinates)
            for t, found in ((0.5, middle[i]), (1 / 3, third[i])):
                assert (
                    apart(factor, factor.lift(found, coordinates), factor.geodesic(x, y, t))
                    < allowed
                )


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", CURVATURES)
def test_natural_coordinates_agree_with_the_definitions(curvature: float, coordinates: str) -> None:
    rng = np.random.default_rng(5)
    factor = oracle.Factor(curvature)
    manifold = Manifold(name(curvature, 3), coordinates)  # type: ignore[arg-type]
    for r in radii(curvature, coordinates):
        X = at_radius(manifold, curvature, r, rng)
        for row, found in zip(X, manifold.natural_coordinates(X), strict=True):
            expected = factor.natural(factor.lift(row, coordinates))
            for a, b in zip(found, expected, strict=True):
                assert relative_error(a, b) < 2e-15 if curvature < 0 else abs(a - b) < 2e-15


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("curvature", [-4.0, -1.0, -0.25, -0.3])
def test_busemann_functions_agree_with_the_definition_near_the_boundary(
    curvature: float, coordinates: str
) -> None:
    rng = np.random.default_rng(6)
    factor = oracle.Factor(curvature)
    manifold = Manifold(name(curvature, 3), coordinates)  # type: ignore[arg-type]
    for r in (*radii(curvature, coordinates), 15.0):
        X = at_radius(manifold, curvature, r, rng)
        towards_the_first = manifold.convert(X[:1], target="tangent")[0]
        for ideal in (rng.normal(size=3), towards_the_first, -towards_the_first):
            for row, found in zip(X, manifold.busemann(X, ideal), strict=True):
                expected = factor.busemann(factor.lift(row, coordinates), ideal)
                assert float(abs(found - expected)) < 1e-14 * (1 + abs(float(expected)))


def test_busemann_is_exact_a_trillionth_from_the_boundary() -> None:
    disk = Manifold("H2", coordinates="poincare")
    factor = oracle.Factor(-1)
    for angle in (0.3, 1.0, 2.5):
        u = (1 - 1e-12) * np.array([[np.cos(angle), np.sin(angle)]])
        for turn in (0.0, 1e-13, 1e-12, 1e-9, 1e-3):
            ideal = np.array([np.cos(angle + turn), np.sin(angle + turn)])
            expected = factor.busemann(factor.lift(u[0], "poincare"), ideal)
            assert relative_error(disk.busemann(u, ideal)[0], expected) < 1e-14


def test_lowest_common_ancestors_are_the_nearest_points_of_the_segment() -> None:
    fractions = np.linspace(0, 1, 2001)
    for signature in ("H2", "H3(-0.3)", "S2", "S3(2)", "E3"):
        manifold = Manifold(signature)
        X, Y = manifold.random(20, 1.0, 1), manifold.random(20, 1.0, 2)
        X[0] = Y[0]
        found = manifold.radii(manifold.lowest_common_ancestor(X, Y))[:, 0]
        for i in range(len(X)):
            path = manifold.geodesic(
                np.repeat(X[i : i + 1], 2001, axis=0),
                np.repeat(Y[i : i + 1], 2001, axis=0),
                fractions,
            )
            along = manifold.radii(path)[:, 0]
            length = manifold.distance(X[i : i + 1], Y[i : i + 1])[0]
            assert found[i] <= along.min() + 1e-12
            assert found[i] >= along.min() - length / 2000


def test_the_ancestor_of_a_point_and_one_beyond_it_is_the_nearer_one() -> None:
    disk = Manifold("H2", coordinates="poincare")
    near, far = [[0.3, 0.1]], [[0.8, 0.3]]
    np.testing.assert_allclose(disk.lowest_common_ancestor(near, far), near, rtol=1e-14)
    np.testing.assert_allclose(disk.lowest_common_ancestor(far, near), near, rtol=1e-14)


@pytest.mark.parametrize(
    "signature", ["H1", "H2", "H5", "H3(-0.3)", "H2(-100)", "S2", "S3(2)", "E2", "H2 x S2"]
)
@pytest.mark.parametrize("spread", [0.3, 1.2, 3.0])
def test_the_frechet_mean_balances_the_pulls_of_all_points(signature: str, spread: float) -> None:
    manifold = Manifold(signature, coordinates="tangent" if "S" not in signature else "ambient")
    X = manifold.random(300, min(spread, 0.6) if "S" in signature else spread, 8)
    weights = np.random.default_rng(0).uniform(size=300)
    mean = manifold.mean(X, weights)
    pulls = manifold.log(np.repeat(mean[None], 300, axis=0), X)
    assert abs(weights @ pulls / weights.sum()).max() < 1e-10
    np.testing.assert_allclose(manifold.mean(X, 1e300 * weights), mean, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("r", [0.0, 5.0, 15.0])
def test_means_of_a_cluster_far_out_stay_amid_it(r: float) -> None:
    manifold = Manifold("H2", coordinates="tangent")
    rng = np.random.default_rng(9)
    centre = np.array([[0.6 * r, 0.8 * r]])
    X = np.vstack([neighbours(manifold, centre, 0.5, rng) for _ in range(40)])
    for kind in ("frechet", "einstein"):
        mean = manifold.mean(X, kind=kind)  # type: ignore[arg-type]
        assert manifold.distance(mean[None], centre)[0] < 0.25


def test_the_einstein_mean_is_the_weighted_mean_of_klein_coordinates() -> None:
    manifold = Manifold("H3(-0.5)", coordinates="klein")
    X = manifold.random(50, 1.0, 10)
    weights = np.random.default_rng(1).uniform(size=50)
    gamma = weights / np.sqrt(1 - 0.5 * (X**2).sum(axis=1))
    expected = gamma @ X / gamma.sum()
    np.testing.assert_allclose(manifold.mean(X, weights, kind="einstein"), expected, rtol=1e-13)


def test_euclidean_distances_are_scipys() -> None:
    plane = Manifold("E5")
    X, Y = plane.random(70, 1.0, 1), plane.random(130, 1.0, 2)
    np.testing.assert_allclose(plane.pairwise_distance(X, Y), cdist(X, Y), rtol=1e-15)


def test_spherical_geodesics_are_scipys() -> None:
    sphere = Manifold("S3")
    X, Y = sphere.random(10, 1.0, 3), sphere.random(10, 1.0, 4)
    for t in (0.0, 0.25, 0.5, 1.0):
        expected = [geometric_slerp(x, y, t) for x, y in zip(X, Y, strict=True)]
        np.testing.assert_allclose(sphere.geodesic(X, Y, t), expected, atol=1e-14)


def test_the_wrapped_normal_has_the_spread_it_was_asked_for() -> None:
    manifold = Manifold("H2 x S3(4) x E1", coordinates="tangent")
    X = manifold.random(20000, 0.3, 11)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=5 * 0.3 / np.sqrt(20000))
    np.testing.assert_allclose(X.std(axis=0), 0.3, rtol=5 / np.sqrt(2 * 20000))
