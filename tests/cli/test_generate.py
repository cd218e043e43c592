"""bentwood generate."""

from __future__ import annotations

import csv
import io
import math

import pytest


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_mixture_writes_points_of_the_hyperboloid_with_labels(run):
    result = run("generate", "mixture", "-n", "50", "--classes", "3")
    rows = table(result.stdout)
    assert list(rows[0]) == ["x0", "x1", "x2", "label"]
    assert len(rows) == 50
    assert {row["label"] for row in rows} <= {"0", "1", "2"}
    for row in rows:
        x0, x1, x2 = (float(row[name]) for name in ("x0", "x1", "x2"))
        assert x0 == pytest.approx(math.sqrt(1 + x1 * x1 + x2 * x2), rel=1e-13)
    assert result.stderr == ""
    assert result.returncode == 0


def test_products_name_their_factors(run):
    result = run("generate", "mixture", "-n", "1", "-s", "H2(-0.5) x E1 x S1")
    assert result.stdout.splitlines()[0] == "h1.x0,h1.x1,h1.x2,e2.x1,s3.x0,s3.x1,label"
    result = run("generate", "uniform", "-n", "1", "-s", "H2 x E1", "-c", "poincare")
    assert result.stdout.splitlines()[0] == "h1.x1,h1.x2,e2.x1"


@pytest.mark.parametrize("kind", ["mixture", "uniform", "linear", "helix", "sphere", "gaussians"])
def test_seed_decides_and_threads_do_not(run, kind):
    first = run("generate", kind, "-n", "2000", "--seed", "3", "--threads", "1").stdout
    for threads in ("4", "-1", "-2"):
        assert first == run("generate", kind, "-n", "2000", "--seed", "3", "-j", threads).stdout
    assert first != run("generate", kind, "-n", "2000", "--seed", "4").stdout


def test_output_file_equals_standard_output(run, tmp_path):
    to_file = run("generate", "mixture", "-n", "20", "-o", "points.csv")
    assert (to_file.stdout, to_file.stderr, to_file.returncode) == ("", "", 0)
    assert (tmp_path / "points.csv").read_text() == run("generate", "mixture", "-n", "20").stdout
    assert [path.name for path in tmp_path.iterdir()] == ["points.csv"]


def test_tree_writes_nodes_and_edges(run, tmp_path):
    result = run("generate", "tree", "--branching", "2", "--depth", "3", "--edges", "edges.csv")
    assert len(table(result.stdout)) == 15
    edges = table((tmp_path / "edges.csv").read_text())
    assert [(int(e["source"]), int(e["target"])) for e in edges] == [
        ((node - 1) // 2, node) for node in range(1, 15)
    ]


def test_tree_takes_its_labels_from_the_depth_it_is_told(run):
    tree = ["generate", "tree", "--branching", "2", "--depth", "3"]
    one, two = (
        [row["label"] for row in table(run(*tree, *depth).stdout)]
        for depth in ([], ["--label-depth", "2"])
    )
    assert one == list("012112211112222")
    assert two == list("000123411223344")


def test_noise_dimensions_follow_the_shape(run):
    result = run("generate", "gaussians", "-n", "5", "--noise-dimensions", "2")
    assert result.stdout.splitlines()[0] == "x1,x2,x3,noise1,noise2,label"
    result = run("generate", "helix", "-n", "5")
    assert result.stdout.splitlines()[0] == "x1,x2,x3,arc_length"


def test_karate_has_its_edges_and_members(run):
    assert len(table(run("generate", "karate").stdout)) == 78
    members = table(run("generate", "karate", "--nodes").stdout)
    assert len(members) == 34
    assert members[0] == {"node": "0", "label": "Mr. Hi"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["mixture", "-s", "H0"],
            'bad signature "H0" at character 2: a dimension must be at least 1, found 0',
        ),
        (
            ["uniform", "-s", "H-1"],
            "bad signature \"H-1\" at character 2: expected a dimension (1, 2, ...), found '-'",
        ),
        (
            ["mixture", "-s", "H2(1.0)"],
            'bad signature "H2(1.0)" at character 4: a hyperbolic factor needs a negative '
            "curvature, found 1",
        ),
        (["mixture", "--noise", "nan"], "the noise must be a finite number >= 0, found nan"),
        (["mixture", "--noise", "-1"], "the noise must be a finite number >= 0, found -1"),
        (
            ["mixture", "--weights", "1,2,3"],
            "expected one weight for each of the 2 classes, found 3",
        ),
        (["mixture", "--label-noise", "2"], "the label noise must lie between 0 and 1, found 2"),
        (["uniform", "--radius", "0"], "the radius must be a finite number > 0, found 0"),
        (["uniform", "--radius", "400"], "the radius may be at most 350 on H2, found 400"),
        (
            ["tree", "--curvature", "1"],
            "a hyperbolic factor needs a negative curvature, found 1",
        ),
        (
            ["tree", "--depth", "40"],
            "a tree of depth 40 with branching 3 has more than 10000000 nodes",
        ),
        (
            ["linear", "--noise-variance", "-1"],
            "the noise variance must be a finite number >= 0, found -1",
        ),
        (["karate", "-o", "missing/x.csv"], "missing/x.csv: cannot write: no such folder"),
    ],
)
def test_bad_options_are_one_line_and_exit_code_1(run, arguments, message):
    result = run("generate", *arguments)
    assert result.stderr == f"bentwood: {message}\n"
    assert result.stdout == ""
    assert result.returncode == 1


@pytest.mark.parametrize("both", [["--edges", "-"], ["--edges", "t.csv", "-o", "./t.csv"]])
def test_edges_and_nodes_cannot_go_to_one_file(run, tmp_path, both):
    result = run("generate", "tree", "--depth", "1", *both)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == (
        "bentwood: --edges and --output name the same file, expected two; "
        "see bentwood generate tree --help\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_no_edges_stay_behind_where_the_nodes_cannot_be_written(run, tmp_path):
    result = run("generate", "tree", "--edges", "edges.csv", "-o", "missing/tree.csv")
    assert result.stderr == "bentwood: missing/tree.csv: cannot write: no such folder\n"
    assert list(tmp_path.iterdir()) == []


def test_seeds_have_64_bits_and_numbers_are_decimal(run):
    seeds = [2**64 - 1, 2**63 - 1]
    first, second = (run("generate", "helix", "-n", "5", "--seed", str(seed)) for seed in seeds)
    assert first.returncode == second.returncode == 0
    assert first.stdout != second.stdout
    assert len(run("generate", "uniform", "-n", "010").stdout.splitlines()) == 11


def test_the_format_of_the_output_can_be_said(run, tmp_path):
    result = run("generate", "karate", "-o", "edges", "--format", "tsv")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "edges").read_text().startswith("source\ttarget\n")
