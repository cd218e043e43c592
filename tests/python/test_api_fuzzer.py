"""The fuzzer of the package: it finds what it is there to find, and a short run finds nothing."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.run import run_cases
from api.session import Session
from bentwood import _core, _labels


def faults_of(function: Callable[..., Any], *arguments: Any, **named: Any) -> list[str]:
    session = Session(0, lambda name, arguments, named: None)
    session.call("f", function, *arguments, **named)
    return [finding.fault for finding in session.findings]


def raise_index_error() -> None:
    raise IndexError("list index out of range")


def raise_two_lines() -> None:
    raise ValueError("one\ntwo")


def test_what_users_may_see_is_no_finding() -> None:
    assert faults_of(lambda: np.ones(3), twice=True) == []
    assert faults_of(_core.Manifold, "Q3", "ambient") == []
    assert faults_of(lambda: warnings.warn("look", UserWarning, stacklevel=1)) == []


def test_an_error_that_is_not_documented_is_found() -> None:
    (fault,) = faults_of(raise_index_error)
    assert fault == "raises IndexError at outside of the package"
    (fault,) = faults_of(_labels.show_all, 3)
    assert fault.startswith("raises TypeError by accident at _labels.py:")


def test_a_warning_of_numpy_is_found() -> None:
    assert faults_of(lambda: np.float64(1) / np.float64(0), finite=False) == [
        "warns with RuntimeWarning"
    ]


def test_what_is_not_finite_is_found_where_the_arguments_are() -> None:
    assert faults_of(lambda x: x * np.inf, np.ones(2)) == ["returns what is not finite"]
    assert faults_of(lambda x: x * 2, np.array([np.inf])) == []


def test_a_changed_argument_is_found() -> None:
    assert faults_of(lambda x: x.sort(), np.array([2.0, 1.0])) == ["changes its arguments"]


def test_two_calls_that_differ_are_found() -> None:
    numbers = iter([0.0, -0.0, 1.0])
    assert faults_of(lambda: next(numbers), twice=True) == ["returns other bits"]


CRASH = "print('case {0}'); print('call f', flush=True); import os; os.kill(os.getpid(), 11)"
HANG = "print('case {0}'); print('call f', flush=True); import time; time.sleep(1000)"
PRINT = "print('case {0}'); print('call f'); print('hello'); print('done 1 0')"


@pytest.mark.parametrize(
    ("program", "patience", "fault"),
    [
        (CRASH, 60, "ends the process with SIGSEGV"),
        (HANG, 0.5, "does not end in 0.5 s and answers Ctrl-C"),
        (PRINT, 60, "prints"),
        (
            CRASH.replace("os.kill(os.getpid(), 11)", "1 / 0"),
            60,
            "ends the process with exit code 1",
        ),
    ],
)
def test_a_case_that_ends_its_process_is_found_and_the_next_begins(
    program: str, patience: float, fault: str
) -> None:
    tally = run_cases(
        range(5, 7),
        patience,
        lambda tally: False,
        lambda first, last: [sys.executable, "-c", program.format(first)],
    )
    assert [(finding.seed, finding.call, finding.fault) for finding in tally.findings] == [
        (5, "f", fault),
        (6, "f", fault),
    ]
    assert tally.n_cases == 2


def fuzz(root: Path, *arguments: str) -> str:
    result = subprocess.run(
        [sys.executable, root / "tests" / "fuzz" / "api", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_seed_is_a_case(root: Path) -> None:
    first, second = (fuzz(root, "--seed", "3", "--verbose") for _ in range(2))
    assert first == second
    assert first.count("\n") > 3
