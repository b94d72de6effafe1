"""A comparison in a few sentences that need no knowledge of CASS."""

from __future__ import annotations

from aifgraph.comparison.compare import Comparison
from aifgraph.report.html.differences import Chapter
from aifgraph.report.html.texts import counted


def sentences(result: Comparison, chapters: list[Chapter]) -> list[str]:
    """What the two have in common and what not, counted."""
    lines: list[str] = []
    segmentation = result.segmentation
    if segmentation.mode == "positions":
        cuts = counted(result.alignment)
        total = cuts.agreed + cuts.near + cuts.first + cuts.second
        if total:
            near = f", {cuts.near} one word apart" if cuts.near else ""
            lines.append(
                f"Cutting the text: {_share(cuts.agreed, total)} boundaries are the same{near}; "
                f"{cuts.first} only the first has, {cuts.second} only the second."
            )
    for chapter in chapters:
        what = chapter.title.partition(":")[0].partition(" between")[0]
        count = {
            status: sum(each.status == status for each in chapter.differences)
            for status in ("different", "first", "second", "part")
        }
        total = chapter.agreed + count["different"] + count["first"] + count["second"]
        if not total:
            continue
        parts = [f"{count['different']} labelled differently"] if count["different"] else []
        parts += [f"{count[side]} only the {side} has" for side in ("first", "second") if count[side]]
        parts += [f"{count['part']} more are pieces of one unit of the other"] if count["part"] else []
        rest = f": {', '.join(parts)}" if parts else ""
        lines.append(f"{what}: {_share(chapter.agreed, total)} are the same{rest}.")
    return lines


def _share(part: int, total: int) -> str:
    return f"all {total}" if part == total else f"{part} of {total}"
