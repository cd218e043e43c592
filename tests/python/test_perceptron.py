"""The Poincaré perceptrons as estimators."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import bentwood
from bentwood import PoincarePerceptron, PoincareSecondOrderPerceptron, PoincareSVC
from bentwood.datasets import Separable, make_mixture, make_separable
from bentwood.geometry import Manifold
from interrupting import assert_ctrl_c_is_heard

Array = npt.NDArray[Any]
BOTH = [PoincarePerceptron, PoincareSecondOrderPerceptron]
# Classes of a mixture overlap.
overlapping = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


# Some checks use points at distance 100, which tangent coordinates hold only roughly.
@overlapping
@pytest.mark.filterwarnings("ignore::bentwood.geometry.PrecisionWarning")
@parametrize_with_checks(
    [
        PoincarePerceptron(),
        PoincarePerceptron(reference="hull", average=True, shuffle=False, max_iter=50),
        PoincareSecondOrderPerceptron(),
        PoincareSecondOrderPerceptron(reference="origin", regularization=0, max_updates=100),
    ]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def separable(signature: str = "H3", margin: float = 0.05, **options: Any) -> Separable:
    return make_separable(
        400, signature, margin=margin, coordinates="poincare", random_state=1, **options
    )


def mixture(n_classes: int = 3) -> tuple[Array, Array]:
    return make_mixture(300, "H2", coordinates="poincare", n_classes=n_classes, random_state=0)


def moebius_sum(a: Array, b: Array) -> Array:
    """Moebius addition as it is defined."""
    ab, aa, bb = a @ b, a @ a, b @ b
    return ((1 + 2 * ab + bb) * a + (1 - aa) * b) / (1 + 2 * ab + aa * bb)


def weighted(X: Array, p: Array) -> Array:
    """The vectors eta v of Chien et al., by way of logarithm and weight."""
    sigma = 2 / (1 - p @ p)
    rows = []
    for x in X:
        m = moebius_sum(-p, x)
        v = 2 / sigma * np.arctanh(np.linalg.norm(m)) * m / np.linalg.norm(m)
        t = np.tanh(sigma * np.linalg.norm(v) / 2)
        rows.append(2 * t / (1 - t**2) / np.linalg.norm(v) * v)
    return np.array(rows)


def first_order(Z: Array, signs: Array) -> list[Array]:
    """w after every update, in passes until there is no mistake."""
    w = np.zeros(Z.shape[1])
    seen: list[Array] = []
    while True:
        before = len(seen)
        for z, sign in zip(Z, signs, strict=True):
            if sign * (w @ z) <= 0:
                w = w + sign * z
                seen.append(w)
        if len(seen) == before:
            return seen


def second_order(Z: Array, signs: Array, a: float) -> list[Array]:
    """The same of the second order, with the row that is guessed among the columns of S."""
    S, xi = np.zeros((Z.shape[1], 0)), np.zeros(Z.shape[1])
    seen: list[Array] = []
    while True:
        before = len(seen)
        for z, sign in zip(Z, signs, strict=True):
            own = np.column_stack([S, z])
            score = z @ np.linalg.pinv(a * np.eye(len(z)) + own @ own.T) @ xi
            if sign * score <= 1e-12:
                S, xi = own, xi + sign * z
                seen.append(np.linalg.pinv(a * np.eye(len(z)) + S @ S.T) @ xi)
        if len(seen) == before:
            return seen


@pytest.mark.parametrize("a", [None, 1.0, 0.1, 0.0])
@pytest.mark.parametrize("offset", [0.0, 0.2, 0.6])
def test_every_update_is_that_of_the_definition(a: float | None, offset: float) -> None:
    data = separable(offset=offset, radius=0.9)
    signs = 2 * data.y - 1
    Z = weighted(data.X, data.reference[0])
    expected = first_order(Z, signs) if a is None else second_order(Z, signs, a)
    kind: Any = PoincarePerceptron if a is None else PoincareSecondOrderPerceptron
    settings: dict[str, Any] = {} if a is None else {"regularization": a}
    model = kind("H3", coordinates="poincare", reference=data.reference, shuffle=False, **settings)
    model.fit(data.X, data.y)
    assert model.n_updates_[0] == len(expected) > 5
    for n_updates in range(1, len(expected)):
        part = clone(model).set_params(max_updates=n_updates)
        with pytest.warns(ConvergenceWarning):
            part.fit(data.X, data.y)
        w = expected[n_updates - 1]
        np.testing.assert_allclose(part.coef_[0], w / np.linalg.norm(w), atol=1e-8)
        assert part.n_updates_[0] == n_updates


def test_the_average_is_that_of_all_visits() -> None:
    data = separable(margin=0.3)
    Z, signs = weighted(data.X, data.reference[0]), 2 * data.y - 1
    model = PoincarePerceptron(
        "H3", coordinates="poincare", reference=data.reference, shuffle=False, average=True
    ).fit(data.X, data.y)
    w, total = np.zeros(3), np.zeros(3)
    for _ in range(model.n_iter_[0]):
        for z, sign in zip(Z, signs, strict=True):
            w = w + sign * z if sign * (w @ z) <= 0 else w
            total += w
    np.testing.assert_allclose(model.coef_[0], total / np.linalg.norm(total), rtol=1e-9)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("signature", ["H2", "H3(-0.25)", "H10(-2)"])
def test_what_can_be_separated_is_separated_within_the_bound(kind: Any, signature: str) -> None:
    data = separable(signature, margin=0.02)
    model = kind(
        signature, coordinates="poincare", reference=data.reference, max_iter=10_000, random_state=0
    )
    model.fit(data.X, data.y)
    assert model.score(data.X, data.y) == 1
    assert model.margin_[0] > 0
    assert model.n_updates_[0] <= model.bound_[0] < np.inf


def test_the_bound_is_that_of_theorem_3_1() -> None:
    data = separable("H4", margin=0.1, offset=0.6)
    model = PoincarePerceptron("H4", coordinates="poincare", reference=data.reference)
    model.fit(data.X, data.y)
    p, R = np.linalg.norm(data.reference), np.linalg.norm(data.X, axis=1).max()
    R_p = (p + R) / (1 + p * R)
    expected = (2 * R_p / ((1 - R_p**2) * np.sinh(model.margin_[0]))) ** 2
    assert model.bound_[0] == pytest.approx(expected, rel=1e-9)


def test_the_second_order_makes_far_fewer_mistakes() -> None:
    data = make_separable(2000, "H10", margin=0.01, coordinates="poincare", random_state=0)
    settings: dict[str, Any] = {
        "coordinates": "poincare", "reference": data.reference, "max_iter": 100_000,
        "random_state": 0,
    }  # fmt: skip
    first = PoincarePerceptron(**settings).fit(data.X, data.y)
    for a in (1.0, 0.0):
        second = PoincareSecondOrderPerceptron(**settings, regularization=a).fit(data.X, data.y)
        assert second.score(data.X, data.y) == 1
        assert second.n_updates_[0] < first.n_updates_[0] / 4


@pytest.mark.parametrize("kind", BOTH)
def test_all_coordinates_give_the_same_model(kind: Any) -> None:
    data = separable("H3", margin=0.2)
    settings = {"reference": "hull", "random_state": 0}
    expected = kind("H3", coordinates="poincare", **settings).fit(data.X, data.y)
    for coordinates in ("ambient", "klein", "tangent"):
        points = Manifold("H3", "poincare").convert(data.X, "poincare", coordinates)
        model = kind(coordinates=coordinates, **settings).fit(points, data.y)
        assert model.signature_ == "H3"
        assert model.n_updates_[0] == expected.n_updates_[0]
        np.testing.assert_allclose(model.coef_, expected.coef_, atol=1e-5)


# The logarithm and the exponential map of the Poincaré ball by way of Moebius addition.
def test_logarithms_and_exponentials_are_those_of_moebius_addition() -> None:
    generator = np.random.default_rng(0)
    disk = Manifold("H3", "poincare")
    X = generator.normal(size=(30, 3))
    X *= (generator.uniform(0.05, 1 - 1e-6, 30) / np.linalg.norm(X, axis=1))[:, None]
    P, Y = X[:15], X[15:]
    logs = disk.log(P, Y)
    exps = disk.exp(P, logs)
    with mp.workdps(60):
        for p, y, log, back in zip(P, Y, logs, exps, strict=True):
            a, x = mp.matrix(p.tolist()), mp.matrix(y.tolist())

            def plus(a: Any, b: Any) -> Any:
                ab, aa, bb = (a.T * b)[0], (a.T * a)[0], (b.T * b)[0]
                return ((1 + 2 * ab + bb) * a + (1 - aa) * b) / (1 + 2 * ab + aa * bb)

            sigma = 2 / (1 - (a.T * a)[0])
            m = plus(-a, x)
            expected = 2 / sigma * mp.atanh(mp.norm(m)) * m / mp.norm(m)
            assert mp.norm(mp.matrix(log.tolist()) - expected) < 1e-13 * mp.norm(expected)
            v = mp.matrix(log.tolist())
            there = plus(a, mp.tanh(sigma * mp.norm(v) / 2) * v / mp.norm(v))
            assert mp.norm(mp.matrix(back.tolist()) - there) < 1e-13


@overlapping
@pytest.mark.parametrize("kind", BOTH)
def test_number_of_threads_changes_no_byte(kind: Any) -> None:
    X, y = mixture(5)
    models = [
        kind("H2", coordinates="poincare", random_state=0, max_iter=50, n_jobs=n).fit(X, y)
        for n in (1, 2, 3, 7)
    ]
    assert len({model._model.to_bytes() for model in models}) == 1
    one_by_one = np.vstack([models[0].decision_function(row.reshape(1, -1)) for row in X])
    assert (one_by_one == models[0].decision_function(X)).all()


@overlapping
@pytest.mark.parametrize("kind", BOTH)
def test_averages_beat_chance_on_classes_that_overlap(kind: Any) -> None:
    X, y = make_mixture(800, "H2", coordinates="poincare", n_classes=4, random_state=2)
    model = kind("H2", coordinates="poincare", average=True, random_state=0, max_iter=100)
    model.fit(X[:400], y[:400])
    with pytest.raises(AttributeError, match=r'^only models with reference="hull" know which'):
        _ = model.overlapping_
    shares = np.bincount(y[:400]) / 400
    assert model.score(X[400:], y[400:]) > shares.max() + 0.1
    assert (model.bound_[model.margin_ <= 0] == np.inf).all()
    assert (model.n_updates_ > 0).all()
    assert clone(model).set_params(reference="hull").fit(X, y).overlapping_.any()


@overlapping
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("kind", BOTH)
def test_batches_are_one_pass_over_all_rows(kind: Any, average: bool, tmp_path: Path) -> None:
    X, y = mixture()
    names = np.array(["ant", "bee", "cow"])[y]
    settings: dict[str, Any] = {
        "signature": "H2", "coordinates": "poincare", "average": average, "random_state": 0,
    }  # fmt: skip
    whole = kind(**settings, max_iter=1, shuffle=False, reference="origin").fit(X, names)
    model = kind(**settings, reference="origin")
    path = tmp_path / "model.bent"
    for begin in range(0, 300, 60):
        rows = slice(begin, begin + 60)
        model.partial_fit(X[rows], names[rows], classes=["cow", "ant", "bee"])
        model.save(path)
        model = pickle.loads(pickle.dumps(kind.load(path)))
    assert (model.coef_ == whole.coef_).all()
    assert (model.n_updates_ == whole.n_updates_).all()
    assert (model.n_iter_ == 5).all()
    assert model.classes_.tolist() == ["ant", "bee", "cow"]
    with pytest.raises(AttributeError, match=r"^bound_ is of fit: partial_fit does not know"):
        _ = model.bound_
    # What fit began goes on, too.
    more = int(whole.n_updates_.sum())
    whole.partial_fit(X, names)
    assert whole.n_updates_.sum() > more


def test_the_first_batch_decides_the_reference_points() -> None:
    data = separable("H2", margin=0.3)
    model = PoincarePerceptron("H2", coordinates="poincare", reference="means")
    model.partial_fit(data.X[:50], data.y[:50], classes=[0, 1])
    found = model.reference_points_
    assert (found != 0).all()
    model.partial_fit(data.X[50:], data.y[50:])
    assert (model.reference_points_ == found).all()


@overlapping
@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (PoincarePerceptron, {"average": True, "max_iter": 30}),
        (PoincarePerceptron, {"reference": [[0.1, 0.2], [0.0, 0.3], [0.2, -0.1]]}),
        (PoincareSecondOrderPerceptron, {"regularization": 0.0, "max_updates": 40}),
        (PoincareSecondOrderPerceptron, {"regularization": 3.0, "shuffle": False}),
    ],
)
def test_files_and_pickles_keep_the_model(
    tmp_path: Path, kind: Any, parameters: dict[str, Any]
) -> None:
    X, y = mixture()
    if "reference" in parameters:
        parameters = {**parameters, "reference": np.array(parameters["reference"])}
    model = kind("H2", coordinates="poincare", random_state=3, **{"max_iter": 20, **parameters})
    model.fit(X, y)
    path = tmp_path / "model.bent"
    model.save(path)
    for kept in (bentwood.load(path), kind.load(path), pickle.loads(pickle.dumps(model))):
        assert type(kept) is kind
        assert (kept.decision_function(X) == model.decision_function(X)).all()
        assert (kept.predict(X) == model.predict(X)).all()
        for name in ("n_updates_", "margin_", "bound_", "n_iter_", "coef_", "classes_"):
            assert (getattr(kept, name) == getattr(model, name)).all()
        mine, theirs = model.get_params(), kept.get_params()
        references = mine.pop("reference"), theirs.pop("reference")
        assert theirs == {**mine, "n_jobs": -1}
        if "reference" in parameters:
            np.testing.assert_allclose(*references, rtol=1e-14)
        else:
            assert references == ("means", "means")
        np.testing.assert_allclose(kept.fit(X, y).coef_, model.coef_, rtol=1e-9)
    other = PoincareSVC if kind is PoincarePerceptron else PoincarePerceptron
    message = f"{path} holds a {kind.__name__}, expected a {other.__name__}; bentwood.load reads"
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        other.load(path)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"average": 1}, "average is 1, expected True or False"),
        ({"shuffle": None}, "shuffle is None, expected True or False"),
        ({"max_iter": 0}, "max_iter is 0, expected a whole number of at least 1"),
        (
            {"max_updates": 0},
            "max_updates is 0, expected a whole number of at least 1, or None",
        ),
        (
            {"regularization": -1.0},
            "regularization is -1.0, expected a number of at least 0",
        ),
        (
            {"reference": "mean"},
            'reference is \'mean\', expected "hull" or "means" or "origin"',
        ),
        (
            {"reference": np.zeros((2, 2))},
            "reference has 2 rows of 2 numbers, expected 3 of 2: one a class",
        ),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], message: str) -> None:
    X, y = mixture()
    model = PoincareSecondOrderPerceptron("H2", coordinates="poincare").set_params(**parameters)
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        model.fit(X, y)


def test_wrong_data_are_named() -> None:
    X, y = mixture()
    model = PoincarePerceptron("H2", coordinates="poincare", reference="origin")
    with pytest.raises(ValueError, match=r"^y has one class, 7, expected at least two classes$"):
        model.fit(X, np.full(300, 7))
    with pytest.raises(ValueError, match=r"^classes is None, expected all classes at the first"):
        model.partial_fit(X, y)
    with pytest.raises(ValueError, match=r"^classes has one class, 0, expected at least two$"):
        model.partial_fit(X, y, classes=[0])
    with pytest.raises(ValueError, match=r"^row \d+ of y is 2, which is none of the classes$"):
        model.partial_fit(X, y, classes=[0, 1])
    assert not hasattr(model, "classes_")
    model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match=r"^classes are other than those of the first"):
        model.partial_fit(X, y, classes=[0, 1, 3])
    with pytest.raises(ValueError, match=r"^the model is on H2 in poincare coordinates, the rows"):
        model.set_params(coordinates="klein").partial_fit(X, y)
    second = PoincareSecondOrderPerceptron("H2", coordinates="poincare", reference="origin")
    second.partial_fit(X, y, classes=[0, 1, 2]).set_params(regularization=2.0)
    with pytest.raises(ValueError, match=r"^regularization is 2, but the model has learned with 1"):
        second.partial_fit(X, y)
    with pytest.warns(ConvergenceWarning, match=r"^3 of 3 boundaries still made mistakes after"):
        PoincarePerceptron("H2", coordinates="poincare", max_iter=2).fit(X, y)


FIT_FOR_A_MINUTE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from bentwood import {kind}
from bentwood.datasets import make_mixture
X, y = make_mixture(100_000, "H{dim}", n_classes={n_classes}, label_noise=0.3, random_state=0)
model = {kind}("H{dim}", coordinates="ambient", reference="origin", max_iter=10**9, n_jobs={n_jobs})
print("fitting", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("fitted" if hasattr(model, "classes_") else "interrupted", flush=True)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("kind", "dim"), [("PoincarePerceptron", 8), ("PoincareSecondOrderPerceptron", 100)]
)
def test_ctrl_c_stops_a_fit_and_leaves_nothing_half_fitted(
    kind: str, dim: int, n_jobs: int
) -> None:
    code = FIT_FOR_A_MINUTE.format(kind=kind, dim=dim, n_classes=1 + n_jobs, n_jobs=n_jobs)
    assert_ctrl_c_is_heard(code)


def test_the_first_batch_needs_every_class_to_find_reference_points() -> None:
    X, y = make_mixture(60, "H2", coordinates="poincare", n_classes=2, random_state=0)
    first = y == 0
    model = PoincarePerceptron("H2", coordinates="poincare")
    with pytest.raises(ValueError, match="the first batch has no row of class 1, and reference"):
        model.partial_fit(X[first], y[first], classes=[0, 1])
    model.set_params(reference="origin").partial_fit(X[first], y[first], classes=[0, 1])


@pytest.mark.parametrize("classes", [[], [[0, 1]], [0, 1, None], [0.0, 1.0, np.nan]])
def test_wrong_classes_are_named(classes: Any) -> None:
    X, y = make_mixture(60, "H2", coordinates="poincare", n_classes=2, random_state=0)
    with pytest.raises(ValueError, match="expected a list of all classes, none of them missing"):
        PoincarePerceptron("H2", coordinates="poincare").partial_fit(X, y, classes=classes)
