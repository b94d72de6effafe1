"""``merge``: two analyses of one text as one map, by decisions and rules, with a record of what came from whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from aifgraph.adjudication.assembly import Assembly
from aifgraph.adjudication.decision_file import decisions_text, read_decisions
from aifgraph.adjudication.decisions import Decision, decision_of
from aifgraph.adjudication.selection import Preference, Resolution, Selection, Wording, resolve
from aifgraph.comparison.compare import compare
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.comparison.differences.words import named
from aifgraph.comparison.options import OptionKeywords, Options
from aifgraph.errors import InputError, OptionError
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.rules import PROFILES, Finding, validate
from aifgraph.printable import quantity


class ContradictionError(InputError):
    """Decisions that cannot stand together; ``rows`` are the ids of what they are about."""

    def __init__(
        self,
        what: str,
        rows: tuple[str, ...] = (),
        *,
        where: str | None = None,
        remedy: str | None = "change one of them",
    ) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.rows = rows


@dataclass(frozen=True)
class Merged:
    """The merged ``graph``; the rows that nobody decided (``open``); what could not be kept (``notices``)."""

    graph: ArgumentGraph
    differences: Differences = field(repr=False)
    open: tuple[Difference, ...]
    notices: tuple[str, ...]
    resolution: Resolution = field(repr=False)

    @property
    def choices(self) -> Counter[str]:
        """How many rows were decided for the first, the second, both, neither or something other."""
        decided = (each.decision for each in self.resolution.rows.values())
        return Counter(decision.choice for decision in decided if decision)


def merge(
    first: ArgumentGraph,
    second: ArgumentGraph,
    *,
    decisions: Mapping[str, str | Decision] | str | PathLike[str] | None = None,
    wording: Wording = "first",
    prefer: Preference | None = None,
    complete: bool = False,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Merged:
    """One map of two analyses of one text.

    What both have is in it once. Each difference (``Comparison.differences``) goes by the decision on its row, else by
    ``prefer``. Every node that is not the same in both has a field ``merged`` that says whose it is, by which row and
    decision; the decisions are in the file's field ``merge``.

    Args:
        decisions: for the ids of rows a decision: ``first``, ``second``, ``both``, ``neither``, a new wording or label,
            or a ``Decision``; or the path of a file of decisions, as ``aifgraph differences`` writes it.
        wording: whose words stand where nobody decides about them: ``first`` or ``second``.
        prefer: for rows without a decision: what the ``first`` has, what the ``second`` has, only what both have
            (``agreed``), or all that either has (``both``). None leaves them open: what either has is in the map,
            marked.
        complete: whether a row that nobody decided is an error.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``.

    Raises:
        OptionError: an option that is not one.
        ContradictionError: decisions that cannot stand together; it says which.
        InputError: unknown rows, or with ``complete`` rows that nobody decided; a file of decisions that is not there,
            or is about other maps.
        FormatError: it is no table of decisions.
        LimitError: it is too large.

    >>> import aifgraph
    >>> first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    >>> aifgraph.merge(first, first).graph == first
    True
    >>> merged = aifgraph.merge(first, second, prefer="second", wording="second")
    >>> aifgraph.compare(merged.graph, second).cass["kappa"]
    1.0
    """
    comparison = compare(first, second, options=options, **keywords)
    if isinstance(decisions, str | PathLike):
        path = Path(decisions)
        decisions = read_decisions(decisions_text(path), comparison.differences(), name=str(path))
    return merge_compared(
        comparison,
        decisions=decisions,
        wording=wording,
        prefer=prefer,
        complete=complete,
    )


@gc_paused
def merge_compared(
    comparison: Comparison,
    *,
    decisions: Mapping[str, str | Decision] | None = None,
    wording: Wording = "first",
    prefer: Preference | None = None,
    complete: bool = False,
) -> Merged:
    """As ``merge``, of a comparison that is made already."""
    if wording not in ("first", "second", "longer"):
        raise OptionError(f"wording is {wording!r}", remedy="choose first, second or longer")
    if prefer not in (None, "first", "second", "agreed", "both"):
        raise OptionError(f"prefer is {prefer!r}", remedy="choose first, second, agreed or both")
    differences = comparison.differences()
    rows = {row.id: row for row in differences}
    by_row: dict[str, Decision] = {}
    for id_, decision in (decisions or {}).items():
        if id_ not in rows:
            raise InputError(f"there is no row {id_!r} in the differences of these maps")
        by_row[id_] = decision if isinstance(decision, Decision) else decision_of(decision, rows[id_])
    resolution = resolve(differences, by_row, wording, prefer)
    still_open = tuple(row for row in differences if resolution.rows[row.id].open)
    if complete and still_open:
        names = ", ".join(_row(row) for row in still_open[:3]) + (", …" if len(still_open) > 3 else "")
        count = len(still_open)
        what = f"{count} row{'s are' if count > 1 else ' is'} not decided: {names}"
        raise InputError(what, remedy="decide them, or say what to prefer")
    selection = Selection(differences, resolution)
    _refuse_contradictions(selection)
    assembly = Assembly(selection)
    # What the merged map's file says of how it came about.
    record = {
        "first": comparison.first.name,
        "second": comparison.second.name,
        "signature": comparison.signature,
        "base": "second" if resolution.base else "first",
        "wording": wording,
        "prefer": prefer,
        "decisions": {id_: each.decision.to_dict() for id_, each in resolution.rows.items() if each.decision},
        "open": [row.id for row in still_open],
    }
    graph = _valid_graph(assembly, selection, record)
    notices = tuple(
        f"{_row(row)}: {quantity(count, 'nodes')} left out, what they join is not in the map"
        for row, count in Counter(filter(None, map(selection.row_of.get, selection.dropped))).items()
    )
    return Merged(graph, differences, still_open, notices, resolution)


def _refuse_contradictions(selection: Selection) -> None:
    """A relation that a decision keeps cannot join what another decision leaves out."""
    for node in selection.dropped:
        row = selection.row_of.get(node)
        if row is None or node not in row.nodes:
            continue
        decision = selection.resolution.rows[row.id].decision
        if decision is None:
            continue
        side, number = node
        analysis = selection.analyses[side]
        around = [(side, other) for other in (*analysis.predecessors[number], *analysis.successors[number])]
        lost = {selection.row_of[node].id: selection.row_of[node] for node in around if node in selection.row_of}
        others = [
            other
            for id_, other in sorted(lost.items())
            if id_ != row.id and not any(selection.place(node) for node in other.nodes if node in around)
        ]
        said = [_decided(each, selection) for each in (row, *others)]
        what = f"these decisions cannot stand together: {'; '.join(said)}"
        raise ContradictionError(what, (row.id, *(other.id for other in others)))


def _row(row: Difference) -> str:
    """A row by what it is about; its id finds it in files."""
    return f"{named(row)} (row {row.id})"


def _decided(row: Difference, selection: Selection) -> str:
    """What is decided about a row, in words."""
    resolved = selection.resolution.rows[row.id]
    choice = resolved.decision.value or resolved.decision.choice if resolved.decision else "left out by the rules"
    return f"“{choice}” of {_row(row)}"


def _errors(graph: ArgumentGraph) -> dict[str, tuple[Finding, ...]]:
    """The errors of each profile in which there are any."""
    return {name: errors for name in PROFILES if (errors := validate(graph, name, select="E").errors)}


def _valid_graph(assembly: Assembly, selection: Selection, record: dict[str, Any]) -> ArgumentGraph:
    """The merged graph without errors that neither map has: decisions that lead to one are refused, what only rules
    keep is left out."""
    broken: set[str] | None = None
    while True:
        graph = assembly.graph(record)
        broken_now = _errors(graph)
        if broken_now and broken is None:
            # The inputs are asked only where there are errors: mostly there are none.
            broken = {name for analysis in selection.analyses for name in _errors(analysis.graph)}
        errors = [error for name in broken_now if name not in (broken or ()) for error in broken_now[name]]
        if not errors:
            return graph
        for error in errors:
            rows = {row.id for id_ in error.nodes for row in assembly.rows_of(id_)}
            decided = sorted(id_ for id_ in rows if selection.resolution.rows[id_].decision)
            if decided:
                said = "; ".join(_decided(selection.differences.by_id[id_], selection) for id_ in decided)
                what = f"{'these decisions' if len(decided) > 1 else 'this decision'} cannot stand: {said}: {error}"
                raise ContradictionError(what, tuple(decided))
        before = len(selection.kept)
        for error in errors:
            assembly.leave_out(error.nodes)
        selection.drop_idle()
        if len(selection.kept) == before:
            raise InputError(f"the merged map breaks a rule that both maps keep: {errors[0]}")
