"""Signatures and coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from api.dice import Dice
from bentwood.geometry import Manifold

COORDINATES = ("ambient", "poincare", "stereographic", "klein", "tangent")

CURVATURES = ("0.5", "2", "4.0", "1e-3", "100")
EXTREME_CURVATURES = ("1e-8", "1e8", "1e-16", "1e16", "1e-100", "1e100", "0.99999999999999989")

WRONG_SIGNATURES = (
    "", " ", "H", "H0", "H-1", "H2(1)", "S2(-1)", "E2(1)", "E2(0)", "H2(0)", "H2(nan)", "H2(-inf)",
    "H2(-1e-400)", "H2(-1e400)", "H2(-5e-324)", "S2(1e101)", "S2(1.7e308)", "H2()", "H2(", "H2)",
    "H2 x", "x H2", "H2 H2", "Q3", "H2.5", "h2",
    "H99999999999999999999", "H4294967296", "(H2)^0", "(H2)^-1", "(H2)^99999999999", "(H2",
    "((((H1))))", "H2 x " * 300 + "H2", "H2 \u00d7 S2", "H2\0", "H\u00b2", "\ud800", "H2" * 999,
)  # fmt: skip


@dataclass(frozen=True)
class Space:
    """A signature with coordinates; of a wrong signature nothing else is known."""

    signature: str
    coordinates: str
    n_columns: int
    is_valid: bool

    @property
    def manifold(self) -> Manifold:
        """The manifold in these coordinates."""
        return _manifold(self.signature, self.coordinates)


def draw_space(dice: Dice, *, hyperbolic: bool = False) -> Space:
    """Return a space; with ``hyperbolic`` more often a single hyperbolic factor."""
    coordinates = dice.choice(COORDINATES)
    if dice.is_wrong(0.1):
        return Space(dice.choice(WRONG_SIGNATURES), coordinates, dice.randint(1, 4), False)
    n_factors = dice.weighted({1: 60, 2: 25, 3: 15})
    if hyperbolic and dice.chance(0.7):
        signature = _factor(dice, "H")
    else:
        signature = dice.one_of(" x ", "x").join(
            _factor(dice, dice.one_of("H", "S", "E")) for _ in range(n_factors)
        )
    return Space(signature, coordinates, _manifold(signature, coordinates).n_columns, True)


def _factor(dice: Dice, kind: str) -> str:
    dimension = dice.weighted({1: 20, 2: 45, 3: 20, 5: 10, 17: 5})
    text = f"{kind}{dimension}"
    if kind != "E" and dice.chance(0.4):
        values = EXTREME_CURVATURES if dice.is_extreme(0.5) else CURVATURES
        text += f"({'-' if kind == 'H' else ''}{dice.choice(values)})"
    return f"({text})^{dice.randint(1, 3)}" if dice.chance(0.05) else text


@cache
def _manifold(signature: str, coordinates: str) -> Manifold:
    return Manifold(signature, coordinates, n_jobs=1)
