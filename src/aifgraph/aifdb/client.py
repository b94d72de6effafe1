"""``AIFdb``: the client, and its addresses (``aifdb:17940``, ``aifdb:US2016``).

Its methods ask for one thing each; ``download`` fetches many and can be interrupted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from aifgraph.aifdb.answers import (
    CorpusInfo,
    corpus_list,
    corpus_name,
    map_document,
    nodeset_id,
    nodeset_ids,
    source_text,
    subcorpora,
)
from aifgraph.aifdb.download import cached_map, fetch_corpus, fetch_nodesets
from aifgraph.aifdb.web import RequestPolicy, Response, Web
from aifgraph.corpus import Corpus, open_corpus
from aifgraph.errors import NotFoundError, OptionError, RemoteError
from aifgraph.files import Input
from aifgraph.formats import read_input
from aifgraph.graph import ArgumentGraph, Notice

BASE_URL = "http://www.aifdb.org"
CORPORA_URL = "http://corpora.aifdb.org"
TEXT_URL = "http://www.arg-tech.org/TXTdb"
#: So many corpora are asked for the parts of one.
_MAX_PARTS = 500


def default_cache() -> Path:
    """Where downloads are stored: ``$AIFGRAPH_CACHE``, else ``aifgraph`` in the user's cache folder."""
    own = os.environ.get("AIFGRAPH_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aifgraph"


class AIFdb:
    """A client of AIFdb, or of another server that speaks as AIFdb does.

    Only the hosts of the three addresses are ever asked. Methods raise ``NotFoundError`` for what the server does not
    have, ``RemoteError`` for whatever goes wrong on the way, ``LimitError`` for answers that are too large.

    Args:
        base_url: the address of the maps.
        corpora_url: the address of the corpora.
        text_url: the address of the source texts; None for AIFdb's own, or ``/TXTdb`` of another ``base_url``.
        cache: a folder for what was fetched, True for the user's cache folder, False for none.
        **policy: ``pause`` (seconds between requests), ``timeout`` (seconds without a byte), ``retries`` (a number),
            ``backoff`` (seconds, doubled each time), ``max_bytes`` and ``max_archive`` (bytes).

    Raises:
        OptionError: there is no such policy.
    """

    def __init__(
        self,
        base_url: str = BASE_URL,
        corpora_url: str = CORPORA_URL,
        text_url: str | None = None,
        *,
        cache: bool | str | os.PathLike[str] = True,
        **policy: Any,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.corpora_url = corpora_url.rstrip("/")
        # Texts are on a third host; who works with a server of their own is not led to it.
        own = f"{self.base_url}/TXTdb" if self.base_url != BASE_URL else TEXT_URL
        self.text_url = (text_url or own).rstrip("/")
        self.cache = default_cache() if cache is True else Path(cache) if cache else None
        try:
            self.policy = RequestPolicy(**policy)
        except TypeError as error:
            raise OptionError(str(error).split(") ")[-1]) from None
        self.web = Web((self.base_url, self.corpora_url, self.text_url), self.policy)

    @classmethod
    def from_environment(cls, **options: Any) -> AIFdb:
        """The client for ``aifdb:`` addresses: servers may be set in ``AIFGRAPH_AIFDB_URL``, ``AIFGRAPH_CORPORA_URL``
        and ``AIFGRAPH_TEXT_URL``.

        Options are those of the class, and stand before the environment. Raises ``OptionError`` for any other.
        """
        for option, variable in (
            ("base_url", "AIFGRAPH_AIFDB_URL"),
            ("corpora_url", "AIFGRAPH_CORPORA_URL"),
            ("text_url", "AIFGRAPH_TEXT_URL"),
        ):
            if os.environ.get(variable):
                options.setdefault(option, os.environ[variable])
        return cls(**options)

    def __enter__(self) -> AIFdb:
        return self

    def __exit__(self, *_: object) -> None:
        self.web.close()

    def nodeset(self, id: int | str, *, refresh: bool = False) -> ArgumentGraph:
        """A map with its source text (where there is one): from the cache, else the network.

        With ``refresh`` the server is asked even if the map is in the cache.

        Raises:
            OptionError: the id is no number.
            NotFoundError: the server has no such map.
            RemoteError: the server does not answer, or not with a map.
        """
        number = nodeset_id(id)
        folder = self.cache_folder("nodesets")
        if folder is not None:
            cached = None if refresh else cached_map(folder, number)
            if cached is None:
                fetched = fetch_nodesets(self, [number], folder, refresh=refresh)
                if fetched.errors:
                    raise fetched.errors[0]
                cached = cached_map(folder, number)
            if cached is not None:
                data, siblings = cached
                return _graph(number, data, siblings)
        answer = self.raw_nodeset(number)
        try:
            text_answer = self.raw_text(number)
        except RemoteError:
            text_answer = None
        return _graph(number, answer.data, {".txt": text_answer.data} if text_answer else {})

    def corpus(
        self,
        name: str,
        folder: str | os.PathLike[str] | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Corpus:
        """A corpus in a folder, fetched as far as it is not there yet.

        Maps that cannot be fetched are in the corpus's ``notices``; a finished download is not requested again.

        Args:
            name: the short name of the corpus, as in ``US2016``.
            folder: where to store it; None for the cache.
            progress: called with the maps that are there and the maps of the corpus, after each.

        Raises:
            OptionError: there is neither a folder nor a cache, or the name is none.
            NotFoundError: the server has no such corpus.
            RemoteError: the server does not answer as it should.
        """
        place = Path(folder) if folder is not None else self.cache_folder("corpora", corpus_name(name))
        if place is None:
            raise OptionError("there is neither a folder nor a cache to store a corpus in", remedy="give a folder")
        fetched = fetch_corpus(self, name, place, progress=progress)
        opened = open_corpus(place)
        return Corpus(opened.path, opened, (*opened.notices, *fetched.notices))

    def corpora(self) -> list[CorpusInfo]:
        """All corpora, by name. Raises ``RemoteError``."""
        return corpus_list(self.web.get(f"{self.corpora_url}/list.php"))

    def nodesets(self, corpus: str) -> list[int]:
        """The ids of a corpus's maps, ascending, each once; of all parts where the corpus lists none itself.

        Raises ``NotFoundError``, ``RemoteError``, or ``OptionError`` where the name is none.
        """
        return sorted({number for ids in self.nodesets_of_parts(corpus).values() for number in ids})

    def nodesets_of_parts(self, corpus: str) -> dict[str, list[int]]:
        """The ids of a corpus's maps by the corpus that lists them: its own, or, where it lists none, its parts'.

        Raises the errors of ``nodesets``.
        """
        waiting, parts = [corpus_name(corpus)], dict[str, list[int]]()
        while waiting:
            name = waiting.pop(0)
            parts[name] = self._nodesets(name)
            if not parts[name] and len(parts) + len(waiting) < _MAX_PARTS:
                more = self.subcorpora(name)
                waiting += [part for part in more if part not in parts and part not in waiting]
        return {name: ids for name, ids in parts.items() if ids}

    def subcorpora(self, corpus: str) -> list[str]:
        """The short names of a corpus's parts; none where the server knows of none.

        Raises ``RemoteError``, or ``OptionError`` where the name is none.
        """
        url = f"{self.corpora_url}/api/getCorpusSubcorpora.php"
        try:
            return subcorpora(self.web.get(url, {"shortname": corpus_name(corpus)}))
        except NotFoundError:
            return []

    def _nodesets(self, name: str) -> list[int]:
        try:
            return nodeset_ids(self.web.get(f"{self.corpora_url}/{quote(name)}/nodesets"))
        except (RemoteError, NotFoundError) as first:
            try:
                return nodeset_ids(self.web.get(f"{self.corpora_url}/{quote(name)}"))
            except (RemoteError, NotFoundError):
                raise first from None

    def text(self, id: int | str) -> str | None:
        """The source text of a map, marked up as AIFdb has it; None where there is none.

        Raises ``RemoteError``, or ``OptionError`` where the id is no number.
        """
        answer = self.raw_text(nodeset_id(id))
        return None if answer is None else source_text(answer)

    # -- for download ----------------------------------------------------------------------------------------------

    def raw_nodeset(self, number: int) -> Response:
        """A map as the server sends it, looked at so far that it is one. Raises ``NotFoundError``, ``RemoteError``."""
        answer = self.web.get(f"{self.base_url}/json/{number}")
        map_document(answer.data, answer.url)
        return answer

    def raw_text(self, number: int) -> Response | None:
        """A source text as the server sends it; None where it has none. Raises ``RemoteError``."""
        try:
            answer = self.web.get(f"{self.text_url}/nodeset/{number}")
        except NotFoundError:
            return None
        return None if source_text(answer) is None else answer

    def cache_folder(self, *steps: str) -> Path | None:
        """A folder of the cache for this server, which servers do not share; None where nothing is cached."""
        if self.cache is None:
            return None
        host = re.sub(r"[^A-Za-z0-9.-]", "_", urlsplit(self.base_url).netloc.rsplit("@", 1)[-1])
        return self.cache.joinpath(host, *steps)


def _graph(number: int, data: bytes, siblings: Mapping[str, bytes]) -> ArgumentGraph:
    return read_input(Input(f"aifdb:{number}", data, ".json", siblings.get))


def load_address(address: str) -> ArgumentGraph:
    """The map of an address ``aifdb:ID``, from the cache or the network."""
    with AIFdb.from_environment() as client:
        return client.nodeset(address.partition(":")[2])


def open_address(address: str, progress: Callable[[int, int], None] | None = None) -> tuple[Path, tuple[Notice, ...]]:
    """The folder of the corpus of an address ``aifdb:NAME``, fetched as far as it is not there yet, and what failed."""
    name = corpus_name(address.partition(":")[2])
    with AIFdb.from_environment() as client:
        folder = client.cache_folder("corpora", name)
        if folder is None:  # from_environment always has a cache
            raise OptionError("there is no cache to store a corpus in")
        fetched = fetch_corpus(client, name, folder, progress=progress)
    return folder, fetched.notices
