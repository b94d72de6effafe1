"""References and tags that make html.parser slow or fail; elsewhere the result is html.parser's."""

from __future__ import annotations

import json
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import loads
from aifgraph.entities import unescape
from aifgraph.text.markup import plain_text


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("&#" + "1" * 5000 + ";", "\ufffd"),
        ("&#x" + "f" * 5000 + ";", "\ufffd"),
        ("&#" + "0" * 5000 + "65;", "A"),
        ("&#x" + "0" * 5000 + "41;", "A"),
        ("&#65;", "A"),
        ("&#9999999999", "\ufffd"),
    ],
)
def test_references_of_any_length(reference: str, expected: str) -> None:
    assert unescape(reference) == expected
    assert plain_text(f"<b>{reference}</b>").text == expected
    assert plain_text(f'<span id="{reference}">x</span>').text == "x"
    document = {"nodes": [{"nodeID": "1", "type": "I", "text": reference}], "edges": []}
    assert loads(json.dumps(document))["1"].text == expected


@pytest.mark.parametrize(
    "marked",
    ["<a " * 20_000, "<!--" * 50_000, "<!--x>" * 50_000, "<![CDATA[x>" * 30_000, "<!--" * 50_000 + ">", "<?" * 50_000],
)
def test_tags_that_are_never_closed_take_no_time(marked: str) -> None:
    start = time.perf_counter()
    plain_text(marked)
    assert time.perf_counter() - start < 2


class _Plain(HTMLParser):
    text = ""

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(alphabet="<>!-[]&;#x1a /\"'=", max_size=40))
def test_the_text_is_html_parsers(marked: str) -> None:
    reference = _Plain(convert_charrefs=True)
    try:
        reference.feed(marked)
        reference.close()
    except AssertionError:
        return
    assert plain_text(marked).text == reference.text
