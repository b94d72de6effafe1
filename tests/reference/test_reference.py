"""The parts of the reference. Whole pairs are in tests/comparison, where the library has to give the same."""

from __future__ import annotations

import json
import random

import pytest
import segeval

from documents import DIALOGUE, ONE, PATHS, RA, aif, calculation

from .cass import reference_compare
from .match import levenshtein, similarity
from .perturb import perturb, rename
from .place import Axis, axis, nearly
from .read import read, said
from .score import by_positions, fuse, matrix_scores
from .words import Source, words

# -- sections 0 to 3


def test_analyst_nodes_are_left_out() -> None:
    nodes = {
        **{k: DIALOGUE[k] for k in "12lmtyz"},
        "d": ("L", "Bob: Ann: It emits no carbon dioxide"),
        "n": ("L", "Bob: Ann: Nuclear power is clean"),
        "q": ("YA", "Ana-lysing"),
        "e": ("EN", "unsaid"),
    }
    found = read(aif(nodes, "l t m", "l y 1", "m z 2", "n q l"))
    assert sorted(found.kind) == sorted("12lmtyz")
    # No locution has an edge: they stay
    assert read(aif({k: DIALOGUE[k] for k in "lm"})).of("L") == ["l", "m"]


def test_the_forms_of_the_file_make_no_difference() -> None:
    flat = aif(
        {"0": ("I", "Tom &amp; Jerry"), "5": ONE, "7": ("ya", "YA"), "l": ("L", "A: x"), "r": RA}, "l 7 0", "0 r 5"
    )
    flat["nodes"].append({"nodeID": 7, "type": "YA", "text": "other", "scheme": "Pure Questioning"})
    flat["edges"] += [{"fromID": "0", "toID": "gone"}, {"fromID": 5, "toID": "5"}, {"fromID": "0", "toID": "r"}]
    upload = json.loads(json.dumps(flat))
    del upload["nodes"][-1]
    upload["schemefulfillments"] = [{"nodeID": "7", "schemeID": 91}]
    for node in upload["nodes"]:
        node["nodeID"] = int(node["nodeID"]) if node["nodeID"].isdigit() else node["nodeID"]
    graph = read(flat)
    assert graph.edges == [("l", "7"), ("7", "0"), ("0", "r"), ("r", "5")]
    assert graph.text["0"] == "Tom & Jerry"
    assert graph.label == {"7": "Pure Questioning"}
    xaif = {"AIF": json.dumps(upload), "text": {"txt": "Tom &amp; Jerry"}}
    result = reference_compare(flat, "PHP notice" + json.dumps(xaif), schemes={"91": "PureQuestioning"})
    assert result["first"]["text"] == "shared"
    assert calculation(result, "illocutions") == (1, ["Pure Questioning", "none"], [[1, 0], [0, 0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann: well: no", "well: no"),
        ("Ann : well", "well"),
        ("Ann: ", "Ann:"),
        ("at 10:30 we go", "at 10:30 we go"),
        (": well", ": well"),
        ("x" * 60 + ": y", "y"),
        ("x" * 61 + ": y", "x" * 61 + ": y"),
        ("a\nb: c", "a\nb: c"),
        (" Ann:\u00a0well ", "well"),
    ],
)
def test_speaker_prefixes(text: str, expected: str) -> None:
    assert said(text, "L") == expected
    assert said(text, "I") == text.strip()


def test_words() -> None:
    assert words("Don't stop, STRASSE/straße ﬁne x²!") == ["don", "t", "stop", "strasse", "strasse", "fine", "x2"]
    assert words("東京2020 カナ") == ["東", "京", "2020", "カ", "ナ"]


def test_marked_up_text() -> None:
    source = Source('<p>On<b>e</b> two</p>th<span id="node7">ree &amp; fo</span>ur <span id="8">!</span>five')
    # "three": 3 of 5 characters inside; "four": 2 of 4, at least half; the span of 8 has no word
    assert source.words == ["one", "two", "three", "four", "five"]
    assert source.spans == [("7", frozenset({2, 3}))]


def test_nearly_found() -> None:
    def found(said: str, source: str) -> tuple[int, int, int] | None:
        return nearly(words(said), words(source))

    # a b c: 3; then d against y −1, e +1: 3 again, but it ends later. The first that ends wins
    assert found("a b c d e", "x a b c y e") == (1, 4, 3)
    assert found("a b c d", "x a b y d z") is None  # 2 − 1 + 1
    assert found("a b c", "a b c") is None  # shorter than four
    # "a a b c": with the second a 3 words for 3; from the first one, also 3 matched but a gap: the shortest run
    assert found("a b c d", "a a b c") == (1, 4, 3)
    assert found("a b c d e f g", "a b c x y z") is None  # 3, less than half of 7


def test_axis() -> None:
    # equal a; b replaced by x: the smaller list's word first; equal c
    assert axis(["a", "b", "c"], ["a", "x", "c"]) == Axis(4, [0, 1, 3], [0, 2, 3], 0.5)
    assert axis(["a", "x", "c"], ["a", "b", "c"]) == Axis(4, [0, 2, 3], [0, 1, 3], 0.5)


def test_the_papers_arithmetic() -> None:
    assert fuse(0.43, 0.95, (1, 1), True) == pytest.approx(0.59, abs=0.005)


def test_similarity_is_levenshtein_and_not_indel() -> None:
    assert similarity("kitten", "sitting") == pytest.approx(4 / 7)
    assert (similarity("", ""), similarity("", "a")) == (1, 0)
    rng = random.Random(1)
    for _ in range(300):
        u, v = ("".join(rng.choices("abc", k=rng.randrange(9))) for _ in "uv")
        table = list(range(len(v) + 1))
        for i, c in enumerate(u, start=1):
            old, table = table, [i]
            for j, d in enumerate(v, start=1):
                table.append(min(old[j] + 1, table[j - 1] + 1, old[j - 1] + (c != d)))
        assert levenshtein(u, v) == table[-1]


def test_segmentation_measures_are_segevals() -> None:
    rng = random.Random(2)
    for _ in range(200):
        length = rng.randrange(8, 40)
        first, second = (
            [e - s for s, e in zip([0, *cuts], [*cuts, length], strict=True)]
            for cuts in (sorted(rng.sample(range(1, length), rng.randrange(1, 7))) for _ in "ab")
        )
        found = by_positions(first, second)
        assert found["S"] == pytest.approx(float(segeval.segmentation_similarity(first, second, n_t=2)))
        assert found["B"] == pytest.approx(float(segeval.boundary_similarity(first, second, n_t=2)))
        assert found["Pk"] == pytest.approx(float(segeval.pk(second, first)))
        assert found["WindowDiff"] == pytest.approx(float(segeval.window_diff(second, first)))


def test_scores_against_other_libraries() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    krippendorff = pytest.importorskip("krippendorff")
    rng = random.Random(3)
    for _ in range(50):
        a, b = (rng.choices(["", "x", "y", "z"], k=25) for _ in "ab")
        cells: dict[tuple[str, str], int] = {}
        for pair in zip(a, b, strict=True):
            cells[pair] = cells.get(pair, 0) + 1
        found = matrix_scores(cells)
        labels = sorted({*a, *b} - {""})
        assert found["kappa"] == pytest.approx(metrics.cohen_kappa_score(a, b))
        assert found["mcc"] == pytest.approx(metrics.matthews_corrcoef(a, b))
        assert found["macro_f1"] == pytest.approx(metrics.f1_score(a, b, labels=labels, average="macro"))
        assert found["f1"] == pytest.approx(metrics.f1_score(a, b, labels=labels, average="micro"))
        data = [[" xyz".index(c or " ") for c in side] for side in (a, b)]
        alpha = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
        assert found["alpha"] == pytest.approx(alpha)


# -- the second annotator


@pytest.mark.slow
def test_perturbing_is_deterministic_and_renaming_changes_no_number() -> None:
    document = aif(DIALOGUE, *PATHS)
    assert perturb(document, 1, 0.5) == perturb(document, 1, 0.5)
    assert perturb(document, 1, 0.9) != perturb(document, 2, 0.9)
    same = reference_compare(document, perturb(document, 3, 0.0))
    assert {c["kappa"] for c in same["calculations"].values() if c["applicable"]} == {1}
    for seed in range(20):
        other = perturb(document, seed, 0.4)
        here, there = reference_compare(document, other), reference_compare(document, rename(other, seed))
        assert here["calculations"] == there["calculations"]
        turned = reference_compare(other, document)
        for name, found in here["calculations"].items():
            assert [list(column) for column in zip(*found["matrix"], strict=True)] == turned["calculations"][name][
                "matrix"
            ]
