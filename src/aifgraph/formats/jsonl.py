"""One map on one line: ``{"name": …, "map": {…}, "text": …}``, the record that corpora of JSON lines consist of.

``map`` is the map as xAIF, so that everything has a place, but for what only services need; ``text`` may be its source
text. A file of several lines is a
corpus (``aifgraph.open_corpus``); ``lines`` writes one line of it.
"""

from __future__ import annotations

import json

from aifgraph.errors import FormatError
from aifgraph.formats.aif import Aif, Xaif
from aifgraph.formats.aif.xaif import wrapped
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, json_text, parse_json
from aifgraph.graph import ArgumentGraph


class JsonLines(Codec):
    """A file of JSON lines that holds one map."""

    name = "jsonl"
    title = "JSON lines"
    suffixes = (".jsonl", ".ndjson")

    def sniff(self, file: Input) -> bool:
        if b'"map"' not in file.data:
            return False
        try:
            record = json.loads(next(iter(_lines(file)), ""))
        except Exception:  # whatever it is, it is not this
            return False
        return isinstance(record, dict) and isinstance(record.get("map"), dict)

    def read(self, file: Input) -> ArgumentGraph:
        lines = _lines(file)
        if len(lines) != 1:
            what = f"{len(lines)} lines where one map was expected"
            raise FormatError(what, where=file.name, remedy="open it as a corpus: aifgraph.open_corpus")
        record = parse_json(lines[0], file.name, no_numbers=file.no_numbers)
        if not isinstance(record, dict):
            raise FormatError("not a JSON object", where=file.name, remedy="one record with a map a line")
        inner = record.get("map", record)
        text = record.get("text") if inner is not record else None
        siblings = {".txt": text.encode("utf-8", "surrogatepass")} if isinstance(text, str) else {}
        name = str(record.get("name", file.name)) if inner is not record else file.name
        wrapped = isinstance(inner, dict) and "AIF" in inner
        data = json.dumps(inner).encode()
        graph = (Xaif() if wrapped else Aif()).read(Input(file.name, data, ".json", siblings.get))
        return graph.with_name(name)

    def write(self, graph: ArgumentGraph) -> Written:
        return Written(line(graph))


def line(graph: ArgumentGraph, name: str | None = None) -> str:
    """One map as one line, with its line break.

    >>> from aifgraph import GraphBuilder
    >>> line(GraphBuilder().graph(), "empty")
    '{"name": "empty", "map": {"AIF": {"nodes": [], "edges": [], "locutions": []}}}\\n'
    """
    return json_text({"name": graph.name if name is None else name, "map": wrapped(graph)}, indent=None)


def _lines(file: Input) -> list[str]:
    return [line for line in file.text.split("\n") if line.strip()]
