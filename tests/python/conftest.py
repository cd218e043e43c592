"""What the tests share."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def native() -> ModuleType:
    """The compiled module of tests/python/native, which set-up builds beside the package."""
    libraries = sorted((ROOT / "build" / "venv" / "python").glob("_bentwood_testing*.so"))
    assert libraries, "tests/python/native is not built; run `make test`"
    spec = importlib.util.spec_from_file_location("_bentwood_testing", libraries[0])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
