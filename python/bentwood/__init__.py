"""Learning from points on curved spaces: hyperbolic, spherical, Euclidean and their products."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bentwood._core import version as __version__

if TYPE_CHECKING:
    from bentwood._model_file import load
    from bentwood.forest import ManifoldForestClassifier, ManifoldForestRegressor
    from bentwood.geodesic import GeodesicForest
    from bentwood.horo import HoroForestClassifier, HoroTreeClassifier
    from bentwood.linear import HoroSVC
    from bentwood.perceptron import PoincarePerceptron, PoincareSecondOrderPerceptron
    from bentwood.poincare import PoincareSVC
    from bentwood.tree import ManifoldTreeClassifier, ManifoldTreeRegressor

__all__ = [
    "GeodesicForest",
    "HoroForestClassifier",
    "HoroSVC",
    "HoroTreeClassifier",
    "ManifoldForestClassifier",
    "ManifoldForestRegressor",
    "ManifoldTreeClassifier",
    "ManifoldTreeRegressor",
    "PoincarePerceptron",
    "PoincareSVC",
    "PoincareSecondOrderPerceptron",
    "__version__",
    "load",
]

# Imported where they are first used: scikit-learn takes a second, and a command that only converts
# points does not need it.
_homes = {
    "GeodesicForest": "bentwood.geodesic",
    "HoroForestClassifier": "bentwood.horo",
    "HoroSVC": "bentwood.linear",
    "HoroTreeClassifier": "bentwood.horo",
    "ManifoldForestClassifier": "bentwood.forest",
    "ManifoldForestRegressor": "bentwood.forest",
    "ManifoldTreeClassifier": "bentwood.tree",
    "ManifoldTreeRegressor": "bentwood.tree",
    "PoincarePerceptron": "bentwood.perceptron",
    "PoincareSVC": "bentwood.poincare",
    "PoincareSecondOrderPerceptron": "bentwood.perceptron",
    "load": "bentwood._model_file",
}


def __getattr__(name: str) -> Any:
    """Return an estimator, imported now."""
    if name not in _homes:
        raise AttributeError(f"module 'bentwood' has no attribute {name!r}")
    value = getattr(importlib.import_module(_homes[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return all names, those not yet imported too."""
    return sorted({*globals(), *__all__})
