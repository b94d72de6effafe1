"""The tables of the page on formats, made of the registry and of what comes back: ``python docs/formats_tables.py``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "formats"))

from roundtrip import BOTH, fixture_files, round_trip  # noqa: E402

from aifgraph import load  # noqa: E402
from aifgraph.formats.losses import KINDS, inventory  # noqa: E402
from aifgraph.formats.registry import formats_table  # noqa: E402
from aifgraph.tables import Table, render  # noqa: E402

PAGE = ROOT / "docs" / "formats.md"


#: One of the formats of RDF speaks for all, and Argdown for its JSON: they are written from the same values.
COMPARED = sorted({*BOTH, "turtle"} - {"argdown-json"})


def names_table() -> Table:
    """The names, what they stand for and the suffixes, with a word where a format is read only or written only."""
    one_way = {(True, False): ", read only", (False, True): ", written only"}
    rows = [
        (name, f"{title}{one_way.get((read, written), '')}", suffixes)
        for name, title, read, written, suffixes, _ in formats_table().rows
    ]
    return Table("Formats", ("name", "format", "suffixes"), rows)


def kept_table() -> Table:
    """How much of each kind comes back from each format that loses some, over every fixture: all, none, or percent."""
    graphs = [load(path) for path in fixture_files(ROOT / "fixtures")]
    held: Counter[str] = Counter()
    gone: dict[str, Counter[str]] = {name: Counter() for name in COMPARED}
    for graph in graphs:
        held.update({kind: values.total() for kind, values in inventory(graph).items()})
        for name in COMPARED:
            gone[name].update(round_trip(name, graph)[1].counts)
    kinds = [kind for kind in KINDS if held[kind]]
    whole = [name for name in COMPARED if not any(gone[name].values())]
    lossy = [name for name in COMPARED if name not in whole]
    everywhere = [kind for kind in kinds if not any(gone[name][kind] for name in lossy)]
    kinds = [kind for kind in kinds if kind not in everywhere]
    rows = [(kind, *(_share(held[kind], gone[name][kind]) for name in lossy)) for kind in kinds]
    note = f"Everything comes back from {', '.join(whole)}; {', '.join(everywhere)} from every format."
    return Table("Kept", ("kind", *lossy), rows, note=note)


def _share(held: int, gone: int) -> str:
    if gone in (0, held):
        return "–" if gone else "all"
    return f"{min(max(round(100 * (held - gone) / held), 1), 99)}\u00a0%"


def page(text: str) -> str:
    """The page with its tables made anew."""
    for mark, table in (("all formats -->", names_table()), ("what comes back -->", kept_table())):
        before, rest = text.split(f"{mark}\n\n", 1)
        _, after = rest.split("\n<!-- end of table -->", 1)
        text = f"{before}{mark}\n\n{render(table, 'markdown').split(chr(10) * 2, 1)[1]}\n<!-- end of table -->{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
