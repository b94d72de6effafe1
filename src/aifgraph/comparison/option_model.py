"""Options that come from outside (a form, a file), validated by pydantic.

The model is made of the declarations in ``options.py``. Whoever only compares does not import this module, and so not
pydantic.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from aifgraph.comparison.option import Names, Number, OneOf, Option
from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import OptionError


@cache
def options_model() -> type[BaseModel]:
    """The model of a document with options: every one may be left out, others are refused.

    >>> options_model().model_json_schema()["properties"]["matching"]["enum"]
    ['greedy', 'optimal']
    """
    declared: dict[str, Any] = {
        name: (_type_of(option), Field(option.default, description=option.help)) for name, option in OPTIONS.items()
    }
    return create_model("OptionsDocument", __config__=ConfigDict(extra="forbid"), **declared)


def validated(document: object) -> Options:
    """The options of a document, for instance of parsed JSON or of a form.

    Numbers may be strings; several names may be a list, or a string joined by ``+``.

    >>> validated({"min_overlap": "0.6", "relations": "RA+CA"}).relations
    ('RA', 'CA')

    Raises:
        OptionError: an option that there is not, or a value that is not allowed.
    """
    try:
        return Options(**options_model().model_validate(document).model_dump())
    except ValidationError as error:
        problem = error.errors()[0]
        name = str(problem["loc"][0]) if problem["loc"] else ""
        if name in OPTIONS:
            OPTIONS[name].checked(name, problem["input"])  # says what is wrong in our words
            raise OptionError(f"{name} is {problem['input']!r}"[:200], remedy=OPTIONS[name].expected) from None
        what = f"there is no option {name[:80]!r}" if name else "the options are not an object"
        raise OptionError(what, remedy=f"choose from {', '.join(sorted(OPTIONS))}") from None


def _type_of(option: Option) -> Any:
    match option:
        case OneOf(default=bool()):
            return bool
        case OneOf(words=words):
            return Literal[tuple(words)]
        case Number(low=low, high=high):
            return Annotated[option.type, Field(ge=low, le=high)]
        case Names(short=short):
            name: Any = Literal[tuple(short)]
            return Annotated[
                tuple[name, ...], Field(min_length=1), BeforeValidator(lambda given: _split(option, given))
            ]
    raise TypeError(option)


def _split(option: Names, given: object) -> object:
    """Short and joined names as whole ones; anything else as it is, for pydantic to refuse."""
    if isinstance(given, str):
        return option.read(given)
    if isinstance(given, list | tuple) and all(isinstance(name, str) for name in given):
        return option.read("+".join(given))
    return given
