"""How script, style and data get into a page safely."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from aifgraph.errors import AifgraphError
from aifgraph.printable import unhashed
from aifgraph.report.html.marks import alignment_row, mark, wording
from aifgraph.tables import shown

if TYPE_CHECKING:
    from jinja2 import Environment

_ESCAPES = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def json_for_script(data: Any) -> str:
    """JSON that can stand inside a ``script`` element: nothing in it can end the element or start a comment.

    >>> json_for_script({"text": "</script><!--"})
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, escape in _ESCAPES.items():  # many times as fast as str.translate
        text = text.replace(char, escape)
    # A lone surrogate (JSON allows it) has no UTF-8.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def policy(scripts: list[str], styles: list[str], *, shared: bool = False, asks: bool = False) -> str:
    """A content security policy that lets just these scripts and styles run, and nothing be fetched.

    With ``shared`` script and style are files next to the page (browsers do not check hashes of those from a disk).
    With ``asks`` the page may ask the service that it comes from.

    >>> policy([], [])
    "default-src 'none'; script-src 'none'; style-src 'none'; base-uri 'none'; form-action 'none'"
    """
    ran, styled = (" ".join(map(_hash, each)) or "'none'" for each in (scripts, styles))
    if shared:
        ran, styled = "'self' file:", f"'self' file: {styled}"
    asked = " connect-src 'self';" if asks else ""
    return f"default-src 'none'; script-src {ran}; style-src {styled};{asked} base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def static(name: str) -> str:
    """A bundled file: ``report.js``, ``report.css``, ``corpus.js``."""
    path = files("aifgraph.report.html") / "static" / name
    if not path.is_file():
        raise AifgraphError(f"the report's {name} is not bundled", remedy="run make web in the checkout")
    return path.read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Jinja with every value escaped and every missing name an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=PackageLoader("aifgraph.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["number"] = shown
    jinja.filters["unhashed"] = unhashed
    jinja.globals |= {"mark": mark, "wording": wording, "alignment_row": alignment_row}
    return jinja


def clean(html: str) -> str:
    """A page without what UTF-8 cannot hold (lone surrogates show as the replacement character)."""
    return html.encode("utf-8", "replace").decode("utf-8") if not html.isascii() else html
