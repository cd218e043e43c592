"""Readers and writers: tables (CSV, TSV, NPY, NPZ, word2vec text) and graphs.

The extension of a file decides its format, with ``.gz`` behind it or not; ``format=`` overrides it.
Bad contents raise ValueError with file, line and finding; what the system refuses raises OSError.
Files are replaced whole or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bentwood import _core
from bentwood._arguments import as_count, as_jobs, as_list, as_optional_text, as_text
from bentwood._arrays import as_matrix, as_vector

__all__ = [
    "Graph",
    "GraphReport",
    "Points",
    "read_graph",
    "read_points",
    "read_table",
    "read_word2vec",
    "write_graph",
    "write_table",
    "write_word2vec",
]

Path = str | os.PathLike[str]
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Points:
    """Points with their labels and weights, as estimators take them.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        float64, or float32 where the file stores no more than that.
    y : ndarray of shape (n_samples,) or None
        Integers where all labels are, and below 2**53; else floats or text. None where no label
        was asked for.
    sample_weight : ndarray of shape (n_samples,) or None
        Finite and not negative; None where no weight was asked for.
    feature_names : list of str
        The columns of X.
    ignored : list of str
        Text columns that are not part of X because nobody named them.

    """

    X: Array
    y: Array | None
    sample_weight: Array | None
    feature_names: list[str]
    ignored: list[str]


@dataclass(frozen=True)
class GraphReport:
    """What to know about a graph before trusting a method that expects a simple, connected one."""

    n_self_loops: int
    n_duplicates: int
    n_components: int
    largest_component: int


@dataclass(frozen=True)
class Graph:
    """A graph as its file has it: no edge dropped, none merged.

    Attributes
    ----------
    edges : ndarray of shape (n_edges, 2)
        Pairs of node numbers, counted from 0.
    n_nodes : int
        Nodes without edges count where the format can say so (MatrixMarket, GML).
    weights : ndarray of shape (n_edges,) or None
        None where the file gives none.
    node_names, node_labels : ndarray of shape (n_nodes,) or None
        Text; None where the file has none.
    directed : bool
    y : ndarray of shape (n_nodes,) or None
        The labels as numbers, for estimators; None where there are no labels.
    target_names : list of str
        What the numbers of y mean: the different labels, in order.

    """

    edges: npt.NDArray[np.int64]
    n_nodes: int
    weights: npt.NDArray[np.float64] | None = None
    node_names: Array | None = None
    node_labels: Array | None = None
    directed: bool = False

    @property
    def y(self) -> npt.NDArray[np.int64] | None:
        """The label of each node as a number, from 0."""
        if self.node_labels is None:
            return None
        return np.searchsorted(self.target_names, np.asarray(self.node_labels, dtype=str))

    @property
    def target_names(self) -> list[str]:
        """The different labels, in order."""
        if self.node_labels is None:
            return []
        names: list[str] = np.unique(np.asarray(self.node_labels, dtype=str)).tolist()
        return names

    def report(self) -> GraphReport:
        """Count self-loops, duplicate edges and components."""
        return GraphReport(
            *_core.report_graph(
                as_count(self.n_nodes, "n_nodes"), _as_edges(self.edges), bool(self.directed)
            )
        )


def read_table(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    header: bool = True,
    array: str | None = None,
    n_jobs: int | None = -1,
) -> dict[str, Array]:
    """Return the columns of a table by name: float64 (or float32) arrays, or arrays of text.

    Parameters
    ----------
    path : str or path
        ``.csv .tsv .tab .txt .npy .npz .vec``, with ``.gz`` or not; ``"-"`` is standard input.
    format : {"csv", "tsv", "npy", "npz", "word2vec"}, optional
        Overrides the extension.
    delimiter : str, optional
        Of CSV; None takes the one of comma, tab and semicolon that the first line holds most of.
    header : bool
        Whether the first line of a CSV file names the columns; without it they are c1, c2, ...
    array : str, optional
        The matrix of an NPZ file where there are several.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    """
    options = _options(format, delimiter, header, array)
    names, columns, is_float32 = _core.read_table(_as_path(path), options, as_jobs(n_jobs))
    return {
        name: _as_column(column, is_float32) for name, column in zip(names, columns, strict=True)
    }


def read_points(
    path: Path,
    label: str | None = None,
    weight: str | None = None,
    columns: Sequence[str] | None = None,
    *,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    header: bool = True,
    array: str | None = None,
    n_jobs: int | None = -1,
) -> Points:
    """Return the points of a table, with the labels and weights of the columns named so.

    ``columns`` are the features in their order; None takes every numeric column that is neither
    label nor weight. A column that begins with numbers and then holds something else raises
    ValueError; one that begins with text is left out and listed in ``ignored``. The other
    parameters are those of :func:`read_table`.
    """
    if isinstance(columns, str):
        raise TypeError(f"columns is a string, expected a list of names such as [{columns!r}]")
    names = [] if columns is None else as_list(columns, "columns", "a list of names")
    if columns is not None and not names:
        raise ValueError("columns is empty, expected names, or None for all numeric columns")
    X, found, y, sample_weight, ignored, is_float32 = _core.read_points(
        _as_path(path),
        _options(format, delimiter, header, array),
        as_optional_text(label, "label"),
        as_optional_text(weight, "weight"),
        [as_text(name, "a name in columns") for name in names],
        as_jobs(n_jobs),
    )
    return Points(
        X=X.astype(np.float32) if is_float32 else X,
        y=None if y is None else _as_labels(_as_column(y)),
        sample_weight=None if weight is None else sample_weight,
        feature_names=found,
        ignored=ignored,
    )


def write_table(
    path: Path,
    columns: Mapping[str, npt.ArrayLike],
    *,
    format: str | None = None,  # noqa: A002
    n_jobs: int | None = -1,
) -> None:
    """Write columns of equal length, numbers or text, in the format of the extension.

    CSV and TSV keep everything; NPY takes numbers only and no names; NPZ makes an array a column.
    Integers past 2**53, which float64 would round, are written as text.
    """
    if not isinstance(columns, Mapping):
        raise TypeError(f"columns is {columns!r}, expected a mapping from names to columns")
    values = [_given_column(column, name) for name, column in columns.items()]
    _core.write_table(
        _as_path(path),
        _as_unicode([str(name) for name in columns], "a name"),
        values,
        as_optional_text(format, "format") or "",
        as_jobs(n_jobs),
    )


def read_graph(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    directed: bool | None = None,
    label: str = "value",
    header: bool | None = None,
    n_jobs: int | None = -1,
) -> Graph:
    """Return a graph from an edge list, a MatrixMarket file or GML.

    Parameters
    ----------
    path : str or path
        ``.csv .tsv .txt .edges .edgelist`` (one edge a line: source, target and maybe a weight),
        ``.mtx`` or ``.gml``, with ``.gz`` or not.
    format : {"edges", "mtx", "gml"}, optional
        Overrides the extension.
    directed : bool, optional
        Overrides what the file or its format says.
    label : str
        The attribute of a GML node that becomes its label.
    header : bool, optional
        Whether the first line of an edge list is a header. None takes it for one where it says
        source and target in one of the usual ways, or where only the second line is of integers.
    n_jobs : int or None
        Threads to use; -1 means all cores, None means one, or what the context of
        ``joblib.parallel_config`` says. No result depends on it.

    """
    n_nodes, edges, weights, is_directed, names, labels = _core.read_graph(
        _as_path(path),
        as_optional_text(format, "format") or "",
        None if directed is None else bool(directed),
        as_text(label, "label"),
        None if header is None else bool(header),
        as_jobs(n_jobs),
    )
    return Graph(
        edges=edges,
        n_nodes=n_nodes,
        weights=weights if len(weights) else None,
        node_names=np.asarray(names) if names else None,
        node_labels=np.asarray(labels) if labels else None,
        directed=is_directed,
    )


def write_graph(path: Path, graph: Graph, *, format: str | None = None) -> None:  # noqa: A002
    """Write a graph in the format of the extension; GML keeps everything."""
    _core.write_graph(
        _as_path(path),
        as_optional_text(format, "format") or "",
        as_count(graph.n_nodes, "n_nodes"),
        _as_edges(graph.edges),
        None if graph.weights is None else as_vector(graph.weights, "weights"),
        bool(graph.directed),
        _as_unicode(_as_texts(graph.node_names), "node_names"),
        _as_unicode(_as_texts(graph.node_labels), "node_labels"),
    )


def read_word2vec(path: Path, *, n_jobs: int | None = -1) -> tuple[list[str], Array]:
    """Return the words and the matrix of their vectors from word2vec's text format."""
    X, _, column, _, _, _ = _core.read_points(
        _as_path(path), _options("word2vec", None, True, None), "word", None, [], as_jobs(n_jobs)
    )
    words: list[str] = _as_column(column).tolist()
    return words, X


