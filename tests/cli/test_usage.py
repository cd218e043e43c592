"""Help, versions and every way to call the program wrongly."""

from __future__ import annotations

import pytest

COMMANDS = ["generate", "convert", "inspect", "train", "predict", "evaluate", "neighbors", "demo"]
KINDS = ["mixture", "tree", "uniform", "linear", "helix", "sphere", "gaussians", "karate"]


def test_version_is_one_line(run):
    result = run("--version")
    assert result.returncode == 0
    assert result.stdout.startswith("bentwood ")
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_no_arguments_show_the_help_on_stderr(run):
    result = run()
    assert result.returncode == 2
    assert result.stdout == ""
    assert "bentwood demo" in result.stderr
    for command in COMMANDS:
        assert command in result.stderr


@pytest.mark.parametrize(
    "command", [[name] for name in COMMANDS] + [["generate", k] for k in KINDS]
)
def test_help_of_every_command_ends_with_examples(run, command):
    result = run(*command, "--help")
    assert result.returncode == 0
    assert result.stderr == ""
    examples = result.stdout.split("Examples:\n")[1]
    assert f"  bentwood {' '.join(command)}" in examples


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], 'no command "nonsense"; see bentwood --help'),
        (["generate"], "A subcommand is required; see bentwood generate --help"),
        (["generate", "x"], 'no command "x"; see bentwood generate --help'),
        (["inspect"], "input is required; see bentwood inspect --help"),
        (["convert", "a.csv"], "output is required; see bentwood convert --help"),
        (
            ["convert", "a.csv", "b.csv", "--from", "klein", "--to", "klein"],
            "--signature is required; see bentwood convert --help",
        ),
        (
            ["inspect", "a.csv", "-c", "polar"],
            "--coordinates: polar not in {ambient,poincare,stereographic,klein,tangent}; "
            "see bentwood inspect --help",
        ),
        (
            ["generate", "mixture", "--rows", "-5"],
            '--rows: expected a whole number from 1 to 1000000000, found "-5"; '
            "see bentwood generate mixture --help",
        ),
        (
            ["generate", "mixture", "--rows", "9223372036854775808"],
            "--rows: expected a whole number from 1 to 1000000000, "
            'found "9223372036854775808"; see bentwood generate mixture --help',
        ),
        (
            ["generate", "mixture", "--seed", "1.5"],
            '--seed: expected a whole number from 0 to 18446744073709551615, found "1.5"; '
            "see bentwood generate mixture --help",
        ),
        (
            ["generate", "mixture", "--threads", "many"],
            "--threads: expected a number of threads from 1 to 4096, or -1 for all cores, "
            'found "many"; see bentwood --help',
        ),
        (
            ["generate", "mixture", "-j", "0"],
            "--threads: expected a number of threads from 1 to 4096, or -1 for all cores, "
            'found "0"; see bentwood --help',
        ),
        (
            ["generate", "helix", "--colour"],
            "The following argument was not expected: --colour; see bentwood generate helix --help",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(run, arguments, message):
    result = run(*arguments)
    assert result.stderr == f"bentwood: {message}\n"
    assert result.stdout == ""
    assert result.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generate", "mixture", "--noise", "0x10"],
         '--noise: expected a number, found "0x10"; see bentwood generate mixture --help'),
        (["generate", "uniform", "--radius", "abc"],
         '--radius: expected a number, found "abc"; see bentwood generate uniform --help'),
        (["generate", "mixture", "--weights", "1,0x2"],
         '--weights: expected a number, found "0x2"; see bentwood generate mixture --help'),
        (["inspect", "x.csv", "--threads", "0x2"],
         "--threads: expected a number of threads from 1 to 4096, or -1 for all cores, "
         'found "0x2"; see bentwood --help'),
    ],
)  # fmt: skip
def test_numbers_are_decimal_and_the_help_that_is_named_lists_the_option(run, arguments, message):
    result = run(*arguments)
    assert result.stderr == f"bentwood: {message}\n"
    assert result.returncode == 2


TABLE = "x,y,z,label\n" + "".join(f"{row},{row % 7},{row % 3},{row % 2}\n" for row in range(20))
CARTESIAN = ["-s", "E2", "--from", "ambient", "--to", "ambient"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--columns", "x,y", "points.csv", "-"],
        ["--columns", "x", "y", "points.csv", "-"],
        ["--columns", "x", "y", "points.csv", "out.csv"],
        ["--columns", "x", "y", "points.csv", "--label", "label", "-"],
        ["points.csv", "--columns", "x", "y", "out.csv"],
        ["points.csv", "-", "--columns", "x", "y"],
        ["points.csv", "-", "--features", "x", "y", "--label", "label"],
        ["--columns=x,y", "points.csv", "-"],
        ["--columns", "x", "--columns", "y", "points.csv", "-"],
        ["--columns", "x", "y", "--", "points.csv", "-"],
        ["-qj", "2", "--columns", "x", "y", "points.csv", "-"],
        ["-qj2", "--columns", "x", "y", "points.csv", "-"],
    ],
)
def test_lists_are_one_word_or_several(run, tmp_path, arguments):
    (tmp_path / "points.csv").write_text(TABLE)
    result = run("convert", *CARTESIAN, *arguments)
    assert result.stderr == ""
    written = (tmp_path / "out.csv").read_text() if "out.csv" in arguments else result.stdout
    assert written.startswith("x1,x2,z,label\n0,0,0,0\n1,1,1,1\n")


def test_a_list_ends_before_standard_input(run):
    result = run("convert", *CARTESIAN, "--columns", "x", "y", "-", "-", stdin=TABLE)
    assert result.stderr == ""
    assert result.stdout.startswith("x1,x2,z,label\n0,0,0,0\n1,1,1,1\n")


def test_numbers_below_0_are_values_of_lists(run):
    result = run("generate", "mixture", "--weights", "1", "-2", "--classes", "2")
    assert result.stderr == "bentwood: a class weight must be a finite number >= 0, found -2\n"


def test_every_list_can_be_several_words(run, tmp_path):
    (tmp_path / "points.csv").write_text(TABLE)
    options = [
        "--method",
        "tree",
        "--signature",
        "H2",
        "--coordinates",
        "tangent",
        "--no-cv",
        "-o",
        "m.bent",
    ]
    one = run("train", "points.csv", "--columns", "x,y", "--splits", "geodesic,pairs", *options)
    two = run(
        "train", "--columns", "x", "y", "--splits", "geodesic", "pairs", *options, "points.csv"
    )
    assert (two.returncode, two.stdout) == (one.returncode, one.stdout)
    assert one.returncode == 0
    weights = run("generate", "mixture", "-n", "9", "--weights", "1", "2", "3", "--classes", "3")
    assert (
        weights.stdout
        == run("generate", "mixture", "-n", "9", "--weights", "1,2,3", "--classes", "3").stdout
    )
