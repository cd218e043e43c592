"""Which branch of a hierarchy does a node belong to?

A tree of 1,093 nodes in the Poincaré disk; the label is the root's child that a node stands below.
A forest that cuts along geodesics stands beside one that takes the disk for a flat square: on
points of two dimensions they are about as good as each other.
"""

from sklearn.model_selection import StratifiedKFold, cross_val_score

from bentwood import ManifoldForestClassifier, ManifoldTreeClassifier
from bentwood.datasets import make_tree

tree = make_tree(branching=3, depth=6, edge_length=1.5, coordinates="poincare")
X, y = tree.X[1:], tree.y[1:]  # the root has no branch
print(f"{len(y)} nodes, {len(set(y))} branches")

folds = StratifiedKFold(5, shuffle=True, random_state=0)
for name, signature in [("hyperbolic", "H2"), ("Euclidean", None)]:
    forest = ManifoldForestClassifier(signature, coordinates="poincare", random_state=0)
    print(f"{name} forest: accuracy {cross_val_score(forest, X, y, cv=folds).mean():.3f}")

# One shallow tree says it in words; a rapidity is a signed distance along an axis of the disk.
small = ManifoldTreeClassifier("H2", coordinates="poincare", max_depth=2).fit(X, y)
print(small.export_text())
