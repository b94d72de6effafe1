"""CDCP, the Cornell eRulemaking Corpus (Park and Cardie 2018): comments on debt collection, as graphs of support.

A proposition is an I-node with its type (fact, testimony, value, policy or reference) and its place in the text.
Support by a *reason* and by *evidence* is RA with that word as its text. Propositions that support another one together
are the premises of one RA.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aifgraph.datasets.dataset import relative
from aifgraph.datasets.documents import Documents
from aifgraph.errors import AifgraphError
from aifgraph.formats.files import decode_source, decode_strict, parse_json, read_bytes
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span

_SUFFIX = ".ann.json"
#: The list of the file, and the text of its relations.
SUPPORT = {"reasons": "Reason", "evidences": "Evidence"}
TYPES = ("fact", "testimony", "value", "policy", "reference")


@dataclass(eq=False, kw_only=True)
class Cdcp(Documents):
    """The folder of ``NNNNN.ann.json`` and ``NNNNN.txt`` (folders below it, as ``train`` and ``test``, count too)."""

    name = "cdcp"
    title = "Cornell eRulemaking Corpus (CDCP)"

    def maps(self) -> Iterator[ArgumentGraph]:
        for path in self._files(_SUFFIX, "give the folder with the files NNNNN.ann.json and NNNNN.txt"):
            self.counts["documents"] += 1
            name = relative(path, self.path).removesuffix(_SUFFIX)
            text = path.with_name(path.name.removesuffix(_SUFFIX) + ".txt")
            try:
                document = parse_json(decode_strict(read_bytes(path), name), relative(path, self.path))
                words, notice = decode_source(read_bytes(text), text.name)
            except AifgraphError as error:
                self._skip(path, error.what if error.where != str(text) else f"there is no {text.name} next to it")
                continue
            if notice:
                self.problems.add("encoding", notice.message, relative(text, self.path))
            if isinstance(document, dict):
                graph = self._map(name, path, document, words)
                if graph is not None:
                    yield graph
            else:
                self._skip(path, "not an object with prop_offsets and prop_labels")

    def _skip(self, path: Path, what: str) -> None:
        self.problems.add("document", f"{what}; it is skipped", relative(path, self.path))

    def _map(self, name: str, path: Path, document: Mapping[str, Any], words: str) -> ArgumentGraph | None:
        file = relative(path, self.path)
        offsets, labels = (_list(document.get(key)) for key in ("prop_offsets", "prop_labels"))
        if not offsets or len(offsets) != len(labels):
            self._skip(path, f"{len(offsets)} prop_offsets and {len(labels)} prop_labels")
            return None
        addresses = document.get("url")
        urls = {str(number): url for number, url in addresses.items()} if isinstance(addresses, dict) else {}
        build = GraphBuilder(name=name)
        spans: list[Span] = []
        for number, (offset, label) in enumerate(zip(offsets, labels, strict=True)):
            match offset:
                case [int(start), int(end)] if 0 <= start < end <= len(words) and (said := words[start:end].strip()):
                    pass
                case _:
                    self.problems.add("offsets", f"proposition {number} is not in the text; it is left out", file)
                    continue
            if label not in TYPES:
                self.problems.add("label", f"the type {str(label)[:20]!r} of proposition {number} is not known", file)
            self._held("propositions", label)
            entry = {"type": label, "start": start, "end": end}
            if str(number) in urls:
                entry["url"] = urls[str(number)]
            id_ = build.proposition(said, id=f"p{number}", record={"cdcp": entry})
            first = words.index(said, start)
            spans.append(Span(id_, first, first + len(said)))
        self.counts["propositions"] += len(offsets)
        for kind, text in SUPPORT.items():
            self.counts[kind] += len(_list(document.get(kind)))
            for number, entry in enumerate(_list(document.get(kind))):
                self._support(build, entry, text, f"{kind}[{number}]", file)
        build.source(SourceText(words, "given", tuple(spans)))
        return build.graph(aif={"cdcp": {"url": urls}} if urls else {})

    def _support(self, build: GraphBuilder, entry: object, text: str, what: str, file: str) -> None:
        """A relation of the file; ``[[i, j], k]`` says that the propositions i to j support k."""
        match entry:
            case [[int(first), int(last)], int(target)] if 0 <= first <= last < first + 1000:
                ends = [f"p{number}" for number in (*range(first, last + 1), target)]
            case _:
                self.problems.add("relation", f"{what} is not [[first, last], target]; it is left out", file)
                return
        if missing := [end for end in ends if end not in build]:
            self.problems.add("dangling", f"{what} names proposition {missing[0][1:]}, which is not there", file)
        elif ends[-1] in ends[:-1]:
            self.problems.add("cycle", f"{what} supports itself; it is left out", file)
        else:
            build.inference(ends[:-1], ends[-1], text, record={"cdcp": {"support": text.casefold()}})


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
