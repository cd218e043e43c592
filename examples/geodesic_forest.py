"""Neighbours along a helix that is hidden among a hundred columns of noise."""

from sklearn.neighbors import NearestNeighbors

from bentwood import GeodesicForest
from bentwood.datasets import make_helix
from bentwood.metrics import geodesic_precision

X, position = make_helix(600, n_noise=100, random_state=0)

euclid = NearestNeighbors(n_neighbors=30).fit(X).kneighbors(return_distance=False)
print(f"Euclidean neighbours: {geodesic_precision(euclid, positions=position):.2f} are true ones")

forest = GeodesicForest(random_state=0).fit(X)
found = forest.kneighbors(n_neighbors=30, return_distance=False)
print(f"the forest's:         {geodesic_precision(found, positions=position):.2f}")

# The three columns of the helix come first; all others are noise, and hardly ever cut.
shape = forest.feature_importances_[:3].sum()
print(f"{shape:.0%} of all cuts are of the three columns that matter")

# A new point is asked about like any other.
print("near the first row:", forest.kneighbors(X[:1] + 0.01, 5, return_distance=False)[0])
