"""How script, style and data get into a page safely, and pages that are made of tables alone."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from aifgraph.printable import printable, printable_data
from aifgraph.tables import Table, shown

if TYPE_CHECKING:
    from jinja2 import Environment

_ESCAPES = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def json_for_script(data: Any) -> str:
    """JSON that can stand inside a ``script`` element: nothing in it can end the element or start a comment.

    >>> json_for_script({"text": "</script><!--"})
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, code in _ESCAPES.items():  # many times as fast as str.translate
        text = text.replace(char, code)
    return printable_data(text)


def policy(scripts: list[str], styles: list[str]) -> str:
    """A content security policy that lets just these scripts and styles run, and nothing be fetched.

    >>> policy([], [])
    "default-src 'none'; script-src 'none'; style-src 'none'; base-uri 'none'; form-action 'none'"
    """
    ran, styled = (" ".join(map(_hash, each)) or "'none'" for each in (scripts, styles))
    return f"default-src 'none'; script-src {ran}; style-src {styled}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def static(name: str) -> str:
    """Return ``page.js``, ``page.css`` or ``map.css``."""
    return (files("aifgraph.report") / "static" / name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Jinja with every value escaped and every missing name an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=PackageLoader("aifgraph.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["number"] = shown
    return jinja


def style() -> str:
    """Return the style of all pages."""
    return static("map.css") + static("page.css")


def clean(html: str) -> str:
    """A page without what UTF-8 cannot hold (lone surrogates show as the replacement character), control characters
    and those that turn the direction of a text shown as escapes."""
    return printable(html.encode("utf-8", "replace").decode("utf-8"))


def tables_html(title: str, tables: Sequence[Table], signature: str) -> str:
    """A page with a section for each table, below the line that says how the numbers were made.

    >>> page = tables_html("Scores", [Table("All", ("score", "value"), [("<kappa>", 0.8125)])], "CASS|v:1")
    >>> "&lt;kappa&gt;" in page, "0.812" in page, "<script" in page
    (True, True, False)
    """
    template = environment().get_template("tables.html.j2")
    parts = {"policy": policy([], [style()]), "style": Markup(style())}
    return clean(template.render(title=title, tables=tables, signature=signature, **parts))
