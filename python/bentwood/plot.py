"""Pictures of models with matplotlib: what they predict everywhere, and trees as diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arguments import as_number
from bentwood._arrays import Matrix
from bentwood._estimator import TreeEstimator
from bentwood._parameters import UNLIMITED, as_flag, as_limit, as_whole
from bentwood._tree_diagram import draw_diagram
from bentwood.geometry import Coordinates, Manifold
from bentwood.linear import HoroSVC

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

__all__ = ["decision_regions", "plot_tree"]

INK = "#2b2f36"
# In the order of class_mark.
MARKERS = "os^D"


def decision_regions(
    estimator: TreeEstimator | HoroSVC,
    X: Any = None,
    y: Any = None,
    *,
    ax: Axes | None = None,
    tree: int | None = None,
    output: int = 0,
    resolution: int = 400,
    cuts: bool | None = None,
    alpha: float | None = None,
    legend: bool = True,
) -> Axes:
    """Draw what a model on H2 or E2 predicts everywhere, and points above it.

    H2 is drawn as the Poincaré disk, where every cut of a tree is an arc that meets the rim at
    right angles, or a diameter; E2 as the plane around the points. A cut is drawn only where it is
    active: within the part of the plane that reaches its node. The cuts of a HoroSVC are its
    horocycles: circles that touch the rim at their ideal points, in the colour of the class inside
    (or, where a class is outside, dashed in its colour).

    Parameters
    ----------
    estimator : fitted tree, forest or HoroSVC of Bentwood
        Its signature is H2 or E2, of any curvature; its coordinates may be any.
    X : array-like of shape (n_samples, n_features) or None
        Points to draw, in the estimator's coordinates.
    y : array-like of shape (n_samples,) or None
        Their classes or values, which colour them.
    ax : matplotlib Axes or None
        Where to draw; None makes a new figure.
    tree : int or None
        Draw only this tree of a forest; None means all of them, the forest's prediction.
    output : int
        Which output of a regression with several.
    resolution : int
        Predict at that many places across and down.
    cuts : bool or None
        Whether to draw the cuts; None means those of a single tree or of a HoroSVC, but not those
        of a forest.
    alpha : float or None
        The opacity of the regions; None means 0.32 for classes and 1 for values.
    legend : bool
        Whether to draw a legend of the classes, or a bar of the values.

    Returns
    -------
    ax : matplotlib Axes

    Raises
    ------
    ImportError
        Where matplotlib is missing: it is an optional extra.
    ValueError
        Where the model is on another manifold, or the points do not fit it.

    Examples
    --------
    >>> from bentwood import ManifoldTreeClassifier
    >>> from bentwood.datasets import make_mixture
    >>> from bentwood.plot import decision_regions
    >>> X, y = make_mixture(200, "H2", random_state=1)
    >>> ax = decision_regions(ManifoldTreeClassifier("H2", max_depth=3).fit(X, y), X, y)
    >>> ax.get_aspect()
    1.0

    """
    _require_matplotlib()
    if isinstance(estimator, HoroSVC):
        if tree is not None:
            raise ValueError(f"tree is {tree!r}, expected None: a HoroSVC has no trees")
        return _horosphere_regions(estimator, X, y, ax, resolution, cuts, alpha, legend)
    forest = _forest(estimator)
    hyperbolic, radius = _core.plane_of(forest.signature)
    as_whole(resolution, "resolution", 1)
    single = tree is not None or forest.n_trees == 1
    number = 0 if tree is None else int(tree)
    estimator._tree(number)
    if as_whole(output, "output", 0) >= forest.width and not forest.is_classifier:
        raise ValueError(
            f"output is {output}, expected less than the number of outputs, {forest.width}"
        )
    points = None if X is None else _drawn_points(estimator, X, hyperbolic, radius)
    labels = _checked_labels(estimator, points, y)
    low, high = _window(points, forest, hyperbolic)
    plane = _Plane(hyperbolic, radius, low, high)
    values = _grid_values(
        estimator, plane, number if single and forest.n_trees > 1 else None, resolution
    )

    axes = _new_axes() if ax is None else ax
    rim = _draw_frame(axes, plane, getattr(estimator, "feature_names_in_", None))
    opacity = (
        (0.32 if forest.is_classifier else 1.0) if alpha is None else as_number(alpha, "alpha")
    )
    if forest.is_classifier:
        _draw_classes(axes, plane, rim, values, opacity)
        _draw_labelled_points(axes, estimator, points, labels, as_flag(legend, "legend"), opacity)
    else:
        _draw_values(axes, plane, rim, values[:, :, output], points, labels, opacity, legend)
    shown = single if cuts is None else as_flag(cuts, "cuts")
    if shown:
        numbers = [number] if single else list(range(forest.n_trees))
        for which in numbers:
            _draw_cuts(axes, plane, rim, forest, which, 0.85 / len(numbers) ** 0.5)
    return axes


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
    :func:`decision_regions` gives to their classes or values.

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
    _require_matplotlib()
    forest = _forest(estimator)
    size = None if fontsize is None else as_number(fontsize, "fontsize")
    structure = estimator._tree(tree)
    texts = forest.node_texts(tree, estimator._text_options(max_depth, decimals))
    depth = as_limit(max_depth, "max_depth", 0, UNLIMITED)
    axes = _new_axes() if ax is None else ax
    if forest.is_classifier:
        colours = [_core.class_colour(int(value.argmax())) for value in structure.value]
    else:
        colours = _scale_colours(structure.value[:, 0])
    draw_diagram(axes, structure, texts, colours, depth, size)
    return axes


def _horosphere_regions(
    estimator: HoroSVC,
    X: Any,
    y: Any,
    ax: Axes | None,
    resolution: int,
    cuts: bool | None,
    alpha: float | None,
    legend: bool,
) -> Axes:
    check_is_fitted(estimator)
    _, radius = _core.plane_of(estimator.signature_)
    as_whole(resolution, "resolution", 1)
    points = None if X is None else _drawn_points(estimator, X, True, radius)
    labels = _checked_labels(estimator, points, y)
    plane = _Plane(True, radius, (-1.0, -1.0), (1.0, 1.0))
    scores = _grid_values(estimator, plane, None, resolution)
    if scores.shape[2] == 1:
        scores = np.concatenate([-scores, scores], axis=2)
    axes = _new_axes() if ax is None else ax
    rim = _draw_frame(axes, plane, None)
    opacity = 0.32 if alpha is None else as_number(alpha, "alpha")
    _draw_classes(axes, plane, rim, scores, opacity)
    _draw_labelled_points(axes, estimator, points, labels, as_flag(legend, "legend"), opacity)
    if cuts is None or as_flag(cuts, "cuts"):
        _draw_horocycles(axes, rim, estimator, radius)
    return axes


def _draw_horocycles(axes: Axes, rim: Patch, estimator: HoroSVC, radius: float) -> None:
    """Draw B_w = b, which in the disk is the circle of radius e^b / (1 + e^b) that touches w."""
    from matplotlib.patches import Circle

    two = len(estimator.classes_) == 2
    for number, (ideal, level, slope) in enumerate(
        zip(estimator.ideal_points_, estimator.levels_, estimator.slopes_, strict=True)
    ):
        if not np.isfinite(level):
            continue
        size = 1 / (1 + float(np.exp(-level / radius)))
        circle = Circle(
            tuple((1 - size) * ideal),
            size,
            fill=False,
            edgecolor=INK if two else _core.class_colour(number),
            linestyle="-" if two or slope > 0 else "--",
            linewidth=1.5,
            zorder=2,
        )
        axes.add_patch(circle)
        circle.set_clip_path(rim)


class _Plane(NamedTuple):
    """What is drawn: the Poincaré disk of radius 1, or a window of the plane."""

    hyperbolic: bool
    radius: float
    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The window as matplotlib has it."""
        return self.low[0], self.high[0], self.low[1], self.high[1]

    @property
    def coordinates(self) -> Coordinates:
        """The coordinates that are drawn."""
        return "poincare" if self.hyperbolic else "ambient"


