"""Options are declared once: the signature and its parser, the command line, the model and the docs follow."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aifgraph
from aifgraph.align.alignment import MatchingRules
from aifgraph.align.candidates import Gate
from aifgraph.comparison.option import Names, Number, OneOf, Option, SentenceModel
from aifgraph.comparison.options import OPTIONS, OptionKeywords, Options, RelationType, signature_of
from aifgraph.errors import OptionError
from aifgraph.evaluation.agreement import agreement
from aifgraph.evaluation.evaluate import evaluate
from aifgraph.graph.nodes import RELATIONS

ROOT = Path(__file__).parents[2]


def values(option: Option) -> st.SearchStrategy[Any]:
    """All values that an option may have."""
    match option:
        case OneOf(words=words):
            return st.sampled_from(list(words))
        case Number(low=low, high=high):
            numbers = st.floats(low, high) if option.type is float else st.integers(int(low), int(high))
            return st.none() | numbers if option.default is None else numbers
        case Names(short=short):
            return st.lists(st.sampled_from(list(short)), min_size=1, unique=True)
        case SentenceModel():
            return st.none()  # its word in a signature does not hold the model: see below
    raise AssertionError(option)


def without_idle_seed(options: Options) -> Options:
    """A seed is written with the rounds that it is for."""
    return options if options.chance else options.changed(seed=0)


ALL = st.builds(Options, **{name: values(option) for name, option in OPTIONS.items()}).map(without_idle_seed)
DAMAGE = st.tuples(st.integers(0, 200), st.integers(0, 3), st.text(max_size=3))


@given(ALL)
@example(Options(min_overlap=1 / 3, min_similarity=0.1 + 0.2))
@example(Options(min_overlap=5e-324, min_similarity=0))
def test_the_signature_gives_the_options_back(options: Options) -> None:
    # The hashes themselves are no options: only a whole signature has them.
    assert Options.parse(options.signature) == options.changed(hashes=False)
    hashes = ["in:0b1c.22ef"] if options.hashes else []
    assert Options.parse(signature_of(options, "missing:zero", *hashes)) == options


@given(ALL, DAMAGE)
def test_a_damaged_signature_is_an_option_error_or_says_what_it_means(options: Options, damage: Any) -> None:
    place, length, text = damage
    line = signature_of(options)
    broken = line[:place] + text + line[place + length :]
    try:
        parsed = Options.parse(broken)
    except OptionError:
        return
    assert parsed.signature in broken


@pytest.mark.parametrize(
    "line",
    [
        "",
        "CASS",
        "CASS|",
        "CASS|v:0.1.0",
        "arct.significance|rounds:10000|seed:1|version:0.1.0",
        Options().signature.replace("overlap:0.5", "overlap:0.50"),
        Options().signature.replace("overlap:0.5", "overlap:nan"),
        Options().signature.replace("overlap:0.5", "overlap:2"),
        Options().signature.replace("rel:RA+CA", "rel:CA+RA"),
        Options().signature.replace("match:greedy|gate:positions", "gate:positions|match:greedy"),
        Options().signature.replace("gate:positions", "gate:True"),
        Options().signature.replace("seg:S.nt2", "seg:own"),
        Options().signature.replace("|calc:PR+IL+IA+TR+TP+TR2", ""),
        Options().signature + "|magic:1",
        Options().signature + "|overlap:0.5",
        Options().signature + "|v:0.1.0|v:0.1.0",
        Options().signature + "\n" + Options().signature,
    ],
)
def test_what_is_not_a_signature_is_refused(line: str) -> None:
    with pytest.raises(OptionError) as caught:
        Options.parse(line)
    assert caught.value.where == "signature"


def test_the_signature_of_every_result_can_be_parsed(fixtures: Path) -> None:
    ann, ben = (aifgraph.open_corpus(fixtures / "debates" / name) for name in ("ann", "ben"))
    options = Options(min_overlap=0.6)
    one = aifgraph.compare_corpora(ann, ben, options=options)
    first, second = (aifgraph.load(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    for signature in (
        aifgraph.compare(first, second, options=options).signature,
        one.signature,
        one.signed(aifgraph.Bootstrap(10)),
        evaluate(ann, [ben], options=options, bootstrap=aifgraph.Bootstrap(10), test_rounds=10).signature,
        agreement({"ann": ann, "ben": ben}, options=options).signature,
    ):
        assert Options.parse(signature) == options


def test_the_keywords_are_the_fields() -> None:
    """What a type checker accepts as keywords is what the class declares."""
    hints = {name: hint for name, hint in get_type_hints(Options).items() if not name.startswith("_")}
    assert get_type_hints(OptionKeywords) == hints
    assert list(hints) == list(OPTIONS)
    assert get_args(RelationType) == RELATIONS
    for name, option in OPTIONS.items():
        if isinstance(option, OneOf) and typing.get_origin(hints[name]) is typing.Literal:
            assert get_args(hints[name]) == tuple(option.words)


def test_align_alone_has_the_same_defaults() -> None:
    """``align`` stands below the options and cannot ask them."""
    options = Options()
    assert Gate() == Gate(options.gate, options.min_overlap, options.min_similarity)
    assert MatchingRules() == MatchingRules(options.matching, options.granularity)


def test_keys_differ() -> None:
    keys = [option.key for option in OPTIONS.values() if option.key]
    assert len(set(keys)) == len(keys)
    details = {option.detail for option in OPTIONS.values() if option.detail}
    assert {name for name, option in OPTIONS.items() if not option.key} == {*details, "hashes"}


@pytest.mark.parametrize("value", [True, "0.5", None, float("nan"), -0.1])
def test_a_number_is_a_number_in_its_bounds(value: Any) -> None:
    with pytest.raises(OptionError, match="give a number from 0 to 1"):
        Options(min_overlap=value)
