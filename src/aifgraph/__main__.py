"""``python -m aifgraph``."""

import sys

# ``python -m`` puts the current folder first, and a ``random.py`` in an unpacked corpus in the place of Python's own.
if not sys.flags.safe_path:
    sys.path.pop(0)

from aifgraph.cli import run

run()
