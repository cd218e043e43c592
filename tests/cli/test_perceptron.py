"""bentwood train --method perceptron and second-order-perceptron, and their models."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import bentwood
from bentwood import PoincarePerceptron, PoincareSecondOrderPerceptron

H2 = ["-s", "H2", "-c", "poincare"]
METHODS = {
    "perceptron": PoincarePerceptron,
    "second-order-perceptron": PoincareSecondOrderPerceptron,
}


@pytest.fixture
def points(run, tmp_path):
    """Two classes on both sides of a geodesic of the disk."""
    result = run("generate", "separable", "-n", "300", "--margin", "0.05", "--seed", "1",
                 "-c", "poincare", "-o", "points.csv")  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    return tmp_path / "points.csv"


def read(path):
    frame = pd.read_csv(path)
    return frame[frame.columns[:2]], frame["label"].to_numpy()


@pytest.mark.parametrize(
    ("method", "options", "parameters"),
    [
        ("perceptron", ["--reference", "hull"], {"reference": "hull"}),
        (
            "perceptron",
            ["--average", "--no-shuffle", "--max-iter", "50"],
            {"average": True, "shuffle": False, "max_iter": 50},
        ),
        ("second-order-perceptron", ["--max-iter", "20"], {"max_iter": 20}),
        (
            "second-order-perceptron",
            ["--regularization", "0", "--max-updates", "100000", "--seed", "7"],
            {"regularization": 0.0, "max_updates": 100000, "random_state": 7},
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_program_and_the_package_write_the_same_model(run, points, method, options, parameters):
    result = run("train", "points.csv", *H2, "--method", method, *options, "-o", "model.bent")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[1] == "5-fold cross-validation of linear boundaries:"
    size = (points.parent / "model.bent").stat().st_size
    assert lines[4] == f"model.bent: 1 boundary, {size} bytes"
    X, y = read(points)
    settings = {"random_state": 0, **parameters}
    model = METHODS[method]("H2", coordinates="poincare", **settings).fit(X, y)
    model.save(points.parent / "python.bent")
    ours = (points.parent / "model.bent").read_bytes()
    assert ours == (points.parent / "python.bent").read_bytes()


@pytest.mark.parametrize("method", METHODS)
def test_the_other_commands_know_its_models(run, points, method):
    arguments = ["--method", method, "--reference", "hull", "--no-cv"]
    result = run("train", "points.csv", *H2, *arguments, "-o", "model.bent")
    assert (result.returncode, result.stderr) == (0, "")
    X, y = read(points)
    model = bentwood.load(points.parent / "model.bent")
    assert type(model) is METHODS[method]
    result = run("predict", "model.bent", "points.csv", "-o", "found.csv")
    assert (result.returncode, result.stderr) == (0, "")
    found = np.genfromtxt(points.parent / "found.csv", delimiter=",", skip_header=1)
    assert (found == model.predict(X)).all()
    result = run("evaluate", "model.bent", "points.csv", "--json")
    assert json.loads(result.stdout)["accuracy"] == pytest.approx(model.score(X, y))
    result = run("inspect", "model.bent")
    assert "  features     weighted\n" in result.stdout
    assert "support" not in result.stdout
    mistakes = f", {model.n_updates_[0]} mistakes of at most {model.bound_[0]:.4g}\n"
    assert mistakes in result.stdout
    told = json.loads(run("inspect", "model.bent", "--json").stdout)["boundaries"][0]
    assert told["coefficients"] == model.coef_[0].tolist()
    assert told["n_updates"] == model.n_updates_[0]
    assert told["bound"] == model.bound_[0]
    assert told["margin"] == model.margin_[0]
    result = run("draw", "model.bent", "points.csv", "--label", "label", "-o", "picture.svg")
    assert result.returncode == 0
    root = ElementTree.parse(points.parent / "picture.svg").getroot()
    assert "linear boundary on H2" in "".join(root.itertext())


def test_classes_that_overlap_are_told(run, tmp_path):
    run("generate", "mixture", "-n", "200", "--classes", "3", "--seed", "1", "-o", "clouds.csv")
    arguments = ["-s", "H2", "--method", "perceptron", "--max-iter", "5", "--no-cv", "-o", "m.bent"]
    result = run("train", "clouds.csv", *arguments)
    assert result.returncode == 0
    told = "3 of 3 boundaries still made mistakes after 5 passes; classes that overlap never end: "
    assert told + "try --average, or another --reference\n" in result.stderr
    averaged = run("train", "clouds.csv", *arguments, "--average")
    assert told + "try another --reference\n" in averaged.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--method", "perceptron", "--regularization", "2"],
            2,
            "--regularization is for --method second-order-perceptron, not for --method perceptron",
        ),
        (
            ["--method", "poincare-svm", "--average"],
            2,
            "--average is for perceptrons, not for --method poincare-svm",
        ),
        (
            ["--method", "perceptron", "--cost", "2"],
            2,
            "--cost is for --method horo-svc and poincare-svm, not for --method perceptron",
        ),
        (
            ["--method", "perceptron", "--class-weight", "balanced"],
            2,
            "--class-weight is not for --method perceptron: a perceptron has no weights",
        ),
        (
            ["--method", "second-order-perceptron", "--task", "regression"],
            1,
            "--method second-order-perceptron is for classification, but the task is regression",
        ),
        (
            ["--method", "second-order-perceptron", "--regularization", "-1"],
            1,
            "regularization is -1, expected a number from 0 to 1e100",
        ),
    ],
)
def test_mistakes_are_named(run, points, arguments, code, message):
    result = run("train", "points.csv", *H2, *arguments, "-o", "model.bent")
    assert result.returncode == code
    assert message in result.stderr
