"""Forests side by side on the same trials of the papers' data, which BENTWOOD_DATA names.

    python bench/accuracy.py [--methods NAME ...] [--data PATTERN ...] [--trials N] [--trees N]
                             [--minutes M] [--against METHOD] [--again] [--output FILE]
    python bench/accuracy.py --table        print the tables of what has been measured

What the JSON already holds is not measured again, so a run that was bounded by --minutes goes on
where it ended. One thread. Each method chooses its leaf size for each trial among those of the
data set, by the training rows alone: by out-of-bag scores, or by folds of whole groups where the
test rows are of groups that training has not seen.
"""

from __future__ import annotations

import argparse
import json
import re
import time
import warnings
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from accuracy_data import DATA, DataSet, Trial
from accuracy_table import markdown, tables
from forest_methods import METHODS, Forest, Method
from harness import RESULTS, fill, machine
from paper_data import Rows, data_folder, folds

from bentwood.metrics import accuracy, rmse

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
N_INNER_FOLDS = 3
Task = tuple[str, int, Trial, str]
"""A data set, the trial's number and the trial, a method."""


def fitted(
    method: Method, trial: Trial, rows: Rows, leaves: tuple[int, ...], **settings: Any
) -> tuple[Forest, int]:
    """The forest with the leaf size that suits the training rows best; of equals the larger."""

    def forest(rows: Rows, leaf: int, **more: Any) -> Forest:
        made = method(trial.space, min_samples_leaf=leaf, **settings, **more)
        return made.fit(rows.X, rows.y)

    if rows.groups is None:
        candidates = {leaf: forest(rows, leaf, oob_score=True) for leaf in leaves}
        best = max(leaves, key=lambda leaf: (candidates[leaf].out_of_bag, leaf))
        return candidates[best], best
    regression = trial.space.regression
    inner = folds(rows, N_INNER_FOLDS, settings["random_state"], regression)

    def validated(leaf: int) -> float:
        return sum(
            goodness(forest(rows.taken(known), leaf), rows.taken(asked), regression)
            for known, asked in inner
        )

    best = max(leaves, key=lambda leaf: (validated(leaf), leaf))
    return forest(rows, best), best


def score(forest: Forest, rows: Rows, regression: bool) -> float:
    """RMSE, or the accuracy in percent."""
    found = forest.predict(rows.X)
    return rmse(rows.y, found) if regression else 100 * accuracy(rows.y, found)


def goodness(forest: Forest, rows: Rows, regression: bool) -> float:
    return score(forest, rows, regression) * (-1 if regression else 1)


def measured(task: Task, n_trees: int) -> dict[str, Any]:
    name, number, trial, method = task
    start = time.process_time()
    train, test = trial.load()
    forest, leaf = fitted(
        METHODS[method],
        trial,
        train,
        DATA[name].leaves,
        n_estimators=n_trees,
        n_jobs=1,
        random_state=number,
    )
    found = score(forest, test, trial.space.regression)
    seconds = time.process_time() - start
    return {"score": round(found, 6), "leaf": leaf, "seconds": round(seconds, 2)}


def tasks(folder: Path, names: list[str], methods: list[str], most: int | None) -> Iterator[Task]:
    """The first trial of every data set, so that the time is known early, then all others."""
    trials = {name: list(enumerate(DATA[name].trials(folder)))[:most] for name in names}
    for part in (slice(0, 1), slice(1, None)):
        for name in names:
            for number, trial in trials[name][part]:
                yield from ((name, number, trial, method) for method in methods)


def entry(report: dict[str, Any], name: str) -> dict[str, Any]:
    """What the report has of a data set."""
    data: DataSet = DATA[name]
    fresh = {"score": "rmse" if data.regression else "accuracy", "leaves": list(data.leaves)}
    found: dict[str, Any] = report["data"].setdefault(name, fresh | {"trials": {}})
    if found["leaves"] != fresh["leaves"]:
        raise SystemExit(
            f"accuracy.py: {name} was measured with leaves of {found['leaves']}, now they are "
            f"{fresh['leaves']}; remove it from the results or give another --output"
        )
    return found


