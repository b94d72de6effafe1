"""Fetching maps into a folder so that it can be interrupted, resumed, and checked without the network.

::

    MANIFEST says complete ──▶ SHA-256 of every file ──▶ all right: no request at all
          │ no                          └─ one is damaged: that one again
          ▼
    list of ids ──▶ zip archive ──▶ what it lacks: one request per map, with a pause

Files are written atomically, and noted in the manifest when they are. What an archive gives is stored in one
zip, ``maps.zip``; what is asked for alone lies next to it. A map that cannot be had is listed.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from aifgraph.aifdb.answers import corpus_name, map_document
from aifgraph.aifdb.manifest import Manifest
from aifgraph.aifdb.web import AskedToWaitError, UnreachableError
from aifgraph.corpus.archives import Zip
from aifgraph.errors import AifgraphError, InputError, LimitError, NotFoundError, RemoteError
from aifgraph.graph import Notice

if TYPE_CHECKING:
    from aifgraph.aifdb.client import AIFdb

_MAX_FAILURES = 3  # maps in a row for which a server fails: it has gone


@dataclass(slots=True)
class Fetched:
    """What a download has come to: maps that are here, how many of them are new, and what failed with its reason."""

    folder: Path
    wanted: int = 0
    here: int = 0
    new: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    errors: list[AifgraphError] = field(default_factory=list, repr=False)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The failures and remarks, one line each."""
        failed = [Notice("fetch-failed", f"{name}: {reason}") for name, reason in self.failed]
        return (*failed, *(Notice("fetch-remark", remark) for remark in self.remarks))


_MAX_SINGLE = 20  # so many maps are asked for one by one rather than in an archive

Progress = Callable[[int, int], None] | None


def fetch_nodesets(
    client: AIFdb, ids: Sequence[int], folder: Path, *, refresh: bool = False, progress: Progress = None
) -> Fetched:
    """Fetch single maps, each with its source text, into a folder. What is there already is not asked for again."""
    result = Fetched(folder, len(ids))
    _make(folder)
    manifest = Manifest(folder)
    manifest.clean()
    _one_by_one(client, manifest, ids, result, progress, refresh=refresh)
    return result


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(folder)) from None


def fetch_corpus(
    client: AIFdb, name: str, folder: Path, *, refresh: bool = False, progress: Progress = None
) -> Fetched:
    """Fetch a corpus into a folder, or go on where it stopped, or check that it is whole.

    With ``refresh`` the server is asked for all of a corpus that is there. What has changed takes the place of what was
    there once it is whole; what cannot be had stays as it is. Maps that the corpus has no longer are named, and stay.

    Raises ``RemoteError`` where the server is gone (what has arrived stays), ``InputError`` where the folder holds
    another corpus.
    """
    corpus_name(name)
    result = Fetched(folder)
    _make(folder)
    manifest = Manifest(folder)
    manifest.clean()
    if manifest.ids is not None and manifest.corpus.get("corpus") != name:
        other = manifest.corpus.get("corpus")
        raise InputError(f"the folder holds the corpus {other}", where=str(folder), remedy="choose another folder")
    manifest.remove_broken_zip()
    before = manifest.ids
    if before is None or refresh:
        _list(client, name, manifest, result)
    ids = manifest.ids or []
    result.wanted = len(ids)
    if before is not None and refresh:
        _refresh(client, manifest, set(before) - set(ids), result, progress)
        return result
    missing = [number for number in ids if not manifest.holds(_file(number))]
    # A killed run may have been at the archive: many single requests cost more than the archive once again.
    if not manifest.unpacked and len(missing) > (1 if len(missing) == len(ids) else _MAX_SINGLE):
        for part in manifest.parts:
            _archive(client, corpus_name(part), manifest, result, set(ids))
    _one_by_one(client, manifest, ids, result, progress)
    if not manifest.complete and not result.failed:
        manifest.finish()
    return result


