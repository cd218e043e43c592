"""Small parallel calls before, beside and after other work that wants all cores.

A forest predicts 600 rows on all cores again and again: alone, beside one busy loop more than
there are cores, and alone again. Calls must leave no memory behind, and must be as fast after the
load as before it. With a number as its argument: so many calls beside the load.
"""

from __future__ import annotations

import contextlib
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import write

from bentwood import ManifoldForestClassifier
from bentwood.datasets import make_mixture

N_ROWS = 600
N_CALLS = 50_000
N_TIMED = 3_000
MOST_SECONDS = 900.0
"""For the calls beside the load; fewer are made where that does not suffice."""


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


@contextlib.contextmanager
def busy_loops(number: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def call_microseconds(forest: Any, X: Any) -> float:
    """The median over many calls."""
    times = []
    for _ in range(N_TIMED):
        start = time.perf_counter()
        forest.predict_proba(X)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    n_calls = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else N_CALLS
    X, y = make_mixture(N_ROWS, "H4", n_classes=3, random_state=0)
    forest = ManifoldForestClassifier("H4", random_state=0, n_jobs=-1).fit(X, y)
    call_microseconds(forest, X)
    before = call_microseconds(forest, X)
    memory_before = resident_megabytes()
    n_made = 0
    with busy_loops(len(os.sched_getaffinity(0)) + 1):
        end = time.monotonic() + MOST_SECONDS
        while n_made < n_calls and time.monotonic() < end:
            forest.predict_proba(X)
            n_made += 1
    time.sleep(1)
    after = call_microseconds(forest, X)
    figures = {
        "calls beside the load": n_made,
        "resident memory before, MB": memory_before,
        "resident memory after, MB": resident_megabytes(),
        "time per call before, microseconds": before,
        "time per call after, microseconds": after,
        "after / before": after / before,
    }
    for name, value in figures.items():
        print(f"{name:36} {value:10.2f}")
    write("busy", [], ["numpy"], figures)


if __name__ == "__main__":
    main()
