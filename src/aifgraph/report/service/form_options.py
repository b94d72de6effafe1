"""The options of a request, read and checked by their declarations (``aifgraph.comparison.options``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from aifgraph.comparison.option import Names, Number, OneOf, Option, SentenceModel
from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import OptionError

#: The option that a request switches the service's model on with.
_SWITCH: Final = "min_meaning"


@dataclass(frozen=True)
class Field:
    """An option in the form: one of ``values``, several of them, or a number from ``low`` to ``high``."""

    name: str
    help: str
    kind: Literal["one", "several", "number"]
    default: Any
    values: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    step: str = "any"


def form_fields(*, meaning: bool = False) -> Iterator[Field]:
    """The options that a request may have; ``meaning`` says whether the service has a model of sentences.

    Whoever asks must not choose which files the service loads, so there is no ``meaning``. Where the service was
    started with a model, ``min_meaning`` switches it on; without one, there is no such option either.
    """
    for name, option in OPTIONS.items():
        match option:
            case OneOf(words=words):
                yield Field(name, option.help, "one", _text(option.default), tuple(map(_text, words)))
            case Names(short=short):
                yield Field(name, option.help, "several", option.default, tuple(short))
            case Number(low=low, high=high) if name != _SWITCH or meaning:
                about, default = option.help, option.default
                if name == _SWITCH:
                    about, default = f"{about} Where it is given, matching by meaning is on; {default} is usual.", None
                step = "1" if option.type is int else "any"
                yield Field(name, about, "number", "" if default is None else default, (), low, high, step)


def options_of(document: object, *, meaning: str | None = None) -> Options:
    """The options of a form, or of parsed JSON; numbers may be text, several names a list or joined by ``+``.

    ``meaning`` is the service's own model, which the document switches on with ``min_meaning``.

    >>> options_of({"min_overlap": "0.6", "relations": "RA+CA"}).relations
    ('RA', 'CA')

    Raises:
        OptionError: an option that there is not, or a value that is not allowed.
    """
    if not isinstance(document, Mapping):
        raise OptionError("the options are not an object", remedy=f"choose from {', '.join(sorted(OPTIONS))}")
    offered = [field.name for field in form_fields(meaning=meaning is not None)]
    values: dict[str, Any] = {}
    for name, value in document.items():
        if name == _SWITCH and meaning is None:
            raise OptionError("this service has no model of sentences", remedy=f"leave {_SWITCH} out")
        if name not in offered:
            what = f"there is no option {str(name)[:80]!r}"
            raise OptionError(what, remedy=f"choose from {', '.join(sorted(offered))}")
        values[name] = _checked(OPTIONS[name], name, value)
    return Options(**values, meaning=meaning if values.get(_SWITCH) is not None else None)


def _checked(option: Option, name: str, value: object) -> Any:
    """The value, where it is text as the form writes it."""
    if isinstance(value, str) and not isinstance(option, Names | SentenceModel):
        words = option.words if isinstance(option, OneOf) else ()
        read = next((choice for choice in words if _text(choice) == value), value)
        try:
            return option.checked(name, option.type(value) if isinstance(option, Number) else read)
        except (OptionError, ValueError):
            pass  # said of the text below
    return option.checked(name, value)


def _text(choice: object) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)
