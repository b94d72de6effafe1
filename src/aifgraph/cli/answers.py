"""Wrong words on the command line: an option, a value, a command or an argument that there is not is answered with the
one that is meant, else with all that there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

import click

from aifgraph.errors import nearest
from aifgraph.guesses import alike, answers, near

#: What is done without an option.
_NEEDLESS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("force", "overwrite"), "a file is replaced without it"),
    **dict.fromkeys(("recursive", "r"), "a folder is read with all that is in it"),
}
#: What switches something off.
_OFF: Final = ("never", "none", "off")
#: An option of one more file, by how it is called in the help.
_ONE_MORE: Final = ("OTHER", "SYSTEM")
#: A number of resamples, where a level would be a share or per cent.
_MANY: Final = re.compile(r"\d{3,7}")
#: Values of one option that are tried as options of their own; a longer list is no format.
_MAX_CHOICES: Final = 10
#: Options that are listed where none is near; the others are in the help.
_MAX_LISTED: Final = 24


class NamedChoice(click.Choice[str]):
    """A choice in any case, whose wrong values are answered with the nearest."""

    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__(choices, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            word = str(value).lower()
            meant = alike(word, self.choices)
            several = [meant] if meant else [each for each in self.choices if len(word) > 1 and each.startswith(word)]
            shown = " or ".join(map(repr, several[:4]))
            said = answers(f"values of {param.name if param else ''}").get(word)
            parts = str(value).lower().split(",")
            if param is not None and param.multiple and len(parts) > 1 and set(parts) <= set(self.choices):
                said = "give each its own: " + " ".join(f"{max(param.opts, key=len)} {part}" for part in parts)
            remedy = said or (f"did you mean {shown}?" if shown else nearest(value, self.choices))
            self.fail(f"there is no {str(value)[:100]!r}; {remedy}", param, ctx)


class AnsweringCommand(click.Command):
    """A command that answers wrong options, and arguments of which there are too many."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = list(args)
        ctx.allow_extra_args = True
        _refuse_swallowed(ctx, words)
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise _no_option(error.option_name, ctx, words) from None
        except click.MissingParameter as error:
            name = error.param.human_readable_name if error.param else ""
            if said := answers(f"missing of {ctx.info_name}").get(name):
                raise click.UsageError(f"{name} is missing; {said}", ctx) from None
            raise
        except click.BadOptionUsage as error:
            option = dict(_options(self)).get(error.option_name)
            if option is None or option.is_flag or option.nargs != 1 or error.option_name != words[-1]:
                raise
            raise click.UsageError(_valueless(error.option_name, option, ctx), ctx) from None
        if rest and not ctx.resilient_parsing:
            raise click.UsageError(f"unexpected argument {rest[0][:200]!r}; {_surplus(rest[0], ctx, words)}", ctx)
        return rest


class AnsweringGroup(click.Group):
    """A group that answers wrong options and commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise _no_option(error.option_name, ctx, words) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        name = args[0] if args else ""
        if name and name not in names and not name.startswith("-"):
            raise click.UsageError(f"there is no command {name[:100]!r}; {_command_meant(name, names, ctx)}", ctx)
        return super().resolve_command(ctx, args)


def _command_meant(name: str, names: Sequence[str], ctx: click.Context) -> str:
    whole = ctx.parent is None
    if whole and (meant := answers("commands").get(name.lower())):
        return f"did you mean {meant if ' ' in meant else repr(meant)}?"
    if close := near(name, names):
        return f"did you mean {close!r}?"
    if whole and Path(name).exists():
        return "a command comes first: aifgraph show, compare, check …; aifgraph --help lists them"
    return f"choose from {', '.join(names)}"


def _no_option(name: str, ctx: click.Context, words: Sequence[str]) -> click.UsageError:
    return click.UsageError(f"there is no option {name[:100]!r}; {_option_meant(name, ctx, words)}", ctx)


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """Every way to write an option of a command, the long ones first."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    yield from ((flag, each) for each in options for flag in sorted((*each.opts, *each.secondary_opts), key=len)[::-1])


