"""Comparisons in processes of their own: a few at a time, each ended at its limit, with results in a folder each.

The folder of a comparison that runs is hidden and names this process: those of killed servers are removed at the next
start. That of a finished one stays, with what was given (``given.json``), until there are too many.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from aifgraph.files import remove_parts, write_atomic
from aifgraph.report.app.guard import RefusedError


@dataclass(frozen=True)
class Job:
    """What a worker does with which sources, which are paths from its ``folder``, or addresses of AIFdb.

    ``pages`` are made in the folder ``pages`` there. ``memory`` and ``written`` are limits in bytes;
    ``decisions`` is a folder of files.
    """

    work: Literal["page", "decide"]
    sources: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    pair_by: str = "name"
    decisions: str = ""
    folder: str = ""
    memory: int = 0
    written: int = 0


@dataclass(frozen=True)
class Limits:
    """What a comparison may take (``seconds`` for each pair and ``whole`` for all, bytes of ``memory``, bytes
    ``written``), how many there may be, and how many bytes all may ``keep``."""

    seconds: float = 120.0
    whole: float = 3600.0
    written: int = 512 << 20
    memory: int = 2 << 30
    upload: int = 50 << 20
    at_once: int = 1
    waiting: int = 8
    results: int = 200
    keep: int = 4 << 30


@dataclass
class Running:
    """A comparison: how far it is, and when it is done its ``outcome``; ``given`` is what the form had."""

    id: str
    folder: Path
    given: dict[str, str] = field(default_factory=dict)
    done: int = 0
    total: int = 0
    phase: str = "Waiting for other comparisons"
    since: float = 0.0
    outcome: dict[str, Any] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    @property
    def finished(self) -> bool:
        return self.task.done() if self.task else bool(self.outcome)

    @cached_property
    def size(self) -> int:
        """Bytes of what was given and made, once it is finished."""
        return size_of(self.folder)

    @property
    def when(self) -> str:
        """When it was finished."""
        return f"{datetime.fromtimestamp((self.folder / 'given.json').stat().st_mtime):%d %b %H:%M}"

    @property
    def text(self) -> str:
        """How far it is, in words."""
        if not self.total:
            return f"{self.phase} …"
        left = (monotonic() - self.since) / self.done * (self.total - self.done) if self.done else 0
        return f"{self.phase}: {self.done} of {self.total}" + (f", about {left:.0f} s left" if left >= 2 else "")

    async def wait(self, seconds: float) -> bool:
        """Wait at most so long, and return whether it is finished."""
        if self.task:
            await asyncio.wait({self.task}, timeout=seconds)
        return self.finished

    def result(self) -> Any:
        """Return what was made; raises what went wrong as the answer to a request."""
        if "error" in self.outcome:
            raise RefusedError(self.outcome["status"], **self.outcome["error"])
        return self.outcome["result"]


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder; files that go meanwhile count nothing."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += Path(place, name).lstat().st_size
    return size


def failure(status: int, what: str, where: str | None = None) -> dict[str, Any]:
    return {"status": status, "error": {"what": what, "where": where}}


class Jobs(dict[str, Running]):
    """The comparisons by id, in the order in which they came, those of earlier servers first."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        super().__init__()
        self.folder, self.limits = folder, limits
        self._slots = asyncio.Semaphore(limits.at_once)
        folder.mkdir(parents=True, exist_ok=True)
        remove_parts(folder)
        for path in sorted(folder.glob("*/given.json"), key=lambda path: path.stat().st_mtime):
            with suppress(OSError, ValueError):
                given, outcome = (
                    json.loads((path.parent / f"{kept}.json").read_bytes()) for kept in ("given", "outcome")
                )
                self[path.parent.name] = Running(path.parent.name, path.parent, given, outcome=outcome)

    @property
    def recent(self) -> list[Running]:
        """The finished results of the form that are still there, the latest first."""
        finished = (job for job in reversed(self.values()) if job.finished and "error" not in job.outcome)
        return [job for job in finished if (job.folder / "given.json").is_file()]

    def prepare(self) -> Running:
        """Make the folder of a comparison, for what is uploaded."""
        finished = [running for running in self.values() if running.finished]
        if len(self) - len(finished) >= self.limits.waiting:
            raise RefusedError(503, "too many comparisons are waiting; try again in a minute")
        kept = sum(running.size for running in finished)
        for number, running in enumerate(finished):
            if len(finished) - number < self.limits.results and kept <= self.limits.keep:
                break
            kept -= running.size
            self.remove(running)
        id_ = secrets.token_hex(8)
        running = Running(id_, self.folder / f".{id_}.{os.getpid()}-{secrets.token_hex(6)}.part")
        running.folder.mkdir(parents=True)
        return running

    def start(self, running: Running, job: Job) -> None:
        """Start a comparison as soon as there is a slot."""
        memory, written = self.limits.memory, self.limits.written
        placed = replace(job, folder=str(running.folder), memory=memory, written=written)
        running.task = asyncio.create_task(self._run(running, json.dumps(asdict(placed))))
        self[running.id] = running

    def keep(self, running: Running) -> None:
        """Keep what was uploaded and made, under the name of the comparison."""
        write_atomic(running.folder / "given.json", json.dumps(running.given))
        running.folder = running.folder.replace(self.folder / running.id)
        self[running.id] = running

    def remove(self, running: Running) -> None:
        """End a comparison, and remove what it has made."""
        self.pop(running.id, None)
        if running.task:
            running.task.cancel()
        shutil.rmtree(running.folder, ignore_errors=True)

    async def close(self) -> None:
        """End what runs; what is finished stays."""
        tasks = [running.task for running in self.values() if running.task]
        for running in [*self.values()]:
            if not (running.finished and running.given):
                self.remove(running)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _check_written(self, pages: Path) -> None:
        if size_of(pages) > self.limits.written:
            raise RefusedError(413, f"makes more than {self.limits.written >> 20} MiB of pages; compare it by command")

    async def _run(self, running: Running, job: str) -> None:
        async with self._slots:
            pipe = asyncio.subprocess.PIPE
            command = sys.executable, "-P", "-m", "aifgraph.report.app.worker"  # -P: imports nothing from this folder
            running.phase = "Starting"
            process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
            now = asyncio.get_running_loop().time
            end, measure = now() + self.limits.whole, now() + 1
            try:
                async with asyncio.timeout_at(min(end, now() + self.limits.seconds)) as limit:
                    assert process.stdin
                    assert process.stdout
                    process.stdin.write(f"{job}\n".encode())
                    async for line in process.stdout:
                        done, total, phase = json.loads(line)
                        running.since = running.since if phase == running.phase else monotonic()
                        running.done, running.total, running.phase = done, total, phase
                        limit.reschedule(min(end, now() + self.limits.seconds))
                        if now() > measure:
                            await asyncio.to_thread(self._check_written, running.folder / "pages")
                            measure = now() + 1
                    await process.wait()
                running.outcome = json.loads((running.folder / "outcome.json").read_text("utf-8"))
            except TimeoutError:
                how = f"{self.limits.seconds:g} seconds for a pair" if now() < end else f"{self.limits.whole:g} seconds"
                running.outcome = failure(504, f"took longer than {how}")
            except RefusedError as error:
                running.outcome = failure(error.status_code, error.detail)
            except (OSError, ValueError):  # no outcome: the log of the server has the traceback
                running.outcome = failure(500, "the comparison ended without a result")
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            if running.given:
                self.keep(running)
