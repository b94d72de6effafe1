"""Data changed at random, by its structure where it has one; the same seed gives the same bytes."""

from __future__ import annotations

import copy
import io
import json
import random
import re
import warnings
import zipfile
from typing import Any
from xml.etree import ElementTree

#: Values that readers have tripped over, and names and numbers that are nearly what a file should hold.
TEXTS = (
    *("I", "RA", "YA", "L", "1", "01", "1.0", "T25:61", "2020-13-45", "2016-01-01 25:00:00"),
    *("=1+1", "../../etc/passwd", "/dev/null", "a/b\\c", "%s%n", "{}", "[]", "`id`", "[2mm]", "\\input{x}", "]]>"),
    *("</script><script>", "javascript:alert(1)", "'\"><b>", "<!--", "<a ", "<![CDATA[", "<br>", "&lt;", "&amp;" * 3),
    *("&#" + "1" * 5000 + ";", "&#xffffffff;", "&#0;"),
    *("", " ", "\0", "\n", "\r\n", "\t", "\ud800", "\udfff x", "\ufeff", "\x1b[2J", "\u202e", "\u2028", "\x85"),
    *(
        "é" * 300,
        "x" * 5000,
        "x" * 121 + "a",
        "x" * 121 + "b",
        "9" * 5000,
        "κ",
        "😀",
        "\u0301",
        "中文" * 40,
        "ﬁ",
        "İ",
        "²",
        "٣",
    ),
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
_XML_HEADS = (
    b'<?xml version="1.0" encoding="utf-16"?>',
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
    b'<!DOCTYPE x SYSTEM "/etc/passwd">',
)
#: What XML cannot hold: written as it is, it would only ever test the parser.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The data with one to six changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = _changed(rng, data)
    return data[: 1 << 18]


def _changed(rng: random.Random, data: bytes) -> bytes:
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    changed = None
    if rng.random() < 0.8:
        if data.startswith(b"PK\x03\x04"):
            changed = _archive(rng, data)
        elif head in (b"{", b"["):
            changed = _json(rng, data)
        elif head == b"<":
            changed = _xml(rng, data)
    return rng.choice((_tokens, _tokens, _lines, _cells, _bytes))(rng, data) if changed is None else changed


def _pieces(rng: random.Random, pieces: list[bytes], more: tuple[Any, ...]) -> None:
    """One piece changed, left out, repeated, joined with another, or put in."""
    at = rng.randrange(len(pieces))
    value = rng.choice(more)
    new = (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")
    few = rng.choice((1, 1, 5, 30))
    pieces[at : at + few] = rng.choice(
        (
            [new],
            [],
            [rng.choice(pieces)],
            [new, pieces[at]],
            pieces[at : at + few] * 3,
            [pieces[at] + rng.choice(pieces)],
        )
    )


def _tokens(rng: random.Random, data: bytes) -> bytes:
    tokens = re.findall(rb"\w+|\s+|[^\w\s]", data) or [b""]
    _pieces(rng, tokens, TOKENS if rng.random() < 0.7 else VALUES)
    return b"".join(tokens)


def _lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    _pieces(rng, lines, (" ", "\t", "    " * 30))
    return b"\n".join(lines)


def _cells(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    separator = b"\t" if data.count(b"\t") >= data.count(b",") else b","
    at = 0 if rng.random() < 0.2 else rng.randrange(len(lines))
    row = lines[at].split(separator)
    _pieces(rng, row, (*VALUES, '"', '""', '"\r'))
    lines[at] = separator.join(row)
    return b"\n".join(lines)


def _bytes(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = rng.choice((bytes([rng.randrange(256)]), b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b"))
    return data[:at] + new + data[at + rng.choice((0, 1, 8, 64, len(data))) :]


def _json(rng: random.Random, data: bytes) -> bytes | None:
    """One place of a document, or of one of its lines, gets another value, is left out, renamed, repeated or nested."""
    for lines in ([data], data.split(b"\n")):
        at = rng.randrange(len(lines))
        try:
            document = json.loads(lines[at])
            break
        except (ValueError, RecursionError):
            continue
    else:
        return None
    places: list[tuple[Any, Any]] = []
    stack = [document]
    while stack:
        home = stack.pop()
        for key, inner in home.items() if isinstance(home, dict) else enumerate(home) if isinstance(home, list) else ():
            places.append((home, key))
            stack.append(inner)
    if not places:
        return json.dumps(rng.choice(VALUES)).encode()
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
    return b"\n".join([*lines[:at], json.dumps(document).encode(), *lines[at + 1 :]])


def _xml(rng: random.Random, data: bytes) -> bytes | None:
    """An element or attribute gets another value, is left out, repeated, renamed or nested."""
    if rng.random() < 0.05:
        return rng.choice(_XML_HEADS) + data
    if len(data) > 1 << 17 or b"<!ENTITY" in data:
        return None
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        return None
    elements = list(root.iter())
    place, other = rng.choice(elements), rng.choice(elements)
    text = _NO_XML.sub("", rng.choice(TEXTS))
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
    try:
        return ElementTree.tostring(root, encoding="utf-8")
    except (ValueError, RecursionError):
        return None


def _archive(rng: random.Random, data: bytes) -> bytes | None:
    """A member's name or content changed, a member left out or repeated."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # damaged by an earlier change: zipfile raises many things
        return None
    if not members:
        return zipped([("a.json", b"{}")])
    at = rng.randrange(len(members))
    name, content = members[at]
    odd = rng.choice(
        (
            rng.choice(TEXTS),
            f"../{name}",
            f"/{name}",
            f"{'d/' * 200}{name}",
            name.upper(),
            f"{rng.choice(members)[0]}/{name}",
        )
    )
    odd = odd.replace("\0", "").encode("utf-8", "replace").decode()[:1000] or "x"
    changed = (name, _changed(rng, content))
    members[at : at + 1] = rng.choice(([changed], [changed], [(odd, content)], [], [members[at]] * 2))
    return zipped(members, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)))


def zipped(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive, the same bytes every time."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # two members of one name are wanted
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.writestr(info, data)
    return file.getvalue()
