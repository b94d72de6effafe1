"""Source texts on their way in and out: xAIF's ``text`` field, and spans written as markup."""

from __future__ import annotations

import html

from aifgraph.graph import ArgumentGraph, SourceText, Span
from aifgraph.text.markup import plain_text


def marked_text(source: SourceText) -> str:
    """The text as AIF tools write it: as it is, or with its spans marked by ``<span id=…>``.

    >>> from aifgraph.graph import Span
    >>> marked_text(SourceText("Masks help.", spans=(Span("4", 0, 10),)))
    '<span class="highlighted" id="4">Masks help</span>.'
    """
    if source.spans is None:
        return source.text
    # Longer spans open first and close last; HTML cannot hold spans that cross, browsers close the inner one early.
    inserts: list[tuple[int, int, int, str]] = []
    for span in source.spans:
        length = span.end - span.start
        inserts.append((span.start, 1, -length, f'<span class="highlighted" id="{html.escape(span.node_id)}">'))
        inserts.append((span.end, 0, length, "</span>"))
    parts: list[str] = []
    done = 0
    for place, _, _, tag in sorted(inserts, key=lambda insert: insert[:3]):
        parts += (_escaped(source.text[done:place]), tag)
        done = place
    parts.append(_escaped(source.text[done:]))
    return "".join(parts)


def with_places(graph: ArgumentGraph) -> ArgumentGraph:
    """The graph with its source text plain, and what was marked in it as spans of its nodes; unmarked texts stay."""
    source = graph.meta.source
    if source is None or source.spans is not None:
        return graph
    plain = plain_text(source.text)
    spans = tuple(Span(mark.id, mark.start, mark.end) for mark in plain.spans if mark.id in graph)
    return graph.with_meta(source=SourceText(plain.text, source.origin, spans)) if plain.spans else graph


def _escaped(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>\n")
