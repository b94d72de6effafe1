"""Worker processes end with the process that started them, whatever ends it."""

from __future__ import annotations

import os
import sys
import threading
import time

#: Seconds between two looks at the parent.
_PAUSE = 0.25

_watching = threading.Lock()


def end_with(parent: int) -> None:
    """From now on, this process ends when the process ``parent``, which started it, has ended.

    A thread watches the parent. Linux could send a signal (``PR_SET_PDEATHSIG``), but sends it as soon as the parent's
    *thread* that started the process ends, which may be long before the parent does. A second call does nothing.
    """
    if not _watching.acquire(blocking=False):
        return
    target = _wait_on_windows if sys.platform == "win32" else _watch
    threading.Thread(target=target, args=(parent,), name="aifgraph-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PAUSE)
    os._exit(1)


def _wait_on_windows(parent: int) -> None:
    import ctypes

    system = ctypes.windll.kernel32  # type: ignore[attr-defined]
    synchronize, for_ever = 0x00100000, 0xFFFFFFFF
    handle = system.OpenProcess(synchronize, False, parent)
    if handle:
        system.WaitForSingleObject(handle, for_ever)
    os._exit(1)