def _option_meant(name: str, ctx: click.Context, words: Sequence[str]) -> str:
    """What is meant by an option that a command has not, as a question, or where it is to be found."""
    command = ctx.command
    options = dict(_options(command))
    bare = name.lstrip("-")
    if said := _said(f"options of {ctx.info_name}", bare, options) or _said("options of all", bare, options):
        return said
    if meant := _setting(bare, words, options) or _by_meaning(bare, options, ctx):
        if meant in ("--intervals", "--level") and (number := _of_intervals(_value_of(name, words), options)):
            meant = number if "--intervals" in words or "--intervals" not in options else f"--intervals {number}"
        return f"did you mean {meant}?"
    if len(bare) == 1 and (long := [f"--{flag}" for flag in _long_names(options) if flag.startswith(bare)]):
        return f"did you mean {' or '.join(long[:4])}?"
    if close := near(bare, _long_names(options), cutoff=0.75):
        return f"did you mean --{close}?"
    if bare in _NEEDLESS:
        return _NEEDLESS[bare]
    if name in dict(_options(ctx.find_root().command)):
        return f"did you mean aifgraph {name}?"
    if elsewhere := [path for path, other in _commands(ctx.find_root()) if name in dict(_options(other))]:
        return f"it is an option of {', '.join(elsewhere[:5])}"
    if (meant := answers("commands").get(bare, bare if bare in _top(ctx) else "")) and meant != ctx.info_name:
        return f"did you mean the command aifgraph {meant}?"
    listed = [max(option.opts, key=len) for option in dict.fromkeys(options.values())]
    return f"it has {', '.join(listed[:_MAX_LISTED])}{' …' if listed[_MAX_LISTED:] else ''}"


def _long_names(options: Iterable[str]) -> list[str]:
    return [flag[2:] for flag in options if flag.startswith("--")]


def _said(table: str, bare: str, options: Mapping[str, click.Option]) -> str:
    """What is said of an option that a command has not; of a level only where there is one."""
    said = answers(table).get(bare, "")
    return said if "--level" not in said or "--level" in options else ""


def _value_of(name: str, words: Sequence[str]) -> str:
    """What is given to an option, behind it or behind an equals sign; empty where nothing is."""
    joined = (word.removeprefix(f"{name}=") for word in words if word.startswith(f"{name}="))
    return next(chain(joined, (after for before, after in pairwise(words) if before == name)), "")


def _of_intervals(value: str, options: Mapping[str, click.Option]) -> str:
    """The option for a number behind ``--intervals``, which takes none: 0.9, and 90 per cent, are a level, and 500 are
    rounds."""
    if "--rounds" in options and _MANY.fullmatch(value):
        return f"--rounds {value}"
    if "--level" not in options or not re.fullmatch(r"0?\.\d+|\d\d?(\.\d+)?%?", value):
        return ""
    number = float(value.rstrip("%"))
    return f"--level {number if number < 1 else number / 100:g}"


def _refuse_swallowed(ctx: click.Context, words: Sequence[str]) -> None:
    """Refuse an option that stands where a value of the one before belongs."""
    options = dict(_options(ctx.command))
    for place, word in enumerate(words):
        option = options.get(word)
        # One with a word of its own as ``flag_value`` may stand without a value.
        number = 0 if option is None or option.is_flag or isinstance(option.flag_value, str) else option.nargs
        given = words[place + 1 : place + 1 + number]
        if wrong := next((each for each in given if each in options), ""):
            if number == 1:
                raise click.UsageError(f"{_valueless(word, options[word], ctx)}; {wrong} is none", ctx)
            both = f"; did you mean {word} {given[0].replace(',', ' ')}?" if given[0].count(",") == number - 1 else ""
            message = f"{word} takes {number} values ({options[word].metavar}), and {wrong} is none{both}"
            raise click.UsageError(message, ctx)


def _valueless(flag: str, option: click.Option, ctx: click.Context) -> str:
    """What is said of an option that lacks its value."""
    example = answers("examples").get(flag, "")
    return f"{flag} takes a value ({option.make_metavar(ctx)})" + (f", e.g. {flag} {example}" if example else "")


