"""The command line."""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
from collections import Counter
from typing import Any

import numpy as np

from api.run import PATIENCE, Tally, run_cases
from api.session import Finding


def main() -> int:
    """Run or replay cases; return 1 where something was found."""
    parser = argparse.ArgumentParser(
        prog="python tests/fuzz/api",
        description="Random calls of the Python package. Without options it goes on until Ctrl-C.",
    )
    parser.add_argument("--seed", type=int, help="run this one case, in this process")
    parser.add_argument(
        "--verbose", action="store_true", help="show its calls with their arguments"
    )
    parser.add_argument("--first", type=int, default=0, help="the seed of the first of many cases")
    parser.add_argument("--cases", type=int, help="end after so many cases")
    parser.add_argument("--calls", type=int, help="end after so many calls")
    parser.add_argument("--seconds", type=float, help="end after so many seconds")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, help="seconds that a call may take"
    )
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker is not None:
        from api.worker import work

        first, last = map(int, options.worker.split(":"))
        work(range(first, last))
        return 0
    if options.seed is not None:
        return _replay(options.seed, options.verbose)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    began = time.monotonic()

    def is_enough(tally: Tally) -> bool:
        seconds = time.monotonic() - began
        return (options.calls is not None and tally.n_calls >= options.calls) or (
            options.seconds is not None and seconds >= options.seconds
        )

    last = options.first + (options.cases if options.cases is not None else 2**62)
    tally = run_cases(range(options.first, last), options.patience, is_enough)
    seconds = time.monotonic() - began
    _summarise(tally.findings)
    print(
        f"{tally.n_calls} calls in {tally.n_cases} cases, {tally.n_errors} of them refused; "
        f"{tally.n_calls / seconds:.0f} calls per second; {len(tally.findings)} findings"
    )
    return 1 if tally.findings else 0


def _summarise(findings: list[Finding]) -> None:
    """Print one line per kind of finding, with the smallest seed that shows it."""
    kinds = Counter((finding.call, finding.fault) for finding in findings)
    for (call, fault), times in kinds.most_common():
        seed = min(each.seed for each in findings if (each.call, each.fault) == (call, fault))
        print(f"{times:6d}  {call} {fault}\n        python tests/fuzz/api --seed {seed} --verbose")


def _replay(seed: int, verbose: bool) -> int:
    from api.cases import run_case
    from api.session import Session

    faulthandler.enable()
    np.set_printoptions(threshold=sys.maxsize, floatmode="unique", linewidth=120)
    session = Session(seed, _show if verbose else _be_silent)
    run_case(session)
    for finding in session.findings:
        print(f"{finding.call} {finding.fault}: {finding.detail}")
    print(f"{session.n_calls} calls, {session.n_errors} refused, {len(session.findings)} findings")
    return 1 if session.findings else 0


def _show(name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    shown = [repr(value) for value in arguments]
    shown += [f"{key}={value!r}" for key, value in named.items()]
    print(f"{name}({', '.join(shown)})", flush=True)


def _be_silent(_name: str, _arguments: tuple[Any, ...], _named: dict[str, Any]) -> None:
    pass
