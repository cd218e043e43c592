"""Geodesic boundaries against straight ones, and where the hulls of classes meet.

Four noisy clouds in the Poincaré disk. A linear SVM on the coordinates of the disk cuts with
straight lines; the Poincaré SVM cuts with geodesics through a reference point between a class and
the others, and in Lorentz coordinates with all geodesics, hypercycles, horocycles and circles.
"""

from sklearn.model_selection import train_test_split
from sklearn.svm import LinearSVC

from bentwood import PoincareSVC
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold, convex_hull, nearest_pair

X, y = make_mixture(2000, "H2", coordinates="poincare", n_classes=4, random_state=3)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)

disk = Manifold("H2", coordinates="poincare")
for label in range(4):
    inside, outside = X_train[y_train == label], X_train[y_train != label]
    pair = nearest_pair(disk, inside, outside)
    apart = "overlaps the others'" if pair.overlap else f"is {pair.distance:.2f} from the others'"
    print(f"class {label}: a hull of {len(convex_hull(disk, inside))} vertices that {apart}")

settings = {"signature": "H2", "coordinates": "poincare", "C": 5, "random_state": 0}
for name, model in [
    ("straight lines in the disk", LinearSVC(C=5, random_state=0)),
    ("geodesics through a point", PoincareSVC(**settings, fit_intercept=False, probability=True)),
    ("Lorentz coordinates", PoincareSVC(**settings, space="lorentz")),
]:
    model.fit(X_train, y_train)
    print(f"{name}: accuracy {model.score(X_test, y_test):.3f}")
