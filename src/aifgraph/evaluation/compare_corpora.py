"""``compare_corpora``: every pair of two corpora, and the numbers of the whole.

One unreadable map does not stop a corpus: it is listed under ``failed``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aifgraph.comparison.compare import Comparison, chosen_options
from aifgraph.comparison.measures.registry import measure
from aifgraph.comparison.options import Options
from aifgraph.comparison.signature import signature
from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.pairing import Pairing, pair
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.distribution import Distribution, distribution
from aifgraph.evaluation.intervals import Intervals, intervals_of
from aifgraph.evaluation.pair_task import PairResult, Task
from aifgraph.evaluation.pooled import Means, PairSummary, macro, micro, missing_summary
from aifgraph.evaluation.results import ResultLines, ResultsFile
from aifgraph.evaluation.workers import Workers, compare_all
from aifgraph.graph import Notice
from aifgraph.stats.bootstrap import Method
from aifgraph.version import __version__

#: From this many pairs on, results are kept in a file and not in memory, asked or not.
SPOOL = 20_000


@dataclass(frozen=True)
class CorpusComparison:
    """How two corpora agree: a summary per pair, ``macro`` and ``micro``, what had no partner, and what failed.

    ``pairs`` is read from the results file where there is one.
    """

    pairs: Sequence[PairSummary]
    options: Options
    missing: str
    unpaired: tuple[tuple[str, ...], tuple[str, ...]]
    failed: tuple[tuple[str, str], ...]
    notices: tuple[Notice, ...] = ()
    kept: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    _folder: Any = field(default=None, repr=False)  # of a results file that nobody asked for: goes with this object

    @property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        return signature(self.options, f"missing:{self.missing}")

    @cached_property
    def macro(self) -> dict[str, Any]:
        """Means over pairs, fused: ``macro["cass"]["kappa"]``."""
        return macro(self.counted)

    @cached_property
    def micro(self) -> dict[str, Any]:
        """The scores of the summed counts."""
        return micro(self.pairs)

    @property
    def counted(self) -> Iterable[PairSummary]:
        """The pairs, and with ``missing="zero"`` the texts that only one side has."""
        if self.missing == "skip":
            return self.pairs
        return chain(self.pairs, map(missing_summary, chain(*self.unpaired)))

    @property
    def details(self) -> Iterator[dict[str, Any]]:
        """The whole result of every pair, where it was kept."""
        if isinstance(self.pairs, ResultLines):
            return (
                {"name": record["name"], **record["comparison"]}
                for record in self.pairs.records()
                if "comparison" in record
            )
        return iter(self.kept)

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values (``schemas/corpus-comparison.schema.json``)."""
        return {
            "aifgraph": __version__,
            "signature": self.signature,
            "pairs": list(self.details),
            "macro": self.macro,
            "micro": self.micro,
            "unpaired": {"first": list(self.unpaired[0]), "second": list(self.unpaired[1])},
            "failed": [{"name": name, "error": error} for name, error in self.failed],
            **({"measures": self.measures} if self.measures else {}),
            "warnings": [notice.message for notice in self.notices],
        }

    def intervals(
        self, *, rounds: int = 1000, seed: int = 0, level: float = 0.95, method: Method = "percentile"
    ) -> Intervals:
        """Bootstrap intervals over pairs, of every number of ``macro`` and ``micro``; ``method`` may be ``bca``."""
        return intervals_of(self.counted, rounds=rounds, seed=seed, level=level, method=method)

    def distribution(self, score: str = "kappa") -> Distribution | None:
        """How the pairs' CASS of a score is spread."""
        return distribution((pair.name, pair.cass[""][score]) for pair in self.counted)

    @cached_property
    def measures(self) -> dict[str, float | None]:
        """The mean over pairs of every measure beside CASS that was asked for."""
        found = Means()
        names: dict[str, None] = {}
        for each in self.pairs:
            found.add(each.measures)
            names |= dict.fromkeys(each.measures)
        return {name: found[name] for name in names}

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair, for a data frame."""
        return [pair_row(pair) for pair in self.pairs]

    def __repr__(self) -> str:
        kappa = self.macro["cass"]["kappa"]
        shown = "–" if kappa is None else f"{kappa:.3f}"
        return f"<CorpusComparison {len(self.pairs)} pairs, macro CASS-κ {shown}>"


def pair_row(pair: PairSummary) -> dict[str, Any]:
    """A pair's S, M and CASS of every score in one flat row."""
    return {
        "name": pair.name,
        "n": pair.n,
        "S": pair.S,
        **{f"M_{name}": value for name, value in pair.means[""].items()},
        **{f"cass_{name}": value for name, value in pair.cass[""].items()},
        **pair.measures,
    }


