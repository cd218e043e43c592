"""Generated data and the bundled network."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.model_selection import KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from bentwood import datasets, io
from bentwood.geometry import Manifold

LATENT = [
    datasets.make_linear,
    datasets.make_helix,
    datasets.make_sphere,
    datasets.make_three_gaussians,
]


def tree_accuracy(signature, n_samples, seeds):
    """The ICLR protocol: CART of depth 3 on rapidities (which is HyperDT), 5 folds."""
    manifold = Manifold(signature)
    scores = []
    for seed in seeds:
        X, y = datasets.make_mixture(n_samples, signature, random_state=seed)
        folds = KFold(5, shuffle=True, random_state=seed)
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        scores.append(cross_val_score(tree, manifold.natural_coordinates(X), y, cv=folds).mean())
    return np.mean(scores)


# Published over ten seeds: 91.9 and 99.3 %. Two hundred seeds give 92.7 and 98.8 here, and batches
# of ten spread by 2.9 and 0.5; with means divided by the dimension it is 86 and 85.
@pytest.mark.parametrize(("signature", "expected", "margin"), [("H2", 92.7, 3), ("H4", 98.8, 1)])
def test_trees_score_on_mixtures_what_was_published(signature, expected, margin):
    accuracy = 100 * tree_accuracy(signature, 800, range(20))
    assert accuracy == pytest.approx(expected, abs=margin)


@pytest.mark.parametrize("coordinates", ["ambient", "poincare", "klein", "tangent"])
def test_mixtures_lie_on_their_manifold(coordinates):
    X, y = datasets.make_mixture(
        200, "H2(-0.5) x E1", n_classes=3, coordinates=coordinates, random_state=1
    )
    assert Manifold("H2(-0.5) x E1", coordinates=coordinates).contains(X).all()
    assert set(y) <= {0, 1, 2}


def test_class_weights_and_label_noise():
    _, y = datasets.make_mixture(5000, class_weights=[1, 3], random_state=0)
    assert np.mean(y) == pytest.approx(0.75, abs=0.03)
    _, noisy = datasets.make_mixture(5000, class_weights=[1, 3], label_noise=0.1, random_state=0)
    assert np.mean(y != noisy) == pytest.approx(0.1, abs=0.02)


def true_neighbours(make, seed):
    """For each row the set of its 50 true neighbours, or of all rows of its cloud."""
    X, latent = make(1000, random_state=seed)
    if make is datasets.make_three_gaussians:
        return X, [set(np.flatnonzero(latent == label)) for label in latent]
    if latent.ndim == 1:
        distances = np.abs(latent[:, None] - latent)
    else:
        distances = np.arccos(np.clip(latent @ latent.T, -1, 1))
    np.fill_diagonal(distances, np.inf)
    return X, [set(row[:50]) for row in np.argsort(distances, axis=1)]


def euclidean_precision(X, truth):
    distances = cdist(X, X)
    np.fill_diagonal(distances, np.inf)
    found = np.argsort(distances, axis=1)[:, :50]
    return np.mean([len(truth[row].intersection(found[row])) / 50 for row in range(len(X))])


# Precision of the 50 nearest Euclidean neighbours without noise and with ten columns of it.
@pytest.mark.parametrize(
    ("make", "clean", "noisy"),
    [
        (datasets.make_linear, 1.00, 0.06),
        (datasets.make_helix, 0.87, 0.24),
        (datasets.make_sphere, 1.00, 0.11),
        (datasets.make_three_gaussians, 0.99, 0.41),
    ],
)
def test_noise_hides_the_latent_manifolds_from_euclidean_neighbours(make, clean, noisy):
    X, truth = true_neighbours(make, 0)
    assert euclidean_precision(X, truth) == pytest.approx(clean, abs=0.02)
    hidden, _ = make(1000, n_noise=10, random_state=0)
    np.testing.assert_array_equal(hidden[:, :3], X)
    assert euclidean_precision(hidden, truth) == pytest.approx(noisy, abs=0.02)


def test_trees_keep_the_distances_of_the_graph():
    tree = datasets.make_tree(branching=3, depth=3, edge_length=5.0)
    steps = dict(nx.all_pairs_shortest_path_length(nx.Graph(tree.edges.tolist())))
    distances = Manifold("H2").pairwise_distance(tree.X)
    ratios = [distances[a, b] / (5.0 * steps[a][b]) for a in steps for b in steps if a != b]
    assert max(ratios) <= 1 + 1e-9
    assert min(ratios) > 0.89


def test_trees_from_parents():
    tree = datasets.make_tree([0, 0, 0, 1], coordinates="poincare")
    np.testing.assert_array_equal(tree.edges, [[0, 1], [0, 2], [1, 3]])
    np.testing.assert_array_equal(tree.y, [0, 1, 2, 1])
    np.testing.assert_allclose(tree.X[1], [np.tanh(0.5), 0], rtol=1e-14)


def test_trees_are_labelled_from_any_depth():
    tree = datasets.make_tree(branching=2, depth=4, label_depth=3)
    # Seven nodes of the trunk, then the first node of every branch; below it nothing changes.
    parents, children = tree.edges.T
    np.testing.assert_array_equal(tree.y[:7], 0)
    np.testing.assert_array_equal(tree.y[7:15], np.arange(1, 9))
    np.testing.assert_array_equal(tree.y[children[14:]], tree.y[parents[14:]])


def test_uniform_points_have_the_volume_of_the_ball_within():
    X = datasets.make_uniform(20000, "H2", radius=4, random_state=0)
    # Half of the area of a disk of radius 4 lies within 3.3: (cosh r - 1) / (cosh 4 - 1) = 1/2.
    median = np.median(np.arccosh(X[:, 0]))
    assert median == pytest.approx(np.arccosh(1 + (np.cosh(4) - 1) / 2), abs=0.02)


def test_karate_is_the_network_of_networkx():
    club = datasets.load_karate()
    graph = nx.karate_club_graph()
    assert {tuple(edge) for edge in club.edges.tolist()} == {
        (min(edge), max(edge)) for edge in graph.edges()
    }
    assert [club.target_names[label] for label in club.y] == [
        graph.nodes[node]["club"] for node in range(34)
    ]


def test_karate_can_be_written_and_read(tmp_path):
    club = datasets.load_karate()
    assert datasets.Graph is io.Graph
    io.write_graph(tmp_path / "karate.gml", club)
    again = io.read_graph(tmp_path / "karate.gml")
    assert again.n_nodes == 34
    np.testing.assert_array_equal(again.edges, club.edges)
    np.testing.assert_array_equal(again.node_labels, club.node_labels)
    np.testing.assert_array_equal(again.y, club.y)
    assert again.target_names == ["Mr. Hi", "Officer"]


@pytest.mark.parametrize("make", [datasets.make_mixture, *LATENT])
def test_random_state_means_what_it_means_in_scikit_learn(make):
    def first(random_state):
        return make(10, random_state=random_state)[0]

    np.testing.assert_array_equal(first(7), first(7))
    np.testing.assert_array_equal(first(np.int64(7)), first(7))
    np.testing.assert_array_equal(first(np.random.RandomState(1)), first(np.random.RandomState(1)))
    np.testing.assert_array_equal(first(np.random.default_rng(1)), first(np.random.default_rng(1)))
    generator = np.random.default_rng(1)
    assert not np.array_equal(first(generator), first(generator))
    assert not np.array_equal(first(None), first(None))


@pytest.mark.parametrize("make", [datasets.make_mixture, *LATENT])
def test_threads_do_not_change_the_data(make):
    one = make(3000, random_state=0, n_jobs=1)
    four = make(3000, random_state=0, n_jobs=4)
    for a, b in zip(one, four, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: datasets.make_mixture(-1), ValueError, "n_samples is -1, expected at least 0"),
        (lambda: datasets.make_mixture(0), ValueError,
         "the number of rows must be at least 1, found 0"),
        (lambda: datasets.make_mixture(2.5), TypeError,
         "n_samples is 2.5, expected a whole number"),
        (lambda: datasets.make_mixture(2**63), ValueError,
         "n_samples is 9223372036854775808, expected at least 0"),
        (lambda: datasets.make_mixture(9, noise=float("nan")), ValueError,
         "the noise must be a finite number >= 0, found nan"),
        (lambda: datasets.make_mixture(9, class_weights=[1]), ValueError,
         "expected one weight for each of the 2 classes, found 1"),
        (lambda: datasets.make_mixture(9, "H2 y"), ValueError,
         'bad signature "H2 y" at character 4: expected \'x\' between factors or the end, '
         "found 'y'"),
        (lambda: datasets.make_uniform(9, radius=0), ValueError,
         "the radius must be a finite number > 0, found 0"),
        (lambda: datasets.make_tree([1, 0]), ValueError,
         "a tree has exactly one root (a node that is its own parent), found 0"),
        (lambda: datasets.make_tree(label_depth=0), ValueError,
         "the label depth must be at least 1, found 0"),
        (lambda: datasets.make_tree(label_depth=-1), ValueError,
         "label_depth is -1, expected at least 0"),
        (lambda: datasets.make_helix(9, n_noise=-2), ValueError,
         "n_noise is -2, expected at least 0"),
    ],
)  # fmt: skip
def test_bad_arguments(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_shapes_of_one_seed_have_noise_of_their_own():
    noises = [make(2000, n_noise=2, random_state=0)[0][:, 3:].ravel() for make in LATENT]
    correlations = np.corrcoef(noises) - np.eye(len(noises))
    assert np.abs(correlations).max() < 0.1


@pytest.mark.parametrize(
    "call",
    [
        lambda: Manifold("H2").random(2**62),
        lambda: Manifold("H2").random(2**63 - 1),
        lambda: datasets.make_mixture(2**62),
        lambda: datasets.make_uniform(2**62),
        lambda: datasets.make_linear(2**61, n_noise=5),
        lambda: datasets.make_sphere(2**61, n_noise=5),
        lambda: datasets.make_sphere(2, n_noise=2**62),
    ],
)
def test_more_rows_than_memory_are_a_memory_error(call):
    with pytest.raises(MemoryError):
        call()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: Manifold("H2").random(1.5), TypeError,
         "n_samples is 1.5, expected a whole number"),
        (lambda: Manifold("H2").random("3"), TypeError,
         "n_samples is '3', expected a whole number"),
        (lambda: Manifold("H2").random(3, "a"), TypeError, "scale is 'a', expected a number"),
        (lambda: Manifold("H2", n_jobs="a"), TypeError,
         "n_jobs is 'a', expected a whole number or None"),
        (lambda: Manifold("H2", n_jobs=1.5), TypeError,
         "n_jobs is 1.5, expected a whole number or None"),
        (lambda: Manifold("H2", n_jobs=2**64), ValueError,
         "n_jobs is 18446744073709551616, expected a number of threads"),
        (lambda: Manifold(None), TypeError, "signature is None, expected text"),
        (lambda: Manifold("H2", None), TypeError, "coordinates is None, expected text"),
        (lambda: Manifold("H2").convert([[1, 0, 0]], 3), TypeError,
         "source is 3, expected text or None"),
        (lambda: datasets.make_mixture(noise="a"), TypeError, "noise is 'a', expected a number"),
        (lambda: datasets.make_mixture(5, 3), TypeError, "signature is 3, expected text"),
        (lambda: datasets.make_uniform(radius=None), TypeError,
         "radius is None, expected a number"),
        (lambda: datasets.make_tree(edge_length="1"), TypeError,
         "edge_length is '1', expected a number"),
        (lambda: datasets.make_helix(noise_variance=1j), TypeError,
         "noise_variance is 1j, expected a number"),
        (lambda: datasets.make_helix(n_jobs="2"), TypeError,
         "n_jobs is '2', expected a whole number or None"),
    ],
)  # fmt: skip
def test_wrong_types_are_one_line(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
