"""Ctrl-C in a program of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time


def assert_ctrl_c_is_heard(code: str, seconds: float = 1) -> None:
    """Run a program that says "fitting" and press Ctrl-C: it must say "interrupted" and end."""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "fitting\n"
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGINT)
        try:
            assert process.communicate(timeout=30)[0] == "interrupted\n"
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        assert process.returncode == 0
