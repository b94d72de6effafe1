"""The pages of a corpus: ``index.html`` with every pair in a table, and next to it a page for each pair.

Names from maps are never used as names of files.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options, short_signature
from aifgraph.comparison.result import PairNames, PairResult
from aifgraph.errors import AifgraphError, InputError
from aifgraph.evaluation.record import PairKey
from aifgraph.evaluation.result import CorpusComparison
from aifgraph.evaluation.run import PairTask, compare_each
from aifgraph.files import write_atomic
from aifgraph.report.html import render_page
from aifgraph.report.page import report_html
from aifgraph.stats.resampling import Bootstrap

#: What a folder of pages holds.
_OURS = {"index.html", "pairs"}


def check_folder(folder: str | PathLike[str]) -> Path:
    """Return the folder if pages can be written there: it is new or empty, or holds the pages of an earlier result."""
    path = Path(folder)
    if path.is_file():
        raise InputError("this is a file", where=str(path), remedy="name a folder for the pages of a corpus")
    inside = {entry.name for entry in path.iterdir() if entry.suffix != ".part"} if path.is_dir() else set()
    if inside and not (inside <= _OURS and "pairs" in inside):
        raise InputError("this folder has other files", where=str(path), remedy="name a new folder")
    return path


def write_pages(
    folder: str | PathLike[str],
    result: CorpusComparison,
    tasks: Sequence[PairTask],
    *,
    names: tuple[str, str] = ("the first corpus", "the second corpus"),
    options: Options | None = None,
    **how: Any,
) -> Path:
    """Compare pairs once more and write a page for each, and ``index.html`` for the whole, whose path is returned.

    Args:
        folder: a folder that is new, empty, or has earlier pages, which are removed: pages of two results never mix.
        result: the comparison of the corpora.
        tasks: its pairs. What fails has no page.
        names: what the corpora are called.
        options: those of the comparison.
        how: ``jobs`` and ``progress``.
    """
    path = check_folder(folder)
    (path / "index.html").unlink(missing_ok=True)
    if (path / "pairs").is_dir():
        shutil.rmtree(path / "pairs")
    (path / "pairs").mkdir(parents=True)
    pages: dict[PairKey, str] = {}
    for key, page in compare_each(partial(_page_of, names=names), tasks, options or Options(), **how):
        if not isinstance(page, AifgraphError):
            pages[key] = f"pairs/{len(pages) + 1:05d}.html"
            write_atomic(path / pages[key], page)
    with_intervals = result if result.bootstrap else result.with_intervals(Bootstrap(seed=(options or Options()).seed))
    write_atomic(path / "index.html", _index(with_intervals, pages, names))
    return path / "index.html"


def _page_of(name: str, result: Comparison, names: tuple[str, str]) -> str:
    """Return the page of a pair, in whichever process it was compared."""
    named = replace(result, names=PairNames(*names))
    return report_html(named, name=name, home="../index.html")


def _index(result: CorpusComparison, pages: Mapping[PairKey, str], names: tuple[str, str]) -> str:
    """Return the page of the whole; ``pages`` are the addresses of the pairs' pages."""
    rows: list[dict[str, Any]] = [
        {
            "name": pair.name,
            "page": pages.get(PairKey(*pair.names), ""),
            "cost": cost_of(pair),
            "argument": pair.layers["propositional"].mean["kappa"],
            "cass": pair.cass["kappa"],
            "caveats": len(pair.notices) + len(pair.caveats),
        }
        for pair in result.pairs
    ]
    return render_page(
        "corpus.html.j2",
        names=names,
        texts=len(result.texts.texts),
        numbers=[
            ("argument M, mean over texts", result.macro["argument M-kappa"]),
            ("CASS, harmonic mean of mean M and mean S", result.macro["CASS-kappa"]),
        ],
        coverage=result.coverage,
        level=f"{result.bootstrap.level * 100:.4g}" if result.bootstrap else "",
        rows=sorted(rows, key=lambda row: -row["cost"]),
        caveats=list(_caveats(result)),
        signature=short_signature(result.signature),
    )


def cost_of(pair: PairResult) -> int:
    """Return how many labels of a pair differ: the cells of its matrices off the diagonals."""
    return sum(matrix.total - sum(matrix.diagonal) for matrix in pair.matrices.values())


def _caveats(result: CorpusComparison) -> Iterator[str]:
    for name, why in result.failed.items():
        yield f"{name} was not compared: {why}"
    yield from (notice.message for notice in result.notices)
    yield from result.caveats
