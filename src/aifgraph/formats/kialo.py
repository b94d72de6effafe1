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
    parents = {number.rpartition(".")[0] for _, number, *_ in claims}
    for line, number, _, said in claims:
        if number in links or number in build:
            raise FormatError(f"the claim {number} is given twice", where=f"line {line}")
        if see := _SEE.match(said):
            links[number] = see.group(1)
        else:
            urls = [link.group(2) for link in _LINK.finditer(said)]
            words = _ESCAPE.sub(r"\1", _LINK.sub(r"\1", said))
            build.proposition(words, id=number, extra={"links": urls} if urls else {})
    for line, number, stance, _ in claims:
        source, above = end_of(links, number), number.rpartition(".")[0]
        if source not in build:
            raise FormatError(f"the claim {number} refers to {links[number]}, which is not there", where=f"line {line}")
        if not above:
            if number != "1" and number not in parents:
                what = f"line {line} is read as the claim {number}; it may be part of the text above it"
                build.notice("number-unclear", what, source)
            continue
        target = end_of(links, above)
        if target not in build:
            raise FormatError(f"the claim {number} has no claim {above} above it", where=f"line {line}")
        if stance is None:
            what = f"claim {number} is neither pro nor con and gets no relation to {above}"
            build.notice("stance-missing", what, source)
        elif source == target:
            build.notice("edge-loop", f"the reference of claim {number} to the claim above it is left out", source)
        else:
            type_ = "RA" if stance == "Pro" else "CA"
            build.relation(type_, [source], target, id=f"{number} {stance}", extra={"position": number})
    return build.graph(aif={"kialo": {"title": title.group(1).strip()}} if title else {})


def _claims(text: str) -> list[tuple[int, str, str | None, str]]:
    """Return line, number, stance and text of each claim; a line without a number goes on with the one before it."""
    lines = list(enumerate(text.splitlines(), 1))
    found: dict[int, re.Match[str]] = {}
    lowest = math.inf
    for index, line in reversed(lines):  # Kialo goes down the tree: a number above later ones is a list in a claim
        if (claim := _CLAIM.match(line)) and (thesis := int(claim.group(1).partition(".")[0])) <= lowest:
            lowest, found[index] = thesis, claim
    given: set[str] = set()
    for index, claim in sorted(found.items()):  # and so is a number that was there before, without Pro and Con
        if claim.group(1) in given and claim.group(2) is None:
            del found[index]
        given.add(claim.group(1))
    claims: list[tuple[int, str, str | None, list[str]]] = []
    for index, line in lines:
        claim = found.get(index)
        if claim and (claims or claim.group(1) == "1"):
            claims.append((index, claim.group(1), claim.group(2), [claim.group(3).strip()]))
        elif claims and line.strip():
            claims[-1][3].append(line.strip())
    if not claims:
        raise FormatError("no claim numbered 1.", remedy="give a Kialo export")
    return [(line, number, stance, "\n".join(said).strip()) for line, number, stance, said in claims]
