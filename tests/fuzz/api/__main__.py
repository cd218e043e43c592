"""Run or replay cases: ``python tests/fuzz/api --help``."""

import importlib
import sys
from pathlib import Path

# Python puts the folder that it was told to run in front; the package is what lies around it.
sys.path[0] = str(Path(__file__).resolve().parents[1])

sys.exit(importlib.import_module("api.command").main())
