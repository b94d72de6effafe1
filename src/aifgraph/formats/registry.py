"""Every format by name. A codec's module is imported when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from aifgraph.errors import FormatError, OptionError, choose_from
from aifgraph.formats.codec import Codec, options_of
from aifgraph.formats.files import Input

#: Name → ``module:Class``, in the order in which detection asks them.
BUILT_IN: dict[str, str] = {
    "ova3": "aifgraph.formats.ova:Ova3",
    "xaif": "aifgraph.formats.aif:Xaif",
    "sadface": "aifgraph.formats.sadface:SadFace",
    "aif": "aifgraph.formats.aif:Aif",
    "argdown-json": "aifgraph.formats.argdown:ArgdownJson",
    "jsonl": "aifgraph.formats.jsonl:JsonLines",
    "turtle": "aifgraph.formats.rdf:Turtle",
    "trig": "aifgraph.formats.rdf:TriG",
    "rdfxml": "aifgraph.formats.rdf:RdfXml",
    "ntriples": "aifgraph.formats.rdf:NTriples",
    "nquads": "aifgraph.formats.rdf:NQuads",
    "jsonld": "aifgraph.formats.rdf:JsonLd",
    "microtexts": "aifgraph.formats.arggraph:ArgGraph",
    "aml": "aifgraph.formats.aml:Aml",
    "graphml": "aifgraph.formats.graphml:GraphMl",
    "dot": "aifgraph.formats.dot:DotFormat",
    "brat": "aifgraph.formats.brat:Brat",
    "kialo": "aifgraph.formats.kialo:Kialo",
    "argdown": "aifgraph.formats.argdown:ArgdownText",
    "mermaid": "aifgraph.formats.drawings:Mermaid",
}

#: The syntaxes of RDF.
RDF = ("turtle", "trig", "rdfxml", "ntriples", "nquads", "jsonld")


def names() -> tuple[str, ...]:
    """The names of all formats, in the order of detection."""
    return tuple(BUILT_IN)


@cache
def codec(name: str) -> Codec:
    """The codec of a format; ``OptionError`` names the formats there are.

    >>> codec("aif").suffixes
    ('.json',)
    """
    location = BUILT_IN.get(name)
    if location is None:
        raise OptionError(f"there is no format {name!r}"[:200], remedy=choose_from(names()))
    module, _, attribute = location.partition(":")
    own: Codec = getattr(import_module(module), attribute)()
    return own


@cache
def reading_options() -> frozenset[str]:
    """The names of all options of reading; no format has one of them for writing.

    >>> sorted(reading_options())
    ['major']
    """
    return frozenset(option for each in _readers() for option in options_of(each.read))


def writer(name: str) -> Codec:
    """The codec of a format that is written; ``OptionError`` for one that is only read (``kialo``)."""
    chosen = codec(name)
    if not chosen.writes:
        raise OptionError(f"the format {name} is only read", remedy="name another")
    return chosen


def _readers() -> Iterator[Codec]:
    """The formats that are read, each loaded when it is asked: most inputs are recognised by the first."""
    for name in BUILT_IN:
        if codec(name).reads:
            yield codec(name)


def detect(file: Input) -> Codec:
    """The format of an input, by its content; among the formats of its suffix first.

    Raises the error of the format that its suffix promises where nothing recognises the content.
    """
    promised: list[Codec] = []
    others: list[Codec] = []
    for each in _readers():
        if file.suffix not in each.suffixes:
            others.append(each)
        elif each.sniff(file):
            return each
        else:
            promised.append(each)
    for each in others:
        if each.sniff(file):
            return each
    if file.data.startswith(b"PK\x03\x04"):
        remedy = "open_corpus(path) has its maps"
        raise FormatError("an archive where a file is needed", where=file.name, remedy=remedy)
    if promised:  # what is just called .json is AIF
        return codec("aif") if codec("aif") in promised else promised[-1]
    if _JSON.match(file.data):
        file.json  # noqa: B018  raises what is wrong with it, if anything
    known = sorted({suffix for each in others for suffix in each.suffixes})
    raise FormatError(
        "not in a format that is read here",
        where=file.name,
        remedy=f"name the format; known suffixes: {' '.join(known)}",
    )


#: What is JSON by its beginning, or empty.
_JSON = re.compile(rb"(\xef\xbb\xbf)?\s*(\{|\[\s*[\[{\"]|\Z)")
