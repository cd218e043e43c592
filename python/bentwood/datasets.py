"""Data sets made to measure, and one real network.

Generated data is a function of ``random_state`` alone: it does not depend on the machine or on the
number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_count, as_jobs, as_list, as_number, as_text
from bentwood._arrays import Matrix, as_vector
from bentwood._random import as_seed
from bentwood._simulations import (
    Labels,
    make_helix,
    make_linear,
    make_sphere,
    make_three_gaussians,
)
from bentwood.geometry import Coordinates
from bentwood.io import Graph

__all__ = [
    "Graph",
    "Separable",
    "Tree",
    "load_karate",
    "make_helix",
    "make_linear",
    "make_mixture",
    "make_separable",
    "make_sphere",
    "make_three_gaussians",
    "make_tree",
    "make_uniform",
]


class Tree(NamedTuple):
    """A tree whose nodes are points of the hyperbolic plane."""

    X: Matrix
    """One row a node."""
    y: Labels
    """0 above the label depth, k for the k-th node of that depth and everything below it."""
    edges: Labels
    """One row (parent, child) an edge."""


class Separable(NamedTuple):
    """Points on both sides of a hyperplane."""

    X: Matrix
    """One row a point."""
    y: Labels
    """The side of each, 0 or 1."""
    reference: Matrix
    """The point that the hyperplane goes through: one row, in the coordinates of X."""


def make_mixture(
    n_samples: int = 1000,
    signature: str = "H2",
    *,
    n_classes: int = 2,
    noise: float = 2.0,
    class_weights: npt.ArrayLike | None = None,
    label_noise: float = 0.0,
    coordinates: Coordinates = "ambient",
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> tuple[Matrix, Labels]:
    """Draw a mixture of wrapped normal distributions, one component a class.

    The defaults are the protocol of Chlenski et al., "Fast Hyperboloid Decision Tree Algorithms",
    ICLR 2024: on each factor of dimension D a class has its mean at the end of the geodesic that
    leaves the origin with velocity N(0, I), and the covariance ``noise * A @ A.T / D`` with A of
    standard normals. A row is a tangent vector with that covariance, carried from the origin to
    the mean and sent along its geodesic.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    signature : str
        The manifold, such as ``"H2"`` or ``"H2(-0.5) x S2"``; factors share the labels.
    n_classes : int
        The number of classes.
    noise : float
        Multiplies the covariance of every class.
    class_weights : array-like of shape (n_classes,) or None
        Relative frequencies of the classes; None draws them at random, as published.
    label_noise : float
        The probability that a label is replaced by one of the others.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How rows describe points.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    X : ndarray of shape (n_samples, n_columns)
        The points.
    y : ndarray of shape (n_samples,)
        Their classes, 0 to ``n_classes - 1``.

    Examples
    --------
    >>> from bentwood.datasets import make_mixture
    >>> X, y = make_mixture(800, "H2", random_state=0)
    >>> X.shape
    (800, 3)

    """
    weights = [] if class_weights is None else as_vector(class_weights, "class_weights").tolist()
    return _core.mixture(
        as_count(n_samples, "n_samples"),
        as_text(signature, "signature"),
        as_count(n_classes, "n_classes"),
        as_number(noise, "noise"),
        weights,
        as_number(label_noise, "label_noise"),
        as_text(coordinates, "coordinates"),
        as_seed(random_state),
        as_jobs(n_jobs),
    )


def make_tree(
    parents: Sequence[int] | None = None,
    *,
    branching: int = 3,
    depth: int = 4,
    edge_length: float = 1.0,
    curvature: float = -1.0,
    coordinates: Coordinates = "ambient",
    label_depth: int = 1,
) -> Tree:
    """Place a tree in the hyperbolic plane, every edge equally long.

    Sarkar's construction ("Low distortion Delaunay embedding of trees in hyperbolic plane", 2011):
    the root is the origin, and around every node its neighbours stand at equal angles. Distances
    tend to ``edge_length`` times the steps in the tree as ``edge_length`` grows.

    Parameters
    ----------
    parents : sequence of int or None
        The parent of each node, the root being its own. None makes a balanced tree.
    branching : int
        Children a node of the balanced tree.
    depth : int
        Levels of the balanced tree below its root.
    edge_length : float
        The distance of parent and child.
    curvature : float
        The curvature of the plane, negative.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How rows describe points.
    label_depth : int
        The depth, at least 1, whose nodes are the classes: 1 for the children of the root.

    Returns
    -------
    Tree
        With ``X``, ``y`` (0 above the label depth, k for the k-th node of that depth, in the order
        of ``parents``, and everything below it) and ``edges``.

    Examples
    --------
    >>> from bentwood.datasets import make_tree
    >>> tree = make_tree(branching=2, depth=2, coordinates="poincare")
    >>> tree.y.tolist()
    [0, 1, 2, 1, 1, 2, 2]
    >>> make_tree(branching=2, depth=2, label_depth=2).y.tolist()
    [0, 0, 0, 1, 2, 3, 4]

    """
    if parents is None:
        nodes = _core.balanced_tree(as_count(branching, "branching"), as_count(depth, "depth"))
    else:
        listed = as_list(parents, "parents", "a list of the nodes' parents")
        nodes = [as_count(parent, "a parent") for parent in listed]
    return Tree(
        *_core.tree(
            nodes,
            as_number(edge_length, "edge_length"),
            as_number(curvature, "curvature"),
            as_text(coordinates, "coordinates"),
            as_count(label_depth, "label_depth"),
        )
    )


def make_uniform(
    n_samples: int = 1000,
    signature: str = "H2",
    *,
    radius: float = 1.0,
    coordinates: Coordinates = "ambient",
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> Matrix:
    """Draw points uniform in volume on spheres and in hyperbolic and Euclidean balls.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    signature : str
        The manifold; factors are drawn independently.
    radius : float
        The radius of the ball around the origin on hyperbolic and Euclidean factors. Spheres are
        covered whole.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How rows describe points.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    ndarray of shape (n_samples, n_columns)
        The points.

    Examples
    --------
    >>> from bentwood.datasets import make_uniform
    >>> make_uniform(100, "S2", random_state=0).shape
    (100, 3)

    """
    return _core.uniform(
        as_count(n_samples, "n_samples"),
        as_text(signature, "signature"),
        as_number(radius, "radius"),
        as_text(coordinates, "coordinates"),
        as_seed(random_state),
        as_jobs(n_jobs),
    )


def make_separable(
    n_samples: int = 1000,
    signature: str = "H2",
    *,
    margin: float = 0.1,
    radius: float = 0.95,
    offset: float = 0.2,
    coordinates: Coordinates = "ambient",
    random_state: Any = None,
    n_jobs: int | None = -1,
) -> Separable:
    """Draw points that a geodesic hyperplane separates with a margin.

    The synthetic data of Chien, Pan, Tabaghi, Milenkovic, "Highly Scalable and Provably Accurate
    Classification in Poincaré Balls", ICDM 2021: points are uniform in the Euclidean volume of a
    ball within the Poincaré ball, and the hyperplane goes through a point of a random direction,
    with a random normal. Points nearer than the margin are drawn anew.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    signature : str
        One hyperbolic factor, such as ``"H2"`` or ``"H10(-0.5)"``.
    margin : float
        How far points keep away from the hyperplane.
    radius : float
        The norm that they have at most in the Poincaré ball, as a share of the ball's radius.
    offset : float
        The norm of the point that the hyperplane goes through, as a share of ``radius``.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How rows describe points.
    random_state : int, RandomState, Generator or None
        The same integer gives the same data.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    Returns
    -------
    Separable
        With ``X``, ``y`` and ``reference``.

    Examples
    --------
    >>> from bentwood.datasets import make_separable
    >>> data = make_separable(100, "H3", coordinates="poincare", random_state=0)
    >>> data.X.shape, data.reference.shape
    ((100, 3), (1, 3))

    """
    return Separable(
        *_core.separable(
            as_count(n_samples, "n_samples"),
            as_text(signature, "signature"),
            as_number(margin, "margin"),
            as_number(radius, "radius"),
            as_number(offset, "offset"),
            as_text(coordinates, "coordinates"),
            as_seed(random_state),
            as_jobs(n_jobs),
        )
    )


def load_karate() -> Graph:
    """Return Zachary's karate club: 34 members, 78 friendships, two factions.

    W. W. Zachary, "An information flow model for conflict and fission in small groups", Journal of
    Anthropological Research 33 (1977).

    Returns
    -------
    Graph
        With ``edges``, ``node_labels`` (the faction of each member), and the same as numbers in
        ``y``, whose names are ``target_names``.

    Examples
    --------
    >>> from bentwood.datasets import load_karate
    >>> load_karate().edges.shape
    (78, 2)

    """
    edges, factions = _core.karate()
    names = np.array(["Mr. Hi", "Officer"])
    return Graph(edges, n_nodes=len(factions), node_labels=names[factions])
