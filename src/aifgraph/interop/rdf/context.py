"""The JSON-LD context: short names for AIF's properties and this library's own.

``python -m aifgraph.interop.rdf.context`` prints it; ``schemas/aif-context.jsonld`` is what it prints.
"""

from __future__ import annotations

import json
from typing import Any

from aifgraph.interop.rdf.vocabulary import AIF, FOAF, NODES, OWN, OWN_ROLES, ROLES, XSD


def context() -> dict[str, Any]:
    """The value of ``@context``.

    >>> context()["hasPremise"]
    {'@id': 'aif:hasPremise', '@type': '@id'}
    """
    links = [role.removeprefix(AIF) for pair in ROLES.values() for role in pair]
    own_links = [role.removeprefix(OWN) for pair in OWN_ROLES.values() for role in pair]
    own_links += ["node", "from", "to", "person", "locution", "marks"]
    times = ["storedAt", "startedAt", "endedAt"]
    return {
        "aif": AIF,
        "ag": OWN,
        "foaf": FOAF,
        "n": NODES,
        "owl": "http://www.w3.org/2002/07/owl#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": XSD,
        "claimText": "aif:claimText",
        "creationDate": "aif:creationDate",
        "label": "rdfs:label",
        "fulfils": {"@id": "aif:fulfils", "@type": "@id"},
        **{name: {"@id": f"aif:{name}", "@type": "@id"} for name in links},
        **{name: {"@id": f"ag:{name}", "@type": "@id"} for name in own_links},
        **{name: {"@id": f"ag:{name}", "@type": "xsd:dateTime"} for name in times},
    }


def document() -> str:
    """The file."""
    return json.dumps({"@context": context()}, indent=2) + "\n"


if __name__ == "__main__":
    print(document(), end="")
