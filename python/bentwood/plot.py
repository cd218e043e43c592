"""Pictures of models with matplotlib: what they predict everywhere, and trees as diagrams."""

from __future__ import annotations

from bentwood._decision_regions import decision_regions
from bentwood._tree_diagram import plot_tree

__all__ = ["decision_regions", "plot_tree"]
