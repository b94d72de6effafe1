"""Argdown, as text and as the JSON that its parser exports."""

from aifgraph.formats.argdown.json_export import ArgdownJson
from aifgraph.formats.argdown.text import ArgdownText

__all__ = ["ArgdownJson", "ArgdownText"]
