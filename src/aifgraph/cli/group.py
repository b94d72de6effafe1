"""The commands by name, each in a module of its own that is imported when the command is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

import aifgraph
from aifgraph.cli.common_options import common_options, with_common_options
from aifgraph.cli.streams import give_up_output, prepare
from aifgraph.cli.terminal import terminal_of
from aifgraph.errors import AifgraphError, InputError, MissingExtraError, OptionError, RemoteError, nearest
from aifgraph.printable import printable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: Heading → command → (module:function, the line that ``--help`` shows).
HEADINGS: dict[str, dict[str, tuple[str, str]]] = {
    "Compare": {
        "compare": ("aifgraph.cli.compare:compare", "How far two analyses, or two corpora, agree (CASS)."),
        "evaluate": ("aifgraph.cli.evaluate:evaluate", "A leaderboard of systems against a gold corpus."),
        "significance": ("aifgraph.cli.significance:significance", "Whether systems differ against one gold corpus."),
        "agreement": (
            "aifgraph.cli.agreement:agreement",
            "How far several annotators agree: CASS, alpha, Fleiss' kappa.",
        ),
        "perturb": ("aifgraph.cli.perturb:perturb", "How CASS falls when a known share of maps is changed."),
        "baseline": ("aifgraph.cli.baseline:baseline", "Trivial systems: analyses for every other system to beat."),
        "metrics": ("aifgraph.cli.catalogues:metrics", "Every score and measure: formula, range, source."),
    },
    "Look": {
        "show": ("aifgraph.cli.show:show", "Counts, speakers, schemes and the argument of a map."),
        "stats": ("aifgraph.cli.corpora:stats", "What a corpus contains, as tables for a data statement."),
        "check": ("aifgraph.cli.check:check", "Which rules maps break, and what is repaired to read them."),
        "repair": ("aifgraph.cli.repair:repair", "Repair a map, and list every change."),
        "draw": ("aifgraph.cli.draw:draw", "A map, or two compared maps, as a picture."),
        "query": ("aifgraph.cli.query:query", "Ask a SPARQL query of corpora or a store."),
        "store": ("aifgraph.cli.store:store", "Corpora as triples in a folder: add, remove, list."),
        "schemes": ("aifgraph.cli.catalogues:schemes", "AIFdb's catalogue of schemes."),
    },
    "Adjudicate and study": {
        "differences": ("aifgraph.cli.differences:differences", "What two analyses, or two corpora, disagree about."),
        "merge": ("aifgraph.cli.merge:merge", "One map of two, by decisions about their differences."),
        "adjudicate": ("aifgraph.cli.adjudicate:adjudicate", "Decide differences in the browser, and get gold maps."),
        "sample": ("aifgraph.cli.sample:sample", "Draw the texts to annotate twice, at random or by strata."),
        "plan": ("aifgraph.cli.plan:plan", "How many texts to annotate twice: intervals by number of texts."),
        "export": ("aifgraph.cli.export:export", "Training data of a corpus: relations, illocutions, segmentation."),
        "import-predictions": (
            "aifgraph.cli.import_predictions:import_predictions",
            "Maps of predicted labels, so that a classifier can be scored.",
        ),
    },
    "Convert": {
        "convert": ("aifgraph.cli.convert:convert", "Maps, corpora and data sets from one format into another."),
        "formats": ("aifgraph.cli.catalogues:formats", "The formats, and what is lost in each of them."),
    },
    "Corpora": {
        "fetch": ("aifgraph.cli.fetch:fetch", "Maps and corpora from AIFdb."),
        "pair": ("aifgraph.cli.corpora:pair", "Which map of one corpus belongs to which of another."),
        "pack": ("aifgraph.cli.corpora:pack", "A corpus as a zip, tar.gz, JSON lines or folder."),
    },
    "Tasks": {
        "task": ("aifgraph.cli.task:task", "Score three shared tasks: ruarg, arct, aurc."),
    },
    "Service and set-up": {
        "serve": ("aifgraph.cli.serve:serve", "A local page and JSON endpoint for comparisons."),
        "doctor": ("aifgraph.cli.doctor:doctor", "Versions, extras and what is missing: what to paste into an issue."),
    },
}
COMMANDS: dict[str, tuple[str, str]] = {name: entry for part in HEADINGS.values() for name, entry in part.items()}

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


class LazyGroup(click.Group):
    """A group that knows its commands' names and one-line helps without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return with_common_options(command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names and helps from the table above: no command is imported to complete its name."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in COMMANDS and name and not name.startswith("-"):
            raise click.UsageError(f"there is no command {name[:100]!r}; {nearest(name, COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, COMMANDS))
        for heading, commands in HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), line) for name, (_, line) in commands.items()])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    params=common_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(aifgraph.__version__, prog_name="aifgraph")
@click.pass_context
def group(context: click.Context) -> None:
    """Argument graphs over AIF: load, align, compare, score, report.

    \b
    Examples:
      aifgraph compare first.json second.json
      aifgraph compare annotator1/ annotator2.zip --format csv -o scores.csv
      aifgraph show map.json --tree
      aifgraph check corpus/*.json
    """
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
        if os.environ.get("AIFGRAPH_DEBUG"):
            raise
        kind = type(error).__name__
        return _say(f"internal error ({kind}: {error}); please report it (AIFGRAPH_DEBUG=1 shows where)", 3)
    return result if isinstance(result, int) else 0


def _say(line: str, code: int) -> int:
    mark = terminal_of(sys.stderr).styled("aifgraph:", "bad")
    print(f"{mark} {printable(' '.join(line.split()))}", file=sys.stderr)
    return code
