"""Works under limits of memory and of processes, and tells which runs did not end as they should.

    python tests/limits/sweep.py [MEMORY_RUNS] [PROCESS_RUNS] [SEED]

A run under a memory limit (RLIMIT_AS, 0.2 to 2 GB) ends in a result or in one clear error: in
Python MemoryError, of the program one line and exit code 1. One under a limit of processes
(RLIMIT_NPROC, which does not count for root: as nobody there) ends in a result, with the threads
that there are. Everything else is a fault: a signal, another error, no end.
"""

from __future__ import annotations

import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobs import FILES, PROGRAM_JOBS, PYTHON_JOBS

PROGRAM = Path(sys.executable).parent / "bentwood"
LEAST_BYTES, MOST_BYTES = 0.2e9, 2e9
MOST_THREADS = 14
MOST_SECONDS = 300
OUT_OF_MEMORY = 3
NOBODY = 65534


@dataclass
class Outcome:
    """How a run ended: its exit code (minus the signal; None after MOST_SECONDS) and words."""

    code: int | None
    words: str


def run(work: Callable[[], None], log: Path) -> Outcome:
    """Run in a forked child, whose imports are done and whose words go to a file."""
    child = os.fork()
    if child == 0:
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(output, 2)
        try:
            work()
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    end = time.monotonic() + MOST_SECONDS
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid == child:
            return Outcome(os.waitstatus_to_exitcode(status), log.read_text(errors="replace"))
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Outcome(None, log.read_text(errors="replace"))
        time.sleep(0.01)


def run_program(command: str, folder: Path) -> None:
    """Become the program."""
    os.chdir(folder)
    os.execv(PROGRAM, [str(PROGRAM), "-q", "-j", "8", *shlex.split(command)])


def n_threads_of(user: int) -> int:
    """Count what RLIMIT_NPROC counts."""
    number = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                number += len(list((process / "task").iterdir()))
        except OSError:  # it has ended
            continue
    return number


def limit_memory(n_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))


def limit_threads(number: int) -> None:
    """Allow this process so many threads besides those that its user has already."""
    user = os.getuid() or NOBODY
    most = n_threads_of(user) + number
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def is_clear_memory_error(outcome: Outcome, of_program: bool) -> bool:
    if of_program:
        return outcome.code == 1 and outcome.words == "bentwood: not enough memory\n"
    return outcome.code == OUT_OF_MEMORY and outcome.words == ""


def sweep(folder: Path, n_memory: int, n_processes: int, seed: int) -> int:
    """Make all runs, print what came out, and return the number of faults."""
    jobs: list[tuple[str, bool, Callable[[], None]]] = []
    for pair in range(max(len(PYTHON_JOBS), len(PROGRAM_JOBS))):
        job = PYTHON_JOBS[pair % len(PYTHON_JOBS)]
        jobs.append((job.__name__, False, lambda job=job: job(folder)))
        command = PROGRAM_JOBS[pair % len(PROGRAM_JOBS)]
        jobs.append((command, True, lambda command=command: run_program(command, folder)))
    draw = random.Random(seed)
    counts = {"results": 0, "clear errors": 0, "faults": 0}
    for number in range(n_memory + n_processes):
        name, of_program, job = jobs[number % len(jobs)]
        if number < n_memory:
            n_bytes = int(LEAST_BYTES * (MOST_BYTES / LEAST_BYTES) ** draw.random())
            limit, limit_it = f"{n_bytes / 1e6:.0f} MB", lambda: limit_memory(n_bytes)  # noqa: B023
        else:
            n_threads = draw.randint(1, MOST_THREADS)
            limit, limit_it = f"{n_threads} threads", lambda: limit_threads(n_threads)  # noqa: B023

        def limited(limit_it: Callable[[], None] = limit_it, job: Callable[[], None] = job) -> None:
            limit_it()
            job()

        outcome = run(limited, folder / "log")
        if outcome.code == 0:
            counts["results"] += 1
        elif number < n_memory and is_clear_memory_error(outcome, of_program):
            counts["clear errors"] += 1
        else:
            counts["faults"] += 1
            print(f"FAULT: {name}, {limit}: {outcome.code}\n{outcome.words}", flush=True)
    print("limits: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts["faults"]


def main() -> None:
    warnings.simplefilter("ignore")
    n_memory, n_processes, seed = [int(word) for word in sys.argv[1:]] + [200, 20, 0][
        len(sys.argv) - 1 :
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        for file, command in FILES.items():
            subprocess.run(
                [PROGRAM, "-q", *shlex.split(command), "-o", file], cwd=folder, check=True
            )
        sys.exit(1 if sweep(folder, n_memory, n_processes, seed) else 0)


if __name__ == "__main__":
    main()