def _require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError(
            "bentwood.plot needs matplotlib; install it with pip install 'bentwood[plot]'"
        ) from None


def _new_axes() -> Axes:
    from matplotlib import pyplot as plt

    return plt.subplots(layout="constrained")[1]


def _forest(estimator: Any) -> _core.Forest:
    if not isinstance(estimator, TreeEstimator):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}, expected a tree or forest of bentwood"
        )
    check_is_fitted(estimator)
    return estimator._model


def _manifold(estimator: Any) -> Manifold:
    return Manifold(estimator._model.signature, estimator._model.coordinates)


def _drawn_points(estimator: Any, X: Any, hyperbolic: bool, radius: float) -> Matrix:
    """Return points where they are drawn."""
    manifold = _manifold(estimator)
    points = manifold.require(X, estimator._model.off_manifold)
    return manifold.convert(points, target="poincare" if hyperbolic else "ambient") / radius


def _checked_labels(estimator: Any, points: Matrix | None, y: Any) -> npt.NDArray[Any] | None:
    """Return one label a point: the number of its class, or its value."""
    if y is None:
        return None
    if points is None:
        raise ValueError("y is given without X: labels need points")
    labels = np.asarray(y)
    if labels.shape != (len(points),):
        raise ValueError(f"y has the shape {labels.shape}, expected ({len(points)},) as X has rows")
    if not hasattr(estimator, "classes_"):
        return labels.astype(np.float64)
    classes = estimator.classes_
    numbers = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
    unknown = classes[numbers] != labels
    if unknown.any():
        row = int(unknown.argmax())
        found = labels[row : row + 1].tolist()[0]
        raise ValueError(f"row {row} of y is {found!r}, which is none of the model's classes")
    return numbers


