"""Small inputs after public bug reports of other programs: each was read wrongly once."""

from __future__ import annotations

import shutil
from pathlib import Path
from unicodedata import normalize

import pytest

from aifgraph import GraphBuilder, compare, dumps, from_dict, load, loads, open_corpus, read_dataset, to_dict
from aifgraph.corpus import pair
from aifgraph.graph.schemes import fold_name
from aifgraph.tables import read_tsv
from formats.roundtrip import codes, ends

REPORTED = Path(__file__).parents[2] / "fixtures" / "reported"


@pytest.mark.parametrize("program", ["networkx", "cytoscape", "yed"])
def test_an_edge_called_attack_is_a_conflict(program: str) -> None:
    graph = load(REPORTED / "graphml-edge-labels" / f"{program}.graphml")
    assert len(graph.conflicts) == 1
    assert len(graph.inferences) == (0 if program == "yed" else 1)


def test_argdown_s_graphml_is_what_its_json_is() -> None:
    drawn, exported = (load(REPORTED / "argdown-graphml" / f"tea.{suffix}") for suffix in ("graphml", "json"))
    assert {node.text for node in drawn.propositions} == {node.text for node in exported.propositions}
    assert [len(ends(graph, type_)) for graph in (drawn, exported) for type_ in ("RA", "CA")] == [1, 1, 1, 1]


def test_labels_of_graphml() -> None:
    assert load(REPORTED / "graphml-labels" / "igraph-empty-text.graphml").inferences[0].text == ""
    shown = load(REPORTED / "graphml-labels" / "yed-blank-first-label.graphml")
    assert [node.text for node in shown] == ["Tea is hot.", "Tea burns."]


@pytest.mark.parametrize("path", sorted((REPORTED / "rdf-no-prefix").iterdir()), ids=lambda path: path.name)
def test_rdf_goes_by_its_suffix(path: Path) -> None:
    assert load(path).propositions[0].text == "Tea is hot"


def test_brat_in_any_order_and_without_annotation() -> None:
    before, after, dangling = (
        load(REPORTED / f"brat-attribute-first/{name}.ann") for name in ["before", "after", "dangling"]
    )
    assert before == after
    assert codes(dangling) == ["lines-unknown"]
    assert [len(entry.load()) for entry in open_corpus(REPORTED / "brat-empty" / "ben")][-1] == 0


def test_a_list_within_a_claim_of_kialo() -> None:
    graph = load(REPORTED / "kialo-numbers" / "list.txt")
    assert graph["1.1"].text == "Two reasons:\n2. It is warm.\n3. It is cheap."


@pytest.mark.parametrize("name", ["plain", "hex", "double-quoted", "no-backticks", "qualified", "one-line"])
def test_dumps_of_mysql(name: str) -> None:
    [graph] = read_dataset("iac2", REPORTED / "sql" / f"{name}.sql")
    assert [node.text for node in graph.propositions] == ["Hot" if name == "double-quoted" else "Tea is hot"]


def test_marks_and_normal_forms_of_names() -> None:
    names = REPORTED / "unicode-names"
    assert compare(load(names / "lab1.json"), load(names / "lab2.json")).mean["kappa"] < 1
    assert compare(load(names / "nfc.json"), load(names / "nfd.json")).mean["kappa"] == 1
    assert fold_name("Zoë") == fold_name("Zoe\u0308")


def test_a_table_in_quotes() -> None:
    assert [row for _, row in read_tsv(REPORTED / "tsv-quoted" / "pairs.tsv", ("first", "second"))] == [
        {"first": "map1", "second": "map1"}
    ]


def test_two_speakers_and_two_schemes_whose_names_differ_by_marks() -> None:
    names = REPORTED / "unicode-names"
    ram, rama = load(names / "ram.json"), load(names / "rama.json")
    speakers = [graph.speaker_of(graph.locutions[0]) for graph in (ram, rama)]
    assert len({fold_name(speaker.name) for speaker in speakers if speaker}) == 2
    first, second, composed, decomposed = (
        fold_name(load(names / f"{name}.json").relations[0].scheme.name)  # type: ignore[union-attr]
        for name in ("scheme1", "scheme2", "scheme-nfc", "scheme-nfd")
    )
    assert first != second
    assert composed == decomposed


def test_propositions_alone_agree_with_the_dialogue() -> None:
    dialogue, propositions = (load(REPORTED / "layers" / f"{name}.json") for name in ("dialogue", "propositions-only"))
    for maps in ((dialogue, propositions), (propositions, dialogue)):
        assert compare(*maps).mean["kappa"] == 1


@pytest.mark.parametrize("name", ["one-proposition.aml", "one-adu-arggraph.xml", "off1.ann"])
def test_aif_json_has_its_three_lists(name: str) -> None:
    document = to_dict(load(REPORTED / "aif-json-lacks-lists" / name).with_meta(source=None), format="aif")
    assert all(type(document[section]) is list for section in ("nodes", "edges", "locutions"))


def test_names_of_types_of_the_ontology() -> None:
    assert [node.type for node in load(REPORTED / "aif-type-I-node.json")] == ["I", "RA", "I"]


def test_an_exploded_export_of_argdown_has_no_inference_without_premise() -> None:
    graph = load(REPORTED / "exploded.argdown-json.json")
    assert len(graph.inferences) == 2
    assert all(graph.premises_of(node) for node in graph.inferences)


def test_links_of_rdf_that_aif_does_not_know_are_named() -> None:
    graph = load(REPORTED / "rdf-unknown-link-between-nodes.ttl")
    assert len(graph) == 3
    assert graph.edges == ()
    assert any("2" in notice.message for notice in graph.notices)


def test_schemes_of_sadface_by_their_names() -> None:
    graph = load(REPORTED / "sadface-scheme-names.json")
    assert [node.type for node in graph.nodes if node.type not in ("I", "CA")] == ["RA", "RA", "S"]
    assert codes(graph) == ["scheme-unknown"]


def test_names_in_another_normal_form_pair(tmp_path: Path) -> None:
    for folder, form in (("gold", "NFC"), ("mac", "NFD")):
        (tmp_path / folder).mkdir()
        for name in ("käse", "tee"):
            shutil.copy(REPORTED / "layers" / "dialogue.json", tmp_path / folder / f"{normalize(form, name)}.json")
    paired = pair(tmp_path / "gold", tmp_path / "mac")
    assert [found.names for found in paired.pairs] == [("käse", "käse"), ("tee", "tee")]


def test_a_table_in_quotes_pairs_as_one_without() -> None:
    tables = (REPORTED / "tsv-quoted" / f"{name}.tsv" for name in ("pairs", "pairs-plain"))
    quoted, plain = (list(read_tsv(table, ("first", "second"))) for table in tables)
    assert quoted == plain


@pytest.mark.parametrize(("year", "zone"), [("0001-01-01T00:00", "+05:00"), ("9999-12-31T23:00", "-05:00")])
def test_a_time_that_no_calendar_of_utc_has_is_no_time_in_ova3(year: str, zone: str) -> None:
    build = GraphBuilder()
    build.locution("Ann: Tea is hot", speaker=build.participant("Ann"), start=year + zone)
    assert to_dict(build.graph(), format="ova3")["OVA"]["nodes"][0]["timestamp"] == ""


def test_a_negative_id_comes_back() -> None:
    node = {"nodeID": -5, "text": "Tea is hot", "type": "I"}
    graph = from_dict({"nodes": [node, {**node, "nodeID": 1}], "edges": []})
    for format in ("aif", "xaif", "ova3"):
        assert [node.id for node in loads(dumps(graph, format=format))] == ["-5", "1"]
