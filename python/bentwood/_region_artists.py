"""Regions, cuts and points as matplotlib draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arrays import Matrix, Vector
from bentwood._axes import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage
    from matplotlib.patches import Patch

    from bentwood._region_models import Plane

# In the order of class_mark.
MARKERS = "os^D"


def draw_frame(axes: Axes, plane: Plane, names: Any) -> Patch:
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


def draw_classes(
    axes: Axes, plane: Plane, rim: Patch, values: npt.NDArray[np.float64], opacity: float
) -> None:
    """Colour every pixel by the class of its largest value."""
    from matplotlib.colors import to_rgba

    winners = values.argmax(axis=2)
    palette = [to_rgba(_core.class_colour(label), opacity) for label in range(values.shape[2])]
    _draw_pixels(axes, plane, rim, np.array(palette)[winners])


def draw_values(
    axes: Axes,
    plane: Plane,
    rim: Patch,
    values: npt.NDArray[np.float64],
    points: Matrix | None,
    labels: npt.NDArray[Any] | None,
    opacity: float,
    legend: bool,
) -> None:
    """Colour every pixel and every point by its value, on one scale."""
    seen = values if labels is None else np.append(values, labels)
    scale: dict[str, Any] = {"cmap": "viridis", "vmin": seen.min(), "vmax": seen.max()}
    image = _draw_pixels(axes, plane, rim, values, alpha=opacity, **scale)
    if points is not None:
        colours: dict[str, Any] = {"color": INK} if labels is None else {"c": labels, **scale}
        _draw_points(axes, points, _mark_size(points), linewidths=0.6, **colours)
    if legend:
        axes.figure.colorbar(image, ax=axes, shrink=0.8)


def draw_labelled_points(
    axes: Axes,
    classes: npt.NDArray[Any],
    points: Matrix | None,
    labels: npt.NDArray[Any] | None,
    opacity: float,
    legend: bool,
) -> None:
    """Draw points in the colours and shapes of their classes, and a legend of the classes."""
    from matplotlib.patches import Rectangle

    size = 30.0 if points is None else _mark_size(points)
    if points is not None and labels is None:
        _draw_points(axes, points, size, color=INK, linewidths=0.6)
    handles: list[Any] = []
    for label in range(len(classes)):
        colour = _core.class_colour(label)
        tile = Rectangle((0, 0), 1, 1, facecolor=colour, alpha=opacity)
        if points is None or labels is None:
            handles.append(tile)
            continue
        marker = MARKERS[_core.class_mark(label)]
        shown = points[labels == label]
        mark = _draw_points(axes, shown, size, color=colour, marker=marker, linewidths=0.5)
        handles.append((tile, mark))
    if legend:
        axes.legend(
            handles[:24],
            [str(name) for name in classes[:24]],
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
            frameon=False,
            # Shapes must be seen, however small the points are.
            markerscale=5 / size**0.5,
        )


def draw_lines(axes: Axes, rim: Patch, cuts: Matrix, opacity: float) -> None:
    """Draw the cuts of a tree, each where it is active; those nearer the root are thicker."""
    from matplotlib.collections import LineCollection

    lines = LineCollection(
        [_curve(cut[2:4], cut[4:6], cut[6:8], cut[8]) for cut in cuts],
        linewidths=list(np.maximum(0.6, 1.5 - 0.22 * cuts[:, 1])),
        colors=INK,
        alpha=opacity,
        zorder=2,
    )
    axes.add_collection(lines, autolim=False)
    lines.set_clip_path(rim)


def draw_horocycles(
    axes: Axes, rim: Patch, ideal_points: Matrix, levels: Vector, slopes: Vector
) -> None:
    """Draw B_w = b, which in the disk is the circle of radius e^b / (1 + e^b) that touches w.

    A single one is that of two classes, which are equal: it has no colour.
    """
    from matplotlib.patches import Circle

    single = len(slopes) == 1
    for number, (ideal, level, slope) in enumerate(zip(ideal_points, levels, slopes, strict=True)):
        if not np.isfinite(level):
            continue
        size = 1 / (1 + float(np.exp(-level)))
        circle = Circle(
            tuple((1 - size) * ideal),
            size,
            fill=False,
            edgecolor=INK if single else _core.class_colour(number),
            linestyle="-" if single or slope > 0 else "--",
            linewidth=1.5,
            zorder=2,
        )
        axes.add_patch(circle)
        circle.set_clip_path(rim)


def draw_levels(
    axes: Axes, rim: Patch, middles: tuple[Vector, Vector], scores: npt.NDArray[np.float64]
) -> None:
    """Draw where each score is 0: in the colour of its class, or in ink the only one of two."""
    for number, score in enumerate(scores):
        if score.min() < 0 < score.max():
            colour = INK if len(scores) == 1 else _core.class_colour(number)
            lines = axes.contour(
                *middles, score, levels=[0.0], colors=[colour], linewidths=1.5, zorder=2
            )
            lines.set_clip_path(rim)


def _draw_pixels(
    axes: Axes, plane: Plane, rim: Patch, pixels: npt.NDArray[np.float64], **style: Any
) -> AxesImage:
    image = axes.imshow(
        pixels, origin="lower", extent=plane.extent, interpolation="nearest", **style
    )
    image.set_clip_path(rim)
    return image


def _draw_points(axes: Axes, points: Matrix, size: float, **style: Any) -> Any:
    x, y = points.T
    return axes.scatter(x, y, size, edgecolors="white", zorder=3, **style)


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
