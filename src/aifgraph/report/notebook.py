"""How a map and a comparison show themselves in a notebook: a picture where Graphviz is installed, tables anyway.

What comes out is HTML without script; every text in it is escaped.
"""

from __future__ import annotations

import shutil
from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

from aifgraph.errors import AifgraphError
from aifgraph.tables import shown

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison
    from aifgraph.graph import ArgumentGraph

#: A map with more nodes than this is not drawn: nobody could read it.
DRAWN = 120
#: Propositions that are listed where a map is not drawn.
_LISTED = 12


def graph_html(graph: ArgumentGraph) -> str:
    """A map: its name and counts, and its argument as a picture or its first propositions as a list.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("1 < 2")
    >>> "1 &lt; 2" in graph_html(build.graph())
    True
    """
    counts = Counter(node.type for node in graph)
    head = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "empty"
    name = escape(graph.name.replace("\\", "/").rsplit("/", 1)[-1] or "ArgumentGraph")
    warned = f"<p>{len(graph.notices)} warnings in <code>.notices</code></p>" if graph.notices else ""
    drawn = sum(count for kind, count in counts.items() if kind in ("I", "RA", "CA", "MA", "PA"))
    return f"<p><strong>{name}</strong>: {escape(head)}</p>{warned}{_picture(graph, drawn) or _list(graph)}"


def comparison_html(result: Comparison) -> str:
    """A comparison: what the two agree on in sentences, the scores, and both maps in one picture."""
    from aifgraph.report.html.group_counts import group_counts, sentences
    from aifgraph.report.html.merged_map import merged_map

    differences = result.differences()
    merged = merged_map(result.alignment)
    lines = [differences.lead, *sentences(result, group_counts(differences))]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    drawn = sum(element.kind not in ("L", "YA", "TA") for element in merged.elements)
    more = "<p>The whole as a page: <code>.to_html()</code></p>"
    return f"{_scores(result)}<ul>{items}</ul>{_picture(result, drawn)}{more}"


def _scores(result: Comparison) -> str:
    parts = [f"<p><strong>{escape(result.headline)}</strong><br><code>{escape(result.signature)}</code></p>"]
    for table in result.tables()[:3]:
        head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row) + "</tr>" for row in table.rows
        )
        parts.append(
            f"<table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )
    parts += [f"<p>warning: {escape(str(notice))}</p>" for notice in result.warnings]
    return "\n".join(parts)


def _picture(drawn: Any, size: int) -> str:
    if not 0 < size <= DRAWN or not shutil.which("dot"):
        return ""
    from aifgraph.report.drawing import drawing

    try:
        svg = drawing(drawn, "svg")
    except AifgraphError:
        return ""
    text = svg.decode("utf-8") if isinstance(svg, bytes) else svg
    return f'<div style="overflow:auto;max-height:40em">{text[text.index("<svg") :]}</div>'


def _list(graph: ArgumentGraph) -> str:
    items = "".join(f"<li>{escape(node.text)}</li>" for node in graph.propositions[:_LISTED])
    rest = len(graph.propositions) - _LISTED
    more = f"<p>… and {rest} more</p>" if rest > 0 else ""
    return f"<ul>{items}</ul>{more}" if items else ""
