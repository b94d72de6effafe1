"""The command line: ``main(argv) -> int``. Exit 0 done, 1 the answer is no, 2 bad usage or input, 3 internal."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code, never raises, prints errors as one line."""
    from aifgraph.cli.group import invoke

    return invoke(sys.argv[1:] if argv is None else list(argv))


def run() -> None:
    """The console script."""
    sys.exit(main())
