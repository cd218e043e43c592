"""A progress bar of text on standard error."""

from __future__ import annotations

import sys
import time

WIDTH = 30


class ProgressBar:
    """Shows how many trees are finished; called with their number."""

    def __init__(self, name: str, n_trees: int) -> None:
        self._name = name
        self._n_trees = n_trees
        self._started = time.monotonic()
        self._shown = -1

    def __call__(self, n_done: int) -> None:
        """Draw the bar anew; where nobody watches, only once it is full."""
        if n_done == self._shown or (n_done < self._n_trees and not sys.stderr.isatty()):
            return
        self._shown = n_done
        full = WIDTH * n_done // max(1, self._n_trees)
        bar = "#" * full + "." * (WIDTH - full)
        seconds = time.monotonic() - self._started
        end = "\n" if n_done == self._n_trees else ""
        sys.stderr.write(
            f"\r{self._name} [{bar}] {n_done}/{self._n_trees} trees, {seconds:.1f} s{end}"
        )
        sys.stderr.flush()
