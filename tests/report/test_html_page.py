"""The page of a pair: what it says, and that nothing from a map can break out of it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.comparison.calculations.items import AnchoredContent, At
from aifgraph.comparison.comparison import Comparison
from aifgraph.graph import SourceText
from aifgraph.report.html import report_html
from aifgraph.report.html.embed import json_for_script, static
from aifgraph.report.html.listed import ListedDifference, counted, group_counts, groups_of
from aifgraph.report.html.merged_map import merged_map
from aifgraph.report.html.page_data import page_data
from aifgraph.report.html.text import pieces_of

HOSTILE = (
    "</script><script>window.broken=1</script>",
    '"><img src=x onerror="window.broken=1">',
    "<!--<script>",
    "x" * 10_000,
    "هذا نص من اليمين إلى اليسار",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "{{ 7 * 7 }}",
    "line\u2028separator\u2029",
    "</style><style>*{display:none}",
    "",
)


def hostile() -> ArgumentGraph:
    """A map all of whose texts want to be something else."""
    build = GraphBuilder()
    claim = build.proposition("A claim")
    for text in HOSTILE:
        build.inference([build.proposition(text)], claim)
    return build.graph().with_name(HOSTILE[1])


def small(kind: str, text: str = "") -> ArgumentGraph:
    build = GraphBuilder()
    claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    build.relation(kind, [reason], claim, "")
    graph = build.graph()
    return graph.with_meta(source=SourceText(text)) if text else graph


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def listed(result: Comparison) -> list[ListedDifference]:
    differences = result.differences()
    groups = groups_of(differences, merged_map(result.differences()), group_counts(differences))
    return [row for group in groups for row in group.differences]


def test_hostile_texts_stay_texts() -> None:
    page = report_html(aifgraph.compare(hostile(), hostile()))
    assert "<script>window" not in page
    assert "<img" not in page
    assert "</style><style>*" not in page
    assert "{{ 7 * 7 }}" in page
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    members = [element["first"] for element in data_of(page)["elements"]]
    assert {member["text"] for member in members if member} >= {text.strip() for text in HOSTILE}


def test_the_policy_names_the_script_and_lets_nothing_be_fetched() -> None:
    page = report_html(aifgraph.compare(small("RA"), small("RA")))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert policy[1].startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe" not in policy[1]
    assert 'src="http' not in page
    assert 'href="http' not in page


def test_our_own_files_can_stand_in_a_page() -> None:
    assert not re.search(r"</script|<!--|<script", static("report.js"), re.I)
    assert "</style" not in static("report.css")
    assert len(static("report.js")) < 1_000_000


def test_lone_surrogates_and_separators() -> None:
    written = json_for_script("a\ud800\u2028</")
    assert written.encode("utf-8")
    assert "\u2028" not in written
    assert "</" not in written


def test_a_clash_of_labels_is_told_and_drawn_as_one() -> None:
    result = aifgraph.compare(small("RA"), small("CA"))
    merged = merged_map(result.differences())
    assert [(each.kind, each.status) for each in merged.elements] == [
        ("I", "agreed"),
        ("I", "agreed"),
        ("RA", "different"),
    ]
    [row] = listed(result)
    assert (row.row.kind, row.status, row.view) == ("relabelled", "different", "argument")
    told = [(said.side, "".join(map(str, said.phrases))) for said in row.said]
    assert told == [
        ("first", "“They filter the air” supports “Masks help everyone” (Default Inference)"),
        ("second", "“They filter the air” attacks “Masks help everyone” (Default Conflict)"),
    ] or told == [
        ("first", "“They filter the air” supports “Masks help everyone”"),
        ("second", "“They filter the air” attacks “Masks help everyone”"),
    ]
    assert row.elements == (2, 1, 0)


def test_list_map_and_panel_say_the_same_of_a_difference() -> None:
    """A relation whose premises are half the same is one box, and says what the list says."""
    one, other = GraphBuilder(), GraphBuilder()
    for build, others in ((one, ["They cost little"]), (other, ["They are at hand"])):
        claim, reason, *_ = [
            build.proposition(text)
            for text in ("Masks help everyone", "They filter the air", "They cost little", "They are at hand")
        ]
        build.inference([reason, *(node.id for node in build.graph() if node.text in others)], claim)
    result = aifgraph.compare(one.graph(), other.graph())
    [row] = listed(result)
    differences = result.differences()
    merged = merged_map(differences)
    [relation] = [each for each in merged.elements if each.kind == "RA"]
    data = page_data(result, merged, differences, "", None)
    assert (row.title, relation.status) == ("re-attached", "different")
    assert data["elements"][relation.number]["says"] == row.title
    assert [each["says"] for each in data["elements"]].count("the same") == 4


def test_swapping_swaps_the_sides() -> None:
    build = GraphBuilder()
    build.proposition("Masks help everyone")
    only = build.graph()
    for one, other, status in ((small("RA"), only, "first"), (only, small("RA"), "second")):
        merged = merged_map(aifgraph.compare(one, other).differences())
        assert sorted(each.status for each in merged.elements) == sorted(["agreed", status, status])
        assert {line.status for line in merged.lines} == {status}


def test_boundaries_agreed_near_and_missed() -> None:
    text = "Well masks help everyone because they filter the air and so on for ever"
    first, second = GraphBuilder(), GraphBuilder()
    first.proposition("masks help everyone because"), first.proposition("and so on")
    second.proposition("masks help everyone"), second.proposition("they filter the air and")
    result = aifgraph.compare(first.graph(), second.graph(), first_text=text)
    # First cuts before words 1, 5, 9 and 12; second before 1, 4, 5 and 10.
    found = counted(result.alignment)
    assert (found.agreed, found.near, found.first, found.second) == (2, 1, 1, 1)
    pieces = pieces_of(result.alignment, merged_map(result.differences()))
    assert pieces
    assert "".join(piece.text for piece in pieces[0]) == "".join(piece.text for piece in pieces[1]) == text
    assert [piece.cut for piece in pieces[0] if piece.cut not in ("", "other")] == ["agreed", "agreed", "near", "own"]


@pytest.mark.parametrize("name", ["28038.json", "28111.json"])
def test_real_maps_against_themselves_have_no_difference(shared_data: Path, name: str) -> None:
    graph = aifgraph.load(shared_data / "xaif" / name)
    result = aifgraph.compare(graph, graph)
    merged = merged_map(result.differences())
    assert not listed(result)
    assert all(each.first == each.second == each.same for each in group_counts(result.differences()))
    # A scheme node that joins nothing claims nothing that the other could agree to.
    loose = {each.number for each in merged.elements if each.kind not in ("I", "L") and each.status != "agreed"}
    claimed = {number for items in merged.by_claim.values() for numbers in items.values() for number in numbers}
    assert not loose & claimed


def test_cells_hold_what_the_matrix_counts() -> None:
    page = report_html(aifgraph.compare(small("RA"), small("CA")))
    [cell] = data_of(page)["cells"]["propositional_relations"]
    assert (cell["first"], cell["second"]) == ("RA", "CA")
    assert [item["elements"] for item in cell["items"]] == [[1, 0, 2]]


def test_the_list_has_the_rows_of_the_differences_each_with_its_id(shared_data: Path) -> None:
    from comparison.second_annotator import changed

    graph = aifgraph.load(shared_data / "xaif" / "28038.json")
    result = aifgraph.compare(graph, changed(graph, 0.1, seed=2))
    rows = listed(result)
    differences = result.differences()
    assert {row.row.id for row in rows} == {row.id for row in differences}
    assert sorted(row.number for row in rows) == list(range(1, len(rows) + 1))
    page = report_html(result)
    assert re.findall(r'data-row="([^"]+)"', page) == [row.row.id for row in rows]
    # What is counted is what the maps show: every node is the same on both sides, or in a row.
    for count in group_counts(differences):
        group = {"relations": ("RA", "CA", "MA", "PA"), "propositions": ("I",), "locutions": ("L",)}
        kinds = group.get(count.group, ("YA",) if count.group == "illocutions" else ("TA",))
        for side, analysis in enumerate((result.alignment.first, result.alignment.second)):
            about = {node for row in differences for node in row.nodes if node[0] == side}
            nodes = {(side, node) for node, kind in enumerate(analysis.kinds) if kind in kinds}
            assert len(nodes) == (count.first, count.second)[side]
            assert count.same + len(nodes & about) + count.follow[side] == len(nodes)


def test_a_reversed_relation_is_one_line() -> None:
    build = GraphBuilder()
    claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    build.relation("RA", [claim], reason, "")
    result = aifgraph.compare(small("RA"), build.graph())
    [row] = listed(result)
    assert (row.row.kind, len(row.said)) == ("reversed", 2)
    assert str(group_counts(result.differences())[0]) == "Relations: 1 in each, of which none are the same; 1 reversed."


def test_a_relation_without_premise_or_conclusion_is_listed() -> None:
    build, other = GraphBuilder(), GraphBuilder()
    for each in (build, other):
        claim, reason = each.proposition("Masks help everyone"), each.proposition("They filter the air")
        each.relation("RA", [reason], claim, "")
    build.node("RA", "Default Inference", id="loose")
    build.edge("loose", claim)
    result = aifgraph.compare(build.graph(), other.graph())
    [row] = listed(result)
    assert (row.row.kind, row.status) == ("missing", "first")
    assert "".join(map(str, row.said[0].phrases)).startswith("nothing supports “Masks help everyone”")
    # What is drawn as of one side alone is in a row.
    merged = merged_map(result.differences())
    alone = {each.number for each in merged.elements if each.status in ("first", "second")}
    assert alone <= {*row.elements, *row.follows}


def test_a_wrong_pair_is_doubted_at_the_top() -> None:
    first, second = small("RA", "Masks help everyone. They filter the air."), GraphBuilder()
    claim, reason = second.proposition("Zoos save rare species"), second.proposition("The oryx came back")
    second.inference([reason], claim)
    text = SourceText("Zoos save rare species. The oryx came back.")
    page = report_html(aifgraph.compare(first, second.graph().with_meta(source=text)))
    doubt = page.index("Is this the right pair?")
    assert doubt < page.index('class="lead"')
    assert "of the words are common to both texts" in page[doubt : doubt + 400]
    assert "no unit of the first map matches any of the second" in page
    same = small("RA")
    assert "Is this the right pair?" not in report_html(aifgraph.compare(same, same))


def test_scores_stand_beside_chance_and_trivial_systems_that_were_worked_out() -> None:
    from aifgraph.evaluation.baselines import baseline
    from aifgraph.report.html.reference_scores import reference_scores

    first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    result = aifgraph.compare(first, second, chance=7)
    found = reference_scores(result)
    chain = aifgraph.compare(first, baseline(second, "chain"))
    for each in found.layers:
        marks = {mark.name: mark.value for mark in each.marks}
        if each.layer == "explicit":
            assert marks["each supports the one before"] == chain.explicit["kappa"]
            assert (each.kappa, each.f1) == (result.explicit["kappa"], result.explicit["f1"])
            assert marks["at random"] is not None
            continue
        expected = chain.cass if each.layer == "all" else chain.layers[each.layer].cass
        assert marks["each supports the one before"] == expected["kappa"]
        assert marks["at random"] is not None
        assert each.kappa == (result.cass if each.layer == "all" else result.layers[each.layer].cass)["kappa"]
    assert "7 times" in found.note
    assert [each.layer for each in found.layers] == ["all", "propositional", "explicit", "dialogical"]
    # Too large a pair has no such numbers, and says so.
    large = reference_scores(aifgraph.compare(first, second), small=10, medium=10)
    assert not any(each.marks for each in large.layers)
    assert "not worked out" in large.note


def test_the_words_that_differ_are_marked() -> None:
    first, second = GraphBuilder(), GraphBuilder()
    first.proposition("Masks help some people in winter")
    second.proposition("Masks help many people in winter")
    page = report_html(aifgraph.compare(first.graph(), second.graph()))
    assert "Masks help <mark>some</mark> people in winter" in page
    assert "Masks help <mark>many</mark> people in winter" in page


def test_the_text_stands_once_where_both_are_the_same_and_twice_where_not() -> None:
    from aifgraph.report.html.text import text_view

    text = "Masks help everyone. They filter the air and they are cheap. So wear one."
    first, second = GraphBuilder(), GraphBuilder()
    for build, cuts in (
        (first, ("Masks help everyone.", "They filter the air and they are cheap.", "So wear one.")),
        (second, ("Masks help everyone.", "They filter the air", "and they are cheap.", "So wear one.")),
    ):
        for cut in cuts:
            build.proposition(cut)
    result = aifgraph.compare(first.graph(), second.graph(), first_text=text)
    merged = merged_map(result.differences())
    view = text_view(result.alignment, merged, listed(result))
    rows = [row for stretch in view.stretches for row in stretch.rows]
    assert view.kind == "text"
    for side in ("first", "second"):
        assert "".join(piece.text for row in rows for piece in getattr(row, side)) == text
    assert [row.same for row in rows] == [True, False, True]
    assert [[each.row.kind for each in row.differences] for row in rows] == [[], ["cut differently"], []]


def test_without_a_text_what_was_said_stands_in_order(shared_data: Path) -> None:
    from aifgraph.report.html.text import text_view

    gold = sorted((shared_data / "dialam-2024" / "test" / "gold").glob("*.json"))[0]
    result = aifgraph.compare(aifgraph.load(gold), aifgraph.load(gold.parents[1] / "system" / gold.name))
    merged = merged_map(result.differences())
    view = text_view(result.alignment, merged, listed(result))
    assert view.kind == "locutions"
    rows = [row for part in (view.stretches, view.unsaid) for stretch in part for row in stretch.rows]
    shown = {number for row in rows for side in (row.first, row.second) for piece in side for number in piece.elements}
    assert shown == {each.number for each in merged.elements if each.kind in ("I", "L")}
    # Of several units in one place none is glued to the next.
    sides = [side for row in rows for side in (row.first, row.second) if len(side) > 1]
    assert sides
    for side in sides:
        words = [word for piece in side for word in piece.text.split()]
        assert "".join(piece.text for piece in side).split() == words
    # Every difference stands beside the text.
    marked = {each.row.id for row in rows for each in row.differences}
    assert marked == {each.row.id for each in listed(result)}


def test_illocutions_are_listed_with_what_they_are_anchored_in() -> None:
    first, second = (aifgraph.load(f"fixtures/debate/{name}.json") for name in ("first", "second"))
    merged = merged_map(aifgraph.compare(first, second).differences())
    claims = [claim for claim in merged.by_claim["YA"] if isinstance(claim, AnchoredContent | At)]
    assert claims
    for anchor in {claim.anchor for claim in claims}:
        listed = [number for claim in claims if claim.anchor == anchor for number in merged.by_claim["YA"][claim]]
        assert merged.illocutions_at[anchor] == listed


def test_the_sentence_links_to_the_difference_that_it_names() -> None:
    result = aifgraph.compare(small("RA"), small("CA"))
    (row,) = result.differences().rows
    page = report_html(result)
    lead = re.search(r'<p class="lead"><bdi>(.*?)</bdi></p>', page, re.DOTALL)
    assert lead
    assert f'<a href="#difference={row.id}">' in lead[1]
    words = re.sub(r"<[^>]*>", "", lead[1])
    assert html.unescape(words) == result.differences().summary
    same = report_html(aifgraph.compare(small("RA"), small("RA")))
    assert '<p class="lead"><bdi>Both find the same 2 claims. They agree on everything.</bdi></p>' in same
