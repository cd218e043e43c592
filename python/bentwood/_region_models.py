"""Models whose regions can be drawn: what they say in the plane, and where they cut it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arrays import Matrix, Vector
from bentwood._boundaries import BoundaryClassifier
from bentwood._estimator import TreeEstimator, as_tree_estimator
from bentwood._parameters import as_whole
from bentwood._region_artists import draw_horocycles, draw_levels, draw_lines
from bentwood._rows import Points
from bentwood.geometry import Coordinates, Manifold
from bentwood.linear import HoroSVC

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

Corner = tuple[float, float]


class Plane(NamedTuple):
    """What is drawn: the Poincaré disk of radius 1, or a window of the plane."""

    hyperbolic: bool
    radius: float
    low: Corner
    high: Corner

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The window as matplotlib has it."""
        return self.low[0], self.high[0], self.low[1], self.high[1]

    @property
    def coordinates(self) -> Coordinates:
        """The coordinates that are drawn."""
        return "poincare" if self.hyperbolic else "ambient"

    def middles(self, resolution: int) -> tuple[Vector, Vector]:
        """Return how far right and how far up the middles of the pixels are."""
        steps = (np.arange(resolution) + 0.5) / resolution
        x = self.low[0] + (self.high[0] - self.low[0]) * steps
        y = self.low[1] + (self.high[1] - self.low[1]) * steps
        return x, y

    def pixels(self, resolution: int) -> Matrix:
        """Return the middle of every pixel in these coordinates, the lowest row first."""
        x, y = self.middles(resolution)
        grid: Matrix = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        if self.hyperbolic:
            # Pixels beyond the rim, of which a corner may show, go on with what is at the rim.
            grid *= np.minimum(1, (1 - 1e-6) / np.maximum(np.hypot(*grid.T), 1e-300))[:, None]
            grid *= self.radius
        return grid


class RegionModel(ABC):
    """A fitted estimator on H2 or E2, as a picture sees it."""

    #: Whether cuts are drawn where nobody says.
    shows_cuts: bool
    is_classifier: bool

    def __init__(self, estimator: Any) -> None:
        model = estimator._model
        self.estimator = estimator
        self.hyperbolic, self.radius = _core.plane_of(model.signature)
        self.manifold = Manifold(model.signature, model.coordinates)
        self.off_manifold = model.off_manifold

    @abstractmethod
    def values(self, points: Points) -> Matrix:
        """Return what is said of points: a column a class, the largest wins, or one of values."""

    @abstractmethod
    def draw_cuts(self, axes: Axes, plane: Plane, rim: Patch) -> None:
        """Draw where the model cuts the plane."""

    def cut_places(self) -> Matrix:
        """Return what the picture of a plane without points must show."""
        return np.zeros(1)

    def drawn_points(self, X: Any) -> Matrix:
        """Return points where they are drawn."""
        points = self.manifold.require(X, self.off_manifold)
        target: Coordinates = "poincare" if self.hyperbolic else "ambient"
        return self.manifold.convert(points, target=target) / self.radius

    def labels(self, points: Matrix | None, y: Any) -> npt.NDArray[Any] | None:
        """Return one label a point: the number of its class, or its value."""
        if y is None:
            return None
        if points is None:
            raise ValueError("y is given without X: labels need points")
        labels = np.asarray(y)
        if labels.shape != (len(points),):
            raise ValueError(
                f"y has the shape {labels.shape}, expected ({len(points)},) as X has rows"
            )
        if not self.is_classifier:
            return labels.astype(np.float64)
        classes = self.estimator.classes_
        numbers = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
        unknown = classes[numbers] != labels
        if unknown.any():
            row = int(unknown.argmax())
            found = labels[row : row + 1].tolist()[0]
            raise ValueError(f"row {row} of y is {found!r}, which is none of the model's classes")
        return numbers

    def plane(self, points: Matrix | None) -> Plane:
        """Return the disk, or a square around the points, without any around the cuts."""
        if self.hyperbolic:
            return Plane(True, self.radius, (-1.0, -1.0), (1.0, 1.0))
        if points is None or not len(points):
            points = self.cut_places()[:, None].repeat(2, axis=1)
        low, high = points.min(axis=0), points.max(axis=0)
        half = 1.08 * float((high - low).max()) / 2 or 1.0
        x, y = (float(middle) for middle in (low + high) / 2)
        return Plane(False, self.radius, (x - half, y - half), (x + half, y + half))

    def on_pixels(self, plane: Plane, resolution: int) -> npt.NDArray[np.float64]:
        """Return what is said in the middle of every pixel, the lowest row first."""
        values = self.values(self.pixel_points(plane, resolution))
        return values.reshape(resolution, resolution, -1)

    def pixel_points(self, plane: Plane, resolution: int) -> Points:
        """Return the middle of every pixel as the model takes points."""
        grid = self.manifold.convert(plane.pixels(resolution), source=plane.coordinates)
        return np.ascontiguousarray(grid), "float64"


