"""The embedding of a graph of neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.manifold import spectral_embedding

from bentwood import GeodesicForest
from bentwood._embedding import DENSE, laplacian_eigenmap
from bentwood._interruptible import interruptible
from bentwood.datasets import make_helix
from interrupting import assert_ctrl_c_is_heard


def ring(n_nodes: int) -> sparse.csr_matrix:
    """A path with weights of its own, so that eigenvalues are apart."""
    weights = np.linspace(1, 2, n_nodes - 1)
    graph = sparse.diags_array([weights, weights], offsets=[-1, 1])
    return sparse.csr_matrix(graph)


@pytest.mark.parametrize("n_nodes", [30, DENSE + 1])
def test_it_is_scikit_learns_but_for_the_signs(n_nodes: int) -> None:
    ours = laplacian_eigenmap(ring(n_nodes), 3, 0)
    theirs = spectral_embedding(ring(n_nodes), n_components=3, random_state=0)
    signs = np.sign((ours * theirs).sum(axis=0))
    np.testing.assert_allclose(ours, theirs * signs, atol=1e-8)
    assert (ours.max(axis=0) >= -ours.min(axis=0)).all()


# Of rows that are all alike every direction is as good: ARPACK draws one, another one each time.
@pytest.mark.parametrize("n_rows", [5, DENSE + 1])
def test_rows_that_are_all_alike_are_embedded_the_same_every_time(n_rows: int) -> None:
    forest = GeodesicForest(2, shared="leaf", random_state=55).fit(np.ones((n_rows, 2)))
    first = forest.embed(2)
    for _ in range(3):
        np.testing.assert_array_equal(forest.embed(2), first)


def test_a_graph_in_parts_is_told() -> None:
    X, _ = make_helix(20, random_state=0)
    forest = GeodesicForest(3, shared="leaf", random_state=0).fit(np.concatenate([X, X + 1e6]))
    with pytest.warns(UserWarning, match="parts") as caught:
        forest.embed(n_neighbors=3)
    assert str(caught[0].message).endswith(
        "parts, which have no place beside each other; raise n_neighbors"
    )
    assert caught[0].filename == __file__


def test_a_forest_of_too_few_rows_is_not_embedded() -> None:
    forest = GeodesicForest(2, random_state=0).fit(np.ones((2, 2)))
    with pytest.raises(ValueError) as raised:
        forest.embed(1)
    assert str(raised.value) == "embed needs a forest of at least 3 rows, found 2"


# Every node has neighbours everywhere: the factors of such a matrix are dense, and take minutes.
# The program leaves at once, because Python cannot flush its streams at its end while SuperLU works
# (SciPy 1.17, without Bentwood as well): the status is 120 then.
EMBED_FOR_MINUTES = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from scipy import sparse
from bentwood._embedding import laplacian_eigenmap
graph = sparse.random(12_000, 12_000, 0.002, format="csr", random_state=0)
print("fitting", flush=True)
try:
    laplacian_eigenmap(graph + graph.T, 2, 0)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""


def test_ctrl_c_stops_an_embedding() -> None:
    assert_ctrl_c_is_heard(EMBED_FOR_MINUTES)


def test_errors_of_interruptible_work_arrive() -> None:
    def fail() -> None:
        raise LookupError("from the work")

    with pytest.raises(LookupError, match="from the work"):
        interruptible(fail)
    assert interruptible(lambda: 7) == 7
