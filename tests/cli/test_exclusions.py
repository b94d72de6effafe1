"""An option that would have no effect is refused by its name: every rule of every command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from aifgraph.cli import main
from aifgraph.cli.exclusions import RULES, Rule, rules_of
from aifgraph.cli.group import group
from fuzz.commands import all_commands

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
MAPS, CORPORA = (frozenset({"of_maps", "of_one_map"}), FIRST, SECOND), (frozenset({"of_corpora"}), ANN, BEN)
NOTHING: frozenset[str] = frozenset()

#: Arguments of each command, and what the request then says of itself.
ARGUMENTS: dict[str, tuple[tuple[frozenset[str], *tuple[str, ...]], ...]] = {
    "compare": (MAPS, CORPORA),
    "differences": (MAPS, CORPORA),
    "merge": ((MAPS[0], FIRST, SECOND, "-o", "OUT"), (CORPORA[0], ANN, BEN, "-o", "OUT")),
    "evaluate": (CORPORA,),
    "significance": (CORPORA,),
    "agreement": (CORPORA,),
    "plan": (CORPORA,),
    "pair": (CORPORA,),
    "perturb": ((NOTHING, ANN, "--kinds", "types"),),
    "baseline": ((NOTHING, ANN, "--kind", "chain", "-o", "OUT"),),
    "export": ((NOTHING, ANN, "--task", "illocutions", "-o", "OUT"),),
    "sample": ((NOTHING, ANN, "-n", "2"),),
    "show": ((NOTHING, FIRST), (frozenset({"of_results"}), "RESULT")),
    "check": ((NOTHING, FIRST),),
    "repair": ((frozenset({"without_direct"}), FIRST, "--report", "OUT", "--only", "loops"),),
    "stats": ((NOTHING, ANN, BEN),),
    "convert": (
        (frozenset({"of_one_map"}), FIRST, "OUT.json"),
        (frozenset({"of_many_maps"}), ANN, "OUT.jsonl"),
    ),
    "draw": ((NOTHING, FIRST),),
    "query": ((NOTHING, ANN, "schemes"),),
    "store add": ((NOTHING, "OUT", ANN, BEN),),
    "store list": ((NOTHING, "OUT"),),
    "schemes": ((NOTHING, "expert"),),
    "metrics": ((NOTHING,),),
    "formats": ((NOTHING,),),
    "fetch list": ((NOTHING,),),
    "fetch search": ((NOTHING, "masks"),),
}


def command_of(path: str) -> click.Command:
    command: click.Command = group
    for name in path.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name) or command
    return command


def typed(command: click.Command, option: str, tmp_path: Path) -> list[str]:
    """The option with a value that it takes, and that is not its default."""
    parameter = next(each for each in command.params if option in each.opts)
    assert isinstance(parameter, click.Option)
    if parameter.is_flag:
        return [option]
    if isinstance(parameter.type, click.Choice):
        return [option, next(choice for choice in reversed(parameter.type.choices) if choice != parameter.default)]
    if isinstance(parameter.type, click.Path):
        (tmp_path / "file.tsv").write_text("first\tsecond\n", "utf-8")
        return [option, str(tmp_path / "file.tsv")]
    numbers = {"integer": "3", "integer range": "3", "float": "0.5", "float range": "0.5"}
    return [option, *[numbers.get(parameter.type.name, "x")] * parameter.nargs]


def refused(path: str, rule: Rule, tmp_path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each option of the rule with a command line that breaks it."""
    command = command_of(path)
    of_command = [option for option in rule.options if any(option in each.opts for each in command.params)]
    for facts, *words in ARGUMENTS[path] if of_command else ():
        for added in breaking(command, rule, facts, tmp_path):
            for option in of_command:
                yield option, [*words, *added, *typed(command, option, tmp_path)]


def breaking(command: click.Command, rule: Rule, facts: frozenset[str], tmp_path: Path) -> Iterator[list[str]]:
    """What to add to arguments of these facts so that the rule is broken."""
    terms = [condition.split() for condition in rule.conditions]
    if rule.needed:
        if not facts & {term for several in terms for term in several}:
            values = [term.split("=") for several in terms for term in several if "=" in term]
            yield [word for flag in dict(values) for word in other(command, flag, [v for f, v in values if f == flag])]
        return
    for several in terms:
        if facts >= {term for term in several if not term.startswith("--")}:
            options = [term.split("=") for term in several if term.startswith("--")]
            yield [word for option in options for word in (option if option[1:] else typed(command, *option, tmp_path))]


def other(command: click.Command, flag: str, values: list[str]) -> list[str]:
    """The option with another value than these, if one of them is its default."""
    parameter = next(each for each in command.params if flag in each.opts)
    choices = parameter.type.choices if isinstance(parameter.type, click.Choice) else ["name"]
    default = choices[0] if flag == "--format" else parameter.default
    if default not in values:
        return []
    return [flag, next(choice for choice in choices if choice not in values)]


@pytest.mark.parametrize("path", sorted({*RULES, *ARGUMENTS}))
def test_what_has_no_effect_is_refused_by_name(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "result.json").write_text("", "utf-8")
    assert main(["compare", FIRST, SECOND, "--format", "json", "-o", str(tmp_path / "result.json")]) == 0
    places = {"OUT": str(tmp_path / "out"), "RESULT": str(tmp_path / "result.json")}
    lines = [case for rule in rules_of(path) for case in refused(path, rule, tmp_path)]
    for option, words in lines:
        arguments = [*path.split(), *(places.get(word, word) for word in words)]
        assert main(arguments) == 2, arguments
        [line] = capsys.readouterr().err.splitlines()
        assert f"{option} has" in line, arguments
    assert {option for option, _ in lines} >= {option for rule in RULES.get(path, ()) for option in rule.options}
    assert not (tmp_path / "out").exists()


def test_the_table_is_about_commands_and_options_that_there_are() -> None:
    assert set(RULES) <= all_commands()
    for path in RULES:
        options = {option for each in command_of(path).params for option in each.opts}
        for rule in RULES[path]:
            terms = {term.partition("=")[0] for one in rule.conditions for term in one.split() if term.startswith("--")}
            assert {*rule.options, *terms} <= options, path


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (f"compare {ANN} {BEN} --only cass --intervals", "--intervals"),
        (f"compare {FIRST} {SECOND} --format html --metrics all", "--metrics"),
        (f"compare {FIRST} {SECOND} --top 3", "--top"),
        (f"compare {FIRST} {SECOND} --sort kappa", "--sort"),
        (f"compare {FIRST} {SECOND} --force", "--force"),
        (f"compare {FIRST} {SECOND} --missing zero", "--missing"),
        (f"compare {FIRST} {SECOND} --level 0.9", "--level"),
    ],
)
def test_what_was_ignored_is_refused(words: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert option in capsys.readouterr().err
