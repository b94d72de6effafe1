"""The options of a request, validated by pydantic; the model is made of ``aifgraph.comparison.options``."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema, create_model

from aifgraph.comparison.option import Names, Number, OneOf, Option, SentenceModel
from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import OptionError

#: The option that a request switches the service's model on with.
_SWITCH: Final = "min_meaning"


@cache
def options_model(*, meaning: bool = False) -> type[BaseModel]:
    """The model of a document with options: every one may be left out, others are refused.

    Whoever asks must not choose which files the service loads, so there is no ``meaning``. Where the service was
    started with a model, ``min_meaning`` switches it on; without one, there is no such option either.

    >>> options_model().model_json_schema()["properties"]["matching"]["enum"]
    ['greedy', 'optimal']
    """
    declared: dict[str, Any] = {
        name: (_type_of(option), Field(option.default, description=option.help))
        for name, option in OPTIONS.items()
        if not isinstance(option, SentenceModel) and name != _SWITCH
    }
    if meaning:
        switch = OPTIONS[_SWITCH]
        assert isinstance(switch, Number)
        bounds = {"type": "number", "minimum": switch.low, "maximum": switch.high}
        kind = Annotated[Annotated[float, Field(ge=switch.low, le=switch.high)] | None, WithJsonSchema(bounds)]
        about = f"{switch.help} Where it is given, matching by meaning is on; {switch.default} is usual."
        declared[_SWITCH] = (kind, Field(None, description=about))
    return create_model("OptionsDocument", __config__=ConfigDict(extra="forbid"), **declared)


def validated(document: object, *, meaning: str | None = None) -> Options:
    """The options of a document, for instance of parsed JSON or of a form.

    Numbers may be strings; several names may be a list, or a string joined by ``+``. ``meaning`` is the service's own
    model, which the document switches on with ``min_meaning``.

    >>> validated({"min_overlap": "0.6", "relations": "RA+CA"}).relations
    ('RA', 'CA')

    Raises:
        OptionError: an option that there is not, or a value that is not allowed.
    """
    try:
        given = options_model(meaning=meaning is not None).model_validate(document).model_dump()
    except ValidationError as error:
        problem = error.errors()[0]
        name = str(problem["loc"][0]) if problem["loc"] else ""
        offered = problem["type"] != "extra_forbidden"
        if name == _SWITCH and not offered:
            raise OptionError("this service has no model of sentences", remedy=f"leave {_SWITCH} out") from None
        # Never for an option that is not offered: checking ``meaning`` would load what the request names.
        if name in OPTIONS and offered:
            OPTIONS[name].checked(name, problem["input"])  # says what is wrong in our words
            raise OptionError(f"{name} is {problem['input']!r}"[:200], remedy=OPTIONS[name].expected) from None
        what = f"there is no option {name[:80]!r}" if name else "the options are not an object"
        names = options_model(meaning=meaning is not None).model_fields
        raise OptionError(what, remedy=f"choose from {', '.join(sorted(names))}") from None
    if given.get(_SWITCH) is None:
        given.pop(_SWITCH, None)
        return Options(**given)
    return Options(**given, meaning=meaning)


def _type_of(option: Option) -> Any:
    match option:
        case OneOf(default=bool()):
            return bool
        case OneOf(words=words):
            return Literal[tuple(words)]
        case Number(default=None, low=low, high=high):
            bounds = {"type": "integer", "minimum": low, "maximum": high}
            return Annotated[Annotated[int, Field(ge=low, le=high)] | None, WithJsonSchema(bounds)]
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


def option_schemas(*, meaning: bool = False) -> dict[str, dict[str, Any]]:
    """The JSON schema of every option, by name: type, values, default and what it does; ``meaning`` says whether the
    service has a model of sentences."""
    schemas: dict[str, dict[str, Any]] = options_model(meaning=meaning).model_json_schema()["properties"]
    return schemas
