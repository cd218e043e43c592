"""Learning from points on curved spaces: hyperbolic, spherical, Euclidean and their products."""

from bentwood._core import version as __version__

__all__ = ["__version__"]
