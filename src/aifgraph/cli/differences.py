"""``aifgraph differences``: what two analyses, or two corpora, disagree about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import are_corpora, jobs_option, names_option, output_options, pairing_options
from aifgraph.cli.present import counted, put, warn
from aifgraph.comparison.side_names import checked_names
from aifgraph.errors import OptionError
from aifgraph.printable import unhashed
from aifgraph.tables import Table, render

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison
    from aifgraph.comparison.differences import Differences


@click.command()
@click.argument("first")
@click.argument("second")
@pairing_options
@jobs_option
@names_option
@click.option("--context", is_flag=True, help="Text: also the nodes, what follows, the place and the costs.")
@compare_options
@output_options(("text", "tsv", "csv", "json", "markdown"))
def differences(
    first: str,
    second: str,
    pairs: Path | None,
    pair_by: str,
    jobs: int,
    names: tuple[str, str] | None,
    context: bool,
    format_: str,
    output: Path | None,
    **given: Any,
) -> int:
    """What two analyses of one text disagree about: one disagreement a row, with what follows from it.

    FIRST and SECOND are two maps, or two corpora. The TSV takes decisions, for `aifgraph merge --decisions`.

    \b
    Examples:
      aifgraph differences ann.json ben.json --context
      aifgraph differences ann.json ben.json --format tsv -o decisions.tsv
      aifgraph differences annotator1/ annotator2/ --format csv -o differences.csv
    """
    from aifgraph.adjudication.decision_file import COLUMNS, decisions_tsv
    from aifgraph.comparison.compare import compare
    from aifgraph.formats import load

    options = options_from(given)
    corpora = are_corpora(first, second)
    if pairs is not None and pair_by != "name":
        raise OptionError("--pairs and --pair-by exclude each other", remedy="give one of them")
    if not corpora and (pairs is not None or pair_by != "name" or jobs != 1):
        raise OptionError("--pairs, --pair-by and --jobs are for corpora", where=first, remedy="leave them out")
    sides = checked_names(*names) if names else ("first", "second")
    form = partial(_written, format_=format_, corpora=corpora, sides=sides, context=context)
    listed: list[Any] = []
    failed: Sequence[tuple[str, object]] = ()
    if corpora:
        from aifgraph.corpus.corpus import open_corpus
        from aifgraph.evaluation.compare_corpora import compare_corpora
        from aifgraph.evaluation.each_pair import EachPair

        one = open_corpus(first)
        other = one if Path(first) == Path(second) else open_corpus(second)
        each = EachPair(form, lambda _, made: listed.append(made))
        result = compare_corpora(
            one, other, pair_by=pairs or pair_by, options=options, details=False, n_jobs=jobs, each=each
        )
        failed = result.failed
        warn(result.notices)
        warn(f"{name}: not compared: {error}" for name, error in failed)
    else:
        if first == second == "-":
            raise OptionError("standard input can be read only once", remedy="give at least one file")
        comparison = compare(load(first), load(second), options=options)
        warn(comparison.warnings)
        listed.append(form(Path(first).stem, comparison))
    if format_ == "json":
        put(json.dumps(listed if corpora else listed[0], ensure_ascii=False, indent=1), output)
    elif format_ == "text":
        put(unhashed("\n".join(listed)), output)
    else:
        records = [record for of_pair in listed for record in of_pair]
        if format_ == "tsv":
            put(decisions_tsv(records), output)
        else:
            table = Table("", COLUMNS, [[record[column] for column in COLUMNS] for record in records])
            put(render(table, format_), output)
    return 2 if failed else 0


def _written(
    name: str, comparison: Comparison, *, format_: str, corpora: bool, sides: tuple[str, str], context: bool
) -> Any:
    """What is written of a pair: plain values for JSON, words for people, a list of records for a table."""
    from aifgraph.adjudication.decision_file import difference_row

    of_pair = comparison.differences()
    if format_ == "json":
        return {"text": name, **of_pair.to_dict()}
    if format_ == "text":
        return _told(name if corpora else "", of_pair, sides, context)
    return [difference_row(row, of_pair, name) for row in of_pair]


def _told(name: str, of_pair: Differences, sides: tuple[str, str], context: bool) -> str:
    """A pair in words: the lead, then a paragraph for each row."""
    lines = [f"{name}: {of_pair.lead}" if name else of_pair.lead]
    for row in of_pair:
        cost = counted(row.decisions, "decision") if row.decisions else "no score counts it"
        lines += ["", f"{row.id}  {row.group}: {row.kind} ({cost})"]
        if row.sides == "both":
            room = max(map(len, sides)) + 1
            wordings = (row.first_wording, row.second_wording)
            lines += [f"  {f'{side}:':{room}} {words}" for side, words in zip(sides, wordings, strict=True)]
        else:
            only = f"the {row.sides}" if sides == ("first", "second") else sides[row.sides == "second"]
            lines += [f"  only {only}: {row.first_wording or row.second_wording}"]
        if context:
            lines += _context(row.first, row.second, "nodes")
            lines += _context(row.first_follows, row.second_follows, "with them")
            lines += [f"  words:  {row.place[0] + 1} to {row.place[1]} of the text"] if row.place else []
            lines += [f"  costs:  {row.calculation}"] if row.costs else []
    return "\n".join(lines) + "\n"


def _context(first: Sequence[str], second: Sequence[str], title: str) -> list[str]:
    sides = [f"{', '.join(ids)} ({side})" for ids, side in ((first, "first"), (second, "second")) if ids]
    return [f"  {title}: {'; '.join(sides)}"] if sides else []
