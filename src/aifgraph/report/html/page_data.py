"""What the script of a pair's page needs, as plain values under names: the elements of the maps, what stands behind the
cells of the matrices, and the rows that can be decided.

A decision kind travels with its name and its key, so that the script knows none by heart.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from aifgraph.adjudication.decision_file import COLUMNS, FILLED, difference_row, maps_of
from aifgraph.adjudication.decisions import CHOICE_KINDS, choices_of
from aifgraph.comparison.breakdown import NameAgreement
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import VERBS, Differences
from aifgraph.comparison.differences.words import heading, title
from aifgraph.corpus_names import file_name, name_of_file
from aifgraph.evaluation.text_agreement import decisions_by_speaker
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import catalogue
from aifgraph.printable import unhashed
from aifgraph.report.html.listed import differing_words
from aifgraph.report.html.map_layout import MapLayout, Path, Place, SmallMap, SmallMaps, Tip, argument_layout
from aifgraph.report.html.matrices import LISTED, items_of_cells
from aifgraph.report.html.merged_map import Element, Line, Member, MergedMap
from aifgraph.report.html.timeline import timeline
from aifgraph.stats.matrix import NONE

#: A page grows by a hundredth against the highest level, which takes three times as long.
_LEVEL: Final = 6


def page_data(
    result: Comparison, merged: MergedMap, differences: Differences, title: str, served: dict[str, Any] | None
) -> dict[str, Any]:
    """The data block of the page; ``title`` names the pair in the file of decisions, ``served`` says where decisions go
    (None for the browser's own storage)."""
    order = timeline(result.alignment, merged)
    layout = argument_layout(merged, order)
    return {
        "elements": [
            _element(element, order[element.number], says, layout) for element, says in _said(merged, differences)
        ],
        "lines": [_plain(line) | {"path": _path(layout, line.source, line.target)} for line in merged.lines],
        "argument": {"width": layout.width, "height": layout.height, "why": layout.why},
        "speakers": _speakers(merged),
        "agreement": _agreement_of_speakers(result),
        "verbs": VERBS,
        "listed": LISTED,
        "none": NONE,
        "cells": items_of_cells(result, merged),
        "decisions": _packed(_decisions(differences, merged, title, served)),
    }


def _said(merged: MergedMap, differences: Differences) -> Iterator[tuple[Element, str]]:
    """Each element with the kind of difference that it is, as the list has it."""
    says = {merged.of[node]: f"decided with “{heading(row)}”" for row in differences for node in row.follows}
    says |= {merged.of[node]: title(row) for row in differences for node in row.nodes}
    return ((element, says.get(element.number, "the same")) for element in merged.elements)


def _element(element: Element, order: int, says: str, layout: MapLayout) -> dict[str, Any]:
    first, second = (member and _plain(member) for member in (element.first, element.second))
    if first and second and element.kind in ("I", "L") and first["text"].split() != second["text"].split():
        pieces = differing_words(first["text"], second["text"])
        first["pieces"], second["pieces"] = ([piece._asdict() for piece in side] for side in pieces)
    return {
        "status": element.status,
        "says": says,
        "first": first,
        "second": second,
        "similarity": element.similarity,
        "because": element.because,
        "partOf": element.part_of,
        "order": order,
        "place": (place := layout.places.get(element.number)) and _plain(place),
        "path": None if element.part_of is None else _path(layout, element.number, element.part_of),
    }


def _path(layout: MapLayout, source: int, target: int) -> dict[str, Any] | None:
    path = layout.paths.get((source, target))
    return None if path is None else _line(path)


def _line(path: Path) -> dict[str, Any]:
    return _plain(path) | {"tip": _plain(path.tip)}


def _plain(value: Member | Line | Place | Path | Tip | SmallMap) -> dict[str, Any]:
    """Its fields: ``asdict``, which copies deeply, takes longer than the layout of a small map."""
    return {name: getattr(value, name) for name in value.__slots__}


def _speakers(merged: MergedMap) -> list[str]:
    """Every speaker, in the order of first appearance; a place in the list is a colour."""
    members = (member for element in merged.elements for member in (element.first, element.second))
    return list(dict.fromkeys(member.speaker for member in members if member and member.speaker))


def _agreement_of_speakers(result: Comparison) -> dict[str, dict[str, Any]]:
    """Agreement on the illocutions of each speaker, for the heads of the lanes."""
    cells: dict[str, Counter[tuple[str, str]]] = {}
    for (speaker, one, other), count in decisions_by_speaker(result).items():
        cells.setdefault(unhashed(speaker), Counter())[one, other] += count
    return {
        speaker: {
            "decisions": sum(counts.values()),
            "agreed": sum(count for (one, other), count in counts.items() if one == other),
            "kappa": NameAgreement.of(counts).kappa,
        }
        for speaker, counts in cells.items()
    }


def _decisions(
    differences: Differences, merged: MergedMap, title: str, served: dict[str, Any] | None
) -> dict[str, Any]:
    """The rows as the file of decisions has them, what may be decided about each, and the labels that may be given in
    place of theirs."""
    maps = SmallMaps(merged)
    rows = [
        {
            "id": difference.id,
            "choices": choices_of(difference),
            "heading": heading(difference),
            "maps": [_plain(small) for small in maps.of(difference)],
            "cells": {
                name: value
                for name, value in difference_row(difference, differences, title).items()
                if name not in FILLED
            },
        }
        for difference in differences
    ]
    relations = sorted({row.name for row in catalogue().values() if row.kind in RELATIONS})
    return {
        "maps": maps_of(differences),
        "file": file_name(name_of_file(title)),
        "columns": COLUMNS,
        "kinds": [{"name": kind.name, "key": kind.key, "free": kind.sides is None} for kind in CHOICE_KINDS],
        # What may stand in place of a label; a wording may be anything.
        "labels": {
            "illocutions": sorted({row.name for row in catalogue().values() if row.kind == "YA"}),
            "relations": [*RELATIONS, *relations],
        },
        "rows": rows,
        "layouts": [_small(layout) for layout in maps.layouts],
        "served": served,
    }


def _small(layout: MapLayout) -> dict[str, Any]:
    """A map of few boxes, on its own."""
    return {
        "places": [{"box": number, **_plain(place)} for number, place in layout.places.items()],
        "paths": [
            {"source": source, "target": target, **_line(path)} for (source, target), path in layout.paths.items()
        ],
        "width": layout.width,
        "height": layout.height,
    }


def _packed(decisions: dict[str, Any]) -> dict[str, Any]:
    """The same, deflated and in base64: the page needs it when somebody decides, and is not to grow by half for it."""
    text = json.dumps(decisions, separators=(",", ":")).encode("ascii")  # half surrogates have no UTF-8
    return {
        "count": len(decisions["rows"]),
        "served": decisions["served"] is not None,
        "packed": base64.b64encode(zlib.compress(text, _LEVEL)).decode(),
    }
