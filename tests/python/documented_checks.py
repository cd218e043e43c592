"""Which of scikit-learn's checks fail, as the table in docs/forests.md has it.

Tests give :func:`documented_failures` to ``parametrize_with_checks``. What it names must fail, as
``xfail_strict`` is set, and all else must pass: the table is exact or a test fails.
"""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from sealed_files import ROOT


class Failure(NamedTuple):
    """A row of the table: a check that fails, and a setting with which it passes, if any."""

    kind: str
    settings: dict[str, Any]
    check: str
    because: str
    passes_with: dict[str, Any]


def settings_of(call: str) -> tuple[str, dict[str, Any]]:
    """The name and the arguments of what reads ``Name(argument=1)``."""
    parsed = ast.parse(call, mode="eval").body
    assert isinstance(parsed, ast.Call)
    assert isinstance(parsed.func, ast.Name)
    return parsed.func.id, {
        str(argument.arg): ast.literal_eval(argument.value) for argument in parsed.keywords
    }


def documented() -> list[Failure]:
    text = (ROOT / "docs" / "forests.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+\(.*?\))` \| `(check_\w+)` \| ([^|`]+) \|(?: `(.*?)`)? \|$", text, re.MULTILINE
    )
    assert rows, "docs/forests.md has no table of failing checks"
    return [
        Failure(*settings_of(call), check, because, settings_of(f"f({escape})")[1])
        for call, check, because, escape in rows
    ]


def documented_failures(estimator: Any) -> dict[str, str]:
    """The checks that an estimator fails, and why."""

    def has(settings: dict[str, Any]) -> bool:
        return all(getattr(estimator, name) == value for name, value in settings.items())

    return {
        failure.check: failure.because
        for failure in documented()
        if failure.kind == type(estimator).__name__
        and has(failure.settings)
        and not (failure.passes_with and has(failure.passes_with))
    }
