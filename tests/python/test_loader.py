"""Files say of their estimator what its table allows, and nothing else is believed."""

from __future__ import annotations

import json
import pickle
import tracemalloc
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import bentwood
import model_fuzz
from bentwood import (
    GeodesicForest,
    HoroForestClassifier,
    HoroSVC,
    ManifoldForestClassifier,
    ManifoldForestRegressor,
    ManifoldTreeClassifier,
    PoincarePerceptron,
    PoincareSVC,
    _core,
)
from bentwood._file_parameters import TABLES
from bentwood.datasets import make_mixture
from sealed_files import SealedFile

OLD = sorted((Path(__file__).resolve().parents[1] / "golden" / "estimators").glob("*.bent"))
X, Y = make_mixture(60, "H2", n_classes=3, random_state=0)


def file_of(model: Any) -> SealedFile:
    return SealedFile(model._model.to_bytes())


@pytest.fixture
def refuse(tmp_path: Path, native: ModuleType) -> Any:
    """Return a function that loads a file by every way, and returns the one message of all."""

    def message(file: SealedFile, estimator: Any) -> str:
        content = file.bytes(native)
        path = tmp_path / "m.bent"
        path.write_bytes(content)
        messages = []
        for load in (bentwood.load, type(estimator).load):
            with pytest.raises(ValueError) as raised:
                load(path)
            messages.append(str(raised.value).removeprefix(f"{path}: "))
        with pytest.raises(ValueError) as raised:
            from_state(estimator, content)
        messages.append(str(raised.value).removeprefix("pickle: "))
        assert len(set(messages)) == 1, messages
        return messages[0]

    return message


def from_state(estimator: Any, content: bytes) -> Any:
    """Return what a pickle of the estimator with other bytes of its model would give."""
    model = type(estimator._model).__new__(type(estimator._model))
    model.__setstate__(content)
    result = type(estimator).__new__(type(estimator))
    result.__setstate__({**estimator.__dict__, "_model": model})
    return result


def loaded(file: SealedFile, native: ModuleType, folder: Path) -> Any:
    path = folder / "m.bent"
    path.write_bytes(file.bytes(native))
    return bentwood.load(path)


FOREST = ManifoldForestClassifier("H2", n_estimators=2, max_depth=3, random_state=0).fit(X, Y)

