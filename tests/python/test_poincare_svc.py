"""PoincareSVC: the linear SVM on curved spaces as an estimator."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import bentwood
from bentwood import HoroSVC, PoincareSVC, _core
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold, nearest_pair
from documented_checks import documented_failures
from interrupting import assert_ctrl_c_is_heard

Array = npt.NDArray[Any]


# Some checks use points at distance 100, which tangent coordinates hold only roughly.
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@parametrize_with_checks(
    [
        PoincareSVC(),
        PoincareSVC(reference="means", loss="hinge", class_weight="balanced", C=0.1, tol=1e-12),
        PoincareSVC(space="lorentz", C=5),
        PoincareSVC(space="weighted", reference="origin", probability=True, platt="train"),
        PoincareSVC(probability=True),
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


def svc(signature: str = "H2", **parameters: Any) -> PoincareSVC:
    return PoincareSVC(signature, coordinates="poincare", random_state=0, **parameters)


def features(model: PoincareSVC, X: Array, index: int) -> Array:
    """What a boundary weighs, by its definition."""
    manifold = Manifold(model.signature_, "poincare")
    if model.space == "lorentz":
        return manifold.convert(X, target="ambient")
    reference = model.reference_points_[index]
    if model.space == "tangent":
        return manifold.log(np.tile(reference, (len(X), 1)), X)
    return np.asarray(
        _core.linear_features(
            _core.Manifold(model.signature_, "poincare"),
            (X, "float64"),
            "weighted",
            (reference.reshape(1, -1), "float64"),
            None,
        )
    )


@pytest.mark.parametrize("signature", ["H2", "H3(-0.25)", "H2 x E1", "H2(-4) x S2"])
@pytest.mark.parametrize("space", ["tangent", "weighted", "lorentz"])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_objective_is_that_of_liblinear_on_the_same_features(
    signature: str, space: str, loss: str
) -> None:
    X, y = mixture(signature)
    model = svc(
        signature, space=space, loss=loss, reference="means", fit_intercept=True, C=0.5
    ).fit(X, y)
    for index, label in enumerate(model.classes_):
        F = features(model, X, index)
        signs = np.where(y == label, 1, -1)
        theirs = LinearSVC(
            loss=loss, C=0.5, dual=loss == "hinge", tol=1e-9, max_iter=1_000_000, random_state=0
        ).fit(F, signs)

        def objective(weights: Array, constant: float, F: Array = F, signs: Array = signs) -> float:
            short = np.maximum(0, 1 - signs * (F @ weights + constant))
            loss_sum = (short if loss == "hinge" else short**2).sum()
            return 0.5 * float(weights @ weights + constant**2) + 0.5 * float(loss_sum)

        ours = objective(model.coef_[index], model.intercept_[index])
        assert ours == pytest.approx(model.objective_[index], rel=1e-9)
        best = objective(theirs.coef_[0], theirs.intercept_[0])
        assert ours <= best * (1 + 1e-6)
        assert ours >= best * (1 - 1e-4)
        expected = F @ model.coef_[index] + model.intercept_[index]
        np.testing.assert_allclose(model.decision_function(X)[:, index], expected, atol=1e-9)


def test_weighted_features_are_exact_next_to_the_boundary() -> None:
    generator = np.random.default_rng(0)
    directions = generator.normal(size=(20, 2))
    X = directions / np.linalg.norm(directions, axis=1, keepdims=True) * (1 - 1e-9)
    p = np.array([[0.6, -0.3]])
    manifold = _core.Manifold("H2", "poincare")
    found = _core.linear_features(manifold, (X, "float64"), "weighted", (p, "float64"), None)
    with mp.workdps(60):
        for row, values in zip(X, found, strict=True):
            x = mp.matrix([mp.mpf(float(value)) for value in row])
            a = mp.matrix([-mp.mpf(float(value)) for value in p[0]])
            ax, xx, aa = (a.T * x)[0], (x.T * x)[0], (a.T * a)[0]
            m = ((1 + 2 * ax + xx) * a + (1 - aa) * x) / (1 + 2 * ax + aa * xx)
            expected = 2 * m / (1 - (m.T * m)[0])
            for value, truth in zip(values, expected, strict=True):
                assert abs(value - float(truth)) < 1e-14 * float(mp.norm(expected))


def test_boundaries_go_through_their_reference_points() -> None:
    X, y = mixture()
    for reference in ("hull", "means", "origin"):
        model = svc(reference=reference, fit_intercept=False).fit(X, y)
        scores = model.decision_function(model.reference_points_)
        np.testing.assert_allclose(np.diag(scores), 0, atol=1e-15)
    assert (model.reference_points_ == 0).all()
    with pytest.raises(AttributeError, match=r'^only models with reference="hull" know which'):
        _ = model.overlapping_


def test_hulls_that_are_apart_have_the_midpoint_of_the_nearest_pair() -> None:
    X, y = mixture(n_classes=2, seed=3)
    side = np.abs(X[:, 0]) > 0.2
    X, y = X[side], (X[side, 0] > 0).astype(int)
    model = svc().fit(X, y)
    pair = nearest_pair(Manifold("H2", "poincare"), X[y == 0], X[y == 1])
    assert not pair.overlap
    assert not model.overlapping_.any()
    np.testing.assert_allclose(model.reference_points_[0], pair.midpoint, atol=1e-6)
    assert svc().fit(X, np.arange(len(X)) % 3).overlapping_.all()


def test_all_coordinates_give_the_same_model() -> None:
    X, y = mixture("H3")
    expected = svc("H3").fit(X, y).coef_
    for coordinates in ("ambient", "klein", "tangent"):
        points = Manifold("H3", "poincare").convert(X, "poincare", coordinates)
        model = PoincareSVC(coordinates=coordinates, random_state=0).fit(points, y)
        assert model.signature_ == "H3"
        np.testing.assert_allclose(model.coef_, expected, rtol=1e-6, atol=1e-8)


def test_reference_points_may_be_of_a_shorter_type() -> None:
    X, y = mixture("H3", n_classes=2)
    ambient = Manifold("H3", "poincare").convert(X, target="ambient")
    point = ambient[:1].astype(np.float32)
    model = PoincareSVC("H3", coordinates="ambient", reference=point).fit(ambient, y)
    np.testing.assert_allclose(model.reference_points_, ambient[:1], rtol=1e-6)


def test_support_vectors_alone_give_the_same_boundary() -> None:
    X, y = mixture(n_classes=2, seed=5)
    for loss in ("hinge", "squared_hinge"):
        model = svc(loss=loss, reference="origin", tol=1e-10).fit(X, y)
        kept = model.support_
        assert 0 < len(kept) < len(X)
        again = svc(loss=loss, reference="origin", tol=1e-10).fit(X[kept], y[kept])
        np.testing.assert_allclose(again.coef_, model.coef_, rtol=1e-3)
        short = (2 * y - 1) * model.decision_function(X) < 1 - 1e-4
        assert set(np.flatnonzero(short)) <= set(kept.tolist())


# The objective hardly falls, but the weights point to where the classes are.
@pytest.mark.parametrize("cost", [1e-300, 1e-100, 1e-20])
@pytest.mark.parametrize("signature", ["H2", "H7"])
def test_tiny_costs_only_shorten_the_weights(cost: float, signature: str) -> None:
    X, y = mixture(signature)
    small = svc(signature, C=1e-9, reference="means").fit(X, y)
    tiny = svc(signature, C=cost, reference="means").fit(X, y)
    np.testing.assert_allclose(tiny.coef_ / cost, small.coef_ / 1e-9, rtol=1e-4)
    assert (tiny.predict(X) == small.predict(X)).all()


def test_balanced_classes_are_weights() -> None:
    X, y = mixture(n_classes=2, seed=1)
    keep = (y == 0) | (np.arange(300) % 5 == 0)
    X, y = X[keep], y[keep]
    counts = np.bincount(y)
    weights = {label: len(y) / (2 * counts[label]) for label in (0, 1)}
    balanced = svc(class_weight="balanced").fit(X, y).decision_function(X)
    np.testing.assert_allclose(
        svc(class_weight=weights).fit(X, y).decision_function(X), balanced, rtol=1e-9
    )
    np.testing.assert_allclose(
        svc().fit(X, y, sample_weight=[weights[label] for label in y]).decision_function(X),
        balanced,
        rtol=1e-9,
    )


@pytest.mark.parametrize("platt", ["cross", "train"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_probabilities_sum_to_one_and_decide(n_classes: int, platt: Any) -> None:
    X, y = mixture("H2", n_classes, seed=2)
    model = svc(probability=True, platt=platt).fit(X[:200], y[:200])
    proba = model.predict_proba(X[200:])
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    shares = np.bincount(y[:200], minlength=n_classes) / 200
    assert log_loss(y[200:], proba) < 0.9 * log_loss(y[200:], np.tile(shares, (100, 1)))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    if n_classes > 2:
        assert (model.predict(X) == model.predict_proba(X).argmax(axis=1)).all()
    # On the training scores Platt scaling is the plain one.
    if platt == "train" and n_classes == 2:
        scores = model.decision_function(X[:200])
        slope, offset = _core.platt_sigmoid(scores, 2.0 * y[:200] - 1, None)
        expected = 1 / (1 + np.exp(slope * scores + offset))
        np.testing.assert_allclose(model.predict_proba(X[:200])[:, 1], expected, rtol=1e-6)


def test_number_of_threads_changes_no_byte() -> None:
    X, y = mixture(n_classes=5)
    for loss in ("hinge", "squared_hinge"):
        models = [svc(probability=True, loss=loss, n_jobs=n).fit(X, y) for n in (1, 2, 3, 7)]
        assert len({model._model.to_bytes() for model in models}) == 1
    one_by_one = np.vstack([models[0].decision_function(row.reshape(1, -1)) for row in X])
    assert (one_by_one == models[0].decision_function(X)).all()


@pytest.mark.parametrize(
    "parameters",
    [
        {"probability": True, "class_weight": {"ant": 2.0, "bee": 1.0, "cow": 1.0}},
        {"space": "lorentz", "fit_intercept": True, "loss": "hinge"},
        {"reference": [[0.1, 0.2], [0.0, 0.3], [0.2, -0.1]], "probability": True, "platt": "train"},
    ],
)
def test_files_and_pickles_keep_the_model(tmp_path: Path, parameters: dict[str, Any]) -> None:
    X, y = mixture()
    names = np.array(["ant", "bee", "cow"])
    given = {**parameters, "C": 2.0}
    if "reference" in given:
        given["reference"] = np.array(given["reference"])
    model = svc(**given).fit(X, names[y])
    path = tmp_path / "model.bent"
    model.save(path)
    for kept in (bentwood.load(path), PoincareSVC.load(path), pickle.loads(pickle.dumps(model))):
        assert (kept.decision_function(X) == model.decision_function(X)).all()
        assert (kept.predict(X) == model.predict(X)).all()
        assert (kept.support_ == model.support_).all()
        assert (kept.n_iter_ == model.n_iter_).all()
        mine, theirs = model.get_params(), kept.get_params()
        references = mine.pop("reference"), theirs.pop("reference")
        assert theirs == {**mine, "n_jobs": -1}
        if "reference" in parameters:
            np.testing.assert_allclose(*references, rtol=1e-14)
        else:
            assert references == ("hull", "hull")
        again = kept.fit(X, names[y])
        np.testing.assert_allclose(again.coef_, model.coef_, rtol=1e-9)
    message = f"{path} holds a PoincareSVC, expected a HoroSVC; bentwood.load reads any"
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        HoroSVC.load(path)
    horospheres = tmp_path / "horo.bent"
    HoroSVC("H2", coordinates="poincare").fit(X, y).save(horospheres)
    with pytest.raises(ValueError, match=re.escape("holds a HoroSVC, expected a PoincareSVC")):
        PoincareSVC.load(horospheres)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0.0}, "C is 0.0, expected a number above 0"),
        ({"loss": "log"}, 'loss is \'log\', expected "squared_hinge" or "hinge"'),
        ({"space": "flat"}, 'space is \'flat\', expected "tangent" or "weighted" or "lorentz"'),
        (
            {"reference": "mean"},
            'reference is \'mean\', expected "hull" or "means" or "origin"',
        ),
        ({"platt": "test"}, 'platt is \'test\', expected "cross" or "train"'),
        ({"max_iter": 0}, "max_iter is 0, expected a whole number of at least 1"),
        ({"tol": np.nan}, "tol is nan, expected a number above 0"),
        ({"probability": "yes"}, "probability is 'yes', expected True or False"),
        ({"fit_intercept": 1}, "fit_intercept is 1, expected True or False"),
        (
            {"reference": np.zeros((2, 2))},
            "reference has 2 rows of 2 numbers, expected 3 of 2: one a class",
        ),
        (
            {"reference": np.zeros((3, 3))},
            "reference: points have 3 columns, but H2 in poincare coordinates has 2",
        ),
        (
            {"reference": None},
            'reference is None, expected "hull", "means", "origin" or points, one a class',
        ),
        (
            {"reference": np.zeros((3, 2)), "space": "lorentz"},
            'reference has points, which space="lorentz" does not use',
        ),
        (
            {"signature": "H1 x H1"},
            'reference is "hull", which needs one hyperbolic or Euclidean factor, and the '
            'signature is (H1)^2; choose "means" or "origin"',
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
        ValueError, match=r"^row 3: the weight is -1, expected a finite number >= 0$"
    ):
        svc().fit(X, y, sample_weight=np.where(np.arange(300) == 3, -1.0, 1.0))
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'"):
        svc().fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match=r"^the model was fitted with probability=False; fit it"):
        svc().fit(X, y).set_params(probability=True).predict_proba(X)
    with pytest.raises(ValueError, match=r"^reference: row 0: outside the Poincare ball of H2"):
        svc(reference=np.full((3, 2), 2.0)).fit(X, y)
    with pytest.warns(ConvergenceWarning, match=r"^3 of 3 boundaries were still improving after"):
        svc(loss="hinge", max_iter=1, tol=1e-12, C=100).fit(X, y)
    with pytest.warns(UserWarning, match=r"^1 of 300 rows were off H2"):
        model = svc(off_manifold="project").fit(
            np.where(np.arange(600).reshape(300, 2) == 0, 2.0, X), y
        )
    assert model.n_projected_ == 1


# Chien et al., ICDM 2021, on the authors' own data with the reference points that they used.
@pytest.mark.parametrize(
    ("name", "shipped", "learned", "lorentz"),
    [("olsson", 89.77, 88.63, 86.36), ("cifar10", 91.84, 91.81, 91.91)],
)
def test_published_accuracies(name: str, shipped: float, learned: float, lorentz: float) -> None:
    folder = os.environ.get("BENTWOOD_DATA")
    if not folder:
        pytest.skip("BENTWOOD_DATA is not set")
    data = np.load(Path(folder) / "poincare_linear" / f"{name}.npz")
    settings: dict[str, Any] = {
        "C": 5,
        "probability": True,
        "platt": "train",
        "fit_intercept": False,
    }

    def accuracy(**parameters: Any) -> float:
        model = svc(**{**settings, **parameters}).fit(data["X_train"], data["y_train"])
        return 100 * float(model.score(data["X_test"], data["y_test"]))

    assert round(accuracy(reference=data["reference_points"]), 2) == shipped
    assert accuracy(reference="hull") >= learned
    assert accuracy(space="lorentz", fit_intercept=True) >= lorentz - 0.005


FIT_FOR_A_MINUTE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from bentwood import PoincareSVC
from bentwood.datasets import make_mixture
X, y = make_mixture(300_000, "H8", n_classes=5, label_noise=0.3, random_state=0)
model = PoincareSVC("H8", coordinates="ambient", reference="origin", loss="hinge", C=1e4,
                    tol=1e-14, n_jobs={n_jobs})
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
