"""Prolog facts in the manner of AIFdb's ``/pl/``: ``aif_node/4`` and ``aif_edge/2``. Written only.

AIFdb cuts texts into lists of words; here a text is one quoted atom, so that nothing of it is lost.
"""

from __future__ import annotations

import re

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.contents import EVERY_NODE, Losses, not_held
from aifgraph.graph import ArgumentGraph, Node, SchemeNode
from aifgraph.graph.meta import parse_time

_HOLDS = EVERY_NODE | {"node ids", "schemes", "timestamps"}
_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*\Z")


class Prolog(Codec):
    """``aif_node(Id, Text or aif_Scheme, aif_Type, date(Y,M,D,H,Mn,S,-,-,-)).``"""

    name = "prolog"
    title = "Prolog facts"
    suffixes = (".pl",)
    reads = False
    loses = not_held(_HOLDS)

    def write(self, graph: ArgumentGraph) -> Written:
        losses = Losses(graph, _HOLDS)
        losses.keep_all()
        lines = []
        for node in graph:
            names = [scheme.name or scheme.id for scheme in node.schemes]
            if isinstance(node, SchemeNode):
                content = _atom("aif_" + re.sub(r"\s+", "_", (names[0] if names else None) or node.type))
                losses.lose("schemes", max(len(names) - 1, 0))
            else:
                content = _atom(node.text)
                losses.lose("schemes", len(names))
            lines.append(f"aif_node({_id(node.id)}, {content}, {_atom('aif_' + node.type)}, {_date(node, losses)}).")
        lines += (f"aif_edge({_id(edge.source)}, {_id(edge.target)})." for edge in graph.edges)
        return Written("\n".join([":- discontiguous aif_node/4, aif_edge/2.", *lines]) + "\n", losses.report())


def _id(id_: str) -> str:
    return id_ if re.fullmatch(r"0|[1-9][0-9]*", id_) else _atom(id_)


def _atom(text: str) -> str:
    if _PLAIN.match(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
    # ISO Prolog writes other control characters by their number.
    return "'" + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\x{ord(found.group()):x}\\", escaped) + "'"


def _date(node: Node, losses: Losses) -> str:
    moment = parse_time(node.timestamp)
    if moment is None:
        losses.lose("timestamps", node.timestamp is not None)
        return "date(-,-,-,-,-,-,-,-,-)"
    parts = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    return f"date({','.join(map(str, parts))},-,-,-)"
