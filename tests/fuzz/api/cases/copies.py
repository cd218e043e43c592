"""Files, pickles and clones of an estimator: they must be what it is."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

from sklearn.base import clone

import bentwood
from api.cases.questions import Asked
from api.checks import same_bits
from api.session import Outcome


def check_copies(asked: Asked) -> None:
    """Save, load, pickle and clone a fitted estimator."""
    dice = asked.session.dice
    for check in dice.sample([_check_file, _check_pickle, _check_clone], 2):
        check(asked)


def _check_file(asked: Asked) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.bent"
        saved = asked.session.call(asked.name("save"), asked.model.save, path)
        if not saved.ok:
            return
        load = asked.session.dice.one_of(bentwood.load, type(asked.model).load)
        loaded = asked.session.call(asked.name("load"), load, path)
        asked.require("load", "refuses what save wrote", loaded.ok, loaded.error)
        if loaded.ok:
            _require_same_answers(asked, "load", loaded.value)
            loaded.value.save(path.with_suffix(".again"))
            same = path.read_bytes() == path.with_suffix(".again").read_bytes()
            asked.require("load", "saves other bytes", same)


def _check_pickle(asked: Asked) -> None:
    pickled = asked.session.call(asked.name("pickle"), pickle.dumps, asked.model)
    if pickled.ok:
        copied = asked.session.call(asked.name("unpickle"), pickle.loads, pickled.value)
        if copied.ok:
            _require_same_answers(asked, "unpickle", copied.value)


def _check_clone(asked: Asked) -> None:
    cloned = asked.session.call(asked.name("clone"), clone, asked.model)
    if cloned.ok:
        unfitted = asked.session.call(asked.name("signature_"), lambda: cloned.value.signature_)
        asked.require("clone", "is fitted", not unfitted.ok)


def _require_same_answers(asked: Asked, name: str, copied: Any) -> None:
    for method in ("predict", "predict_proba", "decision_function", "kneighbors", "apply"):
        if hasattr(asked.model, method) != hasattr(copied, method):
            asked.require(name, f"has {method} where it had none, or none where it had", False)
        elif hasattr(asked.model, method):
            first, second = (_answer(asked, model, method) for model in (asked.model, copied))
            same = same_bits(first.value, second.value) and str(first.error) == str(second.error)
            seen = first.error or first.value, second.error or second.value
            asked.require(name, f"comes to another {method}", same, seen)


def _answer(asked: Asked, model: Any, method: str) -> Outcome:
    named = {"n_neighbors": 1} if method == "kneighbors" else {}
    return asked.session.call(asked.name(method), getattr(model, method), asked.rows.given, **named)
