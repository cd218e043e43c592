"""A model in a file: written once, read by Python, by the program or by C++."""

import tempfile
from pathlib import Path

import numpy as np

import bentwood
from bentwood.datasets import make_mixture

X, y = make_mixture(1000, "H4", n_classes=3, random_state=0)
model = bentwood.ManifoldForestClassifier("H4", oob_score=True, random_state=0).fit(X, y)
print(f"out-of-bag accuracy {model.oob_score_:.3f}")

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "model.bent"
    model.save(path)
    print(f"{path.stat().st_size / 1e6:.1f} MB for {model.get_n_leaves()} leaves")
    again = bentwood.load(path)

assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
print(again)
