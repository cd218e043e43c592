"""Pipes, Ctrl-C and terminals."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time

import pytest


def test_a_reader_that_leaves_early_ends_the_program_quietly(program):
    with subprocess.Popen(
        [program, "generate", "uniform", "-n", "200000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"x0,x1,x2\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == -signal.SIGPIPE


def test_commands_work_as_a_pipeline(program):
    line = (
        f"'{program}' generate mixture -n 100 -c poincare"
        f" | '{program}' convert - - -s H2 --from poincare --to ambient"
        f" | '{program}' inspect - -s H2"
    )
    result = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
    assert "H2 in ambient coordinates: 100 of 100 rows on the manifold" in result.stdout
    assert result.stderr == ""


# Long enough that no machine is done after the pause; it stops within a fraction of it.
LONG = ["generate", "mixture", "-s", "H8", "-n", "1500000", "-o", "points.csv"]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted_work_ends_with_130_and_leaves_nothing(program, tmp_path, threads):
    with subprocess.Popen(
        [program, *LONG, "--threads", threads],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (output, errors) == (b"", b"")
    assert list(tmp_path.iterdir()) == []


def test_interrupted_writing_keeps_the_old_file(program, tmp_path):
    (tmp_path / "points.csv").write_text("precious\n")
    with subprocess.Popen([program, "generate", "uniform", "-n", "2000000", "-o", "points.csv"],
                          cwd=tmp_path) as process:  # fmt: skip
        # The temporary file appears when writing begins.
        while process.poll() is None and len(list(tmp_path.iterdir())) == 1:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
    assert [path.name for path in tmp_path.iterdir()] == ["points.csv"]
    if process.returncode == 130:
        assert (tmp_path / "points.csv").read_text() == "precious\n"
    else:  # The rename won the race: then the new file is whole.
        assert process.returncode == 0
        assert (tmp_path / "points.csv").read_text().count("\n") == 2_000_001


def test_waiting_for_standard_input_can_be_interrupted(program):
    with subprocess.Popen(
        [program, "inspect", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == 130


def test_progress_is_for_terminals_only(program, tmp_path):
    arguments = [program, "generate", "uniform", "-n", "5", "-o", "points.csv"]
    piped = subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=True)
    assert piped.stderr == b""
    for quiet, expected in ((False, b"wrote 5 rows to points.csv\r\n"), (True, b"")):
        ours, theirs = pty.openpty()
        subprocess.run(arguments + ["--quiet"] * quiet, cwd=tmp_path, stderr=theirs, check=True)
        os.close(theirs)
        try:
            shown = os.read(ours, 1000)
        except OSError:  # The other end is closed and nothing was written.
            shown = b""
        os.close(ours)
        assert shown == expected
