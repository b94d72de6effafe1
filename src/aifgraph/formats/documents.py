"""The documents of AIF JSON and xAIF as pydantic models, which services take as types and ``schemas/`` is made from.

They have every field that tools are known to write, and let others through. Reading does not pass through them, which
would be slower by a factor and say less clearly what is wrong.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Id = Annotated[str | int, Field(description="An id; compared as a string, so that 7 and '7' are one.")]


class Open(BaseModel):
    """An object that may have further fields; they survive a round trip."""

    model_config = ConfigDict(extra="allow")


NodeType = Annotated[
    Literal["I", "L", "RA", "CA", "MA", "PA", "YA", "TA"], Field(description="The types that AIF defines.")
]
OtherType = Annotated[
    str,
    Field(
        pattern="^[A-Za-z][A-Za-z0-9_-]{0,30}$",
        description="Any other type (OVA3's EN): kept, flagged with a notice, and outside every measure. Lower case is "
        "read as upper case.",
    ),
]
OwnId = Annotated[
    str | None,
    Field(description="The map's own id, where one that can be counted on stands in its place; null: it has none."),
]


class AifNode(Open):
    """A node. A node of several schemes occurs once for each in AIFdb's files."""

    nodeID: Id  # noqa: N815  (AIF's own name)
    type: NodeType | OtherType
    text: str = Field(description="What it says; of a scheme node its label, which may be empty.")
    timestamp: str | int | float | None = Field(None, description="When it was stored, as the tool writes times.")
    scheme: str | None = Field(None, description="Name of the scheme it fulfils.")
    schemeID: Id | None = Field(None, description="AIFdb's id of that scheme.")  # noqa: N815
    aifgraphID: OwnId = None  # noqa: N815


class AifEdge(Open):
    """An edge; what it means follows from the types at its ends."""

    edgeID: Id | None = None  # noqa: N815
    fromID: Id | None  # noqa: N815
    toID: Id | None  # noqa: N815
    formEdgeID: Id | None = Field(None, description="The role in the scheme; hardly ever set.")  # noqa: N815
    aifgraphID: OwnId = None  # noqa: N815


class AifLocution(Open):
    """Who made a locution, and when."""

    nodeID: Id | None = None  # noqa: N815
    personID: Id | None = None  # noqa: N815
    timestamp: str | int | float | None = None
    start: str | int | float | None = Field(None, description="SQL, ISO 8601 or JavaScript time, or epoch seconds.")
    end: str | int | float | None = None
    source: str | None = None


class AifParticipant(Open):
    """A person that locution records name."""

    participantID: Id | None = None  # noqa: N815
    firstname: str | None = None
    surname: str | None = None
    aifgraphID: OwnId = None  # noqa: N815


class AifSchemeFulfilment(Open):
    """A node and a scheme that it fulfils (upload form, OVA, xAIF)."""

    nodeID: Id | None = None  # noqa: N815
    schemeID: Id | None = None  # noqa: N815


class AifDocument(Open):
    """AIF JSON: one map, or a corpus merged into one."""

    nodes: list[AifNode]
    edges: list[AifEdge] | None = None
    locutions: list[AifLocution] | None = None
    participants: list[AifParticipant] | None = None
    schemefulfillments: list[AifSchemeFulfilment] | None = None
    descriptorfulfillments: list[dict[str, Any]] | None = None


class XaifText(Open):
    """A source text with its address."""

    txt: str | None = None
    url: str | None = None


class XaifGraph(AifDocument):
    """The AIF part of xAIF, which may be without nodes: a text that waits for its analysis."""

    nodes: list[AifNode] | None = None  # type: ignore[assignment]


class XaifDocument(Open):
    """xAIF: an AIF object (or the same as a string) and the text next to it."""

    AIF: XaifGraph | str
    text: str | XaifText | None = Field(None, description="The source text; spans may mark nodes by their id.")
    dialog: bool | str | dict[str, Any] | None = Field(None, description="Whether the text is a dialogue.")
    OVA: dict[str, Any] | list[Any] | None = None


def main(folder: str) -> None:
    """Write the schemas into a folder, as ``make schemas`` does."""
    aif, xaif = AifDocument.model_json_schema(), XaifDocument.model_json_schema()
    aif["title"], xaif["title"] = "AIF JSON, as AIFdb emits it and as it is uploaded", "xAIF"
    for name, schema in (("aif", aif), ("xaif", xaif)):
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:aifgraph:schema:{name}"}
        text = json.dumps(head | {"title": schema["title"]} | schema, ensure_ascii=False, indent=2) + "\n"
        (Path(folder) / f"{name}.schema.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
