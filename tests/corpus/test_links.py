"""Links in a folder: none leads out of it, and one that leads nowhere costs only itself."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from aifgraph.corpus import open_corpus
from aifgraph.corpus.writer import pack

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
MAP = Path(__file__).parents[2] / "fixtures" / "debate" / "first.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(9):
        shutil.copy(MAP, folder / f"map{number}.json")
    return folder


def test_a_circle_costs_only_itself(folder: Path) -> None:
    for number in range(40):  # wherever they stand in the order of the folder
        (folder / f"loop{number}.json").symlink_to(f"loop{number}.json")
    corpus = open_corpus(folder)
    assert corpus.names == tuple(f"map{number}" for number in range(9))
    assert [notice.code for notice in corpus.notices] == ["corpus-link"]
    assert "40 links" in str(corpus.notices[0])


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"secret": 1}')
    (folder / "x.json").symlink_to(secret)
    (folder / "y.json").symlink_to("../secret.json")
    (folder / "map0.txt").symlink_to(secret)
    pack(open_corpus(folder), tmp_path / "corpus.zip")
    with zipfile.ZipFile(tmp_path / "corpus.zip") as archive:
        assert len(archive.namelist()) == 9
        assert not any(b"secret" in archive.read(name) for name in archive.namelist())


def test_links_in_the_folder_are_followed(folder: Path) -> None:
    (folder / "same.json").symlink_to("map1.json")
    corpus = open_corpus(folder)
    assert corpus["same"].load().nodes == corpus["map1"].load().nodes
    assert not corpus.notices
