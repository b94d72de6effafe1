"""Data sets of annotated documents: the microtexts, corpora in brat's standoff form, CDCP and SciARG.

The microtext corpora are Peldszus and Stede (2016), Skeppstedt et al. (2018) and Stede et al. (2016).

Of the argument annotated essays (Stab and Gurevych 2017) and AbstRCT (Mayer et al. 2020), components are I-nodes with
their places, *supports* and *Support* RA, *attacks*, *Attack* and *Partial-Attack* CA. A claim's attribute ``Stance``
(*For*, *Against*) relates it to the major claims of its essay.

CDCP, the Cornell eRulemaking Corpus (Park and Cardie 2018): one map per comment.

A proposition is an I-node with its type and its place. A reason is RA with the text *Reason*, evidence RA with
*Evidence*; propositions that support another one together are premises of one RA. Fields stand under ``cdcp``:
``type``, ``start``, ``end`` and ``url`` of a proposition, ``support`` of a relation.

SciARG: scientific abstracts annotated as trees (Accuosto, Neves and Saggion 2021), as a TSV table.

A unit is an I-node, its parent what it leads to. *attack* is CA, every other function RA with the function as its
text. Maps are named ``annotator/document``, so that each annotator has a corpus. Fields stand under ``sciarg``: the
columns of the table, and ``function`` of a relation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from aifgraph.datasets.dataset import Log, Row, files_in, place_below, read_tsv
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.files import decode_source, input_from_path, read_bytes, unique_name
from aifgraph.formats import load, read_input
from aifgraph.formats.brat import Major, check_major
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span
from aifgraph.graph.rules.index import cycles


def read_microtexts(path: Path, log: Log) -> Iterator[ArgumentGraph]:
    """Read a folder of ``arggraph`` files: part 1, part 2, the ``arg`` layer of the multilayer edition, or all.

    Given the folder of several parts, maps are named after the part: ``part1/en/micro_b001``.
    """
    files = files_in(path, "*.xml", log, below=True)
    parts = {file: _part(file.parent, path) for file in files}
    several = len({*parts.values()}) > 1
    for file, part in parts.items():
        try:
            document = input_from_path(file)
            # The multilayer edition keeps the texts in a folder next to the layers.
            beside = file.with_suffix(".txt").is_file()
            text = None if beside else place_below(file.parent.parent, f"txt/{file.stem}.txt", log)
            if text is not None:
                document = replace(document, sibling={".txt": read_bytes(text)}.get)
            graph = read_input(document, "microtexts")
        except AifgraphError as error:
            log.problem("document", f"{error.what}; it is skipped", file)
            continue
        yield graph.with_name(f"{part}/{file.stem}" if several and part else file.stem)


def _part(folder: Path, root: Path) -> str:
    """Return where a folder is below the root, without the level that is called ``corpus`` everywhere."""
    parts = folder.relative_to(root).parts if root.is_dir() else ()
    return "/".join(part for part in parts if part != "corpus")


def read_essays(path: Path, log: Log, *, major: Major = "each") -> Iterator[ArgumentGraph]:
    """Read a folder of ``essay001.ann`` with ``essay001.txt`` (folders below it count too), or one file.

    ``major`` says which major claims a stance relates a claim to; see :data:`aifgraph.formats.brat.Major`.
    """
    check_major(major)
    root = path if path.is_dir() else path.parent
    for file in files_in(path, "*.ann", log, below=True):
        if place_below(file.parent, f"{file.stem}.txt", log) is None:
            log.problem("text", f"there is no {file.stem}.txt next to it; it is skipped", file)
            continue
        try:
            graph = load(file, format="brat", major=major)
        except AifgraphError as error:
            log.problem("document", f"{error.what}; it is skipped", error.where or file)
            continue
        for notice in graph.notices:
            log.counts[f"{notice.code} notices"] += 1
        made = sum(relation.extra.get("stance") in ("For", "Against") for relation in graph.relations)
        log.counts["relations made of stances"] += made
        yield graph.with_name(file.relative_to(root).with_suffix("").as_posix())


# -- CDCP --------------------------------------------------------------------------------------------------------------

#: The list of a file, and the text of its relations.
SUPPORT: Final = {"reasons": "Reason", "evidences": "Evidence"}
TYPES: Final = ("fact", "testimony", "value", "policy", "reference")
_CDCP_SUFFIX: Final = ".ann.json"


def read_cdcp(path: Path, log: Log) -> Iterator[ArgumentGraph]:
    """Read a folder of ``NNNNN.ann.json`` and ``NNNNN.txt`` (folders below it count too), or one document."""
    root = path if path.is_dir() else path.parent
    for file in files_in(path, f"*{_CDCP_SUFFIX}", log, below=True):
        name = file.relative_to(root).as_posix().removesuffix(_CDCP_SUFFIX)
        try:
            document = json.loads(read_bytes(file))
            beside = file.with_name(file.name.removesuffix(_CDCP_SUFFIX) + ".txt")
            if beside.is_symlink():
                raise ValueError(f"{beside.name} is a link")
            text, notice = decode_source(read_bytes(beside), name)
        except (AifgraphError, ValueError, RecursionError) as error:
            log.problem("document", f"{error}; it is skipped", file)
            continue
        if notice:
            log.problem("encoding", notice, file)
        match document:
            case {"prop_offsets": [_, *_] as offsets, "prop_labels": [*labels]} if len(labels) == len(offsets):
                yield _cdcp_graph(name, file, document, text, log)
            case _:
                log.problem("document", "not as many prop_offsets as prop_labels; it is skipped", file)


def _cdcp_graph(name: str, file: Path, document: dict[str, Any], text: str, log: Log) -> ArgumentGraph:
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
        if not isinstance(entries, list):
            log.problem("relation", f"{key} is not a list; its relations are left out", file)
            continue
        for number, entry in enumerate(entries):
            log.counts[key] += 1
            _add_support(build, entry, scheme, f"{key}[{number}]", file, log)
    build.source(SourceText(text, tuple(spans), "given"))
    return build.graph(aif={"cdcp": {"url": urls}} if urls else {})


def _add_support(build: GraphBuilder, entry: object, text: str, what: str, file: Path, log: Log) -> None:
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


# -- SciARG ------------------------------------------------------------------------------------------------------------

COLUMNS: Final = ("doc_id", "adu_pos", "annotator", "parent_pos", "afu", "text")


def read_sciarg(path: Path, log: Log, *, functions: Literal["all", "support"] = "all") -> Iterator[ArgumentGraph]:
    """Read a table or a folder of them.

    ``functions="support"`` leaves out the discourse functions: elaboration, info-required, sequence …
    """
    if functions not in ("all", "support"):
        raise OptionError(f"functions cannot be {functions!r}", remedy="give all or support")
    files = files_in(path, "*.tsv", log)
    for file in files:
        prefix = f"{file.stem}/" if len(files) > 1 else ""
        names = Counter[str]()
        documents: dict[tuple[str, str], list[Row]] = {}
        for row in read_tsv(file, log, COLUMNS):
            documents.setdefault((row.cells["annotator"], row.cells["doc_id"]), []).append(row)
        for parts, rows in documents.items():
            name = prefix + unique_name(names, *parts)
            yield _sciarg_graph(name, rows, file, log, all_functions=functions == "all")


def _sciarg_graph(name: str, rows: list[Row], file: Path, log: Log, *, all_functions: bool) -> ArgumentGraph:
    units: dict[str, Row] = {}
    for row in rows:
        position = row.cells["adu_pos"]
        if position in units:
            log.problem("duplicate", f"unit {position} is given twice", file, row.line)
        units.setdefault(position, row)
    build = GraphBuilder(name=name)
    spans: list[Span] = []
    start = 0
    for position, row in units.items():
        text = row.cells["text"]
        extra = {column: cell for column, cell in row.cells.items() if column not in ("text", "text_parent", "doc_id")}
        node = build.proposition(text, id=f"u{position}", extra={"sciarg": extra})
        spans.append(Span(node, start, start + len(text)))
        start += len(text) + 1
    cyclic = in_cycle({position: row.cells["parent_pos"] for position, row in units.items()})
    for position, row in units.items():
        parent, function = row.cells["parent_pos"], row.cells["afu"].strip().lower()
        if parent == "0":
            continue
        log.counts[f"{function[:40]} relations"] += 1
        label = {"sciarg": {"function": function}}
        if parent not in units:
            log.problem("dangling", f"the parent {parent!r} of unit {position} is not there", file, row.line)
        elif position in cyclic:
            log.problem("cycle", f"unit {position} supports itself over its parents", file, row.line)
        elif function == "attack":
            build.conflict(f"u{position}", f"u{parent}", extra=label)
        elif all_functions or function == "support":
            named = None if function == "support" else function
            build.inference([f"u{position}"], f"u{parent}", named, extra=label)
    build.source(SourceText(" ".join(row.cells["text"] for row in units.values()), spans=tuple(spans)))
    document = {column: rows[0].cells.get(column, "") for column in ("doc_id", "annotator", "domain")}
    return build.graph(aif={"sciarg": document})


def in_cycle(parent_of: Mapping[str, str]) -> set[str]:
    """Return the keys that come back to themselves over their parents.

    >>> sorted(in_cycle({"1": "2", "2": "3", "3": "2", "4": "4", "5": "0"}))
    ['2', '3', '4']
    """
    links = parent_of.items()
    return {key for key, parent in links if key == parent}.union(*cycles(links))
