"""Small parts that stand in a page thousands of times, made without a template: marks and quotations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from aifgraph.printable import unhashed
from aifgraph.tables import shown

if TYPE_CHECKING:
    from aifgraph.report.html.rows import ListedPhrase

_STATUSES = {
    "agreed": "agreed",
    "first": "only first",
    "second": "only second",
    "different": "labelled differently",
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