WRONG = {
    "max_depth": [
        ("deep", "max_depth is 'deep', expected a whole number of at least 1, or None"),
        (0, "max_depth is 0, expected a whole number of at least 1, or None"),
        (2.5, "max_depth is 2.5, expected a whole number of at least 1, or None"),
        ([3], "max_depth is [3], expected a single value"),
    ],
    "seed": [
        (-1, "seed is -1, expected a whole number from 0 to 2**64 - 1"),
        ("0", "seed is '0', expected a whole number from 0 to 2**64 - 1"),
        (None, "seed is None, expected a whole number from 0 to 2**64 - 1"),
    ],
    "class_weight": [
        ([1], "class_weight has 1, expected pairs of class, weight"),
        ([[[0], 1]], "class_weight has [0], expected a class"),
        ([[0, -1]], "class_weight of class 0 is -1, expected a number of at least 0"),
        ([[0, "1"]], "class_weight of class 0 is '1', expected a number of at least 0"),
        ("heavy", 'class_weight is \'heavy\', expected "balanced" or "balanced_subsample"'),
        (3, 'class_weight is 3, expected "balanced" or "balanced_subsample"'),
        ({"0": 1}, 'class_weight is {"0":1}, expected a single value'),
    ],
    "class_dtype": [
        (
            "int8,(10000,10000)f8",
            "class_dtype is 'int8,(10000,10000)f8', expected the type of whole numbers, reals, "
            "truth values or text",
        ),
        (5, "class_dtype is 5, expected text"),
        ("V8", "class_dtype is 'V8', expected the type of whole numbers, reals, truth values or "
               "text"),
    ],
    "n_estimators": [
        (0, "n_estimators is 0, expected a whole number of at least 1"),
        (True, "n_estimators is True, expected a whole number of at least 1"),
    ],
    "bootstrap": [(1, "bootstrap is 1, expected True or False")],
    "max_samples": [
        (0.0, "max_samples is 0.0, expected a number above 0 and at most 1, or None"),
        ("all", "max_samples is 'all', expected a whole number of at least 1"),
    ],
    "criterion": [
        ("squared_error", 'criterion is \'squared_error\', expected "gini" or "entropy" or '
                          '"log_loss"'),
    ],
    "signature": [(7, "signature is 7, expected text or None")],
    "out_of_bag_score": [("good", "out_of_bag_score is 'good', expected a finite number")],
    "n_projected": [(-1, "n_projected is -1, expected a whole number of at least 0")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [(name, value, message) for name, cases in WRONG.items() for value, message in cases],
)
def test_parameters_of_another_type_or_range_are_refused(
    refuse: Any, name: str, value: Any, message: str
) -> None:
    assert refuse(file_of(FOREST).set_parameters(**{name: value}), FOREST) == f"parameter {message}"


def test_lists_of_boundaries_have_as_many_values_as_boundaries(refuse: Any) -> None:
    model = PoincarePerceptron("H2", coordinates="ambient", reference="hull", max_iter=2)
    with pytest.warns(UserWarning, match="boundaries still made mistakes"):
        model.fit(X, Y)
    file = file_of(model)
    for value, problem in [
        ([1, 2], "n_updates is [1,2], expected 3 values, one per boundary"),
        ([[1], 2, 3], "n_updates is [[1],2,3], expected 3 values, one per boundary"),
        ("many", 'n_updates is "many", expected 3 values, one per boundary'),
        ([1, 2, -3], "n_updates is -3, expected a count"),
        ([1, 2, "3"], "n_updates is '3', expected a finite number"),
    ]:
        assert refuse(file.set_parameters(n_updates=value), model) == f"parameter {problem}"
    message = "parameter overlapping is 0, expected True or False"
    assert refuse(file.set_parameters(overlapping=[True, 0, False]), model) == message
    message = 'parameter reference is \'pole\', expected "hull" or "means" or "origin"'
    assert refuse(file.set_parameters(reference="pole"), model) == message


def test_the_estimator_does_not_contradict_the_model(refuse: Any) -> None:
    file = file_of(FOREST).set_metadata(estimator="ManifoldForestRegressor")
    assert refuse(file, FOREST) == (
        "the estimator is ManifoldForestRegressor, expected a forest that regresses, but the model "
        "is a forest that classifies"
    )


class MyForest(ManifoldForestRegressor):
    """A subclass that the library does not know."""

    def __init__(self, signature: Any = None, *, extra: Any = 1, n_jobs: Any = None) -> None:
        super().__init__(signature, n_jobs=n_jobs)
        self.extra = extra


def test_subclasses_keep_their_own_parameters_and_refuse_other_tasks(
    tmp_path: Path, native: ModuleType
) -> None:
    path = tmp_path / "m.bent"
    MyForest("H2", extra=[1, 2]).fit(X, X[:, 1]).save(path)
    assert MyForest.load(path).extra == (1, 2)
    path.write_bytes(file_of(FOREST).set_metadata(estimator="MyForest").bytes(native))
    with pytest.raises(ValueError, match=r"holds a MyForest, expected a MyForest; bentwood.load"):
        MyForest.load(path)
    model = MyForest("H2").fit(X, X[:, 1])
    with pytest.raises(ValueError, match=r"^pickle: the model is none of a MyForest$"):
        from_state(model, path.read_bytes())


def test_nothing_comes_from_a_file_that_does_not_shape_the_model(
    tmp_path: Path, native: ModuleType
) -> None:
    strange = {"n_jobs": 5000, "verbose": 9, "warm_start": True, "oob_score": True, "hat": "red"}
    for model in (FOREST, HoroSVC("H2", coordinates="ambient").fit(X, Y)):
        back = loaded(file_of(model).set_parameters(**strange), native, tmp_path)
        assert back.n_jobs == -1
        assert not hasattr(back, "hat")
        for name in ("verbose", "warm_start", "oob_score"):
            assert not getattr(back, name, False)


@pytest.mark.parametrize(
    ("labels", "dtype", "message"),
    [
        ([0, 1, 300], "int8", "class_dtype is int8, which does not hold whole numbers such as 300"),
        ([-1, 0, 1], "uint16", "class_dtype is uint16, which does not hold whole numbers such as"),
        ([0, 1, 2], "bool", "class_dtype is bool, which does not hold whole numbers such as 2"),
        ([0, 1, 2], "float64", "class_dtype is float64, which does not hold whole numbers such as"),
        ([0, 1, 2], "object", "class_dtype is object, which does not hold whole numbers such as 2"),
        (
            [0.0, 1.0, 70000.0],
            "float16",
            "class_dtype is float16, which does not hold reals such as",
        ),
        ([0.0, 1.0, 2.0], "int64", "class_dtype is int64, which does not hold reals such as 2.0"),
        (["a", "b", "c"], "int64", "class_dtype is int64, but the classes are text"),
    ],
)
def test_the_type_of_classes_holds_them(
    tmp_path: Path, native: ModuleType, labels: Any, dtype: str, message: str
) -> None:
    model = clone(FOREST).fit(X, np.asarray(labels)[Y])
    path = tmp_path / "m.bent"
    path.write_bytes(file_of(model).set_parameters(class_dtype=dtype).bytes(native))
    with pytest.raises(ValueError) as raised:
        bentwood.load(path)
    assert str(raised.value).startswith(f"{path}: parameter {message}")


def test_classes_of_every_type_come_back(tmp_path: Path) -> None:
    path = tmp_path / "m.bent"
    for labels in (
        np.array([False, True]),
        np.array([3, 200], np.uint8),
        np.array([-5, 7], np.int16),
        np.array([0, 2**62], np.uint64),
        np.array([1.0, 2.0], np.float32),
        np.array(["a", "ß"]),
        np.array(["a", "ß"], dtype=object),
    ):
        clone(FOREST).fit(X, labels[Y % 2]).save(path)
        back = bentwood.load(path)
        assert back.classes_.dtype == labels.dtype
        assert back.classes_.tolist() == labels.tolist()


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_files_of_older_versions_load_as_before(path: Path) -> None:
    model = bentwood.load(path)
    truth = np.load(path.with_suffix(".npz"))
    points = truth["points"]
    if hasattr(model, "feature_names_in_"):
        points = pd.DataFrame(points, columns=model.feature_names_in_)
    if isinstance(model, GeodesicForest):
        distances, found = model.kneighbors(points, 5)
        assert np.array_equal(found, truth["predictions"])
        np.testing.assert_array_equal(distances, truth["numbers"])
    else:
        assert np.array_equal(model.predict(points).astype(str), truth["predictions"].astype(str))
    if "numbers" in truth and hasattr(model, "predict"):
        ask = getattr(model, "predict_proba", None) or model.decision_function
        np.testing.assert_array_equal(ask(points), truth["numbers"])
    if model.off_manifold == "project":
        with pytest.raises(AttributeError, match="has no attribute 'n_projected_'"):
            _ = model.n_projected_
    else:
        assert model.n_projected_ == 0
    assert not hasattr(model, "oob_score_")


def test_old_files_keep_their_parameters() -> None:
    old = {path.stem: bentwood.load(path) for path in OLD}
    forest = old["forest_classifier"]
    assert forest.class_weight == {"ant": 1, "bee": 2.5, "cow": 1}
    assert (forest.max_depth, forest.max_samples, forest.n_jobs) == (3, 0.8, -1)
    assert old["forest_of_reals"].class_weight == {0.0: 1, 1.0: 1, 2.0: 3}
    assert old["forest_of_reals"].splits == ("geodesic", "pairs")
    assert old["tree_of_truths"].classes_.tolist() == [False, True]
    assert old["tree_of_small_numbers"].classes_.dtype == np.int8
    assert old["tree_of_small_numbers"].signature is None
    assert old["poincare_svc"].random_state == 2**63 + 5
    assert old["perceptron"].overlapping_.shape == old["perceptron"].n_updates_.shape == (3,)
    assert old["geodesic_forest"].max_samples == 30
    assert len(OLD) == len(TABLES)


def test_scores_and_projections_are_kept_in_files(tmp_path: Path) -> None:
    path = tmp_path / "m.bent"
    settings: dict[str, Any] = {"n_estimators": 20, "oob_score": True, "random_state": 0}
    for model in (
        ManifoldForestClassifier("H2", **settings).fit(X, Y),
        HoroForestClassifier("H2", coordinates="ambient", **settings).fit(X, Y),
        ManifoldForestRegressor("H2", **settings).fit(X, X[:, 1:]),
    ):
        model.save(path)
        back = bentwood.load(path)
        assert back.oob_score_ == model.oob_score_
        assert pickle.loads(pickle.dumps(back)).oob_score_ == model.oob_score_
        (lost,) = {"oob_decision_function_", "oob_prediction_"} & vars(model).keys()
        with pytest.raises(AttributeError) as raised:
            getattr(back, lost)
        assert str(raised.value) == (
            f"'{type(model).__name__}' object has no attribute '{lost}': it is of fit with "
            "oob_score=True, and kept in pickles but not in model files"
        )
        kept = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(getattr(kept, lost), getattr(model, lost))
        model.set_params(oob_score=False).fit(X, Y)
        model.save(path)
        assert not hasattr(bentwood.load(path), "oob_score_")


def test_a_score_that_is_none_comes_back_as_such(tmp_path: Path) -> None:
    path = tmp_path / "m.bent"
    model = ManifoldForestRegressor("H2", n_estimators=2, oob_score=lambda truth, found: np.nan)
    with pytest.warns(UserWarning, match="were drawn by every tree"):
        model.fit(X, X[:, 1]).save(path)
    assert np.isnan(bentwood.load(path).oob_score_)


@pytest.mark.parametrize(
    "model",
    [
        ManifoldTreeClassifier("H2", off_manifold="project"),
        ManifoldForestRegressor("H2", n_estimators=2, off_manifold="project"),
        HoroSVC("H2", coordinates="ambient", off_manifold="project"),
        PoincareSVC("H2", coordinates="ambient", off_manifold="project"),
        PoincarePerceptron("H2", coordinates="ambient", off_manifold="project", average=True),
        GeodesicForest(2, signature="H2", off_manifold="project"),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_projected_rows_are_counted_in_files(tmp_path: Path, model: Any) -> None:
    path = tmp_path / "m.bent"
    off = X.copy()
    off[:2, 0] += 1
    with pytest.warns(UserWarning, match=r"^2 of 60 rows were off H2"):
        model.fit(off, Y)
    model.save(path)
    assert bentwood.load(path).n_projected_ == model.n_projected_ == 2
    model.fit(X, Y).save(path)
    assert bentwood.load(path).n_projected_ == 0
    # Where no row can have been projected, the file has nothing to tell.
    plain = clone(model).set_params(off_manifold="error").fit(X, Y)
    assert "n_projected" not in file_of(plain).parameters
    plain.save(path)
    assert bentwood.load(path).n_projected_ == 0


def most_taken(content: bytes, path: Path) -> float:
    """Return the most memory that Python holds while a file is read, over its size."""
    path.write_bytes(content)
    tracemalloc.start()
    try:
        bentwood.load(path)
    except ValueError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return max(0, peak - 2**20) / len(content)


def many_classes(labels: list[Any]) -> SealedFile:
    """Return a tree of one leaf that knows many classes."""
    tree = ManifoldTreeClassifier("E1").fit(np.zeros((2, 1)), labels[:2])
    file = file_of(tree).set_metadata(classes=json.dumps(labels))
    shares = np.zeros(len(labels))
    shares[0] = 1
    place = next(place for place, tensor in enumerate(file.tensors) if tensor[0] == "value")
    file.tensors[place] = "value", "F64", [1, len(labels)], shares.tobytes()
    return file


def test_python_takes_memory_in_proportion_to_the_file(tmp_path: Path, native: ModuleType) -> None:
    path = tmp_path / "m.bent"
    numbers = many_classes(list(range(30_000)))
    texts = many_classes([f"{n:05}" for n in range(30_000)])
    uneven = many_classes([*(f"{n:04}" for n in range(3000)), "x" * 100_000])
    pairs = [[n, 1] for n in range(30_000)]
    names = PoincareSVC("E500", space="lorentz", fit_intercept=False, max_iter=5)
    frame = pd.DataFrame(np.eye(500), columns=[str(n) for n in range(500)])
    for file in (
        numbers,
        texts,
        uneven,
        numbers.set_parameters(class_weight=pairs),
        file_of(FOREST).set_parameters(class_weight=pairs),
        file_of(FOREST).set_parameters(class_weight=[[0, 1]] * 100_000),
        file_of(FOREST).set_parameters(max_depth=[[]] * 100_000),
        file_of(FOREST).set_parameters(signature="H1 x " * 100_000),
        file_of(FOREST).set_parameters(hat=[[]] * 100_000),
        file_of(FOREST).set_parameters(class_dtype="(10000,10000)f8"),
        file_of(names.fit(frame, np.arange(500) % 2)),
    ):
        assert most_taken(file.bytes(native), path) <= 16
    path.write_bytes(uneven.bytes(native))
    assert bentwood.load(path).classes_.dtype == object


def test_models_of_another_kind_are_refused_in_pickles() -> None:
    svc = HoroSVC("H2", coordinates="ambient").fit(X, Y)
    broken = HoroSVC.__new__(HoroSVC)
    with pytest.raises(ValueError, match=r"^pickle: the model is none of a HoroSVC$"):
        broken.__setstate__({**svc.__dict__, "_model": FOREST._model})
    assert isinstance(pickle.loads(pickle.dumps(svc))._model, _core.Horospheres)


@pytest.mark.parametrize("kind", model_fuzz.ESTIMATORS)
def test_changed_files_are_refused_or_answer(kind: str, native: ModuleType, tmp_path: Path) -> None:
    assert model_fuzz.fuzz(kind, 300, native, tmp_path).startswith(kind)
