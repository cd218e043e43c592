"""Inputs that can be read only once: pipes, FIFOs and standard input give what files give."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest


@pytest.fixture
def points(run, tmp_path):
    """Points and a model, both larger than the first read of any stream."""
    made = run("generate", "mixture", "-n", "1000", "--classes", "9", "-c", "poincare", "-o",
               "points.csv")  # fmt: skip
    assert made.returncode == 0, made.stderr
    trained = run("train", "points.csv", "-s", "H2", "-c", "poincare", "--n-trees", "10", "--no-cv",
                  "-o", "model.bent")  # fmt: skip
    assert trained.returncode == 0, trained.stderr
    assert (tmp_path / "model.bent").stat().st_size > 20_000
    return tmp_path / "points.csv"


class Fifos:
    """Each is written once, by a thread, to whoever opens it first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.writers: list[threading.Thread] = []

    def give(self, name: str, contents: bytes) -> None:
        path = self.folder / name
        os.mkfifo(path)
        self.writers.append(
            threading.Thread(target=path.write_bytes, args=(contents,), daemon=True)
        )
        self.writers[-1].start()

    def all_were_read(self) -> bool:
        for writer in self.writers:
            writer.join(10)
        return not any(writer.is_alive() for writer in self.writers)


@pytest.fixture
def fifos(tmp_path):
    (tmp_path / "fifos").mkdir()
    return Fifos(tmp_path / "fifos")


GEODESIC = ("--method", "geodesic-forest", "--n-trees", "5")
COMMANDS = {
    "inspect": ("inspect", "{points}", "-s", "H2", "-c", "poincare"),
    "inspect model": ("inspect", "{model}"),
    "convert": ("convert", "{points}", "-", "-s", "H2", "--from", "poincare", "--to", "klein"),
    "train": ("train", "{points}", "-s", "H2", "-c", "poincare", "--n-trees", "5", "-o", "-"),
    "train geodesic": ("train", "{points}", *GEODESIC, "-o", "-"),
    "predict": ("predict", "{model}", "{points}", "--proba"),
    "evaluate": ("evaluate", "{model}", "{points}"),
    "draw": ("draw", "{model}", "{points}"),
    "neighbors": ("neighbors", "{points}", "--n-trees", "5", "-k", "3"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_reads_fifos_as_it_reads_files(program, fifos, points, tmp_path, name):
    contents = {
        "points.csv": points.read_bytes(),
        "model.bent": (tmp_path / "model.bent").read_bytes(),
    }
    for file, held in contents.items():
        if f"{{{file.split('.')[0]}}}" in COMMANDS[name]:
            fifos.give(file, held)
    words = [word.format(points="points.csv", model="model.bent") for word in COMMANDS[name]]
    from_files, from_fifos = (
        subprocess.run([program, *words], cwd=folder, capture_output=True, timeout=20, check=False)
        for folder in (tmp_path, tmp_path / "fifos")
    )
    assert fifos.all_were_read()
    assert from_files.returncode == 0, from_files.stderr
    assert from_fifos.stderr == from_files.stderr
    assert from_fifos.stdout == from_files.stdout
    assert from_fifos.returncode == 0


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_no_row_of_a_pipe_is_lost(program, tmp_path):
    (tmp_path / "numbers.csv").write_text("".join(f"{row},1\n" for row in range(1, 20_001)))
    line = f"'{program}' inspect <(cat numbers.csv) --format csv --no-header"
    result = shell(line, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "20000 rows, 2 columns\n" in result.stdout
    assert "  c1           numbers from 1 to 20000\n" in result.stdout


@pytest.mark.parametrize(
    "given",
    ["<(cat model.bent)", "- < model.bent", "<(gzip -c model.bent)", "<(cat model.bent.gz)"],
)
def test_models_are_known_by_what_they_hold(program, points, tmp_path, given):
    (tmp_path / "model.bent.gz").write_bytes(gzip.compress((tmp_path / "model.bent").read_bytes()))
    result = shell(f"'{program}' inspect {given}", tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    expected = shell(f"'{program}' inspect model.bent", tmp_path)
    # All but the name, and the length of a line that has it.
    assert result.stdout.split(":", 1)[1] == expected.stdout.split(":", 1)[1]


@pytest.mark.parametrize("given", ["<(cat model.bent) points.csv", "- points.csv < model.bent"])
def test_models_come_from_pipes(program, points, tmp_path, given):
    result = shell(f"'{program}' predict {given}", tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    expected = shell(f"'{program}' predict model.bent points.csv", tmp_path)
    assert result.stdout == expected.stdout


def test_a_file_called_minus_is_not_standard_input(run, tmp_path):
    rows = "".join(f"{row},1\n" for row in range(800_000))
    (tmp_path / "-").write_text("x,y\n" + rows)
    assert "1 row, 2 columns" in run("inspect", "-", stdin="a,b\n1,2\n").stdout
    assert "800000 rows, 2 columns" in run("inspect", "./-", "--format", "csv").stdout


def test_waiting_for_a_fifo_that_nobody_writes_can_be_interrupted(program, tmp_path):
    os.mkfifo(tmp_path / "points.csv")
    for command in (["inspect", "points.csv"], ["predict", "points.csv", "points.csv"]):
        with subprocess.Popen([program, *command], cwd=tmp_path) as process:
            time.sleep(0.3)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=5) == 130
