"""Reading a CSV file of numbers against pandas' default reader.

With all cores, and with both held to one.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from harness import Comparison, compare, write

from bentwood import io

N_ROWS = 1_000_000
N_COLUMNS = 8


def difference(frame: Any, table: dict[str, Any]) -> float:
    return max(float(np.abs(frame[name] - values).max()) for name, values in table.items())


def read(path: Path, digits: str) -> Comparison:
    return compare(
        "read CSV",
        f"{N_ROWS:,} x {N_COLUMNS}, {digits}",
        "pandas",
        # float_precision="round_trip" would read the same numbers to the last bit, slower.
        lambda: pd.read_csv(path),
        lambda: io.read_table(path),
        difference,
        1e-12,
        rounds=5,
    )


def main() -> None:
    rng = np.random.default_rng(0)
    results = []
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points.csv"
        for digits, numbers in (
            ("17 digits", rng.normal(size=(N_ROWS, N_COLUMNS))),
            ("6 digits", rng.normal(size=(N_ROWS, N_COLUMNS)).round(6)),
        ):
            io.write_table(path, {f"x{j}": numbers[:, j] for j in range(N_COLUMNS)})
            # All cores first: pandas makes as many threads as it finds at its first reading.
            os.sched_setaffinity(0, cores)
            results.append(read(path, f"{digits}, {len(cores)} cores"))
            os.sched_setaffinity(0, {min(cores)})
            results.append(read(path, f"{digits}, one core"))
    write("reading", results, ["numpy", "pandas"])


if __name__ == "__main__":
    main()
