"""What estimators have that only make sense on hyperbolic space."""

from __future__ import annotations

from bentwood._base import ManifoldEstimator


class HyperbolicEstimator(ManifoldEstimator):
    """An estimator on one hyperbolic factor, H of as many dimensions as X describes by default."""

    def _default_signature(self, coordinates: str) -> str:
        return hyperbolic_signature(self.n_features_in_, coordinates)


def hyperbolic_signature(n_columns: int, coordinates: str) -> str:
    """Return H of the dimension that so many columns describe."""
    if coordinates == "ambient" and n_columns < 2:
        raise ValueError(
            f"X has {n_columns} column, expected at least 2 in ambient coordinates of H"
        )
    return f"H{n_columns - 1 if coordinates == 'ambient' else n_columns}"
