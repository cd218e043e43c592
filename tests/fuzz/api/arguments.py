"""Arguments of functions, drawn by their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from api.dice import Dice
from api.values import wrong


def draw_named(
    dice: Dice, function: Callable[..., Any], menu: Mapping[str, Callable[[Dice], Any]]
) -> dict[str, Any]:
    """Return arguments for a function; those that have a default are often left out.

    Raises LookupError where the menu does not know one: then the function is new, or has changed.
    """
    arguments = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in menu:
            raise LookupError(f"no menu for {name} of {function.__name__}")
        needed = parameter.default is inspect.Parameter.empty
        # Otherwise a thousand rows, or other data every time.
        if needed or name in ("n_samples", "random_state") or dice.chance(0.5):
            arguments[name] = wrong(dice) if dice.is_wrong(0.15) else menu[name](dice)
    return arguments
