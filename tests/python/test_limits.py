"""Work under limits of memory and of processes; `make fuzz` does the same at length."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# OpenBLAS ends the process where it cannot make its threads.
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}

FAULTY = """
import os, sys
from pathlib import Path
import sweep

def abort(folder): os.abort()
def fail(folder): raise RuntimeError("another error")
def lack(folder): raise MemoryError

sweep.PYTHON_JOBS[:] = [abort, fail, lack]
sweep.PROGRAM_JOBS[:] = ["inspect nowhere.csv"]
sys.exit(sweep.sweep(Path(sys.argv[1]), 6, 0, 0))
"""


def test_work_under_limits_ends_in_a_result_or_a_clear_error(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, root / "tests" / "limits" / "sweep.py", "12", "4"],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 faults" in done.stdout


def test_the_sweep_tells_faults_from_clear_errors(root: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULTY, tmp_path],
        capture_output=True,
        text=True,
        check=False,
        cwd=root / "tests" / "limits",
        env=ENVIRONMENT,
    )
    assert done.stdout.count("FAULT: inspect nowhere.csv") == 3
    assert done.stdout.count("FAULT: abort, ") == 1
    assert done.stdout.count("FAULT: fail, ") == 1
    assert done.stdout.endswith("limits: 0 results, 1 clear errors, 5 faults\n")
    assert done.returncode == 5
