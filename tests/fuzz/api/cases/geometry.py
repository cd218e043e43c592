"""Operations on manifolds, and hulls."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from api.checks import same_bits
from api.points import draw_rows, draw_tangents
from api.session import Session
from api.spaces import COORDINATES, Space, draw_space
from api.targets import draw_weights
from api.values import count, number, wrong
from bentwood.geometry import Manifold, convex_hull, nearest_pair
from bentwood.linear import hyperclasses


def run(session: Session) -> None:
    """Make a manifold, and call a few of its methods."""
    dice = session.dice
    space = draw_space(dice, hyperbolic=dice.chance(0.3))
    signature, coordinates, n_jobs = space.signature, space.coordinates, 1
    if dice.is_wrong(0.1):
        signature, coordinates, n_jobs = dice.one_of(
            (wrong(dice), coordinates, 1),
            (signature, wrong(dice), 1),
            (signature, coordinates, wrong(dice)),
        )
    made = session.call("Manifold", Manifold, signature, coordinates, n_jobs=n_jobs)
    if made.ok:
        copied = pickle.loads(pickle.dumps(made.value))
        session.require("Manifold", "is another one after a pickle", copied == made.value)
        for _ in range(dice.randint(2, 5)):
            name = dice.choice(list(_OPERATIONS))
            _OPERATIONS[name](session, made.value, space)


def _of_rows(name: str) -> Callable[[Session, Manifold, Space], None]:
    """Return the case of a method that takes points."""

    def case(session: Session, manifold: Manifold, space: Space) -> None:
        rows = draw_rows(session, space)
        told = session.call(f"Manifold.{name}", getattr(manifold, name), rows.given, twice=True)
        if name == "project" and told.ok and np.isfinite(rows.array).all():
            inside = session.call("Manifold.contains", manifold.contains, told.value)
            session.require(
                "Manifold.project", "leaves the manifold", inside.ok and inside.value.all()
            )
        if told.ok and len(told.value):
            _require_rowwise(session, manifold, name, rows.given, told.value)

    return case


def _require_rowwise(
    session: Session, manifold: Manifold, name: str, given: Any, told: Any
) -> None:
    """Require that a row's result does not depend on the others."""
    if type(given) is not np.ndarray:
        return
    row = session.dice.randrange(len(given))
    alone = session.call(f"Manifold.{name}", getattr(manifold, name), given[row : row + 1])
    same = alone.ok and same_bits(alone.value[0], told[row])
    session.require(f"Manifold.{name}", "says something else of one row alone", same, (row, told))


def _of_pairs(name: str) -> Callable[[Session, Manifold, Space], None]:
    """Return the case of a method that takes two sets of points, row by row."""

    def case(session: Session, manifold: Manifold, space: Space) -> None:
        dice = session.dice
        first = draw_rows(session, space)
        second = first if dice.chance(0.1) else draw_rows(session, space, n_rows=first.n_rows)
        told = session.call(
            f"Manifold.{name}", getattr(manifold, name), first.given, second.given, twice=True
        )
        if name == "distance" and told.ok:
            session.require("Manifold.distance", "is negative", (told.value >= 0).all(), told.value)
            if second is first:
                session.require("Manifold.distance", "of a point from itself", not told.value.any())

    return case


def _with_vectors(
    name: str, n_points: int, n_vectors: int
) -> Callable[[Session, Manifold, Space], None]:
    """Return the case of a method that takes points and tangent vectors at them."""

    def case(session: Session, manifold: Manifold, space: Space) -> None:
        dice = session.dice
        first = draw_rows(session, space)
        points = [draw_rows(session, space, n_rows=first.n_rows).given for _ in range(n_points - 1)]
        vectors = [_vectors(session, manifold, first.array) for _ in range(n_vectors)]
        # Lengths and inner products of vectors of 1e200 are beyond all numbers.
        session.call(
            f"Manifold.{name}", getattr(manifold, name), first.given, *points, *vectors,
            finite=dice.mood == "plain",
        )  # fmt: skip

    return case


def _vectors(session: Session, manifold: Manifold, points: Any) -> Any:
    """Return vectors, most often tangent ones: velocities from some points to others."""
    dice = session.dice
    if dice.chance(0.8):
        found = session.call("Manifold.log", manifold.log, points, points[::-1])
        if found.ok:
            return found.value * dice.one_of(1, 1, 0.1, -3)
    return draw_tangents(dice, *points.shape)


def _convert(session: Session, manifold: Manifold, space: Space) -> None:
    dice = session.dice
    rows = draw_rows(session, space)
    source = space.coordinates if dice.chance(0.8) else dice.choice(COORDINATES)
    target = wrong(dice) if dice.is_wrong(0.2) else dice.choice(COORDINATES)
    session.call("Manifold.convert", manifold.convert, rows.given, source, target, twice=True)


