"""``aifgraph merge``: one map of two, or of every pair of two corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import are_corpora, jobs_option, pairing_options, together
from aifgraph.cli.present import bar, counted, note, warn
from aifgraph.errors import InputError, OptionError

#: So many open rows are listed.
_LISTED = 10

rule_options = together(
    click.option(
        "--wording",
        type=click.Choice(["first", "second", "longer"]),
        default="first",
        show_default=True,
        help="Whose words stand where nobody decides about them.",
    ),
    click.option(
        "--prefer",
        type=click.Choice(["first", "second", "agreed", "both"]),
        default=None,
        help="What to do where nobody decides; without it, rows stay open.",
    ),
)
"""What happens to rows that nobody decides."""


@click.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="GOLD",
    help="Where the merged map goes (- for standard output); of corpora a new folder or an archive, as of pack.",
)
@click.option(
    "--decisions",
    type=click.Path(path_type=Path),
    metavar="FILE.tsv",
    help="Decisions, as `aifgraph differences --format tsv` writes them; for corpora also a folder of them.",
)
@rule_options
@click.option("--complete", is_flag=True, help="Refuse to write a map while rows are open.")
@click.option("--to", metavar="FORMAT", help="The format to write (AIF JSON for corpora).")
@pairing_options
@jobs_option
@compare_options
def merge(
    first: str,
    second: str,
    output: str,
    decisions: Path | None,
    complete: bool,
    to: str | None,
    pairs: Path | None,
    pair_by: str,
    jobs: int,
    **given: Any,
) -> int:
    """One map of two analyses of one text, by decisions about their differences; of two corpora, one of every pair.

    Of corpora, a pair that cannot be merged is named, and the others are written; the exit code is then 2.

    \b
    Examples:
      aifgraph merge ann.json ben.json --prefer agreed -o agreed.json
      aifgraph differences ann.json ben.json --format tsv -o decisions.tsv
      aifgraph merge ann.json ben.json --decisions decisions.tsv --complete -o gold.json
      aifgraph merge ann/ ben/ --pair-by text --decisions gold-study/ -o gold/
    """
    corpora = are_corpora(first, second)
    given |= {"decisions": decisions, "complete": complete, "options": options_from(given)}
    if corpora:
        if output == "-" or to is not None:
            remedy = "leave out --to, and name a folder; `aifgraph convert` writes other formats of it"
            raise OptionError("the merged maps of corpora are a folder of AIF JSON", remedy=remedy)
        if pairs is not None and pair_by != "name":
            raise OptionError("--pairs and --pair-by exclude each other", remedy="give one of them")
        return _corpora(first, second, output, pair_by=pairs or pair_by, n_jobs=jobs, **given)
    if pairs is not None or pair_by != "name" or jobs != 1:
        raise OptionError("--pairs, --pair-by and --jobs are for corpora", where=first, remedy="leave them out")
    return _maps(first, second, output, to, **given)


def _maps(first: str, second: str, output: str, to: str | None, **given: Any) -> int:
    from aifgraph.adjudication.decision_file import DecisionTables, decisions_text, read_decisions
    from aifgraph.adjudication.merge import merge_compared
    from aifgraph.comparison.compare import compare
    from aifgraph.formats import dump, load

    if first == second == "-":
        raise OptionError("standard input can be read only once", remedy="give at least one file")
    if output != "-" and Path(output).is_dir():
        raise OptionError("is a folder", where=output, remedy="name a file")
    comparison = compare(load(first), load(second), options=given.pop("options"))
    warn(comparison.warnings)
    differences = comparison.differences()
    decided, path = {}, given.pop("decisions")
    if path is not None and path.is_dir():
        decided = DecisionTables(path).of(differences, Path(first).stem)
    elif path is not None:
        decided = read_decisions(decisions_text(path), differences, name=str(path))
    merged = merge_compared(comparison, differences, decisions=decided, **given)
    losses = dump(merged.graph, output, format=to)
    warn([losses] if losses else [])
    warn(merged.notices)
    _say_open([f"{row.id} {row.group} {row}" for row in merged.open])
    summary = f"{counted(len(differences), 'difference')}: {len(decided)} decided, {len(merged.open)} open"
    note(f"{summary}; {counted(len(merged.graph), 'node')} written to {output}")
    return 0


def _corpora(first: str, second: str, output: str, *, pair_by: str | Path, **given: Any) -> int:
    from aifgraph.adjudication.merge_corpora import merge_corpora
    from aifgraph.corpus.corpus import open_corpus

    one = open_corpus(first)
    other = one if Path(first) == Path(second) else open_corpus(second)
    with bar("merging") as progress:
        done = merge_corpora(one, other, output, pair_by=pair_by, progress=progress, **given)
    warn(done.notices)
    warn(f"{name}: not merged: {error}" for name, error in done.failed)
    warn(f"{pair.name}: {notice}" for pair in done.pairs for notice in pair.notices)
    _say_open([f"{pair.name}: {row}" for pair in done.pairs for row in pair.open])
    if not done.pairs:
        raise InputError("no pair could be merged; nothing is written", where=output)
    differences = sum(pair.differences for pair in done.pairs)
    decided, still_open = sum(pair.decided for pair in done.pairs), sum(len(pair.open) for pair in done.pairs)
    summary = f"{counted(differences, 'difference')}: {decided} decided, {still_open} open"
    note(f"{summary}; {counted(len(done.pairs), 'map')} written to {output}")
    return 2 if done.failed else 0


def _say_open(rows: Sequence[str]) -> None:
    """The open rows, the first of them in full."""
    if rows:
        are = "row is" if len(rows) == 1 else "rows are"
        warn([f"{len(rows)} {are} open; what either has is in the map, marked:"])
        warn(rows[:_LISTED])
        warn([f"and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else [])
