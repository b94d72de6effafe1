"""Beside the scores: folded matrices, schemes, speakers, caveats; and differences, one disagreement a row."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import aifgraph
from adjudication.laws import rows_add_up
from aifgraph import ArgumentGraph, Comparison, GraphBuilder
from aifgraph.cli import main
from aifgraph.cli.output import Output
from aifgraph.comparison.breakdown import fold
from aifgraph.comparison.maps import MatchedTexts
from aifgraph.comparison.tables import is_padded, mean_without_thin, thin_calculations
from aifgraph.graph import Scheme
from aifgraph.stats.scores import ConfusionMatrix
from aifgraph.tables import format_cell
from comparison.maps import rename
from documents import ANN, BEN, FIRST, FIXTURES, SECOND, argument, compared_debate
from strategies import graphs

CLAIM, REASON = "masks help everyone", "they filter the air"


def of_documents(first: dict[str, Any], second: dict[str, Any], **given: Any) -> Comparison:
    return aifgraph.compare(*(aifgraph.loads(json.dumps(each)) for each in (first, second)), **given)


def dialogue(*schemes: Scheme, kind: str = "RA", speaker: str = "") -> aifgraph.ArgumentGraph:
    """A claim of Ann's with a reason of Bob's; the record of the first names ``speaker``."""
    build = GraphBuilder()
    claim, reason = build.proposition(CLAIM), build.proposition(REASON)
    who = build.participant(speaker) if speaker else None
    build.illocution(build.locution(f"Ann: {CLAIM}", speaker=who), claim, "Asserting")
    build.illocution(build.locution(f"Bob: {REASON}"), reason, "Asserting")
    build.relation(kind, [reason], claim, "Default", schemes=schemes)
    return build.graph()


def test_the_folds_of_a_matrix_by_hand() -> None:
    behind = fold(ConfusionMatrix(("CA", "RA", "none"), ((1, 1, 0), (0, 3, 1), (0, 2, 14))))
    assert behind["attachment"]["f1"] == pytest.approx(10 / 13)
    assert behind["attachment"]["support"] == {"first": 6, "second": 7}
    assert behind["label_given_attachment"]["accuracy"] == 0.8
    assert (behind["labels"]["RA"]["precision"], behind["labels"]["RA"]["recall"]) == (0.5, 0.75)
    assert behind["labels"]["RA"]["support"] == {"first": 4, "second": 6}
    undefined = fold(ConfusionMatrix(("CA", "RA", "none"), ((0, 0, 1), (0, 0, 1), (0, 0, 2))))
    assert undefined["label_given_attachment"]["undefined"].keys() == {"kappa", "accuracy"}
    assert undefined["labels"]["CA"]["undefined"]["precision"]


EXPERT, SIGN, DEFAULT = Scheme("15", "ExpertOpinion"), Scheme("30", "Sign"), Scheme("72", "Default Inference")


@pytest.mark.parametrize(
    ("one", "other", "cell"),
    [
        ([EXPERT], [Scheme("15", "Expert Opinion")], ["Expert Opinion", "Expert Opinion", 1]),
        ([EXPERT], [SIGN], ["ExpertOpinion", "Sign", 1]),
        ([EXPERT], [DEFAULT], ["ExpertOpinion", "none", 1]),
        ([], [DEFAULT], ["none", "none", 1]),
    ],
)
def test_schemes_of_relations_that_both_have(one: list[Scheme], other: list[Scheme], cell: list[str | int]) -> None:
    found = aifgraph.compare(dialogue(*one), dialogue(*other)).to_dict()["breakdown"]["schemes"]["RA"]
    assert found["cells"] == [cell]
    if cell[0] == "none":
        assert (found["compared"], found["kappa"], found["accuracy"]) == (1, None, None)
        assert found["undefined"]
    assert aifgraph.compare(dialogue(*one), dialogue(*other, kind="CA")).result.breakdown["schemes"] == {}


def test_speakers_go_by_the_record_and_else_by_the_prefix() -> None:
    speakers = aifgraph.compare(dialogue(speaker="Anne"), dialogue()).result.breakdown["speakers"]
    assert speakers["cells"] == [["Anne", "Ann", 1], ["Bob", "Bob", 1]]
    assert speakers["accuracy"] == 0.5
    support = {name: tuple(of.values()) for name, of in speakers["support"].items()}
    assert support == {"Ann": (0, 1), "Anne": (1, 0), "Bob": (1, 1)}


def test_matches_by_place_that_share_little_wording() -> None:
    first, second = (argument(a=text, b="cats do not") for text in ("dogs bark loud at night", "at night"))
    text = "dogs bark loud at night. cats do not"
    wording = aifgraph.compare(first, second, first_text=text).result.wording
    assert (wording.count, wording.of) == (1, 2)
    assert wording.pairs == (MatchedTexts("dogs bark loud at night", "at night", 8 / 23),)  # 8 of the 23 characters
    assert aifgraph.compare(first, second, min_similarity=0).result.wording.of == 0, "no place is known"


TEXT = "Lions walk in circles all day. Zoos should close."


def caveats(result: Comparison) -> dict[str, str]:
    """The caveats of a pair by their codes, each at most once."""
    found = {caveat.code: caveat.message for caveat in result.caveats}
    assert len(found) == len(result.caveats)
    return found  # type: ignore[return-value]


def monologues(**options: Any) -> Comparison:
    """A reason for a claim that nobody said, which is a reason for another that was said."""
    said = {"claim": "Zoos should close", "reason": "Lions walk in circles all day"}
    unsaid = ("Animals suffer in cages there", "What is caged is not happy")
    maps = (argument("reason RA other", "other RA claim", text=TEXT, other=text, **said) for text in unsaid)
    return aifgraph.compare(*maps, **options)


def test_the_same_map_empty_sides_and_nothing_that_matches() -> None:
    empty, other = GraphBuilder().graph(), argument(claim="Trams are late again")
    told = {"same map", "one empty", "both empty", "no match", "different documents"}
    for first, second, expected in (
        (FIRST, SECOND, set()),
        (FIRST, FIRST, {"same map"}),
        (FIRST, empty, {"one empty"}),
        (empty, empty, {"both empty"}),
        (FIRST, other, {"different documents"}),
    ):
        assert caveats(aifgraph.compare(first, second)).keys() & told == expected


def test_a_map_that_was_uploaded_again_is_the_same_map() -> None:
    """Ids and the order of nodes do not count; the source text does, by its words."""
    document = {"AIF": json.loads(FIRST.read_text("utf-8")), "text": "Cats purr. So they are happy."}
    again = rename(document, 3) | {"text": "Cats  purr.   So they are happy"}
    assert "full agreement" in caveats(of_documents(document, again))
    assert "same map" in caveats(of_documents(document, document))
    assert "full agreement" not in caveats(of_documents(document, again | {"text": "Cats purr."}))


def test_two_documents_are_told_from_two_analyses_of_one() -> None:
    """Without a match, too, what shares its text is one document."""
    first, second = dialogue(), argument(claim="Zoos save rare species")
    apart = aifgraph.compare(first, second).result
    assert apart.different_documents
    assert "0 propositions (of 2 and 1) match, and the maps share 0 % of their words" in apart.summary
    text = f"{CLAIM}. {REASON}. Zoos save rare species."
    assert not aifgraph.compare(first, second, first_text=text).result.different_documents
    assert not aifgraph.compare(first, GraphBuilder().graph()).result.different_documents
    for said, different in (("alfa charlie delta", False), ("alfa charlie delta echo", True)):  # 1 word of 4, and of 5
        assert aifgraph.compare(argument(a="alfa bravo"), argument(a=said)).different_documents is different


@pytest.mark.parametrize("options", [{}, {"mean": "layers"}])
def test_m_without_the_calculations_that_hang_on_little(options: dict[str, str]) -> None:
    """The number in the caveat is M of the calculations that it does not name."""
    pair = [FIXTURES / "debates" / side / "nodeset2.json" for side in ("ann", "ben")]
    result = aifgraph.compare(*pair, **options).result
    thin = thin_calculations(result)
    enough = [name for name, of in result.calculations.items() if of.applicable and name not in thin]
    assert thin
    assert all(0 < number < 5 for number in thin.values())
    expected = aifgraph.compare(*pair, calculations=enough, **options).mean["kappa"]
    assert mean_without_thin(result) == pytest.approx(expected)
    (few,) = (caveat.message for caveat in result.caveats if caveat.code == "few")
    assert few.startswith(f"M-κ is {format_cell(expected)} without {next(iter(thin)).replace('_', ' ')}")


def test_few_items_with_a_label() -> None:
    """An item that one side labels counts as one that both do; the least number is enough."""
    found = caveats(aifgraph.compare("fixtures/zoo/ann.json", "fixtures/zoo/ben.json", relations="CA"))
    assert list(found) == ["few"]
    assert "propositional relations" in found["few"]
    for relations, few in ((4, True), (5, False)):
        claims = {chr(97 + number): chr(97 + number) * 6 for number in range(relations + 1)}
        first = argument(*(f"{claim} RA a" for claim in [*claims][1:]), **claims)
        assert ("few" in caveats(aifgraph.compare(first, argument(**claims)))) is few


@pytest.mark.parametrize(("unlinked", "all_", "padded"), [(4, 5, False), (5, 50, False), (5, 49, True)])
def test_five_and_more_than_a_tenth_without_a_link_are_padding(unlinked: int, all_: int, padded: bool) -> None:
    claims = {chr(0x4E00 + number): chr(0x4E00 + number) * 4 for number in range(all_)}
    linked = [*claims][: all_ - unlinked]
    first = argument(*(f"{claim} RA {linked[0]}" for claim in linked[1:]), **claims)
    second = argument(**{claim: claims[claim] for claim in linked})
    assert ("padding" in caveats(aifgraph.compare(first, second))) is padded is is_padded(unlinked, all_)


def test_reconstructed_propositions_and_matches_by_meaning() -> None:
    result = monologues()
    assert [side.reconstructed for side in result.result.sides] == [1, 1]
    assert result.result.explicit.matrix.count("RA", "RA") == 1
    assert "reconstructed" in caveats(result)
    said_by_all = argument(text=TEXT, claim="Zoos should close", reason="Lions walk in circles all day")
    assert "reconstructed" in caveats(aifgraph.compare(result.graphs[0], said_by_all))
    by_meaning = monologues(meaning=lambda texts: [[1.0, 0.1 * ("not" in text)] for text in texts])
    (match,) = by_meaning.result.matched_by_meaning
    assert {match.first, match.second} == {"Animals suffer in cages there", "What is caged is not happy"}
    assert match.cosine == pytest.approx(0.995, abs=1e-3)
    assert caveats(by_meaning)["meaning"].startswith("1 ")
    assert aifgraph.PairResult.from_dict(by_meaning.to_dict()) == by_meaning.result


CLAIMS = {"a": "Masks help everyone", "b": "They filter the air", "c": "Vaccines are safe", "d": "Trams are quick"}


def rows(first: ArgumentGraph, second: ArgumentGraph) -> list[tuple[str, str, int]]:
    return [(row.group, row.kind, row.cost) for row in aifgraph.compare(first, second).differences()]


@pytest.mark.parametrize(
    ("ours", "theirs", "row"),
    [
        ("a RA b", "b RA a", ("relations", "reversed", 2)),
        ("a RA b", "a CA b", ("relations", "relabelled", 1)),
        ("a RA b", "a RA c", ("relations", "re-attached", 2)),
        ("a RA b", "d RA b", ("relations", "re-attached", 2)),
    ],
)
def test_one_disagreement_is_one_row(ours: str, theirs: str, row: tuple[str, str, int]) -> None:
    assert rows(argument(ours, **CLAIMS), argument(theirs, **CLAIMS)) == [row]


def test_a_relation_of_one_side_takes_its_illocution_with_it() -> None:
    one, other = GraphBuilder(argument(**CLAIMS)), GraphBuilder(argument(**CLAIMS))
    for build in (one, other):
        said = [build.locution(f"Ann: {CLAIMS[id_]}") for id_ in "ab"]
        for locution, id_ in zip(said, "ab", strict=True):
            build.illocution(locution, id_, "Asserting")
        answer = build.transition(*said)
    relation = one.inference(["b"], "a")
    act = one.illocution(answer, relation, "Arguing")
    (row,) = aifgraph.compare(one.graph(), other.graph()).differences()
    assert (row.group, row.kind, row.first, row.first_follows) == ("relations", "missing", (relation,), (act,))
    assert set(row.costs) == {"propositional_relations", "illocutions", "illocutionary_anchors", "transition_relations"}


def test_schemes_wordings_and_speakers() -> None:
    one, other = GraphBuilder(), GraphBuilder()
    for build, text, name in ((one, "Masks help everyone", "Ann"), (other, "masks help everybody", "Bob")):
        who = build.participant(name)
        build.locution("They filter the air", speaker=who)
        claim, reason = build.proposition(text), build.proposition("They filter")
        build.inference(
            [reason], claim, schemes=[aifgraph.graph.Scheme("15", "ExpertOpinion")] if name == "Ann" else []
        )
    assert sorted(rows(one.graph(), other.graph())) == [
        ("locutions", "spoken by another", 0),
        ("propositions", "reworded", 0),
        ("relations", "scheme", 0),
    ]


@given(graphs(), graphs())
def test_rows_of_random_maps_add_up(first: ArgumentGraph, second: ArgumentGraph) -> None:
    rows_add_up(first, second)


def listed(capsys: pytest.CaptureFixture[str], *args: object) -> list[str]:
    assert main(["differences", *map(str, args)]) == 0
    return capsys.readouterr().out.splitlines()


def test_two_documents_are_called_that_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = FIRST, FIXTURES / "xaif" / "masks.json"
    lines = listed(capsys, first, second)
    assert ["two different documents" in line for line in lines] == [True, *[False] * (len(lines) - 1)]
    found = aifgraph.compare(first, second).differences()
    assert [caveat["code"] for caveat in found.to_dict()["caveats"]] == ["different documents"]
    assert [text.count("two different documents") for text in (found.to_latex(), found.to_markdown())] == [1, 1]
    for name, file in (("ann", first), ("ben", second)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "map.json").write_bytes(file.read_bytes())
    assert "1 of 1 pair" in listed(capsys, tmp_path / "ann", tmp_path / "ben")[0]


@pytest.mark.data
def test_rows_of_real_maps_add_up(shared_data: Path) -> None:
    """What two outputs say of a pair is one number, also where a claim is said on one side only (nodeset91)."""
    folder = shared_data / "araucaria"
    for line in (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1::4]:
        rows_add_up(*(aifgraph.load(folder / name) for name in line.split("\t")[:2]))
    rows_add_up(*(aifgraph.load(folder / f"nodeset{number}.json") for number in (91, 190)))


def test_a_text_is_said_once_with_its_changed_words_marked(capsys: pytest.CaptureFixture[str]) -> None:
    lines = listed(capsys, FIRST, SECOND, "--details")
    said = " ".join(" ".join(lines).split())
    assert "“[some → a] measurement shows that traffic makes the air hard to breathe”" in said
    assert "[Pure Questioning → Assertive Questioning]: “some measurement" in said
    assert said.count("somebody who cannot walk") == 1
    differences = compared_debate().differences()
    for row, entry in zip(differences, differences.entries(), strict=True):
        ours = "".join(one for one, _ in entry.runs)
        assert row.kind == "cut differently" or " ".join(ours.split()) == row.first_wording
    assert json.loads(differences.to_json()) == differences.to_dict()


def test_differences_are_counted_by_kind_and_those_without_cost_apart(capsys: pytest.CaptureFixture[str]) -> None:
    differences = compared_debate().differences()
    rows, kinds = (table.rows for table in differences.tables_for("markdown")[0])
    assert [row[-1] == 0 for row in rows] == sorted(row[-1] == 0 for row in rows)  # those without cost are last
    assert [sum(row[at] for row in kinds) for at in (1, 2, 3)] == [len(rows), 4, differences.cost]
    assert {(of["differences"], of["cost"]) for of in differences.to_dict()["kinds"]} == {row[1::2] for row in kinds}
    pair = listed(capsys, FIRST, SECOND)
    assert " ".join(pair[-2].split()) == "proposition worded differently 3 3 0"
    corpora = listed(capsys, ANN, BEN)
    assert corpora[-2].split()[-3:] == ["1", "0", "2"]


def test_ten_relabelled_items_take_twenty_lines_and_a_hundred_a_screen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Output, "on_screen", property(lambda self: True))
    for count in (10, 100):
        files = [tmp_path / f"{name}{count}.json" for name in ("ann", "ben")]
        claims = {f"r{number}": f"They are number {number} of all reasons" for number in range(count)}
        for kind, file in zip(("RA", "CA"), files, strict=True):
            graph = argument(*(f"{reason} {kind} a" for reason in claims), a="Masks help everyone", **claims)
            aifgraph.dump(graph, file)
        lines = listed(capsys, *files)
        assert len(lines) <= (20 if count == 10 else 40)
        assert max(map(len, lines)) <= 100
        shown = sum("[supports → attacks]" in line for line in lines)
        left = [int(number) for line in lines[-2:] for number in re.findall(r"^… (\d+)", line)]
        assert shown + sum(left) == count
        assert sum("[supports → attacks]" in line for line in listed(capsys, *files, "--details")) == count
