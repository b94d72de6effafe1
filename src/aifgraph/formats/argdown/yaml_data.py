"""The YAML in braces and front matter: YAML 1.2's core types, without aliases, repeated keys, or dates."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from aifgraph.errors import FormatError, LimitError

_BLOCK = re.compile(r"\{[ \t]*(?:\n\r|\n)")
_TYPES = (
    ("null", r"(?:~|null|Null|NULL|)\Z", "~nN"),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
    ("int", r"[-+]?(?:0b[01]+|0x[0-9a-fA-F]+|[0-9]{1,300})\Z", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)\Z", "-+.0123456789"),
)


def data_in(image: str) -> str:
    """The YAML of a token of data: what spans lines stands in block form within its braces."""
    block = _BLOCK.match(image)
    return re.sub(r"\}\s*\Z", "", image[block.end() :]) if block else image


def read_yaml(text: str, where: str) -> Any:
    """The value in a text; ``where`` is its place in the file.

    >>> read_yaml("{uses: [1, 2], sure: yes}", "map.argdown")
    {'uses': [1, 2], 'sure': 'yes'}
    """
    import yaml

    try:
        return yaml.load(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        raise FormatError(f"not YAML: {error.problem or error.context}", where=where) from None
    except (yaml.YAMLError, ValueError) as error:
        raise FormatError(f"not YAML: {str(error).splitlines()[0]}", where=where) from None
    except RecursionError:
        raise LimitError("YAML nested too deeply", where=where) from None


@cache
def _loader() -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses what would let a small text grow large, or hide a value."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.composer.ComposerError(None, None, "an alias", None)
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            mapping: dict[Any, Any] = super().construct_mapping(node, deep)
            if len(mapping) < len(node.value):
                raise yaml.constructor.ConstructorError(None, None, "the same key twice", node.start_mark)
            return mapping

        def construct_keys_as_text(self, node: Any) -> Any:
            mapping: dict[str, Any] = {}
            yield mapping
            mapping.update((_key(key), value) for key, value in self.construct_mapping(node).items())

    Loader.yaml_implicit_resolvers = {}
    Loader.add_constructor("tag:yaml.org,2002:map", Loader.construct_keys_as_text)
    for name, pattern, first in _TYPES:
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{name}", re.compile(pattern), [*first, *([""] * (name == "null"))]
        )
    return Loader


def _key(key: object) -> str:
    """A key as JavaScript has it: a string."""
    if key is None or isinstance(key, bool):
        return "null" if key is None else str(key).lower()
    return str(key)
