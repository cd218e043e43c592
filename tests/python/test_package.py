"""The installed package: version, types, examples, and the program beside it."""

from __future__ import annotations

import doctest
import importlib.metadata
import re
from importlib.resources import files
from pathlib import Path

import matplotlib as mpl
import pytest

import bentwood

mpl.use("Agg")
SOURCES = Path(bentwood.__file__).parent.glob("*.py")
WITH_EXAMPLES = sorted(path.stem for path in SOURCES if ">>> " in path.read_text())


def test_the_version_is_the_one_of_cmake_everywhere(root: Path) -> None:
    project = re.search(
        r"project\(bentwood VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text()
    )
    assert project is not None
    assert bentwood.__version__ == project[1]
    assert importlib.metadata.version("bentwood") == project[1]


def test_type_checkers_find_types_and_the_stub_of_the_compiled_half() -> None:
    package = files("bentwood")
    assert (package / "py.typed").is_file()
    assert "version: str" in (package / "_core.pyi").read_text()


def test_the_package_holds_nothing_but_itself() -> None:
    package = files("bentwood")
    suffixes = {Path(entry.name).suffix for entry in package.iterdir() if entry.is_file()}
    assert suffixes <= {".py", ".pyi", ".so", ".typed", ""}


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_the_docstrings_are_right(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"bentwood.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
