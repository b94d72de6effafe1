"""Corpora are read on every system: no call that only some of them have, and the same bytes from many readers."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from corpus_files import FILES, make_folder, make_tar

from aifgraph.corpus import Corpus, open_corpus
from aifgraph.corpus.writer import pack

Texts = list[list[str]]


def _containers(folder: Path) -> list[Path]:
    maps = open_corpus(make_folder(folder / "corpus", FILES))
    return [
        make_tar(folder / "corpus.tar", FILES, "w"),
        make_tar(folder / "corpus.tar.gz", FILES, "w:gz"),
        pack(maps, folder / "corpus.jsonl").path,
    ]


def _texts(corpus: Corpus) -> Texts:
    return [[node.text for node in entry.load().nodes] for entry in corpus]


def test_archives_and_lines_are_read_without_pread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pread", raising=False)
    for path in _containers(tmp_path):
        corpus = open_corpus(path)
        assert sorted(map(tuple, _texts(corpus))) == [("one",), ("ten",), ("two",)], path.name
        assert corpus["nodeset2"].load().meta.source is not None, path.name


@pytest.mark.parametrize("with_pread", [True, False])
def test_threads_get_their_own_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_pread: bool) -> None:
    if not with_pread:
        monkeypatch.delattr(os, "pread", raising=False)
    for path in _containers(tmp_path):
        corpus = open_corpus(path)
        expected = _texts(corpus)
        together = threading.Barrier(4)

        def read_often(_: int, corpus: Corpus = corpus, start: threading.Barrier = together) -> list[Texts]:
            start.wait()
            return [_texts(corpus) for _ in range(20)]

        with ThreadPoolExecutor(4) as pool:
            for results in pool.map(read_often, range(4)):
                assert all(texts == expected for texts in results), path.name


_shared: Corpus


def _read_shared(_: int) -> Texts:
    return [texts for _ in range(20) for texts in _texts(_shared)]


@pytest.mark.skipif("fork" not in __import__("multiprocessing").get_all_start_methods(), reason="no fork here")
def test_forked_processes_get_their_own_bytes(tmp_path: Path) -> None:
    global _shared
    for path in _containers(tmp_path):
        _shared = open_corpus(path)
        expected = _texts(_shared) * 20
        with get_context("fork").Pool(3) as pool:
            assert all(texts == expected for texts in pool.map(_read_shared, range(6), chunksize=1)), path.name
