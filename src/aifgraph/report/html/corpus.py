"""The pages of a corpus: ``index.html`` with every pair in a table, and next to it a page for each pair.

Names from maps are never used as names of files.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
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
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.files import write_atomic
from aifgraph.report.html.embed import clean, environment, policy, static
from aifgraph.report.html.page import report_html

#: What a folder of pages holds.
_OURS = {"index.html", "pairs"}


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
        if inside and not (inside <= _OURS and "pairs" in inside):
            raise InputError("holds other files", where=str(directory), remedy="name a new folder")
        if inside and not force:
            raise InputError(
                "holds an earlier result", where=str(directory), remedy="name a new folder, or add force=True"
            )
        self.names = checked_names(*names) if names else None
        self.pages: list[str] = []
        self._begun = False

    def _begin(self) -> None:
        """Remove earlier pages when the first page comes: after errors of the input."""
        if self._begun:
            return
        (self.directory / "index.html").unlink(missing_ok=True)
        if (self.directory / "pairs").is_dir():
            shutil.rmtree(self.directory / "pairs")
        (self.directory / "pairs").mkdir(parents=True)
        self._begun = True

    @property
    def each(self) -> EachPair[str]:
        """What :func:`aifgraph.compare_corpora` takes as ``each``: pages are made where pairs are compared."""
        return EachPair(partial(_page_of, names=self.names), self._write)

    def pair(self, name: str, result: Comparison) -> None:
        """Write the page of a pair that was compared in this process."""
        self._write(name, _page_of(name, result, self.names))

    def _write(self, name: str, page: str) -> None:
        self._begin()
        address = f"pairs/{len(self.pages) + 1:05d}.html"
        write_atomic(self.directory / address, page)
        self.pages.append(address)

    def index(self, result: CorpusComparison) -> Path:
        """Write the page of the whole, ``index.html``."""
        self._begin()
        path = self.directory / "index.html"
        write_atomic(path, corpus_index(result, self.pages, self.names))
        return path


def _page_of(name: str, result: Comparison, names: tuple[str, str] | None) -> str:
    """The page of a pair, in whichever process it was compared."""
    return report_html(result.named(*names) if names else result, name=name, home="../index.html")


def corpus_index(result: CorpusComparison, pages: list[str], names: tuple[str, str] | None = None) -> str:
    """The page of a corpus; ``pages`` are the addresses of the pairs' pages, in order (those that are missing have no
    link), ``names`` what the corpora are called."""
    style = static("page.css")
    addresses = [*pages, *[""] * (len(result.pairs) - len(pages))]
    rows: list[dict[str, Any]] = [
        {
            "name": pair.name,
            "page": address,
            "cost": cost_of(pair),
            "argument": pair.over["propositional"].mean["kappa"],
            "cass": pair.cass["kappa"],
            "caveats": len(pair.warnings),
        }
        for pair, address in zip(result.pairs, addresses, strict=True)
    ]
    rows.sort(key=lambda row: -row["cost"])
    page = (
        environment()
        .get_template("corpus.html.j2")
        .render(
            names=names or result.names,
            texts=len(result.texts),
            numbers=list(_numbers(result)),
            level=f"{result.with_intervals.level * 100:.4g}" if result.with_intervals else "",
            rows=rows,
            caveats=list(_caveats(result)),
            signature=result.signature,
            policy=policy([], [style]),
            style=Markup(style),
        )
    )
    return clean(page)


def cost_of(pair: PairResult) -> int:
    """How many decisions of a pair differ: what its matrices have off their diagonals."""
    return sum(
        sum(map(sum, matrix.rows)) - sum(matrix.rows[n][n] for n in range(len(matrix.labels)))
        for matrix in pair.matrices.values()
    )


def _numbers(result: CorpusComparison) -> Iterator[tuple[str, float | None, float | None, float | None]]:
    """The name, value and interval, where there is one, of the two numbers on top."""
    intervals: Any = result.with_intervals.macro if result.with_intervals else {}
    over = result.macro.over
    for name, number, value in (
        ("argument M", PooledNumber("mean", "propositional", "kappa"), over["propositional"].mean["kappa"]),
        ("CASS", PooledNumber("cass", "all", "kappa"), over["all"].cass["kappa"]),
    ):
        found = intervals.get(number)
        yield name, value, found.low if found else None, found.high if found else None


def _caveats(result: CorpusComparison) -> Iterator[str]:
    for name, why in result.failed:
        yield f"{name} was not compared: {why}"
    for which, names in zip(("first", "second"), result.unpaired, strict=True):
        if names:
            more = f" and {len(names) - 8} more" if names[8:] else ""
            yield f"only the {which} corpus has {', '.join(names[:8])}{more}"
    yield from (notice.message for notice in result.notices)
    yield from result.look_out
