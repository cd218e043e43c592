"""bentwood inspect."""

from __future__ import annotations

import json

import numpy as np
import pytest


def report(run, *arguments, stdin=""):
    result = run("inspect", *arguments, "--json", stdin=stdin)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_text_report_of_a_small_file(run, tmp_path):
    (tmp_path / "points.csv").write_text("x0,x1,x2,label\n1,0,0,a\n1.25,0.75,0,b\n1.25,0,-0.75,a\n")
    result = run("inspect", "points.csv", "--signature", "H2")
    assert result.returncode == 0
    assert result.stderr == ""
    assert (
        result.stdout
        == """\
points.csv: 3 rows, 4 columns
  x0           numbers from 1 to 1.25
  x1           numbers from 0 to 0.75
  x2           numbers from -0.75 to 0
  label        text
labels in "label": 2 classes
  a            2 (66.7 %)
  b            1 (33.3 %)
H2 in ambient coordinates: 3 of 3 rows on the manifold
distance from the origin:
  factor           least      25 %    median      75 %      95 %      most
  H2                   0    0.3466    0.6931    0.6931    0.6931    0.6931
"""
    )


def test_json_report_agrees_with_numpy(run, tmp_path):
    run("generate", "mixture", "-n", "300", "-s", "H2 x S2", "--classes", "3", "-o", "points.csv")
    points = np.loadtxt(tmp_path / "points.csv", delimiter=",", skiprows=1)
    facts = report(run, "points.csv", "-s", "H2 x S2")
    assert facts["rows"] == 300
    assert [column["name"] for column in facts["columns"]][-1] == "label"
    labels, counts = np.unique(points[:, -1].astype(int), return_counts=True)
    assert facts["label"]["counts"] == {str(k): int(v) for k, v in zip(labels, counts, strict=True)}
    assert facts["manifold"]["rows_on_manifold"] == 300
    radii = np.arccosh(points[:, 0]), np.arccos(points[:, 3])
    for factor, radius in zip(facts["manifold"]["factors"], radii, strict=True):
        shares = {"min": 0, "q25": 25, "median": 50, "q75": 75, "q95": 95, "max": 100}
        for name, share in shares.items():
            assert factor["radius"][name] == pytest.approx(np.percentile(radius, share), rel=1e-6)


def test_rows_off_the_manifold_are_counted_not_fatal(run):
    stdin = "a,b,c\n1,0,0\n2,0,0\n-1,0,0\n1.25,0.75,0\n"
    facts = report(run, "-", "-s", "H2", stdin=stdin)["manifold"]
    assert facts["rows_on_manifold"] == 2
    assert facts["factors"][0]["rows_off"] == 1
    assert facts["factors"][0]["rows_beyond_repair"] == 1
    assert facts["problem"].startswith("standard input:4: not on the upper sheet")


def test_points_near_the_limit_of_precision_are_flagged(run, tmp_path):
    points = np.array([[0, 0], [1 - 1e-15, 0]])
    np.save(tmp_path / "disk.npy", points)
    facts = report(run, "disk.npy", "-s", "H2", "-c", "poincare")["manifold"]
    assert facts["factors"][0]["rows_imprecise"] == 1
    assert facts["warning"].startswith("50 % of the rows lie farther than 33.5 curvature radii")
    # The same numbers rounded to float32 would be on the rim; a nearer point is already imprecise.
    np.save(tmp_path / "disk.npy", np.array([[0, 0], [1 - 3e-7, 0]], dtype=np.float32))
    facts = report(run, "disk.npy", "-s", "H2", "-c", "poincare")["manifold"]
    assert facts["factors"][0]["rows_imprecise"] == 1


@pytest.mark.parametrize(
    ("signature", "coordinates", "guess"),
    [
        ("H2", "ambient", ("H2", "ambient")),
        ("H3(-0.5)", "ambient", ("H3(-0.5)", "ambient")),
        ("S2(4)", "ambient", ("S2(4)", "ambient")),
        ("H2", "poincare", ("H2", "poincare")),
    ],
)
def test_without_a_signature_the_obvious_one_is_guessed(run, signature, coordinates, guess):
    points = run("generate", "mixture", "-n", "50", "-s", signature, "-c", coordinates).stdout
    fits = report(run, "-", stdin=points)["fits"]
    assert [(fit["signature"], fit["coordinates"]) for fit in fits] == [guess]


def test_nothing_is_guessed_where_nothing_fits(run):
    assert report(run, "-", stdin="a,b\n1,2\n3,4\n")["fits"] == []
    assert report(run, "-", stdin="a,b\n3,4\n")["fits"] == []  # One point is on many spheres.
    assert report(run, "-", stdin="a,b\n1,nan\n3,4\n")["columns"][1]["not_finite"] == 1


