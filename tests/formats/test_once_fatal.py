"""Inputs that once ended in an internal error, each of them an answer or an error of the tree now."""

from __future__ import annotations

import math

import pytest

from aifgraph.aifdb.web import RequestPolicy
from aifgraph.errors import FormatError, OptionError
from aifgraph.formats.files import Input
from aifgraph.formats.io import read_input


def test_a_string_where_a_map_is_expected() -> None:
    with pytest.raises(FormatError) as error:
        read_input(Input("a.json", b'"2"', ".json"), "xaif")
    assert error.value.__cause__ is None


def test_metadata_that_is_no_object() -> None:
    atom = b'{"id": "a", "type": "atom", "text": "x", "metadata": 1}'
    document = b'{"metadata": {}, "resources": [], "nodes": [%s], "edges": []}' % atom
    assert read_input(Input("a.json", document, ".json"), "sadface").propositions[0].text == "x"


def test_a_note_without_text() -> None:
    lines = b"T1\tClaim 0 3\tabc\n#1\tAifText T1\n"
    read_input(Input("a.ann", lines, ".ann", lambda suffix: b"abc def"), "brat")


@pytest.mark.parametrize("number", [math.inf, math.nan])
def test_times_that_are_no_number(number: float) -> None:
    for name in ("pause", "timeout", "backoff"):
        with pytest.raises(OptionError):
            RequestPolicy(**{name: number})
