"""Generators of data sets, with arguments by their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from api.arguments import draw_named
from api.checks import numbers_in
from api.dice import Dice
from api.session import Session
from api.spaces import COORDINATES, draw_space
from api.targets import EXTREME_WEIGHTS
from api.values import count, number
from bentwood import datasets
from bentwood.geometry import Manifold

FUNCTIONS = [
    function
    for function in (getattr(datasets, name) for name in datasets.__all__)
    if inspect.isfunction(function)
]


def run(session: Session) -> None:
    """Make a data set."""
    dice = session.dice
    function = dice.choice(FUNCTIONS)
    arguments = draw_named(dice, function, _ARGUMENTS)
    made = session.call(function.__name__, function, twice=True, **arguments)
    if made.ok and "signature" in arguments and "coordinates" in arguments:
        manifold = Manifold(arguments["signature"], arguments["coordinates"], n_jobs=1)
        points = next(numbers_in(made.value))
        inside = session.call("Manifold.contains", manifold.contains, points)
        session.require(function.__name__, "leaves the manifold", inside.ok and inside.value.all())


def _signature(dice: Dice) -> str:
    return draw_space(dice, hyperbolic=dice.chance(0.5)).signature


def _class_weights(dice: Dice) -> Any:
    values = EXTREME_WEIGHTS if dice.mood == "extreme" else (0.5, 1.0, 2.0)
    return dice.one_of(None, [dice.choice(values) for _ in range(dice.randint(1, 4))])


def _parents(dice: Dice) -> Any:
    if dice.chance(0.5):
        return None
    parents = [dice.randrange(max(1, node)) for node in range(dice.randint(1, 12))]
    if dice.is_wrong(0.5):
        parents[dice.randrange(len(parents))] = count(dice)
    return parents


_ARGUMENTS: dict[str, Callable[[Dice], Any]] = {
    "n_samples": lambda dice: count(dice, most=60),
    "signature": _signature,
    "coordinates": lambda dice: dice.choice(COORDINATES),
    "n_classes": lambda dice: count(dice, most=4),
    "noise": number,
    "class_weights": _class_weights,
    "label_noise": number,
    "random_state": lambda dice: dice.randrange(2**64),
    "n_jobs": lambda dice: dice.one_of(1, 1, 2, None),
    "parents": _parents,
    "branching": lambda dice: count(dice, most=3),
    "depth": lambda dice: count(dice, most=4),
    "edge_length": number,
    "curvature": lambda dice: -number(dice),
    "label_depth": lambda dice: count(dice, most=3),
    "radius": lambda dice: dice.one_of(number(dice), 0.9),
    "margin": lambda dice: dice.one_of(number(dice), 0.05),
    "offset": lambda dice: dice.one_of(number(dice), 0.2),
    "n_noise": lambda dice: count(dice, most=5),
    "noise_variance": number,
}
