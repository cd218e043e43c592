"""Timing two ways of doing the same work in one run, and writing down what came out."""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass
class Comparison:
    """One task done by a peer and by Bentwood on the same data."""

    task: str
    size: str
    peer: str
    peer_seconds: float
    bentwood_seconds: float
    ratio: float
    """How many times faster Bentwood is: the median over interleaved rounds."""
    largest_difference: float
    """Between the two answers, relative to the largest number."""


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(
    task: str,
    size: str,
    peer: str,
    peer_work: Callable[[], Any],
    bentwood_work: Callable[[], Any],
    difference: Callable[[Any, Any], float],
    allowed_difference: float,
    rounds: int = 11,
) -> Comparison:
    """Time both in turn: machines are noisy, and noise that lasts hits both alike."""
    found = difference(peer_work(), bentwood_work())
    if not found <= allowed_difference:
        raise SystemExit(f"{task}, {size}: the answers differ by {found}, so times mean nothing")
    times = [(seconds(peer_work), seconds(bentwood_work)) for _ in range(rounds)]
    result = Comparison(
        task,
        size,
        peer,
        statistics.median(a for a, _ in times),
        statistics.median(b for _, b in times),
        statistics.median(a / b for a, b in times),
        found,
    )
    print(f"{task:42} {size:24} {peer:8} {result.ratio:6.1f} x", flush=True)
    return result


def write(
    name: str,
    comparisons: list[Comparison],
    packages: list[str],
    figures: dict[str, float] | None = None,
) -> None:
    """Write the JSON that the README's table is made of, with figures that have no peer."""
    RESULTS.mkdir(exist_ok=True)
    report = {
        "machine": machine(packages),
        "comparisons": [asdict(comparison) for comparison in comparisons],
        "figures": figures or {},
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(report, indent=2) + "\n")


def machine(packages: list[str]) -> dict[str, Any]:
    """What the figures were measured on, and with which versions."""
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {package: version(package) for package in ["bentwood", *packages]},
    }


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def fill(text: str, name: str, table: str, page: str) -> str:
    """The text of a page with the part between the marker of a bench and its end made anew."""
    marker = f"<!-- bench: {name} -->"
    pattern = re.compile(f"({re.escape(marker)}\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{page} has no place for the table of {name}: {marker}")
    return pattern.sub(lambda match: match[1] + table + "\n" + match[2], text)
