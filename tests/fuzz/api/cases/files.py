"""Tables and graphs: what is written must be read back the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from api.checks import same_bits
from api.dice import Dice
from api.points import Array
from api.session import Session
from api.values import EXTREME_NUMBERS, NOT_FINITE, count, wrong
from bentwood import io

_NAMES = (
    "x",
    "y",
    "label",
    "a b",
    "1",
    "é",
    "",
    "a,b",
    'say "x"',
    "x\ny",
    "#x",
    "\ud800",
    "a" * 300,
)
_TEXTS = ("a", "", "1.5", "nan", "a,b", 'say "x"', "x\ny", "\ttab", " blank ", "#", "é", "NA")


def run(session: Session) -> None:
    """Write something and read it back."""
    dice = session.dice
    with tempfile.TemporaryDirectory() as folder:
        dice.one_of(_table, _table, _points, _graph, _graph, _words)(session, Path(folder))


def _table(session: Session, folder: Path) -> None:
    dice = session.dice
    path = folder / f"table{dice.one_of('.csv', '.tsv', '.npy', '.npz', '.csv.gz', '.xyz', '')}"
    columns = _columns(dice, dice.one_of(0, 1, 2, 12))
    given = wrong(dice) if dice.is_wrong(0.1) else columns
    written = session.call("write_table", io.write_table, path, given, **_options(dice))
    if not written.ok or given is not columns:
        return
    read = session.call("read_table", io.read_table, path, finite=False, twice=True)
    if read.ok and path.suffix in (".csv", ".tsv"):
        session.require(
            "read_table", "has other names", list(read.value) == list(columns), list(columns)
        )
        for name, column in columns.items():
            if column.dtype.kind == "f" and name in read.value and len(column):
                same = same_bits(read.value[name], column)
                session.require("read_table", "has other numbers", same, (read.value[name], column))


def _points(session: Session, folder: Path) -> None:
    dice = session.dice
    path = folder / dice.one_of("points.csv", "points.npz", "points.tsv")
    columns = _columns(dice, dice.one_of(1, 5))
    if session.call("write_table", io.write_table, path, columns).ok:
        names = list(columns)
        session.call(
            "read_points", io.read_points, path,
            label=dice.one_of(None, names[0], "nobody"), weight=dice.one_of(None, names[-1]),
            columns=dice.one_of(None, names, names[:1], wrong(dice)), finite=False,
            **_options(dice),
        )  # fmt: skip


def _graph(session: Session, folder: Path) -> None:
    dice = session.dice
    path = folder / dice.one_of("g.csv", "g.edges", "g.mtx", "g.gml", "g.tsv", "g.mtx.gz", "g.png")
    n_nodes = dice.randint(1, 8)
    n_edges = dice.randint(0, 10)
    edges: Any = dice.numbers.integers(n_nodes, size=(n_edges, 2))
    weights = dice.one_of(None, _numbers(dice, n_edges))
    names = dice.one_of(None, np.array([dice.choice(_TEXTS) for _ in range(n_nodes)]))
    labels = dice.one_of(None, [f"l{node}" for node in range(n_nodes)])
    if dice.is_wrong(0.4):
        edges, n_nodes = dice.one_of(
            (edges - 1, n_nodes), (edges, count(dice)), (wrong(dice), n_nodes)
        )
    graph = io.Graph(edges, n_nodes, weights, names, labels, directed=dice.chance(0.5))
    session.call("Graph.report", graph.report)
    written = session.call("write_graph", io.write_graph, path, graph)
    if written.ok:
        read = session.call("read_graph", io.read_graph, path, finite=False, twice=True)
        # An edge list has names instead of numbers where there are some.
        if read.ok and (names is None or path.suffix == ".gml"):
            same = _pairs(read.value.edges) == _pairs(edges)
            session.require("read_graph", "has other edges", same, (read.value.edges, edges))


def _pairs(edges: Any) -> list[list[int]]:
    """Return edges in one order: MatrixMarket has a lower triangle of undirected graphs."""
    return sorted(sorted(pair) for pair in np.reshape(edges, (-1, 2)).tolist())


def _words(session: Session, folder: Path) -> None:
    dice = session.dice
    path = folder / "words.vec"
    words = [f"{dice.choice(_TEXTS)}{number}" for number in range(dice.randint(1, 5))]
    vectors = np.array([_numbers(dice, 3) for _ in words])
    if session.call("write_word2vec", io.write_word2vec, path, words, vectors).ok:
        read = session.call("read_word2vec", io.read_word2vec, path, finite=False)
        if read.ok:
            same = read.value[0] == words and same_bits(read.value[1], vectors)
            session.require("read_word2vec", "has other words", same, (read.value, words, vectors))


def _columns(dice: Dice, n_rows: int) -> dict[str, Array]:
    makers: tuple[Callable[[], Array], ...] = (
        lambda: _numbers(dice, n_rows),
        lambda: np.array([dice.choice(_TEXTS) for _ in range(n_rows)], dtype=str),
        lambda: dice.numbers.integers(-(2**62), 2**62, size=n_rows),
    )
    return {name: dice.choice(makers)() for name in dice.some_of(_NAMES, 4)}


def _numbers(dice: Dice, n_rows: int) -> Array:
    if dice.is_extreme(0.6):
        return dice.numbers.choice((*EXTREME_NUMBERS, *NOT_FINITE), size=n_rows)
    return dice.normals(n_rows)


def _options(dice: Dice) -> dict[str, Any]:
    if dice.is_wrong(0.2):
        return {dice.one_of("format", "n_jobs"): wrong(dice)}
    return {"n_jobs": dice.one_of(1, 1, 2, None)}
