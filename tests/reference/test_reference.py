"""The reference itself, on documents small enough to work out by hand from the specification."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
import segeval

from .cass import reference_compare
from .match import levenshtein, similarity
from .perturb import perturb, rename
from .place import Axis, axis, nearly
from .read import read, said
from .score import by_positions, fuse, matrix_scores
from .words import Source, words


def aif(nodes: dict[str, tuple[str, str]], *paths: str) -> dict[str, Any]:
    """Nodes by id as (type, text), and edges as paths of ids, ``"1 s 2"``."""
    steps = [path.split() for path in paths]
    return {
        "nodes": [{"nodeID": n, "type": kind, "text": text} for n, (kind, text) in nodes.items()],
        "edges": [{"fromID": f, "toID": t} for path in steps for f, t in pairwise(path)],
    }


def calculation(result: dict[str, Any], name: str) -> tuple[int, list[str], list[list[int]]]:
    found = result["calculations"][name]
    return found["items"], found["labels"], found["matrix"]


ONE, TWO, THREE = (
    ("I", "Nuclear power is clean"),
    ("I", "It emits no carbon dioxide"),
    ("I", "Uranium mines do emit some"),
)
RA, CA, MA = ("RA", "Default Inference"), ("CA", "Default Conflict"), ("MA", "Default Rephrase")


def ya(label: str) -> tuple[str, str]:
    return ("YA", label)


# -- section 4: relations


def test_a_relation_has_a_direction() -> None:
    # Pairs (1,2): RA against none; (2,1): none against RA. po 0, pe (1·1 + 1·1)/4 = 1/2, kappa −1; M ≤ 0, so CASS 0
    a = aif({"1": ONE, "2": TWO, "s": RA}, "1 s 2")
    b = aif({"1": ONE, "2": TWO, "s": RA}, "2 s 1")
    result = reference_compare(a, b)
    assert calculation(result, "propositional_relations") == (2, ["RA", "none"], [[0, 1], [1, 0]])
    assert result["calculations"]["propositional_relations"]["kappa"] == -1
    assert result["segmentation"]["S"] == 1
    assert result["cass"]["kappa"] == 0


def test_a_clash_of_two_types_counts_in_both_errors() -> None:
    # (1,2): RA against CA; (2,1): none. po 1/2, pe (none·none) 1/4, kappa (1/2−1/4)/(3/4) = 1/3; TP 0, FP = FN
    # = 1, TN 1
    a = aif({"1": ONE, "2": TWO, "s": RA}, "1 s 2")
    b = aif({"1": ONE, "2": TWO, "s": CA}, "1 s 2")
    result = reference_compare(a, b)
    assert calculation(result, "propositional_relations") == (
        2,
        ["CA", "RA", "none"],
        [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    )
    found = result["calculations"]["propositional_relations"]
    assert found["kappa"] == pytest.approx(1 / 3)
    assert (found["f1"], found["specificity"], found["informedness"]) == (0, 0.5, -0.5)
    assert found["macro_f1"] == 0


def test_several_labels_on_one_item() -> None:
    # (1,2): {RA, MA} against {CA, MA}: MA on the diagonal, RA against CA; (2,1): none. Two items, three counts
    a = aif({"1": ONE, "2": TWO, "s": RA, "t": MA}, "1 s 2", "1 t 2")
    b = aif({"1": ONE, "2": TWO, "s": CA, "t": MA}, "1 s 2", "1 t 2")
    items, labels, matrix = calculation(reference_compare(a, b), "propositional_relations")
    assert (items, labels) == (2, ["CA", "MA", "RA", "none"])
    assert matrix == [[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]


def test_an_undercut_adds_pairs_of_proposition_and_relation() -> None:
    # 3·2 pairs of propositions and 3·1 (proposition, relation). RA agreed, CA on it only in A, 7 none.
    # N 9, po 8/9, pe (RA 1·1 + none 7·8)/81 = 57/81, kappa (72−57)/(81−57) = 15/24
    nodes = {"1": ONE, "2": TWO, "3": THREE, "s": RA, "u": CA}
    a = aif(nodes, "2 s 1", "3 u s")
    b = aif({k: v for k, v in nodes.items() if k != "u"}, "2 s 1")
    result = reference_compare(a, b)
    matrix = [[0, 0, 1], [0, 1, 0], [0, 0, 7]]
    assert calculation(result, "propositional_relations") == (9, ["CA", "RA", "none"], matrix)
    assert result["calculations"]["propositional_relations"]["kappa"] == pytest.approx(0.625)


def test_an_argument_inside_what_the_other_left_whole() -> None:
    # B's halves are equally similar to A's whole (18 of 37 characters each) and overlap it equally; the
    # earlier takes it,
    # the other joins. One class, whose B side has 2 ordered pairs: (2,1) has RA only in B, (1,2) nothing.
    # po 1/2, pe none 2·1/4 = 1/2, kappa 0. Masses [6] and [3, 3]: one addition in 5 places, S 4/5
    text = "alfa bravo charlie delta echo foxtrot"
    a = aif({"w": ("I", text)})
    b = aif({"1": ("I", text[:18]), "2": ("I", text[19:]), "s": RA}, "2 s 1")
    result = reference_compare(a, b, text)
    assert result["second"]["text"] == "shared"
    assert result["alignment"]["propositions"]["pairs"] == [
        {"first": ["w"], "second": ["1", "2"], "similarity": pytest.approx(18 / 37)}
    ]
    assert calculation(result, "propositional_relations") == (2, ["RA", "none"], [[0, 0], [1, 1]])
    assert result["calculations"]["propositional_relations"]["kappa"] == 0
    assert result["segmentation"]["masses"] == [[6], [3, 3]]
    assert (result["segmentation"]["S"], result["segmentation"]["B"]) == (0.8, 0)
    # Strict: two classes, their 2 ordered pairs; the relation goes between them
    strict = reference_compare(a, b, text, granularity="strict")
    assert strict["alignment"]["propositions"]["classes"] == 2
    assert calculation(strict, "propositional_relations") == (2, ["RA", "none"], [[0, 0], [1, 1]])


def test_linked_against_convergent() -> None:
    # {1,2} for 3: linked in A, convergent in B; the relations are the same. po 0, pe 0, kappa 0; pi: shares ½ and ½,
    # (0 − ½)/½ = −1; AC1: q 2, chance ½, −1; alpha: n 2, Do 1, De 2·1·1/(2·1) = 1, so 0; MCC 0/0
    three = {"1": ONE, "2": TWO, "3": THREE, "s": RA}
    a = aif(three, "1 s 3", "2 s")
    b = aif({**three, "t": RA}, "1 s 3", "2 t 3")
    result = reference_compare(a, b, argument_structure=True)
    matrix = [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert calculation(result, "argument_structure") == (1, ["convergent", "linked", "none"], matrix)
    found = result["calculations"]["argument_structure"]
    assert [found[k] for k in ("kappa", "pi", "alpha", "ac1", "mcc")] == [0, -1, 0, -1, None]
    # 6 pairs, RA on (1,3) and (2,3), on both sides
    assert calculation(result, "propositional_relations") == (6, ["RA", "none"], [[2, 0], [0, 4]])


# -- section 4: the dialogue

DIALOGUE = {
    "1": ONE,
    "2": TWO,
    "s": RA,
    "l": ("L", "Ann: Nuclear power is clean"),
    "m": ("L", "Ann: It emits no carbon dioxide"),
    "t": ("TA", "Default Transition"),
    "y": ya("Asserting"),
    "z": ya("Asserting"),
    "x": ya("Arguing"),
}
PATHS = ("2 s 1", "l t m", "l y 1", "m z 2", "t x s")


def test_five_calculations_and_the_fusion() -> None:
    # B lacks the Arguing. Anchors: 2 locutions and 1 transition: Asserting twice, Arguing against none.
    #   N 3, po 2/3, pe Asserting 2·2/9, kappa (6−4)/(9−4) = 2/5
    # (content, anchor): (2 propositions + 1 relation)·3 = 9: Asserting 2, Arguing against none 1, none 6.
    #   po 8/9, pe (2·2 + 6·7)/81 = 46/81, kappa (72−46)/(81−46) = 26/35
    # Transitions: 2 pairs, TA once: 1. Transition-proposition: no label. Transition-relation: 1 item, anchored
    # against none: 0
    # M = (1 + 2/5 + 26/35 + 1 + 0)/5 = 22/35, S = 1, CASS = 44/57
    b = aif({k: v for k, v in DIALOGUE.items() if k != "x"}, *PATHS[:-1])
    result = reference_compare(aif(DIALOGUE, *PATHS), b)
    names = ["Arguing", "Asserting", "none"]
    assert calculation(result, "illocutions") == (3, names, [[0, 0, 1], [0, 2, 0], [0, 0, 0]])
    assert calculation(result, "illocutionary_anchors") == (9, names, [[0, 0, 1], [0, 2, 0], [0, 0, 6]])
    assert calculation(result, "transitions") == (2, ["TA", "none"], [[1, 0], [0, 1]])
    assert not result["calculations"]["transition_propositions"]["applicable"]
    assert calculation(result, "transition_relations") == (1, ["anchored", "none"], [[0, 1], [0, 0]])
    assert result["mean"]["kappa"] == pytest.approx(22 / 35)
    assert result["cass"]["kappa"] == pytest.approx(44 / 57)
    assert result["layers"]["propositional"]["kappa"] == 1
    # Dialogical: M = (2/5 + 26/35 + 1 + 0)/4 = 15/28
    assert result["layers"]["dialogical"]["kappa"] == pytest.approx(2 * 15 / 43)


def test_a_transition_anchors_a_proposition() -> None:
    # Both: Agreeing from the transition to 1; B also to 2. (2 propositions)·(1 transition) = 2 items: agreed
    # once, once in B only.
    # illocutions: 3 anchors, one Agreeing each side; (2 + 0 relations)·3 = 6: Asserting 2, Agreeing 1,
    # Agreeing in B only 1, none 2
    nodes = {k: DIALOGUE[k] for k in "12lmtyz"} | {"x": ya("Agreeing")}
    a = aif(nodes, "l t m", "l y 1", "m z 2", "t x 1")
    b = aif(nodes, "l t m", "l y 1", "m z 2", "t x 1", "x 2")
    result = reference_compare(a, b)
    assert calculation(result, "transition_propositions") == (2, ["anchored", "none"], [[1, 0], [1, 0]])
    assert calculation(result, "illocutions") == (
        3,
        ["Agreeing", "Asserting", "none"],
        [[1, 0, 0], [0, 2, 0], [0, 0, 0]],
    )
    matrix = [[1, 0, 0], [0, 2, 0], [1, 0, 2]]
    assert calculation(result, "illocutionary_anchors") == (6, ["Agreeing", "Asserting", "none"], matrix)
    assert not result["calculations"]["propositional_relations"]["applicable"]


def test_a_transition_without_a_start_leaves_its_illocution_to_where_it_leads() -> None:
    # A: the TA leads from l to m and carries Agreeing; B: it has no start, so Agreeing is anchored in m.
    # Anchors: l, m, and A's transition. l: Asserting both; m: {Asserting} against {Asserting, Agreeing}: one
    # agreed, one
    # none-Agreeing; the transition: Agreeing-none. Four counts on three items
    nodes = {k: DIALOGUE[k] for k in "12lmtyz"} | {"x": ya("Agreeing")}
    a = aif(nodes, "l t m", "l y 1", "m z 2", "t x 1")
    b = aif(nodes, "t m", "l y 1", "m z 2", "t x 1")
    result = reference_compare(a, b)
    assert calculation(result, "illocutions") == (
        3,
        ["Agreeing", "Asserting", "none"],
        [[0, 0, 1], [0, 2, 0], [1, 0, 0]],
    )
    assert calculation(result, "transition_propositions") == (2, ["anchored", "none"], [[0, 1], [0, 1]])
    assert calculation(result, "transitions") == (2, ["TA", "none"], [[0, 1], [0, 1]])


def test_joining_two_pieces_of_one_utterance_is_absorbed_unless_something_is_anchored_there() -> None:
    # A: one locution; B: it in two pieces, joined by a TA. One class, so no pair of classes, and the inner
    # transition counts
    # only with an illocution on it: then there are 2 anchors, the class (Asserting both) and the transition (in B only)
    whole = "alfa bravo charlie delta echo foxtrot"
    a = aif({"1": ("I", whole), "l": ("L", "Ann: " + whole), "y": ya("Asserting")}, "l y 1")
    pieces = {
        "1": ("I", whole),
        "l": ("L", "Ann: " + whole[:18]),
        "m": ("L", "Ann: " + whole[19:]),
        "t": ("TA", ""),
        "y": ya("Asserting"),
    }
    absorbed = reference_compare(a, aif(pieces, "l y 1", "m y", "l t m"), whole)
    assert absorbed["alignment"]["locutions"] == {
        "classes": 1,
        "matched": 1,
        "pairs": [{"first": ["l"], "second": ["l", "m"], "similarity": pytest.approx(18 / 37)}],
    }
    assert calculation(absorbed, "transitions") == (0, ["none"], [[0]])
    assert calculation(absorbed, "illocutions") == (1, ["Asserting", "none"], [[1, 0], [0, 0]])
    seen = reference_compare(a, aif({**pieces, "x": ya("Arguing")}, "l y 1", "m y", "l t m", "t x"), whole)
    assert calculation(seen, "illocutions") == (
        2,
        ["Arguing", "Asserting", "none"],
        [[0, 0, 0], [0, 1, 0], [1, 0, 0]],
    )


def test_an_analysis_without_dialogue_says_nothing_about_dialogue() -> None:
    # Common layers: propositional relations only. All layers: the others too, where there is a label.
    # Units: A's two propositions, B's two locutions, 4 classes of one unit each: E 4; W 4+5+4+5 = 18; S 1 − 4/17
    a = aif({k: DIALOGUE[k] for k in "12s"}, "2 s 1")
    b = aif(DIALOGUE, *PATHS)
    result = reference_compare(a, b)
    assert [n for n, c in result["calculations"].items() if c["applicable"]] == ["propositional_relations"]
    assert result["segmentation"]["S"] == pytest.approx(13 / 17)
    assert result["layers"]["dialogical"]["kappa"] is None
    everything = reference_compare(a, b, layers="all")
    assert [n for n, c in everything["calculations"].items() if not c["applicable"]] == ["transition_propositions"]
    # Two pairs of locutions, TA only in B: po 1/2, pe 1/2
    assert everything["calculations"]["transitions"]["kappa"] == 0


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


def test_two_identical_sentences_take_both_places_and_context_tells_them_apart() -> None:
    # Both speakers say the same; whole texts (with the speaker) decide, whatever the order of the file. Masses 3 and 3
    text = "Yes, we can! Yes we can."
    nodes = {"1": ("L", "Ann: Yes we can"), "2": ("L", "Bob: yes we can"), "t": ("TA", "")}
    a = aif(nodes, "1 t 2")
    b = aif({"9": nodes["2"], "8": nodes["1"], "t": nodes["t"]}, "8 t 9")
    result = reference_compare(a, b, text, text)
    assert result["segmentation"]["masses"] == [[3, 3], [3, 3]]
    assert result["alignment"]["locutions"]["pairs"] == [
        {"first": ["1"], "second": ["8"], "similarity": 1},
        {"first": ["2"], "second": ["9"], "similarity": 1},
    ]
    # The same speaker twice: now only the transition tells them apart
    same = {"1": nodes["1"], "2": nodes["1"], "t": nodes["t"]}
    result = reference_compare(
        aif(same, "1 t 2"), aif({"9": nodes["1"], "8": nodes["1"], "t": nodes["t"]}, "8 t 9"), text
    )
    assert result["calculations"]["transitions"]["matrix"] == [[1, 0], [0, 1]]


def test_nearly_found() -> None:
    def found(said: str, source: str) -> tuple[int, int] | None:
        return nearly(words(said), words(source))

    # a b c: 3; then d against y −1, e +1: 3 again, but it ends later. The first that ends wins
    assert found("a b c d e", "x a b c y e") == (1, 4)
    assert found("a b c d", "x a b y d z") is None  # 2 − 1 + 1
    assert found("a b c", "a b c") is None  # shorter than four
    # "a a b c": with the second a 3 words for 3; from the first one, also 3 matched but a gap: the shortest run
    assert found("a b c d", "a a b c") == (1, 4)
    assert found("a b c d e f g", "a b c x y z") is None  # 3, less than half of 7


def test_axis() -> None:
    # equal a; b replaced by x: the smaller list's word first; equal c
    assert axis(["a", "b", "c"], ["a", "x", "c"]) == Axis(4, [0, 1, 3], [0, 2, 3], 0.5)
    assert axis(["a", "x", "c"], ["a", "b", "c"]) == Axis(4, [0, 2, 3], [0, 1, 3], 0.5)


def test_without_a_text_units_are_counted() -> None:
    # sim with "alfa bravo" 10/24, below one half; with "charlie delta" 13/24. The other is contained, so it joins.
    # E |1 − 2| = 1, W max(4, 2 + 2) = 4, S 1 − 1/3
    a = aif({"w": ("L", "alfa bravo charlie delta")})
    b = aif({"1": ("L", "alfa bravo"), "2": ("L", "charlie delta")})
    result = reference_compare(a, b)
    assert result["alignment"]["locutions"]["classes"] == 1
    assert result["segmentation"]["mode"] == "units"
    assert result["segmentation"]["S"] == pytest.approx(2 / 3)
    # Only one of B's two units is in this text: half, which fits. None of A's four-word unit's words: it does not
    assert reference_compare(b, b, "charlie delta")["segmentation"]["mode"] == "positions"
    assert reference_compare(a, b, "charlie delta")["segmentation"]["mode"] == "units"


def test_a_text_that_does_not_fit_makes_all_positions_unknown() -> None:
    a = aif({"1": ONE, "2": TWO, "s": RA}, "2 s 1")
    result = reference_compare(a, a, "quite another text", argument_structure=False)
    assert (result["first"]["placed"], result["first"]["text"], result["text_overlap"]) == (0, "given", 1)
    assert result["segmentation"]["mode"] == "units"
    assert result["cass"]["kappa"] == 1


def test_the_gate() -> None:
    # In place, 2 of 4 words in common and little similarity is enough; by similarity alone it is not
    text = "alfa bravo charlie delta echo foxtrot"
    a, b = aif({"1": ("I", "alfa bravo charlie delta")}), aif({"1": ("I", "charlie delta echo foxtrot")})
    assert reference_compare(a, b, text)["alignment"]["propositions"]["matched"] == 1
    assert (
        reference_compare(a, b, text, min_overlap=0.6, granularity="strict")["alignment"]["propositions"]["matched"]
        == 0
    )
    assert reference_compare(a, b, text, gate=False, granularity="strict")["alignment"]["propositions"]["matched"] == 0


# -- sections 5 to 7


def test_one_side_without_units_is_0_and_nothing_at_all_is_undefined() -> None:
    one, nothing = aif({"1": ONE}), aif({})
    assert set(reference_compare(one, nothing)["cass"].values()) == {0}
    assert set(reference_compare(nothing, nothing)["cass"].values()) == {None}
    assert set(reference_compare(one, one)["cass"].values()) == {None}
    assert reference_compare(one, one)["mean"]["kappa"] is None


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
