"""Forests by name: each makes a predictor of points from a space and the settings of a forest.

A further family of splits is one row of METHODS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from bentwood import ManifoldForestClassifier, ManifoldForestRegressor
from bentwood.geometry import Coordinates, Manifold

Array = NDArray[Any]


@dataclass(frozen=True)
class Space:
    """Where points are, how rows describe them, and whether numbers or classes are predicted."""

    signature: str
    coordinates: Coordinates = "ambient"
    regression: bool = False


@dataclass
class Forest:
    """An estimator with what it is given of a point."""

    model: Any
    view: Callable[[Array], Array]

    def fit(self, X: Array, y: Array) -> Forest:
        self.model.fit(self.view(X), y)
        return self

    def predict(self, X: Array) -> Array:
        found: Array = self.model.predict(self.view(X))
        return found

    @property
    def out_of_bag(self) -> float:
        """Accuracy or R² on the rows that trees have not drawn: larger is better."""
        return float(self.model.oob_score_)


Method = Callable[..., Forest]
"""From a space and the settings that both libraries share."""


def manifold_forest(*splits: str) -> Method:
    """Bentwood's forest; a family that finds no factor of its kind adds no columns."""

    def make(space: Space, **settings: Any) -> Forest:
        kind = ManifoldForestRegressor if space.regression else ManifoldForestClassifier
        model = kind(
            space.signature,
            coordinates=space.coordinates,
            off_manifold="project",
            splits=splits,
            **settings,
        )
        return Forest(model, lambda X: X)

    return make


def plain_forest(coordinates: Coordinates) -> Method:
    """scikit-learn's forest on coordinates, as they are or converted to."""

    def make(space: Space, **settings: Any) -> Forest:
        manifold = Manifold(space.signature, space.coordinates, n_jobs=settings.get("n_jobs"))
        kind = RandomForestRegressor if space.regression else RandomForestClassifier

        def view(X: Array) -> Array:
            if space.coordinates == coordinates:
                return X
            return manifold.convert(manifold.project(X), target=coordinates)

        return Forest(kind(**settings), view)

    return make


METHODS: dict[str, Method] = {
    "geodesic": manifold_forest("geodesic"),
    "geodesic + pairs": manifold_forest("geodesic", "pairs"),
    "geodesic + pairs + chordal": manifold_forest("geodesic", "pairs", "chordal"),
    "ambient": plain_forest("ambient"),
    "tangent": plain_forest("tangent"),
}
