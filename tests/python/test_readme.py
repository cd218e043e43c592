"""The examples of the README and the documentation run as they are printed."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest


def blocks(language: str) -> list[str]:
    root = Path(__file__).resolve().parents[2]
    pattern = rf"^```{language}\n(.*?)^```"
    return [
        block
        for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]
        for block in re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    ]


def run(*command: str, folder: Path) -> None:
    programs = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_there_are_examples_to_run() -> None:
    assert blocks("python")
    assert blocks("shell")


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_examples_run(code: str, tmp_path: Path) -> None:
    run(sys.executable, "-W", "error", "-c", code, folder=tmp_path)


@pytest.mark.parametrize("code", blocks("shell"))
def test_the_shell_examples_run(code: str, tmp_path: Path) -> None:
    run("bash", "-euo", "pipefail", "-c", code, folder=tmp_path)


def test_the_tables_are_those_of_the_benchmarks(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(root / "bench")
    filled = runpy.run_path(str(root / "bench" / "run.py"))["filled"]
    text = (root / "README.md").read_text()
    assert filled(text) == text
