"""Argument reasoning comprehension, SemEval-2018 task 12 (Habernal et al. 2018): reason, claim and two warrants.

The reason and the right warrant support the claim together (one RA, linked premises); the other warrant is an I-node
outside the argument. Without labels neither warrant is a premise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path

from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.keeping import Names, rows_back, table_file, write_table
from aifgraph.datasets.rows import lines_of, tsv_rows
from aifgraph.errors import NotFoundError
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

LABEL = "correctLabelW0orW1"
COLUMNS = ("#id", "warrant0", "warrant1", "reason", "claim", "debateTitle", "debateInfo")


class Arct(Dataset):
    """A ``*-full.txt`` table, or a ``*-only-data.txt`` one with its ``labels`` file (or without): a map an instance."""

    name = "arct"
    title = "Argument reasoning comprehension (SemEval-2018 task 12)"
    writes = True

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        labels: str | PathLike[str] | None = None,
        strict: bool = False,
        propositions_only: bool = False,
    ) -> None:
        super().__init__(path, strict=strict, propositions_only=propositions_only)
        self.labels = None if labels is None else Path(labels)

    def maps(self) -> Iterator[ArgumentGraph]:
        path = table_file(self.path, "*.txt")
        labels = self._labels() if self.labels else {}
        names = Names()
        seen: set[tuple[str, str]] = set()
        for row in tsv_rows(path, self.problems, COLUMNS):
            id_ = row.cells["#id"]
            if (id_, row.cells["warrant0"]) in seen:
                # The training data with swapped warrants holds each id twice, which is no mistake.
                self.problems.add("duplicate", f"{id_} is given twice", path.name, row.line)
            seen.add((id_, row.cells["warrant0"]))
            label = row.cells.get(LABEL, labels.get(id_, "")).strip()
            if label not in ("0", "1", ""):
                self.problems.add("label", f"the label of {id_} is {label[:20]!r}, not 0 or 1", path.name, row.line)
                label = ""
            if not label:
                self.tallies["without label"] += 1
            yield self._map(names.unique(id_), row.line, row.cells, label)

    def _labels(self) -> dict[str, str]:
        assert self.labels is not None
        if not self.labels.is_file():
            raise NotFoundError("the labels are missing", where=str(self.labels))
        found: dict[str, str] = {}
        for number, line in lines_of(self.labels, self.problems, self.labels.name):
            if not line.strip() or line.startswith("#"):
                continue
            id_, *rest = line.split()
            if len(rest) != 1 or rest[0] not in ("0", "1"):
                self.problems.add("label", "not an id and a label 0 or 1", self.labels.name, number)
            elif id_ in found:
                self.problems.add("duplicate", f"{id_} is given twice", self.labels.name, number)
            else:
                found[id_] = rest[0]
        return found

    def _map(self, name: str, line: int, cells: Mapping[str, str], label: str) -> ArgumentGraph:
        build = GraphBuilder(name=name)
        claim = build.proposition(cells["claim"], record={"arct": {"role": "claim"}})
        reason = build.proposition(cells["reason"], record={"arct": {"role": "reason"}})
        premises = [reason]
        for which in ("0", "1"):
            role = "warrant" if label == which else "alternative warrant" if label else "candidate warrant"
            warrant = build.proposition(
                cells[f"warrant{which}"], record={"arct": {"role": role, "warrant": int(which)}}
            )
            premises += [warrant] if role == "warrant" else []
        support = build.node("RA", DEFAULT_TEXTS["RA"])
        for number, premise in enumerate(premises, 1):
            role = "reason" if premise == reason else "warrant"
            build.edge(premise, support, id=str(number), record={"role": role})
        build.edge(support, claim, id=str(len(premises) + 1), record={"role": "claim"})
        beside = {"debateTitle": cells["debateTitle"], "debateInfo": cells["debateInfo"]}
        return build.graph(aif={"arct": {**beside, "label": label, "line": line, "row": dict(cells)}})

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """The table of maps that came from one, with its labels if it had them; gives the file written."""
        return [write_table(rows_back(graphs, "arct"), Path(path))]
