"""Words; marked-up texts, as Python's html.parser reads them; references and tags that make it slow or fail."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aifgraph import loads
from aifgraph.text.source import plain_text, source_words, unescape
from aifgraph.text.words import words_of, words_with_places
from reference import read as oracle
from reference.read import Markup, Source


@pytest.mark.parametrize(
    ("marked", "text", "spans"),
    [
        ("a < b & c > d", "a < b & c > d", []),  # no tag and no entity in it
        ("a&amp;b &lt;i&gt; &nbsp;&#233;", "a&b <i> \xa0é", []),
        ("a<br>b<p>c</p>d<DIV>e</DIV>", "a\nb\nc\nd\ne\n", []),
        ('<span id="node7">x</span>', "x", [("7", 0, 1)]),
        ("<span class=highlighted id=node3_9>x</span>", "x", [("3_9", 0, 1)]),
        ('<span id="1">a', "a", [("1", 0, 1)]),  # never closed: to the end
        ('<span id="nodenode4">a</span>', "a", [("node4", 0, 1)]),  # one prefix is taken off
        ('<span id="">a</span><span id="1">a</span><span id="1">b</span>', "aab", [("1", 1, 2), ("1", 2, 3)]),
    ],
)
def test_plain_text(marked: str, text: str, spans: list[tuple[str, int, int]]) -> None:
    found = plain_text(marked)
    assert found.text == text
    assert [(span.node_id, span.start, span.end) for span in found.spans] == spans


PIECES = ["ab ", "c", '<span id="1">', '<span id="node2">', "</span>", "<br>", "&amp;", "<", "<i>"]


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text(alphabet="<>!-[]&;#x1a /\"'=spnid", max_size=60))
def test_text_and_spans_are_those_of_html_parser(marked: str) -> None:
    try:
        theirs = Markup(marked)
    except AssertionError:
        return
    found = plain_text(marked)
    assert found.text == theirs.plain
    spans = [(name.removeprefix("node"), start, end) for name, start, end in theirs.marks]
    assert sorted((span.node_id, span.start, span.end) for span in found.spans) == sorted(spans)
    ours, oracle = source_words(found.text, tuple(found.spans)), Source(marked)
    assert (ours.words if ours else []) == oracle.words
    words = sorted((span.id, list(range(span.start, span.stop))) for span in ours.spans) if ours else []
    assert words == sorted((name, sorted(inside)) for name, inside in oracle.spans)


def test_references_of_any_length() -> None:
    for reference, expected in {
        "&#" + "1" * 5000 + ";": "\ufffd",
        "&#x" + "f" * 5000 + ";": "\ufffd",
        "&#" + "0" * 5000 + "65;": "A",
        "&#x" + "0" * 5000 + "41;": "A",
        "&#9999999999": "\ufffd",
    }.items():
        assert unescape(reference) == plain_text(f"<b>{reference}</b>").text == expected
        document = {"nodes": [{"nodeID": "1", "type": "I", "text": reference}], "edges": []}
        assert loads(json.dumps(document))["1"].text == expected


def test_every_character_is_of_a_word_as_the_oracle_has_it() -> None:
    for code in range(0, 0x20000, 7):
        twice = 2 * chr(code)
        assert words_of(twice) == oracle.words(twice), hex(code)


@given(st.text())
def test_places_are_those_of_the_words(text: str) -> None:
    found = words_with_places(text)
    assert found.words == words_of(text) == oracle.words(text)
    assert list(zip(found.starts, found.ends, strict=True)) == oracle.word_spans(text)
