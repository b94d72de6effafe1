"""``python -m aifgraph``."""

from aifgraph.cli import run

run()
