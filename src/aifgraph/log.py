"""What the library says of its work, by ``logging``; nothing at all, not even an import, where nobody listens."""

from __future__ import annotations

import sys


def debug(message: str, *values: object) -> None:
    """A line for the logger ``aifgraph``, if the program has imported ``logging``.

    Args:
        message: The line, with ``%s`` where ``values`` go in.
        values: What is put into it, if a handler wants the line.

    >>> debug("read %s", "map.json")
    """
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("aifgraph").debug(message, *values)
