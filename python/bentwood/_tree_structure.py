"""A trained tree as arrays, and as text and Graphviz for people to read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bentwood import _core

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


class TreeStructure(NamedTuple):
    """A tree as arrays with one entry a node, named as scikit-learn's; node 0 is the root.

    A row goes to the left child where its number in column ``feature`` is at most ``threshold``;
    in a circle column (an angle), where it lies in the half-turn (threshold, threshold + π].
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


def text_of(
    tree: TreeStructure,
    names: Sequence[str],
    classes: npt.NDArray[Any] | None,
    max_depth: int,
    decimals: int,
) -> str:
    """Return a tree as lines, one a side of a cut and one a leaf."""
    lines: list[str] = []
    # What is still to be written, the next last: a ready line, or a node and its depth.
    stack: list[str | tuple[int, int]] = [(0, 0)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        node, depth = item
        indent = "|   " * depth + "|--- "
        if tree.feature[node] < 0:
            lines.append(indent + _leaf_text(tree, node, classes, decimals))
        elif depth == max_depth:
            lines.append(indent + "(deeper cuts)")
        else:
            name = _one_line(names[int(tree.feature[node])])
            left, right = _side_texts(tree, node, decimals)
            stack += [
                (int(tree.children_right[node]), depth + 1),
                f"{indent}{name} {right}",
                (int(tree.children_left[node]), depth + 1),
                f"{indent}{name} {left}",
            ]
    return "\n".join(lines) + "\n"


def graphviz_of(
    tree: TreeStructure,
    names: Sequence[str],
    classes: npt.NDArray[Any] | None,
    max_depth: int,
    decimals: int,
) -> str:
    """Return a tree in the language of Graphviz' dot."""
    lines = [
        "digraph Tree {",
        '  node [shape=box, style="rounded", fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    stack = [(0, 0)]
    while stack:
        node, depth = stack.pop()
        weight = f"weight {tree.weighted_n_node_samples[node]:.{decimals}f}"
        if tree.feature[node] < 0:
            label = f"{_leaf_text(tree, node, classes, decimals)}\n{weight}"
        elif depth == max_depth:
            label = f"(deeper cuts)\n{weight}"
        else:
            side = _side_texts(tree, node, decimals)[0]
            label = f"{_one_line(names[int(tree.feature[node])])} {side}\n{weight}"
            children = int(tree.children_left[node]), int(tree.children_right[node])
            lines += [
                f'  {node} -> {child} [label="{answer}"];'
                for child, answer in zip(children, ("yes", "no"), strict=True)
            ]
            stack += [(child, depth + 1) for child in reversed(children)]
        lines.append(f'  {node} [label="{_quoted(label)}"];')
    return "\n".join([*lines, "}"]) + "\n"


def _side_texts(tree: TreeStructure, node: int, decimals: int) -> tuple[str, str]:
    threshold = float(tree.threshold[node])
    if tree.is_circle[node]:
        turn = f"in ({threshold:.{decimals}f}, {threshold + math.pi:.{decimals}f}]"
        return turn, f"not {turn}"
    return f"<= {threshold:.{decimals}f}", f"> {threshold:.{decimals}f}"


def _leaf_text(
    tree: TreeStructure, node: int, classes: npt.NDArray[Any] | None, decimals: int
) -> str:
    if classes is not None:
        return f"class: {_one_line(str(classes[int(np.argmax(tree.value[node]))]))}"
    return "value: [" + ", ".join(f"{value:.{decimals}f}" for value in tree.value[node]) + "]"


def _one_line(name: str) -> str:
    """Return a name whose line breaks are written out."""
    return name if name.isprintable() else repr(name)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
