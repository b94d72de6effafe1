"""The pages of a corpus: ``index.html`` with every pair as a dot and a row, and next to it a page for each pair.

Names from maps are never used as names of files.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from math import ceil, floor, sqrt
from os import PathLike
from pathlib import Path
from statistics import median
from typing import Any, Final

from aifgraph.comparison.maps import PairNames
from aifgraph.comparison.result import Comparison
from aifgraph.corpus.corpus import CorpusLike
from aifgraph.corpus.pairing import MIN_SIMILARITY, PairedCorpora, Pairing
from aifgraph.errors import InputError
from aifgraph.evaluation.record import PairKey
from aifgraph.evaluation.result import CorpusComparison
from aifgraph.evaluation.run import PairTask, compare_corpora
from aifgraph.files import new_folder, write_atomic
from aifgraph.options import Options
from aifgraph.printable import pluralize, shortened
from aifgraph.report.html import format_number, render_page, static
from aifgraph.report.page import report_html
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import NONE, ConfusionMatrix
from aifgraph.tables import render

#: Downloads beside ``index.html``, by their names there.
DOWNLOADS: Final = {
    "scores.csv": "all numbers (CSV)", "pairs.csv": "the pairs (CSV)", "result.json": "everything (JSON)",
    "table.tex": "a table for a paper (LaTeX)",
}  # fmt: skip
_OURS: Final = re.compile(rf"index\.html|pairs|pairs/[0-9a-f]{{16}}\.html|{'|'.join(map(re.escape, DOWNLOADS))}")
#: Begins ``index.html``, and tells these pages from those of somebody else.
_MARK: Final = '<meta name="generator" content="aifgraph pages">'
#: The folder for what is not whole yet.
_NEW: Final = ".aifgraph-new"
#: What a bar shows, by the groups of differences that are of this kind.
KINDS: Final = {
    "relations": "relations", "illocutions": "illocutions", "propositions": "units", "locutions": "units",
    "transitions": "transitions", "": "wording",
}  # fmt: skip
#: The caveats of a pair in a word or two; its page has them in full.
TAGS: Final = {
    "same map": "same map twice", "one empty": "one side empty", "both empty": "both empty", "few": "few labels",
    "different documents": "different texts?", "no match": "nothing matches", "wording": "matched by place",
    "meaning": "matched by meaning", "reconstructed": "unsaid claims",
}  # fmt: skip
_SAYS: Final = {"RA": "supports", "CA": "attacks", "MA": "rephrases", "PA": "prefers", NONE: "no relation"}
#: The strip plot: half of its rows of dots at most, and the letters of a text's beginning.
_MAX_ROWS, _WORDS = 11, 110


def check_folder(folder: str | PathLike[str]) -> Path:
    """Return the folder if pages can be written there: it is new or empty, or holds only the pages of an earlier
    result."""
    path = Path(folder)
    if path.is_file():
        raise InputError("this is a file", where=str(path), remedy="name a folder for the pages of a corpus")
    inside = [name for entry in path.rglob("*") if _NEW not in (name := entry.relative_to(path).as_posix())]
    index = path / "index.html"
    ours = index.is_file() and _MARK in index.read_text("utf-8", "replace")[:1000]
    if other := [name for name in inside if not ours or not _OURS.fullmatch(name)]:
        what = f"this folder has files that aifgraph did not write, such as {other[0]}"
        raise InputError(what, where=str(path), remedy="name a new folder")
    return path


def write_pages(
    folder: str | PathLike[str],
    first: CorpusLike,
    second: CorpusLike,
    *,
    pair_by: str | PathLike[str] | Pairing = "name",
    min_text: float = MIN_SIMILARITY,
    names: tuple[str, str] | None = None,
    options: Options | None = None,
    bootstrap: Bootstrap | None = None,
    **how: Any,
) -> CorpusComparison:
    """Compare two corpora, and write a page for each pair and ``index.html`` for the whole.

    Args:
        folder: a folder that is new, empty, or has earlier pages; these are replaced when all new ones are written.
        first: a corpus or its path.
        second: the other corpus.
        pair_by: ``name``, ``text``, the path of a table of pairs, or a pairing.
        min_text: least similarity of texts that are paired by text.
        names: what the corpora are called.
        options: how to compare.
        bootstrap: how to make the intervals.
        how: what else ``compare_corpora`` takes.
    """
    path, options = check_folder(folder), options or Options()
    paired = PairedCorpora.from_corpora([first, second], names, pair_by, min_text, gold=True)
    (((one, other), pairing),) = paired.pairings.items()
    first, second = paired.corpora.values()
    with _swapped(path) as made:
        (made / "pairs").mkdir()
        on_pair = partial(_write_page, folder=made.absolute(), names=(one, other))
        how |= {"pair_by": pairing, "names": (one, other), "options": options, "on_pair": on_pair}
        result = compare_corpora(first, second, **how)
        with_intervals = result.with_intervals(bootstrap or Bootstrap(seed=options.seed))
        with_intervals.to_csv(made / "scores.csv")
        write_atomic(made / "pairs.csv", render([with_intervals.pairs_table()], "csv"))
        with_intervals.to_json(made / "result.json")
        with_intervals.to_latex(made / "table.tex")
        write_atomic(made / "index.html", _index(with_intervals, made, pairing.method))
    return result


@contextmanager
def _swapped(path: Path) -> Iterator[Path]:
    """Yield a folder whose files take the place of those at ``path`` when all are written; an error changes nothing."""
    was_there, new = path.is_dir(), path / _NEW
    path.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(new, ignore_errors=True)  # of a run that was killed
    try:
        with new_folder(new) as made:
            yield made
            check_folder(path)  # again: that may have been an hour ago
        for entry in sorted(new.iterdir(), key=lambda entry: entry.name == "index.html"):
            if (old := path / entry.name).is_dir():
                shutil.rmtree(old)
            entry.replace(old)
        new.rmdir()
    finally:
        if not was_there:
            with suppress(OSError):  # it has the pages
                path.rmdir()


def _write_page(task: PairTask, result: Comparison, folder: Path, names: tuple[str, str]) -> None:
    """Write the page of a pair, and what its row says, in whichever process it was compared."""
    if task.key.missing:
        return
    named, page = result.renamed(PairNames(*names)), folder / _address(task.key)
    write_atomic(page, report_html(named, name=str(task.key), home="../index.html"))
    write_atomic(page.with_suffix(".json"), json.dumps(row_of(named)))


def _address(key: PairKey) -> str:
    return f"pairs/{blake2b(repr(key).encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}.html"


def row_of(compared: Comparison) -> dict[str, Any]:
    """Return what the row of a pair says."""
    found = compared.differences()
    kinds = Counter(KINDS["" if row.kind == "reworded" else row.group] for row in found)
    said = (node.text for node in compared.graphs[0] if node.type in ("I", "L"))
    text = next((side.text.text for side in compared.alignment.sides if side.text), "") or next(said, "")
    return {
        "words": shortened(text, _WORDS),
        "argument": compared.layers["propositional"].mean["kappa"],
        "cass": compared.cass["kappa"],
        "labels": found.labels,
        "cost": found.cost,
        "kinds": {kind: kinds[kind] for kind in dict.fromkeys(KINDS.values()) if kinds[kind]},
        "tags": [(TAGS.get(caveat.code, caveat.code), caveat.message) for caveat in compared.caveats],
    }


def measured(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Put the row of the pair with the lowest argument M-κ first; return the rows, their scales, and their kinds."""
    for row in rows:
        row["count"] = sum(row["kinds"].values())
        row["rate"] = 100 * row["cost"] / row["labels"] if row["labels"] else None
    rows.sort(key=lambda row: (row["argument"] is None, row["argument"], -(row["rate"] or 0.0)))
    kinds = Counter(kind for row in rows for kind in row["kinds"])
    return {
        "rows": rows,
        "low": min([0.0, *(row["argument"] for row in rows if row["argument"] is not None)]),
        "most": max([1.0, *(row["rate"] for row in rows if row["rate"] is not None)]),
        "kinds": [kind for kind in dict.fromkeys(KINDS.values()) if kinds[kind]],
    }


