"""One case while it runs: its calls, and what is found wrong with them."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from api import checks
from api.dice import Dice


@dataclass(frozen=True)
class Finding:
    """Something that must not be."""

    seed: int
    call: str
    #: What is wrong, the same for all findings of one kind.
    fault: str
    #: What was seen this time.
    detail: str


@dataclass
class Outcome:
    """What a call came to: a value, or an error."""

    value: Any = None
    error: BaseException | None = None
    messages: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.error is None


#: Told before every call: its name, and its arguments for those who want to see them.
Announce = Callable[[str, tuple[Any, ...], dict[str, Any]], None]


class Session:
    """The calls of one case, each announced before it is made and judged after it."""

    def __init__(self, seed: int, announce: Announce) -> None:
        self.seed = seed
        self.dice = Dice(seed)
        self.findings: list[Finding] = []
        self.n_calls = 0
        self.n_errors = 0
        self._announce = announce

    def call(
        self,
        name: str,
        function: Callable[..., Any],
        *arguments: Any,
        finite: bool = True,
        twice: bool = False,
        **named: Any,
    ) -> Outcome:
        """Call something and judge what comes of it.

        ``finite`` says whether a result that is not finite would be a surprise: no, where some of
        the arguments is not finite or the documentation says so. With ``twice`` the call is made
        again, and must come to the same.
        """
        before = [_snapshot(value) for value in (*arguments, *named.values())]
        outcome = self._once(name, function, arguments, named)
        after = [_snapshot(value) for value in (*arguments, *named.values())]
        if not checks.same_bits(before, after):
            self.found(name, "changes its arguments", "")
        if (
            finite
            and outcome.ok
            and not outcome.messages
            and not checks.is_finite(outcome.value)
            and checks.is_finite([arguments, named])
        ):
            self.found(name, "returns what is not finite", repr(outcome.value))
        if twice:
            again = self._once(name, function, arguments, named)
            if str(outcome.error) != str(again.error):
                self.found(name, "comes to another end", f"{outcome.error!r} and {again.error!r}")
            elif not checks.same_bits(outcome.value, again.value):
                self.found(name, "returns other bits", f"{outcome.value!r} and {again.value!r}")
        return outcome

    def require(self, name: str, fault: str, holds: Any, detail: Any = None) -> None:
        """Note a fault unless something holds."""
        if not holds:
            self.found(name, fault, "" if detail is None else repr(detail))

    def found(self, name: str, fault: str, detail: str) -> None:
        """Note that something must not be."""
        self.findings.append(Finding(self.seed, name, fault, detail))

    def _once(
        self,
        name: str,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> Outcome:
        self._announce(name, arguments, named)
        self.n_calls += 1
        outcome = Outcome()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                outcome.value = function(*arguments, **named)
            except Exception as error:
                outcome.error = error
                self.n_errors += 1
        outcome.messages = [str(warning.message) for warning in caught]
        for warning in caught:
            fault = checks.fault_of_warning(warning)
            if fault is not None:
                place = f"{warning.filename}:{warning.lineno}"
                self.found(name, fault, f"{warning.message} ({place})")
        if outcome.error is not None:
            fault = checks.fault_of_error(outcome.error)
            if fault is not None:
                place = checks.place_of_error(outcome.error)
                self.found(name, f"{fault} at {place}", str(outcome.error))
            outcome.error = outcome.error.with_traceback(None)
        return outcome


def _snapshot(value: Any) -> Any:
    """Return a copy of an array, so that a change of it can be seen; of all else nothing."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        return np.array(value)
    if isinstance(value, pd.DataFrame):
        return copy.deepcopy(value.to_numpy())
    return None
