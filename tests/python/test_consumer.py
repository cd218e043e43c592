"""The C++ package: a program of somebody else's builds against the installed prefix and runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

EXPECTED = """\
H2(-0.5) x (S2)^2 9
1000 0 1
bad signature "H2 x S0" at character 7: a dimension must be at least 1, found 0
"""


def run(*command: str | Path, **environment: str) -> str:
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def prefix(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prefix that was installed in one place and then moved to another."""
    first = tmp_path_factory.mktemp("install") / "first"
    build = root / "build" / "venv"
    run("cmake", "--install", build, "--component", "development", "--prefix", first)
    return Path(shutil.move(first, first.with_name("second")))


def test_a_program_builds_through_find_package(root: Path, prefix: Path, tmp_path: Path) -> None:
    source = root / "tests" / "consumer"
    run("cmake", "-G", "Ninja", "-S", source, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path)
    assert run(tmp_path / "consumer") == EXPECTED


def test_a_program_builds_through_pkg_config(root: Path, prefix: Path, tmp_path: Path) -> None:
    (package_file,) = prefix.rglob("bentwood.pc")
    flags = run(
        "pkg-config", "--cflags", "--libs", "bentwood", PKG_CONFIG_PATH=str(package_file.parent)
    ).split()
    program = tmp_path / "consumer"
    run("g++", "-std=c++20", root / "tests" / "consumer" / "main.cpp", "-o", program, *flags)
    assert run(program) == EXPECTED


def test_the_export_has_one_target(prefix: Path) -> None:
    (targets,) = prefix.rglob("bentwoodTargets.cmake")
    text = targets.read_text()
    assert "add_library(bentwood::bentwood STATIC IMPORTED)" in text
    assert text.count("add_library(") == 1


def test_every_installed_header_compiles_with_nothing_but_the_standard_library(
    prefix: Path, tmp_path: Path
) -> None:
    headers = sorted((prefix / "include").rglob("*.hpp"))
    assert prefix / "include/bentwood/geometry/manifold.hpp" in headers
    for header in headers:
        # The standard library's headers lie in no folder; <hwy/...> or <fmt/...> would be found.
        assert not re.findall(r"#include <.*/.*>", header.read_text()), header
    source = tmp_path / "all.cpp"
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    run("g++", "-std=c++20", "-fsyntax-only", *warnings, "-I", prefix / "include", source)
    names = {header.relative_to(prefix / "include").parts[0] for header in headers}
    assert names == {"bentwood"}