def test_names_from_files_stay_text(run):
    stdin = '"<script>",x\n1,"a\x07b"\n2,c\n'
    result = run("inspect", "-", stdin=stdin)
    assert result.returncode == 0, result.stderr
    assert "\x07" not in result.stdout
    assert report(run, "-", stdin=stdin)["columns"][0]["name"] == "<script>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "points.csv: the file is empty"),
        (b"a,b\n", "points.csv: "),
        (b"a,b\n1,2\n3\n", "points.csv:3: "),
        (b"a,b\n1,1e999\n", "points.csv:2"),
        (b"a,b\n1,2\n1,0x10\n", "points.csv:3"),
        (b"a,b\n1,2\n1,1_000\n", "points.csv:3"),
        (b"a,b\n1,x\n", 'points.csv: found 1 column of coordinates (a) and 1 of text (b, "x" in '),
        (b"a,b\n1,2\x00\n", "points.csv:2"),
        (b"a,a\n1,2\n", "points.csv:1"),
        (b'a,b\n1,"2\n', "points.csv:2"),
        (b"\xff\xfea\x00,\x00b\x00\n\x00", "points.csv: "),
        (b"5,2\n3,4\n", "points.csv:1"),
    ],
)
def test_files_that_are_not_tables_are_one_line_and_exit_code_1(run, tmp_path, text, message):
    (tmp_path / "points.csv").write_bytes(text)
    result = run("inspect", "points.csv", "--signature", "E2")
    assert result.stderr.startswith(f"bentwood: {message}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert result.returncode == 1


def test_a_file_without_a_header_says_how_to_read_it(run, tmp_path):
    (tmp_path / "points.csv").write_text("5,2\n3,4\n")
    assert "pass --no-header if the file has no header" in run("inspect", "points.csv").stderr
    assert report(run, "points.csv", "--no-header")["rows"] == 2


@pytest.mark.parametrize("change", ["bom", "crlf", "no final newline"])
def test_harmless_variants_of_a_file_read_the_same(run, tmp_path, change):
    clean = b"x0,x1,x2\n1,0,0\n1.25,0.75,0\n"
    variants = {
        "bom": b"\xef\xbb\xbf" + clean,
        "crlf": clean.replace(b"\n", b"\r\n"),
        "no final newline": clean[:-1],
    }
    (tmp_path / "points.csv").write_bytes(clean)
    expected = report(run, "points.csv", "-s", "H2")
    (tmp_path / "points.csv").write_bytes(variants[change])
    assert report(run, "points.csv", "-s", "H2") == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.csv"], "missing.csv: no such file"),
        (["-", "-s", "S2(-1)"],
         'bad signature "S2(-1)" at character 4: a spherical factor needs a positive curvature, '
         "found -1"),
        (["-", "-s", "E2(1)"],
         'bad signature "E2(1)" at character 4: a Euclidean factor has curvature 0, found 1'),
        (["-", "-s", "H5"],
         "standard input: found 2 columns of coordinates (a, b), expected 6 for H5 in ambient "
         "coordinates; name the label with --label or the coordinates with --columns"),
    ],
)  # fmt: skip
def test_wrong_files_and_signatures(run, arguments, message):
    result = run("inspect", *arguments, stdin="a,b\n1,2\n")
    assert result.stderr == f"bentwood: {message}\n"
    assert result.returncode == 1


def test_the_advice_names_a_command_that_can_follow_it(run):
    report = run("inspect", "-", "-s", "H2", stdin="x0,x1,x2\n1.3,0.75,0\n").stdout
    assert "; mend it with bentwood convert --off-manifold project" in report
    assert "pass --off-manifold" not in report


def test_an_empty_signature_is_not_taken_for_none(run):
    result = run("inspect", "-", "-s", "", stdin="x0,x1,x2\n1,0,0\n")
    assert result.returncode == 1
    assert "signature" in result.stderr


def test_coordinates_without_a_signature_are_wrong_usage(run):
    result = run("inspect", "-", "-c", "klein", stdin="x1,x2\n0,0\n")
    assert result.returncode == 2
    assert result.stderr == (
        "bentwood: --coordinates requires --signature; see bentwood inspect --help\n"
    )


def test_large_labels_are_told_apart(run):
    stdin = "x,label\n1,9007199254740993\n2,9007199254740992\n"
    report = json.loads(run("inspect", "-", "--json", stdin=stdin).stdout)
    assert "9007199254740993" in json.dumps(report)
    assert "9007199254740992" in json.dumps(report)
