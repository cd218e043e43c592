"""What a model predicts everywhere, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bentwood._arguments import as_number
from bentwood._axes import new_axes, require_matplotlib
from bentwood._base import ManifoldEstimator
from bentwood._parameters import as_flag, as_whole
from bentwood._region_artists import draw_classes, draw_frame, draw_labelled_points, draw_values
from bentwood._region_models import region_model

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def decision_regions(
    estimator: ManifoldEstimator,
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
    (or, where a class is outside, dashed in its colour). Those of a PoincareSVC or a perceptron are
    where the score of a class is 0, in its colour.

    Parameters
    ----------
    estimator : fitted classifier or regressor of Bentwood
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
        Whether to draw the cuts; None means those of everything but forests.
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
    require_matplotlib()
    model = region_model(estimator, tree, output)
    as_whole(resolution, "resolution", 1)
    points = None if X is None else model.drawn_points(X)
    labels = model.labels(points, y)
    plane = model.plane(points)
    values = model.on_pixels(plane, resolution)

    axes = new_axes() if ax is None else ax
    rim = draw_frame(axes, plane, getattr(estimator, "feature_names_in_", None))
    with_legend = as_flag(legend, "legend")
    usual = 0.32 if model.is_classifier else 1.0
    opacity = usual if alpha is None else as_number(alpha, "alpha")
    if model.is_classifier:
        draw_classes(axes, plane, rim, values, opacity)
        draw_labelled_points(axes, estimator.classes_, points, labels, opacity, with_legend)
    else:
        draw_values(axes, plane, rim, values[:, :, 0], points, labels, opacity, with_legend)
    if model.shows_cuts if cuts is None else as_flag(cuts, "cuts"):
        model.draw_cuts(axes, plane, rim)
    return axes
