"""All commands by name, and how one is run: from the words of the command line to an exit code."""

from __future__ import annotations

import inspect
import os
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

import aifgraph
from aifgraph.cli.answers import AnsweringGroup
from aifgraph.cli.terminal import common_options, give_up_output, prepare, terminal_of, was_interrupted
from aifgraph.errors import AifgraphError, InputError, MissingExtraError, OptionError, RemoteError
from aifgraph.printable import one_line, printable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from aifgraph.cli.command import Command, CommandGroup

#: Heading → command → module and class. A command is imported when it is called.
HEADINGS: dict[str, dict[str, str]] = {
    "Compare": {
        "compare": "compare:Compare",
        "evaluate": "systems:Evaluate",
        "significance": "systems:Significance",
        "agreement": "study:Agreement",
        "perturb": "study:Perturb",
        "baseline": "systems:Baseline",
        "metrics": "catalogues:Metrics",
    },
    "Look": {
        "show": "show:Show",
        "stats": "corpora:Stats",
        "check": "check:Check",
        "repair": "check:Repair",
        "draw": "show:Draw",
        "query": "triples:Query",
        "store": "triples:Store",
        "schemes": "catalogues:Schemes",
    },
    "Adjudicate and study": {
        "differences": "differences:Differences",
        "merge": "differences:Merge",
        "sample": "study:Sample",
        "plan": "study:Plan",
        "export": "training:Export",
        "import-predictions": "training:ImportPredictions",
    },
    "Convert and collect": {
        "convert": "convert:Convert",
        "formats": "catalogues:Formats",
        "fetch": "fetch:Fetch",
        "pair": "corpora:Pair",
        "pack": "corpora:Pack",
    },
    "Tasks": {
        "task": "task:Task",
    },
}
COMMANDS: dict[str, str] = {name: place for commands in HEADINGS.values() for name, place in commands.items()}

#: What ``aifgraph`` alone shows.
JOBS = """\
aifgraph: argument graphs over AIF, the Argument Interchange Format.

Compare two analyses of one text, or two corpora of them:
  aifgraph compare first.json second.json
  aifgraph compare annotator1/ annotator2.zip --format html -o pages

Look at a map, and check it:
  aifgraph show map.json --tree
  aifgraph check map.json

Convert a map, or a whole corpus, into another format:
  aifgraph convert map.json map.ttl
  aifgraph convert --dataset microtexts corpus/ maps/

All commands: aifgraph --help      One command: aifgraph compare --help"""


class LazyGroup(AnsweringGroup):
    """A group that knows its commands' names and first lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        return click_command(cmd_name, getattr(import_module(f"aifgraph.cli.{module}"), name))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=first_line(name)) for name in COMMANDS if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, on a screen of 40 lines."""
        self.format_usage(ctx, formatter)
        formatter.write("\n")
        widest = max(map(len, COMMANDS))
        for heading, commands in HEADINGS.items():
            formatter.write(f"{heading}:\n")
            formatter.indent()
            formatter.write_dl([(name.ljust(widest), first_line(name)) for name in commands])
            formatter.dedent()
        flags = ", ".join("/".join(option.opts) for option in self.get_params(ctx) if isinstance(option, click.Option))
        formatter.write(f"\nOptions: {flags}\nOne command: aifgraph COMMAND --help\n")


def first_line(command: str) -> str:
    """The first line of a command's help, read from its source: to import all commands takes half a second."""
    module, _, name = COMMANDS[command].partition(":")
    line = re.search(rf'^class {name}\(.*\n    """(.*?)"*$', _source(module), re.MULTILINE)
    return line[1] if line else ""


@cache
def _source(module: str) -> str:
    return Path(__file__).with_name(f"{module}.py").read_text("utf-8")


