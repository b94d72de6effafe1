"""One comparison in a process of its own: a job comes as a line of JSON, what is made of it goes to its folder.

Progress goes to standard output. The process ends with the server, and at its limit of memory.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from errno import EFBIG, ENOMEM
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeVar

from aifgraph.adjudication.decisions import update_rows
from aifgraph.comparison import Comparison, compare
from aifgraph.comparison.maps import PairNames
from aifgraph.corpus.corpus import Corpus, load_map, named_corpora, open_corpus, open_from_aifdb
from aifgraph.corpus.pairing import MIN_SIMILARITY, Pairing, find_pairs, pair
from aifgraph.errors import AifgraphError, InputError, NotFoundError
from aifgraph.evaluation.run import compare_each, pair_tasks
from aifgraph.files import is_corpus, unique_name, write_atomic
from aifgraph.options import Options
from aifgraph.report.app.jobs import Job
from aifgraph.report.corpus_page import row_of, write_pages
from aifgraph.report.page import report_html

T = TypeVar("T")

SIDES: Final = ("first", "second")


def tell(phase: str, done: int = 0, total: int = 0) -> None:
    """Tell the server what is being done, and how far it is."""
    print(json.dumps([done, total, phase]), flush=True)


def comparing(done: int, total: int) -> None:
    tell("Comparing pairs" if done < total else "Computing intervals", done, total)


def both(job: Job, open_one: Callable[[str], T]) -> tuple[T, T]:
    """Open what was given for both sides; an error says of which."""
    opened = []
    for side, source in zip(SIDES, job.sources, strict=True):
        from_aifdb = is_corpus(source) and source.startswith("aifdb:")
        tell(f"{'Fetching' if from_aifdb else 'Reading'} {source.rpartition('/')[2]}")
        try:
            opened.append(open_one(source))
        except AifgraphError as error:
            missing = isinstance(error, NotFoundError) and source.startswith("aifdb:")
            what = f"AIFdb has no {source.removeprefix('aifdb:')}" if missing else said(error)
            raise InputError(what, where=side) from None
    return opened[0], opened[1]


def corpus_at(source: str) -> Corpus:
    """Open a corpus, and tell how far one of AIFdb is fetched."""
    name = source.removeprefix("aifdb:")
    progress = partial(tell, f"Fetching {name} from AIFdb, map by map")
    return open_from_aifdb(name, progress) if name != source else open_corpus(source)


def do(job: Job) -> dict[str, Any]:
    first, second = job.sources
    if is_corpus(first) != is_corpus(second):
        raise InputError("one is a corpus, and the other is one map; give two maps or two corpora")
    if job.work == "decide":
        return {"result": prepare_decisions(job)}
    try:
        options = Options.parse(job.options)
    except AifgraphError as error:
        raise InputError(error.what, where="options", remedy=error.remedy) from None
    if is_corpus(first):
        return compare_two_corpora(job, options)
    comparison = compare(*both(job, load_map), options=options)
    write_page("page.html", comparison.to_html())
    kappa = comparison.layers["propositional"].mean["kappa"]
    return {"result": "page.html", "names": list(comparison.names), "pairs": 0, "argument": kappa}


def compare_two_corpora(job: Job, options: Options) -> dict[str, Any]:
    """Compare two corpora as ``aifgraph compare`` does: the same pages."""
    (one, first), (other, second) = named_corpora(both(job, corpus_at)).items()
    how: Any = {"pair_by": paired(job, first, second), "names": (one, other), "options": options, "progress": comparing}
    result = write_pages("pages", first, second, **how)
    argument = result.macro["argument M-kappa"].value
    return {"result": "index.html", "names": [one, other], "pairs": len([*result.pairs]), "argument": argument}


def paired(job: Job, first: Corpus, second: Corpus) -> Pairing:
    """Pair two corpora as the job says, or by name where most names are in both, else by text."""
    tell("Pairing the maps")
    if job.pair_by != "auto":
        return pair(first, second, job.pair_by)
    names = {*first.names} & {*second.names}
    ways = ("name", "text") if 2 * len(names) >= min(len(first), len(second)) else ("text", "name")
    for way in ways:
        if found := find_pairs(first, second, way, MIN_SIMILARITY):
            return found
    raise InputError("the two have nothing in common: no map has the same name or the same text in both")


def prepare_decisions(job: Job) -> list[dict[str, Any]]:
    """Write the page and the file of decisions of every pair; return the pairs."""
    (one, first), (other, second) = named_corpora(job.sources).items()
    uses: Counter[str] = Counter()
    pairs: list[dict[str, Any]] = []

    def prepare(name: str, comparison: Comparison) -> dict[str, Any]:
        named = comparison.renamed(PairNames(one, other))
        path = Path(job.decisions, f"{unique_name(uses, name)}.tsv")
        update_rows(path, named.differences(), name)
        write_page(f"{len(pairs)}.html", report_html(named, name=name, home="../../", served="rows"))
        return {"name": name, "file": str(path), "page": f"/pairs/{len(pairs)}/", **row_of(named)}

    for key, made in compare_each(prepare, pair_tasks(paired(job, first, second)), Options(), progress=comparing):
        known = {"name": str(key), "why": str(made)} if isinstance(made, AifgraphError) else made
        pairs.append({"number": len(pairs), **known})
    return pairs


def write_page(name: str, page: str) -> None:
    """Write a page as the command does."""
    Path("pages").mkdir(exist_ok=True)
    write_atomic(Path("pages", name), page.removesuffix("\n") + "\n")


def said(error: AifgraphError) -> str:
    """Return an error for somebody who has the page only: no folder of the server, and no advice about commands."""
    where = "" if error.where in (*SIDES, "options") else (error.where or "").rpartition("/")[2]
    remedy = "" if re.search("--|`|aifgraph ", error.remedy or "") else error.remedy
    return re.sub(
        r"(/[^\s/,;:]+){2,}/", "", f"{where + ': ' if where else ''}{error.what}{'; ' + remedy if remedy else ''}"
    )


def end_with_server() -> None:
    """End when the server, which holds the other end of standard input, is no more."""
    sys.stdin.buffer.read()
    os._exit(1)


def main() -> None:
    job = Job(**json.loads(sys.stdin.buffer.readline()))
    Thread(target=end_with_server, daemon=True).start()
    with suppress(ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (job.written, job.written))
    os.chdir(job.folder)
    try:
        outcome = do(job)
    except AifgraphError as error:
        where = None if (error.where or "").startswith("/") else error.where
        outcome = {"error": {"what": said(error), "where": where}, "status": 400}
    except (MemoryError, OSError) as error:
        if getattr(error, "errno", ENOMEM) not in (ENOMEM, EFBIG):
            raise
        outcome = {"error": {"what": "too large to compare here", "where": None}, "status": 413}
    Path("outcome.json").write_text(json.dumps(outcome), "utf-8")
    os._exit(0)  # the thread still waits


if __name__ == "__main__":
    main()
