"""xAIF and its relatives: an ``AIF`` object (or the same as a string) inside another, with ``text`` and more beside it.

``text`` is a string, possibly marked up, or an object ``{"txt": …}``. Everything the outer object holds is kept.
"""

from __future__ import annotations

import json
from typing import Any

from aifgraph.formats.aif.codec import with_text_beside
from aifgraph.formats.aif.read import read_aif
from aifgraph.formats.aif.write import write_aif
from aifgraph.formats.codec import Written
from aifgraph.formats.files import Input
from aifgraph.formats.json_text import json_text, parse_json
from aifgraph.formats.loss import LossReport
from aifgraph.formats.source_text import marked_text
from aifgraph.graph import ArgumentGraph, SourceText


class Xaif:
    """The wrapped form: ``{"AIF": {…}, "text": …}``."""

    name = "xaif"
    title = "xAIF"
    suffixes: tuple[str, ...] = (".json", ".xaif")
    reads = True
    writes = True
    loses: tuple[str, ...] = ()

    def sniff(self, given: Input) -> bool:
        if b'"AIF"' not in given.data:
            return False
        try:
            document = given.json
        except Exception:  # whatever it is, it is not this
            return False
        return isinstance(document, dict) and isinstance(document.get("AIF"), dict | str)

    def read(self, given: Input) -> ArgumentGraph:
        document = given.json
        aif = document["AIF"] if isinstance(document, dict) and "AIF" in document else document
        if isinstance(aif, str):
            aif = parse_json(aif, f"{given.name}, AIF")
        rest = {key: value for key, value in document.items() if key != "AIF"} if aif is not document else {}
        if isinstance(document, dict) and isinstance(document.get("AIF"), str):
            rest[_AS_STRING] = True
        graph = read_aif(aif, given.name, form=self.name, document=rest)
        text = _embedded(rest.get("text"))
        if text:
            graph = graph.with_meta(source=SourceText(text))
        return with_text_beside(graph, given)

    def write(self, graph: ArgumentGraph) -> Written:
        document: dict[str, Any] = {"AIF": write_aif(graph, node_schemes=False)}
        document |= graph.meta.document
        if document.pop(_AS_STRING, False):
            document["AIF"] = json.dumps(document["AIF"], ensure_ascii=False)
        source = graph.meta.source
        beside: dict[str, str] = {}
        if source and source.origin == "given" and "text" in document:
            beside[".txt"] = marked_text(source)
        elif source and _embedded(document.get("text")) != source.text:
            text = marked_text(source)
            old = document.get("text")
            document["text"] = {**old, "txt": text} if isinstance(old, dict) else text
        return Written(json_text(document), LossReport(), beside)


#: A key no file has: that ``AIF`` was a string inside the JSON.
_AS_STRING = "\0as string"


def _embedded(text: object) -> str | None:
    """The source text in the ``text`` field, or None where there is none."""
    if isinstance(text, dict):
        text = text.get("txt")
    return text if isinstance(text, str) else None
