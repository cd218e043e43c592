"""Laws that hold on every manifold, in all coordinates."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bentwood.geometry import Manifold

SIGNATURES = [
    "H1", "H2", "H5", "H2(-4)", "H3(-0.25)", "H2(-0.3)",
    "S1", "S2", "S5", "S2(4)", "S3(0.25)",
    "E1", "E4",
    "H2(-0.5) x S2(2) x E3", "(H2)^2 x (S1)^3",
]  # fmt: skip
COORDINATES = ["ambient", "poincare", "klein", "tangent"]
Array = NDArray[np.float64]

every_manifold = pytest.mark.parametrize("signature", SIGNATURES)
all_coordinates = pytest.mark.parametrize("coordinates", COORDINATES)


def manifold_and_points(
    signature: str, coordinates: Any, n: int = 60
) -> tuple[Manifold, Array, Array]:
    manifold = Manifold(signature, coordinates)
    # Klein coordinates cover half a sphere, and tangent ones go round it: keep points within.
    scale = 0.1 if "S" in signature and coordinates == "klein" else 0.3 if "S" in signature else 0.8
    return manifold, manifold.random(n, scale, 1), manifold.random(n, scale, 2)


def rounding(coordinates: str) -> float:
    """How far rounding the coordinates moves a point about five radii out."""
    return 5e-12 if coordinates == "klein" else 2e-13


@every_manifold
@all_coordinates
def test_distance_is_symmetric_to_the_bit_and_zero_only_at_home(
    signature: str, coordinates: str
) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates)
    assert np.array_equal(manifold.distance(X, Y), manifold.distance(Y, X))
    assert np.all(manifold.distance(X, X) == 0)
    assert np.all(manifold.distance(X, Y) > 0)


@every_manifold
def test_one_point_goes_with_every_row(signature: str) -> None:
    manifold, X, Y = manifold_and_points(signature, "tangent", 40)
    V = manifold.log(X, Y)
    many = np.repeat(X[:1], 40, axis=0)
    for one in (X[0], X[:1], X[0].tolist(), X[0].astype(np.float32).astype(np.float64)):
        same = np.repeat(np.reshape(one, (1, -1)), 40, axis=0)
        assert np.array_equal(manifold.distance(one, Y), manifold.distance(same, Y))
        assert np.array_equal(manifold.distance(Y, one), manifold.distance(Y, same))
    for method in (manifold.log, manifold.midpoint, manifold.lowest_common_ancestor):
        assert np.array_equal(method(X[0], Y), method(many, Y))
        assert np.array_equal(method(Y, X[0]), method(Y, many))
    assert np.array_equal(manifold.exp(X[0], V), manifold.exp(many, V))
    assert np.array_equal(manifold.exp(X, V[0]), manifold.exp(X, np.repeat(V[:1], 40, axis=0)))
    carried = manifold.transport(many, Y, np.repeat(V[:1], 40, axis=0))
    assert np.array_equal(manifold.transport(X[0], Y, V[0]), carried)
    assert np.array_equal(manifold.inner(X[0], V, V[0]), manifold.inner(many, V, [V[0]] * 40))
    times = np.linspace(0, 1, 7)
    path = manifold.geodesic(np.repeat(X[:1], 7, axis=0), np.repeat(Y[:1], 7, axis=0), times)
    assert np.array_equal(manifold.geodesic(X[0], Y[0], times), path)
    assert np.array_equal(manifold.geodesic(X[0], Y, 0.3), manifold.geodesic(many, Y, 0.3))
    assert manifold.distance(X[0], Y[0]).tolist() == manifold.distance(X, Y)[:1].tolist()
    assert manifold.distance(X[0], Y[:0]).shape == (0,)


@every_manifold
@all_coordinates
def test_all_pairs_are_the_rowwise_distances_to_the_bit(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates, 150)
    pairs = manifold.pairwise_distance(X, Y)
    for shift in (0, 1, 77):
        rolled = np.roll(Y, -shift, axis=0)
        columns = (np.arange(150) + shift) % 150
        assert np.array_equal(pairs[np.arange(150), columns], manifold.distance(X, rolled))
    own = manifold.pairwise_distance(X)
    assert np.array_equal(own, own.T)
    assert np.array_equal(own, manifold.pairwise_distance(X, X.copy()))
    assert np.all(np.diag(own) == 0)


@every_manifold
@all_coordinates
def test_the_triangle_inequality_holds(signature: str, coordinates: str) -> None:
    manifold, X, _ = manifold_and_points(signature, coordinates, 40)
    d = manifold.pairwise_distance(X)
    detour = (d[:, :, None] + d[None, :, :]).min(axis=1)
    assert np.all(d <= detour * (1 + 1e-12) + 1e-14)


@every_manifold
@all_coordinates
def test_exp_undoes_log(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates)
    V = manifold.log(X, Y)
    np.testing.assert_allclose(
        manifold.distance(manifold.exp(X, V), Y), 0, atol=rounding(coordinates)
    )
    lengths = np.sqrt(manifold.inner(X, V, V))
    np.testing.assert_allclose(lengths, manifold.distance(X, Y), rtol=1e-12)


@every_manifold
@all_coordinates
def test_log_undoes_exp(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates)
    V = 0.5 * manifold.log(X, Y)
    again = manifold.log(X, manifold.exp(X, V))
    scale = np.abs(V).max(axis=1, keepdims=True)
    assert np.all(np.abs(again - V) <= 1e-11 * scale + 1e-14)


@every_manifold
@all_coordinates
def test_midpoints_are_equidistant_and_halfway(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates)
    M = manifold.midpoint(X, Y)
    half = 0.5 * manifold.distance(X, Y)
    np.testing.assert_allclose(manifold.distance(X, M), half, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(manifold.distance(M, Y), half, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        manifold.distance(M, manifold.geodesic(X, Y, 0.5)), 0, atol=rounding(coordinates)
    )


@every_manifold
@all_coordinates
def test_geodesics_run_at_constant_speed(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates)
    whole = manifold.distance(X, Y)
    times = np.random.default_rng(0).uniform(size=len(X))
    along = manifold.geodesic(X, Y, times)
    np.testing.assert_allclose(manifold.distance(X, along), times * whole, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(
        manifold.distance(manifold.geodesic(X, Y, 0.0), X), 0, atol=rounding(coordinates)
    )
    np.testing.assert_allclose(
        manifold.distance(manifold.geodesic(X, Y, 1.0), Y), 0, atol=rounding(coordinates)
    )


@every_manifold
@all_coordinates
def test_transport_is_an_isometry_that_goes_back(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates)
    U, V = manifold.log(X, Y), manifold.log(X, np.roll(Y, 1, axis=0))
    carried_u, carried_v = manifold.transport(X, Y, U), manifold.transport(X, Y, V)
    size = np.sqrt(manifold.inner(X, U, U) * manifold.inner(X, V, V))
    change = manifold.inner(Y, carried_u, carried_v) - manifold.inner(X, U, V)
    assert np.all(np.abs(change) < 1e-12 * size)
    # The velocity of a geodesic stays its velocity.
    arriving = -manifold.log(Y, X)
    assert np.all(
        np.abs(carried_u - arriving) <= 1e-11 * np.abs(arriving).max(axis=1, keepdims=True)
    )
    back = manifold.transport(Y, X, carried_v)
    assert np.all(np.abs(back - V) <= 1e-11 * np.abs(V).max(axis=1, keepdims=True))


@every_manifold
@pytest.mark.parametrize("source", COORDINATES)
@pytest.mark.parametrize("target", COORDINATES)
def test_conversions_return(signature: str, source: Any, target: Any) -> None:
    narrow = "klein" if "klein" in (source, target) else source
    manifold, X, Y = manifold_and_points(signature, narrow)
    X, Y = manifold.convert(X, narrow, source), manifold.convert(Y, narrow, source)
    there = manifold.convert(X, source, target)
    back = manifold.convert(there, target, source)
    np.testing.assert_allclose(back, X, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        Manifold(signature, target).distance(there, manifold.convert(Y, source, target)),
        Manifold(signature, source).distance(X, Y),
        rtol=1e-12,
    )


@pytest.mark.parametrize("scale", [1e-3, 0.5, 3.0, 1e4])
@pytest.mark.parametrize("signature", ["H3({})", "S3({})"])
@all_coordinates
def test_scaling_space_and_curvature_together_changes_no_natural_coordinate(
    signature: str, scale: float, coordinates: Any
) -> None:
    sign = -1 if signature.startswith("H") else 1
    unit = Manifold(signature.format(sign), coordinates)
    scaled = Manifold(signature.format(sign / scale**2), coordinates)
    X, Y = unit.random(100, 0.2, 3), unit.random(100, 0.2, 4)
    np.testing.assert_allclose(
        scaled.natural_coordinates(scale * X), unit.natural_coordinates(X), rtol=1e-13, atol=1e-15
    )
    np.testing.assert_allclose(
        scaled.distance(scale * X, scale * Y), scale * unit.distance(X, Y), rtol=1e-11
    )
    np.testing.assert_allclose(
        scaled.midpoint(scale * X, scale * Y), scale * unit.midpoint(X, Y), rtol=1e-12, atol=1e-14
    )


def boost(X: Array, rapidity: float) -> Array:
    """The isometry of the hyperboloid that moves the origin along the first axis."""
    moved = X.copy()
    moved[:, 0] = np.cosh(rapidity) * X[:, 0] + np.sinh(rapidity) * X[:, 1]
    moved[:, 1] = np.sinh(rapidity) * X[:, 0] + np.cosh(rapidity) * X[:, 1]
    return moved


def test_isometries_of_the_hyperboloid_change_no_distance_and_shift_rapidities() -> None:
    manifold = Manifold("H3")
    X, Y = manifold.random(200, 0.7, 5), manifold.random(200, 0.7, 6)
    bX, bY = manifold.project(boost(X, 1.3)), manifold.project(boost(Y, 1.3))
    np.testing.assert_allclose(manifold.distance(bX, bY), manifold.distance(X, Y), rtol=1e-11)
    np.testing.assert_allclose(
        manifold.natural_coordinates(bX)[:, 0],
        manifold.natural_coordinates(X)[:, 0] + 1.3,
        rtol=1e-12,
    )
    np.testing.assert_allclose(
        manifold.midpoint(bX, bY), boost(manifold.midpoint(X, Y), 1.3), rtol=1e-11, atol=1e-13
    )


def test_rotations_of_the_sphere_change_no_distance() -> None:
    manifold = Manifold("S3(0.25)")
    rotation, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))
    X, Y = manifold.random(200, 1.0, 7), manifold.random(200, 1.0, 8)
    np.testing.assert_allclose(
        manifold.distance(X @ rotation, Y @ rotation), manifold.distance(X, Y), rtol=1e-12
    )


@pytest.mark.parametrize("kind", ["H", "S"])
@pytest.mark.parametrize("curvature", [1e-4, 1e-8, 1e-12])
def test_as_curvature_vanishes_everything_tends_to_euclid(kind: str, curvature: float) -> None:
    sign = -1 if kind == "H" else 1
    curved = Manifold(f"{kind}3({sign * curvature})", coordinates="tangent")
    flat = Manifold("E3")
    X, Y = flat.random(50, 1.0, 9), flat.random(50, 1.0, 10)
    allowed = 30 * curvature + 1e-14
    np.testing.assert_allclose(curved.distance(X, Y), flat.distance(X, Y), rtol=allowed)
    np.testing.assert_allclose(curved.midpoint(X, Y), flat.midpoint(X, Y), atol=allowed)
    np.testing.assert_allclose(curved.log(X, Y), flat.log(X, Y), atol=allowed)


@every_manifold
@all_coordinates
def test_a_row_does_not_depend_on_its_company(signature: str, coordinates: str) -> None:
    manifold, X, Y = manifold_and_points(signature, coordinates, 131)
    V = manifold.log(X, Y)
    whole = [
        manifold.convert(X, target="ambient"), manifold.distance(X, Y)[:, None], V,
        manifold.exp(X, V), manifold.midpoint(X, Y), manifold.natural_coordinates(X),
        manifold.transport(X, Y, V), manifold.lowest_common_ancestor(X, Y),
    ]  # fmt: skip
    for i in (0, 5, 63, 64, 130):
        x, y, v = X[i : i + 1], Y[i : i + 1], V[i : i + 1]
        alone = [
            manifold.convert(x, target="ambient"), manifold.distance(x, y)[:, None],
            manifold.log(x, y), manifold.exp(x, v), manifold.midpoint(x, y),
            manifold.natural_coordinates(x), manifold.transport(x, y, v),
            manifold.lowest_common_ancestor(x, y),
        ]  # fmt: skip
        for part, row in zip(whole, alone, strict=True):
            assert np.array_equal(part[i], row[0])


@pytest.mark.parametrize("signature", ["H3", "S2", "H2 x S2 x E2"])
def test_the_number_of_threads_changes_no_bit(signature: str) -> None:
    results = []
    for n_jobs in (1, 2, 3, 8):
        manifold = Manifold(signature, n_jobs=n_jobs)
        X, Y = manifold.random(20000, 0.4, 11), manifold.random(20000, 0.4, 12)
        results.append(
            [
                X,
                manifold.distance(X, Y),
                manifold.natural_coordinates(X),
                manifold.mean(X),
                manifold.mean(X, kind="einstein"),
                manifold.pairwise_distance(X[:500]),
            ]
        )
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            assert np.array_equal(a, b)


def test_antipodal_points_have_a_path_that_is_always_the_same() -> None:
    for signature in ("S1", "S2", "S4(0.5)"):
        sphere = Manifold(signature)
        X = sphere.random(50, 1.0, 13)
        V = sphere.log(X, -X)
        half_turn = np.pi * np.linalg.norm(X[0])
        np.testing.assert_allclose(np.linalg.norm(V, axis=1), half_turn, rtol=1e-14)
        np.testing.assert_allclose(sphere.exp(X, V), -X, atol=1e-14)
        assert np.array_equal(V, sphere.log(X, -X))
        np.testing.assert_allclose(
            sphere.distance(sphere.midpoint(X, -X), X), half_turn / 2, rtol=1e-14
        )
        carried = sphere.transport(X, -X, V)
        np.testing.assert_allclose(np.linalg.norm(carried, axis=1), half_turn, rtol=1e-13)


def test_a_product_is_the_combination_of_its_factors() -> None:
    product = Manifold("H2(-0.5) x S2 x E2")
    parts = [Manifold("H2(-0.5)"), Manifold("S2"), Manifold("E2")]
    cuts = [slice(0, 3), slice(3, 6), slice(6, 8)]
    X, Y = product.random(80, 0.7, 14), product.random(80, 0.7, 15)
    squared = sum(m.distance(X[:, c], Y[:, c]) ** 2 for m, c in zip(parts, cuts, strict=True))
    np.testing.assert_allclose(product.distance(X, Y), np.sqrt(squared), rtol=1e-15)
    for method in ("log", "midpoint", "lowest_common_ancestor"):
        expected = np.hstack(
            [getattr(m, method)(X[:, c], Y[:, c]) for m, c in zip(parts, cuts, strict=True)]
        )
        assert np.array_equal(getattr(product, method)(X, Y), expected)
    expected = np.hstack([m.natural_coordinates(X[:, c]) for m, c in zip(parts, cuts, strict=True)])
    assert np.array_equal(product.natural_coordinates(X), expected)
    assert product.natural_names == [
        "h1.rapidity1", "h1.rapidity2", "s2.angle1", "s2.angle2", "e3.x1", "e3.x2",
    ]  # fmt: skip
    ideal = np.array([3.0, 0.0, 0.0, 0.0, 0.0, 4.0])
    expected = 0.6 * parts[0].busemann(X[:, :3], ideal[:2]) - 0.8 * X[:, 7]
    np.testing.assert_allclose(product.busemann(X, ideal), expected, rtol=1e-13, atol=1e-14)


def test_the_busemann_function_is_the_limit_of_distance_minus_time() -> None:
    manifold = Manifold("H2(-0.5)")
    X = manifold.random(50, 1.0, 16)
    ideal = np.array([0.6, -0.8])
    far = manifold.convert(20.0 * ideal[None], source="tangent")
    limit = manifold.distance(X, np.repeat(far, 50, axis=0)) - 20.0
    np.testing.assert_allclose(manifold.busemann(X, 7 * ideal), limit, atol=1e-9)


def test_manifolds_print_compare_and_pickle() -> None:
    manifold = Manifold("H2(-0.5)x(S2)^4", "stereographic")
    assert repr(manifold) == "Manifold('H2(-0.5) x (S2)^4', coordinates='poincare')"
    assert pickle.loads(pickle.dumps(manifold)) == manifold
    assert manifold != Manifold("H2")
    assert len({manifold, Manifold("H2(-0.5) x (S2)^4", "poincare")}) == 1
    assert (manifold.dim, manifold.ambient_dim, manifold.n_columns) == (10, 15, 10)
