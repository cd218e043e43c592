"""bentwood draw."""

from __future__ import annotations

import gzip
import json
import re
from xml.etree import ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"
OKABE_ITO = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000"]


def train(run, *arguments, signature="H2", classes="3", coordinates="poincare"):
    """Train a model on a mixture, both in the test's folder."""
    where = ["-s", signature, "-c", coordinates]
    mixture = ["-n", "200", "--classes", classes, "--seed", "1", "-o", "points.csv"]
    assert run("generate", "mixture", *mixture, *where).returncode == 0
    result = run("train", "points.csv", *where, "--no-cv", "-o", "model.bent", *arguments)
    assert result.returncode == 0, result.stderr


def region_colours(root):
    """The colours of the shapes in the sheet of regions."""
    sheet = next(group for group in root.iter(f"{SVG}g") if group.get("opacity"))
    return {shape.get("fill") for shape in sheet}


@pytest.mark.parametrize("signature", ["H2", "H2(-0.5)", "E2"])
@pytest.mark.parametrize("tree", [True, False])
def test_pictures_are_xml_in_the_colours_of_the_palette(run, tmp_path, signature, tree):
    train(run, signature=signature)
    result = run("draw", "model.bent", "points.csv", "-o", "out.svg", *["--tree", "0"] * tree)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    root = ElementTree.parse(tmp_path / "out.svg").getroot()
    assert root.tag == f"{SVG}svg"
    place = "the plane" if signature == "E2" else "the Poincaré disk"
    what = r"tree 0 of 100, with \d+ leaves" if tree else "a forest of 100 trees"
    assert re.fullmatch(
        f"The regions of {what} on {place}, coloured by predicted class, with 200 points.",
        root.find(f"{SVG}desc").text,
    )
    assert region_colours(root) <= set(OKABE_ITO[:3])
    marks = [mark for mark in root.findall(f"{SVG}circle") if mark.get("fill") in OKABE_ITO]
    assert len(marks) == 200 + 3
    texts = [text.text for text in root.findall(f"{SVG}text")]
    assert {"0", "1", "2"} <= set(texts)
    assert (tmp_path / "out.svg").stat().st_size < 600_000


def test_cuts_of_a_tree_meet_the_rim_at_right_angles(run):
    train(run, "--method", "tree", "--max-depth", "1")
    picture = run("draw", "model.bent", "points.csv").stdout
    arc = r'"M(\S+) (\S+)A(\S+) \S+ 0 0 (\d) (\S+) (\S+)" fill="none"'
    (found,) = re.findall(arc, picture)
    x1, y1, radius, sweep, x2, y2 = map(float, found)
    across, down = x2 - x1, y2 - y1
    height = (radius**2 / (across**2 + down**2) - 0.25) ** 0.5 * (1 if sweep else -1)
    centre = (x1 + x2) / 2 - height * down - 450, (y1 + y2) / 2 + height * across - 514
    assert centre[0] ** 2 + centre[1] ** 2 == pytest.approx(radius**2 + 422**2, rel=1e-3)


def test_values_have_a_scale(run, tmp_path):
    train(run)
    lines = (tmp_path / "points.csv").read_text().splitlines()
    numbered = [f"{line},{row}.5" for row, line in enumerate(lines[1:])]
    (tmp_path / "points.csv").write_text("\n".join([f"{lines[0]},height", *numbered]) + "\n")
    columns = ["--columns", "x1,x2", "--label", "height"]
    result = run(
        "train", "points.csv", "-s", "H2", "-c", "poincare", "--no-cv", "-o", "m.bent", *columns
    )
    assert result.returncode == 0, result.stderr
    picture = run("draw", "m.bent", "points.csv", "--label", "height").stdout
    assert "#440154" in picture
    assert "#fde725" in picture
    assert "coloured by predicted value, with 200 points." in picture
    assert ">100</text>" in picture


def test_the_report_says_what_was_drawn(run):
    train(run)
    result = run("draw", "model.bent", "points.csv", "-o", "out.svg", "--tree", "3", "--json")
    assert json.loads(result.stdout) == {
        "model": "model.bent",
        "source": "points.csv",
        "output": "out.svg",
        "signature": "H2",
        "trees": 100,
        "tree": 3,
        "rows": 200,
        "rows_skipped": 0,
    }


