"""What the tests share."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from sealed_files import ROOT, load_native


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def native() -> ModuleType:
    """The compiled module of tests/python/native, which set-up builds beside the package."""
    return load_native()
