"""Readers of wide, compressed and hostile files: their memory and their limits."""

from __future__ import annotations

import gzip
import io as streams
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bentwood import io

MEGABYTE = 2**20


def peak_of(expression: str, folder: Path) -> float:
    """Return by how many megabytes an expression raises the peak of a process of its own."""
    code = (
        "from pathlib import Path\n"
        "from bentwood import io\n"
        "def peak():\n"
        "    status = Path('/proc/self/status').read_text().splitlines()\n"
        "    return next(int(line.split()[1]) / 1024 for line in status if 'VmHWM' in line)\n"
        "before = peak()\n"
        f"{expression}\n"
        "print(peak() - before)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert result.stderr == ""
    return float(result.stdout)


@pytest.mark.parametrize(
    "array",
    [
        np.random.default_rng(0).normal(size=(70_000, 3)),
        np.asfortranarray(np.random.default_rng(0).normal(size=(70_000, 3))),
        np.random.default_rng(0).normal(size=(1000, 300)).astype(">f4"),
        np.asfortranarray(
            np.random.default_rng(0).integers(-9, 9, size=(300, 7000), dtype=np.int8)
        ),
        np.random.default_rng(0).choice(["ant", "bee", "wäsp"], size=(400_000, 1)),
    ],
)
def test_compressed_arrays_are_those_that_numpy_saved(
    tmp_path: Path, array: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> None:
    np.savez_compressed(tmp_path / "a.npz", X=array, classes=np.array(["a", "b"]))
    np.save(tmp_path / "a.npy", array)
    for name in ("a.npz", "a.npy"):
        table = io.read_table(tmp_path / name)
        assert list(table) == [f"c{col + 1}" for col in range(array.shape[1])]
        assert_array_equal(np.column_stack(list(table.values())), array)


# A list and a matrix take another way through the reader.
@pytest.mark.parametrize("shape", [(7_500_000,), (1_500_000, 5)])
def test_compressed_arrays_are_in_memory_once(tmp_path: Path, shape: tuple[int, ...]) -> None:
    zeros = np.zeros(shape)
    np.savez_compressed(tmp_path / "a.npz", X=zeros)
    assert peak_of("io.read_table('a.npz')", tmp_path) < 1.5 * zeros.nbytes / MEGABYTE


def bombs() -> dict[str, bytes]:
    """Return small files that would take more than 64 MiB."""
    files = {}
    for name, zeros in {
        "doubles": np.zeros(9_000_000),
        "whole": np.zeros(9_000_000, dtype=np.int8),
        "texts": np.zeros(3_000_000, dtype="S1"),
        "matrix": np.zeros((10, 900_000)),
    }.items():
        packed = streams.BytesIO()
        np.savez_compressed(packed, X=zeros)
        files[f"{name}.npz"] = packed.getvalue()
    several = streams.BytesIO()
    np.savez_compressed(several, **{f"a{column}": np.zeros(500_000) for column in range(20)})
    files["several.npz"] = several.getvalue()
    # Compressed twice: less than 256 times each time.
    twice = streams.BytesIO()
    np.savez_compressed(twice, X=np.zeros(9_000_000))
    files["twice.npz.gz"] = gzip.compress(twice.getvalue())
    plain = streams.BytesIO()
    np.save(plain, np.zeros(9_000_000, dtype=np.int8))
    files["whole.npy.gz"] = gzip.compress(plain.getvalue())
    files["text.csv.gz"] = gzip.compress(b"x\n" + b"1\n" * 40_000_000)
    return files


def test_nothing_expands_to_more_than_256_times_its_size(tmp_path: Path) -> None:
    for name, contents in bombs().items():
        (tmp_path / name).write_bytes(contents)
        assert len(contents) < MEGABYTE / 4
        refused = (
            "import pytest\n"
            "with pytest.raises(ValueError) as raised:\n"
            f"    io.read_table({name!r})\n"
            f"expected = '{name}: expands to more than 256 times its size; '\n"
            "assert str(raised.value).startswith(expected)"
        )
        assert peak_of(refused, tmp_path) < 160, name


def test_what_to_do_with_an_archive_that_expands_too_much(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, X=np.zeros(9_000_000))
    with pytest.raises(ValueError) as raised:
        io.read_points(path)
    assert str(raised.value) == (
        f"{path}: expands to more than 256 times its size; save it without compression if that is "
        "right"
    )
    np.savez(path, X=np.zeros(9_000_000))
    assert len(io.read_table(path)["X"]) == 9_000_000


def test_archives_of_many_arrays_are_read(tmp_path: Path) -> None:
    n_arrays = 65_000
    np.savez(tmp_path / "a.npz", **{f"a{column}": np.full(2, column) for column in range(n_arrays)})
    table = io.read_table(tmp_path / "a.npz")
    assert list(table) == [f"a{column}" for column in range(n_arrays)]
    assert_array_equal(np.column_stack(list(table.values()))[1], np.arange(n_arrays))


# The square of the number of columns would take minutes.
def test_wide_tables_are_read_and_written(tmp_path: Path) -> None:
    n_columns = 200_000
    path = tmp_path / "points.csv"
    path.write_text(
        ",".join(f"x{column}" for column in range(n_columns))
        + "\n"
        + (",".join(["1"] * n_columns) + "\n") * 3
    )
    points = io.read_points(path)
    assert points.X.shape == (3, n_columns)
    assert peak_of("io.read_points('points.csv')", tmp_path) < 40 * path.stat().st_size / MEGABYTE
    io.write_table(tmp_path / "a.npy", dict(zip(points.feature_names, points.X.T, strict=True)))
    assert_array_equal(np.load(tmp_path / "a.npy"), points.X)


def test_tables_have_a_million_columns_at_most(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("1," * 1_000_000 + "1\n")
    for header in (True, False):
        with pytest.raises(ValueError) as raised:
            io.read_table(path, header=header)
        assert str(raised.value) == (
            f"{path}:1: more than 1000000 fields, expected at most so many columns"
        )
    (tmp_path / "words.vec").write_text("1 1000000\nant" + " 1" * 1_000_000 + "\n")
    with pytest.raises(ValueError) as raised:
        io.read_table(tmp_path / "words.vec")
    assert str(raised.value) == (
        f"{tmp_path}/words.vec:1: 1000000 dimensions, expected less than 1000000"
    )


ENDLESS = {
    "csv": "holds a NUL byte, expected text",
    "word2vec": "holds a NUL byte, expected text",
    "npy": "is not an NPY file",
    "npz": "is not an NPZ file (a zip archive of arrays)",
}


@pytest.mark.parametrize("format_", ENDLESS)
def test_inputs_without_end_are_refused_by_what_they_begin_with(format_: str) -> None:
    with pytest.raises(ValueError) as raised:
        io.read_table("/dev/zero", format=format_)
    place = "/dev/zero:1" if format_ in ("csv", "word2vec") else "/dev/zero"
    assert str(raised.value) == f"{place}: {ENDLESS[format_]}"


def test_inputs_without_end_are_refused_by_their_length(tmp_path: Path) -> None:
    # The memory that a process may have counts as all that there is.
    code = (
        "import resource\n"
        "from bentwood import io\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, 4 * 10**9))\n"
        "try:\n"
        "    io.read_table('/dev/stdin', format='csv')\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    with subprocess.Popen(["yes", "1,2"], stdout=subprocess.PIPE) as endless:
        result = subprocess.run(
            [sys.executable, "-c", code],
            stdin=endless.stdout,
            capture_output=True,
            text=True,
            timeout=100,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            check=False,
        )
        endless.kill()
    assert result.stderr == ""
    assert result.stdout == (
        "/dev/stdin: goes on after 1.0 GB, a quarter of the free memory; save it to a file first "
        "if it has an end\n"
    )
