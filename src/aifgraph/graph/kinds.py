"""The eight node types of AIF, by the letters that files use, and the groups they fall into."""

from __future__ import annotations

from typing import Final

PROPOSITION: Final = "I"
LOCUTION: Final = "L"
INFERENCE: Final = "RA"
CONFLICT: Final = "CA"
REPHRASE: Final = "MA"
PREFERENCE: Final = "PA"
ILLOCUTION: Final = "YA"
TRANSITION: Final = "TA"

#: Every type that AIF defines, in the order in which counts are shown.
KINDS: Final = (PROPOSITION, LOCUTION, INFERENCE, CONFLICT, REPHRASE, PREFERENCE, ILLOCUTION, TRANSITION)

#: The types that relate propositions to each other.
RELATIONS: Final = (INFERENCE, CONFLICT, REPHRASE, PREFERENCE)

#: The scheme nodes: relations, illocutions and transitions.
SCHEME_KINDS: Final = (*RELATIONS, ILLOCUTION, TRANSITION)

#: How people call them.
NAMES: Final = {
    PROPOSITION: "proposition",
    LOCUTION: "locution",
    INFERENCE: "inference",
    CONFLICT: "conflict",
    REPHRASE: "rephrase",
    PREFERENCE: "preference",
    ILLOCUTION: "illocution",
    TRANSITION: "transition",
}
