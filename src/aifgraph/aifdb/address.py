"""``aifdb:17940`` and ``aifdb:US2016`` as addresses: maps for ``load``, corpora for ``open_corpus``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aifgraph.aifdb.client import AIFdb, corpus_name
from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph, Notice


def load_address(address: str) -> ArgumentGraph:
    """The map of an address ``aifdb:ID``, from the cache or the network."""
    with AIFdb.from_environment() as client:
        return client.nodeset(address.partition(":")[2])


def open_address(address: str, progress: Callable[[int, int], None] | None = None) -> tuple[Path, tuple[Notice, ...]]:
    """The folder of the corpus of an address ``aifdb:NAME``, fetched as far as it is not there yet, and what failed."""
    from aifgraph.aifdb.download import fetch_corpus

    name = corpus_name(address.partition(":")[2])
    with AIFdb.from_environment() as client:
        folder = client.cache_folder("corpora", name)
        if folder is None:  # from_environment always has a cache
            raise OptionError("there is no cache to keep a corpus in")
        fetched = fetch_corpus(client, name, folder, progress=progress)
    return folder, fetched.notices
