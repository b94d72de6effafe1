"""Tables and lines in terminals of many widths, and colour: where it is, and where it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.cli import main
from aifgraph.cli.fit import fitted, wrapped
from aifgraph.cli.terminal import Terminal
from aifgraph.tables import Table, render, width

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals here", allow_module_level=True)

from terminals import ESCAPES, in_terminal

DEBATE = ["fixtures/debate/first.json", "fixtures/debate/second.json"]
DEBATES = ["fixtures/debates/ann", "fixtures/debates/ben"]
COMMANDS = [
    ["compare", *DEBATE],
    ["compare", *DEBATES],
    ["differences", *DEBATE, "--context"],
    ["agreement", *DEBATES],
    ["show", DEBATE[0]],
    ["show", DEBATE[0], "--tree"],
    ["stats", DEBATES[0]],
    ["check", DEBATE[0], "--all"],
    ["metrics"],
    ["formats"],
    ["schemes", "expert"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_the_terminal(command: list[str], monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """In one process, with a standard output that says it is a terminal: forty columns, and more."""
    for columns in (40, 57, 80, 120, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        main([*command, "--color", "never"])
        shown = capsys.readouterr().out
        assert shown.strip()
        assert [line for line in shown.split("\n") if width(line) > columns] == []


def test_a_real_terminal_is_obeyed() -> None:
    code, shown = in_terminal(60, "compare", *DEBATE)
    lines = ESCAPES.sub("", shown).split("\n")
    assert code == 0
    assert max(map(width, lines)) <= 60
    assert "\x1b[1mBoth find the same 12 claims" in shown


def test_nothing_is_lost_by_the_width(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number of the wide table is in the narrow one."""
    main(["compare", *DEBATE])
    wide = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["compare", *DEBATE, "--color", "never"])
    narrow = capsys.readouterr().out
    for number in {part for part in wide.split() if part.replace(".", "").isdigit()}:
        assert narrow.split().count(number) >= wide.split().count(number)


@pytest.mark.parametrize(
    ("settings", "options", "coloured"),
    [
        ({}, [], True),
        ({"NO_COLOR": "1"}, [], False),
        ({"TERM": "dumb"}, [], False),
        ({}, ["--color", "never"], False),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
    ],
)
def test_colour_in_a_terminal(
    settings: dict[str, str], options: list[str], coloured: bool, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"TERM": "xterm-256color", **settings}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["show", DEBATE[0], *options])
    assert ("\x1b[" in capsys.readouterr().out) == coloured


def test_colour_in_a_pipe_and_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", DEBATE[0]])
    assert "\x1b" not in capsys.readouterr().out
    main(["--color", "always", "show", DEBATE[0]])
    assert "\x1b[1m" in capsys.readouterr().out
    main(["show", DEBATE[0], "--color", "always", "-o", str(tmp_path / "shown.txt")])
    assert "\x1b" not in (tmp_path / "shown.txt").read_text("utf-8")


@pytest.mark.parametrize("format", ["csv", "json", "markdown", "latex"])
def test_data_is_never_fitted(format: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    main(["compare", *DEBATE, "--format", format])
    in_a_pipe = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["compare", *DEBATE, "--format", format])
    assert capsys.readouterr().out == in_a_pipe


@given(
    st.lists(st.text(st.sampled_from("ab κ论|"), max_size=60), min_size=1, max_size=6),
    st.lists(st.floats(0, 1), min_size=1, max_size=12),
    st.integers(40, 200),
)
def test_any_table_fits(texts: list[str], numbers: list[float], columns: int) -> None:
    names = [*(f"text {at}" for at in range(len(texts))), *(f"some_long_score {at}" for at in range(len(numbers)))]
    table = Table("A title of a table", names, [[*texts, *numbers]] * 2, note="a note of some words " * 4)
    lines = fitted(table, Terminal(columns)).split("\n")
    assert max(map(width, lines)) <= columns
    assert all("\n".join(lines).count(f"{number:.3f}") >= 2 for number in numbers)


def test_without_a_width_a_table_is_what_it_was() -> None:
    table = Table("T", ("score", "value"), [("kappa", 0.8125), ("f1", None)], note="n")
    assert fitted(table, Terminal()) == render(table)


def test_a_signature_is_broken_behind_its_bars() -> None:
    assert wrapped("CASS|match:greedy|min:0.5", 14) == ["CASS|", "match:greedy|", "min:0.5"]
