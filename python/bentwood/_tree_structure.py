"""A trained tree as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bentwood import _core

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


class TreeStructure(NamedTuple):
    """A tree as arrays with one entry a node, named as scikit-learn's; node 0 is the root.

    A row goes to the left child where its number in column ``feature`` is at most ``threshold``;
    in a circle column (an angle), where it lies in the half-turn (threshold, threshold + π]. The
    number of a horosphere is its Busemann function in curvature radii; ``horospheres`` of
    ``bentwood.horo`` has the ideal points.
    """

    children_left: Integers
    """The number of the left child, -1 in leaves."""
    children_right: Integers
    """The number of the right child, -1 in leaves."""
    feature: Integers
    """The column that is cut, an index of ``column_names_``; -1 in leaves."""
    threshold: Reals
    """Where it is cut."""
    is_circle: npt.NDArray[np.bool_]
    """Whether the column is an angle."""
    weighted_n_node_samples: Reals
    """The training weight that reached the node: sample weights times bootstrap counts."""
    value: Reals
    """One row a node: the share of every class, or the mean of every output."""

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.feature)


def tree_structure(forest: _core.Forest, tree: int) -> TreeStructure:
    """Return a tree of a forest as arrays."""
    column, threshold, left, right, weight, value = forest.tree(tree)
    circles = np.array([kind == "circle" for _, kind, _ in forest.columns])
    is_circle = (column >= 0) & circles[column]
    return TreeStructure(left, right, column, threshold, is_circle, weight, value)