def _pairwise(session: Session, manifold: Manifold, space: Space) -> None:
    rows = draw_rows(session, space)
    others = draw_rows(session, space).given if session.dice.chance(0.5) else None
    told = session.call(
        "Manifold.pairwise_distance", manifold.pairwise_distance, rows.given, others
    )
    if told.ok:
        holds = (told.value >= 0).all()
        if others is None:
            holds = holds and (told.value == told.value.T).all() and not told.value.diagonal().any()
        session.require("Manifold.pairwise_distance", "is no distance", holds, told.value)


def _geodesic(session: Session, manifold: Manifold, space: Space) -> None:
    dice = session.dice
    first = draw_rows(session, space)
    second = draw_rows(session, space, n_rows=first.n_rows)
    times: Any = number(dice) if dice.chance(0.5) else dice.numbers.random(first.n_rows)
    if dice.is_wrong(0.2):
        times = wrong(dice)
    beyond = np.ndim(times) == 0 and not (isinstance(times, float) and 0 <= times <= 1)
    session.call(
        "Manifold.geodesic", manifold.geodesic, first.given, second.given, times, finite=not beyond
    )


def _mean(session: Session, manifold: Manifold, space: Space) -> None:
    dice = session.dice
    rows = draw_rows(session, space)
    weights = draw_weights(dice, rows.n_rows)
    kind = wrong(dice) if dice.is_wrong(0.1) else dice.one_of("frechet", "einstein")
    session.call("Manifold.mean", manifold.mean, rows.given, weights, kind, twice=True)


def _busemann(session: Session, manifold: Manifold, space: Space) -> None:
    dice = session.dice
    rows = draw_rows(session, space)
    direction = wrong(dice) if dice.is_wrong(0.2) else draw_tangents(dice, 1, manifold.dim)[0]
    session.call("Manifold.busemann", manifold.busemann, rows.given, direction, twice=True)


def _random(session: Session, manifold: Manifold, _space: Space) -> None:
    dice = session.dice
    size = wrong(dice) if dice.is_wrong(0.2) else count(dice, most=50)
    scale = number(dice)
    drawn = session.call(
        "Manifold.random", manifold.random, size, scale, random_state=0, twice=True
    )
    if drawn.ok:
        inside = session.call("Manifold.contains", manifold.contains, drawn.value)
        session.require("Manifold.random", "leaves the manifold", inside.ok and inside.value.all())


def _require(session: Session, manifold: Manifold, space: Space) -> None:
    dice = session.dice
    how = wrong(dice) if dice.is_wrong(0.1) else dice.one_of("error", "project")
    session.call("Manifold.require", manifold.require, draw_rows(session, space).given, how)


def _hulls(session: Session, manifold: Manifold, space: Space) -> None:
    dice = session.dice
    rows = draw_rows(session, space)
    hull = session.call("convex_hull", convex_hull, manifold, rows.given, twice=True)
    if hull.ok:
        known = (hull.value >= 0).all() and (hull.value < rows.n_rows).all()
        session.require("convex_hull", "returns what is no row", known, hull.value)
        # Of no rows at all the hull is empty, of others never.
        has_some = (len(hull.value) > 0) == (rows.n_rows > 0)
        session.require("convex_hull", "is empty where there are rows", has_some, hull.value)
    others = rows if dice.chance(0.1) else draw_rows(session, space)
    session.call("nearest_pair", nearest_pair, manifold, rows.given, others.given, twice=True)


def _hyperclasses(session: Session, _manifold: Manifold, space: Space) -> None:
    dice = session.dice
    rows = draw_rows(session, space)
    labels = dice.numbers.integers(3, size=rows.n_rows)
    session.call(
        "hyperclasses", hyperclasses, rows.given, labels, dice.one_of(None, space.signature),
        coordinates=space.coordinates, sample_weight=draw_weights(dice, rows.n_rows), twice=True,
    )  # fmt: skip


_OPERATIONS: dict[str, Callable[[Session, Manifold, Space], None]] = {
    **{name: _of_rows(name) for name in ("contains", "project", "radii", "natural_coordinates")},
    **{name: _of_pairs(name) for name in ("distance", "log", "midpoint", "lowest_common_ancestor")},
    "exp": _with_vectors("exp", 1, 1),
    "transport": _with_vectors("transport", 2, 1),
    "inner": _with_vectors("inner", 1, 2),
    "convert": _convert,
    "pairwise_distance": _pairwise,
    "geodesic": _geodesic,
    "mean": _mean,
    "busemann": _busemann,
    "random": _random,
    "require": _require,
    "hulls": _hulls,
    "hyperclasses": _hyperclasses,
}
