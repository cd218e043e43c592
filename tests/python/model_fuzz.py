"""Changes model files, seals them again, and loads them: what Python's half of the loader believes.

Every file is refused with a ValueError of one line, or predicts numbers that are finite, shares
that sum to 1 and classes that it has, without threads of the file's choosing; and none takes more
than 16 times its size of Python's memory, and `BESIDES` for what Python takes anyway.

    python tests/python/model_fuzz.py 100000    as many of every estimator, from files and pickles
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.base import clone

import bentwood
import bentwood._file_parameters
from bentwood.datasets import make_mixture
from bentwood.geometry import Manifold
from sealed_files import SealedFile, load_native

#: For messages, parsed numbers and caches, whatever the size of the file.
BESIDES = 2**16

X, Y = make_mixture(40, "H2", n_classes=3, random_state=0)
NAMES = np.array(["ant", "bee", "cow"])

AMBIENT: dict[str, Any] = {"coordinates": "ambient", "random_state": 0}
ESTIMATORS: dict[str, Callable[[], Any]] = {
    "ManifoldTreeClassifier": lambda: bentwood.ManifoldTreeClassifier(
        "H2", max_depth=3, class_weight={0: 1, 1: 2, 2: 1}
    ).fit(X, Y.astype(np.int8)),
    "ManifoldTreeRegressor": lambda: bentwood.ManifoldTreeRegressor("H2", max_depth=3).fit(X, X),
    "ManifoldForestClassifier": lambda: bentwood.ManifoldForestClassifier(
        "H2", n_estimators=3, max_depth=3, oob_score=True, class_weight="balanced"
    ).fit(X, NAMES[Y]),
    "ManifoldForestClassifier of many classes": lambda: bentwood.ManifoldForestClassifier(
        "H2", n_estimators=2, max_depth=3, random_state=0
    ).fit(np.tile(X, (7, 1)), np.arange(280)),
    "ManifoldForestRegressor": lambda: bentwood.ManifoldForestRegressor(
        "H2", n_estimators=3, max_depth=3, off_manifold="project"
    ).fit(X, X[:, 1]),
    "HoroTreeClassifier": lambda: bentwood.HoroTreeClassifier("H2", max_depth=3, **AMBIENT).fit(
        X, Y.astype(np.float32)
    ),
    "HoroForestClassifier": lambda: bentwood.HoroForestClassifier(
        "H2", n_estimators=2, max_depth=3, **AMBIENT
    ).fit(X, Y > 0),
    "HoroSVC": lambda: bentwood.HoroSVC("H2", probability=True, **AMBIENT).fit(X, NAMES[Y]),
    "PoincareSVC": lambda: bentwood.PoincareSVC("H2", probability=True, **AMBIENT).fit(X, Y),
    "PoincarePerceptron": lambda: bentwood.PoincarePerceptron(
        "H2", reference="hull", max_iter=20, **AMBIENT
    ).fit(X, Y),
    "PoincareSecondOrderPerceptron": lambda: bentwood.PoincareSecondOrderPerceptron(
        "H2", average=True, max_iter=20, **AMBIENT
    ).fit(X, Y > 0),
    "GeodesicForest": lambda: bentwood.GeodesicForest(3, signature="H2", random_state=0).fit(X),
}

#: What a parameter may be replaced by.
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 1.0, 0.5, -0.5, 1e308, 5e-324, 2**63, 2**64 - 1, 5000,
    "", "balanced", "sqrt", "log2", "gini", "squared_error", "hull", "tangent", "all", "x" * 200,
    "int8", "uint64", "bool", "float16", "float64", "object", "str96", "int8,(10000,10000)f8",
    "datetime64[s]", "V1000000", "<U100000000", [], {}, [1], [1, 2, 3], [True, False, True],
    [[0, 1]], [[0, 1], [1, 2], [2, 3]], [[0, -1]], [[[], 1]], [[0]], [None, None, None],
    ["a", "b"], {"a": 1}, {"n_jobs": 7}, [[1.0, 0.0, 0.0]] * 3, [[]] * 500, [0.1] * 500,
]  # fmt: skip
TEXTS = [
    "", "null", "0", "[]", "{}", "classification", "regression", "none", "forest", "linear",
    "horospheres", "neighbours", "integer", "real", "text", '["a","b","c"]', "[1,2,3]", "[0,1]",
    '["1","2","3"]', '["0.5","1e300"]', '["a","b","' + "c" * 500 + '"]', "error", "project", "E2",
    "E3", "H2", "S2", "H2(-4)", "ambient", "tangent", "poincare", *ESTIMATORS, "load", "__init__",
    "BaseEstimator", "Manifold", "tangent", "lorentz", '["x","y","z"]', '["geodesic"]',
]  # fmt: skip
#: Parameters of all estimators, and some of none.
PARAMETERS = sorted(
    {name for table in bentwood._file_parameters.TABLES.values() for name in table}
    | {"n_jobs", "verbose", "warm_start", "oob_score", "splits", "coordinates", "off_manifold"}
)


def require(condition: bool, problem: str) -> None:
    """Raise AssertionError unless a condition holds."""
    if not condition:
        raise AssertionError(problem)


def mutated(file: SealedFile, chance: random.Random) -> SealedFile:
    """Return a file with one to three things changed."""
    result = file.copy()
    for _ in range(chance.randint(1, 3)):
        kind = chance.random()
        if kind < 0.6:
            mutate_parameters(result, chance)
        elif kind < 0.9:
            name = chance.choice(sorted(result.metadata))
            result.metadata[name] = chance.choice(
                [*TEXTS, chance.choice([*file.metadata.values()])]
            )
        else:
            place = chance.randrange(len(result.tensors))
            name, dtype, shape, content = result.tensors[place]
            if content:
                at = chance.randrange(len(content))
                changed = content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
                result.tensors[place] = name, dtype, shape, changed
    return result


def mutate_parameters(file: SealedFile, chance: random.Random) -> None:
    """Change what the file says of its training."""
    try:
        parameters = file.parameters
    except json.JSONDecodeError:
        return
    if not isinstance(parameters, dict):
        return
    name = chance.choice([*parameters, chance.choice(PARAMETERS)])
    if chance.random() < 0.1:
        parameters.pop(name, None)
    else:
        parameters[name] = chance.choice(VALUES)
    file.metadata["parameters"] = json.dumps(parameters)


def from_file(content: bytes, estimator: Any, path: Path) -> Any:
    """Load what a file holds."""
    path.write_bytes(content)
    return bentwood.load(path)


def from_pickle(content: bytes, estimator: Any, path: Path) -> Any:
    """Load an estimator whose pickle has other bytes of its model."""
    model = type(estimator._model).__new__(type(estimator._model))
    model.__setstate__(content)
    result = type(estimator).__new__(type(estimator))
    result.__setstate__({**estimator.__dict__, "_model": model})
    return result


def points_for(model: Any) -> Any:
    """Return a few points of a model's manifold."""
    manifold = Manifold(model.signature_, model.coordinates)
    try:
        return manifold.random(4, 0.3, random_state=1)
    except ValueError:  # half a sphere, or a large curvature
        return Manifold(model.signature_, "tangent").convert(
            np.zeros((1, manifold.dim)), target=model.coordinates
        )


