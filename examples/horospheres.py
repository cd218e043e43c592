"""Horospheres that fit branches of a hierarchy, and the hierarchy that they were.

A tree of 1,093 nodes in the Poincaré disk; the label of a node is its ancestor two levels below the
root, one of nine. A class sits in a horoball that touches the rim where its branch grows to, so
nine horospheres tell the branches apart. The class means alone know which three belong together.
"""

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from bentwood import HoroSVC
from bentwood.datasets import make_tree
from bentwood.linear import hyperclasses
from bentwood.metrics import accuracy, hierarchical_distance, mistake_severity

tree = make_tree(branching=3, depth=6, edge_length=1.3, coordinates="poincare")
parent = np.full(len(tree.X), -1)
for above, below in tree.edges:
    parent[below] = above
depth = np.zeros(len(parent), dtype=int)
for node in range(1, len(parent)):  # parents come before their children
    depth[node] = depth[parent[node]] + 1


def branch(node: int) -> int:
    """The ancestor two levels below the root."""
    while depth[node] > 2:
        node = parent[node]
    return node


deep = np.flatnonzero(depth >= 2)
X, y = tree.X[deep], np.array([branch(node) for node in deep])
generator = np.random.default_rng(0)
noise = generator.normal(scale=0.04, size=X.shape) * (1 - (X**2).sum(axis=1, keepdims=True))
X = X + noise  # a step of about 0.1 on the hyperbolic plane
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
print(f"{len(y)} nodes, {len(set(y.tolist()))} branches")

horospheres = HoroSVC("H2", coordinates="poincare", C=10, random_state=0).fit(X_train, y_train)
scaler = StandardScaler().fit(X_train)
lines = LinearSVC(C=10, random_state=0).fit(scaler.transform(X_train), y_train)
found = hyperclasses(X_train, y_train, "H2", coordinates="poincare")
classes = {label: parent[label] for label in set(y.tolist())}
truth = {**classes, **dict.fromkeys(set(classes.values()), 0)}  # branches, their parents, the root
for name, predicted in [
    ("horospheres", horospheres.predict(X_test)),
    ("straight lines", lines.predict(scaler.transform(X_test))),
]:
    print(
        f"{name}: accuracy {accuracy(y_test, predicted):.3f}, "
        f"mistake severity {mistake_severity(y_test, predicted, truth):.2f}, "
        f"hierarchical distance {hierarchical_distance(y_test, predicted, truth):.3f}"
    )
print("groups that the class means show:", found.groups)
