"""Geometry from the definitions, in 60 digits: what the fast code is compared with.

Points are ambient mpmath vectors made from the float64 numbers exactly as they are; nothing here knows
the library's formulas.
"""

from __future__ import annotations

from collections.abc import Sequence

import mpmath as mp

mp.mp.dps = 60

Vector = list[mp.mpf]


def vector(numbers: Sequence[float]) -> Vector:
    return [mp.mpf(float(number)) for number in numbers]


def dot(x: Vector, y: Vector) -> mp.mpf:
    return mp.fsum(a * b for a, b in zip(x, y, strict=True))


def combine(a: mp.mpf, x: Vector, b: mp.mpf, y: Vector) -> Vector:
    return [a * p + b * q for p, q in zip(x, y, strict=True)]


class Factor:
    """H^n (curvature < 0) or S^n (curvature > 0) in ambient coordinates."""

    def __init__(self, curvature: float) -> None:
        self.curvature = mp.mpf(curvature)
        self.hyperbolic = curvature < 0
        self.radius = 1 / mp.sqrt(abs(self.curvature))

    def form(self, x: Vector, y: Vector) -> mp.mpf:
        """The ambient bilinear form: Lorentz on H, Euclidean on S."""
        sign = -1 if self.hyperbolic else 1
        return sign * x[0] * y[0] + dot(x[1:], y[1:])

    def cos(self, t: mp.mpf) -> mp.mpf:
        return mp.cosh(t) if self.hyperbolic else mp.cos(t)

    def sin(self, t: mp.mpf) -> mp.mpf:
        return mp.sinh(t) if self.hyperbolic else mp.sin(t)

    def lift(self, row: Sequence[float], coordinates: str) -> Vector:
        """The ambient point of a row of coordinates."""
        p = vector(row)
        if coordinates != "ambient":
            return self._lift(p, coordinates)
        if self.hyperbolic:  # the spatial part decides
            return [mp.sqrt(self.radius**2 + dot(p[1:], p[1:])), *p[1:]]
        return [self.radius * c / mp.sqrt(dot(p, p)) for c in p]

    def lower(self, x: Vector, coordinates: str) -> Vector:
        """The coordinates of an ambient point."""
        if coordinates == "ambient":
            return x
        if coordinates == "poincare":
            return [self.radius * c / (self.radius + x[0]) for c in x[1:]]
        if coordinates == "klein":
            return [self.radius * c / x[0] for c in x[1:]]
        norm = mp.sqrt(dot(x[1:], x[1:]))
        if not norm:
            return x[1:]
        r = mp.asinh(norm / self.radius) if self.hyperbolic else mp.atan2(norm, x[0])
        return [self.radius * r * c / norm for c in x[1:]]

    def distance(self, x: Vector, y: Vector) -> mp.mpf:
        cosine = self.form(x, y) * self.curvature
        return self.radius * (mp.acosh(cosine) if self.hyperbolic else mp.acos(cosine))

    def exp(self, x: Vector, v: Vector) -> Vector:
        length = mp.sqrt(self.form(v, v)) / self.radius
        if not length:
            return x
        return combine(self.cos(length), x, self.sin(length) / length, v)

    def log(self, x: Vector, y: Vector) -> Vector:
        angle = self.distance(x, y) / self.radius
        if not angle:
            return [mp.mpf(0)] * len(x)
        share = angle / self.sin(angle)
        return combine(share, y, -share * self.cos(angle), x)

    def geodesic(self, x: Vector, y: Vector, t: float) -> Vector:
        angle = self.distance(x, y) / self.radius
        whole = self.sin(angle)
        t = mp.mpf(t)
        return combine(self.sin((1 - t) * angle) / whole, x, self.sin(t * angle) / whole, y)

    def transport(self, x: Vector, y: Vector, v: Vector) -> Vector:
        """Carry v along the geodesic: its part along the velocity turns with it, the rest stays."""
        heading = self.log(x, y)
        squared = self.form(heading, heading)
        arriving = [-c for c in self.log(y, x)]
        share = self.form(heading, v) / squared
        return combine(mp.mpf(1), combine(1, v, -share, heading), share, arriving)

    def push(self, row: Sequence[float], v: Sequence[float], coordinates: str) -> Vector:
        """The ambient vector of chart components v at a row: the derivative of `lift`."""
        point, direction = vector(row), vector(v)
        if coordinates == "ambient":  # tangent up to rounding; here exactly
            x = self.lift(row, coordinates)
            if self.hyperbolic:
                return [dot(x[1:], direction[1:]) / x[0], *direction[1:]]
            return combine(1, direction, -dot(x, direction) / self.radius**2, x)
        return [
            mp.diff(lambda s, k=k: self._lift(combine(1, point, s, direction), coordinates)[k], 0)
            for k in range(len(point) + 1)
        ]

    def _lift(self, p: Vector, coordinates: str) -> Vector:
        squared = dot(p, p) / self.radius**2
        sign = -1 if self.hyperbolic else 1
        if coordinates == "poincare":
            bottom = 1 + sign * squared
            return [self.radius * (1 - sign * squared) / bottom, *(2 * c / bottom for c in p)]
        if coordinates == "klein":
            bottom = mp.sqrt(1 + sign * squared)
            return [self.radius / bottom, *(c / bottom for c in p)]
        r = mp.sqrt(squared)
        share = self.sin(r) / r if r else mp.mpf(1)
        return [self.radius * self.cos(r), *(share * c for c in p)]

    def busemann(self, x: Vector, ideal: Sequence[float]) -> mp.mpf:
        w = vector(ideal)
        norm = mp.sqrt(dot(w, w))
        return self.radius * mp.log((x[0] - dot(w, x[1:]) / norm) / self.radius)

    def natural(self, x: Vector) -> Vector:
        if self.hyperbolic:
            return [mp.atanh(c / x[0]) for c in x[1:]]
        return [mp.atan2(c, x[0]) for c in x[1:]]