def _index(result: CorpusComparison, folder: Path, method: str) -> str:
    """Return the page of the whole, which leads to the pages in the folder."""
    rows: list[dict[str, Any]] = []
    for pair in result.pairs:
        page = folder / _address(PairKey(*pair.names))
        rows.append(
            {"name": pair.name, "page": f"pairs/{page.name}", **json.loads(page.with_suffix(".json").read_bytes())}
        )
        page.with_suffix(".json").unlink()
    argument, header = result.macro["argument M-kappa"], result.header
    matrices = [
        pair.matrices["propositional_relations"] for pair in result.pairs if "propositional_relations" in pair.matrices
    ]
    unpaired = zip(header.names, (header.unpaired_first, header.unpaired_second), strict=True)
    return render_page(
        "corpus.html.j2",
        script=static("tables.js"),
        names=header.names,
        argument=argument,
        cass=result.macro["CASS-kappa"],
        level=f"{result.bootstrap.level * 100:.4g}" if result.bootstrap else "",
        **measured(rows),
        strip=strip(rows, argument),
        matrix=heat(sum(matrices[1:], matrices[0]), header.names) if matrices else None,
        method={"name": "by name", "text": "by text"}.get(method, "by a table"),
        coverage=result.coverage,
        alone={f"Only {name} has": texts for name, texts in unpaired if texts},
        failed=result.failed,
        caveats=[*(notice.message for notice in result.notices), *result.caveats],
        downloads=DOWNLOADS,
        signature=result.how.short,
    )


