"""bentwood train --method geodesic-forest, and what the other commands make of its models."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from bentwood import GeodesicForest

GEODESIC = ["--method", "geodesic-forest"]


@pytest.fixture
def points(run, tmp_path):
    """Three clouds in three columns, among three of noise."""
    run("generate", "gaussians", "-n", "300", "--noise-dimensions", "3", "--seed", "1",
        "-o", "points.csv")  # fmt: skip
    return tmp_path / "points.csv"


def python_bytes(table, folder, **parameters):
    model = GeodesicForest(random_state=parameters.pop("random_state", 0), **parameters)
    model.fit(table).save(folder / "python.bent")
    return (folder / "python.bent").read_bytes()


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ([], {}),
        (
            ["--n-trees", "7", "--criterion", "two_means", "--projection", "axis", "--seed", "3",
             "--max-depth", "4", "--min-samples-split", "20", "--max-features", "2"],
            {"n_estimators": 7, "criterion": "two_means", "projection": "axis", "random_state": 3,
             "max_depth": 4, "min_samples_split": 20, "max_features": 2},
        ),
        (
            ["--n-trees", "5", "--projection", "sparse", "--density", "0.4", "--max-features",
             "sqrt", "--criterion", "fast_bic_raw", "--counted", "out_of_bag", "--bootstrap",
             "--shared", "node"],
            {"n_estimators": 5, "projection": "sparse", "density": 0.4, "max_features": "sqrt",
             "criterion": "fast_bic_raw", "counted": "out_of_bag", "bootstrap": True,
             "shared": "node"},
        ),
        (
            ["--n-trees", "5", "--n-projections", "3", "--temperature", "0.00001", "--min-share",
             "0.25", "--max-features", "0.5", "--counted", "in_bag"],
            {"n_estimators": 5, "n_projections": 3, "temperature": 1e-5, "min_share": 0.25,
             "max_features": 0.5, "counted": "in_bag"},
        ),
        (["--n-trees", "2", "--criterion", "em_bic"], {"n_estimators": 2, "criterion": "em_bic"}),
    ],
)  # fmt: skip
def test_the_program_and_the_package_write_the_same_model(run, points, options, parameters):
    result = run("train", "points.csv", *GEODESIC, *options, "-o", "model.bent")
    assert (result.returncode, result.stderr) == (0, "")
    table = pd.read_csv(points).drop(columns="label")
    theirs = python_bytes(table, points.parent, **parameters)
    assert (points.parent / "model.bent").read_bytes() == theirs
    lines = result.stdout.splitlines()
    assert lines[0] == "points.csv: 300 rows on E6 in ambient coordinates"
    n_trees = parameters.get("n_estimators", 100)
    assert lines[1].startswith(f"model.bent: {n_trees} trees, ")
    assert len(lines) == 2


def test_labels_are_left_out_of_the_points_and_play_no_part(run, points):
    run("train", "points.csv", *GEODESIC, "--n-trees", "3", "-o", "model.bent")
    table = pd.read_csv(points)
    # Another name, other labels and text: the same model.
    for column in (np.arange(300) / 7, ["ant", "bee", "cat"] * 100):
        table.drop(columns="label").assign(kind=column).to_csv(
            points.parent / "other.csv", index=False
        )
        result = run("train", "other.csv", *GEODESIC, "--label", "kind", "--n-trees", "3",
                     "--json", "-o", "other.bent")  # fmt: skip
        assert (result.returncode, result.stderr) == (0, "")
        ours = (points.parent / "model.bent").read_bytes()
        assert (points.parent / "other.bent").read_bytes() == ours
    report = json.loads(result.stdout)
    assert report["label"] == "kind"
    assert report["rows"] == 300
    assert report["signature"] == "E6"
    assert report["estimator"] == "GeodesicForest"
    assert report["parameters"]["criterion"] == "fast_bic"
    assert report["model"]["path"] == "other.bent"
    assert report["model"]["trees"] == 3
    # No label at all, and nothing to cross-validate.
    table.drop(columns="label").to_csv(points.parent / "none.csv", index=False)
    result = run("train", "none.csv", *GEODESIC, "--n-trees", "3", "--no-cv", "--json",
                 "-o", "none.bent")  # fmt: skip
    assert json.loads(result.stdout)["label"] is None
    assert (points.parent / "none.bent").read_bytes() == ours


def test_the_report_of_a_model_shows_which_columns_are_noise(run, points):
    run("train", "points.csv", *GEODESIC, "--n-trees", "20", "-o", "model.bent")
    model = GeodesicForest.load(points.parent / "model.bent")
    result = run("inspect", "model.bent")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("model.bent: GeodesicForest, ")
    for line in (
        "  task         neighbors",
        "  signature    E6",
        "  rows         300",
        "  trees        20",
        "  features     x1, x2, x3, noise1, noise2, noise3",
        '               criterion = "fast_bic"',
    ):
        assert line in lines
    report = json.loads(run("inspect", "model.bent", "--json").stdout)
    assert report["rows"] == 300
    assert report["task"] == "neighbors"
    assert report["counted"] == "all"
    assert report["size"]["trees"] == 20
    assert report["size"]["bytes"] == (points.parent / "model.bent").stat().st_size
    # A forest of binary trees: one leaf more than cuts a tree.
    assert 2 * report["size"]["leaves"] == report["size"]["nodes"] + 20
    told = {entry["name"]: entry["importance"] for entry in report["column_importances"]}
    assert told == dict(zip(model.column_names_, model.feature_importances_, strict=True))
    assert max(told[name] for name in told if name.startswith("noise")) < min(
        told[name] for name in told if name.startswith("x")
    )
    bars = (
        result.stdout.split("importance of the columns:\n")[1].split("tree 0 of 20")[0].splitlines()
    )
    top = report["column_importances"][0]
    assert bars[0] == f"  {top['name']:<6} {top['importance']:.4f} {'#' * 40}"
    assert len(bars) == 6


@pytest.mark.parametrize(
    "command",
    [
        ["predict", "model.bent", "points.csv"],
        ["evaluate", "model.bent", "points.csv"],
        ["draw", "model.bent", "points.csv", "-o", "picture.svg"],
    ],
)
def test_it_predicts_nothing(run, points, command):
    run("train", "points.csv", *GEODESIC, "--n-trees", "2", "-o", "model.bent")
    result = run(*command)
    assert result.returncode == 1
    assert result.stderr == (
        "bentwood: model.bent: holds a geodesic forest, which predicts nothing; ask it with "
        "bentwood neighbors --model\n"
    )


def test_its_trees_are_shown_as_the_package_does(run, points):
    run("train", "points.csv", *GEODESIC, "--n-trees", "2", "-o", "model.bent")
    model = GeodesicForest.load(points.parent / "model.bent")
    result = run("inspect", "model.bent", "--tree", "1", "--depth", "2")
    assert (result.returncode, result.stderr) == (0, "")
    text = model.export_text(1, max_depth=2)
    assert result.stdout.endswith(f"tree 1 of 2, to depth 2:\n{text}")
    report = json.loads(run("inspect", "model.bent", "--json").stdout)
    assert report["tree"] == {"number": 0, "text": model.export_text(max_depth=3)}
    dot = run("inspect", "model.bent", "--graphviz", "-").stdout
    assert dot == model.export_graphviz()
    before = (points.parent / "model.bent").read_bytes()
    result = run("inspect", "model.bent", "--graphviz", "model.bent")
    assert result.returncode == 1
    assert (points.parent / "model.bent").read_bytes() == before


FROM_LABELS = "is for learning from labels, not for --method geodesic-forest"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([*GEODESIC, "--task", "regression"], 2, f"--task {FROM_LABELS}"),
        ([*GEODESIC, "--cv-folds", "3"], 2, f"--cv-folds {FROM_LABELS}"),
        ([*GEODESIC, "--weights", "x1"], 2, f"--weights {FROM_LABELS}"),
        ([*GEODESIC, "--class-weight", "balanced"], 2, f"--class-weight {FROM_LABELS}"),
        ([*GEODESIC, "--min-samples-leaf", "3"], 2, f"--min-samples-leaf {FROM_LABELS}"),
        ([*GEODESIC, "--max-leaf-nodes", "3"], 2, f"--max-leaf-nodes {FROM_LABELS}"),
        (
            [*GEODESIC, "--min-impurity-decrease", "0.1"],
            2,
            f"--min-impurity-decrease {FROM_LABELS}",
        ),
        (
            [*GEODESIC, "--min-weight-fraction-leaf", "0.1"],
            2,
            f"--min-weight-fraction-leaf {FROM_LABELS}",
        ),
        ([*GEODESIC, "--criterion", "gini"], 2, f"--criterion gini {FROM_LABELS}"),
        (
            [*GEODESIC, "--splits", "pairs"],
            2,
            "--splits is for --method tree and forest, not for --method geodesic-forest",
        ),
        (
            [*GEODESIC, "--cost", "3"],
            2,
            "--cost is for --method horo-svc and poincare-svm, not for --method geodesic-forest",
        ),
        (
            ["--criterion", "fast_bic"],
            2,
            "--criterion fast_bic is for --method geodesic-forest, not for --method forest",
        ),
        (
            ["--method", "tree", "--temperature", "1"],
            2,
            "--temperature is for --method geodesic-forest, not for --method tree",
        ),
        (
            [*GEODESIC, "--min-share", "0.6"],
            2,
            '--min-share: expected a number from 0 to 0.5, found "0.6"',
        ),
        (
            [*GEODESIC, "--temperature", "-1"],
            2,
            '--temperature: expected a finite number of at least 0, found "-1"',
        ),
        (
            [*GEODESIC, "--density", "2"],
            2,
            '--density: expected a number from 0 to 1, found "2"',
        ),
        (
            [*GEODESIC, "--projection", "dense"],
            2,
            "--projection: dense not in {guided,sparse,axis}",
        ),
        (
            [*GEODESIC, "-s", "E7"],
            1,
            "points.csv: found 6 columns of coordinates (x1, x2, x3, noise1, noise2, noise3), "
            "expected 7 for E7 in ambient coordinates; name the label with --label or the "
            "coordinates with --columns",
        ),
    ],
)
def test_mistakes_are_named(run, points, arguments, code, message):
    result = run("train", "points.csv", *arguments, "-o", "model.bent")
    see = "; see bentwood train --help" if code == 2 else ""
    assert result.stderr == f"bentwood: {message}{see}\n"
    assert result.stdout == ""
    assert result.returncode == code
    assert not (points.parent / "model.bent").exists()


def test_no_option_of_its_own_is_taken_by_others_in_silence(run, points):
    words = run("train", "--help").stdout.split()
    values = {
        "--projection": "axis", "--n-projections": "3", "--density": "0.5", "--temperature": "1",
        "--min-share": "0.2", "--shared": "leaf", "--bootstrap": None, "--counted": "in_bag",
    }  # fmt: skip
    # The last option before every "geodesic-forest:" of the help.
    places = [place for place, word in enumerate(words) if word == "geodesic-forest:"]
    own = {next(word for word in words[place::-1] if word.startswith("--")) for place in places}
    assert own == set(values)
    assert run("train", "points.csv", *GEODESIC, "--n-trees", "2", "-o", "m.bent").returncode == 0
    for option, value in values.items():
        given = [option] if value is None else [option, value]
        result = run("train", "points.csv", "--method", "tree", *given, "-o", "x.bent")
        assert result.returncode == 2
        assert result.stderr.startswith(
            f"bentwood: {option} is for --method geodesic-forest, not for --method tree"
        )
        result = run("neighbors", "--model", "m.bent", *given, "-k", "3", "-o", "n.csv")
        assert result.returncode == 2
        assert result.stderr.startswith(f"bentwood: {option} is for training, but --model names")
