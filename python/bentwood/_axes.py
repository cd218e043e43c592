"""Where pictures go: matplotlib, which is an optional extra, and its axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The colour of lines, and of points without a class.
INK = "#2b2f36"


def require_matplotlib() -> None:
    """Raise ImportError with what to install where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError(
            "bentwood.plot needs matplotlib; install it with pip install 'bentwood[plot]'"
        ) from None


def new_axes() -> Axes:
    """Return the axes of a new figure."""
    from matplotlib import pyplot as plt

    return plt.subplots(layout="constrained")[1]
