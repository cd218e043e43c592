"""Geodesic Forests' figure 4 as a table: how many of 50 neighbours found are true ones.

Four simulations of 1,000 rows with 0 to 1,000 columns of noise, three seeds; the same with ten of
them and every column scaled to [0, 1]. bentwood.GeodesicForest has its default settings in both;
what the peers are told is in geodesic_methods.py. What is measured is merged into
bench/results/geodesic.json, so that methods can be run one by one.

    python bench/geodesic.py [table] [speed] [labels] [--methods NAME ...] [--baselines]
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import geodesic_labels
import geodesic_speed
import numpy as np
from geodesic_methods import FOREST, NAMES, MissingError, Problem, neighbours
from harness import RESULTS, machine
from numpy.typing import NDArray

from bentwood import datasets
from bentwood.metrics import geodesic_precision

Array = NDArray[Any]
PATH = RESULTS / "geodesic.json"
NOISE = [0, 2, 4, 10, 100, 1000]
SEEDS = range(3)
N_ROWS, N_NEIGHBOURS = 1000, 50
SIMULATIONS = {
    "linear": datasets.make_linear,
    "helix": datasets.make_helix,
    "sphere": datasets.make_sphere,
    "three Gaussians": datasets.make_three_gaussians,
}
SCALED = "scaled to 0-1, 10"
"""The column of data scaled to [0, 1] with ten columns of noise."""
COLUMNS = [*map(str, NOISE), SCALED]
LEAST = {
    "linear": {"0": 0.93, "10": 0.93, "1000": 0.90, SCALED: 0.78},
    "helix": {"0": 0.90, "10": 0.85, "1000": 0.85, SCALED: 0.85},
    "sphere": {"0": 0.70, "10": 0.60, "1000": 0.55, SCALED: 0.60},
    "three Gaussians": {"0": 0.97, "10": 0.97, "1000": 0.96, SCALED: 0.95},
}
"""What the forest is held to."""


def draw(simulation: str, column: str, seed: int) -> tuple[Array, Array]:
    """The points, and where they are in truth."""
    n_noise = 10 if column == SCALED else int(column)
    X, truth = SIMULATIONS[simulation](N_ROWS, n_noise=n_noise, random_state=seed)
    if column == SCALED:
        X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    return X, truth


def precision(simulation: str, found: Array, truth: Array) -> float:
    if simulation == "three Gaussians":
        return float(geodesic_precision(found, labels=truth))
    signature = "S2" if simulation == "sphere" else None
    return float(geodesic_precision(found, positions=truth, signature=signature))


def measured(method: str) -> dict[str, Any]:
    """Precision of one method: by simulation, by column, of every seed."""
    cases = [
        (simulation, column, seed)
        for simulation in SIMULATIONS
        for column in COLUMNS
        for seed in SEEDS
    ]
    drawn = [draw(*case) for case in cases]
    start = time.perf_counter()
    found = neighbours(
        method,
        [Problem(X, seed, N_NEIGHBOURS) for (X, _), (_, _, seed) in zip(drawn, cases, strict=True)],
    )
    seconds = time.perf_counter() - start
    scores: dict[str, Any] = {simulation: {} for simulation in SIMULATIONS}
    for (simulation, column, _), rows, (_, truth) in zip(cases, found, drawn, strict=True):
        scores[simulation].setdefault(column, []).append(precision(simulation, rows, truth))
    return {"seconds": seconds, "precision": scores}


def table(methods: dict[str, Any]) -> str:
    """The means over the seeds as Markdown, the simulations in their order in every cell."""

    def cell(scores: dict[str, Any], column: str) -> str:
        means = [float(np.mean(scores[simulation][column])) for simulation in SIMULATIONS]
        return " ".join(f"{mean:.2f}".replace("0.", ".") for mean in means)

    lines = [
        f"precision@{N_NEIGHBOURS}, {N_ROWS:,} rows: " + " / ".join(SIMULATIONS),
        "",
        "| noise dimensions | " + " | ".join(COLUMNS) + " |",
        "| --- |" + " --- |" * len(COLUMNS),
    ]
    lines += [
        f"| {method} | "
        + " | ".join(cell(methods[method]["precision"], column) for column in COLUMNS)
        + " |"
        for method in NAMES
        if method in methods
    ]
    return "\n".join(lines)


def shortfalls(methods: dict[str, Any]) -> list[str]:
    """Where the forest's mean is below what it is held to."""
    if FOREST not in methods:
        return []
    scores = methods[FOREST]["precision"]
    return [
        f"{simulation}, {column}: {np.mean(scores[simulation][column]):.3f} < {least}"
        for simulation, columns in LEAST.items()
        for column, least in columns.items()
        if np.mean(scores[simulation][column]) < least
    ]


def run_table(report: dict[str, Any], names: list[str]) -> None:
    methods, missing = report.setdefault("methods", {}), report.setdefault("missing", {})
    for name in names:
        try:
            methods[name] = measured(name)
            missing.pop(name, None)
            print(f"{name}: {methods[name]['seconds']:.0f} s", flush=True)
        except MissingError as reason:
            methods.pop(name, None)
            missing[name] = str(reason)
            print(f"{name}: {reason}", flush=True)
        save(report)
    print(table(methods))
    for line in shortfalls(methods):
        print(f"below what it is held to: {line}")


def save(report: dict[str, Any]) -> None:
    report["machine"] = machine(["numpy", "scikit-learn", "scipy"])
    PATH.write_text(json.dumps(report, indent=2, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    sections = ["table", "speed", "labels"]
    parser.add_argument("sections", nargs="*", metavar=" | ".join(sections), default=sections)
    parser.add_argument("--methods", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--baselines", action="store_true", help="all methods but the forest")
    options = parser.parse_args()
    report: dict[str, Any] = json.loads(PATH.read_text()) if PATH.exists() else {}
    names = [name for name in options.methods if not (options.baselines and name == FOREST)]
    if "table" in options.sections:
        run_table(report, names)
    if "speed" in options.sections and not options.baselines:
        report["speed"] = geodesic_speed.measured()
        print(json.dumps(report["speed"], indent=1))
        save(report)
    if "labels" in options.sections and not options.baselines:
        report["labels"] = geodesic_labels.measured()
        print(geodesic_labels.table(report["labels"]))
        save(report)
    if not options.baselines and FOREST in report.get("missing", {}):
        raise SystemExit(f"geodesic.py: {report['missing'][FOREST]}")


if __name__ == "__main__":
    main()
