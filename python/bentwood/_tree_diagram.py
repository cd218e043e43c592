"""A tree as a diagram of boxes, drawn with matplotlib."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_number
from bentwood._axes import INK, new_axes, require_matplotlib
from bentwood._estimator import TreeEstimator, as_tree_estimator
from bentwood._parameters import UNLIMITED, as_limit
from bentwood._tree_structure import TreeStructure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Places = dict[int, tuple[float, int]]


def plot_tree(
    estimator: TreeEstimator,
    tree: int = 0,
    *,
    max_depth: int | None = None,
    decimals: int = 2,
    ax: Axes | None = None,
    fontsize: float | None = None,
) -> Axes:
    """Draw a tree as a diagram: a box a node, its question or its answer in it.

    A row goes down to the left where the answer is yes. Leaves have the colours that
    :func:`bentwood.plot.decision_regions` gives to their classes or values.

    Parameters
    ----------
    estimator : fitted tree or forest of Bentwood
        On any manifold.
    tree : int
        The number of the tree in the forest.
    max_depth : int or None
        How many cuts deep to show; None means all.
    decimals : int
        Digits after the decimal point.
    ax : matplotlib Axes or None
        Where to draw; None makes a new figure.
    fontsize : float or None
        The size of the text in points; None means as large as fits.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> from bentwood import ManifoldTreeClassifier
    >>> from bentwood.datasets import make_mixture
    >>> from bentwood.plot import plot_tree
    >>> X, y = make_mixture(200, "H2", random_state=1)
    >>> ax = plot_tree(ManifoldTreeClassifier("H2", max_depth=2).fit(X, y))
    >>> len(ax.texts) >= 3
    True

    """
    require_matplotlib()
    forest = as_tree_estimator(estimator)._model
    size = None if fontsize is None else as_number(fontsize, "fontsize")
    structure = estimator._tree(tree)
    texts = forest.node_texts(tree, estimator._text_options(max_depth, decimals))
    depth = as_limit(max_depth, "max_depth", 0, UNLIMITED)
    axes = new_axes() if ax is None else ax
    if forest.is_classifier:
        colours = [_core.class_colour(int(value.argmax())) for value in structure.value]
    else:
        colours = _scale_colours(structure.value[:, 0])
    _draw_diagram(axes, structure, texts, colours, depth, size)
    return axes


def _draw_diagram(
    axes: Axes,
    tree: TreeStructure,
    lines: Sequence[Sequence[str]],
    colours: Sequence[str],
    max_depth: int,
    fontsize: float | None,
) -> None:
    """Draw the nodes down to a depth; each has its lines of text, some empty, and its colour."""
    places = _places(tree, max_depth)
    deepest = max(depth for _, depth in places.values())
    columns = max(x for x, _ in places.values()) + 1
    # A dollar sign would begin a formula.
    texts = {node: "\n".join(filter(None, lines[node])).replace("$", r"\$") for node in places}
    axes.set(xlim=(-0.6, columns - 0.4), ylim=(-deepest - 0.5, 0.5))
    axes.set_axis_off()
    size = fontsize or _fitting_size(axes, places, texts)
    for node, (x, depth) in places.items():
        is_leaf = tree.feature[node] < 0
        for child in (int(tree.children_left[node]), int(tree.children_right[node])):
            if child in places:
                axes.plot(
                    [x, places[child][0]], [-depth, -depth - 1], color="#9aa1ad", lw=1.0, zorder=1
                )
        axes.text(
            x,
            -depth,
            texts[node],
            ha="center",
            va="center",
            fontsize=size,
            zorder=2,
            bbox={
                "boxstyle": "round,pad=0.45",
                "facecolor": _tint(colours[node]) if is_leaf else "white",
                "edgecolor": colours[node] if is_leaf else INK,
                "linewidth": 1.0,
            },
        )


def _places(tree: TreeStructure, max_depth: int) -> Places:
    """Return across and down of every shown node: leaves side by side, parents in the middle."""
    places: Places = {}
    n_columns = 0
    # A node comes twice: before its children, and after them.
    stack = [(0, 0, False)]
    while stack:
        node, depth, done = stack.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if done:
            places[node] = (places[left][0] + places[right][0]) / 2, depth
        elif tree.feature[node] < 0 or depth >= max_depth:
            places[node] = float(n_columns), depth
            n_columns += 1
        else:
            stack += [(node, depth, True), (right, depth + 1, False), (left, depth + 1, False)]
    return places


def _fitting_size(axes: Axes, places: Places, texts: dict[int, str]) -> float:
    """Return the font size at which no box touches its neighbours, up to 10 points."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    width, height = figure.get_size_inches() * 72
    box = axes.get_position()
    low, high = axes.get_xlim()
    column = width * box.width / (high - low)
    low, high = axes.get_ylim()
    level = height * box.height / (high - low)
    size = 10.0
    rows: dict[int, list[tuple[float, int]]] = {}
    for node, (x, depth) in places.items():
        lines = texts[node].split("\n")
        rows.setdefault(depth, []).append((x, max(map(len, lines))))
        size = min(size, level / (1.2 * len(lines) + 2))
    # A letter is some 0.6 sizes wide, and a box has as much as two of them around its text.
    for row in rows.values():
        row.sort()
        for (x, letters), (next_x, next_letters) in itertools.pairwise(row):
            needed = 0.6 * ((letters + next_letters) / 2 + 2)
            size = min(size, (next_x - x) * column / needed)
    return max(size, 1.0)


def _tint(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = 1 - 0.32 * (1 - np.array(to_rgb(colour)))
    return red, green, blue


def _scale_colours(values: npt.NDArray[np.float64]) -> list[str]:
    from matplotlib import colormaps
    from matplotlib.colors import Normalize, to_hex

    scale = Normalize(values.min(), values.max())
    return [to_hex(colormaps["viridis"](scale(value))) for value in values]