def _refresh(client: AIFdb, manifest: Manifest, gone: set[int], result: Fetched, progress: Progress) -> None:
    """Ask for every map of a corpus again: the archive first, and what it has not one by one."""
    if gone:
        result.remarks.append(f"{len(gone)} maps are no longer in the corpus, and stay: {_shown(gone)}")
    ids, stored = manifest.ids or [], set[int]()
    if len(ids) > 1:
        for part in manifest.parts:
            stored |= _archive(client, corpus_name(part), manifest, result, set(ids), refresh=True)
    result.here += len(stored)
    _one_by_one(client, manifest, [number for number in ids if number not in stored], result, progress, refresh=True)
    if not result.failed:
        manifest.finish()


def _shown(numbers: set[int]) -> str:
    first = ", ".join(map(str, sorted(numbers)[:5]))
    return first + (f" and {len(numbers) - 5} more" if len(numbers) > 5 else "")


def cached_map(folder: Path, number: int) -> tuple[bytes, dict[str, bytes]] | None:
    """A map and the text beside it, by suffix, from a folder; None where the map is not there whole."""
    if not folder.is_dir():
        return None
    manifest = Manifest(folder)
    data = manifest.read(_file(number)) if manifest.holds(_file(number)) else None
    text = f"nodeset{number}.txt"
    siblings = {".txt": manifest.read(text) or b""} if manifest.holds(text) else {}
    return None if data is None else (data, siblings)


def _file(number: int) -> str:
    return f"nodeset{number}.json"


def _list(client: AIFdb, name: str, manifest: Manifest, result: Fetched) -> None:
    """Which maps the corpus has, from the server's list, or else from its archive."""
    try:
        lists = client.nodesets_of_parts(name)
        ids = sorted({number for numbers in lists.values() for number in numbers})
    except (RemoteError, NotFoundError) as error:
        if isinstance(error, UnreachableError):
            raise
        result.remarks.append(f"no list of maps ({error}); its archive has to say")
        lists = {}
        ids = sorted(_archive(client, name, manifest, result, None))
        if not ids:
            raise NotFoundError(
                f"there is no corpus {name}, or nothing in it", where=client.corpora_url, remedy="aifgraph fetch --list"
            ) from error
    if not ids:
        raise NotFoundError(f"the corpus {name} has no maps", where=client.corpora_url, remedy="aifgraph fetch --list")
    manifest.listed(name, client.corpora_url, ids, list(lists))


def _archive(
    client: AIFdb,
    name: str,
    manifest: Manifest,
    result: Fetched,
    wanted: set[int] | None,
    *,
    refresh: bool = False,
) -> set[int]:
    """Take what the corpus's archive has; returns the ids. Empty members and damaged ones are left for later."""
    url = f"{client.corpora_url}/zip/{quote(name)}/download"
    with tempfile.NamedTemporaryFile(prefix=".archive.", suffix=".part", dir=manifest.folder) as file:
        try:
            answer = client.web.download(url, file)
            file.flush()
            return _store(Path(file.name), answer.url, manifest, result, wanted, refresh=refresh)
        except UnreachableError:
            raise
        except AifgraphError as error:
            what = str(error).replace(f"{file.name}, ", "").replace(f"{file.name}: ", "")
            result.remarks.append(f"archive not used: {what if url in what else f'{url}: {what}'}")
            return set()


def _store(
    path: Path, url: str, manifest: Manifest, result: Fetched, wanted: set[int] | None, *, refresh: bool = False
) -> set[int]:
    """Put the maps and texts of an archive into the zip of the folder, under names of ours; gives the ids.

    What is there already is left alone; with ``refresh``, if it is the same.
    """
    archive = Zip(path)
    members: dict[tuple[int, str], str] = {}
    for member in archive.paths:
        match = re.fullmatch(r"(?:nodeset)?([0-9]{1,18})\.(json|txt)", member.rsplit("/", 1)[-1])
        if match:
            members.setdefault((int(match[1]), match[2]), member)
    stored: set[int] = set()
    empty = new = 0
    with manifest.storing() as put:
        for (number, suffix), member in sorted(members.items()):
            if suffix != "json" or (wanted is not None and number not in wanted):
                continue
            here = manifest.holds(_file(number))
            if here and not refresh:
                stored.add(number)
                continue
            try:
                data = archive.read(member)
                map_document(data, member)
            except AifgraphError:
                empty += 1
                continue
            text = members.get((number, "txt"))
            content = (_read(archive, text) if text else None) or b""
            text_here = manifest.read(f"nodeset{number}.txt") if here else None
            if here and data == manifest.read(_file(number)) and (not content.strip() or content == text_here):
                stored.add(number)
                continue
            if content.strip():
                put(f"nodeset{number}.txt", content, f"{url}#{text}")
            put(_file(number), data, f"{url}#{member}")
            new += 1
            stored.add(number)
    result.new += new
    manifest.archived(url, len(stored))
    if empty:
        result.remarks.append(f"{empty} maps in the archive are empty or damaged ({url}); asked for one by one")
    return stored


