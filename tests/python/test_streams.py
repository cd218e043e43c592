"""FIFOs are read once, and waiting for them can be interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import bentwood
from bentwood import io
from interrupting import assert_ctrl_c_is_heard


def give(path: Path, contents: bytes) -> None:
    """Make a FIFO and write to it, once, whatever reads it first."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(contents,), daemon=True).start()


def read_elsewhere(expression: str, path: Path) -> str:
    """Evaluate in a process of its own, which may be ended if it waits for ever."""
    code = f"import bentwood\nfrom bentwood import io\nprint({expression})"
    result = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert result.stderr == ""
    return result.stdout.strip()


@pytest.mark.parametrize("n_rows", [3, 30_000])
def test_tables_and_graphs_are_read_from_fifos(tmp_path: Path, n_rows: int) -> None:
    rows = "".join(f"{row},{row + 1}\n" for row in range(n_rows)).encode()
    path = tmp_path / "points.csv"
    give(path, b"x,y\n" + rows)
    reading = "[column.sum() for column in io.read_table(__import__('sys').argv[1]).values()]"
    total = n_rows * (n_rows - 1) / 2
    expected = [np.float64(total), np.float64(total + n_rows)]
    assert read_elsewhere(reading, path) == str(expected)
    path.unlink()
    give(path, b"x,y\n" + rows)
    reading = "io.read_points(__import__('sys').argv[1]).X.shape"
    assert read_elsewhere(reading, path) == str((n_rows, 2))
    path.unlink()
    give(path, b"source,target\n" + rows)
    reading = "io.read_graph(__import__('sys').argv[1]).edges.shape"
    assert read_elsewhere(reading, path) == str((n_rows, 2))


def test_models_and_arrays_are_read_from_fifos(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(500, 2))
    y = np.random.default_rng(1).integers(0, 5, size=500)
    forest = bentwood.ManifoldForestClassifier("E2", n_estimators=5, random_state=0).fit(X, y)
    forest.save(tmp_path / "model.bent")
    give(tmp_path / "fifo.bent", (tmp_path / "model.bent").read_bytes())
    assert_array_equal(bentwood.load(tmp_path / "fifo.bent").predict(X), forest.predict(X))
    for name in ("a.npy", "a.npz"):
        np.savez(tmp_path / name, X=X) if name == "a.npz" else np.save(tmp_path / name, X)
        give(tmp_path / f"fifo.{name}", (tmp_path / name).read_bytes())
        assert_array_equal(io.read_points(tmp_path / f"fifo.{name}").X, X)


@pytest.mark.parametrize(
    "call", ["io.read_points(path)", "io.read_graph(path)", "bentwood.load(path)"]
)
def test_the_first_ctrl_c_ends_waiting_for_a_fifo(tmp_path: Path, call: str) -> None:
    path = tmp_path / "points.csv"
    os.mkfifo(path)
    assert_ctrl_c_is_heard(
        "import bentwood\n"
        "from bentwood import io\n"
        f"path = {str(path)!r}\n"
        "print('fitting', flush=True)\n"
        "try:\n"
        f"    {call}\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n",
        seconds=0.3,
    )


def test_ctrl_c_ends_waiting_for_a_writer_that_stops(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    os.mkfifo(path)
    assert_ctrl_c_is_heard(
        "import os, threading\n"
        "from bentwood import io\n"
        f"path = {str(path)!r}\n"
        "def write():\n"
        "    file = os.open(path, os.O_WRONLY)\n"
        "    os.write(file, b'x,y\\n1,2\\n')\n"
        "    threading.Event().wait()\n"
        "threading.Thread(target=write, daemon=True).start()\n"
        "print('fitting', flush=True)\n"
        "try:\n"
        "    io.read_points(path)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "os._exit(0)\n",
        seconds=0.3,
    )
