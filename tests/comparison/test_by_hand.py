"""The library and the reference on documents small enough to work out by hand from docs/measures.md."""

from __future__ import annotations

import pytest

from aifgraph.comparison.calculations import CALCULATIONS
from comparison.implementations import Implementation, over_both
from documents import CA, DIALOGUE, MA, ONE, PATHS, RA, THREE, TWO, aif, calculation, classes, ya


@over_both
def test_a_relation_has_a_direction(compare: Implementation) -> None:
    # Pairs (1,2): RA against none; (2,1): none against RA. po 0, pe (1·1 + 1·1)/4 = 1/2, kappa −1; M ≤ 0, so CASS 0
    a = aif({"1": ONE, "2": TWO, "s": RA}, "1 s 2")
    b = aif({"1": ONE, "2": TWO, "s": RA}, "2 s 1")
    result = compare(a, b)
    assert calculation(result, "propositional_relations") == (2, ["RA", "none"], [[0, 1], [1, 0]])
    assert result["calculations"]["propositional_relations"]["kappa"] == -1
    assert result["segmentation"]["S"] == 1
    assert result["cass"]["kappa"] == 0


@over_both
def test_a_clash_of_two_types_counts_in_both_errors(compare: Implementation) -> None:
    # (1,2): RA against CA; (2,1): none. po 1/2, pe (none·none) 1/4, kappa (1/2−1/4)/(3/4) = 1/3; TP 0, FP = FN
    # = 1, TN 1
    a = aif({"1": ONE, "2": TWO, "s": RA}, "1 s 2")
    b = aif({"1": ONE, "2": TWO, "s": CA}, "1 s 2")
    result = compare(a, b)
    assert calculation(result, "propositional_relations") == (
        2,
        ["CA", "RA", "none"],
        [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    )
    found = result["calculations"]["propositional_relations"]
    assert found["kappa"] == pytest.approx(1 / 3)
    assert (found["f1"], found["specificity"], found["informedness"]) == (0, 0.5, -0.5)
    assert found["macro_f1"] == 0


@over_both
def test_several_labels_on_one_item(compare: Implementation) -> None:
    # (1,2): {RA, MA} against {CA, MA}: MA on the diagonal, RA against CA; (2,1): none. Two items, three counts
    a = aif({"1": ONE, "2": TWO, "s": RA, "t": MA}, "1 s 2", "1 t 2")
    b = aif({"1": ONE, "2": TWO, "s": CA, "t": MA}, "1 s 2", "1 t 2")
    items, labels, matrix = calculation(compare(a, b), "propositional_relations")
    assert (items, labels) == (2, ["CA", "MA", "RA", "none"])
    assert matrix == [[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]


@over_both
def test_an_undercut_adds_pairs_of_proposition_and_relation(compare: Implementation) -> None:
    # 3·2 pairs of propositions and 3·1 (proposition, relation). RA agreed, CA on it only in A, 7 none.
    # N 9, po 8/9, pe (RA 1·1 + none 7·8)/81 = 57/81, kappa (72−57)/(81−57) = 15/24
    nodes = {"1": ONE, "2": TWO, "3": THREE, "s": RA, "u": CA}
    a = aif(nodes, "2 s 1", "3 u s")
    b = aif({k: v for k, v in nodes.items() if k != "u"}, "2 s 1")
    result = compare(a, b)
    matrix = [[0, 0, 1], [0, 1, 0], [0, 0, 7]]
    assert calculation(result, "propositional_relations") == (9, ["CA", "RA", "none"], matrix)
    assert result["calculations"]["propositional_relations"]["kappa"] == pytest.approx(0.625)


@over_both
def test_an_argument_inside_what_the_other_left_whole(compare: Implementation) -> None:
    # B's halves are equally similar to A's whole (18 of 37 characters each) and overlap it equally; the
    # earlier takes it,
    # the other joins. One class, whose B side has 2 ordered pairs: (2,1) has RA only in B, (1,2) nothing.
    # po 1/2, pe none 2·1/4 = 1/2, kappa 0. Masses [6] and [3, 3]: one addition in 5 places, S 4/5
    text = "alfa bravo charlie delta echo foxtrot"
    a = aif({"w": ("I", text)})
    b = aif({"1": ("I", text[:18]), "2": ("I", text[19:]), "s": RA}, "2 s 1")
    result = compare(a, b, text)
    assert result["second"]["text"] == "shared"
    assert classes(result, "propositions") == [(["w"], ["1", "2"], pytest.approx(18 / 37))]
    assert calculation(result, "propositional_relations") == (2, ["RA", "none"], [[0, 0], [1, 1]])
    assert result["calculations"]["propositional_relations"]["kappa"] == 0
    assert result["segmentation"]["masses"] == [[6], [3, 3]]
    assert (result["segmentation"]["S"], result["segmentation"]["B"]) == (0.8, 0)
    # Strict: two classes, their 2 ordered pairs; the relation goes between them
    strict = compare(a, b, text, granularity="strict")
    assert strict["alignment"]["propositions"]["classes"] == 2
    assert calculation(strict, "propositional_relations") == (2, ["RA", "none"], [[0, 0], [1, 1]])


@over_both
def test_linked_against_convergent(compare: Implementation) -> None:
    # {1,2} for 3: linked in A, convergent in B; the relations are the same. po 0, pe 0, kappa 0; pi: shares ½ and ½,
    # (0 − ½)/½ = −1; AC1: q 2, chance ½, −1; alpha: n 2, Do 1, De 2·1·1/(2·1) = 1, so 0; MCC 0/0
    three = {"1": ONE, "2": TWO, "3": THREE, "s": RA}
    a = aif(three, "1 s 3", "2 s")
    b = aif({**three, "t": RA}, "1 s 3", "2 t 3")
    result = compare(a, b, calculations=tuple(CALCULATIONS))
    matrix = [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert calculation(result, "argument_structure") == (1, ["convergent", "linked", "none"], matrix)
    found = result["calculations"]["argument_structure"]
    assert [found[k] for k in ("kappa", "pi", "alpha", "ac1", "mcc")] == [0, -1, 0, -1, None]
    # 6 pairs, RA on (1,3) and (2,3), on both sides
    assert calculation(result, "propositional_relations") == (6, ["RA", "none"], [[2, 0], [0, 4]])


@over_both
def test_five_calculations_and_the_fusion(compare: Implementation) -> None:
    # B lacks the Arguing. Anchors: 2 locutions and 1 transition: Asserting twice, Arguing against none.
    #   N 3, po 2/3, pe Asserting 2·2/9, kappa (6−4)/(9−4) = 2/5
    # (content, anchor): (2 propositions + 1 relation)·3 = 9: Asserting 2, Arguing against none 1, none 6.
    #   po 8/9, pe (2·2 + 6·7)/81 = 46/81, kappa (72−46)/(81−46) = 26/35
    # Transitions: 2 pairs, TA once: 1. Transition-proposition: no label. Transition-relation: 1 item, anchored
    # against none: 0
    # M = (1 + 2/5 + 26/35 + 1 + 0)/5 = 22/35, S = 1, CASS = 44/57
    b = aif({k: v for k, v in DIALOGUE.items() if k != "x"}, *PATHS[:-1])
    result = compare(aif(DIALOGUE, *PATHS), b)
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


@over_both
def test_a_transition_anchors_a_proposition(compare: Implementation) -> None:
    # Both: Agreeing from the transition to 1; B also to 2. (2 propositions)·(1 transition) = 2 items: agreed
    # once, once in B only.
    # illocutions: 3 anchors, one Agreeing each side; (2 + 0 relations)·3 = 6: Asserting 2, Agreeing 1,
    # Agreeing in B only 1, none 2
    nodes = {k: DIALOGUE[k] for k in "12lmtyz"} | {"x": ya("Agreeing")}
    a = aif(nodes, "l t m", "l y 1", "m z 2", "t x 1")
    b = aif(nodes, "l t m", "l y 1", "m z 2", "t x 1", "x 2")
    result = compare(a, b)
    assert calculation(result, "transition_propositions") == (2, ["anchored", "none"], [[1, 0], [1, 0]])
    assert calculation(result, "illocutions") == (
        3,
        ["Agreeing", "Asserting", "none"],
        [[1, 0, 0], [0, 2, 0], [0, 0, 0]],
    )
    matrix = [[1, 0, 0], [0, 2, 0], [1, 0, 2]]
    assert calculation(result, "illocutionary_anchors") == (6, ["Agreeing", "Asserting", "none"], matrix)
    assert not result["calculations"]["propositional_relations"]["applicable"]


@over_both
def test_a_transition_without_a_start_leaves_its_illocution_to_where_it_leads(compare: Implementation) -> None:
    # A: the TA leads from l to m and carries Agreeing; B: it has no start, so Agreeing is anchored in m.
    # Anchors: l, m, and A's transition. l: Asserting both; m: {Asserting} against {Asserting, Agreeing}: one
    # agreed, one
    # none-Agreeing; the transition: Agreeing-none. Four counts on three items
    nodes = {k: DIALOGUE[k] for k in "12lmtyz"} | {"x": ya("Agreeing")}
    a = aif(nodes, "l t m", "l y 1", "m z 2", "t x 1")
    b = aif(nodes, "t m", "l y 1", "m z 2", "t x 1")
    result = compare(a, b)
    assert calculation(result, "illocutions") == (
        3,
        ["Agreeing", "Asserting", "none"],
        [[0, 0, 1], [0, 2, 0], [1, 0, 0]],
    )
    assert calculation(result, "transition_propositions") == (2, ["anchored", "none"], [[0, 1], [0, 1]])
    assert calculation(result, "transitions") == (2, ["TA", "none"], [[0, 1], [0, 1]])


@over_both
def test_joining_two_pieces_of_an_utterance_counts_only_with_an_illocution(
    compare: Implementation,
) -> None:
    # A: one locution; B: it in two pieces, joined by a TA. One class, so no pair of classes, and the inner transition
    # counts only with an illocution on it: then there are 2 anchors, the class (Asserting both) and the transition (in
    # B only)
    whole = "alfa bravo charlie delta echo foxtrot"
    a = aif({"1": ("I", whole), "l": ("L", "Ann: " + whole), "y": ya("Asserting")}, "l y 1")
    pieces = {
        "1": ("I", whole),
        "l": ("L", "Ann: " + whole[:18]),
        "m": ("L", "Ann: " + whole[19:]),
        "t": ("TA", ""),
        "y": ya("Asserting"),
    }
    absorbed = compare(a, aif(pieces, "l y 1", "m y", "l t m"), whole)
    assert classes(absorbed, "locutions") == [(["l"], ["l", "m"], pytest.approx(18 / 37))]
    assert calculation(absorbed, "transitions") == (0, ["none"], [[0]])
    assert calculation(absorbed, "illocutions") == (1, ["Asserting", "none"], [[1, 0], [0, 0]])
    anchored = compare(a, aif({**pieces, "x": ya("Arguing")}, "l y 1", "m y", "l t m", "t x"), whole)
    assert calculation(anchored, "illocutions") == (
        2,
        ["Arguing", "Asserting", "none"],
        [[0, 0, 0], [0, 1, 0], [1, 0, 0]],
    )


@over_both
def test_an_analysis_without_dialogue_says_nothing_about_dialogue(compare: Implementation) -> None:
    # Common layers: propositional relations only. All layers: the others too, where there is a label.
    # Units: of the layer that both have, two propositions each, all in common: E 0; U 2 + 2; S 1
    a = aif({k: DIALOGUE[k] for k in "12s"}, "2 s 1")
    b = aif(DIALOGUE, *PATHS)
    result = compare(a, b)
    assert [n for n, c in result["calculations"].items() if c["applicable"]] == ["propositional_relations"]
    assert result["segmentation"]["S"] == 1
    assert result["layers"]["dialogical"]["kappa"] is None
    everything = compare(a, b, layers="all")
    assert [n for n, c in everything["calculations"].items() if not c["applicable"]] == ["transition_propositions"]
    # Two pairs of locutions, TA only in B: po 1/2, pe 1/2
    assert everything["calculations"]["transitions"]["kappa"] == 0


@over_both
def test_two_identical_sentences_take_both_places_and_context_tells_them_apart(compare: Implementation) -> None:
    # Both speakers say the same; whole texts (with the speaker) decide, whatever the order of the file. Masses 3 and 3
    text = "Yes, we can! Yes we can."
    nodes = {"1": ("L", "Ann: Yes we can"), "2": ("L", "Bob: yes we can"), "t": ("TA", "")}
    a = aif(nodes, "1 t 2")
    b = aif({"9": nodes["2"], "8": nodes["1"], "t": nodes["t"]}, "8 t 9")
    result = compare(a, b, text, text)
    assert result["segmentation"]["masses"] == [[3, 3], [3, 3]]
    assert classes(result, "locutions") == [(["1"], ["8"], 1), (["2"], ["9"], 1)]
    # The same speaker twice: now only the transition tells them apart
    same = {"1": nodes["1"], "2": nodes["1"], "t": nodes["t"]}
    result = compare(aif(same, "1 t 2"), aif({"9": nodes["1"], "8": nodes["1"], "t": nodes["t"]}, "8 t 9"), text)
    assert result["calculations"]["transitions"]["matrix"] == [[1, 0], [0, 1]]


@over_both
def test_without_a_text_units_are_counted(compare: Implementation) -> None:
    # sim with "alfa bravo" 10/24, below one half; with "charlie delta" 13/24. The other is contained, so it joins.
    # E |1 − 2| = 1, W max(4, 2 + 2) = 4, S 1 − 1/3
    a = aif({"w": ("L", "alfa bravo charlie delta")})
    b = aif({"1": ("L", "alfa bravo"), "2": ("L", "charlie delta")})
    result = compare(a, b)
    assert result["alignment"]["locutions"]["classes"] == 1
    assert result["segmentation"]["mode"] == "units"
    assert result["segmentation"]["S"] == pytest.approx(2 / 3)
    # Only one of B's two units is in this text: half, which fits. None of A's four-word unit's words: it does not
    assert compare(b, b, "charlie delta")["segmentation"]["mode"] == "positions"
    assert compare(a, b, "charlie delta")["segmentation"]["mode"] == "units"


@over_both
def test_a_text_that_does_not_fit_makes_all_positions_unknown(compare: Implementation) -> None:
    a = aif({"1": ONE, "2": TWO, "s": RA}, "2 s 1")
    result = compare(a, a, "quite another text")
    assert (result["first"]["placed"], result["first"]["text"], result["text_overlap"]) == (0, "given", 1)
    assert result["segmentation"]["mode"] == "units"
    assert result["cass"]["kappa"] == 1


@over_both
def test_the_gate(compare: Implementation) -> None:
    # In place, 2 of 4 words in common and little similarity is enough; by similarity alone it is not
    text = "alfa bravo charlie delta echo foxtrot"
    a, b = aif({"1": ("I", "alfa bravo charlie delta")}), aif({"1": ("I", "charlie delta echo foxtrot")})
    assert compare(a, b, text)["alignment"]["propositions"]["matched"] == 1
    assert compare(a, b, text, min_overlap=0.6, granularity="strict")["alignment"]["propositions"]["matched"] == 0
    assert compare(a, b, text, gate=False, granularity="strict")["alignment"]["propositions"]["matched"] == 0


@over_both
def test_one_side_without_units_is_0_and_nothing_at_all_is_undefined(compare: Implementation) -> None:
    one, nothing = aif({"1": ONE}), aif({})
    assert set(compare(one, nothing)["cass"].values()) == {0}
    assert set(compare(nothing, nothing)["cass"].values()) == {None}
    assert set(compare(one, one)["cass"].values()) == {None}
    assert compare(one, one)["mean"]["kappa"] is None
