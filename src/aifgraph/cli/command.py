"""A command as a value: a frozen dataclass with a field for each argument and option, and ``run``, which answers.

Its docstring is the help. Options that several commands share are dataclasses of their own (``part``). What click needs
to know is made from the fields; which options go together is said in ``aifgraph.cli.exclusions``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import click

from aifgraph.cli.answers import AnsweringCommand, NamedChoice

if TYPE_CHECKING:
    from aifgraph.cli.output import Output

#: In the metadata of a field: a function from its name to its parameter, or a ``Part``.
_PARAMETER, _PART = "parameter", "part"


class Command:
    """What a command was asked. Subclasses are frozen dataclasses."""

    #: What reads the words of the command line.
    click_class: ClassVar[type[click.Command]] = AnsweringCommand

    def run(self) -> Output:
        raise NotImplementedError


#: Where a command's context keeps that its help is to be whole.
_ALL = "aifgraph.help-all"


def short_help(*shown: str) -> type[click.Command]:
    """A command of many options: its ``--help`` has those ``shown``, and ``--help-all`` every one."""

    class ShortHelp(AnsweringCommand):
        def get_params(self, ctx: click.Context) -> list[click.Parameter]:
            every = click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_help_all,
                help="Show this message with every option, and exit.",
            )
            return [*super().get_params(ctx), every]

        def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            params = self.get_params(ctx)
            kept = [each for each in params if ctx.meta.get(_ALL) or each.name in shown or "help" in str(each.name)]
            with formatter.section("Options"):
                formatter.write_dl([record for each in kept if (record := each.get_help_record(ctx))])

    return ShortHelp


def _help_all(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        context.meta[_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


class CommandGroup:
    """Commands under one name."""

    commands: ClassVar[Mapping[str, type[Command] | type[CommandGroup]]]


@dataclass(frozen=True)
class Part:
    """Several parameters that make one value."""

    parameters: Callable[[], Iterable[click.Parameter]]
    build: Callable[[Mapping[str, Any]], Any]


def argument(metavar: str | None = None, *, many: bool = False, optional: bool = False, type: Any = str) -> Any:
    """Declare an argument; with ``many``, as many as there are, and at least one unless it is ``optional``."""

    def make(name: str) -> click.Parameter:
        return click.Argument([name], metavar=metavar, nargs=-1 if many else 1, required=not optional, type=type)

    return field(metadata={_PARAMETER: make})


def option(
    default: Any = None,
    *flags: str,
    help: str,
    choices: Iterable[str] = (),
    type: Any = None,
    many: bool = False,
    required: bool = False,
    **settings: Any,
) -> Any:
    """Declare an option.

    It is a flag where its default is False, and has the type of its default unless ``choices`` or a ``type`` say more.
    A choice ``module:NAME`` stands for all that the module lists, which is imported for this command alone; so does
    ``{module:NAME}`` in the help. Without ``flags`` the option is called as its field; ``settings`` are those of
    ``click.Option``.
    """
    default = () if many and default is None else default

    def make(name: str) -> click.Parameter:
        said = {} if required else {"default": default, "show_default": default not in (None, False, "", ())}
        if default == 0 and default is not False:
            said["show_default"] = True
        if default is False:
            said["is_flag"] = True
        kind = NamedChoice(list(_choices(choices))) if choices else type
        names = [*(flags or (f"--{name.strip('_').replace('_', '-')}",)), name]
        words = re.sub(r"\{([\w.]+:\w+)\}", lambda match: ", ".join(_choices([match[1]])), help)
        return click.Option(names, help=words, type=kind, multiple=many, required=required, **{**said, **settings})

    return field(metadata={_PARAMETER: make}) if required else field(default=default, metadata={_PARAMETER: make})


def _choices(choices: Iterable[str]) -> Iterator[str]:
    for choice in choices:
        module, colon, name = choice.partition(":")
        yield from getattr(import_module(f"aifgraph.{module}"), name) if colon else (choice,)


def part(kind: type, then: Callable[[Any], Any] | None = None, **changed: Any) -> Any:
    """Declare a value made of several options: the fields of ``kind``, some ``changed``; None leaves one out. ``then``
    makes of the value, as it was typed, the one that the command gets."""

    def declared() -> dict[str, Any]:
        every = {own.name: changed.get(own.name, own) for own in fields(kind)}
        return {name: declaration for name, declaration in every.items() if declaration is not None}

    def build(values: Mapping[str, Any]) -> Any:
        value = kind(**{name: values[name] for name in declared()})
        return then(value) if then else value

    return custom_part(lambda: parameters_of(declared()), build, kind)


def custom_part(
    parameters: Callable[[], Iterable[click.Parameter]],
    build: Callable[[Mapping[str, Any]], Any],
    default: Callable[[], Any],
) -> Any:
    """Declare a value made of several options that are declared elsewhere."""
    return field(default_factory=default, metadata={_PART: Part(parameters, build)})


def request_of(kind: type[Command], values: Mapping[str, Any]) -> Command:
    """The request with the values that click has read."""
    declared = ((own.name, own.metadata.get(_PART)) for own in fields(kind))  # type: ignore[arg-type]
    return kind(**{name: of_several.build(values) if of_several else values[name] for name, of_several in declared})


def parameters_of(declared: Mapping[str, Any]) -> Iterator[click.Parameter]:
    """The parameters of fields, by their names."""
    for name, declaration in declared.items():
        if of_several := declaration.metadata.get(_PART):
            yield from of_several.parameters()
        else:
            yield declaration.metadata[_PARAMETER](name)


def command_parameters(kind: type[Command]) -> list[click.Parameter]:
    """All parameters of a command."""
    return list(parameters_of({own.name: own for own in fields(kind)}))  # type: ignore[arg-type]
