"""Warnings that point at the user's own line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called into the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == "bentwood":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_of_projection(n_projected: int, n_rows: int, signature: str, largest: float) -> None:
    """Warn where rows were projected, the farthest by ``largest``."""
    if n_projected:
        warn(
            f"{n_projected} of {n_rows} rows were off {signature} "
            f"(by at most {largest:.2g} of the radius) and have been projected onto it"
        )
