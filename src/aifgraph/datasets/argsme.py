"""The args.me corpus (Ajjour et al. 2019): arguments of debate portals, each a conclusion and its premises.

The arguments of one page that follow each other are a map. A conclusion that comes again is the same I-node; a premise
is RA to it (PRO) or CA (CON).
"""

from __future__ import annotations

import codecs
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from aifgraph.corpus_names import UniqueNames
from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.rows import lines_of, open_file, table_file
from aifgraph.errors import AifgraphError, FormatError
from aifgraph.formats.files import parse_json
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

_RELATIONS = {"PRO": "RA", "CON": "CA"}
_START = re.compile(r"\s*(?:\{\s*\"arguments\"\s*:\s*)?\[")
_BETWEEN = re.compile(r"[\s,]*")
_HEAD, _PIECE = 1 << 12, 1 << 20
#: A longer argument is damage: the bracket that ends it is missing.
_MAX_ARGUMENT = 1 << 26
#: Entries of an argument's context that are about its neighbours.
_NEIGHBOURS = ("previousArgumentInSourceId", "nextArgumentInSourceId")


class ArgsMe(Dataset):
    """``args-me.json`` (an object or a list) or JSON lines of arguments; gzip is unpacked. A map a page."""

    name = "argsme"
    title = "args.me corpus"

    def maps(self) -> Iterator[ArgumentGraph]:
        path = table_file(self.path, "*.json*")
        names = UniqueNames()
        for source, arguments in groupby(self._whole(path), key=lambda entry: _source(entry[1])):
            yield self._map(names.unique(source), list(arguments), path.name)

    def _whole(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """The arguments that have an id, a conclusion and premises, numbered from 1."""
        for number, entry in enumerate(self._entries(path), 1):
            self.counts["arguments"] += 1
            match entry:
                case {"id": str(), "conclusion": str(conclusion), "premises": [_, *_]} if conclusion.strip():
                    yield number, entry
                case _:
                    what = f"argument {number} is not an object with id, conclusion and premises; it is skipped"
                    self.problems.add("argument", what, path.name)

    def _entries(self, path: Path) -> Iterator[Any]:
        """The values of the list in a file, one at a time, or those of its lines."""
        try:
            with open_file(path) as file:
                head = file.read(_HEAD)
                if _START.match(head.decode("utf-8-sig", "replace")):
                    yield from self._listed(head, file, path.name)
                    return
        except (EOFError, zlib.error, OSError, UnicodeDecodeError) as error:
            raise FormatError(f"cannot be read to its end ({error})", where=path.name) from None
        for number, line in lines_of(path, self.problems, path.name):
            if line.strip():
                try:
                    yield parse_json(line, path.name)
                except AifgraphError as error:
                    self.problems.add("json", f"{error.what}; the line is skipped", path.name, number)

    def _listed(self, head: bytes, file: IO[bytes], name: str) -> Iterator[Any]:
        decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        values = json.JSONDecoder()
        text = decode(head)
        start = _START.match(text)
        at = start.end() if start else 0
        number = 1
        while True:
            at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if text.startswith("]", at):
                return
            try:
                value, at = values.raw_decode(text, at)
            except (ValueError, RecursionError):
                # It may go on in the next piece. Each piece is as long as what is there, so that this stays linear.
                rest = len(text) - at
                piece = file.read(max(_PIECE, rest)) if rest < _MAX_ARGUMENT else b""
                if not piece:
                    self.problems.add("json", f"argument {number} is damaged; what follows it is not read", name)
                    return
                text, at = text[at:] + decode(piece), 0
                continue
            yield value
            number += 1

    def _map(self, name: str, arguments: list[tuple[int, dict[str, Any]]], file: str) -> ArgumentGraph:
        build = GraphBuilder(name=name)
        conclusions: dict[str, str] = {}
        page = {key: value for key, value in _context(arguments[0][1]).items() if key not in _NEIGHBOURS}
        for number, argument in arguments:
            words = argument["conclusion"].strip()
            if words not in conclusions:
                conclusions[words] = build.proposition(words, record={"argsme": {"role": "conclusion"}})
            further = {
                key: value for key, value in argument.items() if key not in ("conclusion", "premises", "context")
            }
            further["context"] = {k: v for k, v in _context(argument).items() if k not in page or page[k] != v}
            for place, premise in enumerate(argument["premises"]):
                match premise:
                    case {"text": str(text), "stance": str(stance)} if text.strip() and stance in _RELATIONS:
                        entry = {key: value for key, value in premise.items() if key != "text"}
                    case _:
                        what = f"argument {number}: premise {place} has no text, or no stance PRO or CON"
                        self.problems.add("premise", what, file)
                        continue
                self._held("stances", stance)
                id_ = build.proposition(text.strip(), record={"argsme": {"role": "premise", **entry}})
                type_ = _RELATIONS[stance]
                record = {"argsme": further}
                build.relation(type_, [id_], conclusions[words], DEFAULT_TEXTS[type_], record=record)
        return build.graph(aif={"argsme": {"context": page}} if page else {})


def _context(argument: Mapping[str, Any]) -> Mapping[str, Any]:
    context = argument.get("context")
    return context if isinstance(context, dict) else {}


def _source(argument: Mapping[str, Any]) -> str:
    """The page that an argument is from: its id begins with that of the page."""
    return str(_context(argument).get("sourceId") or argument["id"].rpartition("-")[0].rpartition("-")[0] or "page")
