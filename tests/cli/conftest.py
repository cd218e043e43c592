"""Runs the program as a user would: through its arguments, streams and exit code."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def program() -> str:
    """The program under test: BENTWOOD_CLI, or the one that set-up installs."""
    path = Path(os.environ.get("BENTWOOD_CLI", ROOT / ".venv" / "bin" / "bentwood"))
    assert path.is_file(), f"{path} is not built; run `make test` or set BENTWOOD_CLI"
    return str(path.resolve())


@pytest.fixture
def run(program: str, tmp_path: Path) -> Run:
    """Run the program in a folder of its own; `stdin` is text."""

    def call(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )

    return call
