"""From class trees as users have them to the library's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arrays import as_matrix
from bentwood._labels import Array, Indices, distinct, indices, show
from bentwood._scored import as_classes


def class_tree(
    tree: Any, labels: npt.ArrayLike | None, truth: Array, predicted: Array
) -> tuple[_core.ClassTree, Indices, Indices, Indices]:
    """Return the tree, the node of each class, and both vectors as places among the classes."""
    if isinstance(tree, Mapping):
        if labels is not None:
            raise ValueError("labels are for the leaves of a linkage, and tree is a mapping")
        classes = distinct("y_true and y_pred", truth, predicted)
        built, nodes = _from_mapping(tree, classes)
    else:
        if hasattr(tree, "linkage") and hasattr(tree, "classes"):
            tree, labels = tree.linkage, tree.classes if labels is None else labels
        linkage, _ = as_matrix(tree, "tree")
        built = _core.ClassTree.from_linkage(linkage)
        classes = (
            distinct("y_true and y_pred", truth, predicted)
            if labels is None
            else as_classes(labels)
        )
        if len(classes) != len(linkage) + 1:
            hint = "" if labels is not None else "; pass labels, the class of each leaf"
            raise ValueError(
                f"the linkage has {len(linkage) + 1} leaves and there are {len(classes)} labels, "
                f"expected equally many{hint}"
            )
        nodes = np.arange(len(classes), dtype=np.int64)
    return built, nodes, indices(truth, "y_true", classes), indices(predicted, "y_pred", classes)


def _from_mapping(
    tree: Mapping[Hashable, Hashable | None], classes: Array
) -> tuple[_core.ClassTree, Indices]:
    parents = {_plain(node): _plain(parent) for node, parent in tree.items()}
    for node, parent in parents.items():
        if not isinstance(parent, Hashable):
            raise ValueError(f"tree: the parent of {show(node)} is {parent!r}, expected one node")
    nodes = dict.fromkeys(
        [*parents, *(parent for parent in parents.values() if parent is not None)]
    )
    places = {node: place for place, node in enumerate(nodes)}
    roots = [node for node in nodes if parents.get(node) is None]
    if len(roots) > 1:
        raise ValueError(
            f"tree: {show(roots[0])} and {show(roots[1])} have no parent, expected one root"
        )
    _refuse_cycles(parents)
    for label in classes:
        if _plain(label) not in places:
            raise ValueError(f"tree has no node {show(label)}, which is one of the labels")
    numbers = [-1 if parents.get(node) is None else places[parents[node]] for node in nodes]
    built = _core.ClassTree.from_parents(np.asarray(numbers, dtype=np.int64))
    return built, np.asarray([places[_plain(label)] for label in classes], dtype=np.int64)


def _refuse_cycles(parents: Mapping[Any, Any]) -> None:
    """Raise ValueError where a node is above itself."""
    safe: set[Any] = set()
    for start in parents:
        way: dict[Any, None] = {}
        node = start
        while node is not None and node not in safe:
            if node in way:
                raise ValueError(f"tree: {show(node)} is its own ancestor, expected a tree")
            way[node] = None
            node = parents.get(node)
        safe.update(way)


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
