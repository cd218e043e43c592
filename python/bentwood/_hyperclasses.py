"""The class tree that the Einstein means of classes on hyperbolic space stand for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_jobs, as_text
from bentwood._arrays import Matrix, Vector
from bentwood._hyperbolic import hyperbolic_signature
from bentwood._labels import as_labels, distinct, indices
from bentwood._rows import as_points, as_row_weights
from bentwood.geometry import Coordinates


class Hyperclasses(NamedTuple):
    """What :func:`hyperclasses` returns."""

    #: The classes, ascending: those of the linkage's leaves.
    classes: npt.NDArray[Any]
    #: The merges as ``scipy.cluster.hierarchy`` has them, shape (n_classes - 1, 4).
    linkage: Matrix
    #: The classes of each merge but the last, which has all.
    groups: list[list[Any]]
    #: The distance of each merge's lowest common ancestor from the origin, in curvature radii.
    ancestor_radii: Vector


def hyperclasses(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    signature: str | None = None,
    *,
    coordinates: Coordinates = "tangent",
    sample_weight: npt.ArrayLike | None = None,
    n_jobs: int | None = -1,
) -> Hyperclasses:
    """Find which classes of points on hyperbolic space belong together.

    The two classes whose Einstein means have their lowest common ancestor (the point nearest the
    origin on the geodesic segment between them) farthest from the origin are merged, again and
    again: the deeper two classes are together in the tree that the space stands for, the sooner.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_columns)
        Points.
    y : array-like of shape (n_samples,)
        Their classes.
    signature : str or None
        One hyperbolic factor; None means H with curvature -1 of as many dimensions as X describes.
    coordinates : {"tangent", "ambient", "poincare", "stereographic", "klein"}
        How the rows of X describe points.
    sample_weight : array-like of shape (n_samples,) or None
        How much each row counts.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    Hyperclasses
        ``scipy.cluster.hierarchy.dendrogram(result.linkage, labels=result.classes)`` draws it. The
        height of a merge is the distance of the farthest class mean from the origin minus that of
        the ancestor, in curvature radii, and at least that of the merges within it.

    Examples
    --------
    >>> import numpy as np
    >>> from bentwood.linear import hyperclasses
    >>> X = np.array([[3.0, 0.1], [3.0, -0.1], [-3.0, 0.1], [-3.0, -0.1]])
    >>> hyperclasses(X, ["cat", "dog", "oak", "elm"]).groups
    [['cat', 'dog'], ['elm', 'oak']]

    """
    points = as_points(np.asarray(X))
    labels = as_labels(y, "y")
    if len(labels) != len(points[0]):
        raise ValueError(f"X has {len(points[0])} rows and y has {len(labels)}, expected as many")
    weights = as_row_weights(sample_weight, len(labels))
    if weights is not None and not (np.isfinite(weights).all() and (weights >= 0).all()):
        row = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ValueError(
            f"row {row}: the weight is {weights[row]:g}, expected a finite number >= 0"
        )
    classes = distinct("y", labels)
    numbers = indices(labels, "y", classes)
    model = as_text(coordinates, "coordinates")
    space = hyperbolic_signature(points[0].shape[1], model) if signature is None else signature
    manifold = _core.Manifold(as_text(space, "signature"), model)
    present, groups, linkage, radii = _core.hyperclasses(
        manifold,
        points,
        numbers.astype(np.uint32),
        len(classes),
        weights,
        as_jobs(n_jobs),
    )
    return Hyperclasses(
        classes[present], linkage, [classes[group].tolist() for group in groups], radii
    )
