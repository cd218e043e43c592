"""python/src/arrays.hpp and runtime.hpp, seen through the module of tests/python/native."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from types import ModuleType

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("InvalidInput", ValueError),
        ("FormatError", ValueError),
        ("IoError", OSError),
        ("Interrupted", KeyboardInterrupt),
        ("bad_alloc", MemoryError),
        ("length_error", MemoryError),
    ],
)
def test_errors_of_the_library_become_python_exceptions(
    native: ModuleType, kind: str, error: type[BaseException]
) -> None:
    with pytest.raises(error) as raised:
        native.throw_error(kind)
    assert type(raised.value) is error
    if kind in {"InvalidInput", "FormatError", "IoError"}:
        assert str(raised.value) == "a message"


def test_a_matrix_is_viewed_where_it_is(native: ModuleType) -> None:
    matrix = np.arange(6.0).reshape(3, 2)
    assert native.address_of_matrix(matrix) == matrix.ctypes.data
    matrix.flags.writeable = False
    assert native.address_of_matrix(matrix) == matrix.ctypes.data
    assert native.element(matrix, 2, 1) == 5.0
    assert native.last(matrix[:, 1].copy()) == 5.0


def test_an_array_that_would_need_a_copy_is_refused(native: ModuleType) -> None:
    for matrix in [np.zeros((2, 2), np.float32), np.zeros((4, 4))[:, ::2], np.zeros(3)]:
        with pytest.raises(TypeError, match="incompatible function arguments"):
            native.address_of_matrix(matrix)


def test_the_precision_travels_with_the_points(native: ModuleType) -> None:
    assert native.is_float32(np.zeros((1, 1)), "float32")
    assert not native.is_float32(np.zeros((1, 1)), "float64")
    assert not native.is_float32(np.zeros((1, 1)), "float16")
    with pytest.raises(ValueError, match=r"^unknown precision 'float8'$"):
        native.is_float32(np.zeros((1, 1)), "float8")


@pytest.mark.parametrize("shape", [(3, 2), (0, 2), (2, 0), (0, 0)])
def test_a_result_is_a_writable_array_that_owns_its_numbers(
    native: ModuleType, shape: tuple[int, int]
) -> None:
    matrix = native.counting_matrix(*shape)
    gc.collect()
    np.testing.assert_array_equal(matrix, np.arange(np.prod(shape, dtype=float)).reshape(shape))
    assert matrix.dtype == np.float64
    assert matrix.flags.writeable
    assert matrix.flags.c_contiguous
    matrix += 1


def test_vectors_of_other_types_come_back_too(native: ModuleType) -> None:
    values = native.bytes(4)
    assert values.dtype == np.uint8
    np.testing.assert_array_equal(values, [7, 7, 7, 7])
    assert native.bytes(0).shape == (0,)


def test_n_jobs_is_read_as_scikit_learn_reads_it(native: ModuleType) -> None:
    n_cores = native.work(0, None)
    assert native.n_threads(None) == native.n_threads(-1) == 0
    assert native.n_threads(3) == 3
    assert native.n_threads(-2) == max(1, n_cores - 1)
    assert native.n_threads(-1000) == 1
    assert native.work(0, 5) == 5
    with pytest.raises(ValueError) as raised:
        native.n_threads(0)
    assert str(raised.value) == ("n_jobs is 0, expected a number of threads, or -1 for all cores")


def test_other_python_threads_run_during_a_computation(native: ModuleType) -> None:
    worker = threading.Thread(target=native.work, args=(0.5, 2))
    worker.start()
    n_turns = 0
    while worker.is_alive():
        n_turns += 1
        time.sleep(0.001)
    # With the GIL held this loop would get one turn, after the work.
    assert n_turns > 20


@pytest.mark.parametrize("n_jobs", [1, 4])
def test_ctrl_c_stops_a_computation_promptly(native: ModuleType, n_jobs: int) -> None:
    # To tests that run in the background SIGINT comes ignored.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            native.work(60, n_jobs)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, previous)
    # The work would take a minute: what is asserted is that it was cut short, not how fast we are.
    assert time.monotonic() - started < 30


def test_an_exception_of_the_users_own_signal_handler_arrives(native: ModuleType) -> None:
    def handler(number: int, frame: object) -> None:
        raise LookupError("from the handler")

    previous = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(LookupError, match="from the handler"):
            native.work(60, 2)
    finally:
        signal.signal(signal.SIGALRM, previous)


# Without fits: np.unique of NumPy 2.4 has the same fault.
LEAVING = """
import threading, time
from bentwood import ManifoldForestClassifier
from bentwood.datasets import make_mixture

X, y = make_mixture(3000, "H4", n_classes=3, random_state=0)
forests = [
    ManifoldForestClassifier("H4", n_estimators=5, n_jobs=n_jobs).fit(X, y)
    for n_jobs in (1, 2, 5, -1)
]

def work(forest):
    while True:
        forest.predict_proba(X)

for forest in forests:
    threading.Thread(target=work, args=(forest,), daemon=True).start()
time.sleep(0.2)
"""


def test_a_program_may_end_while_daemon_threads_compute() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVING], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
