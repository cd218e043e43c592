"""bentwood demo."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np

SVG = "{http://www.w3.org/2000/svg}"


def test_demo_writes_what_it_says(run, tmp_path):
    result = run("demo")
    assert result.returncode == 0
    assert result.stderr == ""
    written = sorted(path.name for path in (tmp_path / "bentwood-demo").iterdir())
    assert written == [
        "disk.csv",
        "forest.bent",
        "points.csv",
        "regions.svg",
        "tree.svg",
    ]
    for name in written:
        assert f"bentwood-demo/{name}" in result.stdout
    assert "1023 of 1023 rows on the manifold" in result.stdout


def test_demo_pictures_are_xml_without_scripts(run, tmp_path):
    run("demo", "--output", "elsewhere")
    for name, n_marks in (("regions.svg", 1023), ("tree.svg", 1023)):
        root = ElementTree.parse(tmp_path / "elsewhere" / name).getroot()
        assert root.tag == f"{SVG}svg"
        assert root.find(f"{SVG}title").text
        assert f"{n_marks} points" in root.find(f"{SVG}desc").text
        # The marks of the ninth class are squares.
        assert len(root.findall(f"{SVG}circle")) + len(root.findall(f"{SVG}rect")) > n_marks
        legend = [text.text for text in root.findall(f"{SVG}text")]
        assert {"trunk", *(f"branch {number}" for number in range(1, 9))} <= set(legend)
        assert {element.tag for element in root.iter()} <= {
            f"{SVG}{tag}"
            for tag in ("svg", "title", "desc", "rect", "circle", "path", "text", "g", "clipPath")
        }


def test_the_steps_it_shows_give_the_same_files(run, tmp_path):
    shown = run("demo").stdout.split("Do the same by hand:\n")[1].splitlines()
    for line in shown:
        words = line.split()
        assert words[0] == "bentwood"
        assert run(*words[1:]).returncode == 0
    for name in ("points.csv", "disk.csv", "forest.bent"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "bentwood-demo" / name).read_bytes()


def test_the_picture_of_the_forest_has_its_regions_below_the_points(run, tmp_path):
    run("demo")
    folder = "bentwood-demo"
    run("draw", f"{folder}/forest.bent", f"{folder}/disk.csv", "-o", "drawn.svg")
    drawn = ElementTree.parse(tmp_path / "drawn.svg").getroot()
    demo = ElementTree.parse(tmp_path / folder / "regions.svg").getroot()
    regions = [
        [(path.get("fill"), path.get("d")) for path in root.findall(f"{SVG}g/{SVG}g/{SVG}path")]
        for root in (drawn, demo)
    ]
    assert len(regions[0]) == 9
    assert regions[0] == regions[1]
    assert "The regions of a forest of 100 trees" in demo.find(f"{SVG}desc").text
    # The rings come on top of what draw makes.
    marks = [root.findall(f"{SVG}circle") for root in (drawn, demo)]
    rings = [mark for mark in marks[1] if mark.get("stroke") == "#1a1a1a"]
    assert rings
    assert [mark.attrib for mark in marks[1] if mark not in rings] == [
        mark.attrib for mark in marks[0]
    ]


def test_a_folder_that_cannot_be_made(run, tmp_path):
    (tmp_path / "taken").write_text("")
    result = run("demo", "-o", "taken/demo")
    assert result.stderr == "bentwood: taken/demo: cannot make the folder: Not a directory\n"
    assert result.returncode == 1


def test_a_slash_behind_the_folder_changes_nothing(run):
    assert "1. d1/points.csv:" in run("demo", "-o", "d1/").stdout


def test_the_table_is_that_of_the_commands_it_shows(run, tmp_path):
    shown = run("demo").stdout
    lines = [line for line in shown.splitlines() if " ± " in line]
    assert [line.split("  ")[1].strip() for line in lines] == [
        "geodesic cuts, H2",
        "straight cuts of the disk, E2",
    ]
    scores = []
    for line, manifold in zip(lines, (["-s", "H2", "-c", "poincare"], []), strict=True):
        result = run(
            "train",
            "bentwood-demo/disk.csv",
            *manifold,
            "--cv-folds",
            "10",
            "-o",
            "x.bent",
            "--json",
        )
        accuracy = json.loads(result.stdout)["cross_validation"]["accuracy"]
        assert f"{accuracy['mean']:.3f} ± {accuracy['deviation']:.3f}" in line
        scores.append(accuracy["folds"])
    difference = np.subtract(*scores)
    t = difference.mean() / (difference.std(ddof=1) / np.sqrt(len(difference)))
    p = float(shown.split("p = ")[1].split()[0])
    # Student's t with 9 degrees of freedom: |t| exceeds 2.262 with probability 0.05.
    assert (p < 0.05) == (abs(t) > 2.262)
    # The rings of the picture are the errors of the table.
    picture = (tmp_path / "bentwood-demo" / "regions.svg").read_text()
    n_wrong = int(picture.split(" of them ringed")[0].rsplit(" ", 1)[1])
    assert n_wrong == round(1023 * (1 - np.mean(scores[0])))
