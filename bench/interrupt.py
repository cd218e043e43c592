"""How long Ctrl-C takes to be heard, in everything that works for long.

Each operation is started in a process of its own and gets SIGINT at a random moment of its work;
what is measured is the time until KeyboardInterrupt arrives, or until the program has ended. With a
number as its argument: so many tries of each; with words besides, only operations that contain one.
"""

from __future__ import annotations

import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from harness import write

N_TRIES = 10
MOST_SECONDS = 10.0
"""Of an operation that is left to itself: interrupts come within so many."""


@dataclass
class Operation:
    """Work in Python: what is made once, what a process begins with, and what is interrupted."""

    name: str
    work: str
    setup: str = ""
    prepare: str = ""


OPERATIONS = [
    Operation(
        "fit of a forest, 2e5 rows",
        "ManifoldForestClassifier('H8', n_estimators=200).fit(X, y)",
        "X, y = make_mixture(200_000, 'H8', n_classes=5, random_state=0)",
    ),
    Operation(
        "fit of a tree, 1e5 rows, 5e4 classes",
        "ManifoldTreeClassifier('H2').fit(X, np.arange(len(X)) % 50_000)",
        "X, _ = make_mixture(100_000, 'H2', random_state=0)",
    ),
    Operation(
        "predict_proba, 5e6 rows",
        "forest.predict_proba(X)",
        "X, y = make_mixture(5_000_000, 'H2', n_classes=5, random_state=0)\n"
        "forest = ManifoldForestClassifier('H2').fit(X[:20_000], y[:20_000])",
    ),
    Operation(
        "embed, 2e4 rows",
        "forest.embed()",
        "forest = bentwood.load('helix.bent')",
        "X, _ = make_helix(20_000, n_noise=3, random_state=0)\n"
        "GeodesicForest(50, random_state=0).fit(X).save('helix.bent')",
    ),
    Operation(
        "geodesic_distance, 2e4 rows to 2,000",
        "forest.geodesic_distance(indices=np.arange(2_000))",
        "forest = bentwood.load('helix.bent')",
        "X, _ = make_helix(20_000, n_noise=3, random_state=0)\n"
        "GeodesicForest(50, random_state=0).fit(X).save('helix.bent')",
    ),
    Operation(
        "Manifold.distance, 1e7 rows",
        "Manifold('H2').distance(X, Y)",
        "X = make_uniform(10_000_000, 'H2', radius=2, random_state=0)\nY = X[::-1].copy()",
    ),
    Operation(
        "Manifold.pairwise_distance, 2e4 rows",
        "Manifold('H2').pairwise_distance(X)",
        "X = make_uniform(20_000, 'H2', radius=2, random_state=0)",
    ),
    Operation(
        "read of a CSV, 5e6 rows",
        "io.read_points('points.csv')",
        prepare="X = make_uniform(5_000_000, 'E2', random_state=0)\n"
        "io.write_table('points.csv', {'x': X[:, 0], 'y': X[:, 1]})",
    ),
    Operation(
        "read of a CSV in gzip, 3e6 rows",
        "io.read_points('points.csv.gz')",
        prepare="X = make_uniform(3_000_000, 'E2', random_state=0)\n"
        "io.write_table('points.csv.gz', {'x': X[:, 0], 'y': X[:, 1]})",
    ),
    Operation(
        "read of a compressed NPZ, 2e7 numbers",
        "io.read_points('points.npz')",
        prepare="X = make_uniform(10_000_000, 'E2', random_state=0)\n"
        "np.savez_compressed('points.npz', X=X)",
    ),
]
GENERATE = ["generate", "mixture", "-n", "20000000", "-o", "generated.npy"]
IMPORTS = (
    "import signal\n"
    "import numpy as np\n"
    "import bentwood\n"
    "from bentwood import *\n"
    "from bentwood import io\n"
    "from bentwood.datasets import *\n"
    "from bentwood.geometry import Manifold\n"
)


def program_of(operation: Operation) -> list[str]:
    work = operation.work.replace("\n", "\n    ")
    code = (
        f"{IMPORTS}signal.signal(signal.SIGINT, signal.default_int_handler)\n{operation.setup}\n"
        f"print('ready', flush=True)\ntry:\n    {work}\n    print('done', flush=True)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    return [sys.executable, "-c", code]


def answer_after(command: list[str], folder: Path, delay: float) -> tuple[str, float]:
    """Press Ctrl-C after a delay: what came, and how many seconds after the signal.

    Programs that are not Python's say nothing: their answer is their end. The time of work that is
    done before the delay is negative: so much of the delay was left.
    """
    speaks = command[0] == sys.executable
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if speaks and process.stdout.readline() != "ready\n":
            raise SystemExit(f"{command[-1]}\nended before its work")
        end = time.perf_counter() + delay
        while process.poll() is None and time.perf_counter() < end:
            time.sleep(min(0.002, max(0.0, end - time.perf_counter())))
        sent = time.perf_counter()
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        if speaks:
            answer = process.stdout.readline().strip()
        else:
            answer = {0: "done", 130: "interrupted"}.get(process.wait(), "failed")
        return answer, time.perf_counter() - max(sent, end)


def answer_times(command: list[str], folder: Path, n_tries: int) -> list[float]:
    """Seconds of the tries that met the work, at moments of a generator that is always the same."""
    answer, passed = answer_after(command, folder, MOST_SECONDS)
    duration = MOST_SECONDS + passed if answer == "done" else MOST_SECONDS
    moments = random.Random(0)
    times: list[float] = []
    while len(times) < n_tries:
        answer, passed = answer_after(command, folder, moments.uniform(0, duration))
        if answer == "interrupted":
            times.append(passed)
        elif answer == "done":
            # Faster than before, or too near its end to be stopped.
            duration *= 0.95
        else:
            raise SystemExit(f"{command}: {answer or 'no answer'}")
    return times


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    words = [word for word in sys.argv[1:] if not word.isdigit()]
    n_tries = numbers[0] if numbers else N_TRIES
    program = Path(sys.executable).with_name("bentwood")
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = {"bentwood generate, 2e7 rows": [str(program), *GENERATE]}
        prepared = {"bentwood generate, 2e7 rows": ""}
        for operation in OPERATIONS:
            commands[operation.name] = program_of(operation)
            prepared[operation.name] = operation.prepare
        for task, command in commands.items():
            if words and not any(word in task for word in words):
                continue
            subprocess.run([sys.executable, "-c", IMPORTS + prepared[task]], cwd=folder, check=True)
            times = answer_times(command, folder, n_tries)
            figures[f"{task}: median, seconds"] = statistics.median(times)
            figures[f"{task}: worst, seconds"] = max(times)
            print(f"{task:42} {statistics.median(times):8.3f} {max(times):8.3f}", flush=True)
    if not words:
        write("interrupt", [], ["numpy", "scipy"], {**figures, "tries": n_tries})


if __name__ == "__main__":
    main()
