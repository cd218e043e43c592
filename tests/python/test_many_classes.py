"""Many classes: the same as few in every respect but memory and time."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bentwood
from bentwood.geometry import Manifold

N_CLASSES = 400
X = Manifold("H2 x S2").random(1200, 0.7, random_state=1)
y = np.arange(1200) * 7 % N_CLASSES


def forest(**options: object) -> bentwood.ManifoldForestClassifier:
    given = {"n_estimators": 5, "random_state": 0, "min_samples_leaf": 3} | options
    return bentwood.ManifoldForestClassifier("H2 x S2", **given).fit(X, y)


def test_predictions_agree_with_each_other() -> None:
    model = forest()
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[np.argmax(shares, axis=1)])
    np.testing.assert_array_equal(model.predict_proba(X[:1]), shares[:1])
    np.testing.assert_array_equal(model.predict(X[:1]), model.predict(X)[:1])
    frame = np.asfortranarray(X)
    np.testing.assert_array_equal(model.predict(frame), model.predict(X))


def test_trees_say_what_their_rows_are() -> None:
    model = forest(bootstrap=False)
    leaves = model.apply(X)
    for number, tree in enumerate(model.trees_):
        for leaf in np.unique(leaves[:, number])[:50]:
            counts = np.bincount(y[leaves[:, number] == leaf], minlength=N_CLASSES)
            np.testing.assert_array_equal(tree.value[leaf], counts / counts.sum())


def test_models_are_kept_whole(tmp_path: Path) -> None:
    model = forest()
    model.save(tmp_path / "many.bent")
    for other in (bentwood.load(tmp_path / "many.bent"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    assert model.export_text(max_depth=2) == bentwood.load(tmp_path / "many.bent").export_text(
        max_depth=2
    )


def test_out_of_bag_scores_and_warm_starts_work() -> None:
    model = forest(oob_score=True, n_estimators=30, warm_start=True)
    assert model.oob_decision_function_.shape == (1200, N_CLASSES)
    model.set_params(n_estimators=32).fit(X, y)
    whole = forest(n_estimators=32, oob_score=True)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))
    np.testing.assert_array_equal(model.oob_decision_function_, whole.oob_decision_function_)


def test_a_forest_of_an_older_file_grows_on(tmp_path: Path) -> None:
    golden = Path(__file__).resolve().parents[1] / "golden" / "many_classes_1.bent"
    model = bentwood.load(golden)
    points = np.load(golden.with_suffix(".npz"))["points"]
    before = model.predict_proba(points)
    rows = Manifold("H2").random(600, 0.7, random_state=3)
    labels = np.arange(600) * 7 % 300
    model.set_params(warm_start=True, n_estimators=4).fit(rows, labels)
    model.save(tmp_path / "more.bent")
    again = bentwood.load(tmp_path / "more.bent")
    whole = bentwood.ManifoldForestClassifier("H2", n_estimators=4, max_depth=3, random_state=0)
    np.testing.assert_array_equal(
        again.predict_proba(points), whole.fit(rows, labels).predict_proba(points)
    )
    assert before.shape == (8, 300)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_memory_grows_with_rows_not_with_rows_times_classes(criterion: str) -> None:
    # A matrix of 60,000 rows and classes would take 29 GB; the process may have 1.
    code = f"""
import resource, warnings
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
import numpy as np, bentwood
warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(60_000, 3))
y = np.arange(60_000)
model = bentwood.ManifoldForestClassifier(
    n_estimators=1, random_state=0, n_jobs=1, criterion={criterion!r}
).fit(X, y)
print((model.predict(X) == y).mean())
"""
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
        env={"OPENBLAS_NUM_THREADS": "1", "PATH": ""},
    )
    assert float(result.stdout) == pytest.approx(0.632, abs=0.01)