def _by_meaning(bare: str, options: Mapping[str, click.Option], ctx: click.Context) -> str:
    """The option, value of an option, or argument that means the same."""
    flags = {flag.lstrip("-"): flag for flag in options}
    if meant := alike(bare, flags):
        return max(options[flags[meant]].opts, key=len)
    for flag, option in options.items():
        choices = option.type.choices if isinstance(option.type, click.Choice) else ()
        if len(choices) <= _MAX_CHOICES and (value := alike(bare, choices)):
            return f"{flag} {value}"
        if bare == f"no-{flag.lstrip('-')}":
            off = next((off for off in _OFF if off in (*choices, *(option.metavar or "").split("|"))), "")
            return f"{flag} {off}".strip()
    arguments = {each.human_readable_name.strip("….").lower(): each for each in ctx.command.params if each.nargs != 0}
    places = {name: each for name, each in arguments.items() if isinstance(each, click.Argument)}
    meant = alike(bare, places)
    return f"the argument {places[meant].make_metavar(ctx)}, without an option" if meant else ""


def _setting(bare: str, words: Sequence[str], options: Mapping[str, click.Option]) -> str:
    """An option of a data set or a format: ``--major merge`` is ``--set major=merge``, or ``--option``."""
    from aifgraph.datasets import DATASETS, options_of
    from aifgraph.formats.registry import reading_options

    given = (word for before, word in pairwise(words) if before == "--dataset")
    dataset = next((word.lower() for word in given if word.lower() in DATASETS), None)
    option = bare.replace("-", "_")
    if dataset is not None and option in options_of(dataset):
        way = "--set"
    elif dataset is None and "--option" in options and option in reading_options():
        way = "--option"
    else:
        return ""
    after = words[words.index(f"--{bare}") + 1 :] if f"--{bare}" in words else ()
    return f"{way} {option}={after[0] if after else '…'}"


def _top(ctx: click.Context) -> Sequence[str]:
    root = ctx.find_root().command
    return root.list_commands(ctx) if isinstance(root, click.Group) else ()


def _commands(ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Every command by its path."""
    for name in _top(ctx):
        command = ctx.command.get_command(ctx, name)  # type: ignore[attr-defined]
        if isinstance(command, click.Group):
            yield from ((f"{name} {part}", each) for part, each in command.commands.items())
        else:
            yield name, command


def _surplus(extra: str, ctx: click.Context, words: Sequence[str]) -> str:
    """What may be meant by an argument that is one too many."""
    options = dict(_options(ctx.command))
    if "--dataset" in options and words[0] in options["--dataset"].type.choices:  # type: ignore[attr-defined]
        return f"did you mean --dataset {words[0]}?"
    place = words.index(extra) if extra in words else 0
    before = options.get(words[place - 1]) if place else None
    if before is not None and before.is_flag:
        flag = words[place - 1]
        number = _of_intervals(extra, options) if flag == "--intervals" else ""
        return f"{flag} takes no value" + (f"; did you mean {flag} {number}?" if number else "")
    flag, value = words[place - 2 : place] if place > 1 else ("", "")
    if (taken := options.get(flag)) and taken.multiple:
        return f"did you mean {flag} {value} {flag} {extra[:100]}?"
    if taken and "NAMES" in (taken.metavar or ""):
        return f"did you mean {flag} {value}+{extra[:100]}?"
    suffix = Path(extra).suffix.lower()
    free = {name: option.metavar or "" for name, option in options.items() if name not in words}
    tables = [name for name, metavar in free.items() if suffix == ".tsv" and metavar.endswith(suffix)]
    picture = suffix in (".svg", ".png", ".pdf")
    others = [name for name, metavar in free.items() if metavar in _ONE_MORE and not picture]
    # What is there already is an input that is one too many; it must not be written over.
    output = ["-o"] if suffix and {"-o", "--output"} <= free.keys() and not Path(extra).exists() else []
    if meant := tables or others or output:
        return f"did you mean {' or '.join(f'{name} {extra[:100]}' for name in meant)}?"
    names = " ".join(each.make_metavar(ctx) for each in ctx.command.params if isinstance(each, click.Argument))
    several = {
        "compare": "; several maps are a folder, `agreement` compares several annotators, `evaluate` several systems",
        "convert": "; give the folder that several maps are in",
    }
    return f"it takes {names or 'none'}{several.get(ctx.info_name or '', '')}"
