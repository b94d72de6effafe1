"""``python -m aifgraph``, and the console script."""

import os
import signal
import sys


def run() -> None:
    """Run a command. Ctrl-C while it is imported ends it at once, without a traceback."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from aifgraph.cli import run as run_command

    run_command()


if __name__ == "__main__":
    # ``python -m`` puts the current folder first, and a ``random.py`` in an unpacked corpus in the place of Python's.
    if not sys.flags.safe_path:
        sys.path.pop(0)
    run()
