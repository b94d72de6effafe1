"""Kialo's text export: numbered claims, each a pro or a con of the one its number continues. Read only."""

from __future__ import annotations

import re
from typing import Any

from aifgraph.errors import FormatError
from aifgraph.formats.codec import Codec
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph, GraphBuilder

_CLAIM = re.compile(r"(\d+(?:\.\d+)*)\.\s+(?:(Pro|Con):\s*)?(.*)", re.DOTALL)
_SEE = re.compile(r"->\s*See\s+(?:discussion\s+\S+\s*,?\s*)?(\d+(?:\.\d+)*)\.?\s*\Z", re.IGNORECASE)
_LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\(((?:[^()\\\s]|\\.|\([^()]*\))*)\)")
_TITLE = re.compile(r"(?:\ufeff)?\s*Discussion (?:Title|Name):[ \t]*(.*)")


class Kialo(Codec):
    """A discussion as Kialo exports it."""

    name = "kialo"
    title = "Kialo text export"
    suffixes = (".txt",)
    writes = False

    def sniff(self, file: Input) -> bool:
        head = file.data[:2000].decode("utf-8", "ignore")
        return _TITLE.match(head) is not None and re.search(r"^1\.\s", head, re.MULTILINE) is not None

    def read(self, file: Input) -> ArgumentGraph:
        title = _TITLE.match(file.text)
        claims = _claims(file.text, file.name)
        build = GraphBuilder(name=file.name)
        origins: dict[str, str] = {}
        for line, place, _, text in claims:
            if place in origins:
                where = f"{file.name}, line {line}"
                raise FormatError(f"the claim {place} is given twice", where=where, remedy="give a Kialo export")
            see = _SEE.match(text)
            origins[place] = see.group(1) if see else place
            if not see:
                words, record = _plain(text)
                build.proposition(words, id=place, record=record)
        for line, place, stance, _ in claims:
            _relate(build, origins, place, stance, f"{file.name}, line {line}")
        side_data = {"kialo": {"title": title.group(1).strip()}} if title else {}
        return build.graph(form=self.name, aif=side_data)


def _claims(text: str, where: str) -> list[tuple[int, str, str | None, str]]:
    """Line, number, stance and text of each claim; a line without a number goes on with the one before it."""
    claims: list[tuple[int, str, str | None, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        claim = _CLAIM.match(line)
        if claim and (claims or claim.group(1) == "1"):
            claims.append((number, claim.group(1), claim.group(2), claim.group(3).strip()))
        elif claims and line.strip():
            first, place, stance, before = claims[-1]
            claims[-1] = first, place, stance, f"{before}\n{line.strip()}".strip()
    if not claims:
        raise FormatError("no claim numbered 1.", where=where, remedy="give a Kialo export")
    return claims


def _relate(build: GraphBuilder, origins: dict[str, str], place: str, stance: str | None, where: str) -> None:
    source = _resolved(origins, place)
    if source is None or source not in build:
        raise FormatError(f"the claim {place} refers to {origins[place]}, which is not there", where=where)
    above = place.rpartition(".")[0]
    if not above:
        return
    target = _resolved(origins, above)
    if target is None or target not in build:
        raise FormatError(
            f"the claim {place} has no claim {above} above it", where=where, remedy="give the whole export"
        )
    if stance is None:
        build.notice("stance-missing", f"claim {place} is neither pro nor con: no relation to {above}", source)
    elif source == target:
        build.notice("edge-loop", f"claim {place} refers to the claim above it: left out", source)
    elif stance == "Pro":
        build.inference([source], target, id=f"{place} Pro", record={"position": place})
    else:
        build.conflict(source, target, id=f"{place} Con", record={"position": place})


def _resolved(origins: dict[str, str], place: str) -> str | None:
    """The claim that a number means: links to links are followed; a circle of them means nothing."""
    for _ in range(len(origins) + 1):
        if place not in origins:
            return None
        if origins[place] == place:
            return place
        place = origins[place]
    return None


def _plain(text: str) -> tuple[str, dict[str, Any]]:
    links = [match.group(2) for match in _LINK.finditer(text)]
    words = re.sub(r"\\([\\`*_{}\[\]()#+\-.!<>])", r"\1", _LINK.sub(lambda match: match.group(1), text))
    return words, {"links": links} if links else {}
