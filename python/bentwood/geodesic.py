"""Geodesic forests: which points are close on the manifold that they live on, without labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from bentwood import _core
from bentwood._arguments import as_jobs, as_text
from bentwood._arrays import Matrix, Vector
from bentwood._base import ManifoldEstimator
from bentwood._embedding import laplacian_eigenmap
from bentwood._parameters import (
    UNLIMITED,
    as_between,
    as_drawn_rows,
    as_features,
    as_flag,
    as_limit,
    as_rows,
    as_share,
    as_whole,
    is_flag,
)
from bentwood._progress import ProgressBar
from bentwood._random import as_seed
from bentwood._rows import Points
from bentwood._tree_texts import TreeTexts
from bentwood._warn import warn_of_projection

Integers = npt.NDArray[np.int64]

#: Edges times starts of the paths that are found in one go: a tenth of a second.
PATH_EDGES = 4_000_000


class GeodesicForest(
    TreeTexts, TransformerMixin, ClassNamePrefixFeaturesOutMixin, ManifoldEstimator
):
    """An unsupervised forest that finds neighbours along the manifold that points live on.

    Every tree splits its rows into the two clusters that some column, or sum of columns, shows
    best, and so on; rows that no clear clusters part in most trees are close. Columns of noise are
    not split, so that they do not count, however many there are (Geodesic Forests: Madhyastha et
    al., KDD 2020). See docs/geodesic-forests.md.

    Parameters
    ----------
    n_estimators : int
        The number of trees.
    criterion : {"fast_bic", "fast_bic_raw", "two_means", "em_bic"}
        What two clusters are told by: the BIC of two Gaussians minus that of one; the BIC of two
        alone, as published, which prefers columns of small scale; the variance within the
        clusters; the BIC of a mixture that expectation maximisation fits (slow).
    projection : {"guided", "sparse", "axis"}
        What nodes look at: all columns, then sums of those with the most structure; sums of
        columns at random with coefficients 1 and -1, as published; the columns alone.
    max_features : int, float, "sqrt", "log2" or None
        Columns that a node looks at, or how many sums it draws with ``projection="sparse"``; None
        means as many as there are columns.
    n_projections : int
        Sums of columns that a node looks at, at most, with ``projection="guided"``.
    density : float or None
        The share of the columns in a sum with ``projection="sparse"``; None means one column in
        the mean.
    temperature : float
        How evenly the place of a cut is drawn among those that are about as good: cuts whose
        criterion is worse by ``2 * temperature`` a row are e times less likely. 0 takes the best.
    min_share : float
        The share of a node's rows that both sides of a cut must keep, from 0 to 0.5.
    min_samples_split : int or float
        Rows that a node needs to be split, or their share of all rows. Both sides of a cut keep
        five, so that fewer than 10 are as good as 10.
    max_depth : int or None
        The most cuts above a leaf.
    bootstrap : bool
        Whether each tree draws its rows with replacement; a row that is drawn twice counts once.
    max_samples : int, float or None
        How often it draws; None means as often as there are rows.
    shared : {"evidence", "node", "leaf"}
        What makes two rows close in a tree: that nothing speaks for two clusters where they part,
        and a little that they part in a small node, of up to a hundred times ``min_samples_split``
        drawn rows (at least 1,000); a node that both pass, the smaller the closer, up to five times
        ``min_samples_split`` drawn rows (at least 50); or nothing but the same leaf, which should
        then be about as large as the neighbourhoods that are looked for.
    counted : {"all", "in_bag", "out_of_bag"}
        Which trees count for the proximity of two rows: all, those that have drawn both, or those
        that have drawn neither.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.
    random_state : int, RandomState, Generator or None
        The seed.
    signature : str or None
        The manifold of the points, such as ``"H2 x S2"``; None means Euclidean space as wide as X.
    coordinates : {"ambient", "poincare", "stereographic", "klein", "tangent"}
        How the columns of X describe points.
    off_manifold : {"error", "project"}
        What to do with rows that are not on the manifold.
    verbose : int
        Whether to show a progress bar on standard error.

    Attributes
    ----------
    n_samples_fit_ : int
        The number of training rows.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of str
        Their names, where X has some.
    column_names_ : list of str
        The columns that trees cut: rapidities of hyperbolic factors, coordinates of Euclidean ones,
        ambient coordinates of spherical ones.
    feature_importances_ : ndarray
        One number a column: its share of the rows that cuts have divided. Noise has little.
    n_projected_ : int
        Training rows that were off the manifold and were projected onto it.

    Examples
    --------
    >>> from bentwood import GeodesicForest
    >>> from bentwood.datasets import make_linear
    >>> from bentwood.metrics import geodesic_precision
    >>> X, position = make_linear(500, n_noise=10, random_state=0)
    >>> forest = GeodesicForest(random_state=0).fit(X)
    >>> neighbours = forest.kneighbors(n_neighbors=30, return_distance=False)
    >>> neighbours.shape
    (500, 30)

    """

    _model_type = _core.GeodesicForest
    _model: _core.GeodesicForest

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "fast_bic",
        projection: str = "guided",
        max_features: int | float | str | None = None,
        n_projections: int = 16,
        density: float | None = None,
        temperature: float = 0.2,
        min_share: float = 0.1,
        min_samples_split: int | float = 10,
        max_depth: int | None = None,
        bootstrap: bool = False,
        max_samples: int | float | None = None,
        shared: str = "evidence",
        counted: str = "all",
        n_jobs: int | None = -1,
        random_state: Any = None,
        signature: str | None = None,
        coordinates: str = "ambient",
        off_manifold: str = "error",
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.projection = projection
        self.max_features = max_features
        self.n_projections = n_projections
        self.density = density
        self.temperature = temperature
        self.min_share = min_share
        self.min_samples_split = min_samples_split
        self.max_depth = max_depth
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.shared = shared
        self.counted = counted
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.signature = signature
        self.coordinates = coordinates
        self.off_manifold = off_manifold
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from points; y is ignored.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points of the manifold in the coordinates that the estimator was told.
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Where a point is off the manifold, a number is not finite or a parameter is wrong. The
            estimator is then what it was before, and so it is after Ctrl-C.

        """
        with self._all_or_nothing():
            points = self._points(X, reset=True)
            n_rows = len(points[0])
            seed = as_seed(self.random_state)
            options = self._options(n_rows)
            options.seed = seed
            self._describe(options, seed)
            bar = self._progress(options.n_trees)
            outcome = _core.train_geodesic_forest(points, options, bar, as_jobs(self.n_jobs))
            self._keep(outcome, n_rows, seed)
        return self

    def apply(self, X: Any) -> Integers:
        """Return the number of the leaf that each row reaches, a column a tree."""
        return self._ask(_core.GeodesicForest.apply, X)

    def transform(self, X: Any) -> Integers:
        """Return what :meth:`apply` does: rows are close where many of their leaves are equal."""
        return self.apply(X)

    def kneighbors(
        self, X: Any = None, n_neighbors: int = 50, return_distance: bool = True
    ) -> tuple[Matrix, Integers] | Integers:
        """Return the nearest training rows of points, nearest first.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or None
            Points; None means the training rows, none of which is its own neighbour.
        n_neighbors : int
            How many.
        return_distance : bool
            Whether distances are returned, too: one minus the proximity.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Only with ``return_distance``.
        indices : ndarray of shape (n_queries, n_neighbors)
            The numbers of training rows. Of equally near rows it is chance that decides, by the
            seed.

        """
        as_flag(return_distance, "return_distance")
        count = as_whole(n_neighbors, "n_neighbors", 1)
        distances, indices = self._ask_of(
            X, lambda model, points, jobs: _neighbours(model, points, count, jobs)
        )
        return (distances, indices) if return_distance else indices

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int = 50, mode: str = "connectivity"
    ) -> sparse.csr_matrix:
        """Return the graph of nearest training rows, as scikit-learn's ``NearestNeighbors`` does.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or None
            As for :meth:`kneighbors`.
        n_neighbors : int
            How many.
        mode : {"connectivity", "distance", "proximity"}
            What stands at a neighbour: 1, its distance or its proximity.

        Returns
        -------
        graph : csr_matrix of shape (n_queries, n_samples_fit)

        """
        if mode not in ("connectivity", "distance", "proximity"):
            raise ValueError(
                f'mode is {mode!r}, expected "connectivity", "distance" or "proximity"'
            )
        distances, indices = self.kneighbors(X, n_neighbors)
        values = {
            "connectivity": np.ones(distances.size),
            "distance": distances.ravel(),
            "proximity": 1 - distances.ravel(),
        }[mode]
        begins = np.arange(0, indices.size + 1, indices.shape[1])
        shape = len(indices), self.n_samples_fit_
        return sparse.csr_matrix((values, indices.ravel(), begins), shape=shape)

    def proximity(self, X: Any = None, *, dense: bool = False) -> Matrix | sparse.csr_matrix:
        """Return how close points are to every training row: S_ij = L_ij / T_ij, from 0 to 1.

        T_ij trees count (``counted``). With ``shared="leaf"`` both rows reach the same leaf in L_ij
        of them; with ``shared="node"`` each adds to L_ij the size s of the smallest leaf over that
        of the smallest node that holds both rows; with ``shared="evidence"`` s ** 0.15 times the
        doubt that this node's parts are two clusters, from 0 to 1. It is the order that means
        something then, and only with ``shared="leaf"`` equal points are at distance 0. S_ij is 0
        where no tree counts; a training row has 1 with itself where one does. Use it as a
        precomputed affinity, and one minus it as distance.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or None
            Points; None means the training rows, whose matrix is symmetric.
        dense : bool
            Whether to return an array rather than a sparse matrix of what is above 0. Sparse, a
            row still takes as many numbers as rows share something with it, by default all of a
            thousand rows; :meth:`kneighbors_graph` keeps the nearest alone.

        """
        as_flag(dense, "dense")
        begins, columns, values = self._ask_of(X, _proximities)
        shape = len(begins) - 1, self.n_samples_fit_
        matrix = sparse.csr_matrix((values, columns, begins), shape=shape)
        return matrix.toarray() if dense else matrix

    def geodesic_distance(self, n_neighbors: int = 20, indices: Any = None) -> Matrix:
        """Return lengths of shortest paths between training rows from neighbour to neighbour.

        A step is one minus the proximity of its ends, so that paths add up along the manifold where
        one minus the proximity tells far rows from very far ones no more. Infinite where no path
        leads.

        Parameters
        ----------
        n_neighbors : int
            Neighbours of each row that a path may step to.
        indices : array-like of int or None
            The rows to start from; None means all, which takes n_samples² numbers.

        """
        if indices is not None:
            indices = np.atleast_1d(indices)
            if (
                indices.dtype.kind not in "iu"
                or not ((indices >= 0) & (indices < self.n_samples_fit_)).all()
            ):
                raise ValueError(
                    f"indices is {indices.tolist()!r}, expected numbers of rows from 0 to "
                    f"{self.n_samples_fit_ - 1}"
                )
        graph = self.kneighbors_graph(n_neighbors=n_neighbors, mode="distance")
        # SciPy takes explicit zeros for edges of no length in a sparse graph: rows that share all.
        starts = np.arange(self.n_samples_fit_) if indices is None else indices.ravel()
        lengths: Matrix = np.empty((len(starts), self.n_samples_fit_))
        # SciPy does not hear Ctrl-C, nor do others run meanwhile: few rows at a time.
        step = max(1, PATH_EDGES // max(1, graph.nnz))
        for begin in range(0, len(starts), step):
            part = slice(begin, begin + step)
            lengths[part] = csgraph.dijkstra(graph, directed=False, indices=starts[part])
        return lengths if indices is None else lengths.reshape(*indices.shape, -1)

    def embed(self, n_components: int = 2, *, n_neighbors: int | None = None) -> Matrix:
        """Return coordinates of the training rows in which close rows are close: to look at them.

        The spectral embedding (Laplacian eigenmaps) of the graph of nearest rows, weighted by
        proximity.

        Parameters
        ----------
        n_components : int
            Coordinates of a row.
        n_neighbors : int or None
            Neighbours of each row that the graph keeps; None means 50, or all where there are
            fewer.

        """
        n_rows = self.n_samples_fit_
        if n_rows < 3:
            raise ValueError(f"embed needs a forest of at least 3 rows, found {n_rows}")
        if as_whole(n_components, "n_components", 1) > n_rows - 2:
            raise ValueError(
                f"n_components is {n_components}, expected at most {n_rows - 2} for {n_rows} rows"
            )
        if n_neighbors is None:
            n_neighbors = min(50, n_rows - 1)
        graph = self.kneighbors_graph(n_neighbors=n_neighbors, mode="proximity")
        return laplacian_eigenmap((graph + graph.T) / 2, n_components, self._seed)

    @property
    def n_samples_fit_(self) -> int:
        """The number of training rows."""
        check_is_fitted(self)
        return self._model.n_rows

    @property
    def column_names_(self) -> list[str]:
        """One name a column that the trees can cut."""
        check_is_fitted(self)
        return self._model.column_names

    @property
    def feature_importances_(self) -> Vector:
        """One number a column: its share of the rows that cuts have divided."""
        check_is_fitted(self)
        return self._model.importances()

    @property
    def _n_features_out(self) -> int:
        return self._model.n_trees

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that leaves are whole numbers whatever X is."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _options(self, n_rows: int) -> _core.GeodesicOptions:
        options = _core.GeodesicOptions(*self._space())
        options.n_trees = as_whole(self.n_estimators, "n_estimators", 1)
        options.bootstrap = as_flag(self.bootstrap, "bootstrap")
        options.max_samples = as_drawn_rows(self.max_samples, n_rows, options.bootstrap)
        options.set_counted(as_text(self.counted, "counted"))
        options.set_shared(as_text(self.shared, "shared"))
        options.set_grow(
            as_text(self.criterion, "criterion"),
            as_text(self.projection, "projection"),
            as_features(self.max_features, options.n_columns),
            as_whole(self.n_projections, "n_projections", 1),
            0.0 if self.density is None else as_share(self.density, "density"),
            as_between(self.temperature, "temperature", np.inf),
            as_between(self.min_share, "min_share", 0.5),
            as_rows(self.min_samples_split, "min_samples_split", n_rows, 2),
            as_limit(self.max_depth, "max_depth", 1, UNLIMITED),
        )
        return options

    def _progress(self, n_trees: int) -> Callable[[int], None] | None:
        shown = as_whole(int(self.verbose) if is_flag(self.verbose) else self.verbose, "verbose", 0)
        return ProgressBar(type(self).__name__, n_trees) if shown else None

    def _ask_of(self, X: Any, question: Callable[..., Any]) -> Any:
        """Ask about points, or about the training rows where X is None."""
        if X is not None:
            return self._ask(question, X)
        check_is_fitted(self)
        answer, n_projected, largest = question(self._model, None, as_jobs(self.n_jobs))
        warn_of_projection(n_projected, self.n_samples_fit_, self._model.signature, largest)
        return answer


def _neighbours(
    model: _core.GeodesicForest, points: Points | None, n_neighbors: int, n_jobs: int | None
) -> tuple[tuple[Matrix, Integers], int, float]:
    indices, distances, n_projected, largest = model.neighbours(points, n_neighbors, n_jobs)
    return (distances, indices), n_projected, largest


def _proximities(
    model: _core.GeodesicForest, points: Points | None, n_jobs: int | None
) -> tuple[tuple[Integers, Integers, Vector], int, float]:
    begins, columns, values, n_projected, largest = model.proximities(points, n_jobs)
    return (begins, columns, values), n_projected, largest
