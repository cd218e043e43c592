"""bentwood train --method horo-tree and horo-forest, and --splits horosphere."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from bentwood import HoroForestClassifier, HoroTreeClassifier, ManifoldForestRegressor

H2 = ["-s", "H2", "-c", "poincare"]


@pytest.fixture
def points(run, tmp_path):
    """Three classes that overlap, in the disk."""
    run("generate", "mixture", "-n", "200", "--classes", "3", "--noise", "1", "--seed", "1",
        "-c", "poincare", "-o", "points.csv")  # fmt: skip
    return tmp_path / "points.csv"


def read(path):
    table = pd.read_csv(path)
    return table.iloc[:, :2], table.iloc[:, 2]


def test_the_program_and_the_package_write_the_same_forest(run, points, tmp_path):
    result = run("train", "points.csv", *H2, "--method", "horo-forest", "--n-trees", "7", "--beta",
                 "0.9", "--threshold", "margin", "--no-hyperclasses", "--seed", "4", "--no-cv",
                 "-o", "model.bent")  # fmt: skip
    assert result.returncode == 0, result.stderr
    X, y = read(points)
    model = HoroForestClassifier(
        "H2", coordinates="poincare", n_estimators=7, beta=0.9, threshold="margin",
        hyperclasses=False, random_state=4,
    ).fit(X, y)  # fmt: skip
    written = HoroForestClassifier.load(tmp_path / "model.bent")
    np.testing.assert_array_equal(written.predict_proba(X), model.predict_proba(X))
    given = {k: v for k, v in model.get_params().items() if k not in ("n_jobs", "oob_score")}
    assert {k: written.get_params()[k] for k in given} == given


def test_horo_is_short_for_horo_forest(run, points, tmp_path):
    for method in ("horo", "horo-forest"):
        result = run("train", "points.csv", *H2, "--method", method, "--n-trees", "3", "--no-cv",
                     "-o", f"{method}.bent")  # fmt: skip
        assert result.returncode == 0, result.stderr
    assert (tmp_path / "horo.bent").read_bytes() == (tmp_path / "horo-forest.bent").read_bytes()


def test_the_program_and_the_package_write_the_same_tree(run, points, tmp_path):
    run("train", "points.csv", *H2, "--method", "horo-tree", "--max-depth", "3", "--ideal-points",
        "both", "--n-candidates", "9", "--no-cv", "-o", "model.bent")  # fmt: skip
    X, y = read(points)
    model = HoroTreeClassifier(
        "H2", coordinates="poincare", max_depth=3, ideal_points="both", n_candidates=9,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    written = HoroTreeClassifier.load(tmp_path / "model.bent")
    assert written.export_text() == model.export_text()
    assert written.min_samples_leaf == 3


def test_other_commands_take_the_model(run, points, tmp_path):
    run("train", "points.csv", *H2, "--method", "horo-tree", "--max-depth", "2", "--no-cv", "-o",
        "model.bent")  # fmt: skip
    inspected = run("inspect", "model.bent")
    assert "points" not in inspected.stderr
    assert "HoroTreeClassifier" in inspected.stdout
    assert "splits       horosphere" in inspected.stdout
    assert "  h1.horosphere 1.0000" in inspected.stdout
    assert "|--- h1.horosphere(" in inspected.stdout
    scores = json.loads(run("evaluate", "model.bent", "points.csv", "--json").stdout)
    assert json.dumps(scores).count("accuracy") >= 1
    predicted = run("predict", "model.bent", "points.csv", "--proba")
    assert len(predicted.stdout.splitlines()) == 201
    drawn = run("draw", "model.bent", "points.csv", "-o", "picture.svg")
    assert drawn.returncode == 0, drawn.stderr
    picture = ElementTree.parse(tmp_path / "picture.svg")
    arcs = [
        path.get("d")
        for path in picture.iter("{http://www.w3.org/2000/svg}path")
        if "A" in path.get("d")
    ]
    # Three horocycles, in at least three parts each where they are whole.
    assert len(arcs) >= 3


def test_cross_validation_is_reported(run, points):
    result = run("train", "points.csv", *H2, "--method", "horo-forest", "--n-trees", "5", "-o",
                 "model.bent", "--json")  # fmt: skip
    report = json.loads(result.stdout)
    assert report["estimator"] == "HoroForestClassifier"
    assert report["parameters"]["ideal_points"] == "svm"
    assert report["cross_validation"] is not None


def test_points_without_a_signature_are_tangent_vectors(run, points):
    result = run(
        "train", "points.csv", "--method", "horo-tree", "--no-cv", "-o", "m.bent", "--json"
    )
    report = json.loads(result.stdout)
    assert (report["signature"], report["coordinates"]) == ("H2", "tangent")


def test_regression_takes_horospheres_as_splits(run, points, tmp_path):
    result = run("train", "points.csv", *H2, "--task", "regression", "--splits",
                 "geodesic,horosphere", "--n-trees", "3", "--no-cv", "-o",
                 "model.bent")  # fmt: skip
    assert result.returncode == 0, result.stderr
    X, y = read(points)
    model = ManifoldForestRegressor(
        "H2", coordinates="poincare", splits=("geodesic", "horosphere"), n_estimators=3,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    written = ManifoldForestRegressor.load(tmp_path / "model.bent")
    np.testing.assert_array_equal(written.predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--method", "horo-tree", "--splits", "pairs"],
            2,
            "--splits is for --method tree and forest, not for --method horo-tree",
        ),
        (
            ["--method", "horo-forest", "--cost", "3"],
            2,
            "--cost is for --method horo-svc and poincare-svm, not for --method horo-forest",
        ),
        (
            ["--threshold", "margin"],
            2,
            "--threshold is for --method horo-tree and horo-forest, not for --method forest",
        ),
        (["--beta", "0.5"], 2, "--beta is for horospheres, not for --method forest"),
        (
            ["--method", "horo-forest", "--task", "regression"],
            1,
            "--method horo-forest is for classification, but the task is regression; pass --splits "
            "horosphere to a tree or a forest",
        ),
        (
            ["--splits", "horosphere", "-s", "E2"],
            1,
            "E2 has no hyperbolic factor, and so no horospheres: expected one such as H2, or "
            "splits of another kind besides",
        ),
    ],
)
def test_mistakes_are_told(run, points, arguments, code, message):
    result = run("train", "points.csv", *arguments, "-o", "model.bent")
    assert result.returncode == code
    assert message in result.stderr


def test_splits_that_do_nothing_are_told(run, points):
    told = run("train", "points.csv", "--splits", "geodesic,chordal", "-o", "model.bent")
    assert told.returncode == 0
    assert (
        'bentwood: warning: E2 has no spherical factor, and so no chordal columns: "chordal" among '
        "the splits does nothing\n"
    ) in told.stderr
