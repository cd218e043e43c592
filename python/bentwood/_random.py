"""From scikit-learn's random_state to the seed of a counter-based stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from bentwood._parameters import is_whole


def as_seed(random_state: Any) -> int:
    """Return a seed of 64 bits.

    A non-negative integer is its own seed; None draws a fresh one from NumPy's global state; a
    RandomState or a Generator is asked for one.
    """
    if is_whole(random_state):
        if not 0 <= int(random_state) < 2**64:
            raise ValueError(f"random_state is {random_state}, expected 0 to 2**64 - 1")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if random_state is None or random_state is np.random:
        random_state = check_random_state(None)
    if not isinstance(random_state, np.random.RandomState):
        raise ValueError(
            f"random_state is {random_state!r}, expected a whole number, a RandomState, "
            "a Generator or None"
        )
    return int(random_state.randint(2**31 - 1))
