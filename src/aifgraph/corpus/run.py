"""``compare_corpora``: every pair of two corpora, and the numbers of the whole.

One unreadable map does not stop a corpus: it is listed under ``failed``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

from aifgraph.corpus.comparison import Comparison, compare
from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.pairing import Pair, Pairing, pair
from aifgraph.corpus.pooled import PairSummary, macro, micro, missing_summary, summary_of
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.graph import Notice
from aifgraph.metrics.options import Options
from aifgraph.metrics.signature import signature
from aifgraph.version import __version__


@dataclass(frozen=True)
class CorpusComparison:
    """How two corpora agree: a summary per pair, ``macro`` and ``micro``, what had no partner, and what failed."""

    pairs: tuple[PairSummary, ...]
    options: Options
    missing: str
    unpaired: tuple[tuple[str, ...], tuple[str, ...]]
    failed: tuple[tuple[str, str], ...]
    notices: tuple[Notice, ...] = ()
    details: tuple[dict[str, Any], ...] = field(default=(), repr=False)

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

    @cached_property
    def counted(self) -> tuple[PairSummary, ...]:
        """The pairs, and with ``missing="zero"`` the texts that only one side has."""
        if self.missing == "skip":
            return self.pairs
        return self.pairs + tuple(map(missing_summary, (*self.unpaired[0], *self.unpaired[1])))

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
            "warnings": [notice.message for notice in self.notices],
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair, for a data frame."""
        return [
            {
                "name": pair.name,
                "n": pair.n,
                "S": pair.S,
                **{f"M_{name}": value for name, value in pair.means[""].items()},
                **{f"cass_{name}": value for name, value in pair.cass[""].items()},
            }
            for pair in self.pairs
        ]

    def __repr__(self) -> str:
        kappa = self.macro["cass"]["kappa"]
        shown = "–" if kappa is None else f"{kappa:.3f}"
        return f"<CorpusComparison {len(self.pairs)} pairs, macro CASS-κ {shown}>"


def compare_corpora(
    first: Corpus | str | PathLike[str],
    second: Corpus | str | PathLike[str],
    *,
    pair_by: str | PathLike[str] = "name",
    missing: str = "skip",
    options: Options | None = None,
    details: bool = True,
    progress: Callable[[int, int], None] | None = None,
    seen: Callable[[str, Comparison], None] | None = None,
    **choices: Any,
) -> CorpusComparison:
    """Compare two corpora pair by pair.

    ``pair_by`` is ``name``, ``text`` or a mapping file with columns ``first`` and ``second``; ``missing`` says whether
    a text that only one corpus has is left out (``skip``) or scores 0 (``zero``). With ``details`` the whole result of
    every pair is kept for ``to_dict``. ``progress`` is called with the pairs done and their number,
    ``seen`` with the name and the comparison of every pair, which is then let go.
    """
    if missing not in ("skip", "zero"):
        raise OptionError(f"missing is {missing!r}", remedy="choose skip or zero")
    from aifgraph.corpus.comparison import _options

    chosen = _options(options, choices)
    one = first if isinstance(first, Corpus) else open_corpus(first)
    other = second if isinstance(second, Corpus) else open_corpus(second)
    pairing = pair(one, other, pair_by)
    summaries: list[PairSummary] = []
    found: list[dict[str, Any]] = []
    failed: list[tuple[str, str]] = []
    for done, (name, result) in enumerate(compare_pairs(pairing, chosen), 1):
        if isinstance(result, Comparison):
            summaries.append(summary_of(result, name))
            if seen:
                seen(name, result)
            if details:
                found.append({"name": name, **result.to_dict()})
        else:
            failed.append((name, str(result)))
        if progress:
            progress(done, len(pairing))
    unpaired = (
        tuple(entry.name for entry in pairing.unpaired_first),
        tuple(entry.name for entry in pairing.unpaired_second),
    )
    notices = (*one.notices, *(other.notices if other is not one else ()), *pairing.notices)
    return CorpusComparison(tuple(summaries), chosen, missing, unpaired, tuple(failed), notices, tuple(found))


def compare_pairs(pairing: Pairing, options: Options) -> Iterator[tuple[str, Comparison | AifgraphError]]:
    """The name and the comparison of every pair, in order; its error where a map cannot be read."""
    for each in pairing:
        try:
            result: Comparison | AifgraphError = compare(each.first.load(), each.second.load(), options=options)
        except AifgraphError as error:
            result = error
        yield pair_name(each), result


def pair_name(each: Pair) -> str:
    """The name that both maps have, or both names."""
    return each.first.name if each.first.name == each.second.name else f"{each.first.name} ~ {each.second.name}"
