"""``--jobs``: every command that takes it writes the same bytes with two processes as with one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aifgraph.cli import main
from evaluation.small_corpora import make_corpora


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two corpora of 10 maps, one of them damaged."""
    ann, ben = make_corpora(tmp_path_factory.mktemp("made"), 10)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    return str(ann), str(ben)


def files_of(path: Path) -> dict[str, bytes]:
    """What is in a file, or in the files of a folder."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in path.rglob("*") if each.is_file()}


def compare_pages(ann: str, ben: str) -> list[str]:
    return ["compare", ann, ben, "--format", "html"]


def differences_tsv(ann: str, ben: str) -> list[str]:
    return ["differences", ann, ben, "--format", "tsv"]


def differences_json(ann: str, ben: str) -> list[str]:
    return ["differences", ann, ben, "--format", "json"]


def merge(ann: str, ben: str) -> list[str]:
    return ["merge", ann, ben, "--prefer", "both"]


@pytest.mark.parametrize("command", [compare_pages, differences_tsv, differences_json, merge])
def test_two_processes_write_the_bytes_of_one(
    command: Callable[[str, str], list[str]],
    corpora: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = []
    for jobs in ("1", "2"):
        assert main([*command(*corpora), "-j", jobs, "-o", str(tmp_path / "out")]) == 2
        said.append(capsys.readouterr().err)
        (tmp_path / "out").rename(tmp_path / jobs)
    assert said[0] == said[1]
    assert "map3" in said[0]
    one, two = files_of(tmp_path / "1"), files_of(tmp_path / "2")
    assert one == two
    assert any(one.values())
