"""The characters that Argdown writes as ``:name:`` or ``.name.``."""

from __future__ import annotations

from typing import Final

_NAMES = {
    "A": "∀",
    "E": "∃",
    "O": "𝗢",
    "P": "𝗣",
    "->": "→",
    "<->": "↔",
    "~": "¬",
    "^": "∧",
    "v": "∨",
    "v_": "⊻",
    "<>": "◇",
    "[]": "◻",
    "happy": "😀",
    "smile": "☺",
    "smiley": "☺",
    "laugh": "😆",
    "lol": "😆",
    "rofl": "🤣",
    "joy": "😂",
    "heart": "❤",
    "?": "❓",
    "question": "❓",
    "love": "😍",
    "wink": "😉",
    "shush": "🤫",
    "meh": "😐",
    "eye-roll": "🙄",
    "sad": "😢",
    "disappointed": "😞",
    "scream": "😱",
    "+1": "👍",
    "up": "👍",
    "-1": "👎",
    "down": "👎",
    "think": "🤔",
    "star": "⭐",
    "y": "✔",
    "agree": "✔",
    "n": "❌",
    "disagree": "❌",
}

#: By what stands in the file, marks included.
SHORTCODES: Final = {f"{mark}{name}{mark}": char for name, char in _NAMES.items() for mark in ".:"} | {":smile:": "☺️"}
