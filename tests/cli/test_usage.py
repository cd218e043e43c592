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
