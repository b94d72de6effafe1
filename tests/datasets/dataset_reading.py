"""Reading a data set with its log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aifgraph import ArgumentGraph, read_dataset
from aifgraph.datasets import Log


def read(name: str, path: Path, *, strict: bool = False, **options: Any) -> tuple[list[ArgumentGraph], Log]:
    log = Log(strict=strict)
    return list(read_dataset(name, path, log=log, **options)), log
