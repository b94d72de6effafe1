"""Kialo's text export, read only: numbered claims, each a pro or a con of the one that its number continues."""

from __future__ import annotations

import math
import re
from typing import Final

from aifgraph.errors import FormatError
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.walk import end_of

_CLAIM: Final = re.compile(r"(\d+(?:\.\d+)*)\.\s+(?:(Pro|Con):\s*)?(.*)", re.DOTALL)
_SEE: Final = re.compile(r"->\s*+See\s++(?:discussion\s++\S++\s*+,?+\s*+)?+(\d++(?:\.\d++)*+)\.?\s*+\Z", re.IGNORECASE)
_LINK: Final = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\(((?:[^()\\\s]|\\.|\([^()]*\))*)\)")
_ESCAPE: Final = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>])")
_TITLE: Final = re.compile(r"\s*Discussion (?:Title|Name):[ \t]*(.*)")


def sniff(text: str) -> bool:
    """Return whether a text is an export of Kialo."""
    return _TITLE.match(text[:2000]) is not None and re.search(r"^1\.\s", text[:2000], re.MULTILINE) is not None


def read(text: str, beside: str | None = None) -> ArgumentGraph:
    """Read an export of Kialo."""
    title = _TITLE.match(text)
    claims = _claims(text)
    build = GraphBuilder()
    links: dict[str, str] = {}
    for line, place, _, said in claims:
        if place in links or place in build:
            raise FormatError(f"the claim {place} is given twice", where=f"line {line}")
        if see := _SEE.match(said):
            links[place] = see.group(1)
        else:
            urls = [link.group(2) for link in _LINK.finditer(said)]
            words = _ESCAPE.sub(r"\1", _LINK.sub(r"\1", said))
            build.proposition(words, id=place, extra={"links": urls} if urls else {})
    for line, place, stance, _ in claims:
        source, above = end_of(links, place), place.rpartition(".")[0]
        if source not in build:
            raise FormatError(f"the claim {place} refers to {links[place]}, which is not there", where=f"line {line}")
        if not above:
            continue
        target = end_of(links, above)
        if target not in build:
            raise FormatError(f"the claim {place} has no claim {above} above it", where=f"line {line}")
        if stance is None:
            what = f"claim {place} is neither pro nor con and gets no relation to {above}"
            build.notice("stance-missing", what, source)
        elif source == target:
            build.notice("edge-loop", f"the reference of claim {place} to the claim above it is left out", source)
        else:
            type_ = "RA" if stance == "Pro" else "CA"
            build.relation(type_, [source], target, id=f"{place} {stance}", extra={"position": place})
    return build.graph(aif={"kialo": {"title": title.group(1).strip()}} if title else {})


def _claims(text: str) -> list[tuple[int, str, str | None, str]]:
    """Return line, number, stance and text of each claim; a line without a number goes on with the one before it."""
    lines = list(enumerate(text.splitlines(), 1))
    found: dict[int, re.Match[str]] = {}
    lowest = math.inf
    for number, line in reversed(lines):  # Kialo goes down the tree: a number above later ones is a list in a claim
        if (claim := _CLAIM.match(line)) and (thesis := int(claim.group(1).partition(".")[0])) <= lowest:
            lowest, found[number] = thesis, claim
    claims: list[tuple[int, str, str | None, list[str]]] = []
    for number, line in lines:
        claim = found.get(number)
        if claim and (claims or claim.group(1) == "1"):
            claims.append((number, claim.group(1), claim.group(2), [claim.group(3).strip()]))
        elif claims and line.strip():
            claims[-1][3].append(line.strip())
    if not claims:
        raise FormatError("no claim numbered 1.", remedy="give a Kialo export")
    return [(number, place, stance, "\n".join(said).strip()) for number, place, stance, said in claims]
