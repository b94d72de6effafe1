"""The commands by name, each in a module of its own that is imported when the command is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

import aifgraph
from aifgraph.cli.streams import give_up_output, prepare
from aifgraph.errors import AifgraphError, InputError, MissingExtraError, OptionError, RemoteError, nearest
from aifgraph.printable import printable

#: Command → (module:function, the line that ``--help`` shows).
COMMANDS: dict[str, tuple[str, str]] = {
    "compare": ("aifgraph.cli.compare:compare", "How far two analyses, or two corpora, agree (CASS)."),
    "differences": ("aifgraph.cli.differences:differences", "What two analyses, or two corpora, disagree about."),
    "merge": ("aifgraph.cli.merge:merge", "One map of two, by decisions about their differences."),
    "adjudicate": ("aifgraph.cli.adjudicate:adjudicate", "Decide differences in the browser, and get gold maps."),
    "show": ("aifgraph.cli.show:show", "Counts, speakers, schemes and the argument of a map."),
    "check": ("aifgraph.cli.check:check", "Which rules maps break, and what is repaired to read them."),
    "repair": ("aifgraph.cli.repair:repair", "Repair a map, and list every change."),
    "convert": ("aifgraph.cli.convert:convert", "Maps, corpora and data sets from one format into another."),
    "formats": ("aifgraph.cli.catalogues:formats", "The formats, and what is lost in each of them."),
    "query": ("aifgraph.cli.query:query", "Ask a SPARQL query of corpora or a store."),
    "store": ("aifgraph.cli.store:store", "Corpora as triples in a folder: add, remove, list."),
    "fetch": ("aifgraph.cli.fetch:fetch", "Maps and corpora from AIFdb."),
    "pair": ("aifgraph.cli.corpora:pair", "Which map of one corpus belongs to which of another."),
    "stats": ("aifgraph.cli.corpora:stats", "What a corpus contains, as tables for a data statement."),
    "pack": ("aifgraph.cli.corpora:pack", "A corpus as a zip, tar.gz, JSON lines or folder."),
    "significance": ("aifgraph.cli.significance:significance", "Whether systems differ against one gold corpus."),
    "sample": ("aifgraph.cli.sample:sample", "Draw the texts to annotate twice, at random or by strata."),
    "plan": ("aifgraph.cli.plan:plan", "How many texts to annotate twice: intervals by number of texts."),
    "evaluate": ("aifgraph.cli.evaluate:evaluate", "A leaderboard of systems against a gold corpus."),
    "export": ("aifgraph.cli.export:export", "Training data of a corpus: relations, illocutions, segmentation."),
    "import-predictions": (
        "aifgraph.cli.import_predictions:import_predictions",
        "Maps of predicted labels, so that a classifier can be scored.",
    ),
    "agreement": ("aifgraph.cli.agreement:agreement", "How far several annotators agree: CASS, alpha, Fleiss' kappa."),
    "baseline": ("aifgraph.cli.baseline:baseline", "Trivial systems: analyses for every other system to beat."),
    "perturb": ("aifgraph.cli.perturb:perturb", "How CASS falls when a known share of maps is changed."),
    "metrics": ("aifgraph.cli.catalogues:metrics", "Every score and measure: formula, range, source."),
    "draw": ("aifgraph.cli.draw:draw", "A map, or two compared maps, as a picture."),
    "serve": ("aifgraph.cli.serve:serve", "A local page and JSON endpoint for comparisons."),
    "schemes": ("aifgraph.cli.catalogues:schemes", "AIFdb's catalogue of schemes."),
    "task": ("aifgraph.cli.task:task", "Score three shared tasks: ruarg, arct, aurc."),
}

#: Click 8.2 has an error of its own for a bare group; before, it shows the help itself.
_NO_ARGUMENTS: tuple[type[click.UsageError], ...] = tuple(
    filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)])
)


class LazyGroup(click.Group):
    """A group that knows its commands' names and one-line helps without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in COMMANDS and name and not name.startswith("-"):
            raise click.UsageError(f"there is no command {name[:100]!r}; {nearest(name, COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(aifgraph.__version__, prog_name="aifgraph")
def group() -> None:
    """Argument graphs over AIF: load, align, compare, score, report.

    \b
    Examples:
      aifgraph compare first.json second.json
      aifgraph compare annotator1/ annotator2.zip --format csv -o scores.csv
      aifgraph show map.json --tree
      aifgraph check corpus/*.json

    \b
    Completion in your shell (bash, zsh or fish):
      eval "$(_AIFGRAPH_COMPLETE=bash_source aifgraph)"
    """


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
    except _NO_ARGUMENTS as error:
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
    except OSError as error:
        if error.filename is None:  # of a stream: the full disk behind it, for instance
            give_up_output()
        where = printable(str(error.filename or "standard output"))
        return _say(f"{where}: {error.strerror or error}", 2)
    except MemoryError:
        return _say("out of memory; give a smaller input", 3)
    except Exception as error:
        if os.environ.get("AIFGRAPH_DEBUG"):
            raise
        kind = type(error).__name__
        return _say(f"internal error ({kind}: {error}); please report it (AIFGRAPH_DEBUG=1 shows where)", 3)
    return result if isinstance(result, int) else 0


def _say(line: str, code: int) -> int:
    print(printable(f"aifgraph: {' '.join(line.split())}"), file=sys.stderr)
    return code
