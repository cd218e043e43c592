"""bentwood train --method horo-svc, and what the other commands make of its models."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from bentwood import HoroSVC

H2 = ["-s", "H2", "-c", "poincare"]


@pytest.fixture
def points(run, tmp_path):
    """Three classes that overlap, in the disk."""
    run("generate", "mixture", "-n", "300", "--classes", "3", "--noise", "1", "--seed", "1",
        "-c", "poincare", "-o", "points.csv")  # fmt: skip
    return tmp_path / "points.csv"


def read(path):
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :2], table[:, 2].astype(int)


def test_the_program_and_the_package_write_the_same_model(run, points):
    result = run("train", "points.csv", *H2, "--method", "horo-svc", "--cost", "3", "--probability",
                 "-o", "model.bent")  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == (
        'points.csv: 300 rows on H2 in poincare coordinates, 3 classes in "label" (classification)'
    )
    assert lines[1] == "5-fold cross-validation of horospheres:"
    size = (points.parent / "model.bent").stat().st_size
    assert lines[4] == f"model.bent: 3 horospheres, {size} bytes"
    import pandas as pd

    frame = pd.read_csv(points)
    model = HoroSVC("H2", coordinates="poincare", C=3.0, probability=True, random_state=0)
    model.fit(frame[["x1", "x2"]], frame["label"]).save(points.parent / "python.bent")
    assert (points.parent / "python.bent").read_bytes() == (
        points.parent / "model.bent"
    ).read_bytes()
    told = run("predict", "model.bent", "points.csv", "--proba", "--json")
    table = json.loads(told.stdout)
    assert table["prediction"] == model.predict(frame[["x1", "x2"]]).tolist()
    proba = np.column_stack([table[f"p({label})"] for label in range(3)])
    assert (proba == model.predict_proba(frame[["x1", "x2"]])).all()


def test_evaluate_and_inspect_know_horospheres(run, points):
    run("train", "points.csv", *H2, "--method", "horo-svc", "--no-cv", "-o", "model.bent")
    scores = json.loads(run("evaluate", "model.bent", "points.csv", "--json").stdout)
    X, y = read(points)
    model = HoroSVC("H2", coordinates="poincare", random_state=0).fit(X, y)
    assert scores["accuracy"] == pytest.approx(model.score(X, y))
    assert "log_loss" not in scores
    facts = json.loads(run("inspect", "model.bent", "--json").stdout)
    assert facts["estimator"] == "HoroSVC"
    np.testing.assert_array_equal(
        [sphere["ideal_point"] for sphere in facts["horospheres"]], model.ideal_points_
    )
    text = run("inspect", "model.bent").stdout
    assert text.splitlines()[-3].startswith("  0 ")
    assert f"B <= {model.levels_[0]:.4f} towards" in text


def test_draw_shows_horocycles_and_points(run, points):
    run("train", "points.csv", *H2, "--method", "horo-svc", "--no-cv", "-o", "model.bent")
    result = run("draw", "model.bent", "points.csv", "-o", "disk.svg", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    report = json.loads(result.stdout)
    assert (report["horospheres"], report["rows"]) == (3, 300)
    picture = (points.parent / "disk.svg").read_text()
    X, y = read(points)
    model = HoroSVC("H2", coordinates="poincare", random_state=0).fit(X, y)
    root = ElementTree.fromstring(picture)
    circles = [element.attrib for element in root.iter("{http://www.w3.org/2000/svg}circle")]
    half = 450 - 28
    for ideal, level in zip(model.ideal_points_, model.levels_, strict=True):
        size = 1 / (1 + np.exp(-level))
        expected = [450 + half * (1 - size) * ideal[0], 514 - half * (1 - size) * ideal[1]]
        found = [
            circle
            for circle in circles
            if abs(float(circle["r"]) - half * size) < 0.02
            and np.allclose([float(circle["cx"]), float(circle["cy"])], expected, atol=0.02)
        ]
        assert len(found) == 1
    result = run("draw", "model.bent", "points.csv", "--tree", "0")
    assert (result.returncode, result.stderr) == (
        1,
        "bentwood: model.bent: there is no tree 0: the model has horospheres\n",
    )


def test_any_table_of_numbers_will_do(run, points):
    result = run("train", "points.csv", "--method", "horo-svc", "-o", "model.bent", "--json")
    report = json.loads(result.stdout)
    assert (report["signature"], report["coordinates"]) == ("H2", "tangent")
    assert report["parameters"]["signature"] is None
    assert report["model"]["horospheres"] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--method", "horo-svc", "--n-trees", "5"],
            2,
            "--n-trees is for trees and forests, not for --method horo-svc",
        ),
        *(
            (["--method", "horo-svc", option, text], 2, f'{option}: {expected}, found "{text}"')
            for option, expected in (
                ("--cost", "expected a finite number above 0"),
                ("--tol", "expected a finite number above 0"),
                ("--beta", "expected a number from 0 to 1"),
            )
            for text in ("nan", "inf", "-1")
        ),
        (["--method", "horo-svc", "--cost", "0"], 2, "--cost: expected a finite number above 0"),
        (
            ["--cost", "5"],
            2,
            "--cost is for --method horo-svc and poincare-svm, not for --method forest",
        ),
        (
            ["--method", "horo-svc", "--beta", "0.5", "--class-weight", "balanced"],
            2,
            "--beta and --class-weight both balance classes, expected one",
        ),
        (
            ["--method", "horo-svc", "--class-weight", "balanced_subsample"],
            2,
            "--class-weight balanced_subsample is for forests, not horo-svc",
        ),
        (
            ["--method", "horo-svc", "--task", "regression"],
            1,
            "--method horo-svc is for classification, but the task is regression",
        ),
        (
            ["--method", "horo-svc", "-s", "E2"],
            1,
            "the signature is E2, expected one hyperbolic factor such as H2",
        ),
    ],
)
def test_what_does_not_fit_is_said(run, points, arguments, code, message):
    result = run("train", "points.csv", *arguments, "-o", "model.bent")
    assert result.returncode == code
    assert result.stderr.startswith(f"bentwood: {message}")
    assert len(result.stderr.splitlines()) == 1


def test_what_horospheres_lack_is_said(run, points):
    run("train", "points.csv", *H2, "--method", "horo-svc", "--no-cv", "-o", "model.bent")
    result = run("predict", "model.bent", "points.csv", "--proba")
    assert (result.returncode, result.stderr) == (
        1,
        "bentwood: model.bent: has learned no probabilities; leave out --proba, or train an SVM "
        "with --probability\n",
    )
    result = run("inspect", "model.bent", "--tree", "1")
    assert result.returncode == 2
    assert result.stderr.startswith(
        "bentwood: --tree is for trees and forests, but model.bent holds horospheres"
    )
    (points.parent / "one.csv").write_text("x1,x2,label\n0,0,a\n0.1,0,a\n")
    result = run("train", "one.csv", *H2, "--method", "horo-svc", "--no-cv", "-o", "x.bent")
    assert (result.returncode, result.stderr) == (
        1,
        'bentwood: one.csv: all rows have one label, "a", expected at least two classes\n',
    )
