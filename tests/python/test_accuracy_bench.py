"""The accuracy bench: its statistics by hand, its page, and what it says without data."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bentwood.datasets import make_mixture

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture(autouse=True)
def bench_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(BENCH)
    yield
    # Names such as `harness` mean the bench's modules in these tests alone.
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "").parent == BENCH:
            del sys.modules[name]


def statistics() -> Any:
    return importlib.import_module("trial_statistics")


def run(*given: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if key != "BENTWOOD_DATA"}
    return subprocess.run(
        [sys.executable, BENCH / "accuracy.py", *given],
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def program(*given: str, **environment: str) -> tuple[int, str]:
    """The exit code and standard error of the bench."""
    result = run(*given, **environment)
    return result.returncode, result.stderr


def test_the_standard_error_is_that_of_the_mean() -> None:
    # Deviations -3, -1, 1, 3: the variance is 20 / 3, that of the mean a quarter of it.
    assert statistics().summary([1.0, 3.0, 5.0, 7.0]) == {
        "mean": 4.0,
        "standard_error": pytest.approx((20 / 3 / 4) ** 0.5),
    }


def test_one_value_has_no_standard_error() -> None:
    assert statistics().summary([2.5]) == {"mean": 2.5, "standard_error": None}


def test_a_unit_counts_once_however_many_trials_it_has() -> None:
    assert statistics().unit_means({"b/0": 10.0, "a/0": 1.0, "a/1": 2.0, "a/2": 6.0}) == [3.0, 10.0]


@pytest.mark.parametrize(
    ("larger_is_better", "expected"),
    [
        (True, {"w": 2.5, "x": 4.0, "y": 2.5, "z": 1.0}),
        (False, {"w": 2.5, "x": 1.0, "y": 2.5, "z": 4.0}),
    ],
)
def test_the_best_has_rank_1_and_equals_share(
    larger_is_better: bool, expected: dict[str, float]
) -> None:
    means = {"w": 0.5, "x": 0.25, "y": 0.5, "z": 0.75}
    assert statistics().ranks(means, larger_is_better) == expected


def test_gains_are_paired_over_the_trials_that_all_methods_have() -> None:
    scores = {
        "first": {"a/0": 10.0, "b/0": 50.0, "c/0": 90.0, "d/0": 0.0},
        "second": {"a/0": 11.0, "b/0": 53.0, "c/0": 92.0},
    }
    found = statistics().compared(scores, "first", larger_is_better=True)
    assert (found["trials"], found["units"]) == (3, 3)
    assert found["methods"]["first"] == {
        "mean": 50.0,
        "standard_error": pytest.approx(40 / 3**0.5),
        "rank": 2.0,
        "gain": {"mean": 0.0, "standard_error": 0.0},
    }
    # Differences 1, 3, 2: far less spread than the scores have.
    assert found["methods"]["second"]["gain"] == {
        "mean": 2.0,
        "standard_error": pytest.approx(1 / 3**0.5),
    }


def test_a_smaller_error_is_a_gain() -> None:
    scores = {"first": {"a/0": 4.0, "b/0": 6.0}, "second": {"a/0": 3.0, "b/0": 4.0}}
    second = statistics().compared(scores, "first", larger_is_better=False)["methods"]["second"]
    assert (second["rank"], second["gain"]["mean"]) == (1.0, 1.5)


def test_mean_ranks_are_over_the_data_sets_that_every_method_has() -> None:
    tables = {
        "both": {"methods": {"first": {"rank": 1.0}, "second": {"rank": 2.0}}},
        "again": {"methods": {"first": {"rank": 2.0}, "second": {"rank": 1.0}}},
        "tie": {"methods": {"first": {"rank": 1.5}, "second": {"rank": 1.5}}},
        "third": {"methods": {"first": {"rank": 1.0}, "second": {"rank": 2.0}}},
        "first alone": {"methods": {"first": {"rank": 1.0}}},
    }
    found = statistics().mean_ranks(tables, ["first", "second"])
    assert found == {"first": 1.375, "second": 1.625}
    assert statistics().mean_ranks({}, ["first"]) == {"first": None}


def test_the_program_says_that_it_needs_data(tmp_path: Path) -> None:
    output = ("--output", str(tmp_path / "accuracy.json"))
    assert program(*output) == (
        1,
        "accuracy.py: set BENTWOOD_DATA to the folder of the papers' data\n",
    )
    missing = tmp_path / "missing"
    assert program(*output, BENTWOOD_DATA=str(missing)) == (
        1,
        f"accuracy.py: BENTWOOD_DATA is {missing}, which is no folder\n",
    )
    assert program(*output, "--data", "olsson", BENTWOOD_DATA=str(tmp_path)) == (
        1,
        f"accuracy.py: no file is called {tmp_path}/poincare_linear/olsson.npz\n",
    )


def test_results_of_other_forests_are_not_mixed(tmp_path: Path) -> None:
    output = tmp_path / "accuracy.json"
    output.write_text(json.dumps({"trees": 100, "data": {}}))
    assert program("--trees", "7", "--output", str(output)) == (
        1,
        f"accuracy.py: {output} has forests of 100 trees, not of 7; give another --output\n",
    )


def test_a_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    X, y = make_mixture(60, "H2", n_classes=2, coordinates="poincare", random_state=0)
    (tmp_path / "gaussian_cho").mkdir()
    for name in ("001", "002"):
        np.savez(tmp_path / "gaussian_cho" / f"{name}.npz", X=X, y=y)
    output = tmp_path / "accuracy.json"

    def first_line(*given: str) -> str:
        settings = ("--data", "gaussians", "--trees", "3", "--output", str(output))
        result = run(*settings, *given, BENTWOOD_DATA=str(tmp_path))
        assert result.returncode == 0, result.stderr
        return result.stdout.splitlines()[0]

    assert first_line("--trials", "2", "--methods", "geodesic", "ambient").startswith(
        "4 of 4 are to be measured"
    )
    before = json.loads(output.read_text())["data"]["gaussians"]["trials"]
    assert {trial: set(found) for trial, found in before.items()} == {
        "001/0": {"geodesic", "ambient"},
        "001/1": {"geodesic", "ambient"},
    }
    assert first_line("--trials", "3", "--methods", "geodesic").startswith(
        "1 of 3 are to be measured"
    )
    after = json.loads(output.read_text())["data"]["gaussians"]["trials"]
    assert {trial: after[trial] for trial in before} == before
    assert set(after["001/2"]) == {"geodesic"}


def test_the_page_has_the_table_of_the_results(root: Path) -> None:
    table, harness, data, methods = map(
        importlib.import_module, ("accuracy_table", "harness", "accuracy_data", "forest_methods")
    )
    report = json.loads((BENCH / "results" / "accuracy.json").read_text())
    whole = table.markdown(report, list(data.DATA), list(methods.METHODS), report["against"])
    text = (root / "docs" / "accuracy.md").read_text()
    assert harness.fill(text, "accuracy", whole, "accuracy.md") == text
