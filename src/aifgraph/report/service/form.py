"""The two pages of the service itself: the form, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from markupsafe import Markup

from aifgraph.report.html.embed import clean, policy, static
from aifgraph.report.service.openapi import OPTIONS


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(loader=PackageLoader("aifgraph.report.service"), autoescape=True, undefined=StrictUndefined)


def form_page(size: int, seconds: float) -> tuple[str, str]:
    """The form, and the content security policy to send with it."""
    return _page(None, size=f"{size / (1 << 20):g} MB", seconds=f"{seconds:g} seconds")


def error_page(error: Mapping[str, str | None]) -> tuple[str, str]:
    """An error for a reader, and the content security policy to send with it."""
    return _page(error, size="", seconds="")


def _page(error: Mapping[str, str | None] | None, **shown: str) -> tuple[str, str]:
    style = static("report.css")
    page = (
        _environment().get_template("serve.html.j2").render(error=error, options=OPTIONS, style=Markup(style), **shown)
    )
    return clean(page), policy([], [style]).replace("form-action 'none'", "form-action 'self'")
