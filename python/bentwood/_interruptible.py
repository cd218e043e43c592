"""Ctrl-C in long work of other libraries."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result]) -> Result:
    """Return what ``work`` returns, done by another thread while this one listens for Ctrl-C.

    For work that lets other threads run (releases the GIL) but never asks for signals. After Ctrl-C
    it goes on until its end, which nobody waits for, not even the end of the program: this thread
    would be as deaf there as in the work.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # raised where the result is asked for
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future.result()
