"""What the builder lets scheme nodes join, and what is usually done by what (Inference Anchoring Theory)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from aifgraph.errors import InputError, OptionError, choose_from
from aifgraph.graph.nodes import NAMES, RELATIONS, SCHEME_KINDS, Node

#: What the ends of each type of S-node cannot be, and what they are; of an illocution, what it starts from: it may lead
#: to anything, a locution too (reported speech).
_ENDS: Final[Mapping[str, tuple[frozenset[str], str]]] = {
    **dict.fromkeys(RELATIONS, (frozenset({"L", "TA", "YA"}), "propositions or relations")),
    "TA": (frozenset({"I", "YA", "TA", *RELATIONS}), "locutions"),
    "YA": (frozenset({"I", "YA", *RELATIONS}), "locutions or transitions to contents"),
}
#: What is done where no text is given, by what it is done to.
_USUAL_ACTS: Final = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating"}


def relation_type(type_: str) -> str:
    """The type of a relation that is to be made, in upper case.

    Raises:
        OptionError: nothing of the type joins nodes.

    >>> relation_type("attack")
    Traceback (most recent call last):
    aifgraph.errors.OptionError: 'attack' is no type of relation; choose from RA, CA, MA, PA, YA, TA
    """
    kind = type_.strip().upper()
    if kind not in SCHEME_KINDS:
        raise OptionError(f"{type_!r} is no type of relation"[:200], remedy=choose_from(SCHEME_KINDS))
    return kind


def check_ends(kind: str, ends: Sequence[Node]) -> None:
    """Refuse the first end of a type that such a scheme node does not join; what it leads to is the last.

    Raises:
        InputError: there is one.
    """
    refused, joined = _ENDS.get(kind, (frozenset[str](), ""))
    for end in ends[:1] if kind == "YA" else ends:
        if end.type in refused:
            what = f"a {NAMES[end.type]} ({end.type}) cannot be an end of {kind}"
            raise InputError(what, where=f"node {end.id}", remedy=f"it joins {joined}")


def usual_illocution(anchor: Node, content: Node) -> str:
    """The kind of illocution that is meant where none is given.

    Raises:
        InputError: an illocution does not start from such a node.
        OptionError: there is no usual one.
    """
    if anchor.type == "L" and content.type in ("I", "L"):
        return "Asserting"
    if content.type not in _USUAL_ACTS:
        check_ends("YA", [anchor, content])
        raise OptionError("an illocution without text", remedy="give its kind: Agreeing, Challenging …")
    return _USUAL_ACTS[content.type]
