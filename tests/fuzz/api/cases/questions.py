"""What a fitted estimator can be asked, and what its answers must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier

from api.points import Rows, draw_rows
from api.session import Outcome, Session
from api.spaces import Space
from api.targets import draw_weights
from api.values import count, wrong
from bentwood.horo import horospheres


@dataclass(frozen=True)
class Asked:
    """A model, and the rows that it has learned from."""

    session: Session
    model: Any
    space: Space
    rows: Rows

    def name(self, method: str) -> str:
        """Return the name of a method for reports."""
        return f"{type(self.model).__name__}.{method}"

    def call(self, method: str, *arguments: Any, **named: Any) -> Outcome:
        """Ask something, sometimes twice."""
        twice = self.session.dice.chance(0.3)
        name = self.name(method)
        return self.session.call(
            name, _Method(self.model, method), *arguments, twice=twice, **named
        )

    def require(self, method: str, fault: str, holds: Any, detail: Any = None) -> None:
        """Note a fault of an answer."""
        self.session.require(self.name(method), fault, holds, detail)

    def some_rows(self) -> Rows:
        """Return the rows that were learned from, or others."""
        dice = self.session.dice
        if dice.chance(0.6):
            return self.rows
        return draw_rows(self.session, self.space, n_rows=dice.one_of(0, 1, 3, 20))


@dataclass(frozen=True)
class _Method:
    """A method that is looked up when it is called: there may be none."""

    model: Any
    method: str

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return getattr(self.model, self.method)(*arguments, **named)


def ask(asked: Asked) -> None:
    """Ask a model something that its kind can be asked."""
    name = type(asked.model).__name__
    questions: list[Callable[[Asked], None]] = [_attributes]
    if name == "GeodesicForest":
        questions += [
            _apply,
            _neighbours,
            _neighbours,
            _proximity,
            _path_lengths,
            _embedding,
            _text,
        ]
    else:
        questions += [_prediction, _prediction, _score]
    if is_classifier(asked.model):
        questions += [_probability, _probability]
    if name.startswith("Poincare") or name == "HoroSVC":
        questions += [_decision]
    if "Tree" in name or "Manifold" in name or name == "HoroForestClassifier":
        questions += [_apply, _decision_path, _text, _horospheres]
    asked.session.dice.choice(questions)(asked)


def _prediction(asked: Asked) -> None:
    rows = asked.some_rows()
    told = asked.call("predict", rows.given)
    if not told.ok:
        return
    asked.require("predict", "has another number of rows", len(told.value) == rows.n_rows)
    if is_classifier(asked.model):
        known = np.isin(told.value, asked.model.classes_).all()
        asked.require("predict", "returns what is no class", known, told.value)
    if rows.n_rows > 1 and type(rows.given) is np.ndarray:
        row = asked.session.dice.randrange(rows.n_rows)
        alone = asked.call("predict", rows.given[row : row + 1])
        same = alone.ok and np.array_equal(alone.value[0], told.value[row])
        asked.require("predict", "says something else of one row alone", same, (row, told.value))


def _probability(asked: Asked) -> None:
    rows = asked.some_rows()
    told = asked.call("predict_proba", rows.given)
    if not told.ok:
        return
    shares = told.value
    shape = rows.n_rows, len(asked.model.classes_)
    asked.require("predict_proba", "has another shape", shares.shape == shape, shares.shape)
    within = (shares >= 0).all() and (shares <= 1).all()
    asked.require("predict_proba", "returns what is no probability", within, shares)
    sums = np.abs(shares.sum(axis=1) - 1).max(initial=0)
    asked.require("predict_proba", "returns what does not sum to 1", sums < 1e-9, shares)
    if hasattr(asked.model, "apply"):
        best = asked.model.classes_[shares.argmax(axis=1)]
        predicted = asked.call("predict", rows.given)
        same = predicted.ok and np.array_equal(best, predicted.value)
        asked.require("predict", "is not the class of the greatest share", same)
    if asked.session.dice.chance(0.2):
        logarithms = asked.call("predict_log_proba", rows.given, finite=False)
        asked.require("predict_log_proba", "is NaN", not np.isnan(logarithms.value).any())


def _decision(asked: Asked) -> None:
    rows = asked.some_rows()
    told = asked.call("decision_function", rows.given)
    if not told.ok:
        return
    asked.require("decision_function", "has another number of rows", len(told.value) == rows.n_rows)
    predicted = asked.call("predict", rows.given)
    winners = told.value > 0 if told.value.ndim == 1 else told.value.argmax(axis=1)
    same = predicted.ok and np.array_equal(
        asked.model.classes_[winners.astype(int)], predicted.value
    )
    asked.require("decision_function", "contradicts predict", same, told.value)


def _score(asked: Asked) -> None:
    # Scores are scikit-learn's, which sums values and weights without a look at their size.
    if asked.session.dice.mood == "extreme":
        return
    weights = draw_weights(asked.session.dice, asked.rows.n_rows)
    predicted = asked.call("predict", asked.rows.given)
    if predicted.ok:
        # What was learned is scored elsewhere; here it is what the model says itself.
        asked.call("score", asked.rows.given, predicted.value, sample_weight=weights, finite=False)


def _apply(asked: Asked) -> None:
    rows = asked.some_rows()
    leaves = asked.call("apply", rows.given)
    if leaves.ok:
        asked.require("apply", "has another number of rows", len(leaves.value) == rows.n_rows)
        asked.require("apply", "returns what is no leaf", (leaves.value >= 0).all())


def _decision_path(asked: Asked) -> None:
    rows = asked.some_rows()
    told = asked.call("decision_path", rows.given)
    if told.ok:
        paths = told.value if sparse.issparse(told.value) else told.value[0]
        asked.require("decision_path", "has another number of rows", paths.shape[0] == rows.n_rows)
        passed = np.diff(paths.indptr).min(initial=1) >= 1
        asked.require("decision_path", "has a row without nodes", passed)


def _neighbours(asked: Asked) -> None:
    dice = asked.session.dice
    rows = asked.some_rows() if dice.chance(0.5) else None
    size = count(dice, most=max(1, asked.rows.n_rows - 1))
    told = asked.call("kneighbors", None if rows is None else rows.given, n_neighbors=size)
    if told.ok:
        distances, indices = told.value
        inside = (indices >= 0).all() and (indices < asked.model.n_samples_fit_).all()
        asked.require("kneighbors", "returns what is no row", inside)
        within = (distances >= 0).all() and (distances <= 1).all()
        asked.require("kneighbors", "has distances that are none", within, distances)
        asked.require("kneighbors", "is not sorted", (np.diff(distances, axis=1) >= 0).all())
        if rows is None:
            own = indices == np.arange(len(indices))[:, np.newaxis]
            asked.require("kneighbors", "has rows that neighbour themselves", not own.any())
    mode = dice.one_of("connectivity", "distance", "proximity", "x")
    asked.call(
        "kneighbors_graph", None if rows is None else rows.given, n_neighbors=size, mode=mode
    )


def _proximity(asked: Asked) -> None:
    rows = asked.some_rows() if asked.session.dice.chance(0.5) else None
    told = asked.call("proximity", None if rows is None else rows.given, dense=True)
    if told.ok:
        within = (told.value >= 0).all() and (told.value <= 1).all()
        asked.require("proximity", "is not from 0 to 1", within, told.value)
        if rows is None:
            asked.require("proximity", "is not symmetric", (told.value == told.value.T).all())


def _path_lengths(asked: Asked) -> None:
    dice = asked.session.dice
    indices = dice.one_of(None, 0, [0, 1], -1, [], wrong(dice))
    size = count(dice, most=max(1, asked.rows.n_rows - 1))
    # Rows without a path between them are infinitely far apart.
    told = asked.call("geodesic_distance", size, indices=indices, finite=False)
    if told.ok:
        asked.require("geodesic_distance", "is no distance", (told.value >= 0).all(), told.value)


def _embedding(asked: Asked) -> None:
    dice = asked.session.dice
    asked.call("embed", count(dice, most=3), n_neighbors=dice.one_of(None, count(dice, most=20)))


def _text(asked: Asked) -> None:
    dice = asked.session.dice
    tree = dice.one_of(0, 0, count(dice), wrong(dice) if dice.mood == "wrong" else 0)
    method = dice.one_of("export_text", "export_graphviz")
    asked.call(
        method, tree, max_depth=dice.one_of(None, 0, 1), decimals=dice.one_of(0, 3, count(dice))
    )


def _horospheres(asked: Asked) -> None:
    dice = asked.session.dice
    factor = dice.one_of(None, 0, 1, -1)
    found = asked.session.call("horospheres", horospheres, asked.model, factor, twice=True)
    if found.ok:
        lengths = np.linalg.norm(found.value.ideal_point, axis=1)
        unit = np.abs(lengths - 1).max(initial=0) < 1e-12
        asked.session.require(
            "horospheres", "has ideal points that are no directions", unit, lengths
        )


#: May be infinite or NaN, as their documentation says.
_UNBOUNDED = {"levels_", "bound_", "oob_decision_function_", "oob_prediction_", "oob_score_"}


def _attributes(asked: Asked) -> None:
    names = [name for name in dir(type(asked.model)) if name.endswith("_") and name[0] != "_"]
    names += [name for name in vars(asked.model) if name.endswith("_")]
    for name in asked.session.dice.sample(names, min(len(names), 4)):
        read = asked.session.call(
            asked.name(name), _Attribute(asked.model, name), finite=name not in _UNBOUNDED
        )
        if name == "feature_importances_" and read.ok:
            asked.require(name, "has negative importances", (read.value >= 0).all(), read.value)
            total = read.value.sum()
            asked.require(
                name, "does not sum to 1 or 0", total == 0 or abs(total - 1) < 1e-9, total
            )
    asked.session.call(asked.name("repr"), repr, asked.model)


@dataclass(frozen=True)
class _Attribute:
    model: Any
    name: str

    def __call__(self) -> Any:
        return getattr(self.model, self.name)
