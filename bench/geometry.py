"""Conversions and distances against the NumPy or SciPy expressions people write, one thread.

The peers' expressions are the textbook's, which check nothing and lose their digits far from the
origin; Bentwood's times include checking that every row is on the manifold. Rapidities are compared
twice: with the textbook's artanh, and with a NumPy expression as accurate as Bentwood's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import Comparison, compare, write
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from bentwood.geometry import Manifold

Array = NDArray[np.float64]
N_POINTS = 1_000_000
N_PAIRED = 4_000


def difference(a: Array, b: Array) -> float:
    return float(np.abs(a - b).max() / np.abs(b).max())


def lift(spatial: Array, time: Array) -> Array:
    return np.hstack([time, spatial])


def conversions(dim: int) -> dict[tuple[str, str], Callable[[Array], Array]]:
    """The textbook's formulas on H^n of curvature -1, or S^n of curvature 1."""

    def squares(X: Array) -> Array:
        return np.sum(X * X, axis=1, keepdims=True)

    def poincare_to_ambient(X: Array) -> Array:
        s = squares(X)
        return lift(2 * X / (1 - s), (1 + s) / (1 - s))

    def tangent_to_ambient(X: Array) -> Array:
        r = np.sqrt(squares(X))
        return lift(np.sinh(r) / r * X, np.cosh(r))

    def ambient_to_tangent(X: Array) -> Array:
        r = np.sqrt(squares(X[:, 1:]))
        return np.arcsinh(r) / r * X[:, 1:]

    return {
        ("poincare", "ambient"): poincare_to_ambient,
        ("ambient", "poincare"): lambda X: X[:, 1:] / (1 + X[:, :1]),
        ("poincare", "klein"): lambda X: 2 * X / (1 + squares(X)),
        ("klein", "poincare"): lambda X: X / (1 + np.sqrt(1 - squares(X))),
        ("tangent", "ambient"): tangent_to_ambient,
        ("ambient", "tangent"): ambient_to_tangent,
    }


def hyperbolic(dim: int) -> list[Comparison]:
    manifold = Manifold(f"H{dim}", n_jobs=1)
    points: dict[Any, Array] = {"ambient": manifold.random(N_POINTS, 0.5, 0)}
    for chart in ("poincare", "klein", "tangent"):
        points[chart] = manifold.convert(points["ambient"], target=chart)  # type: ignore[arg-type]
    X, Y = points["ambient"], manifold.random(N_POINTS, 0.5, 1)
    size = f"H{dim}, {N_POINTS:,} points"
    results = [
        compare(
            f"convert {source} to {target}",
            size,
            "NumPy",
            lambda f=formula, s=source: f(points[s]),
            lambda s=source, t=target: manifold.convert(points[s], s, t),
            difference,
            1e-12,
        )
        for (source, target), formula in conversions(dim).items()
    ]

    def rapidities() -> Array:  # accurate everywhere, as Bentwood's are
        squared = X[:, 1:] ** 2
        others = squared.sum(axis=1, keepdims=True) - squared
        return np.arcsinh(X[:, 1:] / np.sqrt(1 + others))

    for task, expression in (
        ("natural coordinates, artanh(x/x_0)", lambda: np.arctanh(X[:, 1:] / X[:, :1])),
        ("natural coordinates, as accurate", rapidities),
    ):
        results.append(
            compare(
                task,
                size,
                "NumPy",
                expression,
                lambda: manifold.natural_coordinates(X),
                difference,
                1e-9,
            )
        )
    results.append(
        compare(
            "distance row by row",
            size,
            "NumPy",
            lambda: np.arccosh(
                np.maximum(X[:, 0] * Y[:, 0] - np.sum(X[:, 1:] * Y[:, 1:], axis=1), 1)
            ),
            lambda: manifold.distance(X, Y),
            difference,
            1e-6,
        )
    )
    A, B = X[:N_PAIRED], Y[:N_PAIRED]
    results.append(
        compare(
            "distance of all pairs",
            f"H{dim}, {N_PAIRED:,} x {N_PAIRED:,}",
            "NumPy",
            lambda: np.arccosh(np.maximum(np.outer(A[:, 0], B[:, 0]) - A[:, 1:] @ B[:, 1:].T, 1)),
            lambda: manifold.pairwise_distance(A, B),
            difference,
            1e-6,
        )
    )
    results.append(
        compare(
            "distance of all pairs of one set",
            f"H{dim}, {N_PAIRED:,} points",
            "NumPy",
            lambda: np.arccosh(np.maximum(np.outer(A[:, 0], A[:, 0]) - A[:, 1:] @ A[:, 1:].T, 1)),
            lambda: manifold.pairwise_distance(A),
            difference,
            1e-6,
        )
    )
    return results


def spherical(dim: int) -> list[Comparison]:
    manifold = Manifold(f"S{dim}", n_jobs=1)
    X = manifold.random(N_POINTS, 0.5, 0)
    V = manifold.convert(X, target="tangent")

    def tangent_to_ambient() -> Array:
        r = np.linalg.norm(V, axis=1, keepdims=True)
        return lift(np.sin(r) / r * V, np.cos(r))

    A, B = X[:N_PAIRED], X[-N_PAIRED:]
    return [
        compare(
            "convert tangent to ambient",
            f"S{dim}, {N_POINTS:,} points",
            "NumPy",
            tangent_to_ambient,
            lambda: manifold.convert(V, "tangent", "ambient"),
            difference,
            1e-12,
        ),
        compare(
            "distance of all pairs",
            f"S{dim}, {N_PAIRED:,} x {N_PAIRED:,}",
            "NumPy",
            lambda: np.arccos(np.clip(A @ B.T, -1, 1)),
            lambda: manifold.pairwise_distance(A, B),
            difference,
            1e-6,
        ),
    ]


def euclidean(dim: int) -> list[Comparison]:
    manifold = Manifold(f"E{dim}", n_jobs=1)
    A, B = manifold.random(N_PAIRED, 1.0, 0), manifold.random(N_PAIRED, 1.0, 1)
    return [
        compare(
            "distance of all pairs",
            f"E{dim}, {N_PAIRED:,} x {N_PAIRED:,}",
            "SciPy",
            lambda: cdist(A, B),
            lambda: manifold.pairwise_distance(A, B),
            difference,
            1e-12,
        )
    ]


def main() -> None:
    with threadpool_limits(1):
        results = [*hyperbolic(2), *hyperbolic(8), *spherical(2), *euclidean(8)]
    write("geometry", results, ["numpy", "scipy"])


if __name__ == "__main__":
    main()
