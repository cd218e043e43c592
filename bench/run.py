"""Runs every benchmark, writes bench/results/*.json and the tables of the README made from them."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

from harness import fill

BENCH = Path(__file__).parent
README = BENCH.parent / "README.md"
SUITES = ["forest", "geometry", "reading"]


def table(name: str) -> str:
    """The rows of one suite as Markdown."""
    report = json.loads((BENCH / "results" / f"{name}.json").read_text())
    machine = report["machine"]
    packages = ", ".join(f"{key} {value}" for key, value in machine["packages"].items())
    rows = ["| task | data | against | times faster |", "| --- | --- | --- | ---: |"]
    rows += [
        f"| {row['task']} | {row['size']} | {row['peer']} | {row['ratio']:.1f} |"
        for row in report["comparisons"]
    ]
    if report.get("figures"):
        rows += ["", "| by itself | |", "| --- | ---: |"]
        rows += [f"| {name} | {value:.2f} |" for name, value in report["figures"].items()]
    where = f"{machine['cpu']}, Python {machine['python']}, {packages}"
    return "\n".join([*rows, "", f"One thread unless it says otherwise; {where}."])


def filled(text: str) -> str:
    """The README with the table of every suite made anew."""
    for name in SUITES:
        text = fill(text, name, table(name), README.name)
    return text


def main() -> None:
    if "--tables-only" not in sys.argv:
        for name in SUITES:
            runpy.run_path(str(BENCH / f"{name}.py"), run_name="__main__")
    README.write_text(filled(README.read_text()))


if __name__ == "__main__":
    main()
