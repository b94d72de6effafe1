"""CDCP, the Cornell eRulemaking Corpus (Park and Cardie 2018): one map per comment.

A proposition is an I-node with its type and its place. A reason is RA with the text *Reason*, evidence RA with
*Evidence*; propositions that support another one together are premises of one RA. Fields stand under ``cdcp``:
``type``, ``start``, ``end`` and ``url`` of a proposition, ``support`` of a relation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from aifgraph.datasets.dataset import Log, files_in
from aifgraph.files import decode_source
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span

#: The list of a file, and the text of its relations.
SUPPORT: Final = {"reasons": "Reason", "evidences": "Evidence"}
TYPES: Final = ("fact", "testimony", "value", "policy", "reference")
_SUFFIX: Final = ".ann.json"


def read(path: Path, log: Log) -> Iterator[ArgumentGraph]:
    """Read a folder of ``NNNNN.ann.json`` and ``NNNNN.txt`` (folders below it count too), or one document."""
    root = path if path.is_dir() else path.parent
    for file in files_in(path, f"**/*{_SUFFIX}", log):
        name = file.relative_to(root).as_posix().removesuffix(_SUFFIX)
        try:
            document = json.loads(file.read_bytes())
            beside = file.with_name(file.name.removesuffix(_SUFFIX) + ".txt")
            if beside.is_symlink():
                raise ValueError(f"{beside.name} is a link")
            text, notice = decode_source(beside.read_bytes(), name)
        except (OSError, ValueError, RecursionError) as error:
            log.problem("document", f"{error}; it is skipped", file)
            continue
        if notice:
            log.problem("encoding", notice, file)
        match document:
            case {"prop_offsets": [_, *_] as offsets, "prop_labels": [*labels]} if len(labels) == len(offsets):
                yield _graph(name, file, document, text, log)
            case _:
                log.problem("document", "not as many prop_offsets as prop_labels; it is skipped", file)


def _graph(name: str, file: Path, document: dict[str, Any], text: str, log: Log) -> ArgumentGraph:
    build = GraphBuilder(name=name)
    urls = document.get("url")
    urls = {str(number): url for number, url in urls.items()} if isinstance(urls, dict) else {}
    spans: list[Span] = []
    for number, (offset, label) in enumerate(zip(document["prop_offsets"], document["prop_labels"], strict=True)):
        match offset:
            case [int(start), int(end)] if 0 <= start < end <= len(text) and (words := text[start:end].strip()):
                pass
            case _:
                log.problem("offsets", f"proposition {number} is not in the text; it is left out", file)
                continue
        if label not in TYPES:
            log.problem("label", f"the type {str(label)[:20]!r} of proposition {number} is not known", file)
        extra = {"type": label, "start": start, "end": end}
        if str(number) in urls:
            extra["url"] = urls[str(number)]
        node = build.proposition(words, id=f"p{number}", extra={"cdcp": extra})
        first = text.index(words, start)
        spans.append(Span(node, first, first + len(words)))
        log.counts[f"{str(label)[:20]} propositions"] += 1
    for key, scheme in SUPPORT.items():
        entries = document.get(key)
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            log.counts[key] += 1
            _support(build, entry, scheme, f"{key}[{number}]", file, log)
    build.source(SourceText(text, tuple(spans), "given"))
    return build.graph(aif={"cdcp": {"url": urls}} if urls else {})


def _support(build: GraphBuilder, entry: object, text: str, what: str, file: Path, log: Log) -> None:
    """Add the relation ``[[i, j], k]``: the propositions i to j support k together."""
    match entry:
        case [[int(first), int(last)], int(target)] if 0 <= first <= last < first + 1000:
            premises = [f"p{number}" for number in range(first, last + 1)]
        case _:
            log.problem("relation", f"{what} is not [[first, last], target]; it is left out", file)
            return
    conclusion = f"p{target}"
    if missing := [id_ for id_ in (*premises, conclusion) if id_ not in build]:
        log.problem("dangling", f"{what} names proposition {missing[0][1:]}, which is not there", file)
    elif conclusion in premises:
        log.problem("cycle", f"{what} supports itself; it is left out", file)
    else:
        build.inference(premises, conclusion, text, extra={"cdcp": {"support": text.lower()}})
