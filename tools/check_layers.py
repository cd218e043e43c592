"""Compare the `#include`s with the table of docs/architecture.md: which folder may include which.

    python tools/check_layers.py [ROOT]

Prints one line an offence, `file:line: what is wrong`, and exits 1 where there is any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from includes import includes

TABLE = Path("docs/architecture.md")
_HEADER = re.compile(r"^\|\s*folder\s*\|\s*may include\s*\|")
_NAME = re.compile(r"`([^`]+)`")


def read_table(text: str) -> dict[str, set[str]]:
    """Return the folders of the table, each with the folders that it may include."""
    lines = iter(text.splitlines())
    if not any(_HEADER.match(line) for line in lines):
        raise ValueError(f"{TABLE}: no table with the columns 'folder' and 'may include'")
    next(lines)
    allowed = {}
    for line in lines:
        if not line.startswith("|"):
            break
        folder, included = line.strip("|").split("|")[:2]
        allowed[_NAME.findall(folder)[0]] = set(_NAME.findall(included))
    return allowed


def folder_of(path: str, folders: set[str]) -> str | None:
    """Return the folder of the table that a path lies in: the longest where they nest."""
    inside = [folder for folder in folders if path.startswith(folder + "/")]
    return max(inside, key=len, default=None)


def offences(root: Path) -> Iterator[str]:
    """Yield a line for every include that the table does not allow and every folder it omits."""
    allowed = read_table((root / TABLE).read_text(encoding="utf-8"))
    folders = set(allowed)
    for source in sorted(_sources(root)):
        name = source.relative_to(root).as_posix()
        folder = folder_of(name, folders)
        if folder is None:
            yield f"{name}:1: its folder is not in the table of {TABLE}"
            continue
        for line, included in includes(source):
            target = folder_of(included, folders)
            if target is None:
                if not (source.parent / included).is_file():
                    yield f"{name}:{line}: {included} is in no folder of the table of {TABLE}"
            elif target != folder and target not in allowed[folder]:
                may = ", ".join(sorted(allowed[folder])) or "no other folder"
                yield f"{name}:{line}: {folder} may include {may}, not {target}"


def _sources(root: Path) -> Iterator[Path]:
    for folder in ("bentwood", "cli", "python/src"):
        for pattern in ("*.hpp", "*.cpp"):
            yield from (root / folder).rglob(pattern)


def main() -> int:
    """Check the repository and report."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    found = list(offences(root))
    print("\n".join(found) if found else "layers: every #include is in the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
