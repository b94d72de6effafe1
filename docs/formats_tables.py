"""The tables of the page on formats, made of the registry and of what comes back: ``python docs/formats_tables.py``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from textwrap import fill

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


def names_list() -> str:
    """Every format with its suffixes, by what aifgraph does with it."""
    does: dict[tuple[object, object], list[str]] = {(True, True): [], (True, False): [], (False, True): []}
    for name, _, read, written, suffixes, _ in formats_table().rows:
        does[read, written].append(f"{name} ({suffixes})")
    titles = ("Read and written", "Read only", "Written only")
    lines = [f"- **{title}**: {', '.join(found)}." for title, found in zip(titles, does.values(), strict=True)]
    return "\n".join(fill(line, 120, subsequent_indent="  ", break_on_hyphens=False) for line in lines)


def kept_table() -> Table:
    """What comes back in part and what does not from each format that loses something, over every fixture."""
    graphs = [load(path) for path in fixture_files(ROOT / "fixtures")]
    held: Counter[str] = Counter()
    gone: dict[str, Counter[str]] = {name: Counter() for name in COMPARED}
    for graph in graphs:
        held.update({kind: values.total() for kind, values in inventory(graph).items()})
        for name in COMPARED:
            gone[name].update(round_trip(name, graph)[1].counts)
    whole = [name for name in COMPARED if not any(gone[name].values())]
    rows = []
    for name in COMPARED:
        lost = {kind: gone[name][kind] for kind in KINDS if gone[name][kind]}
        part = [f"{kind} {_percent(held[kind], count)}" for kind, count in lost.items() if count < held[kind]]
        nothing = [kind for kind, count in lost.items() if count == held[kind]]
        rows.append((name, ", ".join(part), ", ".join(nothing)))
    columns = ("format", "comes back in part", "does not come back")
    rows = [row for row in rows if row[0] not in whole]
    return Table("Kept", columns, rows, note=f"Everything comes back from {', '.join(whole)}.")


def _percent(held: int, gone: int) -> str:
    return f"{min(max(round(100 * (held - gone) / held), 1), 99)}\u00a0%"


def page(text: str) -> str:
    """The page with its tables made anew."""
    kept = render(kept_table(), "markdown").split("\n\n", 1)[1].rstrip("\n")
    for mark, made in (("all formats -->", names_list()), ("what comes back -->", kept)):
        before, rest = text.split(f"{mark}\n\n", 1)
        _, after = rest.split("\n\n<!-- end of table -->", 1)
        text = f"{before}{mark}\n\n{made}\n\n<!-- end of table -->{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
