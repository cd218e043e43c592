"""Print the requirements of pyproject.toml, one a line: to build, to run, to test, to lint."""

from __future__ import annotations

import tomllib
from pathlib import Path


def main() -> None:
    """Print the requirements."""
    root = Path(__file__).resolve().parents[1]
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    extras = project["optional-dependencies"].values()
    for group in (pyproject["build-system"]["requires"], project["dependencies"], *extras):
        print("\n".join(group))


if __name__ == "__main__":
    main()
