"""``aifgraph show``: what is in a map."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.check import maps_of
from aifgraph.cli.options import output_options
from aifgraph.cli.present import present, put, put_parts, rendered, say, warn
from aifgraph.errors import OptionError
from aifgraph.printable import printable
from aifgraph.tables import Table

if TYPE_CHECKING:
    from aifgraph.graph import ArgumentGraph


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--tree", is_flag=True, help="The argument as an indented tree instead of counts.")
@output_options()
def show(files: tuple[str, ...], tree: bool, format_: str, output: Path | None) -> int:
    """Counts by type, speakers, schemes, the longest chains and warnings of maps, or of every map of corpora.

    Of several maps JSON is a list. A result of `compare` (JSON, or the lines of --results) is shown as `compare` shows
    it, in any format.

    \b
    Examples:
      aifgraph show map.json
      aifgraph show map.json --tree
      aifgraph show ann/nodeset1.json ben/nodeset1.json --tree
      curl … | aifgraph show -
      aifgraph show result.json --format markdown
    """
    from aifgraph.corpus.names import is_corpus
    from aifgraph.formats.result_files import is_lines, is_result
    from aifgraph.graph.traverse import tree_lines

    if tree and format_ != "text":
        raise OptionError("the tree is text", remedy=f"leave out --tree or --format {format_}")
    results = [path for path in map(Path, files) if is_result(path) or is_lines(path)]
    if results:
        if len(files) > 1 or tree:
            raise OptionError("the result of a comparison is shown alone", where=str(results[0]), remedy=_ALONE)
        return _show_result(results[0], format_, output)
    failed: list[tuple[str, str]] = []
    shown: list[str] = []
    several = len(files) > 1 or is_corpus(files[0])
    for graph in maps_of(files, failed):
        warn(graph.notices)
        if tree:
            title = f"{graph.name}\n" if several else ""
            shown.append(printable(title + "\n".join(tree_lines(graph)) + "\n"))
        else:
            shown.append(rendered(_tables(graph), format_))
    for _, error in failed:
        say(f"aifgraph: {error}")
    if format_ == "json" and several:
        put(f"[{','.join(shown)}]", output)
    elif shown:
        put("\n".join(shown), output)
    return 2 if failed else 0


_ALONE = "give this one file, without --tree"


def _show_result(path: Path, format_: str, output: Path | None) -> int:
    """A stored result as ``compare`` shows it."""
    from aifgraph.comparison.measures.registry import measure_tables
    from aifgraph.comparison.stored_comparison import StoredComparison
    from aifgraph.evaluation.stored_corpus import read_stored

    result = read_stored(path)
    if isinstance(result, StoredComparison):
        warn(result.warnings)
        csv = format_ == "csv"
        tables = [result.score_table()] if csv else [*result.tables(), *measure_tables(result.measures)]
        present(result, tables, format_, output, signature=result.signature, headline=result.headline)
        return 0
    warn(result.notices)
    warn(f"{name}: not compared: {error}" for name, error in result.failed)
    intervals = result.stored_intervals
    if format_ == "json":
        put_parts(result.json_parts({"intervals": intervals.to_dict()} if intervals else {}), output)
        return 0
    tables = [result.score_table()] if format_ == "csv" else result.tables(intervals=intervals)
    line = result.signature + (f"|{intervals.signature}" if intervals else "")
    present(result, tables, format_, output, signature=line)
    return 0


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
    argument, dialogue = longest_chain(graph, "RA"), longest_chain(graph, "TA")
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
                for name, chain in (("inferences", argument), ("transitions", dialogue))
                if len(chain) > 1
            ],
        ),
    ]