def strip(rows: Sequence[dict[str, Any]], mean: Any) -> dict[str, Any]:
    """Return where the strip plot has what: across in per cent, so that it fits every screen; up and down in pixels."""
    shown = sorted((row for row in rows if row["argument"] is not None), key=lambda row: row["argument"])
    low = floor(min([0.0, *(row["argument"] for row in shown)]) * 5) / 5
    widest = 11 if len(shown) <= 60 else 7 if len(shown) <= 200 else 4
    most = max([1, *(row["labels"] for row in shown)])

    def across(value: float) -> Any:
        return round(2 + 96 * (value - low) / (1 - low), 2)

    taken: dict[int, float] = {}  # row of dots → where its last dot ends
    dots = []
    for number, row in enumerate(shown):
        x, r = across(row["argument"]), max(0.36 * widest, widest * sqrt(row["labels"] / most))
        free = (n for n in sorted(range(-_MAX_ROWS, _MAX_ROWS + 1), key=abs) if taken.get(n, 0.0) < x - r / 7.5)
        at = next(free, number % (2 * _MAX_ROWS + 1) - _MAX_ROWS)
        taken[at] = x + r / 7.5
        dots.append((x, at * 1.3 * widest, round(r, 1), row))
    half = max([26.0, *(abs(y) + r + 4 for _, y, r, _ in dots)])
    ends = [across(end) for end in (mean.low, mean.high)] if mean.low is not None else []
    middle = median(row["argument"] for row in shown) if shown else None
    ticks = [(across(n / 5), format_number(n / 5, 1)) for n in range(round(low * 5), 6)]
    return {
        "dots": [(x, round(24 + half + y), r, row) for x, y, r, row in dots], "height": round(2 * half), "ticks": ticks,
        "mean": across(mean.value) if mean.value is not None else None, "band": ends, "median": middle,
        "without": len(rows) - len(shown),
    }  # fmt: skip


def heat(matrix: ConfusionMatrix, names: Sequence[str]) -> dict[str, Any]:
    """Return a matrix with a shade of 0 to 9 for each cell, and its largest disagreement as a sentence."""
    labels = [_SAYS.get(label, label) for label in matrix.labels]
    counts = {(i, j): n for i, row in enumerate(matrix.rows) for j, n in enumerate(row)}
    nothing = (len(labels) - 1,) * 2 if matrix.labels[-1] == NONE else None  # would dwarf the rest
    most = max([n for at, n in counts.items() if at != nothing], default=0) or 1
    count, (i, j) = max(((n, at) for at, n in counts.items() if at[0] != at[1]), default=(0, (0, 0)))

    def cell(at: tuple[int, int], n: int) -> tuple[int, str]:
        return n, "" if at == nothing else f"{'same' if at[0] == at[1] else 'off'} h{ceil(9 * sqrt(n / most))}"

    return {
        "labels": labels,
        "rows": [(label, [cell((i, j), n) for j, n in enumerate(matrix.rows[i])]) for i, label in enumerate(labels)],
        "largest": f"{names[0]} has “{labels[i]}” and {names[1]} “{labels[j]}” ({pluralize(count, 'times')})"
        if count
        else "",
    }
