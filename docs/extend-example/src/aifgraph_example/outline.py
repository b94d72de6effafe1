"""A format: one claim a line, what supports or attacks it indented below it, ``+`` or ``-`` in front."""

from __future__ import annotations

from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.errors import FormatError
from aifgraph.formats import Codec, Written
from aifgraph.formats.files import Input
from aifgraph.formats.losses import ARGUMENT

HEAD = "# outline"
SIGNS = {"RA": "+", "CA": "-"}


class Outline(Codec):
    """Two blanks a level. The first line is ``# outline``."""

    name = "outline"
    title = "outline of claims"
    suffixes = (".outline",)
    supports = ARGUMENT

    def sniff(self, file: Input) -> bool:
        return file.data.startswith(HEAD.encode())

    def read(self, file: Input) -> ArgumentGraph:
        build = GraphBuilder(name=file.name)
        above: list[str] = []
        for number, line in enumerate(file.text.splitlines()[1:], 2):
            words = line.strip()
            if not words:
                continue
            depth = (len(line) - len(line.lstrip(" "))) // 2
            if depth > len(above):
                raise FormatError("indented too far", where=f"{file.name}, line {number}", remedy="two blanks a level")
            text = words[2:] if depth else words
            claim = build.proposition(text)
            if depth and words[0] == "+":
                build.inference([claim], above[depth - 1])
            elif depth and words[0] == "-":
                build.conflict(claim, above[depth - 1])
            elif depth:
                raise FormatError("no + or -", where=f"{file.name}, line {number}", remedy="say what the claim does")
            above[depth:] = [claim]
        return build.graph(form=self.name)

    def write(self, graph: ArgumentGraph) -> Written:
        lines = [HEAD]
        written: set[str] = set()

        def put(id_: str, depth: int, sign: str) -> None:
            written.add(id_)
            lines.append("  " * depth + sign + " ".join(graph[id_].text.split()))
            for relation in (*graph.inferences, *graph.conflicts):
                premises, conclusions = graph.premises_of(relation), graph.conclusions_of(relation)
                if [node.id for node in conclusions] != [id_] or len(premises) != 1 or premises[0].id in written:
                    continue
                if premises[0].type == "I":
                    put(premises[0].id, depth + 1, SIGNS[relation.type] + " ")

        premises = {node.id for relation in graph.relations for node in graph.premises_of(relation)}
        for node in sorted(graph.propositions, key=lambda node: node.id in premises):
            if node.id not in written:
                put(node.id, 0, "")
        return Written("\n".join(lines) + "\n")
