"""What AIFdb's answers mean. Its errors are sentences with status 200, so a body is judged by what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from aifgraph.aifdb.web import Response
from aifgraph.errors import AifgraphError, NotFoundError, OptionError, RemoteError
from aifgraph.files import decode_source, parse_json

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.~ -]{0,99}")


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """One corpus of AIFdb's list: its short name (for ``fetch``), title, id, and whether it is locked."""

    name: str
    title: str = ""
    id: str = ""
    locked: bool = False


def map_document(data: bytes, where: str) -> dict[str, Any]:
    """The AIF JSON in an answer, its nodes not read yet.

    Raises ``NotFoundError`` for "No such nodeset", ``RemoteError`` for whatever else is no map.
    """
    document = _json(data, where, "a map")
    if isinstance(document, dict) and isinstance(document.get("nodes", document.get("AIF")), list | dict):
        return document
    raise RemoteError("the answer is not a map", where=where)


def _json(data: bytes, where: str, wanted: str) -> Any:
    text = data.decode("utf-8-sig", errors="replace")
    stripped = text.strip()
    if not stripped:
        raise RemoteError(f"an empty answer instead of {wanted}", where=where, remedy="try again later")
    if stripped[:1] != "{" and re.match(r"(<[^>]*>|\s)*no such \w+", stripped[:300], re.IGNORECASE):
        raise NotFoundError(f"the server says: {_sentence(stripped)}", where=where)
    if re.match(r"(<\?xml[^>]*>\s*)?<(!doctype|html|head|body|h1)\b", stripped[:300], re.IGNORECASE):
        raise RemoteError(f"a web page instead of {wanted}: {_sentence(stripped)}", where=where)
    try:
        return parse_json(text, where)
    except AifgraphError as error:
        if "{" not in stripped[:2000] and "[" not in stripped[:1]:
            raise RemoteError(f"the server says: {_sentence(stripped)}", where=where) from None
        raise RemoteError(f"{error.what}, in the answer", where=error.where, remedy="try again later") from None


def _sentence(text: str) -> str:
    plain = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", text[:4000], flags=re.IGNORECASE | re.DOTALL)
    return ascii(" ".join(plain.split())[:100])[1:-1] or "nothing"


def _list_in(answer: Response, key: str, what: str, *, bare: bool = False) -> list[Any]:
    """The list that the answer holds under a key, or that it is, where it may be ``bare``."""
    document = _json(answer.data, answer.url, f"a list of {what}")
    listed = document.get(key) if isinstance(document, dict) else document if bare else None
    if not isinstance(listed, list):
        raise RemoteError(f"the answer lists no {what}", where=answer.url)
    return listed


def nodeset_ids(answer: Response) -> list[int]:
    """The map ids in ``{"nodeSets": […]}``, or in a page that holds ``var nsIDs = […]``; ascending, each once."""
    page = re.search(rb"nsIDs\s*=\s*(\[[\d\s,\"']*\])", answer.data)
    if page:
        listed: Any = re.findall(r"\d+", page[1].decode())
    else:
        listed = _list_in(answer, "nodeSets", "maps")
    ids = {int(id) for id in listed if re.fullmatch(r"[0-9]{1,18}", str(id))}
    return sorted(ids)


def corpus_list(answer: Response) -> list[CorpusInfo]:
    """The corpora in AIFdb's list, by name."""
    corpora = [
        CorpusInfo(
            str(row["shortname"]),
            str(row.get("title") or ""),
            str(row.get("corpusID") or ""),
            str(row.get("locked") or "0") not in ("0", "false", "False"),
        )
        for row in _list_in(answer, "corpora", "corpora")
        if isinstance(row, dict) and row.get("shortname")
    ]
    return sorted(corpora, key=lambda info: (info.name.casefold(), info.name))


def subcorpora(answer: Response) -> list[str]:
    """The short names of a corpus's parts, in the server's order, each once; names that are none are left out."""
    rows = _list_in(answer, "subcorpora", "sub-corpora", bare=True)
    names = (str(row.get("shortname") or "") if isinstance(row, dict) else str(row) for row in rows)
    return list(dict.fromkeys(name for name in names if _NAME.fullmatch(name)))


def source_text(answer: Response) -> str | None:
    """The source text in an answer, marked up as it comes; None where there is none."""
    text, _ = decode_source(answer.data, answer.url)
    head = text.strip()[:300]
    if not head or re.match(r"no (such|text)\b", head, re.IGNORECASE):
        return None
    if re.match(r"<(!doctype|html|head)\b", head, re.IGNORECASE):
        raise RemoteError(f"a web page instead of a text: {_sentence(head)}", where=answer.url)
    return text


def nodeset_id(id: int | str) -> int:
    """A map's id from outside: digits, with or without ``nodeset`` before them."""
    match = re.fullmatch(r"(?:nodeset)?([0-9]{1,18})", str(id).strip())
    if not match:
        raise OptionError(f"{str(id)!r} is not a map id", remedy="give a number, as in 17940")
    return int(match[1])


def corpus_name(name: str) -> str:
    """A corpus's short name from outside; it becomes part of addresses and the name of a folder."""
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"{name!r} is not the short name of a corpus", remedy="list them with `aifgraph fetch --list`"
        )
    return name
