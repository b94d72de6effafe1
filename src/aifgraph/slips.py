"""Arguments under other names, answered with the right ones: ``perturb(graph, 0.1, random_state=3)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from aifgraph.errors import NoSuchNameError, OptionError, nearest
from aifgraph.guesses import Answering, alike, answer, answers

K = TypeVar("K")
T = TypeVar("T")
#: Arguments that are functions, and of what.
_CALLED: Final = {
    "progress": "the number done and the number of all, such as progress=print",
    "on_comparison": "the name of a pair and its comparison",
}

F = TypeVar("F", bound=Callable[..., Any])
B = TypeVar("B", bound=type)


def _stand_for(word: str) -> list[str]:
    return answers("arguments").get(word, "").split()


def answering(instead: str = "", *, called: str = "", more: tuple[str, ...] | None = None) -> Callable[[F], F]:
    """A function that answers a wrong argument (``scheme=``) with the right one.

    ``instead`` is what most people want who call it wrongly; ``more`` are the names in its ``**more``, where these are
    all that there are; it is ``called`` so where that is not its own name.

    >>> @answering()
    ... def drawn(share: float, seed: int = 0) -> float: ...
    >>> drawn(0.5, random_state=3)
    Traceback (most recent call last):
    aifgraph.errors.OptionError: drawn has no argument 'random_state'; did you mean 'seed'?
    """

    def decorate(verb: F) -> F:
        open_ended = bool(inspect.unwrap(verb).__code__.co_flags & inspect.CO_VARKEYWORDS)

        # Verbs that a class takes from a module call their object so.
        of_result = ("result", "graph") if called and "." not in verb.__qualname__ else ()

        # A signature costs more than all else at import, and is needed when somebody errs.
        @cache
        def own() -> list[str]:
            names = [name for name in inspect.signature(verb).parameters if name not in ("self", "cls", *of_result)]
            return [*names[: -1 if open_ended else None], *(more or ())]

        shown = called or (verb.__qualname__.partition(".")[0] if verb.__name__ == "__init__" else verb.__name__)

        @wraps(verb)
        def answered(*arguments: Any, **named: Any) -> Any:
            # What a format or a comparison takes beside these is theirs to say.
            wrong = next((name for name in named if name not in own()), None) if open_ended else None
            if wrong is not None and (more is not None or any(word in own() for word in _stand_for(wrong))):
                raise OptionError(f"{shown} has no argument {wrong!r}"[:200], remedy=_meant(wrong, own(), shown))
            for name, takes in _CALLED.items():
                if named.get(name) is not None and not callable(named[name]):
                    raise OptionError(f"{shown}: {name} is {named[name]!r}"[:200], remedy=f"give a function of {takes}")
            try:
                return verb(*arguments, **named)
            except TypeError:
                slip = _slip(verb, shown, own(), instead, arguments, named)
                if slip is None:
                    raise
                raise slip from None

        return answered  # type: ignore[return-value]

    return decorate


def answer_verbs(owner: type) -> None:
    """Let the public verbs that a class declares answer wrong arguments."""
    for name, verb in list(vars(owner).items()):
        if inspect.isfunction(verb) and not name.startswith("_") and not hasattr(verb, "__wrapped__"):
            setattr(owner, name, answering(called=name)(verb))


def answering_slips(more: tuple[str, ...]) -> Callable[[B], B]:
    """The class with verbs that answer a wrong argument; ``more`` are the names in the ``**more`` of some."""

    def decorate(owner: B) -> B:
        for name, verb in list(vars(owner).items()):
            if callable(verb) and not name.startswith("_"):
                fields = more if "more" in inspect.signature(verb).parameters else None
                setattr(owner, name, answering(more=fields)(verb))
        return owner

    return decorate


def _slip(
    verb: Callable[..., Any],
    shown: str,
    own: list[str],
    instead: str,
    arguments: tuple[Any, ...],
    named: Mapping[str, Any],
) -> OptionError | None:
    """What is wrong with the arguments of a call, with the name that is meant; None where they fit."""
    signature = inspect.signature(verb)
    try:
        signature.bind(*arguments, **named)
    except TypeError as error:
        wrong = next((name for name in named if name not in own), None)
        if wrong is not None:
            return OptionError(f"{shown} has no argument {wrong!r}"[:200], remedy=instead or _meant(wrong, own, shown))
        of_verb = answers(f"arguments of {shown}")
        if twice := next((name for name in own[: len(arguments)] if name in named and name in of_verb), ""):
            return OptionError(f"{shown} has its {twice} already", remedy=of_verb[twice])
        by_name = [each.name for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY]
        listed = ", ".join(f"{name}=…" if name in by_name else name for name in own)
        wanted = answers("more arguments").get(shown, "") if "too many" in str(error) else ""
        takes = f"it takes {listed or 'none'}{f'; {wanted}' if wanted else ''}"
        return OptionError(f"{shown}: {error}", remedy=instead or takes)
    return None


def _meant(wrong: str, parameters: list[str], shown: str) -> str:
    if said := answers(f"arguments of {shown}").get(wrong):
        return said
    if wrong in ("type", "kind") and "node" in parameters:
        return "the type of a node stays: remove it, and make another"
    if wrong == "name" and {"speaker", "surname"} <= set(parameters):
        return "did you mean first_name and surname, of a person?"
    if wrong == "timestamp" and "record" in parameters:
        of_locution = "start=… (of a locution), or " if "start" in parameters else ""
        return f"did you mean {of_locution}record={{'timestamp': …}}, the node's own?"
    if wrong in ("span", "spans", "end", "position", "place") and "record" in parameters and "text" in parameters:
        ends = "; when a locution ends: record(LocutionRecord(node, person, start, end))" if wrong == "end" else ""
        return f"places are marked in the text: {answers('builder')['mark']}{ends}"
    for word in (*_stand_for(wrong), *(() if wrong not in ("speaker", "start") else (wrong,))):
        if word in parameters:
            return f"did you mean {word!r}?"
    if "record" in parameters and ("speaker" in (wrong, *_stand_for(wrong)) or wrong == "start"):
        return (
            "who speaks, and when, is said of a locution: locution(text, speaker=…), illocution(locution, proposition)"
        )
    same = alike(wrong, parameters)
    if not same and (elsewhere := answer("verb", wrong)):
        return elsewhere
    return f"did you mean {same!r}?" if same else nearest(wrong, parameters) if parameters else "it takes none"


class Named(dict[K, T], Answering):
    """A dictionary whose wrong keys are a ``NoSuchNameError`` (a ``KeyError``) with the one that is probably meant."""

    _what: ClassVar[str] = "name"

    def __missing__(self, key: object) -> T:
        raise NoSuchNameError(f"there is no {self._what} {key!r}"[:200], remedy=nearest(key, map(str, self)))

    if not TYPE_CHECKING:

        def __call__(self, *_: object, **__: object) -> Any:
            raise TypeError(f"this is a dictionary and no function; write [{self._what}] in place of ({self._what})")
