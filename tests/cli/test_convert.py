"""bentwood convert."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

CSV = "x0,x1,x2,label\n1,0,0,a\n1.25,0.75,0,b\n"


def numbers(text):
    return np.array(
        [
            [float(v) for k, v in row.items() if k.startswith("x")]
            for row in csv.DictReader(io.StringIO(text))
        ]
    )


def convert(run, stdin, *more, source="ambient", target="poincare", signature="H2"):
    return run(
        "convert", "-", "-", "-s", signature, "--from", source, "--to", target, *more, stdin=stdin
    )


def test_known_points_in_all_coordinates(run):
    # The point at distance ln 2: cosh = 1.25, sinh = 0.75, tanh of half of it = 1/3.
    expected = {"ambient": [1.25, 0.75, 0], "poincare": [1 / 3, 0], "klein": [0.6, 0]}
    expected["tangent"] = [np.log(2), 0]
    for target, point in expected.items():
        result = convert(run, CSV, target=target)
        np.testing.assert_allclose(numbers(result.stdout)[1], point, rtol=1e-14)
        assert result.returncode == 0
        assert result.stderr == ""


def test_there_and_back_through_a_pipe(run):
    points = run("generate", "mixture", "-n", "200", "-s", "H2(-0.5) x S2").stdout
    there = run(
        "convert",
        "-",
        "-",
        "-s",
        "H2(-0.5) x S2",
        "--from",
        "ambient",
        "--to",
        "tangent",
        stdin=points,
    ).stdout
    back = run(
        "convert",
        "-",
        "-",
        "-s",
        "H2(-0.5) x S2",
        "--from",
        "tangent",
        "--to",
        "ambient",
        stdin=there,
    ).stdout
    before, after = (np.loadtxt(io.StringIO(t), delimiter=",", skiprows=1) for t in (points, back))
    np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-12)


def test_other_columns_are_kept(run):
    stdin = "name,x0,x1,x2,label\nroot,1,0,0,7\nleaf,1.25,0.75,0,8\n"
    result = convert(run, stdin)
    assert result.stdout.splitlines()[0] == "x1,x2,name,label"
    assert result.stdout.splitlines()[1] == "0,0,root,7"


def test_files_of_other_formats(run, tmp_path):
    np.save(tmp_path / "points.npy", np.array([[1.25, 0.75, 0]]))
    result = run(
        "convert", "points.npy", "out.npy", "-s", "H2", "--from", "ambient", "--to", "klein"
    )
    assert result.returncode == 0, result.stderr
    np.testing.assert_allclose(np.load(tmp_path / "out.npy"), [[0.6, 0]], rtol=1e-15)


def test_project_mends_rows_and_says_so(run):
    stdin = "x0,x1,x2\n1,0,0\n1.2501,0.75,0\n"
    result = convert(run, stdin, "--off-manifold", "project", target="ambient")
    assert result.returncode == 0
    np.testing.assert_allclose(numbers(result.stdout)[1], [1.25, 0.75, 0], rtol=1e-15)
    assert result.stderr == (
        "bentwood: warning: standard input: projected 1 of 2 rows, the farthest by 8e-05 of the "
        "radius\n"
    )
    quiet = convert(run, stdin, "--off-manifold", "project", "--quiet")
    assert quiet.stderr == ""


FORM = "off the hyperboloid H2: <x,x> = -1.1275, expected -1 (x_0 = 1.3, expected 1.25 within"
HINT = "pass --off-manifold project to project it"


@pytest.mark.parametrize(
    ("name", "text", "arguments", "message"),
    [
        ("points.csv", "x0,x1,x2\n1,0,0\n1.3,0.75,0\n", [],
         f"points.csv:3: {FORM} 4.3e-14 of it); 1 row is off; {HINT}"),
        ("points.csv", "x0,x1,x2\n1,0,0\n-1.25,0.75,0\n", ["--off-manifold", "project"],
         "points.csv:3: not on the upper sheet of the hyperboloid H2: x_0 = -1.25, "
         "expected x_0 > 0; 1 row is like this"),
        ("points.csv", "x0,x1,x2\n1,0,0\n1,nan,0\n", [],
         'points.csv:3, column "x1": found nan, expected a finite number'),
        ("points.csv", "x0,x1,x2,x3\n1,0,0,0\n", [],
         "points.csv: found 4 columns of coordinates (x0, x1, x2, x3), expected 3 for H2 in "
         "ambient coordinates; name the label with --label or the coordinates with --columns"),
        ("points.csv", "x0,x1,x2\n1,0,0\n", ["--label", "species"],
         'points.csv: no column "species", found "x0", "x1", "x2"'),
        ("points.csv", "x0,x1,x2\n1,0,0\n", ["--columns", "x0,x1,z"],
         'points.csv: no column "z", found "x0", "x1", "x2"'),
    ],
)  # fmt: skip
def test_bad_points_are_one_line_that_names_the_place(
    run, tmp_path, name, text, arguments, message
):
    (tmp_path / name).write_text(text)
    result = run(
        "convert", name, "out.csv", "-s", "H2", "--from", "ambient", "--to", "klein", *arguments
    )
    assert result.stderr == f"bentwood: {message}\n"
    assert result.returncode == 1
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("source", "row", "message"),
    [
        ("poincare", "0.6,0.8",
         f"outside the Poincare ball of H2: norm 1, expected below 1; 1 row is off; {HINT}"),
        ("klein", "3,4",
         f"outside the Klein ball of H2: norm 5, expected below 1; 1 row is off; {HINT}"),
        ("tangent", "400,0",
         "farther than 350 curvature radii from the origin of H2, more than float64 can hold; "
         "1 row is like this"),
    ],
)  # fmt: skip
def test_points_outside_their_ball_are_refused(run, source, row, message):
    result = convert(run, f"a,b\n0,0\n{row}\n", source=source, target="ambient")
    assert result.stderr == f"bentwood: standard input:3: {message}\n"
    assert result.returncode == 1
    assert result.stdout == ""


def test_a_failed_run_leaves_the_old_output_alone(run, tmp_path):
    (tmp_path / "out.csv").write_text("precious\n")
    (tmp_path / "in.csv").write_text("x0,x1,x2\n9,9,9\n")
    result = run("convert", "in.csv", "out.csv", "-s", "H2", "--from", "ambient", "--to", "klein")
    assert result.returncode == 1
    assert (tmp_path / "out.csv").read_text() == "precious\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_a_point_without_the_wanted_coordinates_is_named_by_its_line(run, tmp_path):
    (tmp_path / "far.csv").write_text("x1,x2\n0,1\n2,0\n")
    result = run("convert", "far.csv", "-", "-s", "S2", "--from", "tangent", "--to", "klein")
    assert result.stderr == (
        "bentwood: far.csv:3: a point of S2 on or below the equator has no klein coordinates\n"
    )
    assert result.returncode == 1


@pytest.mark.parametrize("token", ["0x10", "1_000", "NA", "1e", "TRUE"])
def test_what_is_no_number_in_the_first_row_is_named(run, token):
    result = convert(run, f"x0,x1,x2\n{token},0,0\n1,0,0\n")
    assert result.stderr == (
        "bentwood: standard input: found 2 columns of coordinates (x1, x2) and 1 of text (x0, "
        f'"{token}" in standard input:2), expected 3 for H2 in ambient coordinates; name the label '
        "with --label or the coordinates with --columns\n"
    )


def test_one_column_is_no_columns(run):
    result = convert(run, "x0\n1\n")
    assert result.stderr.startswith("bentwood: standard input: found 1 column of coordinates (x0),")


def test_the_output_may_have_any_name_where_its_format_is_said(run, tmp_path):
    (tmp_path / "in.csv").write_text(CSV)
    manifold = ["-s", "H2", "--from", "ambient", "--to", "ambient"]
    result = run("convert", "in.csv", "out", *manifold, "--to-format", "tsv")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "out").read_text() == CSV.replace(",", "\t")
    result = run("convert", "in.csv", "/dev/stdout", *manifold, "--to-format", "csv")
    assert (result.stdout, result.stderr) == (CSV, "")
    result = run("convert", "in.csv", "out.xls", *manifold)
    assert result.stderr == (
        'bentwood: out.xls: cannot tell the format of the table from the extension ".xls"; '
        "pass its format, one of csv, tsv, npy, npz, word2vec\n"
    )


def test_a_folder_as_input_is_called_one(run, tmp_path):
    (tmp_path / "data").mkdir()
    result = run("convert", "data", "-", "-s", "H2", "--from", "ambient", "--to", "klein")
    assert result.stderr == "bentwood: data: is a folder, expected a file\n"
    assert result.returncode == 1


@pytest.mark.parametrize(
    ("text", "output", "arguments", "message"),
    [
        ("x0,x1,x2\n1,0,0\n", "out.vec", [],
         'out.vec: no column "word", found "x0", "x1", "x2"'),
        ("word,x0,x1,x2\na,1,0,0\nb c,1,0,0\n", "out.vec", [],
         'out.vec: row 1: the word "b c" is empty or holds a space, which word2vec text cannot'),
        ("a,b,c,x1\n1,0,0,7\n", "out.csv", ["--columns", "a,b,c"],
         'in.csv: column "x1" is none of the coordinates, but the output names one so; rename it '
         "in the file"),
        ("x0,x1,x2\n1,0,0\n", "out.csv", ["--columns", "x0,x1,x0"],
         'in.csv: column "x0" is asked for twice, expected each of label, weight and features to '
         "be another column"),
    ],
)  # fmt: skip
def test_messages_name_the_file_and_the_remedy(run, tmp_path, text, output, arguments, message):
    (tmp_path / "in.csv").write_text(text)
    manifold = ["-s", "H2", "--from", "ambient", "--to", "ambient"]
    result = run("convert", "in.csv", output, *manifold, *arguments)
    assert result.stderr == f"bentwood: {message}\n"
    assert result.returncode == 1


def test_several_matrices_say_how_to_name_one(run, tmp_path):
    np.savez(tmp_path / "two.npz", A=np.eye(3), B=np.eye(3))
    result = run("convert", "two.npz", "-", "-s", "E3", "--from", "ambient", "--to", "ambient")
    assert result.stderr == (
        'bentwood: two.npz: several matrices, "A" and "B"; pass --array and the name of one\n'
    )


def test_columns_take_one_list_and_leave_the_files_alone(run, tmp_path):
    (tmp_path / "in.csv").write_text("a,b,c\n1,0,0\n")
    manifold = ["-s", "H2", "--from", "ambient", "--to", "ambient"]
    result = run("convert", "--columns", "a,b,c", "in.csv", "-", *manifold)
    assert (result.stdout, result.stderr) == ("x0,x1,x2\n1,0,0\n", "")


def test_large_integers_are_kept_to_the_last_digit(run):
    stdin = "x0,x1,x2,label\n1,0,0,9007199254740993\n1,0,0,9007199254740992\n"
    assert convert(run, stdin, target="ambient").stdout == stdin


def test_a_folder_that_takes_no_files_is_not_said_to_be_missing(run):
    result = run("generate", "karate", "-o", "/proc/out.csv")
    assert result.stderr == (
        "bentwood: /proc/out.csv: cannot write: the folder takes no new files\n"
    )
