"""How maps and comparisons show themselves: in a notebook (tables, and a picture where pygraphviz is installed), and as
pages that a browser opens.

What a notebook gets is HTML without script; every text in it is escaped, control characters too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from aifgraph.errors import AifgraphError
from aifgraph.printable import one_line, printable, quantity
from aifgraph.report.graphviz import installed
from aifgraph.tables import Table

if TYPE_CHECKING:
    from aifgraph.comparison.comparison import Comparison
    from aifgraph.graph import ArgumentGraph

#: A map with more nodes than this is not drawn: nobody could read it.
DRAWN = 120
_ARGUMENT = ("I", "RA", "CA", "MA", "PA")
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
    warned = f"<p>{quantity(len(graph.notices), 'warnings')} in <code>.notices</code></p>" if graph.notices else ""
    drawn = sum(count for kind, count in counts.items() if kind in _ARGUMENT)
    shown = _picture(graph, drawn) or _list(graph)
    return printable(f"<p><strong>{name}</strong>: {escape(head)}</p>{warned}{shown}")


def comparison_html(result: Comparison) -> str:
    """A comparison: what the two agree on in a sentence, the scores, and both maps in one picture."""
    from aifgraph.report.html.sentences import Pair

    drawn = max(sum(node.type in _ARGUMENT for node in graph) for graph in (result.first, result.second))
    more = "<p>The whole as a page: <code>.to_html(path)</code></p>"
    tables = _tables([result.short_table(), *result.tables()[:3]])
    return printable(f"{_head(result)}<p>{escape(Pair(result).summary())}</p>{_picture(result, drawn)}{tables}{more}")


def _head(result: Comparison) -> str:
    parts = [f"<p><code>{escape(result.signature)}</code></p>"]
    parts += [f"<p>notice: {escape(str(notice))}</p>" for notice in result.notices]
    return "\n".join(parts)


def _tables(tables: Iterable[Table]) -> str:
    from aifgraph.report.html.embed import environment

    macros: Any = environment().get_template("macros.html.j2").module
    return "".join(macros.table_view(table, caption=table.title) for table in tables)


def _picture(drawn: Any, size: int) -> str:
    if not 0 < size <= DRAWN or not installed():
        return ""
    from aifgraph.report.drawing import draw_map

    try:
        svg = draw_map(drawn, "svg").picture
    except AifgraphError:
        return ""
    text = svg.decode("utf-8") if isinstance(svg, bytes) else svg
    # As wide as the cell, and no larger than it was drawn.
    drawn_as = re.search(r'<svg width="([\d.]+)(?:pt|px)?" height="[\d.]+(?:pt|px)?"', text)
    scaled = text
    if drawn_as:
        scaled = text.replace(drawn_as[0], f'<svg style="width:100%;max-width:{drawn_as[1]}pt;height:auto"', 1)
    return f"<div>{scaled[scaled.index('<svg') :]}</div>"


def _list(graph: ArgumentGraph) -> str:
    items = "".join(f"<li>{escape(one_line(node.text))}</li>" for node in graph.propositions[:_LISTED])
    rest = len(graph.propositions) - _LISTED
    more = f"<p>… and {rest} more</p>" if rest > 0 else ""
    return f"<ul>{items}</ul>{more}" if items else ""
