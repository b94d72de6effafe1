"""A terminal of a given width, with a command in it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def in_terminal(columns: int, *arguments: str | Path, **settings: str) -> tuple[int, str]:
    """Exit code and all that ``aifgraph`` shows in a terminal, standard output and error as they come."""
    child, handle = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        environment |= {"TERM": "xterm", **settings}
        os.execve(sys.executable, [sys.executable, "-m", "aifgraph", *map(str, arguments)], environment)
    shown = b""
    while True:
        try:
            part = os.read(handle, 65536)
        except OSError:  # how the end of a terminal is told on Linux
            break
        if not part:
            break
        shown += part
    os.close(handle)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown.decode("utf-8").replace("\r\n", "\n")