def estimate(report: dict[str, Any], waiting: list[Task]) -> str:
    """CPU time by the mean of each method on each data set so far."""
    times: dict[tuple[str, str], list[float]] = {}
    for name, data in report["data"].items():
        for of_trial in data["trials"].values():
            for method, found in of_trial.items():
                times.setdefault((name, method), []).append(found["seconds"])
    known = [times[key] for name, _, _, method in waiting if (key := (name, method)) in times]
    minutes = sum(sum(of_key) / len(of_key) for of_key in known) / 60
    unknown = len(waiting) - len(known)
    return f"about {minutes:.1f} CPU minutes" + (f" and {unknown} unknown" if unknown else "")


def run(report: dict[str, Any], waiting: list[Task], given: argparse.Namespace) -> None:
    start = time.monotonic()
    for place, task in enumerate(waiting):
        if given.minutes and time.monotonic() - start > 60 * given.minutes:
            print(f"{len(waiting) - place} of {len(waiting)} are left for the next run", flush=True)
            break
        name, _, trial, method = task
        found = measured(task, given.trees)
        entry(report, name)["trials"].setdefault(trial.name, {})[method] = found
        write(report, given)
        print(
            f"{place + 1:5}/{len(waiting)} {name:20} {trial.name:14} {method:28} "
            f"{found['score']:8.3f}  leaf {found['leaf']:2}  {found['seconds']:6.1f} s; "
            + estimate(report, waiting[place + 1 :]),
            flush=True,
        )


def write(report: dict[str, Any], given: argparse.Namespace) -> None:
    report["machine"] = machine(["numpy", "scikit-learn"])
    report["trees"] = given.trees
    report |= tables(report, list(METHODS), given.against)
    text = json.dumps(report, indent=1)
    one_line = re.sub(r"\{[^{}]*\}", lambda match: " ".join(match[0].split()), text)
    fresh = given.output.with_suffix(".new")
    fresh.write_text(one_line + "\n")
    fresh.replace(given.output)


def read(given: argparse.Namespace) -> dict[str, Any]:
    if not given.output.exists():
        return {"machine": {}, "trees": given.trees, "against": given.against, "data": {}}
    report: dict[str, Any] = json.loads(given.output.read_text())
    if report["trees"] != given.trees:
        raise SystemExit(
            f"accuracy.py: {given.output} has forests of {report['trees']} trees, not of "
            f"{given.trees}; give another --output"
        )
    return report


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Forests side by side on the papers' data.")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--data", nargs="+", default=["*"], help="names or patterns: network_*")
    parser.add_argument("--trials", type=int, help="the most trials of a data set")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--minutes", type=float, help="begin nothing after so long")
    parser.add_argument("--against", choices=METHODS, default="geodesic")
    parser.add_argument("--again", action="store_true", help="measure again what is there")
    parser.add_argument("--table", action="store_true", help="measure nothing")
    parser.add_argument("--output", type=Path, default=RESULTS / "accuracy.json")
    given = parser.parse_args()
    patterns = given.data
    given.data = [name for name in DATA if any(fnmatchcase(name, p) for p in patterns)]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in DATA):
            parser.error(f"no data set is called {pattern}; there are {', '.join(DATA)}")
    return given


def main() -> None:
    given = arguments()
    report = read(given)
    if not given.table:
        warnings.simplefilter("ignore", UserWarning)  # projected rows of float32, idle splits
        folder = data_folder()
        for name in given.data:
            entry(report, name)["planned"] = len(DATA[name].trials(folder))
        asked = list(tasks(folder, given.data, given.methods, given.trials))
        waiting = [
            (name, number, trial, method)
            for name, number, trial, method in asked
            if given.again or method not in entry(report, name)["trials"].get(trial.name, {})
        ]
        print(f"{len(waiting)} of {len(asked)} are to be measured, {estimate(report, waiting)}")
        write(report, given)
        run(report, waiting, given)
    print(markdown(report, given.data, given.methods, given.against))
    if given.output == RESULTS / "accuracy.json":
        whole = markdown(report, list(DATA), list(METHODS), report["against"])
        PAGE.write_text(fill(PAGE.read_text(), "accuracy", whole, PAGE.name))


if __name__ == "__main__":
    main()
