"""Docstrings as Markdown: sections as lists, examples as code, roles as links."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator

#: What finds the link to a name: the target of a role, or a class in a list of errors.
Links = Callable[[str], str | None]

_SECTION = re.compile(r"([A-Z]\w+):\n(?=[ ])")
_ITEM = re.compile(r"^(?=\S)(\*{0,2}[\w.]+(?:, [\w.]+)*): ", re.MULTILINE)
_ROLE = re.compile(r":(func|meth|class|data|attr|exc):`~?([^`]+)`")


def markdown(text: str) -> str:
    """Words of a help text: what Markdown would take for marks is escaped, except between backticks."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#|{}$])", r"\\\1", part) for part in parts)


def docstring(text: str, links: Links) -> str:
    """A docstring as Markdown, ending without a line break."""
    return "\n\n".join(_blocks(inspect.cleandoc(text), links))


def indented(text: str) -> str:
    """The text as an item of a list goes on."""
    return re.sub(r"\n(?=[^\n])", "\n  ", text)


def _blocks(text: str, links: Links) -> Iterator[str]:
    paragraphs = iter(re.split(r"\n\s*\n", text))
    for paragraph in paragraphs:
        section = _SECTION.match(paragraph)
        if section:
            yield f"**{section[1]}**"
            yield _section(inspect.cleandoc("\n" + paragraph[section.end() :]), section[1], links)
        elif paragraph.startswith(">>> "):
            yield code(paragraph.replace("<BLANKLINE>", ""))
        elif paragraph.endswith("::"):
            if paragraph != "::":
                yield _prose(paragraph[:-1], links)
            yield code(inspect.cleandoc("\n" + next(paragraphs, "")))
        else:
            yield _prose(paragraph, links)


def _section(text: str, title: str, links: Links) -> str:
    _, *items = _ITEM.split(text)
    if not items:
        return "\n\n".join(_blocks(text, links))
    pairs = zip(items[::2], items[1::2], strict=True)
    return "\n".join(
        f"- {_item(name, title, links)}: {indented(_prose(words.strip(), links))}" for name, words in pairs
    )


def _item(name: str, title: str, links: Links) -> str:
    link = links(name) if title == "Raises" else None
    return f"[`{name}`]({link})" if link else f"`{name}`"


def _prose(text: str, links: Links) -> str:
    """A paragraph as it is wrapped, two backticks made one; roles are links where they lead somewhere."""

    def role(found: re.Match[str]) -> str:
        name = found[2].rpartition(".")[2] if found[0].startswith(f":{found[1]}:`~") else found[2]
        link = links(found[2])
        shown = f"``{name}{'()' if found[1] in ('func', 'meth') else ''}``"
        return f"[{shown}]({link})" if link else shown

    parts = re.split(r"(``.*?``|\[``[^`]+``\]\([^)]*\))", _ROLE.sub(role, text), flags=re.DOTALL)
    lines = "".join(part.replace("``", "`") if "``" in part else _escaped(part) for part in parts)
    return "\n".join(line.strip() for line in lines.splitlines())


def _escaped(text: str) -> str:
    return re.sub(r"([\\*<>\[\]|$])|(?<!\w)_|^#", r"\\\g<0>", text)


def code(text: str) -> str:
    return f"```python\n{text}\n```"
