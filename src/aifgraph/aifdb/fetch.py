"""Fetch maps into a folder or into the user's cache; an interrupted download can be continued.

The maps of a corpus come from its archive, and those that it lacks one by one: ``nodesetN.json``, with the source text
as ``nodesetN.txt``. Each file appears whole; one that is there is not asked for again. Where a text could not be had,
``.nodesetN.no-text`` stands beside the map, so that the text is asked for again. ``.aifdb.json`` says which corpus it
is, which maps it has, which of them the server does not have (404), and which error ended the last download.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

from aifgraph.aifdb.client import AIFdb, UnreachableError, check_map, corpus_name, nodeset_id
from aifgraph.corpus.containers import STATE, Zip
from aifgraph.errors import AifgraphError, InputError, LimitError, NotFoundError, RemoteError
from aifgraph.files import decode_source, json_text, write_atomic
from aifgraph.formats import load
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.printable import listed, pluralize

#: Maps in a row that cannot be asked for: the server has gone.
_MAX_FAILURES: Final = 3
#: So many missing maps are asked for one by one rather than in an archive.
_MAX_SINGLE: Final = 20
_MEMBER: Final = re.compile(r"(?:.*/)?(?:nodeset)?([0-9]{1,18})\.json")


@dataclass(slots=True)
class Fetched:
    """The outcome of a download: the maps of the corpus, the number of new ones, and the errors of maps.

    ``not_found`` are maps that the server does not have, ``no_text`` those that are here without a text, as their text
    could not be had.
    """

    folder: Path
    ids: list[int] = field(default_factory=list)
    new: int = 0
    not_found: list[int] = field(default_factory=list)
    failed: dict[int, str] = field(default_factory=dict)
    no_text: dict[int, str] = field(default_factory=dict)
    caveats: list[str] = field(default_factory=list)
    #: How often in a row a text could not be had.
    text_failures: int = 0

    @property
    def here(self) -> int:
        """How many of the maps are in the folder."""
        return sum(_path(self.folder, number).is_file() for number in self.ids)

    @property
    def notices(self) -> list[Notice]:
        """One notice for each map that failed, and one for all that the server does not have."""
        notices = [Notice("fetch-failed", f"nodeset{number}: {reason}") for number, reason in self.failed.items()]
        if self.not_found:
            what = f"the server does not have {len(self.not_found)} maps: {listed(self.not_found)}"
            notices.append(Notice("fetch-404", what))
        if self.no_text:
            first, number = next(iter(self.no_text.values())), pluralize(len(self.no_text), "source texts")
            notices.append(Notice("fetch-text", f"{number} could not be had: {first}"))
        return [*notices, *(Notice("fetch-caveat", caveat) for caveat in self.caveats)]


def fetch_corpus(
    client: AIFdb,
    name: str,
    folder: str | os.PathLike[str],
    *,
    refresh: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Fetched:
    """Fetch a corpus into a folder, or go on where it stopped; a corpus that is there whole needs no request.

    Args:
        refresh: whether to ask again for everything; what is there stays until the new is whole.
        progress: called with the maps asked for and the maps of the corpus, after each.

    Raises:
        InputError: the folder holds another corpus.
        NotFoundError: the server has no such corpus, or no map of it.
        RemoteError: the server has gone, or no map could be had. What has arrived stays.
    """
    place = _made(folder)
    state = _read_state(place)
    if state and state["corpus"] != corpus_name(name):
        raise InputError(f"this folder already holds the corpus {state['corpus']}", where=str(place))
    done = Fetched(place)
    if not state or refresh:
        state = {"corpus": name, "ids": client.corpus(name), "not_found": []}
        if not state["ids"]:
            raise NotFoundError(f"the corpus {name} has no maps", where=client.corpora_url)
        _write_state(place, state)
    done.ids, done.not_found = list(state["ids"]), list(state["not_found"])
    missing = set(done.not_found)
    wanted = [n for n in done.ids if refresh or not (n in missing or _path(place, n).is_file())]
    try:
        if len(wanted) > (1 if len(wanted) == len(done.ids) else _MAX_SINGLE):
            stored = _from_archive(client, name, set(wanted), done)
            wanted = [number for number in wanted if number not in stored]
        _one_by_one(client, wanted, done, progress)
        _check(client, done)
    except AifgraphError as error:
        _write_state(place, {**state, "error": str(error)})
        raise
    _fetch_missing_texts(client, done)
    _write_state(place, {**state, "not_found": done.not_found})
    return done


def fetch_nodesets(
    client: AIFdb, ids: Iterable[int | str], folder: str | os.PathLike[str], *, refresh: bool = False
) -> Fetched:
    """Fetch single maps into a folder; maps that it already has only with ``refresh``.

    Raises as :func:`fetch_corpus` does.
    """
    done = Fetched(_made(folder), list(dict.fromkeys(map(nodeset_id, ids))))
    wanted = [number for number in done.ids if refresh or not _path(done.folder, number).is_file()]
    _one_by_one(client, wanted, done, None)
    _check(client, done)
    _fetch_missing_texts(client, done)
    return done


def _made(folder: str | os.PathLike[str]) -> Path:
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(place)) from None
    return place


def _check(client: AIFdb, done: Fetched) -> None:
    if not done.here:
        what = f"none of {pluralize(len(done.ids), 'maps')} could be fetched"
        if done.failed:
            raise RemoteError(f"{what}: {next(iter(done.failed.values()))}", where=client.base_url)
        raise NotFoundError(f"{what}: the server does not have them", where=client.base_url)


def cache_corpus(name: str, progress: Callable[[int, int], None] | None = None) -> Fetched:
    """Fetch a corpus of AIFdb into the user's cache, as far as it is not there yet."""
    with AIFdb() as client:
        folder = _cache_folder(client) / "corpora" / corpus_name(name)
        return fetch_corpus(client, name, folder, progress=progress)


