"""Texts of whole episodes in an archive (QT30 has one for many maps): they are kept, and a map without a text of its
own gets the stretch of the episode that its locutions come from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from aifgraph.aifdb.answers import map_document

#: The folder below a corpus that whole texts are kept in.
TEXTS = "texts"
#: Shorter locutions stand in an episode too often to say where a map is.
_LONG = 25
#: The stretch may be this many times longer than the locutions that were found in it.
_SPARSE = 4
_NAME = re.compile(r"(?!(?:nodeset)?[0-9]+\.)(?!readme|licen[cs]e|changelog|copying|notice)\w[\w .-]{0,99}\.txt", re.I)


def is_episode(member: str) -> bool:
    """Whether a file of an archive is a text of more than one map, by its name.

    >>> is_episode("qt30/28May2020.txt"), is_episode("nodeset28.txt"), is_episode("README.txt"), is_episode("a.json")
    (True, False, False, False)
    """
    return _NAME.fullmatch(member.rsplit("/", 1)[-1]) is not None


def excerpt(data: bytes, episodes: Mapping[str, str]) -> tuple[str, str] | None:
    """The lines of an episode that a map's locutions are in, with the episode's name; None where it is not clear.

    At least half of the locutions of 25 characters and more must stand in one episode, each once, and near each other.
    """
    said = [_words(str(node.get("text", ""))) for node in _nodes(data) if node.get("type") == "L"]
    said = list(dict.fromkeys(words for words in said if len(words) >= _LONG))
    for name, text in episodes.items():
        places = [(text.find(words), len(words)) for words in said if text.count(words) == 1]
        if not places or 2 * len(places) < len(said):
            continue
        start, end = min(place for place, _ in places), max(place + length for place, length in places)
        if end - start > _SPARSE * sum(length for _, length in places):
            continue
        after = text.find("\n", end)
        return name, text[text.rfind("\n", 0, start) + 1 : after if after >= 0 else len(text)]
    return None


def _nodes(data: bytes) -> list[Mapping[str, object]]:
    document = map_document(data, "the archive")
    inner = document.get("AIF")
    nodes = (inner if isinstance(inner, dict) else document).get("nodes")
    return [node for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []


def _words(text: str) -> str:
    """What a locution says, without its speaker."""
    return re.sub(r"^[^:\n]{1,60}:\s*", "", text).strip()
