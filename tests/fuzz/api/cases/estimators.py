"""Estimators: made, fitted, asked, saved, fitted again."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

import bentwood
from api.cases.copies import check_copies
from api.cases.questions import Asked, ask
from api.parameters import draw_parameters, draw_wrong, require_menus
from api.points import Rows, draw_rows
from api.session import Session
from api.spaces import Space, draw_space
from api.targets import draw_classes, draw_values, draw_weights
from api.values import wrong

ESTIMATORS: list[type] = [
    kind
    for kind in (getattr(bentwood, name) for name in bentwood.__all__)
    if isinstance(kind, type) and issubclass(kind, BaseEstimator)
]
require_menus(ESTIMATORS)


def run(session: Session) -> None:
    """Take an estimator through a part of its life."""
    dice = session.dice
    kind = dice.choice(ESTIMATORS)
    space = draw_space(dice, hyperbolic=kind.__name__.startswith(("Horo", "Poincare")))
    rows = draw_rows(session, space)
    target = _target(session, kind, rows)
    parameters = draw_parameters(dice, kind, space, rows, target)
    made = session.call(kind.__name__, kind, **parameters)
    if not made.ok:
        # As everywhere in scikit-learn, fit is what looks at parameters.
        session.found(kind.__name__, "refuses parameters before fit", repr(made.error))
        return
    model = made.value
    asked = Asked(session, model, space, rows)
    if dice.chance(0.02):
        ask(asked)
    if not _fit(session, model, rows, target):
        return
    for _ in range(dice.randint(2, 6)):
        ask(asked)
    if dice.chance(0.4):
        check_copies(asked)
    if dice.chance(0.3):
        _fit_again(session, model, space, rows, target)


def _target(session: Session, kind: type, rows: Rows) -> Any:
    if kind.__name__ == "GeodesicForest":
        return None
    draw = draw_values if kind.__name__.endswith("Regressor") else draw_classes
    return draw(session.dice, rows.n_rows)


def _fit(session: Session, model: Any, rows: Rows, target: Any) -> bool:
    """Fit a model; tell whether that has come to an end."""
    dice = session.dice
    name = f"{type(model).__name__}.fit"
    named = {}
    if "sample_weight" in inspect.signature(model.fit).parameters:
        named["sample_weight"] = draw_weights(dice, rows.n_rows)
    if hasattr(model, "partial_fit") and dice.chance(0.3):
        return _fit_in_parts(session, model, rows, target)
    before = dict(model.__dict__)
    fitted = session.call(name, model.fit, rows.given, target, **named)
    if not fitted.ok:
        unchanged = all(model.__dict__.get(key) is value for key, value in before.items())
        session.require(name, "leaves something behind where it fails", unchanged)
        session.require(
            name, "leaves something behind where it fails", len(before) == len(vars(model))
        )
        return False
    session.require(name, "does not return self", fitted.value is model)
    if dice.chance(0.3) and not model.get_params().get("warm_start"):
        # The same parameters, rows and seed make the same model.
        first = _model_bytes(session, model)
        again = session.call(name, model.fit, rows.given, target, **named)
        same = again.ok and _model_bytes(session, model) == first
        session.require(name, "makes another model", same)
    return True


def _fit_in_parts(session: Session, model: Any, rows: Rows, target: Any) -> bool:
    """Learn from batches; tell whether anything was learned."""
    dice = session.dice
    name = f"{type(model).__name__}.partial_fit"
    labels = target
    classes = _unique(labels)
    if dice.is_wrong(0.2):
        classes = wrong(dice)
    learned = False
    middle = dice.randint(0, rows.n_rows)
    for begin, end in ((0, middle), (middle, rows.n_rows)):
        try:
            batch = rows.given[begin:end], np.asarray(labels)[begin:end]
        except (TypeError, KeyError, IndexError, ValueError):
            batch = rows.given, labels
        learned |= session.call(name, model.partial_fit, *batch, classes=classes).ok
    return learned


def _fit_again(session: Session, model: Any, space: Space, rows: Rows, target: Any) -> None:
    """Change a model and fit it again, on its rows or on others."""
    dice = session.dice
    name = f"{type(model).__name__}.set_params"
    known = model.get_params()
    changed = dice.choice(list(known))
    parameters = draw_parameters(dice, type(model), space, rows, target)
    value = (
        draw_wrong(dice, changed) if dice.chance(0.2) else parameters.get(changed, known[changed])
    )
    session.call(name, model.set_params, **{changed: value})
    if dice.chance(0.3):
        rows = draw_rows(session, space)
        target = _target(session, type(model), rows)
    before = _model_bytes(session, model)
    if not _fit(session, model, rows, target):
        same = _model_bytes(session, model) == before
        session.require(name, "a fit that fails changes the model", same)
    ask(Asked(session, model, space, rows))


def _model_bytes(session: Session, model: Any) -> bytes:
    told = session.call(f"{type(model).__name__}.to_bytes", model._model.to_bytes)
    session.require(
        f"{type(model).__name__}.fit", "makes a model that cannot be saved", told.ok, told.error
    )
    return told.value


def _unique(labels: Any) -> Any:
    try:
        return np.unique(np.asarray(labels))
    except (TypeError, ValueError):
        return labels
