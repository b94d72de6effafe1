"""Comparisons in processes of their own: a few at a time, each ended at its limit, with results in a folder each."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from aifgraph.report.app.guard import RefusedError


@dataclass(frozen=True)
class Job:
    """What a worker does with which sources, which are paths from its ``folder``, or addresses of AIFdb.

    ``pages`` are made in the folder ``pages`` there. ``memory`` is a limit in bytes, ``decisions`` a folder of files.
    """

    work: Literal["page", "json", "check", "decide"]
    sources: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    pair_by: str = "name"
    profile: str = "aif"
    decisions: str = ""
    folder: str = ""
    memory: int = 0


@dataclass(frozen=True)
class Limits:
    """What a comparison may take (``seconds`` for each pair), and how many there may be."""

    seconds: float = 120.0
    memory: int = 2 << 30
    upload: int = 50 << 20
    at_once: int = 1
    waiting: int = 8
    results: int = 20


@dataclass
class Running:
    """A comparison: how far it is, and when it is done its ``outcome``."""

    id: str
    folder: Path
    done: int = 0
    total: int = 0
    outcome: dict[str, Any] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    @property
    def finished(self) -> bool:
        return bool(self.task and self.task.done())

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


def _failure(status: int, what: str) -> dict[str, Any]:
    return {"status": status, "error": {"what": what, "where": None}}


class Jobs(dict[str, Running]):
    """The comparisons by id, in the order in which they came."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        super().__init__()
        self.folder, self.limits = folder, limits
        self._slots = asyncio.Semaphore(limits.at_once)

    def prepare(self) -> Running:
        """Make the folder of a comparison, for what is uploaded."""
        finished = [running for running in self.values() if running.finished]
        if len(self) - len(finished) >= self.limits.waiting:
            raise RefusedError(503, "too many comparisons are waiting; try again in a minute")
        for running in finished[: max(0, len(finished) + 1 - self.limits.results)]:
            self.remove(running)
        running = Running(secrets.token_urlsafe(12), self.folder / secrets.token_hex(8))
        running.folder.mkdir()
        return running

    def start(self, running: Running, job: Job) -> None:
        """Start a comparison as soon as there is a slot."""
        placed = replace(job, folder=str(running.folder), memory=self.limits.memory)
        running.task = asyncio.create_task(self._run(running, json.dumps(asdict(placed))))
        self[running.id] = running

    def remove(self, running: Running) -> None:
        """End a comparison, and remove what it has made."""
        self.pop(running.id, None)
        if running.task:
            running.task.cancel()
        shutil.rmtree(running.folder, ignore_errors=True)

    async def close(self) -> None:
        tasks = [running.task for running in self.values() if running.task]
        for running in [*self.values()]:
            self.remove(running)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, running: Running, job: str) -> None:
        async with self._slots:
            pipe = asyncio.subprocess.PIPE
            command = sys.executable, "-P", "-m", "aifgraph.report.app.worker"  # -P: imports nothing from this folder
            process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
            try:
                async with asyncio.timeout(self.limits.seconds) as limit:
                    assert process.stdin
                    assert process.stdout
                    process.stdin.write(f"{job}\n".encode())
                    async for line in process.stdout:
                        running.done, running.total = map(int, line.split())
                        limit.reschedule(asyncio.get_running_loop().time() + self.limits.seconds)
                    await process.wait()
                running.outcome = json.loads((running.folder / "outcome.json").read_text("utf-8"))
            except TimeoutError:
                running.outcome = _failure(504, f"took longer than {self.limits.seconds:g} seconds")
            except (OSError, ValueError):  # no outcome: the log of the server has the traceback
                running.outcome = _failure(500, "the comparison ended without a result")
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
