"""Many cases in child processes: a crash or a hang is a finding, and the next case goes on."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from api.session import Finding

#: What a call may take; it is some milliseconds where nothing is wrong.
PATIENCE = 60.0
#: Cases of one process: starting it takes a second or two.
CASES_PER_PROCESS = 2000


@dataclass
class Tally:
    """What has been done, and what was found."""

    n_cases: int = 0
    n_calls: int = 0
    n_errors: int = 0
    findings: list[Finding] = field(default_factory=list)


class Child:
    """A worker, and the lines that it writes."""

    def __init__(self, command: list[str], errors: IO[str]) -> None:
        self._errors = errors
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        assert self._process.stdout is not None
        self._output: IO[bytes] = self._process.stdout
        os.set_blocking(self._output.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)

    def lines(self, patience: float) -> Iterator[str]:
        """Return lines as they come; raises TimeoutError where none comes for too long."""
        rest = b""
        while True:
            if not self._selector.select(patience):
                raise TimeoutError
            read = self._output.read()
            if not read:
                return
            *whole, rest = (rest + read).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)

    def end(self) -> int:
        """Wait for the end and return the status, negative for a signal."""
        self._selector.close()
        self._output.close()
        return self._process.wait()

    def stop(self) -> str:
        """Interrupt a call that does not end, and tell where it was and whether it listened."""
        self._process.send_signal(signal.SIGUSR1)
        time.sleep(0.2)
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(timeout=5)
            return "answers Ctrl-C"
        except subprocess.TimeoutExpired:
            self._process.kill()
            return "deaf to Ctrl-C"

    def stack(self) -> str:
        """Return the lines of the stack that lie in the package, innermost first."""
        self._errors.seek(0)
        lines = self._errors.read().splitlines()
        inside = [line.strip() for line in lines if "/bentwood/" in line]
        return "; ".join(inside[:3] or lines[-3:])


def worker(first: int, last: int) -> list[str]:
    """Return the command that runs the cases from one seed to another."""
    return [sys.executable, str(Path(__file__).parent), "--worker", f"{first}:{last}"]


def run_cases(
    seeds: range,
    patience: float,
    until: Callable[[Tally], bool],
    command: Callable[[int, int], list[str]] = worker,
) -> Tally:
    """Run the cases of some seeds, and end early where ``until`` says so."""
    tally = Tally()
    first = seeds.start
    while first < seeds.stop and not until(tally):
        last = min(first + CASES_PER_PROCESS, seeds.stop)
        with tempfile.TemporaryFile(mode="w+", errors="replace") as errors:
            child = Child(command(first, last), errors)
            reached = _listen(child, patience, until, tally)
            if reached is None:
                raise RuntimeError(f"no case was begun: {child.stack()}")
        first = reached + 1
    return tally


def _listen(
    child: Child, patience: float, until: Callable[[Tally], bool], tally: Tally
) -> int | None:
    """Note what a child tells until it ends, somehow; return the seed of its last case."""
    seed, call = None, "the case itself"
    fault = ""
    try:
        for line in child.lines(patience):
            what, _, value = line.partition(" ")
            if what == "case":
                seed, call = int(value), "the case itself"
            elif what == "call":
                call = value
            elif what == "found":
                _note(tally, Finding(**json.loads(value)))
            elif what == "done":
                n_calls, n_errors = map(int, value.split())
                tally.n_cases += 1
                tally.n_calls += n_calls
                tally.n_errors += n_errors
                if until(tally):
                    child.stop()
                    child.end()
                    return seed
            elif seed is not None:
                _note(tally, Finding(seed, call, "prints", line))
    except TimeoutError:
        fault = f"does not end in {patience:g} s and {child.stop()}"
    status = child.end()
    if status < 0:
        fault = fault or f"ends the process with {signal.Signals(-status).name}"
    elif status > 0:
        # A mistake of the fuzzer's own, or an exception that is no Exception.
        fault = fault or f"ends the process with exit code {status}"
    if fault and seed is not None:
        _note(tally, Finding(seed, call, fault, child.stack()))
        tally.n_cases += 1
    return seed


def _note(tally: Tally, finding: Finding) -> None:
    tally.findings.append(finding)
    detail = " ".join(finding.detail.split())[:300]
    print(f"seed {finding.seed}: {finding.call} {finding.fault}: {detail}", flush=True)
