"""The accuracy report as statistics and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trial_statistics import compared, mean_ranks

Report = dict[str, Any]


def tables(report: Report, methods: Sequence[str], against: str) -> Report:
    """Means, gains over the method `against` and ranks for each data set, and the mean ranks."""
    found = {}
    for name, data in report["data"].items():
        scores = {
            method: {
                trial: of_trial[method]["score"]
                for trial, of_trial in data["trials"].items()
                if method in of_trial
            }
            for method in methods
        }
        known = {method: of_method for method, of_method in scores.items() if of_method}
        if known:
            found[name] = compared(known, against, data["score"] == "accuracy")
    present = [m for m in methods if any(m in of_data["methods"] for of_data in found.values())]
    return {"against": against, "tables": found, "mean_ranks": mean_ranks(found, present)}


def markdown(report: Report, names: Sequence[str], methods: Sequence[str], against: str) -> str:
    """Two tables, scores with ranks and gains, and what they were measured with."""
    data = {name: report["data"][name] for name in names if name in report["data"]}
    found = tables({"data": data}, methods, against)
    methods = list(found["mean_ranks"])
    return "\n\n".join(
        [
            scores_table(data, found, methods),
            gains_table(data, found, methods),
            footnote(report, data, found),
        ]
    )


def scores_table(data: Report, found: Report, methods: Sequence[str]) -> str:
    def cell(entry: Report) -> str:
        return f"{with_error(entry)} ({entry['rank']:g})"

    rows = rows_of(data, found, methods, cell)
    averages = [found["mean_ranks"][method] for method in methods]
    rows.append(
        ["**mean rank**", "", "", *("–" if mean is None else f"{mean:.2f}" for mean in averages)]
    )
    return table(["data", "score", "trials", *methods], rows)


def gains_table(data: Report, found: Report, methods: Sequence[str]) -> str:
    others = [method for method in methods if method != found["against"]]

    def cell(entry: Report) -> str:
        return with_error(entry["gain"], "+") if "gain" in entry else "–"

    rows = rows_of(data, found, others, cell)
    return table([f"gain over {found['against']}", "score", "trials", *others], rows)


def rows_of(data: Report, found: Report, methods: Sequence[str], cell: Any) -> list[list[str]]:
    return [
        [
            name,
            {"accuracy": "accuracy, %", "rmse": "RMSE"}[data[name]["score"]],
            counted(of_data, data[name]["planned"]),
            *(
                cell(of_data["methods"][method]) if method in of_data["methods"] else "–"
                for method in methods
            ),
        ]
        for name, of_data in found["tables"].items()
    ]


def counted(of_data: Report, planned: int) -> str:
    """Trials, of how many if some are not measured yet, and in how many units if in fewer."""
    trials, units = of_data["trials"], of_data["units"]
    return (
        f"{trials}"
        + (f" of {planned}" if trials < planned else "")
        + (f" in {units}" if units < trials else "")
    )


def with_error(entry: Report, sign: str = "-") -> str:
    error = "" if entry["standard_error"] is None else f" ± {entry['standard_error']:.2f}"
    return f"{entry['mean']:{sign}.2f}{error}"


def table(head: Sequence[str], rows: list[list[str]]) -> str:
    # The name and the score are words, all else is numbers.
    rule = ["---"] * 2 + ["---:"] * (len(head) - 2)
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(head), rule, *rows])


def footnote(report: Report, data: Report, found: Report) -> str:
    machine = report["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    leaves: dict[str, list[str]] = {}
    for name in found["tables"]:
        leaves.setdefault(", ".join(map(str, data[name]["leaves"])), []).append(name)
    grids = "; ".join(f"{sizes} on {', '.join(names)}" for sizes, names in leaves.items())
    return (
        f"{report['trees']} trees. Mean ± standard error over trials, rank in brackets; a gain is "
        'paired over the same trials, and positive where the method is better. "9 in 3" means 9 '
        "trials of 3 units (an embedding, a file): the mean of a unit counts as one observation. "
        "`min_samples_leaf` is chosen by each method for each trial from the training rows alone, "
        "by its out-of-bag score (new cities: by folds of whole cities among the training rows), "
        f"among so many sizes: {grids}. All else is each library's default; no other setting was "
        f"tried. {machine['cpu']}, Python {machine['python']}, {packages}."
    )
