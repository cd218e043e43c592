"""bentwood train."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time

import numpy as np
import pytest

from bentwood import ManifoldTreeClassifier, load

H2 = ["-s", "H2", "-c", "poincare"]


@pytest.fixture
def points(run, tmp_path):
    """Four classes that overlap, in the disk."""
    run("generate", "mixture", "-n", "400", "--classes", "4", "--noise", "1", "--seed", "1",
        "-c", "poincare", "-o", "points.csv")  # fmt: skip
    return tmp_path / "points.csv"


def train(run, *arguments, file="points.csv", output="model.bent"):
    result = run("train", file, *arguments, "-o", output, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_report_says_what_was_learned_and_saved(run, points):
    result = run("train", "points.csv", *H2, "--n-trees", "20", "-o", "model.bent")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == (
        'points.csv: 400 rows on H2 in poincare coordinates, 4 classes in "label" (classification)'
    )
    assert lines[1] == "5-fold cross-validation of a forest of 20 trees:"
    report = train(run, *H2, "--n-trees", "20")
    for line, name, key in (
        (lines[2], "accuracy ", "accuracy"),
        (lines[3], "macro F1 ", "macro_f1"),
    ):
        score = report["cross_validation"][key]
        assert line == f"  {name} {score['mean']:.4f} ± {score['deviation']:.4f}"
        assert np.mean(score["folds"]) == pytest.approx(score["mean"], rel=1e-12)
        assert np.std(score["folds"], ddof=1) == pytest.approx(score["deviation"], rel=1e-9)
    assert lines[4].startswith("model.bent: 20 trees, ")
    assert report["cross_validation"]["accuracy"]["mean"] > 0.8
    assert report["model"]["bytes"] == (points.parent / "model.bent").stat().st_size
    assert report["classes"] == [0, 1, 2, 3]


def test_the_report_is_json_on_stderr_where_the_model_goes_to_stdout(program, run, points):
    arguments = ["train", "points.csv", *H2, "--n-trees", "3", "--json", "-o"]
    for flags in ([], ["--quiet"]):
        done = subprocess.run(
            [program, *flags, *arguments, "-"], cwd=points.parent, capture_output=True, check=True
        )
        report = json.loads(done.stderr)
        assert report["model"].pop("path") == "-"
        expected = json.loads(run(*arguments, "model.bent").stdout)
        assert expected["model"].pop("path") == "model.bent"
        assert report == expected
        assert done.stdout == (points.parent / "model.bent").read_bytes()


def test_the_seed_decides_and_threads_do_not(run, points):
    files = {}
    for name, arguments in {
        "one": ["--threads", "1"],
        "two": ["-j", "2"],
        "three": ["--threads", "3", "--no-cv"],
        "other": ["--seed", "1"],
    }.items():
        train(run, *H2, "--n-trees", "10", *arguments, output=f"{name}.bent")
        files[name] = (points.parent / f"{name}.bent").read_bytes()
    assert files["one"] == files["two"] == files["three"]
    assert files["one"] != files["other"]


def test_cross_validation_does_not_depend_on_threads(run, points):
    scores = [train(run, *H2, "--threads", n)["cross_validation"] for n in ("1", "3")]
    assert scores[0] == scores[1]
    assert len(scores[0]["accuracy"]["folds"]) == 5
    assert len(train(run, "--cv-folds", "7")["cross_validation"]["accuracy"]["folds"]) == 7
    assert train(run, "--no-cv")["cross_validation"] is None


# The package's estimators take these as they are.
def test_parameters_are_those_of_the_python_package(run, points):
    report = train(
        run, *H2, "--n-trees", "7", "--max-depth", "4", "--min-samples-leaf", "3",
        "--min-samples-split", "8", "--max-features", "0.5", "--max-leaf-nodes", "9",
        "--min-weight-fraction-leaf", "0.01", "--min-impurity-decrease", "0.001",
        "--criterion", "entropy", "--class-weight", "balanced_subsample", "--seed", "5",
    )  # fmt: skip
    assert report["estimator"] == "ManifoldForestClassifier"
    assert report["parameters"] == {
        "bootstrap": True,
        "class_dtype": "int64",
        "class_weight": "balanced_subsample",
        "criterion": "entropy",
        "max_depth": 4,
        "max_features": 0.5,
        "max_leaf_nodes": 9,
        "max_samples": None,
        "min_impurity_decrease": 0.001,
        "min_samples_leaf": 3,
        "min_samples_split": 8,
        "min_weight_fraction_leaf": 0.01,
        "n_estimators": 7,
        "random_state": 5,
        "seed": 5,
        "signature": "H2",
    }
    assert report["model"]["depth"] <= 4
    assert report["model"]["leaves"] <= 7 * 9


@pytest.mark.parametrize(
    ("name", "value"), [("min_weight_fraction_leaf", 0.1), ("min_impurity_decrease", 0.02)]
)
def test_limits_of_leaves_are_those_of_the_python_package(run, points, name, value):
    option = "--" + name.replace("_", "-")
    leaves = train(run, *H2, "--method", "tree", "--no-cv")["model"]["leaves"]
    limited = train(run, *H2, "--method", "tree", "--no-cv", option, str(value))["model"]["leaves"]
    assert 1 < limited < leaves
    table = np.loadtxt(points, delimiter=",", skiprows=1)
    tree = ManifoldTreeClassifier("H2", coordinates="poincare", random_state=0, **{name: value})
    tree.fit(table[:, :2], table[:, 2].astype(int))
    assert load(points.parent / "model.bent").export_text() == tree.export_text()


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--min-weight-fraction-leaf", "0.6", 'expected a number from 0 to 0.5, found "0.6"'),
        ("--min-impurity-decrease", "-1", 'expected a finite number of at least 0, found "-1"'),
    ],
)
def test_limits_of_leaves_out_of_range_are_refused(run, points, option, value, expected):
    result = run("train", "points.csv", *H2, option, value, "-o", "model.bent")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"bentwood: {option}: {expected}; see bentwood train --help\n"
    assert not (points.parent / "model.bent").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "sqrt"),
        (["--max-features", "sqrt"], "sqrt"),
        (["--max-features", "log2"], "log2"),
        (["--max-features", "all"], None),
        (["--max-features", "2"], 2),
        (["--max-features", "1.0"], 1.0),
        (["--method", "tree"], None),
    ],
)
def test_max_features_has_all_its_forms(run, points, arguments, expected):
    found = train(run, "--no-cv", *arguments)["parameters"]["max_features"]
    assert (found, type(found)) == (expected, type(expected))


def test_a_tree_is_one_tree_on_all_rows(run, points):
    report = train(run, *H2, "--method", "tree")
    assert report["estimator"] == "ManifoldTreeClassifier"
    assert report["model"]["trees"] == 1
    assert "n_estimators" not in report["parameters"]
    assert train(run, *H2, "--method", "tree", "--seed", "9")["model"] == report["model"]


def test_pairs_are_more_columns(run, tmp_path):
    run("generate", "mixture", "-n", "100", "-s", "H3 x S2", "-o", "points.csv")
    for splits, n_columns in (("geodesic", 5), ("geodesic,pairs", 5 + 3 + 1)):
        train(run, "-s", "H3 x S2", "--splits", splits, "--no-cv", "--n-trees", "3")
        facts = json.loads(run("inspect", "model.bent", "--json").stdout)
        assert len(facts["column_importances"]) == n_columns


@pytest.mark.parametrize(
    ("labels", "task", "classes"),
    [
        ([0, 1, 2, 1, 0, 2] * 5, "classification", [0, 1, 2]),
        (["ant", "bee", "2"] * 10, "classification", ["2", "ant", "bee"]),
        ([0.5, 1, 2] * 10, "regression", []),
        (list(range(30)), "regression", []),
        ([1e20, 1] * 15, "regression", []),
    ],
)
def test_the_task_is_guessed_from_the_labels(run, tmp_path, labels, task, classes):
    rows = [f"{index % 7},{index % 5},{label}" for index, label in enumerate(labels)]
    (tmp_path / "points.csv").write_text("\n".join(["a,b,y", *rows]))
    report = train(run, "--label", "y", "--n-trees", "2")
    assert (report["task"], report["classes"]) == (task, classes)
    assert report["signature"] == "E2"


def test_the_task_can_be_said(run, points):
    report = train(run, "--task", "regression", "--n-trees", "5")
    assert report["estimator"] == "ManifoldForestRegressor"
    assert report["parameters"]["max_features"] == 1.0
    assert "class_weight" not in report["parameters"]
    assert set(report["cross_validation"]) == {"rmse", "r2"}


# A row of weight 2 is as good as the row twice, and one of weight 0 as none at all.
def test_weights_count_rows(run, points, tmp_path):
    lines = points.read_text().splitlines()
    weights = [index % 3 for index in range(400)]
    weighted = [f"{line},{w}" for line, w in zip(lines[1:], weights, strict=True)]
    (tmp_path / "weighted.csv").write_text("\n".join([lines[0] + ",w", *weighted]) + "\n")
    repeated = [line for line, w in zip(lines[1:], weights, strict=True) for _ in range(w)]
    (tmp_path / "repeated.csv").write_text("\n".join([lines[0], *repeated]) + "\n")
    tree = [*H2, "--method", "tree", "--no-cv"]
    train(run, *tree, "--weights", "w", file="weighted.csv", output="weighted.bent")
    train(run, *tree, file="repeated.csv", output="repeated.bent")
    predictions = [
        run("predict", f"{kind}.bent", "points.csv", "--proba").stdout
        for kind in ("weighted", "repeated")
    ]
    assert predictions[0] == predictions[1]


def test_columns_are_chosen_by_either_name(run, points):
    one = train(run, "--columns", "x2,x1", "--no-cv", output="one.bent")
    two = train(run, "--features", "x2,x1", "--no-cv", output="two.bent")
    assert one["label"] == two["label"] == "label"
    facts = json.loads(run("inspect", "one.bent", "--json").stdout)
    assert facts["feature_names"] == ["x2", "x1"]
    folder = points.parent
    assert (folder / "one.bent").read_bytes() == (folder / "two.bent").read_bytes()


def test_arrays_have_no_names(run, tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "points.npy", np.c_[rng.normal(size=(50, 2)), rng.integers(0, 2, 50)])
    train(run, "--label", "c3", "--no-cv", file="points.npy")
    assert json.loads(run("inspect", "model.bent", "--json").stdout)["feature_names"] == []


def test_rows_off_the_manifold_are_projected_where_asked_for(run, points):
    text = points.read_text().splitlines()
    text[1] = "0.9,0.9,0"
    points.write_text("\n".join(text))
    result = run("train", "points.csv", *H2, "--off-manifold", "project", "-o", "model.bent")
    assert result.returncode == 0
    assert result.stderr == (
        "bentwood: warning: points.csv: projected 1 of 400 rows, the farthest by 0.27 of the "
        "radius\n"
    )
    result = run("predict", "model.bent", "points.csv", "--off-manifold", "error")
    assert result.stderr == (
        "bentwood: points.csv:2: outside the Poincare ball of H2: norm 1.27279, expected below 1; "
        "1 row is off; pass --off-manifold project to project it\n"
    )


def test_a_model_may_go_down_a_pipe(program, points):
    line = (
        f"'{program}' train points.csv --n-trees 3 -o - 2>said |"
        f" '{program}' predict - points.csv | head -1"
    )
    result = subprocess.run(
        line, shell=True, cwd=points.parent, capture_output=True, text=True, check=True
    )
    assert result.stdout == "prediction\n"
    assert "standard output: 3 trees" in (points.parent / "said").read_text()


GOOD = "x1,x2,label\n0,0.5,a\n0.1,0.2,b\n0.3,0.2,b\n0,0,a\n0,0.1,a\n"


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (GOOD, ["--label", "y"], 'points.csv: no column "y", found "x1", "x2", "label"'),
        (GOOD.replace("label", "y"), [],
         'points.csv: no column "label", found x1, x2, y; name the labels with --label'),
        (GOOD, ["-s", "H3", "-c", "poincare"],
         "points.csv: found 2 columns of coordinates (x1, x2), expected 3 for H3 in poincare "
         "coordinates; name the label with --label or the coordinates with --columns"),
        (GOOD, ["-s", "H0"],
         'bad signature "H0" at character 2: a dimension must be at least 1, found 0'),
        (GOOD.replace("0.3,", "nan,"), H2,
         'points.csv:4, column "x1": found nan, expected a finite number'),
        (GOOD.replace("0.3,0.2", "3,4"), H2,
         "points.csv:4: outside the Poincare ball of H2: norm 5, expected below 1; 1 row is off; "
         "pass --off-manifold project to project it"),
        (GOOD.replace("0.2,b", "0.2,", 1), [],
         'points.csv:3, column "label": the field is empty, expected a label'),
        (GOOD, ["--task", "regression"],
         'points.csv:2: column "label" holds "a", expected a number'),
        ("x,label\n1,2\n2,nan\n", [],
         'points.csv:3, column "label": found nan, expected a label'),
        (GOOD, ["--criterion", "squared_error"],
         "--criterion squared_error is not for classification, expected gini, entropy or "
         "log_loss; or say what to learn with --task"),
        (GOOD, ["--cv-folds", "6"],
         "points.csv: 6 folds need at least 6 rows, found 5; pass fewer --cv-folds, or --no-cv"),
        ("x1,label\n1,0.5\n2,0.7\n3,0.1\n", ["--cv-folds", "2"],
         "points.csv: 2 folds need at least 4 rows, found 3; pass --no-cv"),
        (GOOD, ["--weights", "x2", "--label", "x1"],
         "points.csv: no numeric column is left for the features"),
        (GOOD.replace("0.5", "-0.5"), ["--weights", "x2"],
         'points.csv:2: weight -0.5 in column "x2", expected a finite number >= 0'),
        (GOOD, ["-o", "missing/model.bent"],
         "missing/model.bent: cannot write: no such folder"),
        (GOOD, ["-o", "/proc/model.bent"],
         "/proc/model.bent: cannot write: the folder takes no new files"),
        (GOOD, ["-o", "./points.csv"],
         "./points.csv: is an input; name another file for the output"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line_that_says_where(run, tmp_path, text, arguments, message):
    (tmp_path / "points.csv").write_text(text)
    output = [] if "-o" in arguments else ["-o", "model.bent"]
    result = run("train", "points.csv", *arguments, *output)
    assert result.stderr == f"bentwood: {message}\n"
    assert result.returncode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["points.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--output is required"),
        (["-o", "m", "--max-features", "0"],
         "--max-features: expected a number of columns from 1 on, a fraction in (0, 1], sqrt, log2 "
         'or all, found "0"'),
        (["-o", "m", "--max-features", "1.5"],
         "--max-features: expected a number of columns from 1 on, a fraction in (0, 1], sqrt, log2 "
         'or all, found "1.5"'),
        (["-o", "m", "--cv-folds", "1"],
         '--cv-folds: expected a whole number from 2 to 1000, found "1"'),
        (["-o", "m", "--n-trees", "0"],
         '--n-trees: expected a whole number from 1 to 1000000, found "0"'),
        (["-o", "m", "--method", "tree", "--class-weight", "balanced_subsample"],
         "--class-weight balanced_subsample is for forests: a tree draws no rows"),
        (["-o", "m", "--no-cv", "--cv-folds", "3"], "--no-cv excludes --cv-folds"),
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(run, points, arguments, message):
    result = run("train", "points.csv", *arguments)
    assert result.stderr == f"bentwood: {message}; see bentwood train --help\n"
    assert result.returncode == 2


def test_one_class_is_learned_with_a_warning(run, tmp_path):
    (tmp_path / "points.csv").write_text("x,label\n1,a\n2,a\n")
    result = run("train", "points.csv", "--no-cv", "-o", "model.bent")
    assert result.returncode == 0
    assert result.stderr == (
        'bentwood: warning: points.csv: all rows have one label, "a": the model can say nothing '
        "else\n"
    )
    assert run("predict", "model.bent", "points.csv").stdout == "prediction\na\na\n"


@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted_training_leaves_the_old_model(program, tmp_path, run, threads):
    run("generate", "mixture", "-n", "20000", "-s", "H8", "--label-noise", "0.2", "-o", "p.csv")
    (tmp_path / "model.bent").write_text("precious\n")
    arguments = ["train", "p.csv", "-s", "H8", "--n-trees", "5000", "-o", "model.bent"]
    with subprocess.Popen(
        [program, *arguments, "--threads", threads],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        # The first line comes when the file is read and the work begins.
        assert process.stdout.readline().startswith(b"p.csv: 20000 rows")
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (output, errors) == (b"", b"")
    assert (tmp_path / "model.bent").read_text() == "precious\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.bent", "p.csv"]


def test_a_bar_shows_progress_on_terminals_and_wipes_itself(program, points):
    arguments = [program, "train", "points.csv", "--n-trees", "4", "-o", "model.bent"]
    ours, theirs = pty.openpty()
    subprocess.run(arguments, cwd=points.parent, stderr=theirs, stdout=subprocess.PIPE, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "5 folds [..............................] 0/20 trees" in shown
    assert "all rows [##############################] 4/4 trees" in shown
    assert shown.endswith("\r\x1b[K")


@pytest.mark.parametrize("method", ["tree", "horo-svc", "poincare-svm"])
def test_a_label_that_is_hardly_one_is_told(run, tmp_path, method):
    rows = [f"{i / 100},{(i * 7 % 24) / 100},n{i}" for i in range(24)]
    (tmp_path / "points.csv").write_text("\n".join(["x1,x2,label", *rows]) + "\n")
    arguments = ["-s", "H2", "-c", "poincare", "--no-cv", "-o", "model.bent", "--method", method]
    result = run("train", "points.csv", *arguments)
    assert result.returncode == 0
    assert (
        'bentwood: warning: points.csv: the label "label" has 24 different values in 24 rows: '
        "is it an identifier?\n"
    ) in result.stderr
    (tmp_path / "points.csv").write_text("\n".join(["x1,x2,label", *rows]).replace("n", ""))
    numbers = run("train", "points.csv", *arguments, "--task", "classification")
    assert numbers.returncode == 0, numbers.stderr
    assert "in 24 rows: is it an identifier, or a number to predict (--task regression)?\n" in (
        numbers.stderr
    )
