"""The project's own checkers: each must fail on what it is there to find."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ARCHITECTURE = """\
# Layers

| folder | may include |
| --- | --- |
| `bentwood/base` | |
| `bentwood/geometry` | `bentwood/base` |
| `cli` | `bentwood/base`, `bentwood/geometry` |

More text, and another table.

| folder | holds |
| --- | --- |
| `bentwood/other` | things |
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project that obeys its table."""
    files = {
        "docs/architecture.md": ARCHITECTURE,
        "bentwood/base/error.hpp": "#pragma once\n#include <string>\n",
        "bentwood/geometry/ball.hpp": '#pragma once\n#include "bentwood/base/error.hpp"\n',
        "bentwood/geometry/ball.cpp": '#include "bentwood/geometry/ball.hpp"\n',
        "cli/main.cpp": '#include "bentwood/geometry/ball.hpp"\n#include "cli/main.hpp"\n',
        "cli/main.hpp": "#pragma once\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def check_layers(root: Path, project: Path) -> tuple[int, str]:
    result = subprocess.run(
        [sys.executable, root / "tools" / "check_layers.py", project],
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout + result.stderr


def test_a_project_that_obeys_its_table_passes(root: Path, project: Path) -> None:
    assert check_layers(root, project) == (0, "layers: every #include is in the table\n")


def test_an_include_of_a_higher_layer_is_found(root: Path, project: Path) -> None:
    header = project / "bentwood/base/error.hpp"
    header.write_text('#pragma once\n\n#  include "bentwood/geometry/ball.hpp"\n')
    assert check_layers(root, project) == (
        1,
        "bentwood/base/error.hpp:3: bentwood/base may include no other folder, "
        "not bentwood/geometry\n",
    )


def test_every_offence_is_named(root: Path, project: Path) -> None:
    source = project / "bentwood/geometry/ball.cpp"
    source.write_text('#include "cli/main.hpp"\n#include "bentwood/nowhere/x.hpp"\n')
    assert check_layers(root, project) == (
        1,
        "bentwood/geometry/ball.cpp:1: bentwood/geometry may include bentwood/base, not cli\n"
        "bentwood/geometry/ball.cpp:2: bentwood/nowhere/x.hpp is in no folder of the table of "
        "docs/architecture.md\n",
    )


def test_a_folder_that_the_table_omits_is_found(root: Path, project: Path) -> None:
    (project / "bentwood/other").mkdir()
    (project / "bentwood/other/new.cpp").write_text("")
    assert check_layers(root, project) == (
        1,
        "bentwood/other/new.cpp:1: its folder is not in the table of docs/architecture.md\n",
    )


def test_a_document_without_the_table_is_an_error(root: Path, project: Path) -> None:
    (project / "docs/architecture.md").write_text("# Layers\n")
    status, output = check_layers(root, project)
    assert status == 1
    assert "docs/architecture.md: no table with the columns 'folder' and 'may include'" in output


def test_the_readme_names_the_packages_that_set_up_installs(root: Path) -> None:
    setup = (root / "tools" / "setup.sh").read_text()
    listed = re.search(r"build_packages=\(\n(.*?)\n\)", setup, re.DOTALL)
    named = re.search(
        r"apt-get install ((?:.*\\\n)*.*)\n", (root / "README.md").read_text(), re.MULTILINE
    )
    assert listed is not None
    assert named is not None
    assert set(named[1].replace("\\", " ").split()) == set(listed[1].split())


def test_the_library_keeps_away_from_subranges_that_the_fuzzers_compiler_refuses(
    root: Path,
) -> None:
    # Clang 14 with libstdc++ 12; nothing else of every day's builds compiles with it.
    returns_a_subrange = re.compile(
        r"\branges::(unique|remove|remove_if|partition|stable_partition|rotate|search|search_n"
        r"|find_end|equal_range|subrange)\b|\bviews::"
    )
    found = [
        f"{source.relative_to(root)}:{number}"
        for source in sorted((root / "bentwood").rglob("*.[ch]pp"))
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
        if returns_a_subrange.search(line)
    ]
    assert found == []
