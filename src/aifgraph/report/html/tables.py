"""Tables as one self-contained page without a script."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from aifgraph.report.html.embed import clean, environment, policy, static
from aifgraph.tables import Table
from aifgraph.version import __version__

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
