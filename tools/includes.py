"""The project's own `#include "..."` lines: what the linters need to know about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def includes(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line number and the quoted path of every `#include "..."` of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = _INCLUDE.match(line)
        if match:
            yield number, match[1]


def closure(path: Path, root: Path) -> set[Path]:
    """Return the file and all files of the project that it includes, directly or not."""
    found = {path}
    waiting = [path]
    while waiting:
        current = waiting.pop()
        for _, name in includes(current):
            for candidate in (root / name, current.parent / name):
                if candidate.is_file() and candidate not in found:
                    found.add(candidate)
                    waiting.append(candidate)
    return found
