"""Run clang-tidy on the sources that changed since they last passed.

    python tools/tidy.py BUILD_DIR

A source is known to pass when nothing that can change the verdict has changed: its text, the
project's headers it includes, its compile command, the configuration and the program. A hash of all
that names an empty file in build/tidy.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from includes import closure

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / "build" / "tidy"
PROGRAM = str(Path(sys.executable).parent / "clang-tidy")
FOLDERS = [ROOT / "bentwood", ROOT / "cli", ROOT / "python" / "src"]


def sources(build_dir: Path) -> dict[Path, str]:
    """Return the compile command of every source of the library, the program and the bindings."""
    entries = json.loads((build_dir / "compile_commands.json").read_text())
    commands = {Path(entry["file"]): entry["command"] for entry in entries}
    return {
        path: command
        for path, command in sorted(commands.items())
        if any(path.is_relative_to(folder) for folder in FOLDERS)
    }


def key(path: Path, command: str, version: str) -> str:
    """Return the hash of everything that the verdict on a source depends on."""
    digest = hashlib.sha256()
    for text in (version, (ROOT / ".clang-tidy").read_text(), command):
        digest.update(text.encode() + b"\0")
    for file in sorted(closure(path, ROOT)):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def passes(path: Path, build_dir: Path) -> bool:
    """Run clang-tidy on one source and print its findings."""
    result = subprocess.run(
        [PROGRAM, "-p", str(build_dir), "--quiet", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        print(result.stdout or result.stderr, flush=True)
    return result.returncode == 0


def main() -> int:
    """Check all sources, the unchanged ones from memory, and report."""
    build_dir = Path(sys.argv[1]).resolve()
    version = subprocess.run(
        [PROGRAM, "--version"], capture_output=True, text=True, check=True
    ).stdout
    CACHE.mkdir(parents=True, exist_ok=True)

    known = {
        path: CACHE / key(path, command, version) for path, command in sources(build_dir).items()
    }
    if not known:
        print(f"clang-tidy: {build_dir} compiles none of the project's sources")
        return 1
    changed = [path for path, verdict in known.items() if not verdict.exists()]
    n_bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = pool.map(lambda path: passes(path, build_dir), changed)
        for path, passed in zip(changed, verdicts, strict=True):
            if passed:
                known[path].touch()
            else:
                n_bad += 1
    print(f"clang-tidy: {len(known)} sources, {len(changed)} changed, {n_bad} bad")
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
