"""How script, style and data get into a page safely, the small parts that stand in a page thousands of times, and pages
that are made of tables alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from aifgraph.printable import quantity, unhashed
from aifgraph.tables import shown

if TYPE_CHECKING:
    from aifgraph.report.html.listed import ListedPhrase

import base64
import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING

from aifgraph.errors import AifgraphError

if TYPE_CHECKING:
    from jinja2 import Environment

from collections.abc import Sequence

from aifgraph.tables import Table
from aifgraph.version import __version__

_STATUSES = {
    "agreed": "agreed",
    "first": "only first",
    "second": "only second",
    "different": "not alike",
    "part": "part of one unit",
}


@cache
def mark(status: str) -> Markup:
    """The sign of a status, which is also said in words.

    >>> mark("first")
    Markup('<span class="mark first" aria-hidden="true"></span><span class="hidden">only first: </span>')
    """
    # Both are words of ours.
    return Markup(
        f'<span class="mark {status}" aria-hidden="true"></span><span class="hidden">{_STATUSES[status]}: </span>'
    )


def quoted(text: str) -> Markup:
    """What a map says, as a quotation.

    >>> quoted("Masks <help>")
    Markup('<q class="quoted"><bdi>Masks &lt;help&gt;</bdi></q>')
    """
    return Markup(f'<q class="quoted"><bdi>{escape(unhashed(text))}</bdi></q>')


def wording(phrase: ListedPhrase) -> Markup:
    """A phrase of a difference: a quotation, with the words marked that the other side has not, or words of ours."""
    if not phrase.quoted:
        return Markup(f"<b><bdi>{escape(phrase.pieces[0].text)}</bdi></b>")
    pieces = (_piece(piece.text, changed=piece.changed) for piece in phrase.pieces)
    return Markup(f'<q class="quoted"><bdi>{" ".join(pieces)}</bdi></q>')


def alignment_row(row: Mapping[str, Any]) -> Markup:
    """A row of the table of the alignment: both sides of an element, its similarity and why it is one."""
    view = "argument" if row["kind"] == "I" else "dialogue"
    opening = f'<button type="button" class="row" data-view="{view}" data-elements="{row["element"]}">'
    first, second = (f"{opening}{quoted(each.text)}</button>" if each else "" for each in (row["first"], row["second"]))
    return Markup(
        f'<tr><td data-label="type">{mark(row["status"])}{row["kind"]}</td>'
        f'<td data-label="first">{first}</td><td data-label="second">{second}</td>'
        f'<td data-label="similarity">{escape(shown(row["similarity"]))}</td>'
        f'<td data-label="why">{escape(row["because"])}</td></tr>'
    )


def _piece(text: str, *, changed: bool) -> str:
    escaped = escape(unhashed(text))
    return f"<mark>{escaped}</mark>" if changed else str(escaped)


_ESCAPES = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def json_for_script(data: Any) -> str:
    """JSON that can stand inside a ``script`` element: nothing in it can end the element or start a comment.

    >>> json_for_script({"text": "</script><!--"})
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, code in _ESCAPES.items():  # many times as fast as str.translate
        text = text.replace(char, code)
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
    jinja.filters["quantity"] = quantity
    jinja.filters["words"] = lambda name: name.replace("_", " ")
    jinja.filters["heading"] = lambda name: name.replace("kappa", "κ").replace("f1", "F1") or "of"
    jinja.globals |= {"mark": mark, "wording": wording, "alignment_row": alignment_row}
    return jinja


def clean(html: str) -> str:
    """A page without what UTF-8 cannot hold (lone surrogates show as the replacement character)."""
    return html.encode("utf-8", "replace").decode("utf-8") if not html.isascii() else html


#: Tables wider than the page scroll; no word or number is broken, as cells of other pages may be.
_STYLE = """
.scroll :is(th, td, bdi) { overflow-wrap: break-word; word-break: normal; }
.scroll td.short { white-space: nowrap; }
"""


def tables_html(title: str, tables: Sequence[Table], signature: str) -> str:
    """A page with a section for each table, below the line that says how the numbers were made.

    >>> page = tables_html("Scores", [Table("All", ("score", "value"), [("<kappa>", 0.8125)])], "CASS|v:1")
    >>> "&lt;kappa&gt;" in page, "0.812" in page, "<script" in page
    (True, True, False)
    """
    style = static("report.css") + _STYLE
    page = (
        environment()
        .get_template("tables.html.j2")
        .render(
            title=title,
            tables=tables,
            signature=signature,
            version=__version__,
            policy=policy([], [style]),
            style=Markup(style),
        )
    )
    return clean(page)
