"""Laplacian eigenmaps of a graph, the same every time."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import eigsh

from bentwood._arrays import Matrix
from bentwood._interruptible import interruptible
from bentwood._warn import warn

#: Graphs of up to so many nodes are solved densely, in a tenth of a second.
DENSE = 500


def laplacian_eigenmap(graph: sparse.csr_matrix, n_components: int, seed: int) -> Matrix:
    """Return coordinates of the nodes of a symmetric graph of affinities, one row per node.

    The eigenvectors of the smallest eigenvalues but the first of ``I - D**-½ A D**-½``, divided by
    the roots of the degrees D, each with its largest entry positive (Belkin, Niyogi, "Laplacian
    Eigenmaps for Dimensionality Reduction", 2003). Warns where the graph is not connected.
    """
    n_parts = csgraph.connected_components(graph, directed=False, return_labels=False)
    if n_parts > 1:
        warn(
            f"the graph of neighbours falls into {n_parts} parts, which have no place beside each "
            "other; raise n_neighbors"
        )
    laplacian, roots = csgraph.laplacian(graph, normed=True, return_diag=True)
    # A node without neighbours would have an eigenvalue of 0, and a component of its own.
    laplacian.setdiag(1.0)
    vectors = _lowest_eigenvectors(sparse.csr_matrix(laplacian), n_components + 1, seed)[:, 1:]
    coordinates: Matrix = vectors / roots[:, np.newaxis]
    largest = np.abs(coordinates).argmax(axis=0)
    coordinates *= np.sign(coordinates[largest, np.arange(n_components)])
    return coordinates


def _lowest_eigenvectors(matrix: sparse.csr_matrix, n_vectors: int, seed: int) -> Matrix:
    if matrix.shape[0] <= DENSE:
        found: Matrix = linalg.eigh(matrix.toarray(), subset_by_index=[0, n_vectors - 1])[1]
        return found
    start = np.random.RandomState(seed % 2**32).uniform(-1, 1, matrix.shape[0])
    # ARPACK draws vectors of its own where those of the start are used up.
    named: dict[str, Any] = {}
    if "rng" in inspect.signature(eigsh).parameters:
        named["rng"] = np.random.default_rng(seed)

    def solve() -> Matrix:
        # Just below 0, where the matrix is singular.
        _, vectors = eigsh(matrix, k=n_vectors, sigma=-1e-5, which="LM", v0=start, **named)
        result: Matrix = vectors
        return result

    # The factors of the matrix are one call of SuperLU, which may take seconds.
    return interruptible(solve)