def write_word2vec(path: Path, words: Sequence[str], vectors: npt.ArrayLike) -> None:
    """Write words and their vectors in word2vec's text format."""
    matrix, _ = as_matrix(vectors, "vectors")
    if len(words) != len(matrix):
        raise ValueError(f"{len(words)} words, expected one for each of the {len(matrix)} vectors")
    columns: dict[str, npt.ArrayLike] = {"word": np.asarray(words, dtype=str)}
    columns.update({f"c{col + 1}": matrix[:, col] for col in range(matrix.shape[1])})
    write_table(path, columns, format="word2vec")


def _as_path(path: Path) -> bytes:
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError(f"the path {os.fspath(path)!r} holds a NUL byte")
    return encoded


def _options(
    format: str | None,  # noqa: A002
    delimiter: str | None,
    header: bool,
    array: str | None,
) -> tuple[str, str, bool, str]:
    return (
        as_optional_text(format, "format") or "",
        as_optional_text(delimiter, "delimiter") or "",
        bool(header),
        as_optional_text(array, "array") or "",
    )


def _as_column(column: Any, is_float32: bool = False) -> Array:
    if isinstance(column, list):
        return np.asarray(column, dtype=str)
    values: Array = column.astype(np.float32) if is_float32 else column
    return values


def _as_labels(labels: Array) -> Array:
    """Return integers where all labels are: class 3.0 is class 3."""
    if labels.dtype.kind != "f":
        return labels
    is_whole = np.isfinite(labels).all() and (labels == np.trunc(labels)).all()
    is_exact = bool(is_whole) and float(np.abs(labels).max(initial=0)) < 2**53
    return labels.astype(np.int64) if is_exact else labels


def _given_column(column: npt.ArrayLike, name: str) -> Any:
    array = np.asarray(column)
    if array.ndim == 1 and (
        array.dtype.kind in "UT" or all(isinstance(value, str) for value in array)
    ):
        return _as_unicode(array.tolist(), f"column {str(name)!r}")
    if array.ndim == 1 and array.dtype.kind in "iu" and array.size:
        values: list[int] = array.tolist()
        if max(abs(value) for value in (min(values), max(values))) > 2**53:
            return [str(value) for value in values]
    return as_vector(column, f"column {str(name)!r}")


def _as_edges(edges: npt.ArrayLike) -> npt.NDArray[np.int64]:
    array = np.asarray(edges)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise ValueError(
            f"edges have shape {array.shape} and dtype {array.dtype}, expected pairs of integers"
        )
    return np.ascontiguousarray(array, dtype=np.int64)


def _as_unicode(texts: list[str], name: str) -> list[str]:
    """Return the texts, or raise ValueError where one has half a surrogate pair."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name} holds {text!r}, which is not Unicode text") from None
    return texts


def _as_texts(values: Any) -> list[str]:
    return [] if values is None else [str(value) for value in values]