def _read(archive: Zip, member: str) -> bytes | None:
    """A member of an archive; None where it is damaged."""
    try:
        return archive.read(member)
    except AifgraphError:
        return None


def _one_by_one(
    client: AIFdb,
    manifest: Manifest,
    ids: Sequence[int],
    result: Fetched,
    progress: Progress,
    *,
    refresh: bool = False,
) -> None:
    gone = text_failures = 0  # in a row
    for count, number in enumerate(ids, 1):
        name = _file(number)
        known = not refresh and manifest.holds(name)
        error = None if known else _map(client, manifest, number, result)
        if error is None:
            gone = 0 if not known else gone
            result.here += 1
            ask_text = text_failures < _MAX_FAILURES and not (known and manifest.complete)
            if ask_text and "#" not in str(manifest.files[name].get("url")):
                try:
                    _text(client, manifest, number, result, refresh)
                    text_failures = 0
                except UnreachableError:
                    text_failures = _MAX_FAILURES + 1
                except (RemoteError, LimitError):
                    text_failures += 1
                if text_failures == _MAX_FAILURES and count < len(ids):
                    what = f"{client.text_url} failed for {text_failures} maps in a row: no more texts in this run"
                    result.remarks.append(what)
        elif isinstance(error, AskedToWaitError) and len(ids) > 1:
            what = f"{error.what}; {result.here} of {len(ids)} are here"
            raise AskedToWaitError(what, where=error.where, remedy=error.remedy) from None
        else:
            gone = gone + 1 if isinstance(error, UnreachableError) else 0
            if gone == _MAX_FAILURES and len(ids) > gone:
                raise UnreachableError(
                    f"{gone} maps in a row could not be asked for; {result.here} of {len(ids)} are here",
                    where=client.base_url,
                    remedy="run the same again later: it goes on from here",
                )
        if progress:
            progress(count, len(ids))


def _map(client: AIFdb, manifest: Manifest, number: int, result: Fetched) -> AifgraphError | None:
    """Fetch a map; the error, which is noted, where it cannot be had."""
    name = _file(number)
    try:
        answer = client.raw_nodeset(number)
    except (RemoteError, NotFoundError, LimitError) as error:
        if not manifest.holds(name):  # what is there already stays
            manifest.note(name, f"{client.base_url}/json/{number}", "failed", str(error))
        result.failed.append((name, str(error)))
        result.errors.append(error)
        return error
    if not manifest.holds(name) or manifest.read(name) != answer.data:
        manifest.save(name, answer.data, answer.url)
        result.new += 1
    return None


def _text(client: AIFdb, manifest: Manifest, number: int, result: Fetched, refresh: bool) -> None:
    """Fetch the source text of a map, if it has one. What goes wrong is noted, and raised."""
    name = f"nodeset{number}.txt"
    if not refresh and (manifest.state(name) == "absent" or manifest.holds(name)):
        return
    url = f"{client.text_url}/nodeset/{number}"
    try:
        answer = client.raw_text(number)
    except (RemoteError, LimitError) as error:
        if not manifest.holds(name):
            manifest.note(name, url, "failed", str(error))
        result.remarks.append(f"{name}: {error}")
        raise
    if answer is None:
        manifest.note(name, url, "absent")
    else:
        manifest.save(name, answer.data, answer.url)
