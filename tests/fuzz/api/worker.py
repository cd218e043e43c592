"""A process that runs cases one after the other and tells its parent how far it is.

It writes lines: ``case <seed>`` and ``call <name>`` before they begin, ``found <JSON>`` for each
finding and ``done <calls> <errors>`` after a case. Whatever else appears is printed by the package.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import json
import resource
import signal
import sys
import tempfile
from collections.abc import Iterable
from typing import Any

from api.cases import run_case
from api.session import Session

#: More than any case needs that should not end with MemoryError.
MEMORY = 8 << 30


def work(seeds: Iterable[int]) -> None:
    """Run cases for a parent that listens."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1)
    with tempfile.TemporaryDirectory(prefix="bentwood-fuzz-") as folder:
        tempfile.tempdir = folder
        for seed in seeds:
            _tell("case", seed)
            session = Session(seed, _announce)
            run_case(session)
            for finding in session.findings:
                _tell("found", json.dumps(dataclasses.asdict(finding)))
            _tell("done", f"{session.n_calls} {session.n_errors}")


def _announce(name: str, _arguments: tuple[Any, ...], _named: dict[str, Any]) -> None:
    _tell("call", name)


def _tell(what: str, value: object) -> None:
    sys.stdout.write(f"{what} {value}\n")
    sys.stdout.flush()
