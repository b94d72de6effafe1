"""Argdown: its text, written, and the JSON that its parser exports, read."""

from aifgraph.formats.argdown.json_export import ArgdownJson
from aifgraph.formats.argdown.text import ArgdownText

__all__ = ["ArgdownJson", "ArgdownText"]
