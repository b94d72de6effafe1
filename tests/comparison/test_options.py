"""Options are declared once: the signature, the command line and the docs follow."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aifgraph
from aifgraph import Bootstrap, FormatError, PairResult, compare, compare_corpora
from aifgraph.cli import main
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.errors import OptionError
from aifgraph.options import CALCULATION_NAMES, OPTIONS, OptionKeywords, Options, Signature
from comparison.maps import compared, pair
from documents import FIRST, SECOND, argument, compared_debate


def values(name: str) -> st.SearchStrategy[Any]:
    """All values that an option may have."""
    option = OPTIONS[name]
    if option.choices:
        return st.sampled_from(list(option.choices.values()))
    if option.names:
        return st.lists(st.sampled_from([*option.names, *option.names.values()]), min_size=1)
    if option.bounds:
        low, high = option.bounds
        numbers: st.SearchStrategy[Any] = st.integers(low, high) if isinstance(low, int) else st.floats(low, high)
        return st.none() | numbers if name == "chance" else numbers
    return st.none()  # the word of a model in a signature does not hold it


ALL = st.builds(Options, **{name: values(name) for name in OPTIONS})


@given(ALL, ALL)
@example(Options(min_overlap=1 / 3, min_similarity=0.1 + 0.2), Options(min_overlap=0.333333333333, min_similarity=0.3))
@example(Options(min_overlap=5e-324, min_similarity=0), Options(min_overlap=0, min_similarity=0))
def test_the_signature_gives_the_options_back(options: Options, others: Options) -> None:
    how = Signature(options, {"axis": "anchors", "pair_by": "table@1"})
    read = Signature.parse(str(how))
    assert str(read) == str(how)
    same = replace(options, seed=0) if options.chance is None else options  # a seed is written with its rounds
    assert read.options == same
    assert (Signature(options).short == Signature(others).short) == (options.signature == others.signature)


@pytest.mark.parametrize("relations", ["RA+CA", "ca, ra", ["CA", "RA"], {"RA": 1, "CA": 1}, "RA,CA"])
def test_names_are_given_in_any_order_and_form(relations: Any) -> None:
    assert Options(relations=relations).relations == ("RA", "CA")


WRONG: dict[str, list[Any]] = {
    "min_overlap": [True, "0.5", None, float("nan"), -0.1, 1.1],
    "min_meaning": [2, -1],
    "chance": [0, -3, 2.5, True, "100", 10**9],
    "seed": [-1, 2**32, 1.0],
    "matching": ["magic"],
    "gate": ["maybe"],
    "relations": [[], "XX", [1]],
    "calculations": [["PR", ""]],
    "layers": [None],
    "meaning": [5, 0.6, True, ["a"], b"folder", "", "model", Path()],
}


def test_a_value_that_is_not_allowed_is_an_option_error() -> None:
    for name, value in ((name, value) for name, values in WRONG.items() for value in values):
        with pytest.raises(OptionError):
            Options(**{name: value})
    for name, option in OPTIONS.items():
        bounds = option.bounds or ()
        assert [getattr(Options(**{name: bound}), name) for bound in bounds] == list(bounds)


def test_a_calculation_that_somebody_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    added = replace(CALCULATIONS["propositional_relations"], code="PO")
    monkeypatch.setitem(CALCULATION_NAMES, "PO", "polarity")
    monkeypatch.setitem(CALCULATIONS, "polarity", added)
    graphs = [argument(f"reason {kind} claim") for kind in ("RA", "CA")]
    result = aifgraph.compare(*graphs, calculations="PR+PO")
    assert result.calculations["polarity"].matrix.cells["RA", "CA"] == 1
    assert result.layers["propositional"].n == 2
    assert "|calculations=PR+PO|" in result.signature
    assert [row.costs for row in result.differences()] == [{"propositional_relations": 1, "polarity": 1}]
    assert any("polarity" in str(table.rows) for table in result.result.tables())
    assert aifgraph.PairResult.from_dict(result.to_dict()) == result.result


@pytest.mark.parametrize(
    "more",
    [[], ["--chance", "3", "--seed", "5", "--measures", "all"], ["--set", "mean=layers", "--set", "relations=RA+CA"]],
)
def test_show_prints_a_result_again(tmp_path: Path, more: list[str]) -> None:
    """Byte for byte what ``compare`` printed, in every format."""
    for format_ in ("json", "text", "csv", "markdown", "latex"):
        printed, again = tmp_path / format_, tmp_path / f"again.{format_}"
        assert main(["compare", str(FIRST), str(SECOND), *more, "--format", format_, "-o", str(printed)]) == 0
        assert main(["show", str(tmp_path / "json"), "--format", format_, "-o", str(again)]) == 0
        assert again.read_text("utf-8") == printed.read_text("utf-8"), format_


@given(st.integers(0, 2**32))
def test_any_result_is_read_back(seed: int) -> None:
    result = compared(**pair(seed))
    stored = PairResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert stored == result.result
    assert str(stored) == str(result)
    assert stored.to_csv() == result.to_csv()


def test_files_that_hold_no_result(tmp_path: Path) -> None:
    file, damaged = tmp_path / "result.json", json.dumps({**compared_debate().to_dict(), "signature": None})
    for text in ("", "{", "[]", "7", '{"nodes": []}', "\x00\x01", '{"aifgraph": [[[[', damaged):
        file.write_text(text, "utf-8")
        with pytest.raises(FormatError, match=re.escape(str(file))):
            PairResult.load(file)


def test_whole_numbers_of_numpy_are_taken() -> None:
    options = Options(seed=np.int64(3), chance=np.uint8(2), min_overlap=np.float32(0.5))
    assert options == Options(seed=3, chance=2, min_overlap=0.5)
    assert json.dumps([options.seed, options.chance])
    assert (
        next(iter(Bootstrap(np.int64(3), seed=np.int16(5)).weights(4))).tolist()
        == next(iter(Bootstrap(3, seed=5).weights(4))).tolist()
    )
    with pytest.raises(OptionError):
        Options(seed=np.True_)


def test_names_are_of_the_corpora() -> None:
    result = compare_corpora([argument(a="b")], [argument(a="b")], names=("Ann", "Ben"))
    assert result.header.names == tuple(result.to_dict()["names"]) == ("Ann", "Ben")


@pytest.mark.parametrize("names", ["ab", ("a",), ("a", "b", "c")])
def test_names_are_two(names: Any) -> None:
    with pytest.raises(OptionError):
        compare(argument(a="b"), argument(a="b"), names=names)
    with pytest.raises(OptionError):
        compare_corpora([argument(a="b")], [argument(a="b")], names=names)


def test_keywords_are_the_options() -> None:
    hints = get_type_hints(Options)
    assert get_type_hints(OptionKeywords) == {name: hints[name] for name in OPTIONS}
    assert OptionKeywords.__total__ is False
