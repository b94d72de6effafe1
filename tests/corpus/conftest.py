"""A corpus in each kind of container."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from corpus_files import make_folder, make_tar, make_zip


@pytest.fixture(params=["folder", "zip", "tar.gz", "tar"])
def container(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Makes a corpus of given files in each kind of container of files."""

    def make(files: dict[str, str]) -> Path:
        if request.param == "folder":
            return make_folder(tmp_path / "corpus", files)
        if request.param == "zip":
            return make_zip(tmp_path / "corpus.zip", files)
        path = tmp_path / f"corpus.{request.param}"
        return make_tar(path, files, "w:gz" if request.param == "tar.gz" else "w")

    return make
