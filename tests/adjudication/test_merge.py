"""Merging: the laws, over random pairs, fixtures and real data; decisions, their files, and what is refused."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from adjudication.laws import (
    decided_is_in_the_gold,
    laws_hold,
    order_changes_no_row,
    rows_add_up,
    swapping_changes_nothing,
)
from aifgraph import ArgumentGraph, Comparison, GraphBuilder
from aifgraph.adjudication.decisions import (
    COLUMNS,
    DecisionTable,
    decide_row,
    decision_rows,
    decisions_tsv,
    maps_of,
    parse_decision,
    progress_of,
    read_decisions,
    rows_of,
    update_rows,
)
from aifgraph.adjudication.merge import merge_compared
from aifgraph.adjudication.selection import Consequences, needs_decision
from aifgraph.cli import main
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.graph import Edge, Scheme, SourceText, Span
from aifgraph.printable import printable
from documents import ANN, BEN, CLAIMS, FIRST, SECOND, argument, compared_debate
from strategies import arguments, graphs, some_of


@given(arguments(), arguments(), st.integers(0, 9))
def test_laws_over_arguments(first: ArgumentGraph, second: ArgumentGraph, seed: int) -> None:
    laws_hold(first, second)
    decided_is_in_the_gold(first, second, seed)
    assert swapping_changes_nothing(first, second)
    order_changes_no_row(first, second, seed)


@pytest.mark.slow
@given(graphs(beside=False), graphs(beside=False), st.integers(0, 9))
def test_laws_over_random_graphs(first: ArgumentGraph, second: ArgumentGraph, seed: int) -> None:
    laws_hold(first, second)
    swapping_changes_nothing(first, second)
    order_changes_no_row(first, second, seed)


@pytest.mark.data
@pytest.mark.slow
def test_laws_over_real_pairs(shared_data: Path) -> None:
    """Two analysts of one text, and the maps of a task beside those of a system; some of them, at night all."""
    lines = (shared_data / "araucaria" / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:]
    paths = [[shared_data / "araucaria" / name for name in line.split("\t")[:2]] for line in lines]
    gold = sorted((shared_data / "dialam-2024" / "test" / "gold").glob("*.json"))
    paths += [[path, path.parents[1] / "system" / path.name] for path in gold]
    for number, (first, second) in enumerate(map(aifgraph.load, both) for both in some_of(paths)):
        rows_add_up(first, second)
        laws_hold(first, second)
        for seed in range(3):
            decided_is_in_the_gold(first, second, seed)
        assert swapping_changes_nothing(first, second)
        order_changes_no_row(first, second, number)


def test_a_relation_loses_the_premise_that_is_dropped_and_stays_and_nodes_name_their_decisions() -> None:
    """A conclusion with three premises, of which the second map lacks one."""
    common = CLAIMS | {"cost": "They cost little"}
    first = argument("reason cost odd RA claim", odd="Nobody minds them in a tram", **common)
    second, odd, relation = argument(**common), "odd", first.inferences[0].id
    rows = {row.group: row for row in aifgraph.compare(first, second).differences()}
    assert rows["propositions"].first == (odd,)
    decisions = {rows["propositions"].id: "drop", rows["relations"].id: "keep"}
    gold = aifgraph.merge(first, second, decisions=decisions).graph
    assert {node.text for node in gold.predecessors(relation)} == {"They filter the air", "They cost little"}
    assert odd not in gold
    kept = aifgraph.merge(first, second, decisions={**decisions, rows["propositions"].id: "keep"}).graph
    for id_, row in ((odd, rows["propositions"]), (relation, rows["relations"])):
        assert (kept[id_].extra["merged"]["row"], kept[id_].extra["merged"]["decision"]) == (row.id, "keep")


@pytest.mark.parametrize("name", ["no_dialogue_all", "no_dialogue_common"])
def test_a_relation_of_both_stays_where_one_map_has_no_dialogue(name: str) -> None:
    silent, spoken = (aifgraph.load(f"fixtures/cass/{name}/{side}.json") for side in ("first", "second"))
    for maps, prefer in (((silent, spoken), "first"), ((spoken, silent), "second")):
        merged = aifgraph.merge(*maps, prefer=prefer).graph
        assert [node.id for node in merged] == [node.id for node in silent]
        assert merged.edges == silent.edges


def test_a_relation_without_dialogue_is_merged_into_a_map_that_has_it() -> None:
    build = GraphBuilder(argument())
    for id_, words in CLAIMS.items():
        build.illocution(build.locution(words, speaker="Ann"), id_, "Asserting")
    merged = aifgraph.merge(argument("reason RA claim"), build.graph()).graph
    assert (len(merged.inferences), len(merged.locutions)) == (1, len(CLAIMS))


def test_a_row_costs_what_hangs_on_it() -> None:
    """Of a premise and its conclusion that the second lacks, both change the score; the decision is counted once."""
    trams = {"trams": "Trams are quick"}
    maps = argument("reason RA claim", **trams, **CLAIMS), argument(**trams)
    rows = {row.first_wording: row for row in aifgraph.compare(*maps).differences()}
    premise, conclusion = rows["“They filter the air”"], rows["“Masks help everyone”"]
    assert (premise.cost, premise.at_stake) == (1, 1)
    assert (conclusion.cost, conclusion.at_stake, conclusion.counted_with) == (0, 1, {premise.id: 1})


def test_two_relations_alike_but_for_the_order_of_the_file_keep_their_rows() -> None:
    """Of two inferences that say the same, one has an equal on the other side: which one, ids decide."""
    first, second = argument("reason RA claim", "reason RA claim"), argument("reason RA claim")
    turned = ArgumentGraph(reversed(first.nodes), first.edges, first.meta)
    here, there = (aifgraph.compare(each, second).differences().rows for each in (first, turned))
    assert [(row.id, row.first) for row in here] == [(row.id, row.first) for row in there]
    assert here[0].first != (second.inferences[0].id,)


def test_what_nobody_decides_is_kept_of_either_side_and_of_both_as_the_base_has_it() -> None:
    graphs = []
    for wording, own, kind in (("help", "They filter the air", "CA"), ("do help", "Nobody minds", "RA")):
        build = GraphBuilder()
        claim = build.proposition(f"Masks {wording} everyone in a tram")
        build.relation(kind, [build.proposition(own)], claim, "")
        build.inference([build.proposition("Trams are full")], claim, schemes=[Scheme("15", f"Expert {kind}")])
        graphs.append(build.graph())
    merged = aifgraph.merge(*graphs)
    base = graphs[("first", "second").index(merged.graph.meta.aif["merge"]["base"])]
    assert {row.kind for row in aifgraph.compare(*graphs).differences()} == {"reworded", "scheme", "missing"}
    own = {"They filter the air", "Nobody minds"}
    assert {node.text for node in merged.graph.propositions} == own | {node.text for node in base.propositions}
    assert sorted(node.type for node in merged.graph.relations) == ["CA", "RA", "RA"]
    names = {scheme.name for node in merged.graph.relations for scheme in node.schemes}
    assert names & {"Expert CA", "Expert RA"} == {"Expert CA" if base is graphs[0] else "Expert RA"}


def test_a_new_wording_and_a_new_label() -> None:
    first, second = aifgraph.load(FIRST), aifgraph.load(SECOND)
    rows = aifgraph.compare(first, second).differences().rows
    worded = next(row for row in rows if row.kind == "reworded")
    act = next(row for row in rows if row.group == "illocutions")
    relation = next(row for row in rows if row.group == "relations")
    decisions = {worded.id: "Any measurement shows it", act.id: "Rhetorical Questioning", relation.id: "MA"}
    merged = aifgraph.merge(first, second, decisions=decisions, prefer="first").graph
    assert any(node.text == "Any measurement shows it" for node in merged.propositions)
    assert any(node.text.replace(" ", "") == "RhetoricalQuestioning" for node in merged)
    assert merged[relation.first[0]].type == "MA"


@pytest.mark.parametrize("wording", ["戴口罩对大家都有好处", "マスクはみんなに役立つ", "หน้ากากช่วยทุกคน", "Masks help"])
def test_a_new_wording_needs_no_blank_where_the_script_has_none(wording: str) -> None:
    first, second = argument(**CLAIMS), argument(**CLAIMS | {"claim": "Masks help everybody"})
    [row] = aifgraph.compare(first, second).differences()
    merged = aifgraph.merge(first, second, decisions={row.id: wording}).graph
    assert wording in {node.text for node in merged.propositions}
    with pytest.raises(InputError):
        aifgraph.merge(first, second, decisions={row.id: "fisrt"})


def test_what_choices_leave_out_is_what_the_file_says() -> None:
    """Of a premise that only the first has, dropping it leaves out the relation that it alone supports."""
    first, second = argument("reason RA claim"), argument(claim=CLAIMS["claim"])
    differences = aifgraph.compare(first, second).differences()
    row = next(row for row in differences if row.group == "propositions")
    lost = Consequences(differences).lost_in_words(row)
    assert list(lost) == ["drop"]
    merged = aifgraph.merge(first, second, decisions={row.id: "drop"})
    assert not merged.graph.relations
    assert any(lost["drop"] in caveat for caveat in merged.caveats)


def cut_pair(*, related: tuple[bool, bool] = (True, True)) -> tuple[ArgumentGraph, ArgumentGraph]:
    """A text of two sentences, which the first map has as two claims and the second as one, with another premise."""
    whole = "Masks help everyone in a tram and masks are cheap for a city."
    maps = []
    for side, claims in enumerate((("Masks help everyone in a tram", "masks are cheap for a city"), (whole[:-1],))):
        nodes = {
            "p0": "They filter the air",
            "p1": "Nobody minds them",
            **dict(zip(("c0", "c1"), claims, strict=False)),
        }
        relations = [f"p{side} RA c{len(claims) - 1}"] if related[side] else []
        maps.append(argument(*relations, text=f"They filter the air. Nobody minds them. {whole}", **nodes))
    return maps[0], maps[1]


def decided_pair(
    related: tuple[bool, bool], cut: str, relation: str
) -> tuple[Comparison, dict[str, str], list[Difference]]:
    comparison = aifgraph.compare(*cut_pair(related=related))
    rows = [
        next(row for row in comparison.differences() if of(row))
        for of in (lambda row: row.kind == "cut differently", lambda row: row.group == "relations")
    ]
    return comparison, {rows[0].id: cut, rows[1].id: relation}, rows


@pytest.mark.parametrize(
    ("related", "cut", "relation", "end"),
    [
        ((True, True), "first", "both", "masks are cheap for a city"),
        ((True, True), "second", "both", "Masks help everyone in a tram and"),
        ((True, False), "second", "keep", "Masks help everyone in a tram and"),
    ],
)
def test_a_relation_joins_the_unit_that_a_side_joins_or_its_whole_and_merge_says_so(
    related: tuple[bool, bool], cut: str, relation: str, end: str
) -> None:
    """The unit that both join is the half that the first joins, never the one that happens to match."""
    comparison, decisions, rows = decided_pair(related, cut, relation)
    merged = merge_compared(comparison, decisions)
    assert [len(merged.graph.predecessors(node)) for node in merged.graph.relations] == [1] * sum(related)
    ends = {node.text for relation in merged.graph.relations for node in merged.graph.successors(relation)}
    assert [text[: len(end)] for text in ends] == [end]
    assert [caveat for caveat in merged.caveats if f"(row {rows[0].id})" in caveat and "instead of" in caveat]


def test_a_relation_of_a_unit_that_is_cut_into_several_goes_with_it_and_a_page_can_say_so_before() -> None:
    """Nobody knows which half is meant: it is no other relation without a word."""
    comparison, decisions, rows = decided_pair((False, True), "first", "keep")
    left = merge_compared(comparison, decisions)
    assert not left.graph.relations
    assert any(all(id_ in caveat for id_ in decisions) for caveat in left.caveats)
    consequences = Consequences(comparison.differences())
    assert list(consequences.lost_in_words(rows[0])) == ["first", "neither"]
    assert set(rows[1].nodes) <= consequences.without({rows[0]: frozenset((0,))})
    merged = merge_compared(comparison, {rows[0].id: "first"})
    assert not merged.graph.relations
    assert any(consequences.lost_in_words(rows[0])["first"] in caveat for caveat in merged.caveats)


def test_a_kept_relation_of_another_scheme_is_not_lost_without_a_word() -> None:
    """One node stands for both sides: it goes with its only premise, whichever side's scheme was chosen."""
    graphs = []
    for scheme in ("Sign", "Analogy"):
        build = GraphBuilder()
        claim = build.proposition(f"Masks help everyone in a tram {scheme}")
        reason = build.proposition(f"They filter the air {scheme}ly")
        build.inference([reason], claim, schemes=[Scheme("1", scheme)])
        graphs.append(build.graph())
    rows = aifgraph.compare(*graphs).differences().rows
    [scheme_row] = [row for row in rows if row.kind == "scheme"]
    claim_row, reason_row = sorted(
        (row for row in rows if row.kind == "reworded"), key=lambda row: -len(row.first_wording)
    )
    for choice in ("first", "second", "both"):
        decisions = {scheme_row.id: choice, reason_row.id: "neither"}
        for other in ("first", "second"):
            merged = aifgraph.merge(*graphs, decisions={**decisions, claim_row.id: other})
            assert not merged.graph.relations
            assert any(scheme_row.id in caveat and reason_row.id in caveat for caveat in merged.caveats)


