"""The reference, made of signatures, docstrings and the help of the commands: ``python docs/reference_pages.py``.

A page of ``docs/reference`` says in a comment, ``<!-- reference … -->``, which names (or ``commands``) it documents.
What follows, to ``<!-- end of reference -->``, is made here and committed, so that it can be read without a site.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from commands_page import commands_page
from docstrings import docstring, indented
from public_names import Entry, entry, find

FOLDER = Path(__file__).parent / "reference"
_BLOCK = re.compile(r"(<!-- reference\n(.*?)-->\n)(.*?)(<!-- end of reference -->)", re.DOTALL)
#: In a draft: the name that a heading is of (=), or that a link leads to (#).
_MARK = re.compile("\0(.)(.*?)\0")
#: What no page explains, though signatures name it: steps of the matching, sums, what travels between processes.
_INNER = re.compile(
    r"aifgraph\.(align\.(analysis|axis|candidates|positions)|report\.html\.corpus|corpus\.containers|stats\.matrix)\."
    r"|aifgraph\.evaluation\.pooled\.CorpusSums"
)


class Pages:
    """All pages, whose names know each other."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        blocks = (block[1] for text in texts.values() for block in _BLOCK.findall(text))
        names = [name for block in blocks for name in block.split() if name != "commands"]
        found = {name: find(name)[1] for name in names}
        classes = {value for value in found.values() if inspect.isclass(value)}
        self.entries = {name: entry(name, classes) for name in names}
        #: The name that a page has something under, also by where it is defined.
        self.names: dict[str, str] = {}
        for each in self.entries.values():
            own = getattr(each.value, "__qualname__", each.name.rpartition(".")[2])
            for home in (each.name, f"{each.module.__name__}.{own}"):
                self.names[home] = each.name
                for member in each.members:
                    key = member.name.removeprefix(each.name)
                    self.names[home + key] = each.name if member.is_value else member.name

    def made(self) -> dict[str, str]:
        """Every page, made anew."""
        drafts = {page: _BLOCK.sub(self._block, text) for page, text in self.texts.items()}
        places = {name: f"{page}#{slug}" for page, text in drafts.items() for name, slug in _slugs(text)}

        def address(page: str, found: re.Match[str]) -> str:
            return "" if found[1] == "=" else places[found[2]].removeprefix(page)

        return {page: _MARK.sub(partial(address, page), text) for page, text in drafts.items()}

    def _block(self, found: re.Match[str]) -> str:
        if found[2].split() == ["commands"]:
            return f"{found[1]}\n{commands_page()}\n{found[4]}"
        level = len(re.findall(r"^(#+) ", found.string[: found.start()], re.MULTILINE)[-1]) + 1
        parts = [part for name in found[2].split() for part in self._entry(self.entries[name], level)]
        return "\n\n".join([found[1].rstrip(), *parts, found[4]])

    def _entry(self, of: Entry, level: int) -> Iterator[str]:
        parts = of.name.split(".")
        yield f"{'#' * level} `{'.'.join(parts[2:] if parts[1] == 'tasks' else parts[-1:])}`{_mark('=', of.name)}"
        values = [member for member in of.members if member.is_value]
        yield from self._said(of, of, *values)
        if values:
            yield "\n".join(
                f"- `{value.signature}`: {indented(docstring(value.doc, partial(self._link, value)))}"
                for value in values
            )
        for base, names in of.inherited.items():
            home = self.names[f"{base.__module__}.{base.__qualname__}"]
            yield f"From [`{base.__name__}`]({_mark('#', home)}): {', '.join(f'`{name}`' for name in names)}."
        for member in of.members:
            if not member.is_value:
                yield f"{'#' * (level + 1)} `{'.'.join(member.name.split('.')[-2:])}`{_mark('=', member.name)}"
                yield from self._said(member, member)

    def _said(self, of: Entry, *signatures: Entry) -> Iterator[str]:
        yield f"```python\n{of.signature}\n```"
        types = [each.types() for each in signatures]
        classes = {cls for each, _ in types for cls in each if cls is not of.value and not _INNER.match(_home(cls))}
        others = {name: definition for _, each in types for name, definition in each.items()}
        shown = [f"[`{cls.__name__}`]({self._class(cls, of)})" for cls in classes]
        shown += [f"`{name}` (`{definition}`)" for name, definition in others.items()]
        if shown:
            yield f"Types: {', '.join(sorted(shown, key=str.lower))}."
        if of.doc:
            yield docstring(of.doc, partial(self._link, of))

    def _class(self, value: type, of: Entry) -> str:
        if _home(value) not in self.names:
            raise LookupError(f"{of.name} names {_home(value)}, which no page of docs/reference has")
        return _mark("#", self.names[_home(value)])

    def _link(self, of: Entry, target: str) -> str | None:
        """Where a role leads: to a name as it is, of the class, of the module, or of the package."""
        owner = of.home if inspect.isclass(of.home) else of.value if inspect.isclass(of.value) else None
        scopes = ["", f"{_home(owner)}." if owner else "", f"{of.module.__name__}.", "aifgraph."]
        found = next((self.names[scope + target] for scope in scopes if scope + target in self.names), None)
        return _mark("#", found) if found else None


def _mark(kind: str, name: str) -> str:
    return f"\0{kind}{name}\0"


def _home(value: type) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _slugs(text: str) -> Iterator[tuple[str, str]]:
    """The names of a draft with the anchors that GitHub and MyST make of their headings."""
    seen: Counter[str] = Counter()
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for title, _, name in re.findall(f"^#+ (.*?)(?:{_MARK.pattern})?$", prose, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        if name:
            yield name, f"{slug}-{seen[slug]}" if seen[slug] else slug
        seen[slug] += 1


def pages() -> dict[str, str]:
    """The pages of the reference by the names of their files."""
    return Pages({path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.md"))}).made()


if __name__ == "__main__":
    for page, text in pages().items():
        (FOLDER / page).write_text(text, "utf-8")
