"""HoroSVC: the horosphere SVM as an estimator, and the class tree of hyperclasses."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pytest
from scipy.cluster.hierarchy import dendrogram, is_valid_linkage
from sklearn.calibration import _sigmoid_calibration
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import parametrize_with_checks

import bentwood
from bentwood import HoroSVC, ManifoldTreeClassifier, _core
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold
from bentwood.linear import hyperclasses
from documented_checks import documented_failures
from interrupting import assert_ctrl_c_is_heard

Array = npt.NDArray[Any]


# Some checks use points at distance 100, which tangent coordinates hold only roughly.
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@parametrize_with_checks(
    [
        HoroSVC(),
        HoroSVC(loss="hinge", class_weight="balanced", C=5, tol=1e-9, max_iter=1000),
        HoroSVC(probability=True),
    ],
    expected_failed_checks=documented_failures,
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def mixture(signature: str = "H2", n_classes: int = 3, seed: int = 0) -> tuple[Array, Array]:
    X, y = make_mixture(
        300, signature, coordinates="poincare", n_classes=n_classes, random_state=seed
    )
    return X, y


def svc(signature: str = "H2", **parameters: Any) -> HoroSVC:
    return HoroSVC(signature, coordinates="poincare", random_state=0, **parameters)


@pytest.mark.parametrize("signature", ["H2", "H3(-0.25)", "H2(-4)"])
def test_scores_are_slope_times_busemann_minus_offset(signature: str) -> None:
    X, y = mixture(signature)
    model = svc(signature).fit(X, y)
    manifold = Manifold(signature, "poincare")
    radius = 1 / np.sqrt(
        -float(re.search(r"\((.*)\)", signature).group(1)) if "(" in signature else 1
    )  # type: ignore[union-attr]
    scores = model.decision_function(X)
    assert scores.shape == (300, 3)
    for index, ideal in enumerate(model.ideal_points_):
        assert np.linalg.norm(ideal) == pytest.approx(1)
        levels = manifold.busemann(X, ideal)
        expected = -model.slopes_[index] * levels / radius - model.offsets_[index]
        np.testing.assert_allclose(scores[:, index], expected, rtol=1e-12, atol=1e-12)
        positive = (levels < model.levels_[index]) == (model.slopes_[index] > 0)
        assert ((scores[:, index] > 0) == positive).all()
    assert (model.predict(X) == np.argmax(scores, axis=1)).all()


def test_scaling_space_and_curvature_changes_no_score() -> None:
    X, y = mixture()
    near = svc("H2").fit(X, y)
    far = svc("H2(-0.0625)").fit(4 * X, y)
    np.testing.assert_allclose(near.decision_function(X), far.decision_function(4 * X), rtol=1e-6)
    np.testing.assert_allclose(4 * near.levels_, far.levels_, rtol=1e-6)


def test_all_coordinates_give_the_same_model() -> None:
    X, y = mixture("H3")
    expected = svc("H3").fit(X, y).ideal_points_
    for coordinates in ("ambient", "klein", "tangent"):
        points = Manifold("H3", "poincare").convert(X, "poincare", coordinates)
        model = HoroSVC(coordinates=coordinates, random_state=0).fit(points, y)
        assert model.signature_ == "H3"
        np.testing.assert_allclose(model.ideal_points_, expected, atol=1e-5)


def test_scores_next_to_the_boundary_are_exact() -> None:
    X, y = mixture(n_classes=2)
    model = svc().fit(X, y)
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    near = (1 - 1e-12) * np.column_stack([np.cos(angles), np.sin(angles)])
    scores = model.decision_function(near)
    with mp.workdps(60):
        w = [mp.mpf(float(component)) for component in model.ideal_points_[0]]
        length = mp.sqrt(sum(component**2 for component in w))
        for row, score in zip(near, scores, strict=True):
            u = [mp.mpf(float(component)) for component in row]
            distance = sum((a / length - b) ** 2 for a, b in zip(w, u, strict=True))
            level = mp.log(distance / (1 - sum(b**2 for b in u)))
            expected = -mp.mpf(model.slopes_[0]) * level - mp.mpf(model.offsets_[0])
            assert abs(score - float(expected)) < 1e-12 * abs(float(expected)) + 1e-12


def test_two_classes_have_one_horosphere_and_either_may_be_inside() -> None:
    X, y = mixture(n_classes=2, seed=3)
    model = svc().fit(X, y)
    other = svc().fit(X, 1 - y)
    assert model.ideal_points_.shape == (1, 2)
    assert model.decision_function(X).shape == (300,)
    assert model.slopes_[0] * other.slopes_[0] < 0
    np.testing.assert_allclose(
        model.decision_function(X), -other.decision_function(X), rtol=1e-4, atol=1e-4
    )


def test_balanced_classes_are_weights_and_so_is_beta() -> None:
    X, y = mixture(n_classes=2, seed=1)
    keep = (y == 0) | (np.arange(300) % 5 == 0)
    X, y = X[keep], y[keep]
    counts = np.bincount(y)
    weights = {label: len(y) / (2 * counts[label]) for label in (0, 1)}
    balanced = svc(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(
        balanced.decision_function(X), svc(class_weight=weights).fit(X, y).decision_function(X)
    )
    # beta = 1 is the weight 1/n of both sides: "balanced" with another C.
    np.testing.assert_allclose(
        svc(beta=1.0, C=len(y) / 2).fit(X, y).decision_function(X),
        balanced.decision_function(X),
        rtol=1e-5,
    )


def test_number_of_threads_changes_no_byte() -> None:
    X, y = mixture(n_classes=5)
    models = [svc(probability=True, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2, 3, 7)]
    assert len({model._model.to_bytes() for model in models}) == 1
    scores = {model.set_params(n_jobs=3).decision_function(X).tobytes() for model in models}
    assert len(scores) == 1
    one_by_one = np.vstack([models[0].decision_function(row.reshape(1, -1)) for row in X])
    assert (one_by_one == models[0].decision_function(X)).all()


@pytest.mark.parametrize("n_classes", [2, 4])
def test_probabilities_sum_to_one_and_are_better_than_shares(n_classes: int) -> None:
    X, y = mixture("H2", n_classes, seed=2)
    model = svc(probability=True).fit(X[:200], y[:200])
    proba = model.predict_proba(X[200:])
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    shares = np.bincount(y[:200], minlength=n_classes) / 200
    assert log_loss(y[200:], proba) < 0.7 * log_loss(y[200:], np.tile(shares, (100, 1)))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_platt_scaling_is_that_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    y = generator.integers(0, 2, 300)
    scores = 2 * y - 1 + 1.5 * generator.normal(size=300)
    weights = generator.uniform(0, 2, 300)
    slope, offset = _sigmoid_calibration(scores, y, weights)
    found = _core.platt_sigmoid(scores, 2.0 * y - 1, weights)
    # Both minimise the same function; scikit-learn's stops earlier.
    np.testing.assert_allclose(found, (slope, offset), rtol=1e-3)


def test_files_and_pickles_keep_the_model(tmp_path: Path) -> None:
    X, y = mixture()
    names = np.array(["ant", "bee", "cow"])
    model = svc(probability=True, C=2.0, class_weight={"ant": 2.0, "bee": 1.0, "cow": 1.0})
    model.fit(X, names[y])
    path = tmp_path / "model.bent"
    model.save(path)
    for kept in (bentwood.load(path), HoroSVC.load(path), pickle.loads(pickle.dumps(model))):
        assert (kept.predict_proba(X) == model.predict_proba(X)).all()
        assert (kept.predict(X) == model.predict(X)).all()
        assert (kept.n_iter_ == model.n_iter_).all()
        given = {**model.get_params(), "n_jobs": -1}
        assert kept.get_params() == given
        assert kept.fit(X, names[y])._model.to_bytes() == model._model.to_bytes()
    message = f"{path} holds a HoroSVC, expected a ManifoldTreeClassifier; bentwood.load reads any"
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        ManifoldTreeClassifier.load(path)
    tree = tmp_path / "tree.bent"
    ManifoldTreeClassifier().fit(X, y).save(tree)
    with pytest.raises(ValueError, match=re.escape("holds a ManifoldTreeClassifier, expected")):
        HoroSVC.load(tree)
    broken = bytearray(path.read_bytes())
    broken[-20] ^= 1
    path.write_bytes(broken)
    with pytest.raises(ValueError, match="the file was changed after it was written"):
        bentwood.load(path)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0.0}, "C is 0.0, expected a number above 0"),
        ({"C": 10**400}, f"C is {10**400}, expected a number above 0"),
        (
            {"C": 1e200},
            "C is 1e+200 and the largest weight is 1, "
            "expected at most 1e100 of both and their product",
        ),
        ({"beta": 10**400}, f"beta is {10**400}, expected a number from 0 to 1"),
        ({"loss": "log"}, 'loss is \'log\', expected "squared_hinge" or "hinge"'),
        ({"beta": 1.5}, "beta is 1.5, expected a number from 0 to 1"),
        ({"n_restarts": 1001}, "n_restarts is 1001, expected at most 1000"),
        ({"n_restarts": -1}, "n_restarts is -1, expected a whole number of at least 0"),
        ({"max_iter": 0}, "max_iter is 0, expected a whole number of at least 1"),
        ({"tol": np.nan}, "tol is nan, expected a number above 0"),
        ({"probability": "yes"}, "probability is 'yes', expected True or False"),
        (
            {"beta": 0.9, "class_weight": "balanced"},
            "beta is 0.9 and class_weight is 'balanced', expected one of the two",
        ),
        (
            {"class_weight": "even"},
            "class_weight is 'even', expected \"balanced\", a dict from classes to weights or None",
        ),
        ({"signature": "E2"}, "the signature is E2, expected one hyperbolic factor such as H2"),
        (
            {"signature": "H1 x H1"},
            "the signature is (H1)^2, expected one hyperbolic factor such as H2",
        ),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], message: str) -> None:
    X, y = mixture()
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        svc().set_params(**parameters).fit(X, y)


def test_wrong_data_are_named() -> None:
    X, y = mixture()
    with pytest.raises(ValueError, match=r"^y has one class, 7, expected at least two classes$"):
        svc().fit(X, np.full(300, 7))
    with pytest.raises(
        ValueError,
        match=r"^1 class has rows with a weight above zero, expected at least two classes$",
    ):
        svc().fit(X, y, sample_weight=(y == 1).astype(float))
    with pytest.raises(
        ValueError, match=r"^row 3: the weight is -1, expected a finite number >= 0$"
    ):
        svc().fit(X, y, sample_weight=np.where(np.arange(300) == 3, -1.0, 1.0))
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'"):
        svc().fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match=r"^the model was fitted with probability=False; fit it"):
        svc().fit(X, y).set_params(probability=True).predict_proba(X)
    with pytest.warns(
        ConvergenceWarning, match=r"^[1-3] of 3 horospheres were still improving aft"
    ):
        svc(max_iter=1, tol=1e-12).fit(X, y)
    with pytest.warns(UserWarning, match=r"^1 of 300 rows were off H2"):
        model = svc(off_manifold="project").fit(
            np.where(np.arange(600).reshape(300, 2) == 0, 2.0, X), y
        )
    assert model.n_projected_ == 1


def test_hyperclasses_are_a_linkage_that_scipy_draws() -> None:
    X, y = make_mixture(400, "H2", coordinates="poincare", n_classes=6, random_state=4)
    names = np.array(list("abcdef"))[y]
    found = hyperclasses(X, names, "H2", coordinates="poincare")
    assert list(found.classes) == list("abcdef")
    assert is_valid_linkage(found.linkage)
    assert len(found.groups) == 4
    assert sorted(dendrogram(found.linkage, labels=found.classes, no_plot=True)["ivl"]) == list(
        "abcdef"
    )
    weighted = hyperclasses(
        X, names, "H2", coordinates="poincare", sample_weight=(y != 0).astype(float)
    )
    assert list(weighted.classes) == list("bcdef")
    with pytest.raises(ValueError, match=r"^X has 400 rows and y has 3, expected as many$"):
        hyperclasses(X, names[:3], "H2", coordinates="poincare")
    with pytest.raises(
        ValueError, match=r"^row 0: the weight is -1, expected a finite number >= 0$"
    ):
        hyperclasses(X, names, "H2", coordinates="poincare", sample_weight=-np.ones(400))


@pytest.mark.parametrize("signature", ["E2", "H2 x E2", "H2 x H3"])
def test_hyperclasses_are_of_one_hyperbolic_factor(signature: str) -> None:
    X = np.zeros((4, Manifold(signature, coordinates="tangent").dim))
    message = f"the signature is {signature}, expected one hyperbolic factor such as H2"
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        hyperclasses(X, [0, 0, 1, 1], signature)


def test_hyperclasses_name_labels_that_do_not_compare() -> None:
    message = "y hold labels of types int, str, expected a single type"
    with pytest.raises(TypeError, match="^" + message + "$"):
        hyperclasses(np.zeros((4, 2)), [1, "a", 1, "a"])


FIT_FOR_A_MINUTE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from bentwood import HoroSVC
from bentwood.datasets import make_mixture
X, y = make_mixture(300_000, "H8", n_classes=5, label_noise=0.3, random_state=0)
model = HoroSVC("H8", coordinates="ambient", n_restarts=1000, n_jobs={n_jobs})
print("fitting", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("fitted" if hasattr(model, "classes_") else "interrupted", flush=True)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_stops_a_fit_and_leaves_nothing_half_fitted(n_jobs: int) -> None:
    code = FIT_FOR_A_MINUTE.format(n_jobs=n_jobs)
    assert_ctrl_c_is_heard(code)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_a_descent_takes_at_most_max_iter_steps(loss: Any) -> None:
    X, y = mixture(n_classes=2)
    with pytest.warns(ConvergenceWarning):
        model = svc(loss=loss, max_iter=5, n_restarts=3, tol=1e-12).fit(X, y)
    assert (model.n_iter_ <= 4 * 5).all()
