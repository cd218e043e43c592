"""bentwood predict and bentwood evaluate."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

H2 = ["-s", "H2", "-c", "poincare"]


@pytest.fixture
def model(run, tmp_path):
    """A forest on three classes, and rows it has not seen in test.csv."""
    for name, seed in (("points.csv", "1"), ("test.csv", "1")):
        run("generate", "mixture", "-n", "600", "--classes", "3", "--seed", seed, "--noise", "1",
            "-c", "poincare", "-o", name)  # fmt: skip
    lines = (tmp_path / "points.csv").read_text().splitlines()
    (tmp_path / "points.csv").write_text("\n".join(lines[:301]))
    (tmp_path / "test.csv").write_text("\n".join([lines[0], *lines[301:]]))
    result = run("train", "points.csv", *H2, "--n-trees", "20", "--no-cv", "-o", "model.bent")
    assert result.returncode == 0, result.stderr
    return tmp_path / "model.bent"


def columns(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def evaluation(run, *arguments):
    result = run("evaluate", "model.bent", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_predictions_are_the_most_probable_classes(run, model):
    found = columns(run("predict", "model.bent", "test.csv", "--proba").stdout)
    assert list(found) == ["prediction", "p(0)", "p(1)", "p(2)"]
    shares = np.array([found[f"p({label})"] for label in range(3)], dtype=float)
    np.testing.assert_allclose(shares.sum(0), 1, rtol=1e-12)
    assert found["prediction"] == [str(label) for label in shares.argmax(0)]
    alone = run("predict", "model.bent", "test.csv").stdout
    assert columns(alone) == {"prediction": found["prediction"]}


def test_files_and_json_hold_the_same(run, model, tmp_path):
    expected = columns(run("predict", "model.bent", "test.csv", "--proba").stdout)
    table = np.array(list(expected.values()), dtype=float).T
    assert run("predict", "model.bent", "test.csv", "--proba", "-o", "p.npy").stdout == ""
    np.testing.assert_array_equal(np.load(tmp_path / "p.npy"), table)
    found = json.loads(run("predict", "model.bent", "test.csv", "--proba", "--json").stdout)
    assert list(found) == list(expected)
    assert {type(label) for label in found["prediction"]} == {int}
    np.testing.assert_array_equal(np.array(list(found.values())).T, table)


@pytest.mark.parametrize("command", ["predict", "draw"])
@pytest.mark.parametrize("output", ["test.csv", "model.bent"])
def test_an_input_is_never_overwritten(run, model, tmp_path, command, output):
    before = (tmp_path / output).read_bytes()
    result = run(command, "model.bent", "test.csv", "-o", output)
    assert result.stderr == (f"bentwood: {output}: is an input; name another file for the output\n")
    assert result.returncode == 1
    assert (tmp_path / output).read_bytes() == before


def test_columns_are_found_by_name_in_any_order(run, model, tmp_path):
    expected = run("predict", "model.bent", "test.csv").stdout
    rows = list(csv.DictReader(io.StringIO((tmp_path / "test.csv").read_text())))
    shuffled = ["junk,x2,name,x1"] + [f"7,{row['x2']},n,{row['x1']}" for row in rows]
    (tmp_path / "shuffled.csv").write_text("\n".join(shuffled))
    assert run("predict", "model.bent", "shuffled.csv").stdout == expected
    # Without names it is the order that counts, and --columns says which.
    points = np.array([[float(row["x1"]), float(row["x2"])] for row in rows])
    np.save(tmp_path / "points.npy", points)
    assert run("predict", "model.bent", "points.npy").stdout == expected
    renamed = (tmp_path / "test.csv").read_text().replace("x1,x2", "u,v")
    (tmp_path / "renamed.csv").write_text(renamed)
    assert run("predict", "model.bent", "renamed.csv", "--columns", "u,v").stdout == expected


def test_threads_do_not_matter(run, model):
    one, two = (run("predict", "model.bent", "test.csv", "--proba", "-j", n).stdout for n in "13")
    assert one == two


def test_scores_agree_with_their_definitions(run, model, tmp_path):
    found = columns(run("predict", "model.bent", "test.csv", "--proba").stdout)
    truth = np.loadtxt(tmp_path / "test.csv", delimiter=",", skiprows=1)[:, -1].astype(int)
    predicted = np.array(found["prediction"], dtype=int)
    shares = np.array([found[f"p({label})"] for label in range(3)], dtype=float).T
    scores = evaluation(run, "test.csv")
    confusion = np.zeros((3, 3))
    np.add.at(confusion, (truth, predicted), 1)
    assert scores["confusion"] == confusion.tolist()
    assert scores["rows"] == 300
    assert scores["accuracy"] == pytest.approx(np.mean(truth == predicted))
    assert scores["micro_f1"] == pytest.approx(scores["accuracy"])
    f1 = 2 * np.diag(confusion) / (confusion.sum(0) + confusion.sum(1))
    assert scores["macro_f1"] == pytest.approx(f1.mean())
    epsilon = np.finfo(float).eps
    losses = -np.log(np.clip(shares[np.arange(300), truth], epsilon, 1 - epsilon))
    assert scores["log_loss"] == pytest.approx(losses.mean())
    areas = []
    for label in range(3):
        thresholds = np.unique(shares[:, label])[::-1]
        chosen = shares[:, label] >= thresholds[:, None]
        hits = (chosen & (truth == label)).sum(1)
        recall = np.concatenate([[0], hits / (truth == label).sum()])
        areas.append(np.sum(np.diff(recall) * hits / chosen.sum(1)))
    assert scores["aupr"] == pytest.approx(np.mean(areas))


def test_the_text_of_an_evaluation(run, tmp_path):
    (tmp_path / "points.csv").write_text("x,kind\n1,ant\n2,ant\n3,bee\n4,bee\n")
    run("train", "points.csv", "--label", "kind", "--method", "tree", "--no-cv", "-o", "t.bent")
    (tmp_path / "test.csv").write_text("x,kind\n1,ant\n4,ant\n3,bee\n3,bee\n")
    result = run("evaluate", "t.bent", "test.csv", "--label", "kind")
    assert (result.returncode, result.stderr) == (0, "")
    assert (
        result.stdout
        == """\
