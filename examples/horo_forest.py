"""A forest of horospheres on three communities, and the ideal points that tell them apart.

Three groups of points in the Poincaré disk, each about a branch that grows to the rim. Every node
of the forest finds a horosphere of its own; the ideal points of those that decreased impurity most
point at the branches.
"""

import numpy as np

from bentwood import HoroForestClassifier, ManifoldForestClassifier
from bentwood.geometry import Manifold
from bentwood.horo import horospheres

generator = np.random.default_rng(0)
angles = np.array([0.3, 2.1, 4.4])
y = generator.integers(3, size=600)
# Points along a branch: far out most of the time, and a little to either side.
radius = generator.gamma(4, 0.5, size=600)
sideways = generator.normal(scale=0.9, size=600)
along = np.stack([np.cos(angles[y]), np.sin(angles[y])], axis=1)
across = np.stack([-along[:, 1], along[:, 0]], axis=1)
X = radius[:, None] * along + sideways[:, None] * across / (1 + radius[:, None])
X = Manifold("H2", "tangent").convert(X, target="poincare")

forest = HoroForestClassifier("H2", coordinates="poincare", oob_score=True, random_state=0)
forest.fit(X, y)
axes = ManifoldForestClassifier("H2", coordinates="poincare", oob_score=True, random_state=0)
axes.fit(X, y)
print(f"out of bag: horospheres {forest.oob_score_:.3f}, geodesics {axes.oob_score_:.3f}")

found = horospheres(forest)
direction = np.arctan2(found.ideal_point[:, 1], found.ideal_point[:, 0]) % (2 * np.pi)
for angle in angles:
    near = np.abs((direction - angle + np.pi) % (2 * np.pi) - np.pi) < 0.5
    print(f"ideal points towards {angle:.1f}: importance {found.importance[near].sum():.2f}")
