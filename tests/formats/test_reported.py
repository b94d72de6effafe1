"""Small inputs after public bug reports of other programs: each was read wrongly once. And others of their kinds."""

import shutil
from pathlib import Path
from unicodedata import normalize

import pytest

from aifgraph import (
    ArgumentGraph,
    GraphBuilder,
    compare,
    load,
    read_dataset,
    repair,
    to_dict,
)
from aifgraph.corpus import pair
from aifgraph.files import Input
from aifgraph.formats import read_input
from aifgraph.graph.schemes import fold_name
from aifgraph.tables import read_tsv
from documents import FIXTURES
from formats.roundtrip import codes

REPORTED = FIXTURES / "reported"


def summary(graph: ArgumentGraph) -> str:
    """Relations in words, and the propositions that stand alone."""
    texts = {node.id: node.text for node in graph}
    joined = [
        f"{' & '.join(node.text for node in graph.premises_of(relation))} {relation.type} "
        f"{' & '.join(node.text for node in graph.conclusions_of(relation))}"
        for relation in graph.relations
    ]
    ends = {id_ for edge in graph.edges for id_ in edge[:2]}
    return "; ".join([*joined, *(texts[node.id] for node in graph.propositions if node.id not in ends)])


CATS, HOT, BARS = "Cats purr. RA Cats are happy.", "Tea is hot", "Noise keeps people awake RA close the bar"
EDGES, DRINK = (
    "Tea is hot. CA Tea is cold.; Tea is hot. RA Tea burns.",
    "It is warm. RA Drink tea.; It is dear. CA Drink tea.",
)
WALK, RAINS = "Walking is fun CA We must walk", "It rains. RA We should act."
#: What each map is read as, and the codes of its notices.
MAPS: dict[str, tuple[str, str]] = {
    "aif-json-lacks-lists/off1.ann": ("Foo", "place-differs"),
    "aif-json-lacks-lists/one-adu-arggraph.xml": ("Act.", ""),
    "aif-json-lacks-lists/one-proposition.aml": ("Cats purr.", ""),
    "aif-type-I-node.json": (CATS, ""),
    "argdown-graphml/tea.graphml": (DRINK, "types-guessed"),
    "argdown-graphml/tea.json": (DRINK, ""),
    "brat/off1.ann": ("Foo", "place-differs"),
    "brat/u16.ann": ("We must act now.", "place-differs"),
    "brat-attribute-first/after.ann": (WALK, ""),
    "brat-attribute-first/before.ann": (WALK, ""),
    "brat-attribute-first/dangling.ann": ("We must walk; Walking is fun", "lines-unknown"),
    "brat-crlf/counts1/doc.ann": (RAINS, "line-ends"),
    "brat-crlf/counts2/doc.ann": (RAINS, ""),
    "brat-empty/ben/d1.ann": (BARS, ""),
    "brat-empty/ben/d2.ann": ("", "map-empty"),
    "exploded.argdown-json.json": (
        "Cats purr. & Purring is a sign of joy. RA Cats are happy.; "
        "Cats are happy. & Happy pets are healthy. RA Cats are healthy.",
        "",
    ),
    "graphml-edge-labels/cytoscape.graphml": (EDGES, ""),
    "graphml-edge-labels/networkx.graphml": (EDGES, ""),
    "graphml-edge-labels/yed.graphml": ("Tea is hot. CA Tea is cold.", "types-guessed"),
    "graphml-key-default.graphml": (CATS, ""),
    "graphml-labels/igraph-empty-text.graphml": ("Tea is hot. RA Tea burns.", ""),
    "graphml-labels/yed-blank-first-label.graphml": ("Tea is hot.; Tea burns.", ""),
    "graphml-typed-nodes-with-yed-shapes.graphml": (CATS, ""),
    "kialo-numbers/list.txt": (
        "Two reasons:\n2. It is warm.\n3. It is cheap. RA Tea is good.; It stains. CA Tea is good.",
        "",
    ),
    "rdf-no-prefix/braces.trig": (HOT, ""),
    "rdf-no-prefix/default-first.nq": (HOT, ""),
    "rdf-no-prefix/full.ttl": ("Tea is hot RA Tea burns", ""),
    "rdf-no-prefix/graph-keyword.trig": (HOT, ""),
    "rdf-no-prefix/number.ttl": (HOT, ""),
    "rdf-unknown-link-between-nodes.ttl": (" RA ; Cats purr.; Cats are happy.", "rdf-entry rdf-entry"),
}


