"""What bad points, arrays and parameters are answered with: whole messages."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bentwood.geometry import Manifold, PrecisionWarning

HINT = 'pass off_manifold="project", or project the points first'
ON = [np.sqrt(1.25), 0.5, 0.0]


def message(call: Callable[[], Any], error: type[Exception] = ValueError) -> str:
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def test_points_off_the_hyperboloid_are_named() -> None:
    manifold = Manifold("H2")
    X = [ON, [1.1, 0.5, 0.0], [1.0, 0.0, 0.0], [1.2, 0.5, 0.0]]
    assert message(lambda: manifold.distance(X, X)) == (
        "row 1: off the hyperboloid H2: <x,x> = -0.96, expected -1 (x_0 = 1.1, expected 1.11803 "
        "within 4.3e-14 of it); 2 rows are off, row 3 by 0.076 of the radius the farthest; "
        "project the points first"
    )
    assert message(lambda: manifold.require(X)).endswith(HINT)
    assert manifold.contains(X).tolist() == [True, False, True, False]


def test_a_single_offender_is_not_called_the_farthest() -> None:
    assert message(lambda: Manifold("S2").distance([[1.0, 0.1, 0.0]], [[1.0, 0.0, 0.0]])) == (
        "row 0: off the sphere S2: |x| = 1.00499, expected 1 within 4.3e-14 of it; 1 row is off; "
        "project the points first"
    )


@pytest.mark.parametrize(("coordinates", "ball"), [("poincare", "Poincare"), ("klein", "Klein")])
def test_points_outside_a_ball_are_named(coordinates: Any, ball: str) -> None:
    manifold = Manifold("H2(-0.25)", coordinates)
    assert message(lambda: manifold.convert([[0.0, 0.0], [2.0, 0.0]], target="ambient")) == (
        f"row 1: outside the {ball} ball of H2(-0.25): norm 2, expected below 2; 1 row is off; "
        "project the points first"
    )


def test_the_second_argument_is_told_apart() -> None:
    manifold = Manifold("H2")
    assert message(lambda: manifold.log([ON], [[2.0, 0.0, 0.0]])).startswith("row of y 0: off the")


@pytest.mark.parametrize("policy", ["error", "project"])
def test_points_beyond_mending_are_refused_under_either_policy(policy: Any) -> None:
    assert message(lambda: Manifold("H2").require([ON, [-1.0, 0.0, 0.0]], policy)) == (
        "row 1: not on the upper sheet of the hyperboloid H2: x_0 = -1, expected x_0 > 0; "
        "1 row is like this"
    )
    assert message(lambda: Manifold("E1 x S2").require([[0.0] * 4, [0.0] * 4], policy)) == (
        "row 0: the zero vector has no place on the sphere S2; 2 rows are like this"
    )
    assert message(lambda: Manifold("H1", "tangent").require([[351.0]], policy)) == (
        "row 0: farther than 350 curvature radii from the origin of H1, more than float64 can "
        "hold; 1 row is like this"
    )


@pytest.mark.parametrize("policy", ["error", "project"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("signature", ["H2", "S2", "E3"])
def test_numbers_that_are_not_finite_are_refused(bad: float, signature: str, policy: Any) -> None:
    manifold = Manifold(signature)
    X = manifold.convert(np.zeros((4, manifold.dim)), source="tangent")
    X[2, 1] = bad
    expected = f"row 2, column 1: found {bad}, expected a finite number"
    assert message(lambda: manifold.require(X, policy)) == expected
    X[3, 0] = bad
    assert message(lambda: manifold.require(X, policy)) == f"{expected}; 2 values are not finite"
    assert not manifold.contains(X)[2]


def test_projection_moves_only_what_is_off_and_says_so() -> None:
    manifold = Manifold("H2 x S2")
    X = np.array([[*ON, 0.0, 0.6, 0.8], [3.0, 0.5, 0.0, 0.0, 1.2, 1.6]])
    with pytest.warns(UserWarning, match=re.escape("1 of 2 rows were off H2 x S2 (by at most")):
        mended = manifold.require(X, "project")
    assert np.array_equal(mended[0], X[0])
    np.testing.assert_allclose(mended[1], [*ON, 0.0, 0.6, 0.8], rtol=1e-15)
    disk = Manifold("H2", "poincare").project([[3.0, 4.0], [0.1, 0.2]])
    np.testing.assert_allclose(disk, [[0.6, 0.8], [0.1, 0.2]], rtol=1e-13)
    assert Manifold("H2", "poincare").contains(disk).all()


@pytest.mark.parametrize("r", [1.0, 2.5, 5.0, 8.0, 12.0])
def test_good_float32_points_are_accepted_at_every_radius(r: float) -> None:
    manifold = Manifold("H4")
    X = manifold.convert(r * np.eye(4), source="tangent").astype(np.float32)
    assert manifold.contains(X).all()
    for tightened in (manifold.require(X), manifold.project(X), manifold.convert(X)):
        assert manifold.contains(tightened).all()
        assert np.array_equal(tightened[:, 1:], X[:, 1:].astype(np.float64))
    if r <= 2.5:  # the same numbers claimed to be float64 are not rounding's work
        assert not manifold.contains(X.astype(np.float64)).any()


@pytest.mark.parametrize(
    ("coordinates", "dtype", "limit"),
    [
        ("poincare", np.float64, 33.5), ("poincare", np.float32, 13.4),
        ("klein", np.float64, 17.1), ("klein", np.float32, 7.1),
        ("tangent", np.float64, 32.8), ("tangent", np.float32, 12.7),
        ("ambient", np.float64, 32.8), ("ambient", np.float32, 12.7),
    ],
)  # fmt: skip
def test_points_beyond_the_useful_radius_warn_once_with_their_share(
    coordinates: Any, dtype: Any, limit: float
) -> None:
    manifold = Manifold("H1", coordinates)
    inside = manifold.convert([[limit - 0.2]] * 3, source="tangent").astype(dtype)
    outside = manifold.convert([[limit + 0.2]], source="tangent").astype(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manifold.require(inside)
    with pytest.warns(PrecisionWarning) as caught:
        manifold.require(np.vstack([inside, outside]))
    assert [str(w.message) for w in caught] == [
        f"25 % of the rows lie farther than {limit} curvature radii from the origin of H1, where "
        f"{np.dtype(dtype)} {coordinates} coordinates cannot tell points 0.01 radii apart"
    ]


def test_vectors_must_be_tangent_in_ambient_coordinates() -> None:
    assert message(lambda: Manifold("E1 x H2").exp([[0.0, *ON]], [[1.0, 1.0, 0.0, 0.0]])) == (
        "row 0: the vector is not tangent to H2 at its point"
    )
    assert message(lambda: Manifold("S1").exp([[1.0, 0.0]], [[0.1, 1.0]])) == (
        "row 0: the vector is not tangent to S1 at its point"
    )


def test_results_that_coordinates_cannot_hold_are_errors() -> None:
    sphere = Manifold("S2")
    south = [[-1.0, 0.0, 0.0]]
    assert message(lambda: sphere.convert(south, target="stereographic")) == (
        "row 0: a point of S2 opposite the origin has no poincare coordinates"
    )
    assert message(lambda: sphere.convert([[0.0, 1.0, 0.0]], target="klein")) == (
        "row 0: a point of S2 on or below the equator has no klein coordinates"
    )
    assert sphere.convert(south, target="tangent").tolist() == [[np.pi, 0.0]]
    far = Manifold("H2", "tangent")
    for target, limit in (("poincare", 37), ("klein", 19)):
        for v in ([40.0, 0.0], [180.0, -240.0], [12.0, 35.0]):
            assert message(lambda t=target, v=v: far.convert([v], target=t)) == (
                f"row 0: a point of H2 is too far out for {target} coordinates in float64, which "
                f'end at {limit} curvature radii; use "ambient" or "tangent"'
            )
    assert message(lambda: far.exp([[300.0, 0.0]], [[100.0, 0.0]])) == (
        "row 0: the result is out of the range of float64 on H2"
    )


def test_shapes_that_do_not_fit_are_named() -> None:
    manifold = Manifold("H2 x S2")
    X = manifold.random(3, 0.1, 0)
    assert message(lambda: manifold.distance(X[:, :5], X)) == (
        "points have 5 columns, but H2 x S2 in ambient coordinates has 6"
    )
    assert message(lambda: manifold.exp(X, X[:, :5])) == (
        "vectors have 5 columns, but H2 x S2 in ambient coordinates has 6"
    )
    assert message(lambda: manifold.distance(X, X[:2])) == "y has 2 rows, but x has 3"
    assert message(lambda: manifold.geodesic(X, X, [0.0, 1.0])) == (
        "t has 2 entries, expected one or one a row (3)"
    )
    assert message(lambda: manifold.geodesic(X, X, np.nan)) == (
        "t[0] is nan, expected a finite number"
    )


def test_parameters_out_of_range_are_named() -> None:
    manifold = Manifold("H2 x S2")
    X = manifold.random(3, 0.1, 0)
    assert message(lambda: Manifold("H2", "cartesian")) == (  # type: ignore[arg-type]
        'unknown coordinates "cartesian", expected "ambient", "poincare" (or "stereographic"), '
        '"klein" or "tangent"'
    )
    assert message(lambda: Manifold("H2 x Q3")) == (
        "bad signature \"H2 x Q3\" at character 6: expected H, S or E, found 'Q'"
    )
    assert message(lambda: manifold.require(X, "ignore")) == (  # type: ignore[arg-type]
        'unknown off_manifold "ignore", expected "error" or "project"'
    )
    assert message(lambda: manifold.mean(X, kind="median")) == (  # type: ignore[arg-type]
        'unknown kind "median", expected "frechet" or "einstein"'
    )
    assert message(lambda: manifold.mean(X[:0])) == "the mean of no points is undefined"
    assert message(lambda: manifold.mean(X, [1.0, -1.0, 0.0])) == (
        "row 1: the weight is -1, expected a finite number >= 0"
    )
    assert (
        message(lambda: manifold.mean(X, [0.0, 0.0, 0.0]))
        == "all weights are 0, expected one above 0"
    )
    assert message(lambda: manifold.busemann(X, [1.0, 0.0, 0.0, 1.0])) == (
        "an ideal point has no part in S2: a sphere has no points at infinity"
    )
    assert message(lambda: manifold.busemann(X, [0.0] * 4)) == (
        "an ideal point needs a finite direction other than zero"
    )
    assert message(lambda: manifold.random(-1)) == "n_samples is -1, expected at least 0"
    assert message(lambda: manifold.random(1, np.nan)) == (
        "scale is nan, expected a finite number of at least 0"
    )
    assert message(lambda: manifold.random(1, 1.0, -1)) == (
        "random_state is -1, expected 0 to 2**64 - 1"
    )


def test_points_that_balance_around_a_sphere_have_no_mean() -> None:
    assert message(lambda: Manifold("S1").mean([[1.0, 0.0], [-1.0, 0.0]])) == (
        "the points of S1 have no mean: they balance around the sphere"
    )


def test_no_rows_give_no_rows() -> None:
    manifold = Manifold("H2 x S2")
    empty = manifold.random(0)
    assert empty.shape == (0, 6)
    assert manifold.distance(empty, empty).shape == (0,)
    assert manifold.pairwise_distance(empty).shape == (0, 0)
    assert manifold.natural_coordinates(empty).shape == (0, 4)


def test_random_states_of_all_kinds_are_seeds() -> None:
    manifold = Manifold("E2")
    assert np.array_equal(manifold.random(5, 1.0, 7), manifold.random(5, 1.0, np.int64(7)))
    first = manifold.random(5, 1.0, np.random.RandomState(1))
    assert np.array_equal(first, manifold.random(5, 1.0, np.random.RandomState(1)))
    generator = np.random.default_rng(1)
    assert not np.array_equal(
        manifold.random(5, 1.0, generator), manifold.random(5, 1.0, generator)
    )
    assert not np.array_equal(manifold.random(5), manifold.random(5))


@pytest.mark.parametrize("coordinates", ["tangent", "poincare", "klein"])
def test_points_of_a_sphere_have_a_place_however_large_their_coordinates(coordinates: Any) -> None:
    manifold = Manifold("S2", coordinates=coordinates)
    points = [[1e160, 1e160], [1.7e308, 0.0], [1e200, -1e308], [3e-324, 0.0]]
    ambient = manifold.convert(points, coordinates, "ambient")
    np.testing.assert_allclose(np.linalg.norm(ambient, axis=1), 1, rtol=1e-15)
    distances = manifold.pairwise_distance(points)
    assert np.isfinite(distances).all()
    if coordinates == "poincare":
        np.testing.assert_array_equal(ambient[:3, 0], -1)
        np.testing.assert_allclose(ambient[0, 1:], 1e-160, rtol=1e-15)
    if coordinates == "klein":
        np.testing.assert_allclose(ambient[0, 1:], 0.5**0.5, rtol=1e-15)
        np.testing.assert_allclose(ambient[1], [1 / 1.7e308, 1, 0], rtol=1e-15)


@pytest.mark.parametrize("coordinates", ["tangent", "poincare", "klein"])
def test_points_of_a_sphere_that_are_longer_than_any_number_are_refused(coordinates: Any) -> None:
    manifold = Manifold("S2", coordinates=coordinates)
    points = [[0.0, 1.0], [1.7e308, 1.7e308]]
    expected = (
        "row 1: longer than 1.8e308 curvature radii of S2, more than float64 can hold; 1 row is "
        "like this"
    )
    assert message(lambda: manifold.distance(points, points)) == expected
    assert message(lambda: manifold.convert(points, coordinates, "ambient")) == expected
    assert message(lambda: manifold.require(points)) == expected


def test_distances_that_no_number_can_hold_are_errors() -> None:
    manifold = Manifold("E2")
    points = [[1.7e308, 0.0], [-1.7e308, 0.0]]
    assert (
        message(lambda: manifold.distance(points, points[::-1]))
        == "row 0: the result is out of the range of float64 on E2"
    )
    assert (
        message(lambda: manifold.pairwise_distance(points))
        == "row 0: a distance is out of the range of float64 on E2"
    )


def test_distances_of_products_neither_overflow_nor_vanish() -> None:
    manifold = Manifold("E1 x E1")
    for size in (3e-310, 1e-200, 1.0, 1e200, 3e307):
        points = np.array([[0.0, 0.0], [3 * size, 4 * size]])
        np.testing.assert_allclose(manifold.distance(points[:1], points[1:]), 5 * size, rtol=1e-12)
        np.testing.assert_allclose(manifold.pairwise_distance(points)[0, 1], 5 * size, rtol=1e-12)
        assert manifold.pairwise_distance(points)[0, 1] == manifold.distance(*np.split(points, 2))


def test_the_mean_says_that_it_has_no_coordinates() -> None:
    manifold = Manifold("S2", coordinates="poincare")
    assert (
        message(lambda: manifold.mean([[1e200, 0.0]]))
        == "the mean: a point of S2 opposite the origin has no poincare coordinates"
    )


def test_the_smallest_vectors_are_projected_onto_the_sphere() -> None:
    np.testing.assert_allclose(Manifold("S1").project([[5e-324, 0.0]]), [[1.0, 0.0]], rtol=1e-15)
