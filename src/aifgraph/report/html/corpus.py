"""The pages of a corpus: ``index.html`` with every pair in a table, and next to it a page for each pair.

The pages share one script and one style (in ``assets``), so that a thousand pairs stay a few dozen megabytes. Names
from maps are never used as names of files.
"""

from __future__ import annotations

import shutil
from os import PathLike
from pathlib import Path
from typing import Any

from markupsafe import Markup

from aifgraph.comparison.compare import Comparison
from aifgraph.errors import InputError
from aifgraph.evaluation.corpus_comparison import CorpusComparison
from aifgraph.evaluation.intervals import Intervals
from aifgraph.evaluation.pooled import PairSummary
from aifgraph.formats.files import write_atomic
from aifgraph.report.html.embed import clean, environment, policy, static
from aifgraph.report.html.page import report_html
from aifgraph.version import __version__

#: How many of the lowest pairs are named at the top.
_WORST = 10
_BINS = 20
#: What a folder of pages holds.
_OURS = {"index.html", "pairs", "assets"}


class CorpusPages:
    """Writes the pages of a corpus comparison into a folder as the pairs come in, and the index last.

    The folder is new or empty, or with ``force`` one of earlier pages, which are removed first: pages of two results
    are never mixed. Raises InputError for any other.

    ::

        pages = CorpusPages("report")
        result = compare_corpora("ann/", "ben/", details=False, on_comparison=pages.pair)
        pages.index(result)
    """

    def __init__(self, directory: str | PathLike[str], *, force: bool = False) -> None:
        self.directory = Path(directory)
        if self.directory.is_file():
            raise InputError("is a file", where=str(directory), remedy="name a folder for the pages of a corpus")
        inside = {path.name for path in self.directory.iterdir()} if self.directory.is_dir() else set()
        if inside and not (inside <= _OURS and "assets" in inside):
            raise InputError("holds other files", where=str(directory), remedy="name a new folder")
        if inside and not force:
            raise InputError(
                "holds an earlier result", where=str(directory), remedy="name a new folder, or add --force"
            )
        self.pages: list[str] = []
        self._begun = False

    def _begin(self) -> None:
        """Remove earlier pages and write what all pages share, when the first page comes: after errors of the input."""
        if self._begun:
            return
        (self.directory / "index.html").unlink(missing_ok=True)
        for name in ("pairs", "assets"):
            if (self.directory / name).is_dir():
                shutil.rmtree(self.directory / name)
            (self.directory / name).mkdir(parents=True)
        for name in ("report.js", "report.css"):
            write_atomic(self.directory / "assets" / name, static(name))
        self._begun = True

    def pair(self, name: str, result: Comparison) -> None:
        """The page of one pair."""
        self._begin()
        page = f"pairs/{len(self.pages) + 1:05d}.html"
        html = report_html(result, title=name, home="../index.html", assets="../assets/")
        write_atomic(self.directory / page, html)
        self.pages.append(page)

    def index(self, result: CorpusComparison, intervals: Intervals | None = None) -> Path:
        """The page of the whole, with its ``intervals`` where they are given; returns where it is."""
        self._begin()
        path = self.directory / "index.html"
        write_atomic(path, corpus_index(result, self.pages, intervals))
        return path


def corpus_index(result: CorpusComparison, pages: list[str], intervals: Intervals | None = None) -> str:
    """The page of a corpus; ``pages`` are the addresses of the pairs' pages, in order (missing ones have no link)."""
    script, style = static("corpus.js"), static("report.css")
    addresses = [*pages, *[""] * (len(result.pairs) - len(pages))]
    rows = [_row(pair, address) for pair, address in zip(result.pairs, addresses, strict=True)]
    row_of = {pair.names: row for pair, row in zip(result.pairs, rows, strict=True)}
    page = (
        environment()
        .get_template("corpus.html.j2")
        .render(
            result=result,
            version=__version__,
            rows=rows,
            behind=result.breakdown.tables(),
            worst=[
                row_of[pair.names]
                for pair in result.sorted_pairs("kappa", _WORST)
                if pair.cass["all"]["kappa"] is not None
            ],
            whole=[("macro", result.macro), ("micro", result.micro)],
            charts=[
                ("CASS-κ", _bins([row["kappa"] for row in rows])),
                ("CASS-F1", _bins([row["f1"] for row in rows])),
                ("S", _bins([row["S"] for row in rows])),
            ],
            chance=result.chance_table(),
            intervals=intervals.tables()[0] if intervals else None,
            signature=result.signature + (f"|{intervals.signature}" if intervals else ""),
            policy=policy([script], [style]),
            script=Markup(script),
            style=Markup(style),
        )
    )
    return clean(page)


def _row(pair: PairSummary, page: str) -> dict[str, Any]:
    return {
        "name": pair.name,
        "page": page,
        "n": pair.n,
        "S": pair.S,
        "m_kappa": pair.means["all"]["kappa"],
        "kappa": pair.cass["all"]["kappa"],
        "m_f1": pair.means["all"]["f1"],
        "f1": pair.cass["all"]["f1"],
        "propositional": pair.cass["propositional"]["kappa"],
        "dialogical": pair.cass["dialogical"]["kappa"],
        "warnings": len(pair.warnings),
    }


def _bins(values: list[float | None]) -> dict[str, Any]:
    """Counts of the values in steps of 0.05 from 0 to 1 (1 in the last), and how many are undefined."""
    counts = [0] * _BINS
    for value in values:
        if value is not None:
            counts[min(int(max(value, 0.0) * _BINS), _BINS - 1)] += 1
    return {"counts": counts, "most": max(counts) or 1, "undefined": sum(value is None for value in values)}