@pytest.fixture(scope="module")
def debate() -> Differences:
    return compared_debate().differences()


def cells_of(path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(path.read_text("utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE)]


@given(arguments(), arguments(), st.text(min_size=3).map(lambda text: f"{text} x"))
def test_what_is_written_is_read_again(
    first: aifgraph.ArgumentGraph, second: aifgraph.ArgumentGraph, text: str
) -> None:
    differences = aifgraph.compare(first, second).differences()
    given_ = {}
    for number, row in enumerate(filter(needs_decision, differences)):
        worded = number % 2 and row.group in ("propositions", "locutions")
        given_[row.id] = parse_decision(
            text if worded else row.sides.replace("both", "first"), row, by="=Ann", note=text
        )
    path = Path("build/decisions.tsv")
    path.parent.mkdir(exist_ok=True)
    rows = decision_rows(differences, '"a" b')
    filled = [row | {"decision": given_[row["row"]].text, "by": "=Ann", "note": text} for row in rows]
    for file in (decisions_tsv(filled), differences.to_tsv()):
        path.write_text(file, "utf-8", newline="")
        found = read_decisions(path, differences)
        assert found.keys() == (given_.keys() if "=Ann" in file else set())
        for id_, decision in found.items():
            assert (decision.choice, decision.by) == (given_[id_].choice, "=Ann")
            value = given_[id_].value
            assert decision.value == (printable(value) if isinstance(value, str) else value)


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_a_file_that_a_spreadsheet_has_saved(debate: Differences, tmp_path: Path, quoting: int) -> None:
    rows = [{**row, "decision": "first", "note": 'say "so"'} for row in decision_rows(debate, "debate")]
    table = io.StringIO()
    writer = csv.DictWriter(table, COLUMNS, delimiter="\t", quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    (tmp_path / "d.tsv").write_bytes(b"\xef\xbb\xbf" + table.getvalue().encode())
    if quoting == csv.QUOTE_ALL:
        (tmp_path / "d.tsv").write_text(table.getvalue().replace(table.getvalue().splitlines()[0], "\t".join(COLUMNS)))
    found = read_decisions(tmp_path / "d.tsv", debate)
    assert found.keys() == {row.id for row in debate if row.kind != "reworded"}
    assert all(row.id[0].isalpha() for row in debate)  # a number is what a spreadsheet changes
    assert {decision.note for decision in found.values()} == {'say "so"'}


def test_files_that_cannot_be_meant(debate: Differences, tmp_path: Path) -> None:
    path, id_, maps = tmp_path / "d.tsv", debate.rows[0].id, maps_of(debate)
    head = "row\tmaps\tdecision\n"
    refused = {
        "": FormatError,
        "a\tb\n": FormatError,
        "\0\1": FormatError,
        f"{head}{id_}\tx:y\tfirst\n": InputError,
        f"{head}{id_}\t{debate.hashes[1]}:{debate.hashes[0]}\tfirst\n": InputError,
        f"{head}nosuch\t{maps}\tfirst\n": InputError,
        f"{head}{id_}\t{maps}\tfirst\n{id_}x\t\tfirst\n": FormatError,
        f"{head}{id_}\t{maps}\tfirst\n{id_}\t{maps}\t\n": InputError,
        f"{head}{id_}\t{maps}\tfrist\n": InputError,
        f"{head}{id_}\t{maps}\t{'x' * 200_000}\n": InputError,
    }
    for text, error in refused.items():
        path.write_text(text)
        with pytest.raises(error):
            read_decisions(path, debate)
    with pytest.raises(FileNotFoundError):
        read_decisions(tmp_path / "no.tsv", debate)
    path.write_text(f"{head}{id_}\t{maps}\n\n{id_}x\tx:y\tfirst\n")
    assert read_decisions(path, debate) == {}


def decided(name: str, choice: str) -> tuple[str, aifgraph.ArgumentGraph]:
    """The file of a pair with every row decided alike, and the map that is merged by it."""
    first, second = (aifgraph.load(folder / f"{name}.json") for folder in (ANN, BEN))
    differences = aifgraph.compare(first, second).differences()
    rows = [{**row, "decision": choice} for row in decision_rows(differences, name)]
    return decisions_tsv(rows), aifgraph.merge(first, second, decisions={row["row"]: choice for row in rows}).graph


def test_corpora_are_merged_by_one_file(tmp_path: Path) -> None:
    files = {name: decided(name, "second") for name in ("nodeset1", "nodeset2")}
    text = files["nodeset1"][0] + files["nodeset2"][0].partition("\n")[2]
    (tmp_path / "all.tsv").write_text(text + "x\t\t\t\t\t\t\t\t\t\t\t\t\tp:q\tfirst\n", "utf-8")
    done = aifgraph.merge_corpora(ANN, BEN, tmp_path / "gold", decisions=tmp_path / "all.tsv")
    assert not done.failed
    assert [pair.decided for pair in done.pairs][:2] == [pair.differences for pair in done.pairs][:2]
    for name, (_, wanted) in files.items():
        assert aifgraph.load(tmp_path / "gold" / f"{name}.json") == wanted
    assert any("maps that no pair here has" in caveat for caveat in done.caveats)
    assert len(DecisionTable(tmp_path / "all.tsv").unused) == len(DecisionTable(tmp_path / "all.tsv").rows)


def test_corpora_that_cannot_be_merged(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("row\tmaps\tdecision\nx\ta:b\tfirst\n", "utf-8")
    for other, wrong, error in (
        (BEN, {"decisions": tmp_path / "d.tsv"}, InputError),
        (BEN, {"prefer": "both"}, OptionError),
        (FIRST.parent, {}, InputError),
    ):
        with pytest.raises(error):
            aifgraph.merge_corpora(ANN, other, tmp_path / "gold", **wrong)
    assert not (tmp_path / "gold").exists()


def test_merged_maps_have_both_names(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("first\tsecond\nnodeset1\tnodeset2\nnodeset3\tnodeset3\n", "utf-8")
    done = aifgraph.merge_corpora(ANN, BEN, tmp_path / "gold", pair_by=tmp_path / "pairs.tsv", prefer="first")
    assert [pair.name for pair in done.pairs] == ["nodeset1 ~ nodeset2", "nodeset3"]
    assert {path.stem for path in (tmp_path / "gold").glob("*.json")} == {"nodeset1-nodeset2", "nodeset3"}


def test_decisions_are_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "decisions.tsv"
    command = ["differences", str(FIRST), str(SECOND), "-o", str(path)]
    for _ in range(2):  # what nobody has filled in is written again
        assert main(command) == 0
    rows = cells_of(path)
    path.write_text(decisions_tsv([rows[0] | {"note": "ask Ann"}, *rows[1:]]), "utf-8")
    before = path.read_bytes()
    assert main(command) == 2
    with pytest.raises(InputError):
        aifgraph.compare(*command[1:3]).differences().to_tsv(path)
    assert path.read_bytes() == before
    filled = decisions_tsv([rows[0] | {"decision": "first", "note": "café"}, *rows[1:]])
    own = decisions_tsv([rows[0] | {"who asked": "Ann"}, *rows[1:]])
    for saved in (filled.encode("cp1252"), filled.replace("cost", "row", 1).encode(), b"notes\n", own.encode()):
        path.write_bytes(saved)
        assert main(command) == 2
        assert path.read_bytes() == saved
    assert main([*command, "--force"]) == 0
    assert path.read_bytes() != before
    path.write_bytes(b"")  # as mktemp makes it
    assert main(command) == 0


def test_decisions_about_long_texts_are_read_again(tmp_path: Path) -> None:
    first = GraphBuilder()
    first.proposition("long " * 30_000)
    path = tmp_path / "decisions.tsv"
    differences = aifgraph.compare(first.graph(), GraphBuilder().graph()).differences()
    path.write_text(decisions_tsv([row | {"decision": "drop"} for row in decision_rows(differences, "a")]), "utf-8")
    assert [decision.choice for decision in read_decisions(path, differences).values()] == ["drop"]


@pytest.mark.parametrize(
    ("text", "where"),
    [("row\tmaps\tdecision\n1\t2\tkeep\tor not\n", "line 2"), ("row\tmaps\tdecision\trow\n", "d.tsv")],
)
def test_cells_without_a_column_are_refused(text: str, where: str, debate: Differences, tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text(text)
    with pytest.raises(FormatError) as error:
        read_decisions(tmp_path / "d.tsv", debate)
    assert where in str(error.value.where)


#: A row of a pair's own file that nobody has decided.
OPEN = {"decision": "", "note": "", "when": ""}


def test_rows_of_other_maps_are_not_deleted(debate: Differences, tmp_path: Path) -> None:
    path, rows = tmp_path / "debate.tsv", decision_rows(debate, "debate")
    path.write_text(decisions_tsv([*rows, rows[0] | {"row": "other", "maps": "x:y", "decision": "keep"}]), "utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError):
        update_rows(path, debate, "debate")
    assert path.read_bytes() == before
    path.write_text(decisions_tsv([rows[0], *rows]), "utf-8")
    with pytest.raises(InputError):
        decide_row(path, rows[0]["row"], "first", "", "Ann", OPEN)


def test_another_wording_needs_no_decision_and_has_no_row(debate: Differences, tmp_path: Path) -> None:
    """Who takes the second side of every row has its words; a row that somebody has written is read, and stays."""
    path, graphs = tmp_path / "debate.tsv", [aifgraph.load(FIRST), aifgraph.load(SECOND)]
    update_rows(path, debate, "debate")
    reworded = [row for row in debate if row.kind == "reworded"]
    rows = [row | {"decision": "second"} for row in cells_of(path)]
    assert {row["row"] for row in rows} == {row.id for row in debate} - {row.id for row in reworded}
    assert reworded
    path.write_text(decisions_tsv(rows), "utf-8")
    assert progress_of(path) == (len(rows), len(rows))
    merged = aifgraph.merge(*graphs, decisions=path)
    assert not merged.open
    assert {node.text for node in merged.graph.propositions} == {node.text for node in graphs[1].propositions}
    own = rows[0] | {"row": reworded[0].id, "decision": "first"}
    path.write_text(decisions_tsv([*rows, own]), "utf-8")
    update_rows(path, debate, "debate")
    assert rows_of(path)[reworded[0].id]["decision"] == "first"
    texts = {node.text for node in aifgraph.merge(*graphs, decisions=path).graph}
    assert {node.text for node in graphs[0] if node.id in reworded[0].first} <= texts


def test_columns_of_the_user_stay(debate: Differences, tmp_path: Path) -> None:
    path, rows = tmp_path / "debate.tsv", decision_rows(debate, "debate")
    path.write_text(decisions_tsv(row | {"mine": f"at {row['row']}", "decision": "first"} for row in rows), "utf-8")
    update_rows(path, debate, "debate")
    decide_row(path, rows[0]["row"], "second", "", "Ann", OPEN | {"decision": "first"})
    found = cells_of(path)
    assert [row["mine"] for row in found] == [f"at {row['row']}" for row in rows]
    assert {row["decision"] for row in found[1:]} == {"first"}


def test_the_least_columns_are_enough(debate: Differences, tmp_path: Path) -> None:
    path, row = tmp_path / "debate.tsv", decision_rows(debate, "debate")[0]
    path.write_text(f"row\tmaps\tdecision\n{row['row']}\t{row['maps']}\tfirst\n", "utf-8")
    assert rows_of(path)[row["row"]].items() >= (OPEN | {"decision": "first"}).items()
    with pytest.raises(InputError):  # "first" would be "drop" of a row that only the second has
        decide_row(path, row["row"], "second", "", "Ann", OPEN | {"decision": "first"})
    update_rows(path, debate, "debate")
    assert decide_row(path, row["row"], "second", "", "Ann", OPEN | {"decision": "first"})["kind"] == row["kind"]


def test_an_edge_between_two_units_is_of_the_side_that_is_preferred() -> None:
    """Files have such edges, against the rules of AIF."""
    build = GraphBuilder()
    one, other = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    first = build.graph()
    second = ArgumentGraph(first.nodes, [Edge(other, one)], first.meta)
    for maps, edges in (((first, second), 0), ((second, first), 1)):
        assert len(aifgraph.merge(*maps, prefer="first").graph.edges) == edges


def test_the_text_of_the_other_map_marks_what_stands_for_its_units() -> None:
    """A unit that matches one of the base is marked as that, one that the base cuts into two is not marked."""
    halves = {"tram": "Masks help everyone in a tram and", "city": "masks are cheap for a city"}
    base = argument(reason="They filter the air", **halves)
    text = f"They filter the air. {halves['tram']} {halves['city']}. Nobody minds them."
    spans = Span("1", 0, 19), Span("2", 21, 81), Span("3", 83, 100)
    other = argument(**{span.node_id: text[span.start : span.end] for span in spans})
    other = other.with_meta(source=SourceText(text, spans))
    own = next(row for row in aifgraph.compare(base, other).differences() if row.kind == "missing")
    source = aifgraph.merge(base, other, decisions={own.id: "keep"}, prefer="first").graph.meta.source
    assert source
    assert source.spans == (Span("reason", 0, 19), Span("3", 83, 100))
