"""XML changed by its structure: an element or attribute gets another value, is left out, repeated, renamed, moved."""

from __future__ import annotations

import copy
import random
import re
from xml.etree import ElementTree

from fuzz.values import TEXTS

#: What XML cannot hold: written as it is, it would only ever test the parser.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEADS = (
    b'<?xml version="1.0" encoding="utf-16"?>',
    b'<?xml version="1.1"?>',
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
    b'<!DOCTYPE x SYSTEM "/etc/passwd">',
    b'<?xml-stylesheet href="x"?>',
)


def changed(rng: random.Random, data: bytes) -> bytes | None:
    """The document with one change; None where the data is no XML that the standard parser takes."""
    if rng.random() < 0.05:
        return rng.choice(_HEADS) + data
    if len(data) > 1 << 17 or b"<!ENTITY" in data:
        return None
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        return None
    elements = list(root.iter())
    parents = {child: parent for parent in elements for child in parent}
    place, other = rng.choice(elements), rng.choice(elements)
    kind = rng.randrange(8)
    if kind == 0:
        place.text = _text(rng)
    elif kind == 1:
        place.tail = _text(rng)
    elif kind == 2 and place.attrib:
        place.set(rng.choice(sorted(place.attrib)), _text(rng))
    elif kind == 3 and place.attrib:
        del place.attrib[rng.choice(sorted(place.attrib))]
    elif kind == 4 and place in parents:
        parents[place].remove(place)
    elif kind == 5 and len(elements) < 2000:
        added = copy.deepcopy(other)
        place.extend([added] * rng.choice((1, 2, 30)))
    elif kind == 6:
        place.tag = other.tag
    elif other.attrib:
        key = rng.choice(sorted(other.attrib))
        place.set(key, other.get(key, ""))
    elif rng.random() < 0.2:
        inner = place
        for _ in range(rng.choice((5, 300))):
            inner = ElementTree.SubElement(inner, place.tag)
    try:
        return ElementTree.tostring(root, encoding="utf-8")
    except (ValueError, RecursionError):
        return None


def _text(rng: random.Random) -> str:
    return _NO_XML.sub("", rng.choice(TEXTS))