def click_command(name: str, kind: type[Command | CommandGroup]) -> click.Command:
    """What click calls: it makes the request, runs it, and writes its output."""
    from aifgraph.cli.command import CommandGroup, command_parameters, request_of
    from aifgraph.cli.exclusions import refuse
    from aifgraph.cli.output import Destination, write

    help = inspect.cleandoc(kind.__doc__ or "")
    if issubclass(kind, CommandGroup):
        commands = {part: click_command(part, of) for part, of in kind.commands.items()}
        return AnsweringGroup(name, commands=commands, help=help, params=common_options())

    def callback(**values: Any) -> int:
        context = click.get_current_context()
        options = [of for of in context.command.params if isinstance(of, click.Option) and of.expose_value]
        by_flag = {max(option.opts, key=len): option.name or "" for option in options}
        typed = {
            flag for flag, of in by_flag.items() if context.get_parameter_source(of) is ParameterSource.COMMANDLINE
        }
        request = request_of(kind, values)
        path = context.command_path.partition(" ")[2]
        to = getattr(request, "destination", Destination())
        values |= {"format": to.format} if to.format else {}
        refuse(path, request, typed, {flag: values[of] for flag, of in by_flag.items()})
        output = request.run()
        write(output, to)
        return output.code

    parameters = [*command_parameters(kind), *common_options()]
    return kind.click_class(name, params=parameters, callback=callback, help=help)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    params=common_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(aifgraph.__version__, prog_name="aifgraph")
@click.pass_context
def group(context: click.Context) -> None:
    """Argument graphs over AIF: load, align, compare, score, report."""
    if context.invoked_subcommand is None:
        print(JOBS)


def invoke(arguments: list[str]) -> int:
    """Run the group; every way out is an exit code."""
    prepare()
    code = _invoke(arguments)
    try:
        sys.stdout.flush()
    except OSError as error:
        give_up_output()
        if not code and not isinstance(error, BrokenPipeError):
            return _say(f"standard output: {error.strerror}", 2)
    return code


def _invoke(arguments: list[str]) -> int:
    try:
        result: Any = group.main(arguments, prog_name="aifgraph", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        print("aifgraph: interrupted", file=sys.stderr)
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        # A group called by its bare name: its help, as it is, instead of a line of error.
        print(printable(error.format_message()), file=sys.stderr)
        return 2
    except click.ClickException as error:
        hint = ""
        if isinstance(error, click.UsageError) and error.ctx is not None:
            hint = f" (try: {error.ctx.command_path} --help)"
        return _say(" ".join(error.format_message().split()) + hint, 2)
    except (InputError, OptionError, MissingExtraError, RemoteError) as error:
        return _say(str(error), 2)
    except AifgraphError as error:
        return _say(str(error), 3)
    except KeyboardInterrupt:
        print("aifgraph: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has gone (``| head``): nothing more to say, and nothing to say at exit either.
        give_up_output()
        return 0
    except SystemExit:
        wrapped = getattr(sys.stdout, "wrapped", None)
        if wrapped is None:
            raise
        sys.stdout = wrapped  # click has answered the same in its own way, with exit code 1
        give_up_output()
        return 0
    except OSError as error:
        if error.filename is None:  # of a stream: the full disk behind it, for instance
            give_up_output()
        where = printable(str(error.filename or "standard output"))
        return _say(f"{where}: {error.strerror or error}", 2)
    except MemoryError:
        return _say("out of memory; give a smaller input", 3)
    except Exception as error:
        if was_interrupted():  # what a library makes of a Ctrl-C in its own code, or of processes that are gone
            print("aifgraph: interrupted", file=sys.stderr)
            return 130
        if os.environ.get("AIFGRAPH_DEBUG"):
            raise
        kind = type(error).__name__
        return _say(f"internal error ({kind}: {error}); please report it (AIFGRAPH_DEBUG=1 shows where)", 3)
    return result if isinstance(result, int) else 0


def _say(line: str, code: int) -> int:
    mark = terminal_of(sys.stderr).styled("aifgraph:", "bad")
    print(f"{mark} {one_line(line)}", file=sys.stderr)
    return code