def test_points_without_labels_are_drawn_in_ink(run):
    train(run)
    picture = run("draw", "model.bent", "-", stdin="x1,x2\n0,0\n0.5,0\n").stdout
    root = ElementTree.fromstring(picture)
    marks = [mark for mark in root.findall(f"{SVG}circle") if mark.get("fill") == "#2b2f36"]
    assert len(marks) == 2


def test_the_cuts_of_a_forest_are_drawn_where_asked_for(run):
    train(run, "--n-trees", "5", "--max-depth", "2")
    plain = run("draw", "model.bent", "points.csv").stdout
    with_cuts = run("draw", "model.bent", "points.csv", "--cuts").stdout
    assert 'fill="none" stroke="#2b2f36" stroke-width="0.8"' not in plain
    assert 5 <= with_cuts.count('fill="none" stroke="#2b2f36" stroke-width="0.8"') <= 15


@pytest.mark.parametrize("signature", ["H3", "S2", "E2 x H2"])
def test_models_on_other_manifolds_are_refused(run, signature):
    train(run, signature=signature, coordinates="ambient")
    result = run("draw", "model.bent", "points.csv")
    assert result.stderr == (
        f"bentwood: model.bent: the model is on {signature}, and regions can be drawn on H2 and "
        "E2 only\n"
    )
    assert result.stdout == ""
    assert result.returncode == 1


def test_the_ending_of_a_picture_is_svg_or_none(run, tmp_path):
    train(run)
    for ending in (".txt", ".png", ".svgz"):
        result = run("draw", "model.bent", "points.csv", "-o", f"out{ending}")
        assert result.stderr == (
            f'bentwood: out{ending}: the extension is "{ending}", expected .svg or .svg.gz\n'
        )
        assert result.returncode == 1
        assert not (tmp_path / f"out{ending}").exists()
    for name in ("out.SVG", "out.svg.gz", "out"):
        assert run("draw", "model.bent", "points.csv", "-o", name).returncode == 0
    packed = gzip.decompress((tmp_path / "out.svg.gz").read_bytes())
    assert packed == (tmp_path / "out").read_bytes() == (tmp_path / "out.SVG").read_bytes()


def test_mistakes_are_one_line(run, tmp_path):
    train(run)
    result = run("draw", "model.bent", "points.csv", "--tree", "100")
    assert result.stderr == (
        "bentwood: model.bent: there is no tree 100: the model has 100, counted from 0\n"
    )
    assert result.returncode == 1
    result = run("draw", "model.bent", "points.csv", "--json")
    assert result.stderr == (
        "bentwood: --json and the picture are both for stdout, name a file with -o; "
        "see bentwood draw --help\n"
    )
    assert result.returncode == 2
    (tmp_path / "other.csv").write_text("x1,x2,label\n0,0,0\n0.5,0,7\n")
    result = run("draw", "model.bent", "other.csv")
    assert result.stderr == (
        'bentwood: other.csv:3, column "label": label "7" is none of the model\'s classes '
        '("0", "1", "2"); 1 row is like this; pass --unknown-labels skip to leave them out\n'
    )
    result = run("draw", "model.bent", "other.csv", "-o", "o.svg", "--unknown-labels", "skip",
                 "--json")  # fmt: skip
    assert json.loads(result.stdout)["rows_skipped"] == 1
    (tmp_path / "outside.csv").write_text("x1,x2\n0,0\n3,0\n")
    result = run("draw", "model.bent", "outside.csv")
    assert result.stderr.startswith("bentwood: outside.csv:3: ")
    assert "pass --off-manifold project" in result.stderr
    result = run("draw", "model.bent", "outside.csv", "-o", "o.svg", "--off-manifold", "project")
    assert result.returncode == 0
    assert result.stderr.startswith("bentwood: warning: outside.csv: projected 1 of 2 rows")


def test_classifiers_have_no_target(run):
    train(run, "--method", "tree")
    result = run("draw", "model.bent", "points.csv", "--target", "1", "-o", "out.svg")
    assert (result.returncode, result.stderr) == (
        1,
        "bentwood: model.bent: --target 1 is for regressions, and the model tells classes\n",
    )
