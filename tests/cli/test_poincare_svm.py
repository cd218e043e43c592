"""bentwood train --method poincare-svm, and what the other commands make of its models."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from bentwood import PoincareSVC

H2 = ["-s", "H2", "-c", "poincare"]
SVM = ["--method", "poincare-svm"]


@pytest.fixture
def points(run, tmp_path):
    """Three classes that overlap, in the disk."""
    run("generate", "mixture", "-n", "300", "--classes", "3", "--noise", "1", "--seed", "1",
        "-c", "poincare", "-o", "points.csv")  # fmt: skip
    return tmp_path / "points.csv"


def read(path):
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :2], table[:, 2].astype(int)


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ([], {}),
        (
            ["--cost", "3", "--probability", "--platt", "train", "--no-intercept"],
            {"C": 3.0, "probability": True, "platt": "train", "fit_intercept": False},
        ),
        (["--space", "lorentz", "--loss", "hinge"], {"space": "lorentz", "loss": "hinge"}),
        (
            ["--space", "weighted", "--reference", "means", "--class-weight", "balanced"],
            {"space": "weighted", "reference": "means", "class_weight": "balanced"},
        ),
    ],
)
def test_the_program_and_the_package_write_the_same_model(run, points, options, parameters):
    result = run("train", "points.csv", *H2, *SVM, *options, "-o", "model.bent")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[1] == "5-fold cross-validation of linear boundaries:"
    size = (points.parent / "model.bent").stat().st_size
    assert lines[4] == f"model.bent: 3 boundaries, {size} bytes"
    import pandas as pd

    X, y = read(points)
    model = PoincareSVC("H2", coordinates="poincare", random_state=0, **parameters)
    frame = pd.DataFrame(X, columns=pd.read_csv(points, nrows=0).columns[:2])
    model.fit(frame, y).save(points.parent / "python.bent")
    ours = (points.parent / "model.bent").read_bytes()
    assert ours == (points.parent / "python.bent").read_bytes()


def test_the_other_commands_know_its_models(run, points):
    import pandas as pd

    run("train", "points.csv", *H2, *SVM, "--probability", "--no-cv", "-o", "model.bent")
    X, y = read(points)
    X = pd.DataFrame(X, columns=pd.read_csv(points, nrows=0).columns[:2])
    model = PoincareSVC.load(points.parent / "model.bent")
    result = run("predict", "model.bent", "points.csv", "--proba", "-o", "found.csv")
    assert (result.returncode, result.stderr) == (0, "")
    table = np.genfromtxt(points.parent / "found.csv", delimiter=",", skip_header=1)
    assert (table[:, 0] == model.predict(X)).all()
    np.testing.assert_allclose(table[:, 1:], model.predict_proba(X), rtol=1e-12)
    result = run("evaluate", "model.bent", "points.csv", "--json")
    assert json.loads(result.stdout)["accuracy"] == pytest.approx(model.score(X, y))
    result = run("inspect", "model.bent")
    assert "  features     tangent\n" in result.stdout
    assert f"  support      {len(model.support_)} rows\n" in result.stdout
    told = json.loads(run("inspect", "model.bent", "--json").stdout)
    assert told["size"]["boundaries"] == 3
    np.testing.assert_array_equal(
        [boundary["coefficients"] for boundary in told["boundaries"]], model.coef_
    )
    np.testing.assert_array_equal(
        [boundary["reference"] for boundary in told["boundaries"]], model.reference_points_
    )
    result = run("draw", "model.bent", "points.csv", "--label", "label", "-o", "picture.svg")
    assert result.returncode == 0
    root = ElementTree.parse(points.parent / "picture.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "3 linear boundaries on H2" in "".join(root.itertext())


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--n-trees", "3"],
            2,
            "--n-trees is for trees and forests, not for --method poincare-svm",
        ),
        (["--beta", "0.5"], 2, "--beta is for horospheres, not for --method poincare-svm"),
        (
            ["--class-weight", "balanced_subsample"],
            2,
            "--class-weight balanced_subsample is for forests, not poincare-svm",
        ),
        (
            ["--task", "regression"],
            1,
            "bentwood: --method poincare-svm is for classification, but the task is regression",
        ),
    ],
)
def test_mistakes_are_named(run, points, arguments, code, message):
    result = run("train", "points.csv", *H2, *SVM, *arguments, "-o", "model.bent")
    assert result.returncode == code
    assert message in result.stderr
    result = run("train", "points.csv", *H2, "--space", "lorentz", "-o", "model.bent")
    assert result.returncode == 2
    assert "--space is for --method poincare-svm, not for --method forest" in result.stderr


def test_one_column_is_no_point_of_the_hyperboloid(run, tmp_path):
    (tmp_path / "column.csv").write_text("x1,label\n1,a\n1,b\n")
    result = run("train", "column.csv", "-c", "ambient", *SVM, "--no-cv", "-o", "model.bent")
    assert result.returncode == 1
    message = (
        "bentwood: found 1 column of coordinates, expected at least 2 in ambient coordinates of H"
    )
    assert result.stderr.splitlines() == [message]
