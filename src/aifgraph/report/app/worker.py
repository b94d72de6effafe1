"""One comparison in a process of its own: a job comes as a line of JSON, what is made of it goes to its folder.

Progress goes to standard output. The process ends with the server, and at its limit of memory.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Final

from aifgraph.adjudication.pair_file import update_rows
from aifgraph.comparison import Comparison, Options, compare
from aifgraph.comparison.options import read_options
from aifgraph.comparison.result import PairNames
from aifgraph.corpus.containers import is_corpus
from aifgraph.corpus.corpus import named_corpora
from aifgraph.corpus.pairing import pair
from aifgraph.errors import AifgraphError, InputError
from aifgraph.evaluation.run import compare_corpora, compare_each, pair_tasks
from aifgraph.files import unique_name, write_atomic
from aifgraph.formats import load
from aifgraph.graph.rules import validate
from aifgraph.report.app.jobs import Job
from aifgraph.report.corpus_page import write_pages
from aifgraph.report.page import report_html

#: Tells the server how many pairs are done, of how many.
tell: Final = partial(print, flush=True)


def do(job: Job) -> Any:
    """Do a job, and return its result."""
    if job.work == "check":
        return validate(load(job.sources[0]), job.profile).to_dict()
    first, second = job.sources
    if is_corpus(first) != is_corpus(second):
        raise InputError("one is a corpus, and the other is one map; give two maps or two corpora")
    if job.work == "decide":
        return prepare_decisions(job)
    options = read_options(job.options)
    if is_corpus(first):
        return compare_two_corpora(job, options)
    comparison = compare(load(first), load(second), options=options)
    if job.work == "json":
        return {"result": comparison.to_dict(), "differences": comparison.differences().to_dict()["rows"]}
    return write_page("page.html", comparison.to_html())


def compare_two_corpora(job: Job, options: Options) -> Any:
    """Compare two corpora as ``aifgraph compare`` does: the same pages, or the same JSON."""
    (one, first), (other, second) = named_corpora(job.sources).items()
    how: Any = {"pair_by": job.pair_by, "names": (one, other), "options": options, "progress": tell}
    if job.work == "json":
        return {"result": compare_corpora(first, second, **how).to_dict(), "differences": []}
    write_pages("pages", first, second, **how)
    return "index.html"


def prepare_decisions(job: Job) -> list[dict[str, Any]]:
    """Write the page and the file of decisions of every pair; return the pairs, those that cost most first."""
    (one, first), (other, second) = named_corpora(job.sources).items()
    uses: Counter[str] = Counter()
    pairs: list[dict[str, Any]] = []

    def prepare(name: str, comparison: Comparison) -> dict[str, Any]:
        differences, path = comparison.differences(), Path(job.decisions, f"{unique_name(uses, name)}.tsv")
        update_rows(path, differences, name)
        named = replace(comparison, names=PairNames(one, other))
        write_page(f"{len(pairs)}.html", report_html(named, name=name, home="../../", served="rows"))
        return {"name": name, "file": str(path), "cost": differences.cost}

    tasks = pair_tasks(pair(first, second, job.pair_by))
    for key, made in compare_each(prepare, tasks, Options(), progress=tell):
        known = {"name": str(key), "why": str(made), "cost": -1} if isinstance(made, AifgraphError) else made
        pairs.append({"number": len(pairs), **known})
    return sorted(pairs, key=lambda row: -row["cost"])


def write_page(name: str, page: str) -> str:
    """Write a page as the command does, and return its name."""
    Path("pages").mkdir(exist_ok=True)
    write_atomic(Path("pages", name), page.removesuffix("\n") + "\n")
    return name


def end_with_server() -> None:
    """End when the server, which holds the other end of standard input, is no more."""
    sys.stdin.buffer.read()
    os._exit(1)


def main() -> None:
    job = Job(**json.loads(sys.stdin.buffer.readline()))
    Thread(target=end_with_server, daemon=True).start()
    with suppress(ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
    os.chdir(job.folder)
    try:
        outcome: dict[str, Any] = {"result": do(job)}
    except AifgraphError as error:
        what = f"{error.what}; {error.remedy}" if error.remedy else error.what
        outcome = {"error": {"what": what, "where": error.where}, "status": 400}
    except MemoryError:
        outcome = {"error": {"what": "too large to compare here", "where": None}, "status": 413}
    Path("outcome.json").write_text(json.dumps(outcome), "utf-8")
    os._exit(0)  # the thread still waits


if __name__ == "__main__":
    main()
