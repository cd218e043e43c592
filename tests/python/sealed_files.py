"""Model files taken apart, changed and sealed again: their checksums are right, whatever else."""

from __future__ import annotations

import importlib.util
import json
import struct
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def load_native() -> ModuleType:
    """Return the compiled module of tests/python/native, which set-up builds beside the package."""
    libraries = sorted((ROOT / "build" / "venv" / "python").glob("_bentwood_testing*.so"))
    assert libraries, "tests/python/native is not built; run `make test`"
    spec = importlib.util.spec_from_file_location("_bentwood_testing", libraries[0])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class SealedFile:
    """The metadata and the arrays of a model file."""

    def __init__(self, content: bytes) -> None:
        (size,) = struct.unpack("<Q", content[:8])
        header = json.loads(content[8 : 8 + size])
        data = content[8 + size :]
        self.metadata: dict[str, str] = {
            name: text
            for name, text in header.pop("__metadata__").items()
            if name != "checksum" and not name.startswith("xxh3.")
        }
        order = sorted(header, key=lambda name: header[name]["data_offsets"])
        #: Name, type, shape and bytes of each array, in the order of the file.
        self.tensors: list[tuple[str, str, list[int], bytes]] = [
            (name, header[name]["dtype"], header[name]["shape"], data[slice(*offsets)])
            for name in order
            for offsets in [header[name]["data_offsets"]]
        ]

    def bytes(self, native: ModuleType) -> bytes:
        """Return the file, with checksums that are right."""
        content: bytes = native.sealed(self.metadata, self.tensors)
        return content

    def copy(self) -> SealedFile:
        """Return a file that can be changed alone."""
        result = SealedFile.__new__(SealedFile)
        result.metadata = dict(self.metadata)
        result.tensors = list(self.tensors)
        return result

    @property
    def parameters(self) -> dict[str, Any]:
        """What the file says of the training."""
        result: dict[str, Any] = json.loads(self.metadata["parameters"])
        return result

    def set_parameters(self, **changed: Any) -> SealedFile:
        """Return a copy that says something else of it."""
        result = self.copy()
        result.metadata["parameters"] = json.dumps({**self.parameters, **changed})
        return result

    def set_metadata(self, **changed: str) -> SealedFile:
        """Return a copy with other metadata."""
        result = self.copy()
        result.metadata.update(changed)
        return result