@pytest.mark.parametrize("name", MAPS)
def test_maps(name: str) -> None:
    graph = load(REPORTED / name)
    assert (summary(graph), " ".join(codes(graph))) == MAPS[name]


def read(suffix: str, content: str | bytes, beside: bytes | None = None) -> ArgumentGraph:
    data = content if isinstance(content, bytes) else content.encode()
    return read_input(Input(f"map{suffix}", data, suffix, {".txt": beside}.get))


AIF = "http://www.arg.tech/aif#"
NODE = f'<http://x/1> a <{AIF}I-node> ; <{AIF}claimText> "Tea is hot" .'
QUADS = f'<http://x/1> <{AIF}claimText> "Tea is hot" G .\n<http://x/1> <{{}}type> <{AIF}I-node> G .\n'
QUADS = QUADS.format("http://www.w3.org/1999/02/22-rdf-syntax-ns#")


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".ttl", f"# a comment\r\n{NODE}"),
        (".ttl", NODE.encode("utf-16")),
        (".ttl", f"\ufeff@base <http://x/> . {NODE}"),
        (".trig", f"graph<http://x/g>{{ {NODE} }}"),
        (".trig", f"_:g {{ {NODE} }}"),
        (".trig", f"{NODE} GRAPH <http://x/g> {{ <http://x/g> <http://x/date> 1 }}"),
        (".trig", f"GRAPH <http://x/g> {{ {NODE} }} GRAPH <http://x/h> {{ <http://x/g> <http://x/date> 1 }}"),
        (".nt", QUADS.replace(" G", "")),
        (".nq", f"# a comment\n{QUADS.replace(' G', ' _:g')}"),
        ("", QUADS.replace("G", "<http://x/g>")),
    ],
)
def test_rdf_by_its_suffix(suffix: str, content: str | bytes) -> None:
    assert summary(read(suffix, content)) == HOT


UNITS = "T1\tClaim 0 12\tWe must walk\nT2\tPremise 14 28\tWalking is fun\n"
ALONE = "We must walk; Walking is fun"


@pytest.mark.parametrize(
    ("lines", "meant", "notices"),
    [
        (f"R1\tattacks Arg1:T2 Arg2:T1\n{UNITS}", WALK, ""),
        (f"*\tEquiv T1 T2\n{UNITS}", "Walking is fun MA We must walk", ""),
        (f"A1\tlabel R1 attacks\nR1\tcustom Arg1:T2 Arg2:T1\n{UNITS}", WALK, ""),
        (f"{UNITS}*\tEquiv T1 T9\n", ALONE, "lines-unknown"),
        (f"{UNITS}A1\tStance T9 For\n", ALONE, "lines-unknown"),
        (f"{UNITS}#1\tAnnotatorNotes T9\tsic\n", ALONE, "lines-unknown"),
        (f"{UNITS}R1\tattacks Arg1:T2 Arg2:T9\n", ALONE, "relation-left-out"),
        (f"{UNITS}R1\tparts_of_same Arg1:T2 Arg2:T9\n", ALONE, "relation-left-out"),
        ("#1\tAnnotatorNotes T1\tsic\n", "", "lines-unknown map-empty"),
        ("\ufeff", "", "map-empty"),
        (" \r\n", "", "map-empty"),
    ],
)
def test_brat_in_any_order_with_ends_that_are_missing_and_empty(lines: str, meant: str, notices: str) -> None:
    graph = read(".ann", lines, b"We must walk. Walking is fun.")
    assert (summary(graph), " ".join(codes(graph))) == (meant, notices)


def edge_called(data: str, keys: str = "") -> ArgumentGraph:
    nodes = "".join(f'<node id="{id_}"><data key="type">I</data><data key="text">{id_}</data></node>' for id_ in "AB")
    edge = f'<edge source="A" target="B">{data}</edge>'
    return read(".graphml", f'<graphml xmlns:y="y">{keys}<graph edgedefault="directed">{nodes}{edge}</graph></graphml>')


