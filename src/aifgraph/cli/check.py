"""``aifgraph check``: which rules maps break, and what reading had to mend."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.inputs import each_map
from aifgraph.cli.options import output_options
from aifgraph.cli.present import put
from aifgraph.corpus.names import is_corpus
from aifgraph.graph.rules import PROFILES, validate
from aifgraph.report.findings import findings_json, findings_sarif, findings_table, findings_text, summary_table
from aifgraph.tables.render import render


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--profile", type=click.Choice(PROFILES), default="aif", show_default=True, help="Which rules to ask.")
@click.option("--select", multiple=True, metavar="CODES", help="Only these: E, W, N, E2, E202, 202 or a rule's name.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these.")
@click.option("--from", "from_", metavar="FORMAT", help="The format of the files, where it is not recognised.")
@click.option("--summary", is_flag=True, help="Only the table of codes.")
@output_options(("text", "json", "csv", "markdown", "sarif"))
def check(
    files: tuple[str, ...],
    profile: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    from_: str | None,
    summary: bool,
    format_: str,
    output: Path | None,
) -> int:
    """Check maps and corpora against the rules of AIF, IAT or xAIF.

    Exit code 0: no errors (warnings and notes may be there), 1: errors, 2: something could not be read.

    \b
    Examples:
      aifgraph check map.json
      aifgraph check corpus/ --profile iat --select E
      aifgraph check corpus.zip --format sarif -o findings.sarif
    """
    failed: list[tuple[str, str]] = []
    chosen, left_out = select or None, ignore or None
    validate_nothing(profile, chosen, left_out)
    results = [validate(graph, profile, select=chosen, ignore=left_out) for graph in each_map(files, failed, from_)]
    many = summary or len(files) > 1 or any(map(is_corpus, files))
    table = summary_table(results, len(failed))
    if format_ == "json":
        text = findings_json(results, failed)
    elif format_ == "sarif":
        text = findings_sarif(results, failed)
    elif format_ == "text":
        each = "" if summary else findings_text(results)
        text = each + ("\n" if each and many else "") + (render(table) if many else "")
        text = text or "nothing found\n" if results else text
    else:
        text = render(table if summary else findings_table(results), format_)
        if many and not summary and format_ == "markdown":
            text += "\n" + render(table, format_)
    put(text, output)
    for _, error in failed:
        click.echo(f"aifgraph: {error}", err=True)
    if failed:
        return 2
    return 0 if all(found.ok for found in results) else 1


def validate_nothing(profile: str, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None) -> None:
    """A wrong selection is an error before the first map is read."""
    from aifgraph.graph import GraphBuilder

    validate(GraphBuilder().graph(), profile, select=select, ignore=ignore)
