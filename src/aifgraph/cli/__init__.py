"""The command line: ``aifgraph COMMAND``.

Exit codes: 0 done; 1 a check failed, or differences were found where that was asked; 2 bad input or usage; 3 a fault of
the library, with its traceback; 130 Ctrl-C.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

import aifgraph
from aifgraph.cli import aifdb, comparing, maps, serve, task
from aifgraph.cli.output import add_quiet
from aifgraph.printable import one_line


class _InOrder(click.Group):
    """Lists commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_InOrder, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-q", "--quiet", is_flag=True, help="Show no notices and no progress.")
@click.version_option(aifgraph.__version__, prog_name="aifgraph")
def cli(quiet: bool) -> None:
    """Read, check, convert and compare argument maps in AIF.

    \b
    Examples:
      aifgraph show map.json --tree
      aifgraph compare ann.json ben.json
      aifgraph compare annotator1/ annotator2.zip --format html -o pages/
      aifgraph convert --dataset microtexts corpus/ maps/
    """


for command in (
    *(maps.show, maps.check, maps.convert, maps.draw),
    *(comparing.compare, comparing.differences, comparing.merge, comparing.evaluate, comparing.agreement),
    *(aifdb.fetch, aifdb.query, task.task, serve.serve),
):
    cli.add_command(command)
add_quiet(cli)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors of the input are one line on standard error."""
    from aifgraph.errors import AifgraphError

    try:
        code = cli.main(arguments, prog_name="aifgraph", standalone_mode=False)
        sys.stdout.flush()
        return code or 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path.removeprefix("aifgraph").strip() if error.ctx else ""
        return _fail(": ".join(filter(None, (command, error.format_message()))))
    except AifgraphError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        return _interrupted()
    except (SystemExit, BrokenPipeError):  # the reader of a pipe has gone; click makes the one of the other
        _discard_output()
        return 0
    except OSError as error:
        if error.filename is None:  # of a stream, such as a full disk behind standard output
            _discard_output()
        return _fail(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except Exception as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # of which Python, or zipfile, made another error
            return _interrupted()
        import traceback

        traceback.print_exc()
        return 3


def _fail(message: str) -> int:
    click.echo(f"aifgraph: {one_line(message)}", err=True)
    return 2


def _interrupted() -> int:
    click.echo("aifgraph: interrupted", err=True)
    return 130


def _discard_output() -> None:
    """Send what is still to be written to standard output nowhere, so that Python does not fail at exit."""
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _on_ignored(ignored: sys.UnraisableHookArgs) -> None:
    """Interrupt the command where Ctrl-C came in what Python runs by itself, whose errors it ignores."""
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        from _thread import interrupt_main
        from threading import Timer

        Timer(0.1, interrupt_main).start()  # when this function has ended


def _handle_signals(handler: Callable[..., None] | signal.Handlers) -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            signal.signal(getattr(signal, name), handler)


def run() -> None:
    """Run the console script."""
    _handle_signals(_interrupt)  # so that temporary files are removed
    sys.unraisablehook = _on_ignored
    if sys.stdout is None:  # closed; nothing can be written to a file that is open for reading
        sys.stdout = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase):  # PYTHONUNBUFFERED, with which a short write would be no error
            sys.stdout = open(sys.stdout.fileno(), "w", closefd=False)  # noqa: PLW1514, SIM115
        # A pipe gets UTF-8, as files do; a terminal keeps its own encoding.
        sys.stdout.reconfigure(encoding=None if sys.stdout.isatty() else "utf-8", errors="backslashreplace")
    code = main()
    _handle_signals(signal.SIG_IGN)  # the command is done; Python would show an exception in what it does at exit
    gc.freeze()  # looking for cycles in what ends with the process would be a tenth of a short command
    sys.exit(code)
