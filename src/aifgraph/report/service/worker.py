"""One comparison, or one pair of a study, in a process of its own, which its parent can end.

A job comes on standard input from the service that started this process, never from a client, so that it may be
pickled; an answer goes to standard output as JSON. What a client calls its files is shown, never opened.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from aifgraph.adjudication.merge import Merged
    from aifgraph.adjudication.selection import Preference, Wording
    from aifgraph.adjudication.study import StudyPair
    from aifgraph.comparison.options import Options
    from aifgraph.graph import ArgumentGraph, SourceText

#: Bytes of memory that a comparison may take (where the system can say so).
MEMORY = 4 << 30
#: A map of more propositions is not drawn while people wait for it.
_DRAWN = 300
#: Bytes of a file: pygraphviz hands over what it draws in one that has no name and is gone at once.
SCRATCH = 64 << 20
#: A file with such a name is a text, unless it begins as a map does.
_TEXTS = (".txt", ".text")


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to a job: ``{"json": …}``, ``{"html": …}`` or ``{"error": {what, where, remedy, kind}}``.

    >>> empty = {"name": "a.json", "data": "e30="}
    >>> answer({"first": empty, "second": empty})["error"]["kind"]
    'input'
    """
    from aifgraph.comparison.compare import compare
    from aifgraph.comparison.options import Options
    from aifgraph.errors import AifgraphError

    try:
        first, second = (_graph(job[side]) for side in ("first", "second"))
        first_text, second_text = (_text(job.get(f"{side}_text")) for side in ("first", "second"))
        options = Options.parse(job["options"]) if "options" in job else Options()
        if "meaning" in job:  # the service's own model, never one that a client names
            options = options.changed(meaning=job["meaning"])
        result = compare(first, second, first_text=first_text, second_text=second_text, options=options)
        return {"html": result.to_html()} if job.get("format") == "html" else {"json": result.to_dict()}
    except (AifgraphError, MemoryError) as error:
        return failed(error)


@dataclass(frozen=True)
class PairJob:
    """What to make of a pair, by which options; ``served`` tells the page where it is served from."""

    what: Literal["page", "map", "gold"]
    pair: StudyPair
    options: Options
    wording: Wording
    prefer: Preference | None
    served: dict[str, Any]


def pair_answer(job: PairJob) -> dict[str, Any]:
    """The answer to a job: ``{"text": …}``, a page or a map, ``{"gold": …}``, a map to look at, or ``{"error": {what,
    where, remedy, kind}}``."""
    from aifgraph.adjudication.finish import merged_pair
    from aifgraph.errors import AifgraphError
    from aifgraph.formats.io import dumps
    from aifgraph.report.html.page import report_html

    try:
        if job.what != "page":
            merged = merged_pair(job.options, job.pair, wording=job.wording, prefer=job.prefer)
            return {"text": dumps(merged.graph, format="aif")} if job.what == "map" else {"gold": _shown(merged)}
        job.pair.check()
        return {"text": report_html(job.pair.compared(job.options), title=job.pair.name, served=job.served)}
    except (AifgraphError, MemoryError) as error:
        return failed(error)


def _shown(merged: Merged) -> dict[str, Any]:
    """A merged map to look at: how large it is, how many rows are open, what could not be kept, and a picture of its
    argument where one can be drawn."""
    from aifgraph.errors import AifgraphError
    from aifgraph.report.drawing import draw_map

    graph = merged.graph
    sizes = {"propositions": len(graph.propositions), "relations": len(graph.relations), "open": len(merged.open)}
    picture = None
    if 0 < len(graph.propositions) <= _DRAWN:
        try:
            drawn = draw_map(graph, "svg").picture
            picture = drawn.decode("utf-8") if isinstance(drawn, bytes) else drawn
        except AifgraphError:  # no Graphviz here
            picture = None
    return {**sizes, "notices": [*merged.notices], "picture": picture}


def failed(error: Exception) -> dict[str, Any]:
    """The answer for an error."""
    from aifgraph.errors import AifgraphError, InputError, OptionError

    if isinstance(error, MemoryError):
        return {"error": {"what": "too large to compare here", "where": None, "remedy": None, "kind": "input"}}
    if not isinstance(error, AifgraphError):
        raise error
    kind = "input" if isinstance(error, InputError) else "option" if isinstance(error, OptionError) else "internal"
    document = {"what": error.what, "where": error.where, "remedy": error.remedy, "kind": kind}
    return {"error": {**document, "rows": [*getattr(error, "rows", ())]}}


def _graph(upload: dict[str, str]) -> ArgumentGraph:
    from aifgraph.errors import FormatError
    from aifgraph.formats.files import Input
    from aifgraph.formats.io import read_input
    from aifgraph.formats.registry import detect

    name = upload["name"]
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot > 0 else ""
    data = Input(name, base64.b64decode(upload["data"]), suffix)
    if suffix in _TEXTS:
        try:
            detect(Input(name, data.data, ""))
        except FormatError:
            remedy = "give it as source text, and a map here"
            raise FormatError("a text, where a map is needed", where=name, remedy=remedy) from None
    return read_input(data).with_name(name)


def _text(upload: dict[str, str] | None) -> SourceText | None:
    if upload is None:
        return None
    from aifgraph.formats.files import decode_source
    from aifgraph.graph import SourceText

    text, _ = decode_source(base64.b64decode(upload["data"]), upload["name"])
    return SourceText(text, "given")


def bound() -> None:
    """Bound this process: it ends with the one that started it, takes so much memory, and writes no large file."""
    from aifgraph.parent import end_with

    end_with(os.getppid())
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (SCRATCH, SCRATCH))
    except (ImportError, ValueError, OSError):
        pass


def warm_up() -> None:
    """Make a page and a picture of a pair of ours while there is no job: the first takes a second for what is imported,
    the templates and the fonts."""
    from aifgraph.adjudication.merge import merge
    from aifgraph.formats.io import dumps
    from aifgraph.graph.build import GraphBuilder

    build = GraphBuilder()
    *reasons, claim = (build.proposition(word) for word in ("one", "two", "three"))
    build.inference(reasons, claim)
    graph = build.graph()
    small = {"name": "small.json", "data": base64.b64encode(dumps(graph, format="aif").encode()).decode()}
    answer({"first": small, "second": small, "format": "html"})
    _shown(merge(graph, graph))


def main() -> None:
    """Read the job, write the answer. When the service has ended nobody waits for it any more."""
    bound()
    warm_up()
    try:
        job = pickle.load(sys.stdin.buffer)
    except EOFError:  # the service has ended, and there is no job
        return
    document = pair_answer(job) if isinstance(job, PairJob) else answer(job)
    sys.stdout.buffer.write(json.dumps(document).encode("ascii"))
    sys.stdout.buffer.flush()
    os._exit(0)  # the answer waits for the end, and taking all down in order takes longer than a small comparison


if __name__ == "__main__":
    from aifgraph.report.service.worker import main as _main  # the job names its class by this module

    _main()