@pytest.mark.parametrize(
    ("name", "meant"),
    [("Attacks", "A CA B"), ("is attacked by", "B CA A"), ("supported_by", "B RA A"), ("CA", "A CA B"),
     ("counter-argument", "A CA B"), ("&lt;b&gt;attack&lt;/b&gt;", "A CA B"),
     ("does not support", ""), ("contra", ""), ("is related to", "")],
)  # fmt: skip
@pytest.mark.parametrize("key", ["label", "Interaction"])
def test_names_of_edges_in_graphml(key: str, name: str, meant: str) -> None:
    graph = edge_called(f'<data key="{key}">{name}</data>')
    assert (summary(graph), codes(graph)) == (meant, [] if meant else ["label-unknown"])
    assert summary(repair(graph)[0]) == meant


@pytest.mark.parametrize("key", ["relation", "type", "edge_type", "stance", "k0"])
def test_relations_of_graphml_under_any_key(key: str) -> None:
    assert summary(edge_called(f'<data key="{key}">attack</data>')) == "A CA B"
    assert repair(edge_called(f'<data key="{key}">contra</data>'))[1] == ()
    declared = f'<key id="{key}" for="edge" attr.name="{key}"><default>attack</default></key>'
    assert summary(edge_called("", declared)) == "A CA B"
    drawn = "<y:EdgeLabel> </y:EdgeLabel><y:EdgeLabel>attack</y:EdgeLabel>"
    assert summary(edge_called(f'<data key="{key}"><y:Line>{drawn}</y:Line></data>')) == "A CA B"


@pytest.mark.parametrize(
    ("lines", "meant", "notices"),
    [
        ("1. It is warm.\n2. It is cheap.\n1.2. Con: It stains.", "Why:\n1. It is warm.\n2. It is cheap.", ""),
        ("1.1. of the rules\n1.2. Con: It stains.", "Why:\n1.1. of the rules", ""),
        ("2020. was warm\r\n1.2. Con: It stains.", "Why:\n2020. was warm", ""),
        ("1.2. Con: It stains.\n2. really", "Why:", "number-unclear"),
        ("1.7. of the rules\n1.2. Con: It stains.", "Why:", "stance-missing"),
    ],
)
def test_numbers_in_claims_of_kialo(lines: str, meant: str, notices: str) -> None:
    graph = read(".txt", f"Discussion Title: Tea\n\n1. Tea is good.\n1.1. Pro: Why:\n{lines}\n")
    assert (graph["1.1"].text, " ".join(codes(graph))) == (meant, notices)
    assert len(graph.conflicts) == 1


@pytest.mark.parametrize("name", ["plain", "hex", "double-quoted", "no-backticks", "qualified", "one-line"])
def test_dumps_of_mysql(name: str) -> None:
    [graph] = read_dataset("iac2", REPORTED / "sql" / f"{name}.sql")
    assert [node.text for node in graph.propositions] == ["Hot" if name == "double-quoted" else "Tea is hot"]


@pytest.mark.parametrize("literal", ["X'54656120697320686F74'", "N'Tea is hot'", "_utf8mb4 'Tea is hot'"])
def test_literals_of_mysql(literal: str, tmp_path: Path) -> None:
    text = (REPORTED / "sql" / "plain.sql").read_text("utf-8").replace("'Tea is hot'", literal)
    (tmp_path / "dump.sql").write_text(text.replace("\n", "\r\n"), encoding="utf-8-sig")
    [graph] = read_dataset("iac2", tmp_path / "dump.sql")
    assert [node.text for node in graph.propositions] == [HOT]


def test_marks_and_normal_forms_of_names() -> None:
    names = REPORTED / "unicode-names"
    assert compare(load(names / "lab1.json"), load(names / "lab2.json")).mean["kappa"] < 1
    assert compare(load(names / "nfc.json"), load(names / "nfd.json")).mean["kappa"] == 1
    assert fold_name("Zoë") == fold_name("Zoe\u0308")


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