t.bent on 4 rows of test.csv:
  accuracy  0.7500
  micro F1  0.7500
  macro F1  0.7333
  AUPR      0.7083
  log loss  9.0109
confusion, true classes down, predicted ones across:
               ant    bee
  ant            1      1
  bee            0      2
"""
    )


def test_regressions_are_measured_in_the_units_of_the_label(run, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.uniform(size=200)
    y = 1e-6 * np.sin(5 * x)
    np.savetxt(
        tmp_path / "points.csv", np.c_[x, y], delimiter=",", header="x,y", comments="", fmt="%.17g"
    )
    run("train", "points.csv", "--label", "y", "--max-depth", "3", "--no-cv", "-o", "model.bent")
    predicted = np.array(
        columns(run("predict", "model.bent", "points.csv").stdout)["prediction"], dtype=float
    )
    scores = evaluation(run, "points.csv", "--label", "y")
    assert scores["rmse"] == pytest.approx(np.sqrt(np.mean((predicted - y) ** 2)))
    assert scores["mae"] == pytest.approx(np.mean(np.abs(predicted - y)))
    assert scores["r2"] == pytest.approx(
        1 - np.sum((predicted - y) ** 2) / np.sum((y - y.mean()) ** 2)
    )
    text = run("evaluate", "model.bent", "points.csv", "--label", "y").stdout
    assert f"  RMSE      {scores['rmse']:.5g}\n" in text
    result = run("predict", "model.bent", "points.csv", "--proba")
    assert result.stderr == (
        "bentwood: model.bent: predicts numbers, which have no probabilities; leave out --proba\n"
    )


def test_labels_the_model_does_not_know_are_named_or_skipped(run, model, tmp_path):
    lines = (tmp_path / "test.csv").read_text().splitlines()
    odd = [lines[0], *lines[1:9], "0,0,9", "0,0,what", *lines[9:20]]
    (tmp_path / "odd.csv").write_text("\n".join(odd))
    result = run("evaluate", "model.bent", "odd.csv")
    assert result.stderr == (
        'bentwood: odd.csv:10, column "label": label "9" is none of the model\'s classes ("0", '
        '"1", "2"); 2 rows are like this; pass --unknown-labels skip to leave them out\n'
    )
    assert (result.returncode, result.stdout) == (1, "")
    result = run("evaluate", "model.bent", "odd.csv", "--unknown-labels", "skip", "--json")
    assert result.stderr == (
        "bentwood: warning: odd.csv: left out 2 of 21 rows: the model does not know their labels\n"
    )
    scores = json.loads(result.stdout)
    assert (scores["rows"], scores["rows_skipped"]) == (19, 2)
    (tmp_path / "clean.csv").write_text("\n".join(lines[:20]))
    clean = evaluation(run, "clean.csv")
    assert {key: scores[key] for key in ("accuracy", "confusion", "log_loss")} == {
        key: clean[key] for key in ("accuracy", "confusion", "log_loss")
    }
    (tmp_path / "none.csv").write_text("x1,x2,label\n0,0,z\n")
    result = run("evaluate", "model.bent", "none.csv", "--unknown-labels", "skip")
    assert result.stderr == (
        'bentwood: none.csv:2, column "label": label "z" is none of the model\'s classes ("0", '
        '"1", "2"); 1 row is like this\n'
    )


@pytest.mark.parametrize("command", ["predict", "evaluate"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x1,y,label\n0,0,0\n",
         'test.csv: no column "x2", which model.bent was trained on; rename the column or name all '
         "2 with --columns, in this order: x1, x2"),
        ("x1,x2,label\n0,nan,0\n", 'test.csv:2, column "x2": found nan, expected a finite number'),
        ("x1,x2,label\n0,0,0\n0,1,0\n",
         "test.csv:3: outside the Poincare ball of H2: norm 1, expected below 1; 1 row is off; "
         "pass --off-manifold project to project it"),
        ("x1,x2,label\n0,a,0\n", 'test.csv:2: column "x2" holds "a", expected a number'),
    ],
)  # fmt: skip
def test_points_that_do_not_fit_the_model(run, model, tmp_path, command, text, message):
    (tmp_path / "test.csv").write_text(text)
    result = run(command, "model.bent", "test.csv")
    assert result.stderr == f"bentwood: {message}\n"
    assert (result.returncode, result.stdout) == (1, "")


def test_a_wrong_number_of_nameless_columns(run, model, tmp_path):
    np.save(tmp_path / "wide.npy", np.zeros((2, 3)))
    result = run("predict", "model.bent", "wide.npy")
    assert result.stderr == (
        "bentwood: wide.npy: found 3 columns of coordinates (c1, c2, c3), expected 2 for H2 in "
        "poincare coordinates; name the label with --label or the coordinates with --columns\n"
    )


def test_evaluation_needs_labels(run, model, tmp_path):
    (tmp_path / "bare.csv").write_text("x1,x2\n0,0\n")
    result = run("evaluate", "model.bent", "bare.csv")
    assert result.stderr == (
        'bentwood: bare.csv: no column "label", found x1, x2; name the labels with --label\n'
    )


@pytest.mark.parametrize("command", [["predict"], ["evaluate"], ["inspect"]])
def test_files_that_are_no_models(run, model, tmp_path, command):
    whole = model.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for name, content, message in (
        ("text.bent", b"x1,x2\n0,0\n1,1\n",
         "is not a model, or was cut short: it has 14 bytes, its header alone needs "
         "{}".format(8 + int.from_bytes(b"x1,x2\n0,", "little"))),
        ("short.bent", whole[:5],
         "is not a model, or was cut short: it has 5 bytes, expected at least 8"),
        ("half.bent", whole[: len(whole) // 2],
         f"was cut short: it has {len(whole) // 2} bytes, its header announces {len(whole)}"),
        ("empty.bent", b"", "the file is empty"),
    ):  # fmt: skip
        (tmp_path / name).write_bytes(content)
        result = run(*command, name, *(["test.csv"] if command != ["inspect"] else []))
        assert result.stderr == f"bentwood: {name}: {message}\n"
        assert (result.returncode, result.stdout) == (1, "")
    (tmp_path / "damaged.bent").write_bytes(changed)
    result = run(*command, "damaged.bent", *(["test.csv"] if command != ["inspect"] else []))
    assert result.stderr.startswith("bentwood: damaged.bent: ")
    assert result.stderr.count("\n") == 1
    assert (result.returncode, result.stdout) == (1, "")


def test_no_model_at_all(run, model):
    result = run("predict", "none.bent", "test.csv")
    assert result.stderr == "bentwood: none.bent: no such file\n"
    result = run("predict", "-", "-")
    assert result.returncode == 2
    assert result.stderr == (
        "bentwood: model and input are both standard input, expected one of them; "
        "see bentwood predict --help\n"
    )


def test_text_labels_need_a_format_that_holds_text(run, tmp_path):
    (tmp_path / "points.csv").write_text("x,label\n1,ant\n2,bee\n")
    run("train", "points.csv", "--method", "tree", "--no-cv", "-o", "model.bent")
    assert run("predict", "model.bent", "points.csv").stdout == "prediction\nant\nbee\n"
    result = run("predict", "model.bent", "points.csv", "-o", "p.npy")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "p.npy").exists()


def test_large_labels_keep_their_last_digit(run, tmp_path):
    large = "9007199254740993"
    (tmp_path / "points.csv").write_text(f"x,label\n1,{large}\n2,5\n")
    run("train", "points.csv", "--method", "tree", "--no-cv", "-o", "model.bent")
    assert run("predict", "model.bent", "points.csv").stdout == f"prediction\n{large}\n5\n"
    assert evaluation(run, "points.csv")["accuracy"] == 1
