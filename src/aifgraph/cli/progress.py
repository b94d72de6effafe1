"""Progress on standard error, and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function of (done, of how many; 0 for unknown) that moves a bar; None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)

        def moved(done: int, total: int) -> None:
            # Of a stream nobody knows the length (total 0): it shows how far it is.
            shown = title if total else f"{title} ({done})"
            progress.update(task, completed=done, total=total or None, description=shown)

        yield moved
