"""Regression on a product of spaces: which factor carries the signal?

The target depends on where a point stands on the sphere and hardly on the rest; the importances of
the factors say so.
"""

import numpy as np

from bentwood import ManifoldForestRegressor
from bentwood.geometry import Manifold

signature = "H2(-0.5) x S2 x E3"
manifold = Manifold(signature)
X = manifold.random(2000, random_state=0)
columns = manifold.natural_coordinates(X)
angle = columns[:, manifold.natural_names.index("s2.angle1")]
noise = np.random.default_rng(0).normal(scale=0.1, size=len(X))
y = np.cos(angle) + 0.1 * columns[:, 0] + noise

train, test = slice(None, 1000), slice(1000, None)
model = ManifoldForestRegressor(signature, splits=("geodesic", "pairs"), random_state=0)
model.fit(X[train], y[train])
print(f"R² on new rows: {model.score(X[test], y[test]):.3f}")
for factor, importance in zip(["H2(-0.5)", "S2", "E3"], model.factor_importances_, strict=True):
    print(f"{factor:9} {importance:.3f}")
