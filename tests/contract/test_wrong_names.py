"""A wrong name is answered with the right one, or with all that there are: every option and choice of every command."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from aifgraph.cli import main
from aifgraph.cli.group import group
from fuzz.commands import all_commands

COMMANDS = sorted(all_commands())


def options_of(path: str) -> Iterator[click.Option]:
    command: click.Command = group
    for name in path.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    yield from (each for each in command.params if isinstance(each, click.Option))


def answer(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 2
    [line] = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("path", COMMANDS)
def test_a_misspelled_option_is_answered_with_the_right_one(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in options_of(path):
        flag = max(option.opts, key=len)
        known = {each for other in options_of(path) for each in (*other.opts, *other.secondary_opts)}
        for wrong in (flag.upper(), f"{flag}x", flag.replace("-", "_").replace("__", "--")):
            if len(flag) > 6 and wrong not in known:
                assert re.search(rf"did you mean {flag}\b", answer([*path.split(), wrong], capsys)), wrong


@pytest.mark.parametrize("path", COMMANDS)
def test_an_unknown_option_is_answered_with_those_that_there_are(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = answer([*path.split(), "--zzz", "1"], capsys)
    assert "there is no option '--zzz'; it has --" in line
    assert f"(try: aifgraph {path} --help)" in line


@pytest.mark.parametrize("path", COMMANDS)
def test_options_of_other_commands_are_answered(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    own = {flag for option in options_of(path) for flag in (*option.opts, *option.secondary_opts)}
    answered = r"did you mean|it is an option of [a-z]|it has --|replaced without"
    for flag in ("--intervals", "--tree", "--dataset", "--finish", "--window", "--version", "--output", "--jobs"):
        if flag not in own:
            assert re.search(answered, answer([*path.split(), flag], capsys))


@pytest.mark.parametrize("path", COMMANDS)
def test_a_wrong_value_of_a_choice_is_answered_with_the_nearest(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in options_of(path):
        if isinstance(option.type, click.Choice):
            flag, longest = max(option.opts, key=len), max(option.type.choices, key=len)
            assert f"there is no {longest + 'x'!r}; did you mean" in answer(
                [*path.split(), flag, f"{longest}x"], capsys
            )
            assert f"choose from {option.type.choices[0]}" in answer([*path.split(), flag, "§"], capsys)
