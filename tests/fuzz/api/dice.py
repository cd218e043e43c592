"""What is drawn for one case."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np

T = TypeVar("T")

#: What a case tries: what should work, numbers at the ends of their ranges, or what should be
#: refused.
Mood = Literal["plain", "extreme", "wrong"]


class Dice(random.Random):
    """A source of chance that depends on the seed alone, and the mood that it has thrown."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.numbers = np.random.default_rng(seed)
        self.mood: Mood = self.weighted({"plain": 60, "extreme": 25, "wrong": 15})

    def __new__(cls, seed: int) -> Dice:
        """Make the generator; ``random.Random`` hashes its argument."""
        return super().__new__(cls, seed)

    def chance(self, probability: float) -> bool:
        """Tell whether something happens."""
        return self.random() < probability

    def one_of(self, *options: T) -> T:
        """Return one of the options, all equally likely."""
        return self.choice(options)

    def some_of(self, options: Sequence[T], most: int) -> list[T]:
        """Return a few different options, in random order."""
        return self.sample(options, min(len(options), self.randint(1, most)))

    def weighted(self, options: dict[T, int]) -> T:
        """Return one of the options, as likely as its number says."""
        return self.choices(list(options), weights=list(options.values()))[0]

    def is_extreme(self, probability: float = 0.3) -> bool:
        """Tell whether to reach for the end of a range here."""
        return self.mood == "extreme" and self.chance(probability)

    def is_wrong(self, probability: float = 0.15) -> bool:
        """Tell whether to do something wrong here."""
        return self.mood == "wrong" and self.chance(probability)

    def normals(self, *shape: int) -> np.ndarray[Any, Any]:
        """Return standard normal numbers."""
        return self.numbers.standard_normal(shape)
