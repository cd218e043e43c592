"""`n_jobs` means what scikit-learn means by it; all cores are the default."""

from __future__ import annotations

import inspect
from typing import Any

import joblib
import pytest

import bentwood
from bentwood import datasets, geometry, io, linear, metrics
from bentwood._arguments import as_jobs

MODULES = [bentwood, datasets, geometry, io, linear, metrics]


def takes_jobs(value: Any) -> bool:
    function = value.__init__ if inspect.isclass(value) else value
    return inspect.isfunction(function) and "n_jobs" in inspect.signature(function).parameters


# All that is public and takes n_jobs.
TAKERS = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in MODULES
    for name in module.__all__
    if takes_jobs(getattr(module, name))
}
ESTIMATORS = [value for value in TAKERS.values() if hasattr(value, "get_params")]


def test_none_is_one_thread() -> None:
    assert as_jobs(None) == 1


@pytest.mark.parametrize("n_jobs", [2, 7])
def test_none_is_what_the_context_of_joblib_says(n_jobs: int) -> None:
    with joblib.parallel_config(backend="threading", n_jobs=n_jobs):
        assert as_jobs(None) == n_jobs
        assert as_jobs(3) == 3
        assert as_jobs(-1) == -1
    assert as_jobs(None) == 1


def test_none_is_all_cores_where_the_context_says_so() -> None:
    with joblib.parallel_config(backend="threading", n_jobs=-1):
        assert as_jobs(None) == joblib.cpu_count()


def test_a_manifold_looks_at_the_context_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    manifold = geometry.Manifold("E1", n_jobs=None)

    class Radii:
        def radii(self, X: Any, n_jobs: int) -> Any:
            seen.append(n_jobs)
            return X

    monkeypatch.setattr(manifold, "_manifold", Radii())
    manifold.radii([[1.0]])
    with joblib.parallel_config(backend="threading", n_jobs=5):
        manifold.radii([[1.0]])
    assert seen == [1, 5]


@pytest.mark.parametrize("name", TAKERS)
def test_the_default_is_all_cores(name: str) -> None:
    assert inspect.signature(TAKERS[name]).parameters["n_jobs"].default == -1


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimators_say_what_none_means(estimator: type) -> None:
    words = " ".join((inspect.getdoc(estimator) or "").split())
    if "As of :class:`PoincarePerceptron`" in words:
        words = " ".join((inspect.getdoc(bentwood.PoincarePerceptron) or "").split())
    assert (
        "Threads to use; -1 means all cores, None means one, or what the context of "
        "``joblib.parallel_config`` says. No result depends on it." in words
    )
