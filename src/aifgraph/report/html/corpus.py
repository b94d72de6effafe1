"""The pages of a corpus: ``index.html`` with every pair in a table, and next to it a page for each pair.

The pages share one script and one style (in ``assets``), so that a thousand pairs stay a few dozen megabytes. Names
from maps are never used as names of files.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from markupsafe import Markup

from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.sides import checked_names
from aifgraph.errors import InputError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.pair_task import EachPair
from aifgraph.formats.files import write_atomic
from aifgraph.gc_pause import gc_paused
from aifgraph.report.html.diagnosis import (
    Examples,
    PairExamples,
    bins,
    cost_of,
    most_confused,
    pooled_matrices,
    spreads,
)
from aifgraph.report.html.embed import clean, environment, json_for_script, policy, static
from aifgraph.report.html.page import report_html
from aifgraph.version import __version__

#: The columns of the table of pairs: key, name, and the key by which equal values are told apart (CASS cuts off at 0,
#: M does not).
_COLUMNS = (
    ("cost", "decisions that differ", "m_kappa"),
    ("n", "n", "n"),
    ("S", "S", "S"),
    ("m_kappa", "M-κ", "m_kappa"),
    ("kappa", "CASS-κ", "m_kappa"),
    ("m_f1", "M-F1", "m_f1"),
    ("f1", "CASS-F1", "m_f1"),
    ("propositional", "propositional", "propositional"),
    ("dialogical", "dialogical", "dialogical"),
    ("warnings", "warnings", "warnings"),
)
#: So many texts are named at the top, those that cost most.
_COSTLIEST = 10
#: What a folder of pages holds.
_OURS = {"index.html", "pairs", "assets"}


@dataclass(frozen=True, slots=True)
class PairPage:
    """The page of a pair, and what the page of the corpus shows of it."""

    html: str
    examples: PairExamples


class CorpusPages:
    """Writes the pages of a corpus comparison into a folder as the pairs come in, and the index last.

    Args:
        directory: a folder that is new or empty, or, with ``force``, has earlier pages.
        force: whether to remove earlier pages first; pages of two results are never mixed.
        names: what the two sides are called; None for the names of the maps.

    Raises:
        InputError: the folder holds something else, or earlier pages without ``force``.

    ::

        pages = CorpusPages("report")
        result = compare_corpora("ann/", "ben/", classes=False, each=pages.each)
        pages.index(result)
    """

    def __init__(
        self, directory: str | PathLike[str], *, force: bool = False, names: tuple[str, str] | None = None
    ) -> None:
        self.directory = Path(directory)
        if self.directory.is_file():
            raise InputError("is a file", where=str(directory), remedy="name a folder for the pages of a corpus")
        inside = {path.name for path in self.directory.iterdir()} if self.directory.is_dir() else set()
        if inside and not (inside <= _OURS and "assets" in inside):
            raise InputError("holds other files", where=str(directory), remedy="name a new folder")
        if inside and not force:
            raise InputError(
                "holds an earlier result", where=str(directory), remedy="name a new folder, or add force=True"
            )
        self.names = checked_names(*names) if names else None
        self.pages: list[str] = []
        self._names: list[str] = []
        self.examples = Examples()
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

    @property
    def each(self) -> EachPair[PairPage]:
        """What :func:`aifgraph.compare_corpora` takes as ``each``: pages are made where pairs are compared."""
        return EachPair(partial(_page_of, names=self.names), self._write)

    def pair(self, name: str, result: Comparison) -> None:
        """Write the page of a pair that was compared in this process."""
        self._write(name, _page_of(name, result, self.names))

    def _write(self, name: str, made: PairPage) -> None:
        self._begin()
        page = f"pairs/{len(self.pages) + 1:05d}.html"
        write_atomic(self.directory / page, made.html)
        self.pages.append(page)
        self._names.append(name)
        self.examples.add(name, page, made.examples)

    def index(self, result: CorpusComparison) -> Path:
        """Write the page of the whole, ``index.html``."""
        self._begin()
        path = self.directory / "index.html"
        # The pages of the pairs are written before it is known which ones come next: their order is a script.
        # It is that of the table: what costs most first.
        pairs = sorted(
            zip(map(cost_of, result.pairs), self.pages, self._names, strict=False), key=lambda pair: -pair[0]
        )
        order = [{"page": page.removeprefix("pairs/"), "name": name} for _, page, name in pairs]
        write_atomic(self.directory / "assets" / "pairs.js", f"globalThis.aifgraphPairs = {json_for_script(order)};")
        write_atomic(path, corpus_index(result, self.pages, self.examples, self.names))
        return path


@gc_paused
def _page_of(name: str, result: Comparison, names: tuple[str, str] | None) -> PairPage:
    """The page of a pair, in whichever process it was compared."""
    result = result.named(*names) if names else result
    html = report_html(result, title=name, home="../index.html", assets="../assets/")
    return PairPage(html, PairExamples.of(result, result.differences()))


def corpus_index(
    result: CorpusComparison,
    pages: list[str],
    examples: Examples | None = None,
    names: tuple[str, str] | None = None,
) -> str:
    """The page of a corpus; ``pages`` are the addresses of the pairs' pages, in order (those that are missing have no
    link), ``examples`` what stands behind the cells of the pooled matrices, ``names`` what the corpora are called.
    """
    script, style = static("corpus.js"), static("report.css")
    addresses = [*pages, *[""] * (len(result.pairs) - len(pages))]
    behind = examples or Examples()
    rows = [_row(pair, address, behind) for pair, address in zip(result.pairs, addresses, strict=True)]
    rows.sort(key=lambda row: -row["cost"])
    page = (
        environment()
        .get_template("corpus.html.j2")
        .render(
            result=result,
            version=__version__,
            names=names or result.names,
            rows=rows,
            costliest=[row for row in rows[:_COSTLIEST] if row["cost"]],
            behind=result.breakdown.tables(),
            matrices=pooled_matrices(result, behind),
            confused=most_confused(behind),
            spreads=spreads(result),
            whole=replace(result.short_table(), note=""),
            columns=_COLUMNS,
            charts=[
                ("CASS-κ", bins([row["kappa"] for row in rows])),
                ("CASS-F1", bins([row["f1"] for row in rows])),
                ("S", bins([row["S"] for row in rows])),
            ],
            chance=result.chance_table(),
            intervals=result.with_intervals.tables()[0] if result.with_intervals else None,
            signature=result.signature,
            policy=policy([script], [style]),
            script=Markup(script),
            style=Markup(style),
        )
    )
    return clean(page)


def _row(pair: PairResult, page: str, examples: Examples) -> dict[str, Any]:
    return {
        "lead": examples.leads.get(page),
        "name": pair.name,
        "page": page,
        "cost": cost_of(pair),
        "n": pair.n,
        "S": pair.S,
        "m_kappa": pair.mean["kappa"],
        "kappa": pair.cass["kappa"],
        "m_f1": pair.mean["f1"],
        "f1": pair.cass["f1"],
        "propositional": pair.over["propositional"].cass["kappa"],
        "dialogical": pair.over["dialogical"].cass["kappa"],
        "warnings": len(pair.warnings),
    }
