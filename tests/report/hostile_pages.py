"""Every HTML output about maps in which every field wants to be a script; each script says its field in ``hits``."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aifgraph
from aifgraph.cli import main
from aifgraph.report.corpus_page import DOWNLOADS

#: Moves the cursor, colours, rings, turns the direction, breaks lines of scripts.
STEERS = "\x1b\x00\x07\x9b\x7f\u202e\u200e\u061c\u2028\u2029\ud800"


def script(field: str) -> str:
    """A text that runs where it is taken for HTML, for an attribute, for a template, or for the end of a script."""
    run = f"(window.hits=window.hits||[]).push({field!r})"
    tags = f'</script></style><script>{run}</script>"\'><img src=x onerror="{run}"><svg onload="{run}">'
    return f"{STEERS}{tags}<!--<script>]]>{{{{ 7 * 7 }}}}"


def hostile(other: bool = False) -> aifgraph.ArgumentGraph:
    return aifgraph.loads(json.dumps(document(other))).with_name(script("name"))


def document(other: bool = False) -> dict[str, Any]:
    """An xAIF document; with ``other`` a second analysis of it that differs in every group of differences."""
    said = ["Masks help", "They filter the air", "That costs money"]
    texts = [f"{text} {script(f'text {number}')}" for number, text in enumerate(said)]
    nodes = [{"nodeID": script(f"id {number}"), "text": text, "type": "I"} for number, text in enumerate(texts)]
    edges: list[dict[str, str]] = []

    def node(name: str, type_: str, text: str, *between: int | str) -> str:
        id_ = script(f"id {name}")
        nodes.append({"nodeID": id_, "text": text, "type": type_, "scheme": script("scheme"), "schemeID": "1"})
        ends = [nodes[end]["nodeID"] if isinstance(end, int) else end for end in between]
        for start, end in ((ends[0], id_), (id_, ends[1])) if ends else ():
            edges.append({"edgeID": script(f"edge {len(edges)}"), "fromID": start, "toID": end})
        return id_

    node("relation", "CA" if other else "RA", script("text of a relation"), 1, 0)
    node("another", "RA", script("text of another"), 2, 1 if other else 0)
    locution = node("locution", "L", f"{script('speaker')}: {texts[0]}")
    node("illocution", "YA", script("illocution" if other else "another illocution"), locution, 0)
    node("type", script("type"), script("text of a type"))
    record = {"nodeID": locution, "personID": script("person id"), "start": script("start"), "source": script("source")}
    people = [{"participantID": script("person id"), "firstname": script("first name"), "surname": script("surname")}]
    return {
        "AIF": {"nodes": nodes, "edges": edges, "locutions": [record], "participants": people},
        "text": ". ".join(texts),
    }


def _write(folder: Path) -> tuple[Path, Path]:
    for name, other in (("ann", False), ("ben", True)):
        place = folder / name
        place.mkdir(parents=True)
        for number in range(2):
            # No slash can be in a name.
            called = f'map{number} <img src=x onerror="(window.hits=window.hits||[]).push(1)">'
            (place / f"{called}.json").write_text(json.dumps(document(other)), "utf-8")
    return folder / "ann", folder / "ben"


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """The name and content of every page; a page of several has its path below the folder as its name."""
    ann, ben = _write(folder)
    first, second = (sorted(place.iterdir())[0] for place in (ann, ben))
    graph, other = aifgraph.load(first), aifgraph.load(second)
    compared = aifgraph.compare(graph, other)
    yield "a map in a notebook", f"<!doctype html><meta charset=utf-8>{graph._repr_html_()}"
    yield "a comparison in a notebook", f"<!doctype html><meta charset=utf-8>{compared._repr_html_()}"
    yield "a comparison", compared.to_html()
    for words in (
        ["compare", first, second, "--format", "html", "-o", folder / "pair.html"],
        ["compare", ann, ben, "--format", "html", "-o", folder / "pages"],
        ["show", first, "--details", "--format", "html", "-o", folder / "map.html"],
        ["draw", first, "-o", folder / "map.svg"],
        ["draw", first, second, "-o", folder / "both.svg"],
    ):
        assert main([str(word) for word in words]) == 0, words
    for path in sorted(folder.rglob("*.html")):
        yield path.relative_to(folder).as_posix(), path.read_text("utf-8")
    for path in sorted(folder.rglob("*.svg")):
        yield path.name, f"<!doctype html><meta charset=utf-8>{path.read_text('utf-8').split('?>')[-1]}"


class Harm(HTMLParser):
    """``found``: what of a page could run, load or lead anywhere, but the page's own script and links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script" and dict(attrs).get("type") != "application/json"
        if tag in ("img", "iframe", "object", "embed", "link", "base", "form", "foreignobject"):
            self.found.append(tag)
        for name, value in attrs:
            leads = name in ("href", "xlink:href", "src") and not (value or "").startswith(
                ("#", "pairs/", "../", *DOWNLOADS)
            )
            if name.startswith("on") or leads:
                self.found.append(f"{tag} {name}={value}"[:200])

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        if self._script and "window.hits" in data:
            self.found.append(data[:200])