def _window(
    points: Matrix | None, forest: _core.Forest, hyperbolic: bool
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners of a square around the points, or around the cuts where there are none."""
    if hyperbolic:
        return (-1.0, -1.0), (1.0, 1.0)
    if points is None or not len(points):
        seen = [np.zeros(1)]
        for number in range(forest.n_trees):
            column, threshold = forest.tree(number)[:2]
            seen.append(threshold[(column >= 0) & (column < 2)])
        points = np.concatenate(seen)[:, None].repeat(2, axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    half = 1.08 * float((high - low).max()) / 2 or 1.0
    x, y = (float(middle) for middle in (low + high) / 2)
    return (x - half, y - half), (x + half, y + half)


def _grid_values(
    estimator: Any, plane: _Plane, tree: int | None, resolution: int
) -> npt.NDArray[np.float64]:
    """Return what the model says in the middle of every pixel, the lowest row first."""
    steps = (np.arange(resolution) + 0.5) / resolution
    x = plane.low[0] + (plane.high[0] - plane.low[0]) * steps
    y = plane.low[1] + (plane.high[1] - plane.low[1]) * steps
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    if plane.hyperbolic:
        # Pixels beyond the rim, of which a corner may show, go on with what is at the rim.
        grid *= np.minimum(1, (1 - 1e-6) / np.maximum(np.hypot(*grid.T), 1e-300))[:, None]
        grid *= plane.radius
    points = _manifold(estimator).convert(grid, source=plane.coordinates)
    given: tuple[Matrix, Literal["float64"]] = np.ascontiguousarray(points), "float64"
    if isinstance(estimator, HoroSVC):
        values = estimator._model.scores(given, None)[0]
    elif tree is None:
        values = estimator._model.values(given, None)[0]
    else:
        leaves = estimator._model.apply(given, None)[0][:, tree]
        values = estimator._tree(tree).value[leaves]
    return cast("npt.NDArray[np.float64]", values.reshape(resolution, resolution, -1))


def _draw_frame(axes: Axes, plane: _Plane, names: Any) -> Patch:
    """Draw the rim of the disk or prepare the window; return what bounds the picture."""
    from matplotlib.patches import Circle, Rectangle

    axes.set_aspect("equal")
    if plane.hyperbolic:
        rim: Patch = Circle((0, 0), 1, fill=False, edgecolor=INK, linewidth=1.2, zorder=4)
        axes.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02))
        axes.set_axis_off()
    else:
        low, high = plane.low, plane.high
        rim = Rectangle(low, high[0] - low[0], high[1] - low[1], fill=False, linewidth=0)
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        if names is not None:
            axes.set(xlabel=names[0], ylabel=names[1])
    axes.add_patch(rim)
    return rim


def _draw_classes(
    axes: Axes, plane: _Plane, rim: Patch, values: npt.NDArray[np.float64], opacity: float
) -> None:
    from matplotlib.colors import to_rgba

    winners = values.argmax(axis=2)
    palette = [to_rgba(_core.class_colour(label), opacity) for label in range(values.shape[2])]
    image = axes.imshow(
        np.array(palette)[winners], origin="lower", extent=plane.extent, interpolation="nearest"
    )
    image.set_clip_path(rim)


def _draw_values(
    axes: Axes,
    plane: _Plane,
    rim: Patch,
    values: npt.NDArray[np.float64],
    points: Matrix | None,
    labels: npt.NDArray[Any] | None,
    opacity: float,
    legend: bool,
) -> None:
    seen = values if labels is None else np.append(values, labels)
    scale: dict[str, Any] = {"cmap": "viridis", "vmin": seen.min(), "vmax": seen.max()}
    image = axes.imshow(
        values,
        origin="lower",
        extent=plane.extent,
        interpolation="nearest",
        alpha=opacity,
        **scale,
    )
    image.set_clip_path(rim)
    if points is not None:
        colours: dict[str, Any] = {"color": INK} if labels is None else {"c": labels, **scale}
        axes.scatter(
            points[:, 0],
            points[:, 1],
            _mark_size(points),
            edgecolors="white",
            linewidths=0.6,
            zorder=3,
            **colours,
        )
    if as_flag(legend, "legend"):
        axes.figure.colorbar(image, ax=axes, shrink=0.8)


def _draw_labelled_points(
    axes: Axes,
    estimator: Any,
    points: Matrix | None,
    labels: npt.NDArray[Any] | None,
    legend: bool,
    opacity: float,
) -> None:
    from matplotlib.patches import Rectangle

    size = 30.0 if points is None else _mark_size(points)
    if points is not None and labels is None:
        x, y = points.T
        axes.scatter(x, y, size, color=INK, edgecolors="white", linewidths=0.6, zorder=3)
    handles: list[Any] = []
    for label in range(len(estimator.classes_)):
        colour = _core.class_colour(label)
        tile = Rectangle((0, 0), 1, 1, facecolor=colour, alpha=opacity)
        if points is None or labels is None:
            handles.append(tile)
            continue
        x, y = points[labels == label].T
        mark = axes.scatter(
            x,
            y,
            size,
            color=colour,
            marker=MARKERS[_core.class_mark(label)],
            edgecolors="white",
            linewidths=0.5,
            zorder=3,
        )
        handles.append((tile, mark))
    if legend:
        names = [str(name) for name in estimator.classes_]
        axes.legend(
            handles[:24],
            names[:24],
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
            frameon=False,
            # Shapes must be seen, however small the points are.
            markerscale=5 / size**0.5,
        )


def _draw_cuts(
    axes: Axes, plane: _Plane, rim: Patch, forest: _core.Forest, tree: int, opacity: float
) -> None:
    """Draw the cuts of a tree, each where it is active; those nearer the root are thicker."""
    from matplotlib.collections import LineCollection

    cuts = _core.tree_cuts(forest, tree, plane.low, plane.high)
    lines = LineCollection(
        [_curve(cut[2:4], cut[4:6], cut[6:8], cut[8]) for cut in cuts],
        linewidths=list(np.maximum(0.6, 1.5 - 0.22 * cuts[:, 1])),
        colors=INK,
        alpha=opacity,
        zorder=2,
    )
    axes.add_collection(lines, autolim=False)
    lines.set_clip_path(rim)


def _curve(start: Matrix, end: Matrix, centre: Matrix, radius: float) -> Matrix:
    """Return points of a straight line, or of the shorter arc around a centre."""
    if np.isnan(radius):
        return np.stack([start, end])
    from_angle, to_angle = (float(np.arctan2(*(point - centre)[::-1])) for point in (start, end))
    turn = (to_angle - from_angle + np.pi) % (2 * np.pi) - np.pi
    angles = from_angle + turn * np.linspace(0, 1, 65)
    return centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _mark_size(points: Matrix) -> float:
    """Few points can be large; many must be small to be told apart."""
    return float(np.clip(60 / np.sqrt(len(points) + 1), 3, 6) ** 2)


def _scale_colours(values: npt.NDArray[np.float64]) -> list[str]:
    from matplotlib import colormaps
    from matplotlib.colors import Normalize, to_hex

    scale = Normalize(values.min(), values.max())
    return [to_hex(colormaps["viridis"](scale(value))) for value in values]
