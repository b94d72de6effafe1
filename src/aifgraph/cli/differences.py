"""``aifgraph differences`` and ``merge``: what two analyses, or two corpora, disagree about, and one map of both."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.command import option, part
from aifgraph.cli.options import PATH, TwoSides, compare_options, jobs_option, map_at, required_output, warn_of_compared
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import bar, note, warn
from aifgraph.errors import InputError, OptionError
from aifgraph.printable import quantity, unhashed
from aifgraph.tables import Table

if TYPE_CHECKING:
    from aifgraph.adjudication.selection import Preference, Wording
    from aifgraph.comparison.comparison import Comparison
    from aifgraph.comparison.options import Options
    from aifgraph.comparison.wording import MatchedTexts

#: Open rows that are listed; the others are counted.
_MAX_LISTED = 10


@dataclass(frozen=True, kw_only=True)
class Differences(TwoSides):
    """What two analyses, or two corpora, disagree about.

    One disagreement per row, with what follows from it.

    FIRST and SECOND are two maps, or two corpora. The TSV takes decisions, for `aifgraph merge --decisions`.

    \b
    Examples:
      aifgraph differences ann.json ben.json --context
      aifgraph differences ann.json ben.json -o decisions.tsv
      aifgraph differences annotator1/ annotator2/ -o differences.csv
      aifgraph differences annotator1/ annotator2/ --top 5
    """

    jobs: int = jobs_option()
    names: tuple[str, str] | None = option(
        nargs=2, metavar="FIRST SECOND", help="Text: names of the two sides.  [default: first second]"
    )
    context: bool = option(False, help="Text: also show nodes, what follows, places, costs, and matches by meaning.")
    top: int | None = option(
        type=click.IntRange(1),
        metavar="N",
        help="Only the N differences, of corpora the N texts, that cost most, costliest first.",
    )
    options: Options = compare_options("chance")
    destination: Destination = destination(("text", "tsv", "csv", "json", "markdown", "latex"))

    def run(self) -> Output:
        from aifgraph.comparison.compare import compare

        if self.of_corpora:
            return self._of_corpora()
        sides = self._sides
        comparison = compare(map_at(self.first), map_at(self.second), options=self.options)
        warn(comparison.warnings)
        _, content = _pair(
            Path(self.first).stem, comparison, self.destination.format, "", sides, self.context, self.top
        )
        return self._output([content])

    def _of_corpora(self) -> Output:
        from aifgraph.evaluation.pair_task import EachPair
        from aifgraph.evaluation.run import compare_corpora

        sides = self._sides
        one, other = self.open_both()
        pairs: list[tuple[int, Any]] = []
        costliest = self.top is not None
        make = partial(_of_pair, format=self.destination.format, sides=sides, context=self.context, costliest=costliest)
        result = compare_corpora(
            one,
            other,
            pair_by=self.pairing.by,
            with_itself=True,
            options=self.options,
            classes=False,
            jobs=self.jobs,
            each=EachPair(make, lambda _, content: pairs.append(content)),
        )
        warn_of_compared(result)
        if costliest:
            pairs = sorted(pairs, key=lambda pair: -pair[0])[: self.top]
        return self._output([content for _, content in pairs], code=2 if result.failed else 0)

    @property
    def _sides(self) -> tuple[str, str]:
        from aifgraph.comparison.sides import checked_names

        return checked_names(*self.names) if self.names else ("first", "second")

    def _output(self, contents: Sequence[Any], code: int = 0) -> Output:
        from aifgraph.adjudication.decision_file import COLUMNS, decisions_tsv

        if self.destination.format == "json":
            return Output(data=lambda: contents if self.of_corpora else contents[0], code=code)
        if self.destination.format == "text":
            return Output(content=unhashed("\n".join(contents)), code=code)
        if self.destination.format in ("markdown", "latex"):
            return Output(tables=contents, code=code)
        entries = [entry for of_pair in contents for entry in of_pair]
        if self.destination.format == "tsv":
            return Output(content=decisions_tsv(entries), code=code)
        return Output(
            tables=[Table("", COLUMNS, [[entry[column] for column in COLUMNS] for entry in entries])], code=code
        )


def _of_pair(
    name: str, comparison: Comparison, *, format: str, sides: tuple[str, str], context: bool, costliest: bool
) -> tuple[int, Any]:
    return _pair(name, comparison, format, name, sides, context, sys.maxsize if costliest else None)


def _pair(
    name: str,
    comparison: Comparison,
    format: str,
    title: str,
    sides: tuple[str, str],
    context: bool,
    top: int | None = None,
) -> tuple[int, Any]:
    """What a pair's differences cost, and what is written of them: plain values for JSON, words, a table, or entries.
    With ``top`` the costliest rows, costliest first."""
    from aifgraph.adjudication.decision_file import difference_row
    from aifgraph.comparison.differences.words import costliest, listed

    differences = comparison.differences()
    cost = sum(row.decisions for row in differences)
    rows = list(differences) if top is None else costliest(differences.rows)[:top]
    if format == "json":
        return cost, {"text": name, **differences.to_dict(), "rows": [row.to_dict() for row in rows]}
    if format == "text":
        title = f"{title} ({quantity(cost, 'decisions')}): " if title else ""
        words = f"{title}{differences.summary}\n{listed(rows, differences.by_id, sides, context)}"
        return cost, words + "".join(_by_meaning(match, sides) for match in comparison.matched_by_meaning if context)
    if format in ("markdown", "latex"):
        return cost, differences.table(rows, title)
    return cost, [difference_row(row, differences, name) for row in rows]


def _by_meaning(match: MatchedTexts, sides: tuple[str, str]) -> str:
    """A match by meaning, for readers to judge."""
    texts = "".join(f"  {side}: {text}\n" for side, text in zip(sides, (match.first, match.second), strict=True))
    return f"\nmatched by meaning, cosine {match.cosine:.2f}\n{texts}"


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """What happens to rows that nobody decides."""

    wording: Wording = option(
        "first", choices=("first", "second", "longer"), help="Whose words are used where nobody decides."
    )
    prefer: Preference | None = option(
        choices=("first", "second", "agreed", "both"),
        help="What to do where nobody decides; without it, rows stay open.",
    )


@dataclass(frozen=True, kw_only=True)
class Merge(TwoSides):
    """One map of two analyses, by decisions.

    The decisions are about their differences; of two corpora, one map of every pair.

    Of corpora, a pair that cannot be merged is named, and the others are written; the exit code is then 2.

    \b
    Examples:
      aifgraph merge ann.json ben.json --prefer agreed -o agreed.json
      aifgraph differences ann.json ben.json -o decisions.tsv
      aifgraph merge ann.json ben.json --decisions decisions.tsv --complete -o gold.json
      aifgraph merge ann/ ben/ --pair-by text --decisions decisions/ -o gold/
    """

    output: str = required_output(
        "Where to write the merged map (- is standard output); for corpora a new folder or archive.",
        metavar="GOLD",
        type=str,
    )
    decisions: Path | None = option(
        type=PATH,
        metavar="FILE.tsv",
        help="Decisions, as `aifgraph differences --format tsv` writes them; for corpora also a folder of such files.",
    )
    rule: RuleOptions = part(RuleOptions)
    jobs: int = jobs_option()
    complete: bool = option(False, help="Refuse to write a map while rows are open.")
    to: str | None = option(metavar="FORMAT", help="Two maps: format to write.")
    options: Options = compare_options("chance")

    def run(self) -> Output:
        return self._corpora() if self.of_corpora else self._maps()

    def _maps(self) -> Output:
        from aifgraph.adjudication.decision_file import DecisionTables, decisions_text, read_decisions
        from aifgraph.adjudication.merge import merge_compared
        from aifgraph.comparison.compare import compare
        from aifgraph.formats import dump

        if self.output != "-" and Path(self.output).is_dir():
            raise OptionError("is a folder", where=self.output, remedy="name a file")
        comparison = compare(map_at(self.first), map_at(self.second), options=self.options)
        warn(comparison.warnings)
        differences = comparison.differences()
        decided, path = {}, self.decisions
        if path is not None and path.is_dir():
            decided = DecisionTables(path).of(differences, Path(self.first).stem)
        elif path is not None:
            decided = read_decisions(decisions_text(path), differences, name=str(path))
        merged = merge_compared(
            comparison,
            decisions=decided,
            wording=self.rule.wording,
            prefer=self.rule.prefer,
            complete=self.complete,
        )
        losses = dump(merged.graph, self.output, format=self.to)
        warn([losses] if losses else [])
        warn(merged.notices)
        _warn_of_open([f"{row.id} {row.group} {row}" for row in merged.open])
        summary = _summary(len(differences), len(decided), len(merged.open))
        note(f"{summary}; {quantity(len(merged.graph), 'nodes')} written to {self.output}")
        return Output()

    def _corpora(self) -> Output:
        from aifgraph.adjudication.merge_corpora import merge_corpora

        if self.output == "-":
            raise OptionError("the merged maps of corpora are a folder or an archive", remedy="name it with -o")
        one, other = self.open_both()
        with bar("merging") as progress:
            done = merge_corpora(
                one,
                other,
                self.output,
                pair_by=self.pairing.by,
                decisions=self.decisions,
                wording=self.rule.wording,
                prefer=self.rule.prefer,
                complete=self.complete,
                options=self.options,
                jobs=self.jobs,
                progress=progress,
            )
        warn(done.notices)
        warn(f"{name}: not merged: {error}" for name, error in done.failed)
        warn(f"{pair.name}: {notice}" for pair in done.pairs for notice in pair.notices)
        _warn_of_open([f"{pair.name}: {row}" for pair in done.pairs for row in pair.open])
        if not done.pairs:
            raise InputError("no pair could be merged; nothing is written", where=self.output)
        differences = sum(pair.differences for pair in done.pairs)
        decided, still_open = sum(pair.decided for pair in done.pairs), sum(len(pair.open) for pair in done.pairs)
        summary = _summary(differences, decided, still_open)
        note(f"{summary}; {quantity(len(done.pairs), 'maps')} written to {self.output}")
        return Output(code=2 if done.failed else 0)


def _summary(differences: int, decided: int, still_open: int) -> str:
    """How many rows each way of deciding has settled; the three add up, and what is 0 is left out."""
    if not differences:
        return "nothing differs"
    by_rule = max(differences - decided - still_open, 0)
    ways = ((decided, "decided in the file"), (by_rule, "settled by --prefer or --wording"), (still_open, "left open"))
    return f"{quantity(differences, 'differences')}: {', '.join(f'{count} {how}' for count, how in ways if count)}"


def _warn_of_open(rows: Sequence[str]) -> None:
    """The open rows, the first of them in full."""
    if rows:
        are = "row is" if len(rows) == 1 else "rows are"
        warn([f"{len(rows)} {are} open; what either side has is in the map, marked:"])
        warn(rows[:_MAX_LISTED])
        warn([f"and {len(rows) - _MAX_LISTED} more"] if len(rows) > _MAX_LISTED else [])
