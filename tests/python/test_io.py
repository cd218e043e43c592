"""The readers against NumPy, pandas, NetworkX and SciPy, and their messages."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

from bentwood import io


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "x": rng.normal(size=500) * 10.0 ** rng.integers(-300, 300, size=500),
            "y": rng.normal(size=500),
            "name": rng.choice(["ant", 'say "hi"', "a,b", "two\nlines", "ä"], size=500),
            "label": rng.integers(0, 3, size=500),
            "w": rng.uniform(size=500),
        }
    )


@pytest.mark.parametrize("options", [{}, {"sep": ";"}, {"sep": "\t"}, {"lineterminator": "\r\n"}])
def test_csv_reads_what_pandas_wrote(
    tmp_path: Path, frame: pd.DataFrame, options: dict[str, str]
) -> None:
    path = tmp_path / "points.csv"
    frame.to_csv(path, index=False, **options)
    table = io.read_table(path)
    assert list(table) == list(frame)
    for name, column in table.items():
        assert_array_equal(column, frame[name].to_numpy())


def test_csv_reads_the_numbers_that_numpy_wrote_with_any_number_of_threads(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    numbers = np.random.default_rng(1).normal(size=(60_000, 4))
    np.savetxt(path, numbers, delimiter=",", header="a,b,c,d", comments="")
    for n_jobs in (1, 2, None):
        table = io.read_table(path, n_jobs=n_jobs)
        assert_array_equal(np.column_stack(list(table.values())), numbers)


def test_pandas_reads_what_we_write(tmp_path: Path, frame: pd.DataFrame) -> None:
    path = tmp_path / "points.csv"
    io.write_table(path, dict(frame.items()))
    back = pd.read_csv(path)
    assert list(back) == list(frame)
    assert_array_equal(back["name"].to_numpy(), frame["name"].to_numpy())
    for name in ("x", "y", "label", "w"):  # older pandas may miss the last bit
        assert_allclose(back[name].to_numpy(), frame[name].to_numpy(), rtol=1e-15)


def test_points_are_ready_for_an_estimator(tmp_path: Path, frame: pd.DataFrame) -> None:
    path = tmp_path / "points.csv.gz"
    frame.to_csv(path, index=False)
    points = io.read_points(path, label="label", weight="w")
    assert_array_equal(points.X, frame[["x", "y"]].to_numpy())
    assert points.X.flags.c_contiguous
    assert points.feature_names == ["x", "y"]
    assert points.ignored == ["name"]
    assert points.y is not None
    assert points.y.dtype == np.int64
    assert_array_equal(points.y, frame["label"])
    assert_array_equal(points.sample_weight, frame["w"])
    named = io.read_points(path, label="name", columns=["y", "x"])
    assert_array_equal(named.X, frame[["y", "x"]].to_numpy())
    assert_array_equal(named.y, frame["name"])
    assert named.sample_weight is None


@pytest.mark.parametrize(
    "dtype", ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?", ">f8", ">i4"]
)
@pytest.mark.parametrize("is_fortran", [False, True])
def test_npy_reads_what_numpy_saved(tmp_path: Path, dtype: str, is_fortran: bool) -> None:
    path = tmp_path / "points.npy"
    saved = (np.arange(12).reshape(4, 3) % 5).astype(dtype)
    np.save(path, np.asfortranarray(saved) if is_fortran else saved)
    points = io.read_points(path)
    assert_array_equal(points.X, saved.astype(float))
    is_short = np.dtype(dtype).kind == "f" and np.dtype(dtype).itemsize < 8
    assert points.X.dtype == (np.float32 if is_short else np.float64)


def test_npz_reads_what_numpy_saved(tmp_path: Path) -> None:
    X = np.random.default_rng(2).normal(size=(20, 3))
    y = np.array(["ant", "bäe"] * 10)
    for save in (np.savez, np.savez_compressed):
        path = tmp_path / "points.npz"
        save(path, X=X, y=y, scale=2.0, classes=np.unique(y))
        points = io.read_points(path, label="y")
        assert_array_equal(points.X, X)
        assert_array_equal(points.y, y)


def test_numpy_loads_what_we_write(tmp_path: Path) -> None:
    columns = {"a": np.array([0.1, -2.0]), "b": np.array([3.0, np.pi])}
    io.write_table(tmp_path / "t.npy", columns)
    assert_array_equal(np.load(tmp_path / "t.npy"), np.column_stack(list(columns.values())))
    io.write_table(tmp_path / "t.npz", {**columns, "word": ["x", "zoë"]})
    with np.load(tmp_path / "t.npz") as archive:
        assert_array_equal(archive["b"], columns["b"])
        assert_array_equal(archive["word"], ["x", "zoë"])


def _same_graph(graph: io.Graph, expected: nx.Graph) -> None:
    assert graph.node_names is not None
    names = [str(name) for name in graph.node_names]
    assert sorted(names) == sorted(map(str, expected.nodes))
    ends = {frozenset((names[u], names[v])) for u, v in graph.edges}
    assert ends == {frozenset((str(u), str(v))) for u, v in expected.edges}
    assert len(graph.edges) == expected.number_of_edges()


def test_gml_and_edge_lists_read_what_networkx_wrote(tmp_path: Path) -> None:
    karate = nx.karate_club_graph()
    nx.write_gml(karate, tmp_path / "karate.gml")
    graph = io.read_graph(tmp_path / "karate.gml", label="club")
    _same_graph(graph, karate)
    assert graph.node_labels is not None
    assert_array_equal(graph.node_labels, [karate.nodes[n]["club"] for n in karate])
    assert_array_equal(graph.weights, [w for _, _, w in karate.edges(data="weight")])
    for write, name in ((nx.write_edgelist, "a.edgelist"), (nx.write_weighted_edgelist, "b.txt")):
        write(karate, tmp_path / name)
        graph = io.read_graph(tmp_path / name)
        _same_graph(graph, karate)
        assert graph.weights is not None
        assert graph.weights.sum() == sum(w for _, _, w in karate.edges(data="weight"))
    assert graph.report() == io.GraphReport(0, 0, 1, 34)


def test_networkx_reads_the_gml_we_write(tmp_path: Path) -> None:
    graph = io.Graph(
        edges=np.array([[0, 1], [1, 2]]),
        n_nodes=4,
        weights=np.array([0.5, 2.0]),
        node_names=np.array(["ä & b", 'say "hi"', "c", "d"]),
    )
    io.write_graph(tmp_path / "g.gml", graph)
    back = nx.read_gml(tmp_path / "g.gml")
    assert list(back.nodes) == ["ä & b", 'say "hi"', "c", "d"]
    assert [w for _, _, w in back.edges(data="weight")] == [0.5, 2.0]


@pytest.mark.parametrize("symmetric", [False, True])
def test_matrix_market_reads_what_scipy_wrote_and_the_reverse(
    tmp_path: Path, symmetric: bool
) -> None:
    matrix = scipy.sparse.random(12, 12, density=0.2, random_state=0).tocoo()
    if symmetric:
        matrix = (matrix + matrix.T).tocoo()
    scipy.io.mmwrite(tmp_path / "a.mtx", matrix, precision=17)
    graph = io.read_graph(tmp_path / "a.mtx", directed=True)
    assert graph.weights is not None
    ends = (graph.edges[:, 0], graph.edges[:, 1])
    ours = scipy.sparse.coo_matrix((graph.weights, ends), shape=(12, 12))
    assert_array_equal(ours.toarray(), matrix.toarray())
    io.write_graph(tmp_path / "b.mtx", graph)
    assert_array_equal(scipy.io.mmread(tmp_path / "b.mtx").toarray(), matrix.toarray())


def test_word2vec_round_trips(tmp_path: Path) -> None:
    vectors = np.random.default_rng(3).normal(size=(3, 5))
    io.write_word2vec(tmp_path / "w.vec", ["ant", "bee", "zoë"], vectors)
    words, back = io.read_word2vec(tmp_path / "w.vec")
    assert words == ["ant", "bee", "zoë"]
    assert_array_equal(back, vectors)


def _message(tmp_path: Path, contents: bytes, name: str = "points.csv", **options: object) -> str:
    path = tmp_path / name
    path.write_bytes(contents)
    read: Callable[..., object] = io.read_graph if name == "g.edges" else io.read_points
    with pytest.raises(ValueError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_messages_name_the_place(tmp_path: Path) -> None:
    assert _message(tmp_path, b"x,y\n1,2\n3\n") == "points.csv:3: 1 field, expected 2"
    assert (
        _message(tmp_path, b"0.5,1.5\n1,2\n")
        == "points.csv:1: the first line holds numbers, expected column names; "
        "pass header=False if the file has no header"
    )
    assert (
        _message(tmp_path, b"x,y\n1,2\n", label="z") == 'points.csv: no column "z", found "x", "y"'
    )
    assert (
        _message(tmp_path, b"x,w\n1,-1\n", weight="w")
        == 'points.csv:2: weight -1 in column "w", expected a finite number >= 0'
    )
    assert (
        _message(tmp_path, b"1 2\n-1 2\n", "g.edges")
        == 'g.edges:2: node id "-1" is negative, expected 0, 1, 2, ... or names'
    )
    assert _message(tmp_path, gzip.compress(b"0" * 10**8), "b.csv.gz") == (
        "b.csv.gz: expands to more than 256 times its size; decompress it first if that is right"
    )


def test_what_the_system_refuses_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        io.read_table(tmp_path / "none.csv")
    assert str(caught.value) == f"{tmp_path}/none.csv: no such file"
    with pytest.raises(OSError) as caught:
        io.write_table(tmp_path / "none" / "a.csv", {"x": [1.0]})
    assert str(caught.value) == f"{tmp_path}/none/a.csv: cannot write: no such folder"


def test_objects_are_refused_without_unpickling(tmp_path: Path) -> None:
    path = tmp_path / "objects.npy"
    np.save(path, np.array([{}, 1], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError) as caught:
        io.read_table(path)
    assert str(caught.value) == (
        f"{path}: an object dtype, which only pickle can read; save it as numbers or text"
    )


def test_labels_of_nodes_as_numbers() -> None:
    edges = np.array([[0, 1], [1, 2]])
    graph = io.Graph(edges, 3, node_labels=np.array(["b", "a", "b"]))
    assert graph.target_names == ["a", "b"]
    assert graph.y is not None
    assert graph.y.dtype == np.int64
    assert graph.y.tolist() == [1, 0, 1]
    assert io.Graph(edges, 3).y is None
    assert io.Graph(edges, 3).target_names == []


def test_wrong_arguments_are_explained(tmp_path: Path) -> None:
    with pytest.raises(TypeError) as caught:
        io.read_points(tmp_path / "a.csv", columns="xy")
    assert str(caught.value) == "columns is a string, expected a list of names such as ['xy']"
    with pytest.raises(ValueError) as refused:
        io.write_graph(tmp_path / "a.gml", io.Graph(edges=np.array([[0, 2]]), n_nodes=2))
    assert str(refused.value) == "edge 0 is (0, 2), expected numbers of the 2 nodes, counted from 0"
    with pytest.raises(ValueError) as refused:
        io.write_graph(tmp_path / "a.gml", io.Graph(edges=np.array([[0, 0]]), n_nodes=0))
    assert str(refused.value) == "edge 0 is (0, 0), expected numbers of the 0 nodes, counted from 0"
    with pytest.raises(ValueError) as refused:
        io.read_table("a\0b.csv")
    assert str(refused.value) == "the path 'a\\x00b.csv' holds a NUL byte"


def test_file_names_need_not_be_utf8(tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.csv"
    io.write_table(path, {"x": [1.0]})
    assert_array_equal(io.read_table(path)["x"], [1.0])


def test_integers_past_two_to_the_53_are_neither_rounded_nor_merged(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    path.write_text("x,label\n1,9007199254740993\n2,9007199254740992\n3,-9007199254740993\n")
    y = io.read_points(path, label="label").y
    assert y is not None
    assert y.tolist() == ["9007199254740993", "9007199254740992", "-9007199254740993"]
    # What float64 holds exactly stays a number, as the coordinates far out do.
    path.write_text("x\n9007199254740994\n100000000000000000000\n")
    assert io.read_table(path)["x"].tolist() == [9007199254740994.0, 1e20]
    path.write_text("x\n9007199254740993\n")
    with pytest.raises(ValueError) as caught:
        io.read_points(path, columns=["x"])
    assert str(caught.value) == (
        f'{path}:2: column "x" holds "9007199254740993", which float64 would round, '
        "expected a number"
    )


def test_large_integers_are_written_to_the_last_digit(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    io.write_table(path, {"id": [2**60 + 1, -3], "u": np.array([2**64 - 1, 1], dtype=np.uint64)})
    assert path.read_text() == "id,u\n1152921504606846977,18446744073709551615\n-3,1\n"


def test_a_big_file_of_large_integers_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    labels = [str(2**53 + row) for row in range(1_500_000)]
    path.write_text("label\n" + "\n".join(labels) + "\n")
    assert io.read_table(path, n_jobs=1)["label"].tolist() == labels


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("none.csv", FileNotFoundError, "no such file"),
        ("folder", IsADirectoryError, "is a folder, expected a file"),
        ("plain/x.csv", NotADirectoryError, "not a directory"),
    ],
)
def test_errors_of_the_system_have_their_python_class(
    tmp_path: Path, name: str, kind: type[OSError], message: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").touch()
    with pytest.raises(kind) as caught:
        io.read_table(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}: {message}"
    assert caught.value.errno


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "no columns to write"),
        ({"a": []}, "no rows to write"),
        ({"a": [1], "": [1]}, "column 2 has no name"),
    ],
)
def test_nothing_is_written_that_could_not_be_read(
    tmp_path: Path, columns: dict[str, list[int]], message: str
) -> None:
    path = tmp_path / "out.csv"
    with pytest.raises(ValueError) as caught:
        io.write_table(path, columns)
    assert str(caught.value) == f"{path}: {message}"
    assert not path.exists()


def test_an_empty_list_of_columns_is_not_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("x\n1\n")
    with pytest.raises(ValueError) as caught:
        io.read_points(path, columns=[])
    assert str(caught.value) == "columns is empty, expected names, or None for all numeric columns"


def test_the_header_of_an_edge_list_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("a,b\nx,y\ny,z\n")
    graph = io.read_graph(path, header=True)
    assert graph.node_names is not None
    assert graph.node_names.tolist() == ["x", "y", "z"]
    path.write_text("source,target\ny,z\n")
    graph = io.read_graph(path, header=False)
    assert graph.node_names is not None
    assert graph.node_names.tolist() == ["source", "target", "y", "z"]


def test_a_second_graph_in_a_gml_file_is_not_ignored(tmp_path: Path) -> None:
    path = tmp_path / "two.gml"
    path.write_text("graph [\n]\ngraph [\n]\n")
    with pytest.raises(ValueError) as caught:
        io.read_graph(path)
    assert str(caught.value) == f"{path}:3: a second graph, expected one a file"


@pytest.mark.parametrize("size", [6, 7, 9])
def test_an_npy_file_that_ends_in_its_header_is_cut_short(tmp_path: Path, size: int) -> None:
    path = tmp_path / "cut.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00\x76\x00"[:size])
    with pytest.raises(ValueError) as caught:
        io.read_table(path)
    assert str(caught.value) == f"{path}: the NPY header is cut short"


def test_several_matrices_say_how_to_name_one(tmp_path: Path) -> None:
    path = tmp_path / "two.npz"
    np.savez(path, A=np.eye(2), B=np.eye(2))
    with pytest.raises(ValueError) as caught:
        io.read_table(path)
    assert str(caught.value) == (
        f'{path}: several matrices, "A" and "B"; pass array= and the name of one'
    )


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda path: io.read_table(path, n_jobs="a"), TypeError,
         "n_jobs is 'a', expected a whole number or None"),
        (lambda path: io.read_table(path, n_jobs=2**64), ValueError,
         "n_jobs is 18446744073709551616, expected a number of threads"),
        (lambda path: io.read_table(path, format=3), TypeError,
         "format is 3, expected text or None"),
        (lambda path: io.read_points(path, label=3), TypeError,
         "label is 3, expected text or None"),
        (lambda path: io.read_points(path, columns=[1]), TypeError,
         "a name in columns is 1, expected text"),
        (lambda path: io.Graph(np.array([[0, 1]]), -1).report(), ValueError,
         "n_nodes is -1, expected at least 0"),
        (lambda path: io.write_table(path, {"a": ["\ud800"]}), ValueError,
         "column 'a' holds '\\ud800', which is not Unicode text"),
    ],
)  # fmt: skip
def test_wrong_types_are_one_line(
    tmp_path: Path, call: Callable[[Path], object], kind: type[Exception], message: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("x\n1\n")
    with pytest.raises(kind) as caught:
        call(path)
    assert str(caught.value) == message