def compare_corpora(
    first: Corpus | str | PathLike[str],
    second: Corpus | str | PathLike[str],
    *,
    pair_by: str | PathLike[str] = "name",
    missing: str = "skip",
    options: Options | None = None,
    details: bool = True,
    measures: Iterable[str] = (),
    n_jobs: int = 1,
    workers: Workers | None = None,
    results: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], None] | None = None,
    seen: Callable[[str, Comparison], None] | None = None,
    **choices: Any,
) -> CorpusComparison:
    """Compare two corpora pair by pair.

    ``pair_by`` is ``name``, ``text`` or a mapping file with columns ``first`` and ``second``; ``missing`` says whether
    a text that only one corpus has is left out (``skip``) or scores 0 (``zero``). With ``details`` the whole result of
    every pair is kept for ``to_dict``. ``progress`` is called with the pairs done and their number,
    ``seen`` with the name and the comparison of every pair, which is then let go (in one process only).

    ``measures`` names measures that are computed beside CASS for every pair (``aifgraph metrics`` lists them).

    ``n_jobs`` processes share the work (−1: one a core), or ``workers`` does, on this machine or on a Dask cluster; the
    numbers are the same. ``results`` is a file of JSON lines that is written on the way and holds the pairs, so that
    memory does not grow with them; with ``resume``, a run that stopped goes on from it.

    Raises:
        InputError: the two corpora have no pair; the results file is there already, or is that of another run.
        OptionError: an option that is not one.
        RemoteError: a worker process died, or the scheduler is not there or goes away.
    """
    if missing not in ("skip", "zero"):
        raise OptionError(f"missing is {missing!r}", remedy="choose skip or zero")
    if resume and results is None:
        raise OptionError("there is nothing to resume", remedy="name the file of results")
    chosen = chosen_options(options, choices)
    beside = tuple(measure(name).name for name in measures)
    hands = workers or Workers(n_jobs)
    if seen and (resume or not hands.alone):
        raise OptionError(
            "comparisons are handed over in one process and from the first pair on", remedy="set jobs to 1"
        )
    one = first if isinstance(first, Corpus) else open_corpus(first)
    other = second if isinstance(second, Corpus) else open_corpus(second)
    pairing = pair(one, other, pair_by)
    notices = (*one.notices, *(other.notices if other is not one else ()), *pairing.notices)
    if not len(pairing) and missing == "skip":
        why = next((notice.message for notice in notices if notice.code in ("pair-none", "corpus-empty")), "")
        raise InputError(
            f"the two corpora have no map in common{f': {why}' if why else ''}",
            where=f"{one.path}, {other.path}",
            remedy=None if why else "pair by text or by a mapping file",
        )
    unpaired = (
        tuple(entry.name for entry in pairing.unpaired_first),
        tuple(entry.name for entry in pairing.unpaired_second),
    )
    folder: Any = None
    if results is None and len(pairing) >= SPOOL:
        folder = TemporaryDirectory(prefix="aifgraph-")
        results = Path(folder.name) / "results.jsonl"
    if results is None:
        kept = list(
            _reported(
                compare_all(pairing, len(pairing), Task(chosen, details, measures=beside, seen=seen), hands),
                0,
                pairing,
                progress,
            )
        )
        return CorpusComparison(
            tuple(each.summary for each in kept if each.summary),
            chosen,
            missing,
            unpaired,
            tuple((each.name, each.error) for each in kept if not each.summary),
            notices,
            tuple({"name": each.name, **each.details} for each in kept if each.details),
        )
    path = Path(results)
    task = Task(chosen, details, digests=folder is None, measures=beside, seen=seen)
    with ResultsFile(path, signature(chosen), pairing, details=details, resume=resume, measures=beside) as file:
        rest = pairing.pairs[file.done :]
        for each in _reported(compare_all(rest, len(rest), task, hands), file.done, pairing, progress):
            file.append(each)
    lines = ResultLines(path)
    return CorpusComparison(lines, chosen, missing, unpaired, lines.failed, notices, _folder=folder)


def _reported(
    found: Iterable[PairResult], done: int, pairing: Pairing, progress: Callable[[int, int], None] | None
) -> Iterator[PairResult]:
    """The results, with a word to ``progress`` about each."""
    for number, each in enumerate(found, done + 1):
        yield each
        if progress:
            progress(number, len(pairing))
