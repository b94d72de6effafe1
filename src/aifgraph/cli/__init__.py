"""The command line: ``main(argv) -> int``. Exit codes: docs/reference/commands.md."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence

from aifgraph.cli.terminal import ENDING, interrupt, occupy_closed


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code, never raises, prints errors as one line."""
    from aifgraph.cli.group import invoke

    return invoke(sys.argv[1:] if argv is None else list(argv))


def run() -> None:
    """The console script: ``main``, and a Ctrl-C, or another end from outside, that is one line at any moment."""
    # Processes started from here get these options. What joblib's tracker cleans up after an end in haste is no news.
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                signal.signal(number, interrupt)
        occupy_closed()
        code = main()
    except KeyboardInterrupt:  # while the commands were being imported
        print("aifgraph: interrupted", file=sys.stderr)
        code = 130
    # All is said and written; what is left is Python's own cleaning up.
    for number in ENDING:
        signal.signal(number, lambda *_: os._exit(code))
    # Looking for cycles in what ends with the process anyway would be a tenth of a short command.
    gc.freeze()
    sys.exit(code)
