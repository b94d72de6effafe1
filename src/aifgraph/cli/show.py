"""``aifgraph show`` and ``draw``: what is in a map or in a result of ``compare``, and maps as pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from aifgraph.cli.check import maps_of
from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.compare import corpus_output, pair_output
from aifgraph.cli.options import as_data_set, map_at, opened_corpus, warn_of_compared
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import say, warn
from aifgraph.errors import AifgraphError, InputError, NoSuchNameError, NotFoundError, OptionError, nearest
from aifgraph.tables import Cell, Table

if TYPE_CHECKING:
    from aifgraph.comparison.comparison import Comparison
    from aifgraph.graph import ArgumentGraph


@dataclass(frozen=True, kw_only=True)
class Show(Command):
    """What is in a map, or in a result of compare.

    Counts by type, speakers, schemes, longest chains and warnings of a map. A corpus is a table of its maps; one of
    them is shown with --map.

    Of several maps JSON is a list. A result of `compare` (JSON, or the lines of --results) is shown as `compare` shows
    it, in any format.

    \b
    Examples:
      aifgraph show map.json
      aifgraph show map.json --tree
      aifgraph show ann/nodeset1.json ben/nodeset1.json --tree
      aifgraph show corpus.zip --map nodeset1
      curl … | aifgraph show -
      aifgraph show result.json --format markdown
    """

    files: tuple[str, ...] = argument("FILE…", many=True)
    map_: str | None = option(metavar="NAME", help="A corpus: show this map of it.")
    tree: bool = option(False, help="Text: show the argument as an indented tree instead of counts.")
    details: bool = option(False, help="Results: show every number, not only what people look at first.")
    destination: Destination = destination()

    @property
    def of_results(self) -> bool:
        return bool(self._results)

    @property
    def one_corpus(self) -> bool:
        from aifgraph.corpus_names import is_corpus

        return len(self.files) == 1 and is_corpus(self.files[0])

    @property
    def _results(self) -> list[Path]:
        from aifgraph.formats.result_files import is_lines, is_result

        return [path for path in map(Path, self.files) if is_result(path) or is_lines(path)]

    def run(self) -> Output:
        from aifgraph.graph.traverse import tree_lines

        if results := self._results:
            if len(self.files) > 1:
                raise OptionError(
                    "the result of a comparison is shown alone", where=str(results[0]), remedy="give this one file"
                )
            return _result(results[0], self.destination.format, self.details)
        self._refuse_name_beside()
        failed: list[tuple[str, str]] = []
        trees: list[str] = []
        names: list[str] = []
        maps: list[list[Table]] = []
        several = (len(self.files) > 1 or self.one_corpus) and self.map_ is None
        for name, graph in self._graphs(failed):
            warn(graph.notices)
            names.append(name)
            if self.tree:
                title = f"{graph.name}\n" if several else ""
                trees.append(title + "\n".join(tree_lines(graph)) + "\n")
            else:
                maps.append(_tables(graph))
        for _, error in failed:
            say(f"aifgraph: {error}")
        code = 2 if failed else 0
        if self.tree:
            return Output(content="\n".join(trees) if trees else None, code=code)
        documents = [{table.title: table.records() for table in tables} for tables in maps]
        data = (lambda: documents if several else documents[0]) if documents or several else None
        tables = [_listing(names, maps)] if self.one_corpus and len(maps) > 1 else list(chain.from_iterable(maps))
        return Output(tables=tables, data=data, code=code)

    def _refuse_name_beside(self) -> None:
        """A corpus and the name of one of its maps."""
        from aifgraph.corpus_names import is_corpus

        beside = len(self.files) == 2 and is_corpus(self.files[0]) and not Path(self.files[1]).exists()
        if beside and self.files[1] in opened_corpus(self.files[0]):
            remedy = f"did you mean aifgraph show {self.files[0]} --map {self.files[1]}?"
            raise NotFoundError("no such file", where=self.files[1], remedy=remedy)

    def _graphs(self, failed: list[tuple[str, str]]) -> Iterator[tuple[str, ArgumentGraph]]:
        """The maps with their names; ``failed`` takes those that cannot be read."""
        if not self.one_corpus:
            yield from ((graph.name, graph) for graph in maps_of(self.files, failed))
            return
        corpus = opened_corpus(self.files[0])
        if self.map_ is not None and corpus.find(self.map_) is None:
            remedy = nearest(self.map_, corpus.names)
            raise NoSuchNameError(f"there is no map {self.map_!r}", where=self.files[0], remedy=remedy)
        for entry in corpus if self.map_ is None else [corpus[self.map_]]:
            try:
                graph = entry.load()
            except AifgraphError as error:
                failed.append((entry.source, str(error)))
            else:
                yield entry.name, graph
        if len(failed) == len(corpus):
            none = InputError(f"none of its maps can be read: {failed[0][1]}", where=self.files[0])
            raise as_data_set(none, self.files[0])


def _listing(names: Sequence[str], maps: Sequence[Sequence[Table]]) -> Table:
    """A row for each map of a corpus, of its tables: nodes and edges, and the nodes by type."""
    from aifgraph.graph import KINDS

    rows: list[tuple[Cell, ...]] = []
    for name, (size, types, *_) in zip(names, maps, strict=True):
        counts = {row[0]: row[2] for row in types.rows}
        rows.append((name, *size.rows[0][1:], *(counts[kind] for kind in KINDS)))
    return Table("Maps", ("map", "nodes", "edges", *KINDS), rows)


def _result(path: Path, format: str, details: bool) -> Output:
    """A stored result as ``compare`` shows it."""
    from aifgraph.comparison.result import PairResult
    from aifgraph.evaluation.corpus_result import read_stored

    result = read_stored(path)
    if isinstance(result, PairResult):
        warn(result.warnings)
        return pair_output(result, format, details=details)
    warn_of_compared(result)
    # Showing the failures of a run is no failure.
    return replace(corpus_output(result, format, details=details), code=0)


def _tables(graph: ArgumentGraph) -> list[Table]:
    from aifgraph.corpus.counts import scheme_counts
    from aifgraph.graph import KINDS
    from aifgraph.graph.nodes import NAMES
    from aifgraph.graph.traverse import longest_chain

    kinds = Counter(node.type for node in graph)
    rows = [(kind, NAMES.get(kind, "not AIF"), kinds[kind]) for kind in (*KINDS, *(kinds.keys() - set(KINDS)))]
    speakers = Counter(who.name for node in graph.locutions if (who := graph.speaker_of(node)))
    schemes = scheme_counts(graph)
    acts = Counter(node.text or (node.schemes[0].name if node.schemes else "") or "YA" for node in graph.illocutions)
    chains = (("inferences", longest_chain(graph, "RA")), ("transitions", longest_chain(graph, "TA")))
    return [
        Table("Map", ("file", "nodes", "edges"), [(graph.name, len(graph), len(graph.edges))]),
        Table("Types", ("type", "name", "nodes"), rows),
        Table("Speakers", ("speaker", "locutions"), speakers.most_common()),
        Table("Schemes", ("type", "scheme", "nodes"), [(*key, n) for key, n in schemes.most_common()]),
        Table("Illocutions", ("illocution", "nodes"), acts.most_common()),
        Table(
            "Longest chains",
            ("chain", "steps", "from", "to"),
            [
                (name, len(chain) - 1, graph[chain[0]].text[:60], graph[chain[-1]].text[:60])
                for name, chain in chains
                if len(chain) > 1
            ],
        ),
    ]


@dataclass(frozen=True, kw_only=True)
class Draw(Command):
    """A map as a picture.

    SVG, PNG and PDF with Graphviz, DOT and Mermaid without.

    What only one of two maps has is dashed and blue (first) or dotted and orange (second); what they label differently
    has a double border. Support ends in an arrow, attack in a crossed line, rephrase is a double line, preference ends
    in a diamond. Parts that no relation joins are packed side by side.

    \b
    Examples:
      aifgraph draw map.json -o map.svg
      aifgraph draw map.json --view dialogue -o map.mmd
      aifgraph draw debate.json --part 1 -o largest.svg
      aifgraph draw ann.json --compare ben.json -o both.pdf
      aifgraph draw ann.json --compare ben.json --matrix propositional_relations -o matrix.svg
    """

    file: str = argument()
    compare: str | None = option(metavar="OTHER", help="A second map of the same text, drawn into the same picture.")
    view: Literal["argument", "dialogue"] = option(
        "argument",
        choices=("argument", "dialogue"),
        help="Propositions and relations, or also locutions, illocutions and transitions.",
    )
    part: int | None = option(
        type=click.IntRange(min=1), metavar="N", help="Only the N-th largest connected part; 1 is the largest."
    )
    matrix: str | None = option(
        metavar="CALCULATION", help="With --compare: draw the confusion matrix of a calculation instead, as a heat map."
    )
    destination: Destination = destination(("dot", "mmd", "svg", "png", "pdf"))

    def run(self) -> Output:
        from aifgraph.comparison.compare import compare
        from aifgraph.report.drawing import draw_map

        format = self.destination.format
        if self.compare is None:
            graph = map_at(self.file)
            warn(graph.notices)
            drawn = draw_map(graph, format, self.view, part=self.part)
        else:
            result = compare(map_at(self.file), map_at(self.compare))
            warn(result.warnings)
            if self.matrix is not None:
                return Output(content=_heatmap(result, self.matrix, format))
            drawn = draw_map(result, format, self.view, part=self.part)
        warn(drawn.warnings)
        return Output(content=drawn.picture)


def _heatmap(result: Comparison, calculation: str, format: str) -> str | bytes:
    from aifgraph.report.plots import heatmap

    if calculation not in result.calculations:
        raise OptionError(f"no calculation {calculation!r}", remedy=f"choose from {', '.join(result.calculations)}")
    matrix, title = result.calculations[calculation].matrix, calculation.replace("_", " ")
    first, second = (f"{name} ({side})" for name, side in zip(result.names, ("first", "second"), strict=True))
    return heatmap(matrix, title=title, ends=(first, second), format=format)
