"""Commands run in this process."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from aifgraph.cli import main
from documents import ANN, BEN, FIRST, FIXTURES, SECOND


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    """What words in capitals stand for in a command."""
    return {
        "FIXTURES": FIXTURES,
        "TASKS": FIXTURES / "tasks",
        "ANN": ANN,
        "BEN": BEN,
        "FIRST": FIRST,
        "SECOND": SECOND,
        "OUT": tmp_path / "out",
        "TMP": tmp_path,
    }


@pytest.fixture
def run(places: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> Callable[[str], Done]:
    """Run a command; what it did, printed and said."""

    def run(command: str) -> Done:
        words = (re.sub("|".join(places), lambda found: str(places[found[0]]), word) for word in shlex.split(command))
        return Done(main(list(words)), *capsys.readouterr())

    return run
