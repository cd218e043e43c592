"""Mistake severity and hierarchical distance."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from bentwood.linear import hyperclasses
from bentwood.metrics import hierarchical_distance, mistake_severity

LIFE = {"dog": "animal", "cat": "animal", "oak": "plant", "animal": "life", "plant": "life"}


def test_heights_of_a_mapping_are_edges_down_to_the_farthest_leaf() -> None:
    tree: dict[Any, Any] = {0: 10, 1: 10, 2: 11, 10: 11, 11: None}
    assert mistake_severity([0], [1], tree) == 1
    assert mistake_severity([0], [2], tree) == 2
    assert hierarchical_distance([0, 0, 1, 2], [0, 1, 2, 2], tree) == 0.75
    assert mistake_severity([0, 2], [0, 2], tree) == 0
    # A class may be an inner node.
    assert mistake_severity(["dog"], ["animal"], LIFE) == 1


def test_weights_count_rows() -> None:
    truth, predicted = ["dog", "dog", "oak"], ["cat", "oak", "oak"]
    weights = [3.0, 1.0, 2.0]
    repeated = np.repeat(np.arange(3), [3, 1, 2])
    for score in (mistake_severity, hierarchical_distance):
        assert score(truth, predicted, LIFE, sample_weight=weights) == score(
            np.array(truth)[repeated], np.array(predicted)[repeated], LIFE
        )


def test_a_linkage_is_read_as_scipy_writes_it() -> None:
    generator = np.random.default_rng(0)
    merges = linkage(generator.normal(size=(6, 3)), "average")
    heights = squareform(cophenet(merges))
    truth, predicted = generator.integers(0, 6, (2, 500))
    expected = heights[truth, predicted]
    assert hierarchical_distance(truth, predicted, merges) == pytest.approx(expected.mean())
    assert mistake_severity(truth, predicted, merges) == pytest.approx(
        expected[truth != predicted].mean()
    )
    names = np.array(["f", "e", "d", "c", "b", "a"])
    assert hierarchical_distance(
        names[truth], names[predicted], merges, labels=names
    ) == pytest.approx(expected.mean())


def test_the_tree_that_hyperclasses_find_will_do() -> None:
    X = np.array([[3.0, 0.1], [3.0, -0.1], [-3.0, 0.1], [-3.0, -0.1]])
    tree = hyperclasses(X, ["cat", "dog", "oak", "elm"])
    near = mistake_severity(["cat"], ["dog"], tree)
    assert 0 < near < mistake_severity(["cat"], ["oak"], tree)


@pytest.mark.parametrize(
    ("tree", "options", "message"),
    [
        ({"dog": "animal"}, {}, "tree has no node 'oak', which is one of the labels"),
        (
            {"dog": "animal", "oak": "plant"},
            {},
            "tree: 'animal' and 'plant' have no parent, expected one root",
        ),
        (
            {"dog": "oak", "oak": "dog", "x": None},
            {},
            "tree: 'dog' is its own ancestor, expected a tree",
        ),
        (
            [[0, 1, 1, 2], [2, 3, 1, 3]],
            {},
            "the linkage has 3 leaves and there are 2 labels, expected equally many; "
            "pass labels, the class of each leaf",
        ),
        ([[0, 1, 1]], {}, "a linkage has 4 columns, found 3"),
        ([[0, 1, 1, 2]], {"labels": ["a", "b"]}, "y_true[0] is 'dog', expected one of 'a', 'b'"),
        (
            [[0, 1, 1, 2], [2, 3, 1, 3]],
            {"labels": ["dog", "oak", "dog"]},
            "labels are 'dog', 'oak', 'dog', expected each of them once",
        ),
        (
            {"dog": ["animal", "pet"], "oak": None},
            {},
            "tree: the parent of 'dog' is ['animal', 'pet'], expected one node",
        ),
        (
            {"dog": "oak"},
            {"labels": ["a", "b"]},
            "labels are for the leaves of a linkage, and tree is a mapping",
        ),
    ],
)
def test_wrong_trees_are_named(tree: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        mistake_severity(["dog"], ["oak"], tree, **options)
