"""RuArg-2022 (Kotelnikov et al. 2022): stance and premise of Russian comments towards three claims.

Labels are 2 (for), 1 (other; no argument), 0 (against), −1 (irrelevant). A comment is L → YA Asserting → I; for each
claim that it is relevant to there is an I-node; a premise for the claim is RA, one against it CA; a stance without
premise is Agreeing or Disagreeing from the locution to the claim; *other* is no relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path

from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.dialogue import Dialogue, Said
from aifgraph.datasets.keeping import Names, rows_back, table_file, write_table
from aifgraph.datasets.rows import tsv_rows
from aifgraph.graph import ArgumentGraph

#: The three claims, as the paper's annotation guide words them.
CLAIMS: Mapping[str, str] = {
    "masks": "Wearing masks is beneficial for society.",
    "quarantine": "The introduction and observance of quarantine is beneficial for society.",
    "vaccines": "Vaccination is beneficial for society.",
}
LABELS = ("2", "1", "0", "-1")
COLUMNS = ("text_id", "text", *(f"{claim}_{task}" for claim in CLAIMS for task in ("stance", "argument")))


class RuArg(Dataset):
    """A TSV table, labelled or not (empty labels): one map per comment."""

    name = "ruarg"
    title = "RuArg-2022"
    writes = True

    def maps(self) -> Iterator[ArgumentGraph]:
        path = table_file(self.path, "*.tsv")
        names = Names()
        seen: set[str] = set()
        for row in tsv_rows(path, self.problems, COLUMNS):
            id_ = row.cells["text_id"]
            if id_ in seen:
                self.problems.add("duplicate", f"text_id {id_} is given twice", path.name, row.line)
            seen.add(id_)
            yield self._map(names.unique(id_), row.line, row.cells, path.name)

    def _map(self, name: str, line: int, cells: Mapping[str, str], file: str) -> ArgumentGraph:
        talk = Dialogue(name, propositions_only=self.propositions_only)
        said = talk.say("", cells["text"].strip(), words=cells["text"])
        for claim, wording in CLAIMS.items():
            stance, argument = (self._label(cells, f"{claim}_{task}", file, line) for task in ("stance", "argument"))
            if (stance == "-1") != (argument == "-1"):
                self.tallies["relevant in one subtask only"] += 1
            if {stance, argument} == {"2", "0"}:
                self.tallies["stance and premise of opposite polarity"] += 1
            if {stance, argument} <= {"-1", ""}:
                continue
            record = {"ruarg": {"claim": claim, "stance": stance, "argument": argument}}
            target = Said(None, talk.build.proposition(wording, record=record))
            if argument in ("2", "0"):
                talk.relate("RA" if argument == "2" else "CA", said, target, "", None, record)
            elif stance in ("2", "0") and said.locution is not None:
                act = "Agreeing" if stance == "2" else "Disagreeing"
                talk.build.illocution(said.locution, target.proposition, act, record=record)
        return talk.graph("ruarg", {"line": line, "row": dict(cells)}, cells["text"])

    def _label(self, cells: Mapping[str, str], column: str, file: str, line: int) -> str:
        value = cells[column].strip()
        if value and value not in LABELS:
            self.problems.add("label", f"{column} is {value[:20]!r}, none of {', '.join(LABELS)}", file, line)
            return ""
        return value

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """The TSV table of maps that came from one; gives the file written."""
        return [write_table(rows_back(graphs, "ruarg"), Path(path))]