class TreeRegions(RegionModel):
    """A forest, or one of its trees."""

    def __init__(self, estimator: TreeEstimator, tree: int | None, output: int) -> None:
        super().__init__(estimator)
        self.forest = estimator._model
        self.is_classifier = self.forest.is_classifier
        self.tree = tree
        self.shows_cuts = tree is not None or self.forest.n_trees == 1
        estimator._tree(0 if tree is None else tree)
        self.output = as_whole(output, "output", 0)
        if self.output >= self.forest.width and not self.is_classifier:
            raise ValueError(
                f"output is {output}, expected less than the number of outputs, {self.forest.width}"
            )

    def values(self, points: Points) -> Matrix:
        if self.tree is None:
            values = self.forest.values(points, None)[0]
        else:
            leaves = self.forest.apply(points, None)[0][:, self.tree]
            values = self.estimator._tree(self.tree).value[leaves]
        return values if self.is_classifier else values[:, [self.output]]

    def draw_cuts(self, axes: Axes, plane: Plane, rim: Patch) -> None:
        trees = range(self.forest.n_trees) if self.tree is None else [self.tree]
        for tree in trees:
            cuts = _core.tree_cuts(self.forest, tree, plane.low, plane.high)
            draw_lines(axes, rim, cuts, 0.85 / len(trees) ** 0.5)

    def cut_places(self) -> Matrix:
        seen = [super().cut_places()]
        for tree in range(self.forest.n_trees):
            column, threshold = self.forest.tree(tree)[:2]
            seen.append(threshold[(column >= 0) & (column < 2)])
        return np.concatenate(seen)


class HorosphereRegions(RegionModel):
    """The horospheres of a HoroSVC."""

    shows_cuts = True
    is_classifier = True

    def values(self, points: Points) -> Matrix:
        return one_a_class(self.estimator._model.scores(points, None)[0])

    def draw_cuts(self, axes: Axes, plane: Plane, rim: Patch) -> None:
        draw_horocycles(
            axes,
            rim,
            self.estimator.ideal_points_,
            self.estimator.levels_ / plane.radius,
            self.estimator.slopes_,
        )


class BoundaryRegions(RegionModel):
    """The boundaries of a Poincaré SVM or perceptron."""

    shows_cuts = True
    is_classifier = True

    def scores(self, points: Points) -> Matrix:
        scores: Matrix = self.estimator._model.scores(points, None)[0]
        return scores

    def values(self, points: Points) -> Matrix:
        return one_a_class(self.estimator._compared(self.scores(points)))

    def plane(self, points: Matrix | None) -> Plane:
        if not self.hyperbolic and (points is None or not len(points)):
            points = self._near_boundaries()
        return super().plane(points)

    def _near_boundaries(self) -> Matrix:
        """Return where the references are, and the point of each line that is nearest to its own.

        In the plane all scores are linear: score(p + v) = score(p) + w . v.
        """
        references = self.estimator.reference_points_
        if not len(references):  # of space="lorentz"
            references = np.zeros((len(self.estimator.coef_), 2))
        here = self.scores((np.ascontiguousarray(references), "float64")).diagonal()
        weights = self.estimator.coef_[:, -2:]
        squared = np.maximum((weights**2).sum(axis=1), np.finfo(float).tiny)
        return np.concatenate([references, references - (here / squared)[:, None] * weights])

    def draw_cuts(self, axes: Axes, plane: Plane, rim: Patch) -> None:
        resolution = 400
        scores = self.scores(self.pixel_points(plane, resolution))
        draw_levels(
            axes, rim, plane.middles(resolution), scores.T.reshape(-1, resolution, resolution)
        )


def one_a_class(scores: Matrix) -> Matrix:
    """Return a column a class; the only score of two classes is that of the second."""
    return np.concatenate([-scores, scores], axis=1) if scores.shape[1] == 1 else scores


def region_model(estimator: Any, tree: int | None, output: int) -> RegionModel:
    """Return what can be drawn of an estimator; TypeError where it is none of the package's."""
    if isinstance(estimator, HoroSVC | BoundaryClassifier):
        if tree is not None:
            name = type(estimator).__name__
            raise ValueError(f"tree is {tree!r}, expected None: a {name} has no trees")
        check_is_fitted(estimator)
        kind = HorosphereRegions if isinstance(estimator, HoroSVC) else BoundaryRegions
        return kind(estimator)
    return TreeRegions(as_tree_estimator(estimator), tree, output)