def cached_nodeset(id: int | str) -> ArgumentGraph:
    """Load a map of AIFdb from the user's cache, else from the network."""
    number = nodeset_id(id)
    with AIFdb() as client:
        done = Fetched(_made(_cache_folder(client) / "nodesets"), [number])
        path = _path(done.folder, number)
        if not path.is_file():
            _fetch_one(client, number, done)
        _fetch_missing_texts(client, done)
    graph = load(path).with_name(f"aifdb:{number}")
    return graph.with_meta(notices=(*graph.notices, *done.notices))


def cache_folder() -> Path:
    """Return ``$AIFGRAPH_CACHE``, else the user's cache folder."""
    if own := os.environ.get("AIFGRAPH_CACHE"):
        return Path(own)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aifgraph"
    except RuntimeError:  # a user without a name or a home, as in some containers
        raise InputError("no home folder for the cache", remedy="set AIFGRAPH_CACHE to a folder") from None


def _cache_folder(client: AIFdb) -> Path:
    """Return where the maps that come from the addresses of a client are cached."""
    addresses = "\n".join((client.base_url, client.corpora_url, client.text_url))
    host = re.sub(r"[^A-Za-z0-9.-]", "_", urlsplit(client.base_url).netloc)
    return cache_folder() / f"{host[:100]}-{blake2b(addresses.encode(), digest_size=8).hexdigest()}"


def _path(folder: Path, number: int) -> Path:
    return folder / f"nodeset{number}.json"


def _mark(folder: Path, number: int) -> Path:
    """Return the file that says that the text of a map could not be had."""
    return folder / f".nodeset{number}.no-text"


def _read_state(folder: Path) -> dict[str, Any] | None:
    """Return the state of a folder; None where there is none, or none that can be read: it is then asked for again."""
    try:
        state = json.loads((folder / STATE).read_bytes())
        numbers = {key: [int(number) for number in state[key]] for key in ("ids", "not_found")}
        return {"corpus": str(state["corpus"]), **numbers}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write_state(folder: Path, state: dict[str, Any]) -> None:
    write_atomic(folder / STATE, json_text(state).encode())


