"""Which options go together: one table for all commands.

An option that would have no effect is refused by its name, never ignored. A condition is an option that is given
(``--only``), a value (``--format=csv``), or what the request says of itself (``of_corpora``); several in one string
must all hold, and one of several strings is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aifgraph.errors import OptionError


@dataclass(frozen=True)
class Rule:
    """``options`` are refused where one of ``conditions`` holds; with ``needed``, where none does. ``instead`` is the
    remedy where that is not to leave one out; ``{}`` in it is the option's value."""

    options: tuple[str, ...]
    conditions: tuple[str, ...]
    needed: bool
    instead: str = ""


def together(options: str, *conditions: str, instead: str = "") -> Rule:
    """The options have an effect only with one of the conditions."""
    return Rule(tuple(options.split()), conditions, needed=True, instead=instead)


def excludes(options: str, *conditions: str, instead: str = "") -> Rule:
    """The options have no effect with any of the conditions."""
    return Rule(tuple(options.split()), conditions, needed=False, instead=instead)


#: What requests say of themselves, in words.
FACTS = {
    "of_corpora": "two corpora",
    "of_maps": "two maps",
    "of_many_maps": "a corpus",
    "of_one_map": "a single map",
    "of_results": "the result of a comparison",
    "one_corpus": "one corpus",
    "of_boundaries": "--kinds boundaries",
    "without_direct": "an --only that leaves out direct",
}

_PAIRS = excludes("--pairs", "--pair-by")
_CLUSTER = together("--ship", "--scheduler")
_INTERVALS = "--rounds --level --method"
_PAPERS = ("--format=paper", "--format=paper-latex", "--format=paper-markdown")
_TABLES = ("--format=text", "--format=csv", "--format=markdown", "--format=latex")
_FOR_PEOPLE = ("--format=text", "--format=markdown", "--format=latex")
_DATA_SET = "--threshold --propositions-only --strict --set"

#: The rules of each command; ``_EVERY`` holds for all.
RULES: dict[str, tuple[Rule, ...]] = {
    "compare": (
        _PAIRS,
        together(
            "--pairs --pair-by --texts --with-itself --missing --intervals --plot --sort --force --top --jobs "
            f"--scheduler --ship --results --resume {_INTERVALS}",
            "of_corpora",
        ),
        together("--first-text --second-text", "of_maps"),
        together("--names", "of_maps", "--format=html", instead="add --format html: tables of corpora name no side"),
        together("--items", "--format=json"),
        together(_INTERVALS, "--intervals", *_PAPERS),
        together("--plot", "--intervals", *_PAPERS),
        together("--force", "--format=html"),
        together("--sort --top", *_TABLES),
        together("--resume", "--results"),
        _CLUSTER,
        excludes("--metrics --items --intervals --sort --top --force --plot", "--only"),
        excludes("--only --metrics", "--format=html", *_PAPERS),
        excludes("--only --items --intervals --sort --top --plot", "--against"),
        excludes("--against", "--format=html", *_PAPERS),
        together("--details", *_FOR_PEOPLE),
        excludes("--details", "--against"),
    ),
    "differences": (
        _PAIRS,
        together("--pairs --pair-by --jobs", "of_corpora"),
        together("--context --names", "--format=text"),
    ),
    "merge": (
        _PAIRS,
        together("--pairs --pair-by --jobs", "of_corpora"),
        together("--to", "of_maps"),
    ),
    "evaluate": (_CLUSTER,),
    "significance": (_CLUSTER,),
    "agreement": (_PAIRS, _CLUSTER, together(_INTERVALS, "--intervals")),
    "plan": (_PAIRS, _CLUSTER, together("--other", "--difference")),
    "perturb": (together("--words", "of_boundaries"),),
    "baseline": (together("--count-in", "--kind=majority"),),
    "export": (
        together("--negatives", "--task=relations"),
        together("--window", "--negatives=near"),
    ),
    "show": (
        together("--tree", "--format=text"),
        excludes("--tree", "of_results"),
        together("--map", "one_corpus"),
        together("--details", "of_results"),
        together("--details", *_FOR_PEOPLE),
    ),
    "check": (
        together("--all", "--format=text"),
        excludes("--all", "--summary"),
    ),
    "repair": (excludes("--direct", "without_direct"), together("--to", "--output")),
    "pair": (together("--min-text", "--by=text"),),
    "convert": (
        together(_DATA_SET, "--dataset"),
        together("--threshold", "--dataset=iac1", "--dataset=iac2"),
        excludes("--option", "--dataset", instead="did you mean --set {}?"),
        excludes("--to", "--dataset", instead="AIF JSON is written; then run aifgraph convert OUT OTHER --to {}"),
        excludes("--from --profile --namespace --base --ids --jobs", "--dataset"),
        together("--jobs", "of_many_maps"),
        together("--option", "of_one_map", instead="of a data set did you mean --dataset NAME --set {}?"),
    ),
    "draw": (
        excludes("--view --part", "--matrix"),
        together("--matrix", "--compare"),
    ),
    "store add": (together("--name", "one_corpus"),),
}

#: Rules of every command that has the options.
_EVERY = (together("--raw", "--format=csv"),)


def rules_of(command: str) -> tuple[Rule, ...]:
    """The rules of a command, by its name: ``compare``, ``store add``."""
    return (*RULES.get(command, ()), *_EVERY)


def refuse(command: str, request: object, typed: set[str], values: Mapping[str, Any]) -> None:
    """Refuse what would have no effect.

    ``typed`` has the options of the command line (``--format``), ``values`` the value of every option.

    Raises:
        OptionError: names the option, and what it does not go with or what it needs.
    """
    for rule in rules_of(command):
        given = [option for option in rule.options if option in typed]
        if not given:
            continue
        true = [condition for condition in rule.conditions if _holds(condition, request, typed, values)]
        if bool(true) == rule.needed:
            continue
        value = values[given[0]] if rule.instead else ""
        instead = rule.instead.replace("{}", str(value[0] if isinstance(value, tuple) else value)[:100])
        these, have = " and ".join(given), "have" if given[1:] else "has"
        if rule.needed:
            needed = " or ".join(map(_words, rule.conditions))
            added = [_words(each) for each in rule.conditions if each.startswith("--") and " " not in each]
            remedy = f"add {added[0]}, or leave out {these}" if added else f"leave out {these}"
            raise OptionError(f"{these} {have} an effect only with {needed}", remedy=instead or remedy)
        other = _words(true[0])
        remedy = f"leave out {these}, or {other}" if given[1:] else "leave out one of them"
        raise OptionError(f"{these} {have} no effect with {other}", remedy=instead or remedy)


def _holds(condition: str, request: object, typed: set[str], values: Mapping[str, Any]) -> bool:
    return all(_term_holds(term, request, typed, values) for term in condition.split())


def _term_holds(term: str, request: object, typed: set[str], values: Mapping[str, Any]) -> bool:
    if not term.startswith("--"):
        return bool(getattr(request, term))
    option, equals, value = term.partition("=")
    return str(values[option]) == value if equals else option in typed


def _words(condition: str) -> str:
    return " and ".join(FACTS.get(term, term.replace("=", " ")) for term in condition.split())