def check_answers(model: Any) -> None:
    """Raise AssertionError where a model says what is no answer."""
    assert model.n_jobs == type(model)().n_jobs
    clone(model)
    repr(model)
    points = points_for(model)
    if isinstance(model, bentwood.GeodesicForest):
        distances, rows = model.kneighbors(points, 3)
        assert ((distances >= 0) & (distances <= 1)).all()
        assert ((rows >= 0) & (rows < model.n_samples_fit_)).all()
        assert np.isfinite(model.feature_importances_).all()
        model.export_text()
        return
    predicted = model.predict(points)
    if hasattr(model, "classes_"):
        assert np.isin(predicted, model.classes_).all()
    else:
        assert np.isfinite(predicted).all()
    for name in ("predict_proba", "decision_function"):
        if hasattr(model, name):
            answer = getattr(model, name)(points)
            assert np.isfinite(answer).all()
            if name == "predict_proba":
                assert (answer >= 0).all()
                assert np.abs(answer.sum(axis=1) - 1).max() < 1.1e-8
    for name in ("feature_importances_", "coef_", "intercept_", "reference_points_"):
        if hasattr(model, name):
            assert np.isfinite(getattr(model, name)).all()
    for name in ("n_iter_", "support_", "n_updates_", "margin_", "overlapping_", "bound_"):
        getattr(model, name, None)
    if hasattr(model, "export_text"):
        model.export_text()
        model.apply(points)


def fuzz(kind: str, n_runs: int, native: ModuleType, folder: Path, seed: int = 0) -> str:
    """Try changed files of one estimator; return what was seen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = ESTIMATORS[kind]()
        whole = SealedFile(estimator._model.to_bytes())
        # What is imported or remembered at the first time does not count.
        check_answers(from_file(whole.bytes(native), estimator, folder / "m.bent"))
        n_accepted, most = 0, 0.0
        for run in range(n_runs):
            chance = random.Random(f"{kind} {seed} {run}")
            content = mutated(whole, chance).bytes(native)
            way = from_pickle if run % 4 == 0 else from_file
            tracemalloc.start()
            try:
                model = way(content, estimator, folder / "m.bent")
                _, peak = tracemalloc.get_traced_memory()
            except ValueError as error:
                _, peak = tracemalloc.get_traced_memory()
                require(str(error).isprintable(), f"{kind}, run {run}: {error!r}")
                model = None
            finally:
                tracemalloc.stop()
            most = max(most, (peak - BESIDES) / len(content))
            assert peak <= 16 * len(content) + BESIDES, (kind, run, peak, len(content))
            if model is not None:
                n_accepted += 1
                try:
                    check_answers(model)
                except Exception as error:
                    raise AssertionError(f"{kind}, run {run}: {error!r}") from error
    return (
        f"{kind}: {n_runs} files of about {len(content)} bytes, {n_accepted} accepted, at most "
        f"{max(0, most):.1f} times the size besides {BESIDES // 1024} KiB"
    )


def main() -> None:
    """Fuzz every estimator, or those that are named."""
    n_runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    native = load_native()
    with tempfile.TemporaryDirectory() as folder:
        for kind in sys.argv[2:] or ESTIMATORS:
            started = time.monotonic()
            report = fuzz(kind, n_runs, native, Path(folder))
            print(f"{report}, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
