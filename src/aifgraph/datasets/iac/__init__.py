"""What the two versions of the corpus have in common: options, relations made of mean agreement, links of posts.

Walker et al. (LREC 2012) call a response agreeing from a mean of 1 on the scale −5 … 5, and disagreeing to −1; AIFdb's
own conversion draws the line at 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from aifgraph.datasets.dataset import Dataset
from aifgraph.errors import OptionError

K = TypeVar("K", bound=Hashable)
#: What is done in a transition that makes a relation: IAT's illocutions for each.
ILLOCUTIONS = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating"}


@dataclass(eq=False, kw_only=True)
class IacDataset(Dataset):
    """The options of both versions: mean agreement from ``agree`` upwards is RA, to ``disagree`` downwards CA, between
    them nothing. One ``threshold`` T means T and −T; the defaults are 1 and −1.

    >>> from aifgraph.datasets import open_dataset
    >>> paper = open_dataset("iac2", "fixtures/datasets/iac2/small.sql")
    >>> [paper.relation(mean) for mean in (1.0, 0.9, -1.0, None)]
    ['RA', None, 'CA', None]
    """

    threshold: float | None = None
    agree: float | None = None
    disagree: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold is not None:
            if self.agree is not None or self.disagree is not None:
                raise OptionError("threshold and agree or disagree are given", remedy="give the one or the others")
            if not 0 <= self.threshold <= 5:
                raise OptionError(f"threshold is {self.threshold}", remedy="give a number from 0 to 5")
        lower, upper = self.limits
        if not -5 <= lower <= upper <= 5:
            raise OptionError(f"agree is {upper} and disagree {lower}", remedy="give −5 ≤ disagree ≤ agree ≤ 5")

    @property
    def limits(self) -> tuple[float, float]:
        """Where disagreement ends, and where agreement begins."""
        if self.threshold is not None:
            return -self.threshold if self.threshold else 0, self.threshold
        return -1.0 if self.disagree is None else self.disagree, 1.0 if self.agree is None else self.agree

    def relation(self, agreement: float | None) -> str | None:
        """``RA``, ``CA`` or ``None``; no agreement, no relation."""
        lower, upper = self.limits
        if agreement is None:
            return None
        return "RA" if agreement >= upper else "CA" if agreement <= lower else None


def present(values: Mapping[str, Any], *without: str) -> dict[str, Any]:
    """The entries of a record that have a value, except those named.

    >>> present({"points": 3, "line": 7, "url": None}, "line")
    {'points': 3}
    """
    return {key: value for key, value in values.items() if value is not None and key not in without}


def closing_links(links: Iterable[tuple[K, K]]) -> set[tuple[K, K]]:
    """The links (from, to) to leave out so that the rest has no circle; deterministic, linear.

    >>> sorted(closing_links([("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")]))
    [('c', 'a'), ('d', 'd')]
    """
    import networkx

    graph: networkx.DiGraph[K] = networkx.DiGraph(links)
    walked: set[K] = set()  # from the root to where the walk is
    closing: set[tuple[K, K]] = set()
    for start, end, kind in networkx.dfs_labeled_edges(graph):
        if kind == "forward":
            walked.add(end)
        elif kind == "reverse":
            walked.discard(end)
        elif end in walked:
            closing.add((start, end))
    return closing
