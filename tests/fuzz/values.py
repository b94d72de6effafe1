"""Values that readers have tripped over, and tokens that mean something in a syntax."""

from __future__ import annotations

import json
import random
from typing import Any

#: Names and numbers that are nearly what a file should hold.
_NEARLY = (
    "I",
    "RA",
    "CA",
    "MA",
    "YA",
    "TA",
    "L",
    "PA",
    "1",
    "01",
    "1.0",
    "T25:61",
    "2020-13-45",
    "2016-01-01 25:00:00",
)
#: Texts that mean something to whoever shows or opens them.
_MEANING = (
    *("=1+1", "../../etc/passwd", "/dev/null", "a/b\\c", "%s%n", "{}", "[]", "$HOME", "`id`", "[2mm]", "\\input{x}"),
    *("<img src=x onerror=alert(1)>", "</script><script>", "javascript:alert(1)", "'\"><b>", "]]>", "<!--", "-->"),
    *("<a ", "<![CDATA[", "<br>", "&lt;", "&#" + "1" * 5000 + ";", "&#xffffffff;", "&#0;", "&amp;" * 3),
)
_CHARACTERS = (
    *("", " ", "\0", "\n", "\r\n", "\t", "\ud800", "\udfff x", "\ufeff", "\x1b[2J", "\u202e", "\u2028", "\x85"),
    *("é" * 300, "x" * 5000, "9" * 4400, "κ", "😀", "́", "中文" * 40, "ﬁ", "İ", "²", "٣"),
)
_NUMBERS = (
    *(0, -1, 1, 2, 1.5, -0.0, 2**31, 2**63, 2**64, 10**400, -(10**30), 1e308, 5e-324, float("inf"), float("nan")),
)
_SHAPES: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], [None], [0], {"": None}, {"nodes": {}}, {"text": []}, [{}], [[[]]], ["x", 1]),
)

VALUES: tuple[Any, ...] = (*_NEARLY, *_MEANING, *_CHARACTERS, *_NUMBERS, *_SHAPES)
TEXTS: tuple[str, ...] = (*_NEARLY, *_MEANING, *_CHARACTERS)

#: What opens, closes and separates in the syntaxes that are neither JSON nor XML.
TOKENS = (
    *("+>", "->", "-", "+", "_>", "<_", "><", "===", "[", "]", "[[", "(", ")", "{", "}", "@", "#", "::", ":", ";", ","),
    *("graph", "digraph", "subgraph", "--", "label", '"', "'", '"""', "\\", "\\N", "/*", "*/", "//", "&a", "*a", "!!x"),
    *("@prefix", "a", ".", "^^", "_:b", "<>", "<http://x>", "PREFIX", "SELECT", "?x", "FILTER", "INSERT INTO"),
    *(
        "T1",
        "R1",
        "E1",
        "A1",
        "Arg1:T1",
        "*",
        "\t",
        "|",
        "---",
        "...",
        "- ",
        "? ",
        "1.",
        "1.1.",
        "Pro:",
        "Con:",
        "NULL",
    ),
)


def encoded(value: Any) -> bytes:
    """A value as it stands in a text: strings as they are, others as JSON."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


def value(rng: random.Random) -> Any:
    """One of the values, not shared with the others."""
    chosen = rng.choice(VALUES)
    return json.loads(json.dumps(chosen)) if isinstance(chosen, list | dict) else chosen
