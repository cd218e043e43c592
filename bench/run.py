"""Runs every benchmark, writes bench/results/*.json and the tables of the README made from them."""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path

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


def fill(text: str) -> str:
    """The README with the part between each pair of bench markers made anew."""
    for name in SUITES:
        marker = f"<!-- bench: {name} -->"
        pattern = re.compile(f"({re.escape(marker)}\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(text):
            raise SystemExit(f"README.md has no place for the table of {name}: {marker}")
        text = pattern.sub(lambda match, name=name: match[1] + table(name) + "\n" + match[2], text)
    return text


def main() -> None:
    if "--tables-only" not in sys.argv:
        sys.path.insert(0, str(BENCH))
        for name in SUITES:
            runpy.run_path(str(BENCH / f"{name}.py"), run_name="__main__")
    README.write_text(fill(README.read_text()))


if __name__ == "__main__":
    main()
