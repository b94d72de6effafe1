"""A file of N-Quads or TriG as a corpus: every named graph is a map, whose triples are read when it is asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

from aifgraph.errors import FormatError
from aifgraph.formats.archives import safe_path
from aifgraph.formats.files import input_from_path
from aifgraph.formats.rdf import STATEMENT, as_quads
from aifgraph.graph import Notice
from aifgraph.interop.rdf.terms import OWN

_SAYS = re.compile(rf'<([^<>\s]*)> <{OWN}(name|corpus)> ("(?:[^"\\]|\\.)*") ')


class Quads:
    """The named graphs of a file, each a file ``NAME.nt``: named as they say (``ag:name``), else after their IRIs.

    Raises ``FormatError`` where the file is damaged.
    """

    ordered = False

    def __init__(self, path: Path) -> None:
        self.path = path
        graphs: dict[str, list[str]] = {}
        said: dict[str, dict[str, str]] = {}
        for number, line in enumerate(as_quads(input_from_path(path).unpacked()).split("\n"), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if (found := STATEMENT.match(line)) is None:
                raise FormatError("not a statement of N-Quads", where=f"{path}, line {number}")
            graph = found["graph"] or ""
            graphs.setdefault(graph, []).append(f"{line[: found.start('graph')]} ." if graph else line)
            if (word := _SAYS.match(line)) is not None and graph == f"<{word[1]}>":
                said.setdefault(graph, {})[word[2]] = json.loads(word[3])
        corpora = {each.get("corpus") for each in said.values()}
        self._graphs: dict[str, list[str]] = {}
        for number, (graph, lines) in enumerate(graphs.items(), 1):
            names = said.get(graph, {})
            last = re.split(r"[/#:]", unquote(graph.strip("<>")).rstrip("/#:"))[-1]
            name = names.get("name") or last
            if len(corpora) > 1 and names.get("corpus"):
                name = f"{names['corpus']}/{name}"
            stem = safe_path(name) or f"graph{number}"
            self._graphs[stem + ".nt" if stem + ".nt" not in self._graphs else f"{stem}@{number}.nt"] = lines
        self.paths = list(self._graphs)
        self.notices: tuple[Notice, ...] = ()

    def holds(self, path: str) -> bool:
        return path in self._graphs

    def read(self, path: str) -> bytes:
        return "\n".join(self._graphs[path]).encode("utf-8", "surrogatepass")

    def where(self, path: str) -> str:
        return f"{self.path}, {path.removesuffix('.nt')}"
