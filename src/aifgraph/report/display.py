"""How maps and comparisons show themselves in a notebook: a sentence, numbers, and a map where Graphviz is installed.

A cell is HTML without script; every text in it is escaped, control characters too.
"""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

from aifgraph.errors import AifgraphError
from aifgraph.printable import printable, quantity
from aifgraph.report.html import environment

if TYPE_CHECKING:
    from aifgraph.comparison.result import Comparison
    from aifgraph.graph import ArgumentGraph

#: A map with more nodes of its argument is not drawn: nobody could read it.
_DRAWN = 120


def graph_html(graph: ArgumentGraph) -> str:
    """Return a map's name and counts, and its argument as a picture.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> graph_html(build.graph().with_name("<b>"))[:38]
    '<p><strong>&lt;b&gt;</strong>: 1 I</p>'
    """
    counts = Counter(node.type for node in graph)
    head = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "empty"
    name = escape(graph.name.replace("\\", "/").rsplit("/", 1)[-1] or "ArgumentGraph")
    notices = f"<p>{quantity(len(graph.notices), 'warnings')} in <code>.notices</code></p>" if graph.notices else ""
    return printable(f"<p><strong>{name}</strong>: {escape(head)}</p>{notices}{_picture(graph, graph)}")


def comparison_html(result: Comparison) -> str:
    """Return the sentence of the page, the scores, and both maps in one picture."""
    from aifgraph.report.sentences import Pair

    notices = "".join(f"<p>notice: {escape(str(notice))}</p>" for notice in result.notices)
    picture = _picture(result, *result.graphs)
    macros: Any = environment().get_template("macros.html.j2").module
    table = result.result.short_table()
    return printable(
        f"<p><strong>{escape(Pair(result).summary())}</strong></p>{notices}"
        f"{macros.table_view(table, caption=table.title)}{picture}"
        f"<p><code>{escape(result.how.short)}</code></p>"
        "<p>The whole as a page: <code>.to_html(path)</code></p>"
    )


def _picture(drawn: Any, *graphs: ArgumentGraph) -> str:
    """Return a map as SVG that is as wide as its cell, but no larger than it was drawn."""
    from aifgraph.report.pictures import draw

    sizes = [sum(node.kind in ("I", "RA", "CA", "MA", "PA") for node in graph) for graph in graphs]
    if not 0 < max(sizes) <= _DRAWN:
        return ""
    try:
        svg = str(draw(drawn))
    except AifgraphError:  # without Graphviz
        return ""
    return (
        "<div>" + re.sub(r'width="(\d+)" height="\d+"', r'style="width:100%;max-width:\1px"', svg, count=1) + "</div>"
    )
