"""The line that says how a number was made, so that it can be reproduced."""

from __future__ import annotations

from aifgraph.comparison.options import Options
from aifgraph.version import __version__


def signature(options: Options, *extra: str) -> str:
    """``CASS|…|v:X.Y.Z`` with the options, and whatever else changed the numbers of this result."""
    return "|".join(["CASS", options.signature, *extra, f"v:{__version__}"])
