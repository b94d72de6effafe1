"""US2016 (Visser et al. 2020) and QT30 (Hautli-Janisz et al. 2022) as they are downloaded from AIFdb: nodesets.

The maps are AIF already; what is added is the count of nodes by type and sub-corpus, for the tables of papers. Maps of
AIFdb share nodes, so a node counts once in a sub-corpus, by its id, however many maps it is in.
"""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.corpus.corpus import open_corpus
from aifgraph.datasets.dataset import Dataset, UniqueNames, file_name
from aifgraph.errors import AifgraphError, InputError
from aifgraph.formats.losses import NODE_KINDS
from aifgraph.graph import ArgumentGraph


class _Nodesets(Dataset):
    """An archive or a folder of ``nodesetN.json``; folders in it are sub-corpora and stay in the maps' names.

    After reading, ``counts`` has the number of nodes by type, each id once; where there are several sub-corpora, that
    of each, too.
    """

    def maps(self) -> Iterator[ArgumentGraph]:
        corpus = open_corpus(self.path)
        if not len(corpus):
            remedy = f"give the archive or the folder that `aifgraph fetch corpus {self.name}` has made"
            raise InputError("there are no maps in it", where=str(self.path), remedy=remedy)
        known: dict[str, set[tuple[str, str]]] = {}
        names: dict[str, UniqueNames] = {}
        for entry in corpus:
            part, _, last = entry.name.rpartition("/")
            try:
                graph = entry.load()
            except AifgraphError as error:
                self.problems.add("document", f"{error.what}; it is skipped", entry.path)
                continue
            known.setdefault(part, set()).update((node.type, node.id) for node in graph)
            above = "".join(f"{file_name(step)}/" for step in part.split("/") if step)
            if self.propositions_only:
                graph = graph.subgraph(graph.propositions, anchors=False)
            yield graph.with_name(above + names.setdefault(above, UniqueNames()).unique(last))
        self._count("", set().union(*known.values()))
        for part, nodes in known.items() if len(known) > 1 else ():
            self._count(f"{part}: ", nodes)

    def _count(self, prefix: str, nodes: set[tuple[str, str]]) -> None:
        for type_, kind in NODE_KINDS.items():
            number = sum(node[0] == type_ for node in nodes)
            if number:
                self.counts[f"{prefix}{kind}, each id once"] = number


class Us2016(_Nodesets):
    """Presidential debates of 2016 and what was written about them."""

    name = "us2016"
    title = "US2016"


class Qt30(_Nodesets):
    """Thirty episodes of the BBC's Question Time."""

    name = "qt30"
    title = "QT30"
