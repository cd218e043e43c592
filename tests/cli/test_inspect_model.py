"""bentwood inspect on models."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def tree(run, tmp_path):
    """A tree small enough to read: one cut of a line, one of a circle."""
    rows = ["0,1,0,0,ant", "0,0,1,0,ant", "0,-1,0,0,bee", "0,0,-1,0,bee", "3,1,0,0,cat",
            "3,-1,0,0,cat"]  # fmt: skip
    (tmp_path / "points.csv").write_text("\n".join(["t,s0,s1,s2,kind", *rows]) + "\n")
    result = run("train", "points.csv", "--label", "kind", "-s", "E1 x S2", "--method", "tree",
                 "--no-cv", "-o", "tree.bent")  # fmt: skip
    assert result.returncode == 0, result.stderr
    return tmp_path / "tree.bent"


def test_the_report_of_a_small_tree(run, tree):
    result = run("inspect", "tree.bent")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("tree.bent: ManifoldTreeClassifier, ")
    for line in (
        "  task         classification",
        "  signature    E1 x S2",
        "  coordinates  ambient",
        "  splits       geodesic",
        "  rows off it  error",
        "  features     t, s0, s1, s2",
        "  classes      ant, bee, cat",
        "  trees        1",
        "  nodes        5, 3 of them leaves",
        "  depth        2",
        '  parameters   class_dtype = "object"',
    ):
        assert line in lines
    report = json.loads(run("inspect", "tree.bent", "--json").stdout)
    assert report["size"]["bytes"] == tree.stat().st_size
    assert report["size"]["depth"] == 2
    assert result.stdout.endswith("tree 0 of 1, to depth 3:\n" + report["tree"]["text"])
    # A Euclidean column has the name of its feature.
    assert report["tree"]["text"].count("|--- t ") == 2
    assert report["tree"]["text"].count("s2.angle") == 2
    for kind in ("ant", "bee", "cat"):
        assert f"class: {kind} (weight 2)" in report["tree"]["text"]


def test_importances_are_sorted_and_sum_to_1(run, tree):
    report = json.loads(run("inspect", "tree.bent", "--json").stdout)
    for key, names in (
        ("column_importances", {"t", "s2.angle1", "s2.angle2"}),
        ("factor_importances", {"1 E1", "2 S2"}),
    ):
        found = [entry["importance"] for entry in report[key]]
        assert found == sorted(found, reverse=True)
        assert sum(found) == pytest.approx(1)
        assert {entry["name"] for entry in report[key]} == names
    bars = run("inspect", "tree.bent").stdout.split("importance of the columns:\n")[1]
    top = report["column_importances"][0]
    assert bars.splitlines()[0] == f"  {top['name']:<9} {top['importance']:.4f} {'#' * 40}"


def test_any_tree_to_any_depth(run, tmp_path):
    run("generate", "mixture", "-n", "300", "-o", "points.csv")
    run("train", "points.csv", "-s", "H2", "--n-trees", "5", "--no-cv", "-o", "model.bent")
    shallow = json.loads(run("inspect", "model.bent", "--depth", "0", "--json").stdout)["tree"]
    assert shallow["text"].endswith(" more nodes (weight 300)\n")
    texts = {
        json.loads(run("inspect", "model.bent", "--tree", t, "--json").stdout)["tree"]["text"]
        for t in "01234"
    }
    assert len(texts) == 5
    result = run("inspect", "model.bent", "--tree", "5")
    assert result.stderr == "bentwood: tree is 5, but the forest has 5 (counted from 0)\n"
    assert result.returncode == 1


def test_a_model_is_known_by_its_contents(run, tree, tmp_path):
    tree.rename(tmp_path / "model")
    assert run("inspect", "model").stdout.startswith("model: ManifoldTreeClassifier, ")


def test_options_of_points_and_models_are_told_apart(run, tree):
    result = run("inspect", "tree.bent", "--signature", "H2")
    assert result.returncode == 2
    assert result.stderr == (
        "bentwood: --signature is for points, but tree.bent is a model; "
        "see bentwood inspect --help\n"
    )
    result = run("inspect", "points.csv", "--tree", "1")
    assert result.returncode == 2
    assert result.stderr == (
        "bentwood: --tree is for models, but points.csv is not one; see bentwood inspect --help\n"
    )


def test_a_tree_for_graphviz_is_whole_unless_a_depth_is_given(run, tree):
    result = run("inspect", "tree.bent", "--graphviz", "tree.dot")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    dot = (tree.parent / "tree.dot").read_text()
    assert dot.startswith("digraph tree {\n")
    assert dot.count(" -> ") == 4
    assert run("inspect", "tree.bent", "--graphviz", "-").stdout == dot
    shallow = run("inspect", "tree.bent", "--graphviz", "-", "--depth", "0").stdout
    assert '  0 [label="4 more nodes\\nweight 6"];\n' in shallow
    result = run("inspect", "tree.bent", "--graphviz", "-", "--json")
    assert result.returncode == 2
    result = run("inspect", "points.csv", "--graphviz", "-")
    assert result.stderr == (
        "bentwood: --graphviz is for models, but points.csv is not one; "
        "see bentwood inspect --help\n"
    )
