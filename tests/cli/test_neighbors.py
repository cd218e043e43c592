"""bentwood neighbors: a forest trained on the points, or one from a file."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from bentwood import GeodesicForest
from bentwood.metrics import geodesic_precision

TREES = ["--n-trees", "10"]


@pytest.fixture
def points(run, tmp_path):
    """Three clouds in three columns, among three of noise."""
    run("generate", "gaussians", "-n", "300", "--noise-dimensions", "3", "--seed", "1",
        "-o", "points.csv")  # fmt: skip
    return tmp_path / "points.csv"


@pytest.fixture
def table(points):
    return pd.read_csv(points)


def fitted(table):
    return GeodesicForest(10, random_state=0).fit(table.drop(columns="label", errors="ignore"))


def long_form(distances, indices):
    """What the program should write, without its loops."""
    n_rows, n_neighbors = indices.shape
    return pd.DataFrame(
        {
            "row": np.repeat(np.arange(n_rows), n_neighbors),
            "rank": np.tile(np.arange(1, n_neighbors + 1), n_rows),
            "neighbor": indices.ravel(),
            "distance": distances.ravel(),
        }
    )


def test_neighbours_are_those_of_the_package(run, points, table):
    result = run("neighbors", "points.csv", "-k", "20", *TREES, "-o", "neighbors.csv")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "points.csv: 300 rows on E6 in ambient coordinates\n"
        "neighbors.csv: 20 neighbours of each of 300 rows, by 10 trees\n"
    )
    distances, indices = fitted(table).kneighbors(n_neighbors=20)
    found = pd.read_csv(points.parent / "neighbors.csv")
    pd.testing.assert_frame_equal(found, long_form(distances, indices), check_exact=True)
    # Rows are counted from 0, and none is its own neighbour.
    assert found["row"].min() == found["neighbor"].min() == 0
    assert (found["row"] != found["neighbor"]).all()


def test_the_default_is_fifty_as_csv_on_stdout(run, points, table):
    result = run("neighbors", "points.csv", *TREES)
    assert result.returncode == 0
    assert result.stderr == (
        "points.csv: 300 rows on E6 in ambient coordinates\n"
        "standard output: 50 neighbours of each of 300 rows, by 10 trees\n"
    )
    lines = result.stdout.splitlines()
    assert lines[0] == "row,rank,neighbor,distance"
    assert len(lines) == 1 + 300 * 50
    quiet = run("neighbors", "points.csv", *TREES, "--quiet", "-j", "2")
    assert (quiet.stdout, quiet.stderr) == (result.stdout, "")


def test_wide_tables_have_a_line_a_row(run, points, table):
    indices = fitted(table).kneighbors(n_neighbors=3, return_distance=False)
    result = run("neighbors", "points.csv", "-k", "3", *TREES, "--wide", "-q", "-o", "wide.csv")
    assert (result.returncode, result.stderr) == (0, "")
    found = pd.read_csv(points.parent / "wide.csv")
    assert list(found.columns) == ["row", "neighbor1", "neighbor2", "neighbor3"]
    np.testing.assert_array_equal(found["row"], np.arange(300))
    np.testing.assert_array_equal(found.iloc[:, 1:], indices)
    run("neighbors", "points.csv", "-k", "3", *TREES, "--wide", "-o", "wide.npy")
    np.testing.assert_array_equal(np.load(points.parent / "wide.npy"), found)
    run("neighbors", "points.csv", "-k", "3", *TREES, "-o", "long.npz")
    long = np.load(points.parent / "long.npz")
    np.testing.assert_array_equal(long["neighbor"].reshape(-1, 3), indices)


def test_options_shape_the_forest(run, points, table):
    run("neighbors", "points.csv", "-k", "5", "--n-trees", "4", "--seed", "9", "--criterion",
        "two_means", "--projection", "sparse", "--density", "0.5", "--temperature", "0",
        "--min-share", "0.2", "--min-samples-split", "9", "--max-depth", "6", "--max-features",
        "4", "--counted", "in_bag", "-o", "neighbors.csv")  # fmt: skip
    model = GeodesicForest(
        4, random_state=9, criterion="two_means", projection="sparse", density=0.5, temperature=0.0,
        min_share=0.2, min_samples_split=9, max_depth=6, max_features=4, counted="in_bag",
    ).fit(table.drop(columns="label"))  # fmt: skip
    expected = long_form(*model.kneighbors(n_neighbors=5))
    found = pd.read_csv(points.parent / "neighbors.csv")
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


def test_a_model_is_asked_about_other_points_in_the_order_of_its_columns(run, points, table):
    run("train", "points.csv", "--method", "geodesic-forest", *TREES, "-o", "model.bent")
    new = table.drop(columns="label").iloc[:40] * 1.01
    new[new.columns[::-1]].assign(other=1).to_csv(points.parent / "new.csv", index=False)
    result = run("neighbors", "new.csv", "--model", "model.bent", "-k", "300", "-o", "found.csv")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "new.csv: 40 rows on E6 in ambient coordinates\n"
        "found.csv: 300 neighbours of each of 40 rows, by 10 trees\n"
    )
    read = pd.read_csv(points.parent / "new.csv")[new.columns]
    expected = long_form(*fitted(table).kneighbors(read, n_neighbors=300))
    found = pd.read_csv(points.parent / "found.csv")
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


def test_a_model_alone_is_asked_about_its_training_rows(run, points):
    run("train", "points.csv", "--method", "geodesic-forest", *TREES, "-o", "model.bent")
    result = run("neighbors", "--model", "model.bent", "-k", "7", "-o", "by_model.csv", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    report = json.loads(result.stdout)
    assert report["source"] is None
    assert report["model"] == "model.bent"
    assert report["rows"] == report["training_rows"] == 300
    run("neighbors", "points.csv", *TREES, "-k", "7", "-o", "trained.csv")
    ours = (points.parent / "by_model.csv").read_bytes()
    assert ours == (points.parent / "trained.csv").read_bytes()


def test_labels_judge_neighbours_by_class(run, points, table):
    names = table["label"].map({0: "ant", 1: "bee", 2: "cat"})
    table.assign(label=names).rename(columns={"label": "kind"}).to_csv(
        points.parent / "named.csv", index=False
    )
    indices = fitted(table).kneighbors(n_neighbors=30, return_distance=False)
    expected = geodesic_precision(indices, labels=names)
    result = run("neighbors", "named.csv", "--label", "kind", "-k", "30", *TREES, "-o", "n.csv")
    counts = names.value_counts()
    chance = (counts * (counts - 1)).sum() / (300 * 299)
    assert result.stdout.splitlines()[2] == (
        f'precision by classes in "kind": {expected:.4f}, by chance {chance:.4f}'
    )
    result = run("neighbors", "named.csv", "--label", "kind", "-k", "30", *TREES, "-o", "n.csv",
                 "--json")  # fmt: skip
    report = json.loads(result.stdout)
    assert report["precision"] == {
        "truth": "classes",
        "column": "kind",
        "value": pytest.approx(expected),
        "chance": pytest.approx(chance),
    }
    assert (report["source"], report["label"], report["n_neighbors"]) == ("named.csv", "kind", 30)
    assert report["parameters"]["n_estimators"] == 10
    assert report["output"] == "n.csv"
    assert expected > 0.9 > chance


def test_labels_that_are_numbers_judge_neighbours_by_position(run, tmp_path):
    run("generate", "helix", "-n", "300", "--noise-dimensions", "2", "-o", "helix.csv")
    table = pd.read_csv(tmp_path / "helix.csv")
    position = table.pop("arc_length")
    indices = fitted(table).kneighbors(n_neighbors=30, return_distance=False)
    truth = np.abs(np.subtract.outer(position.to_numpy(), position.to_numpy()))
    expected = geodesic_precision(indices, distances=truth)
    result = run("neighbors", "helix.csv", "--label", "arc_length", "-k", "30", *TREES,
                 "-o", "n.csv")  # fmt: skip
    assert result.stdout.splitlines()[2] == (
        f'precision by positions in "arc_length": {expected:.4f}, by chance {30 / 299:.4f}'
    )


def test_points_of_curved_spaces(run, tmp_path):
    run("generate", "mixture", "-s", "H2 x S2", "-n", "150", "--seed", "2", "-o", "points.csv")
    result = run("neighbors", "points.csv", "-s", "H2 x S2", "-k", "9", *TREES, "-o", "n.csv")
    assert (result.returncode, result.stderr) == (0, "")
    table = pd.read_csv(tmp_path / "points.csv")
    model = GeodesicForest(10, random_state=0, signature="H2 x S2")
    expected = long_form(*model.fit(table.drop(columns="label")).kneighbors(n_neighbors=9))
    found = pd.read_csv(tmp_path / "n.csv")
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


@pytest.fixture
def models(run, points):
    """A geodesic forest and another model."""
    run("train", "points.csv", "--method", "geodesic-forest", *TREES, "-o", "model.bent")
    run("train", "points.csv", "--n-trees", "2", "--no-cv", "-o", "forest.bent")
    (points.parent / "narrow.csv").write_text("x1,x2\n1,2\n3,4\n")
    (points.parent / "one.csv").write_text("x1,x2\n1,2\n")
    (points.parent / "gap.csv").write_text("x1,x2,kind\n1,2,a\n3,4,\n5,6,a\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["points.csv", "-k", "300"],
            "points.csv: 299 rows besides each to find neighbours among, expected at least 300; "
            "pass a smaller -k",
        ),
        (
            ["--model", "model.bent", "-k", "300"],
            "model.bent: 299 rows besides each to find neighbours among, expected at least 300; "
            "pass a smaller -k",
        ),
        (
            ["points.csv", "--model", "model.bent", "-k", "301"],
            "model.bent: 300 rows to find neighbours among, expected at least 301; pass a "
            "smaller -k",
        ),
        (
            ["one.csv", "-k", "1"],
            "one.csv: 0 rows besides each to find neighbours among, expected at least 1",
        ),
        (
            ["narrow.csv", "-k", "2"],
            "narrow.csv: 1 row besides each to find neighbours among, expected at least 2; pass a "
            "smaller -k",
        ),
        (
            ["points.csv", "--model", "forest.bent"],
            "forest.bent: holds a forest, expected a geodesic forest; train one with bentwood "
            "train --method geodesic-forest",
        ),
        (
            ["narrow.csv", "--model", "model.bent"],
            'narrow.csv: no column "x3", which model.bent was trained on; rename the column or '
            "name all 6 with --columns, in this order: x1, x2, x3, noise1, noise2, noise3",
        ),
        (
            ["narrow.csv", "--model", "model.bent", "--columns", "x1,x2"],
            "narrow.csv: found 2 columns of coordinates (x1, x2), expected 6 for E6 in ambient "
            "coordinates; name as many with --columns",
        ),
        (
            ["narrow.csv", "-s", "H2", "-k", "1"],
            "narrow.csv: found 2 columns of coordinates (x1, x2), expected 3 for H2 in ambient "
            "coordinates; name the label with --label or the coordinates with --columns",
        ),
        (
            ["gap.csv", "--label", "kind", "-k", "1"],
            'gap.csv:3, column "kind": the field is empty, expected a label',
        ),
        (["absent.csv"], "absent.csv: no such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(run, points, models, arguments, message):
    result = run("neighbors", *arguments, "-o", "n.csv")
    assert result.stderr == f"bentwood: {message}\n"
    assert result.stdout == ""
    assert result.returncode == 1
    assert not (points.parent / "n.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "n.csv"], "input or --model is required"),
        (
            ["points.csv", "--model", "model.bent", "--n-trees", "3"],
            "--n-trees is for training, but --model names a trained forest",
        ),
        (
            ["--model", "model.bent", "--label", "label"],
            "--label is for a file of points, but there is only --model",
        ),
        (
            ["-", "--model", "-"],
            "model and input are both standard input, expected one of them",
        ),
        (
            ["points.csv", "--json"],
            "--json and the neighbours both go to standard output; name a file with --output",
        ),
        (
            ["points.csv", "-k", "0"],
            '--n-neighbors: expected a whole number from 1 to 1000000000, found "0"',
        ),
        (
            ["points.csv", "--criterion", "gini"],
            "--criterion: gini not in {fast_bic,fast_bic_raw,two_means,em_bic}",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(run, points, arguments, message):
    result = run("neighbors", *arguments)
    assert result.stderr == f"bentwood: {message}; see bentwood neighbors --help\n"
    assert result.stdout == ""
    assert result.returncode == 2


def test_the_input_is_not_overwritten(run, points):
    before = points.read_bytes()
    result = run("neighbors", "points.csv", "-o", "points.csv")
    assert result.returncode == 1
    assert result.stderr == (
        "bentwood: points.csv: is an input; name another file for the output\n"
    )
    assert points.read_bytes() == before


def test_points_come_through_a_pipe(run, points):
    run("neighbors", "points.csv", "-k", "4", *TREES, "-o", "file.csv")
    result = run("neighbors", "-", "-k", "4", *TREES, "-q", stdin=points.read_text())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (points.parent / "file.csv").read_text()
