"""Data changed at random, by its structure where it has one; the same seed gives the same bytes."""

import copy
import io
import json
import random
import re
import zipfile
from contextlib import suppress
from typing import Any
from xml.etree import ElementTree

from documents import zipped

#: Values that readers have tripped over, and names and numbers that are nearly what a file should hold.
TEXTS = (
    *("I", "RA", "YA", "L", "1", "01", "1.0", "T25:61", "2020-13-45", "2016-01-01 25:00:00"),
    *("=1+1", "../../etc/passwd", "/dev/null", "a/b\\c", "%s%n", "{}", "[]", "`id`", "[2mm]", "\\input{x}", "]]>"),
    *("</script><script>", "javascript:alert(1)", "'\"><b>", "<!--", "<a ", "<![CDATA[", "<br>", "&lt;", "&amp;" * 3),
    *("&#" + "1" * 5000 + ";", "&#xffffffff;", "&#0;"),
    *("", " ", "\0", "\n", "\r\n", "\t", "\ud800", "\udfff x", "\ufeff", "\x1b[2J", "\u202e", "\u2028", "\x85"),
    *("é" * 300, "x" * 5000, "x" * 121 + "a", "x" * 121 + "b", "9" * 5000, "κ", "😀", "\u0301", "中文" * 40),
    *("ﬁ", "İ", "²", "٣"),
)
VALUES: tuple[Any, ...] = (
    *TEXTS,
    *(0, -1, 1, 2, 1.5, -0.0, 2**31, 2**64, 10**400, -(10**30), 1e308, 5e-324, float("inf"), float("nan")),
    *(None, True, False, [], {}, [[]], [None], [0], {"": None}, {"nodes": {}}, {"text": []}, [{}], [[[]]], ["x", 1]),
    *({"@context": "file:///etc/passwd"}, {"@context": [["http://127.0.0.1:9/"]]}, {"@import": "http://127.0.0.1:9/"}),
)
#: What opens, closes and separates in the syntaxes that are neither JSON nor XML.
TOKENS = (
    *("+>", "->", "-", "_>", "<_", "><", "===", "[", "]", "[[", "(", ")", "{", "}", "@", "#", "::", ":", ";", ","),
    *('"', "'", '"""', "\\", "\\N", "/*", "//", "T1", "R1", "Arg1:T1", "*", "\t", "|", "---", "1.", "1.1.", "Pro:"),
    *("@prefix", "a", ".", "^^", "_:b", "<>", "<http://x>", "PREFIX", "SELECT", "?x", "FILTER", "INSERT INTO", "NULL"),
)
XML_HEADS = (
    b'<?xml version="1.0" encoding="utf-16"?>',
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
    b'<!DOCTYPE x SYSTEM "/etc/passwd">',
)
#: Words, lines and cells.
PIECES = (rb"\w+|\s+|[^\w\s]", rb"[^\n]*\n?", rb"[^\t,\n]+|[\t,\n]")


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The data with one to six changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = _changed(rng, data)
    return data[: 1 << 18]


def _changed(rng: random.Random, data: bytes) -> bytes:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    change = {b"P": _archive, b"{": _json, b"[": _json, b"<": _xml}.get(start)
    if change and rng.random() < 0.8:
        with suppress(Exception):  # damaged by an earlier change: parsers raise many things
            return change(rng, data)
    return rng.choice((_piece, _piece, _bytes))(rng, data)


def _piece(rng: random.Random, data: bytes) -> bytes:
    """A word, line or cell changed, left out, repeated, joined with another, or put in."""
    pieces = re.findall(rng.choice(PIECES), data) or [b""]
    at, few = rng.randrange(len(pieces)), rng.choice((1, 1, 5, 30))
    value = rng.choice(rng.choice((TOKENS, TOKENS, VALUES)))
    new = (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")
    here, other = pieces[at : at + few], rng.choice(pieces)
    pieces[at : at + few] = rng.choice(([new], [], [other], [new, *here], here * 3, [pieces[at] + other]))
    return b"".join(pieces)


def _bytes(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = rng.choice((bytes([rng.randrange(256)]), b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b"))
    return data[:at] + new + data[at + rng.choice((0, 1, 8, 64, len(data))) :]


def _json(rng: random.Random, data: bytes) -> bytes:
    """One place of a document, or of one of its lines, gets another value, is left out, renamed, repeated or nested."""
    lines, at = [data], 0
    try:
        document = json.loads(data)
    except ValueError:
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        document = json.loads(lines[at])
    places: list[tuple[Any, Any]] = []
    stack = [document]
    while stack:
        home = stack.pop()
        keys = list(home) if isinstance(home, dict) else range(len(home)) if isinstance(home, list) else ()
        places += [(home, key) for key in keys]
        stack += [home[key] for key in keys]
    (home, key), (other, other_key) = rng.choice(places), rng.choice(places)
    value = rng.choice((copy.deepcopy(rng.choice(VALUES)), copy.deepcopy(other[other_key]), [home[key]]))
    kind = rng.randrange(4)
    if kind < 2:
        home[key] = value
    elif kind == 2:
        del home[key]
    elif isinstance(home, dict):
        home[str(rng.choice((value, other_key)))] = home.pop(key)
    else:
        home.extend(copy.deepcopy([home[key]] * rng.choice((1, 2, 50))))
    lines[at] = json.dumps(document).encode()
    return b"\n".join(lines)


def _xml(rng: random.Random, data: bytes) -> bytes:
    """An element or attribute gets another value, is left out, repeated, renamed or nested."""
    if rng.random() < 0.05:
        return rng.choice(XML_HEADS) + data
    if b"<!ENTITY" in data:
        return _piece(rng, data)
    root = ElementTree.fromstring(data)
    elements = list(root.iter())
    place, other = rng.choice(elements), rng.choice(elements)
    text = rng.choice([text for text in TEXTS if text.isprintable()])
    kind = rng.randrange(7)
    if kind == 0:
        place.text = text
    elif kind == 1 and place.attrib:
        place.set(rng.choice(sorted(place.attrib)), text)
    elif kind == 2 and place.attrib:
        del place.attrib[rng.choice(sorted(place.attrib))]
    elif kind == 3 and len(place):
        place.remove(rng.choice(list(place)))
    elif kind == 4 and len(elements) < 2000:
        place.extend([copy.deepcopy(other)] * rng.choice((1, 2, 30)))
    elif kind == 5:
        place.tag = other.tag
    else:
        for _ in range(rng.choice((5, 5, 5, 300))):
            place = ElementTree.SubElement(place, place.tag)
    return ElementTree.tostring(root, encoding="utf-8")


def _archive(rng: random.Random, data: bytes) -> bytes:
    """A member's name or content changed, a member left out or repeated."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = rng.randrange(len(members))
    name, content = members[at]
    below = f"{rng.choice(members)[0]}/{name}"
    odd = rng.choice((rng.choice(TEXTS), f"../{name}", f"/{name}", f"{'d/' * 200}{name}", name.upper(), below))
    odd = odd.replace("\0", "").encode("utf-8", "replace").decode()[:1000] or "x"
    changed = (name, _changed(rng, content))
    members[at : at + 1] = rng.choice(([changed], [changed], [(odd, content)], [], [members[at]] * 2))
    return zipped(members, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)))
