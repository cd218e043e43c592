"""What the tests of geodesic forests fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bentwood import GeodesicForest, datasets


def small(**parameters: Any) -> GeodesicForest:
    """Return a forest that is quick to grow."""
    given = {"n_estimators": 20, "min_samples_split": 20, "bootstrap": True, "random_state": 0}
    return GeodesicForest(**{**given, **parameters})


def helix(n_samples: int = 200) -> NDArray[np.float64]:
    """Return points of a curve among two columns of noise."""
    X: NDArray[np.float64] = datasets.make_helix(n_samples, n_noise=2, random_state=1)[0]
    return X
