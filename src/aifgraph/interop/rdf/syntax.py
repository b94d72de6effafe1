"""Triples of one map as text: N-Triples, N-Quads, Turtle and TriG, sorted, so that the same map is the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from aifgraph.interop.rdf.terms import RDF_TYPE, XSD
from aifgraph.interop.rdf.write import Triple, ref

_LOCAL: Final = re.compile(
    r"(?:[A-Za-z0-9_]|%[0-9A-F]{2})(?:(?:[A-Za-z0-9_.-]|%[0-9A-F]{2})*(?:[A-Za-z0-9_-]|%[0-9A-F]{2}))?\Z"
)
_BARE: Final = re.compile(rf'"(-?[0-9]+|true|false)"\^\^<{XSD}(?:integer|boolean)>\Z')


def lines(triples: Iterable[Triple], graph: str = "") -> str:
    """N-Triples; or N-Quads, where the IRI of a graph is given."""
    end = f" {ref(graph)} .\n" if graph else " .\n"
    return "".join(sorted(f"{one} {two} {three}{end}" for one, two, three in triples))


def turtle(triples: Iterable[Triple], prefixes: Mapping[str, str], graph: str = "") -> str:
    """Turtle; or TriG, where the IRI of a graph is given. Of the prefixes those that are used are declared.

    >>> print(turtle([("<urn:x:a>", "<urn:x:p>", '"b"'), ("<urn:x:a>", "<urn:x:p>", "<urn:x:c>")], {"x": "urn:x:"}))
    @prefix x: <urn:x:> .
    <BLANKLINE>
    x:a x:p "b" ,
            x:c .
    <BLANKLINE>
    """
    shorten = _Shortened(prefixes)
    subjects: dict[str, dict[str, list[str]]] = {}
    for one, two, three in sorted(triples):
        subjects.setdefault(one, {}).setdefault(two, []).append(three)
    indent = "    " if graph else ""
    parts = []
    for subject, said in subjects.items():
        listed = []
        type_ = said.pop(_TYPE, [])
        for property_, values in [(_TYPE, type_), *said.items()] if type_ else said.items():
            word = "a" if property_ == _TYPE else shorten[property_]
            listed.append(f"{word} " + f" ,\n{indent}        ".join(shorten[value] for value in values))
        parts.append(f"{indent}{shorten[subject]} " + f" ;\n{indent}    ".join(listed) + " .\n")
    head = "".join(f"@prefix {prefix}: {ref(prefixes[prefix])} .\n" for prefix in sorted(shorten.used))
    body = "\n".join(parts)
    return f"{head}\n{ref(graph)} {{\n{body}}}\n" if graph else f"{head}\n{body}"


_TYPE: Final = ref(RDF_TYPE)


class _Shortened(dict[str, str]):
    """Terms as Turtle has them, each worked out once; and which prefixes they use."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        # Where one namespace begins with another, the longer one counts.
        self._spaces = sorted(((f"<{space}", name) for name, space in prefixes.items()), key=lambda each: -len(each[0]))
        self._numbers = next((name for name, space in prefixes.items() if space == XSD), None)
        self.used: set[str] = set()

    def __missing__(self, term: str) -> str:
        self[term] = short = self._short(term)
        return short

    def _short(self, term: str) -> str:
        if term[0] == "<":
            for space, name in self._spaces:
                if term.startswith(space):
                    local = term[len(space) : -1]
                    if _LOCAL.match(local):
                        self.used.add(name)
                        return f"{name}:{local}"
                    break
            return term
        if bare := _BARE.match(term):
            return bare[1]
        end = term.rindex('"') + 1
        return term if end == len(term) else f"{term[: end + 2]}{self[term[end + 2 :]]}"
