"""The pages of a corpus: ``index.html`` with every pair in a table, and next to it a page for each pair.

Names from maps are never used as names of files.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options, short_signature
from aifgraph.comparison.result import PairNames, PairResult
from aifgraph.corpus.corpus import CorpusLike, named_corpora
from aifgraph.corpus.pairing import MIN_SIMILARITY, pair
from aifgraph.errors import InputError
from aifgraph.evaluation.record import PairKey
from aifgraph.evaluation.result import CorpusComparison
from aifgraph.evaluation.run import PairTask, compare_corpora
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
    first: CorpusLike,
    second: CorpusLike,
    *,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    names: tuple[str, str] | None = None,
    options: Options | None = None,
    bootstrap: Bootstrap | None = None,
    **how: Any,
) -> CorpusComparison:
    """Compare two corpora, and write a page for each pair and ``index.html`` for the whole.

    Args:
        folder: a folder that is new, empty, or has earlier pages, which are removed: pages of two results never mix.
        first: a corpus or its path.
        second: the other corpus.
        pair_by: ``name``, ``text`` or the path of a table of pairs.
        min_text: least similarity of texts that are paired by text.
        names: what the corpora are called.
        options: how to compare.
        bootstrap: how to make the intervals.
        how: what else ``compare_corpora`` takes.
    """
    path, options = check_folder(folder), options or Options()
    (one, first), (other, second) = named_corpora([first, second], names).items()
    pairing = pair(first, second, pair_by, min_similarity=min_text)
    (path / "index.html").unlink(missing_ok=True)
    if (path / "pairs").is_dir():
        shutil.rmtree(path / "pairs")
    each = partial(_write_page, folder=path, names=(one, other))
    how |= {"pair_by": pairing, "names": (one, other), "options": options, "each": each}
    result = compare_corpora(first, second, **how)
    with_intervals = result.with_intervals(bootstrap or Bootstrap(seed=options.seed))
    write_atomic(path / "index.html", _index(with_intervals, path, (one, other)))
    return result


def _write_page(task: PairTask, result: Comparison, folder: Path, names: tuple[str, str]) -> None:
    """Write the page of a pair, in whichever process it was compared."""
    if task.key.missing:
        return
    named = replace(result, names=PairNames(*names))
    (folder / "pairs").mkdir(parents=True, exist_ok=True)
    write_atomic(folder / _address(task.key), report_html(named, name=str(task.key), home="../index.html"))


def _address(key: PairKey) -> str:
    return f"pairs/{blake2b(repr(key).encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}.html"


def _index(result: CorpusComparison, folder: Path, names: tuple[str, str]) -> str:
    """Return the page of the whole, which leads to the pages in the folder."""
    rows: list[dict[str, Any]] = [
        {
            "name": pair.name,
            "page": page if (folder / (page := _address(PairKey(*pair.names)))).exists() else "",
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
