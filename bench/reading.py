"""Reading a CSV file of numbers against pandas' default reader, one thread."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from harness import compare, write

from bentwood import io

N_ROWS = 1_000_000
N_COLUMNS = 8


def difference(frame: Any, table: dict[str, Any]) -> float:
    return max(float(np.abs(frame[name] - values).max()) for name, values in table.items())


def main() -> None:
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for digits, numbers in (
            ("17 digits", rng.normal(size=(N_ROWS, N_COLUMNS))),
            ("6 digits", rng.normal(size=(N_ROWS, N_COLUMNS)).round(6)),
        ):
            path = Path(folder) / "points.csv"
            io.write_table(path, {f"x{j}": numbers[:, j] for j in range(N_COLUMNS)})
            results.append(
                compare(
                    "read CSV",
                    f"{N_ROWS:,} x {N_COLUMNS}, {digits}",
                    "pandas",
                    # float_precision="round_trip" would read the same bits, slower.
                    lambda path=path: pd.read_csv(path),
                    lambda path=path: io.read_table(path, n_jobs=1),
                    difference,
                    1e-12,
                    rounds=5,
                )
            )
    write("reading", results, ["numpy", "pandas"])


if __name__ == "__main__":
    main()
