"""``aifgraph formats``, ``metrics`` and ``schemes``: what there is to choose from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import say
from aifgraph.tables import Cell, Table

#: Kinds of things lost in a format that a line has room for.
_MAX_KINDS = 2


@dataclass(frozen=True, kw_only=True)
class Formats(Command):
    """The formats, and what is lost in them.

    What they are called, whether they are read and written, their suffixes.

    \b
    Examples:
      aifgraph formats
      aifgraph formats --format json
    """

    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.formats.registry import formats_table

        table = formats_table()
        if self.destination.format == "text":
            rows = [(*row, _in_short(str(lost)) if lost else None) for *row, lost in table.rows]
            table = replace(table, rows=rows, note="--format csv names every kind of thing that is lost.")
        return Output(tables=[table])


def _in_short(lost: str) -> str:
    """The first kinds of things that a format loses."""
    kinds = lost.split(", ")
    return ", ".join(kinds[:_MAX_KINDS]) + (f" and {len(kinds) - _MAX_KINDS} more" if kinds[_MAX_KINDS:] else "")


@dataclass(frozen=True, kw_only=True)
class Metrics(Command):
    """Every score and measure: formula, range, source.

    Those of CASS, and every other measure that `compare --metrics` computes.

    \b
    Examples:
      aifgraph metrics
      aifgraph metrics --format markdown
    """

    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.comparison.measures.registry import all_measures
        from aifgraph.stats.scores import SCORES

        scores: list[list[Cell]] = [
            [score.name, f"{score.range[0]:g} … {score.range[1]:g}", score.symmetric, score.formula, score.source]
            for score in SCORES.values()
        ]
        measures: list[list[Cell]] = [
            [of.name, f"{of.range[0]:g} … {of.range[1]:g}", of.symmetric, of.formula, of.source, of.checked]
            for of in all_measures().values()
        ]
        columns = ("name", "range", "symmetric", "formula", "source")
        both = [[*row, ""] for row in scores] + measures
        return Output(
            tables=[
                Table("Scores of a confusion matrix (CASS-NAME is CASS of a score)", columns, scores),
                Table("Measures other than CASS (--metrics)", (*columns, "checked"), measures),
            ],
            csv=[Table("Metrics", (*columns, "checked"), both)],
        )


@dataclass(frozen=True, kw_only=True)
class Schemes(Command):
    """AIFdb's argumentation schemes.

    All of them, those whose name contains WORD (letters only), or the one of an id.

    Exit code 1 if there is none.

    \b
    Examples:
      aifgraph schemes "expert opinion"
      aifgraph schemes 74
      aifgraph schemes --kind YA --format csv
    """

    word: str = argument(optional=True)
    kind: str | None = option(choices=("graph.nodes:SCHEME_KINDS",), help="Only schemes of this type of node.")
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.graph.schemes import find_schemes, named

        word = self.word or ""
        rows = find_schemes(word, self.kind)
        shared = sorted({row.name for row in rows if len(named(row.name)) > 1})
        note = f"more than one scheme has this name: {', '.join(shared)}; give the id" if shared and word else ""
        cells = [(row.id, row.name, row.kind, row.type_id) for row in rows]
        if not rows:
            say(f"aifgraph: no scheme is called {word!r}" + (f" among {self.kind}" if self.kind else ""))
        return Output(tables=[Table("", ("id", "name", "kind", "type"), cells, note=note)], code=0 if rows else 1)
