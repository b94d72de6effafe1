"""The pages of a corpus: ``index.html`` with every pair in a table, and next to it a page for each pair.

Names from maps are never used as names of files.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from markupsafe import Markup

from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.sides import checked_names
from aifgraph.errors import AifgraphError, InputError
from aifgraph.evaluation.record import PairKey
from aifgraph.evaluation.result import CorpusComparison
from aifgraph.evaluation.run import PairTask, compare_each
from aifgraph.files import write_atomic
from aifgraph.report.html import clean, environment, policy, style
from aifgraph.report.page import report_html
from aifgraph.stats.resampling import Bootstrap

#: What a folder of pages holds.
_OURS = {"index.html", "pairs"}


class CorpusPages:
    """Writes the pages of a corpus comparison into a folder, and the index last.

    Args:
        directory: a folder that is new or empty, or, with ``force``, has earlier pages.
        force: whether to remove earlier pages first; pages of two results are never mixed.
        names: what the two sides are called; None for the names of the maps.

    Raises:
        InputError: the folder holds something else, or earlier pages without ``force``.

    ::

        pairing = aifgraph.pair("ann/", "ben/", "text")
        pages = CorpusPages("report")
        pages.write(pair_tasks(pairing))
        pages.index(aifgraph.compare_corpora("ann/", "ben/", pair_by=pairing))
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
        self.pages: dict[PairKey, str] = {}
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

    def write(self, tasks: Sequence[PairTask], options: Options | None = None, **how: Any) -> None:
        """Compare pairs and write their pages; ``how`` is ``jobs`` and ``progress``. What fails has no page."""
        self._begin()
        made = compare_each(partial(_page_of, names=self.names), tasks, options or Options(), **how)
        for key, page in made:
            if not isinstance(page, AifgraphError):
                address = f"pairs/{len(self.pages) + 1:05d}.html"
                write_atomic(self.directory / address, page)
                self.pages[key] = address

    def index(self, result: CorpusComparison, bootstrap: Bootstrap | None = None) -> Path:
        """Write the page of the whole, ``index.html``, with intervals if there is a bootstrap."""
        self._begin()
        path = self.directory / "index.html"
        write_atomic(path, corpus_index(result, self.pages, self.names, bootstrap))
        return path


def _page_of(name: str, result: Comparison, names: tuple[str, str] | None) -> str:
    """The page of a pair, in whichever process it was compared."""
    return report_html(result.named(*names) if names else result, name=name, home="../index.html")


def corpus_index(
    result: CorpusComparison,
    pages: Mapping[PairKey, str],
    names: tuple[str, str] | None = None,
    bootstrap: Bootstrap | None = None,
) -> str:
    """The page of a corpus; ``pages`` are the addresses of the pairs' pages, ``names`` what the corpora are called."""
    rows: list[dict[str, Any]] = [
        {
            "name": pair.name,
            "page": pages.get(PairKey(*pair.names), ""),
            "cost": cost_of(pair),
            "argument": pair.layers["propositional"].mean["kappa"],
            "cass": pair.cass["kappa"],
            "caveats": len(pair.notices),
        }
        for pair in result.pairs
    ]
    rows.sort(key=lambda row: -row["cost"])
    page = (
        environment()
        .get_template("corpus.html.j2")
        .render(
            names=names or ("the first corpus", "the second corpus"),
            texts=len(result.texts.texts),
            numbers=list(_numbers(result, bootstrap)),
            level=f"{bootstrap.level * 100:.4g}" if bootstrap else "",
            rows=rows,
            caveats=list(_caveats(result)),
            signature=result.signed(bootstrap),
            policy=policy([], [style()]),
            style=Markup(style()),
        )
    )
    return clean(page)


def cost_of(pair: PairResult) -> int:
    """How many decisions of a pair differ: what its matrices have off their diagonals."""
    return sum(
        sum(map(sum, matrix.rows)) - sum(matrix.rows[n][n] for n in range(len(matrix.labels)))
        for matrix in pair.matrices.values()
    )


def _numbers(
    result: CorpusComparison, bootstrap: Bootstrap | None
) -> Iterator[tuple[str, float | None, float | None, float | None]]:
    """The name, value and interval, where there is one, of the two numbers on top."""
    macro, _ = result.with_intervals(bootstrap)
    for name in ("argument M", "CASS"):
        estimate = macro[f"{name}-kappa"]
        yield name, estimate.value, estimate.low, estimate.high


def _caveats(result: CorpusComparison) -> Iterator[str]:
    for name, why in result.failed.items():
        yield f"{name} was not compared: {why}"
    unpaired = (result.header.unpaired_first, result.header.unpaired_second)
    for which, names in zip(("first", "second"), unpaired, strict=True):
        if names:
            more = f" and {len(names) - 8} more" if names[8:] else ""
            yield f"only the {which} corpus has {', '.join(names[:8])}{more}"
    yield from (notice.message for notice in result.notices)
    yield from result.caveats
