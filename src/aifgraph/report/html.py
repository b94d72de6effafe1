"""How script, style and data get into a page safely."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from aifgraph.printable import printable, printable_data
from aifgraph.tables import Cell, format_cell

if TYPE_CHECKING:
    from jinja2 import Environment

_ESCAPES = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def json_for_script(data: Any) -> str:
    """Return JSON that can stand inside a ``script`` element: nothing in it can end the element or start a comment.

    >>> json_for_script({"text": "</script><!--"})
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, code in _ESCAPES.items():  # many times as fast as str.translate
        text = text.replace(char, code)
    return printable_data(text)


def format_number(cell: Cell, digits: int = 3) -> str:
    """Return a cell as pages show it.

    >>> format_number(-0.5), format_number("non-fiction")
    ('−0.500', 'non-fiction')
    """
    shown = format_cell(cell, digits)
    return shown if isinstance(cell, str) else shown.replace("-", "−")


@cache
def static(name: str) -> str:
    """Return a script or style by the name of its file."""
    return (files("aifgraph.report") / "static" / name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Return Jinja with every value escaped and every missing name an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=PackageLoader("aifgraph.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["number"] = format_number
    return jinja


def render_page(template: str, *, script: str = "", connects: bool = False, **values: Any) -> str:
    """Return a page made from a template, under a policy that lets just its own script and style run, and nothing be
    fetched; one that ``connects`` may ask the server that it is from.

    What UTF-8 cannot hold, control characters and those that turn the direction of a text are shown as escapes.

    >>> page = render_page("tables.html.j2", title="<script>", tables=[], signature="CASS|v=1")
    >>> page.count("<script"), "script-src &#39;none&#39;" in page
    (0, True)
    """
    sheets = ("map.css", "page.css") if template == "page.html.j2" else ("site.css",)
    style = "".join(map(static, ("colours.css", *sheets)))
    policy = f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; base-uri 'none'; " + (
        "form-action 'self'; connect-src 'self'; img-src data:" if connects else "form-action 'none'"
    )
    # Our own files, written for this place: they hold neither </script> nor </style> (a test looks).
    own = {"policy": policy, "style": Markup(style), "script": Markup(script)}
    html: str = environment().get_template(template).render(**own, **values)
    return printable(html.encode("utf-8", "replace").decode("utf-8"))


def _source(text: str) -> str:
    if not text:
        return "'none'"
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