def _one_by_one(
    client: AIFdb, wanted: Sequence[int], done: Fetched, progress: Callable[[int, int], None] | None
) -> None:
    gone = 0  # in a row
    missing = set(done.not_found)
    for count, number in enumerate(wanted, 1 + len(done.ids) - len(wanted)):
        try:
            _fetch_one(client, number, done)
            done.new += 1
            gone = 0
        except NotFoundError:
            done.not_found += [] if number in missing else [number]
            gone = 0
        except (RemoteError, LimitError) as error:
            done.failed[number] = str(error)
            gone = gone + 1 if isinstance(error, UnreachableError) else 0
            if gone == _MAX_FAILURES and count < len(done.ids):
                what = (
                    f"the server did not answer for {gone} maps in a row; {done.here} of {len(done.ids)} maps are here"
                )
                raise UnreachableError(what, where=client.base_url, remedy="run the command again later") from None
        if progress:
            progress(count, len(done.ids))


def _fetch_one(client: AIFdb, number: int, done: Fetched) -> None:
    """Fetch a map and its text; the text is written first, so that a map that is there needs nothing more."""
    data, path = client.nodeset_data(number), _path(done.folder, number)
    if path.is_file():  # it is fetched again, and stays until both are here
        _write_text(path, client.text_data(number))
        _mark(done.folder, number).unlink(missing_ok=True)
    else:
        _fetch_text(client, number, done)
    write_atomic(path, data)


def _fetch_text(client: AIFdb, number: int, done: Fetched) -> None:
    """Fetch the source text of a map, from a server of its own, which may have gone while the maps are there.

    A text that is there already stays: it is the user's, or of a run that was killed.
    """
    mark, path = _mark(done.folder, number), _path(done.folder, number)
    if not path.with_suffix(".txt").exists():
        try:
            if done.text_failures >= _MAX_FAILURES:
                raise RemoteError("the server of texts does not answer")
            text = client.text_data(number)
        except (RemoteError, LimitError) as error:
            done.no_text[number] = str(error)
            done.text_failures += 1
            mark.touch()
            return
        done.text_failures = 0
        _write_text(path, text)
    mark.unlink(missing_ok=True)


def _fetch_missing_texts(client: AIFdb, done: Fetched) -> None:
    """Ask again for the texts of maps that are here without them."""
    marked = {path.name for path in done.folder.glob(".nodeset*.no-text")}
    for number in done.ids:
        if number not in done.no_text and _mark(done.folder, number).name in marked:
            _fetch_text(client, number, done)


def _write_text(path: Path, text: bytes | None) -> None:
    """Write the source text of a map beside it, as UTF-8; that of the map before goes."""
    if text is None:
        path.with_suffix(".txt").unlink(missing_ok=True)
    else:
        write_atomic(path.with_suffix(".txt"), decode_source(text, str(path))[0])


def _from_archive(client: AIFdb, name: str, wanted: set[int], done: Fetched) -> set[int]:
    """Write the maps, with their texts, that a corpus's archive has; returns their ids."""
    stored: set[int] = set()
    with TemporaryDirectory() as temporary:
        place = Path(temporary) / "archive.zip"
        try:
            place.write_bytes(client.archive(name))
            archive = Zip(place)
        except UnreachableError:
            raise
        except AifgraphError as error:
            done.caveats.append(f"the archive is not used ({error.what}); maps are asked for one by one")
            return stored
        for member in archive.paths:
            found = _MEMBER.fullmatch(member)
            if found is None or int(found[1]) not in wanted or int(found[1]) in stored:
                continue
            try:
                data, text = archive.read(member), archive.sibling(member, ".txt")
                check_map(data, member)
            except AifgraphError:  # it is asked for alone
                continue
            path = _path(done.folder, int(found[1]))
            if path.is_file() or not path.with_suffix(".txt").exists():  # else it is the user's
                _write_text(path, text if text and text.strip() else None)
            write_atomic(path, data)
            stored.add(int(found[1]))
    done.new += len(stored)
    return stored
