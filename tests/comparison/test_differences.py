"""Differences: one disagreement a row, and the rows add up to the matrices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

import aifgraph
from adjudication.laws import rows_add_up
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.cli import main
from documents import argument
from strategies import graphs

DEBATE = Path("fixtures/debate")


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
    first, *rest = listed(capsys, DEBATE / "first.json", "fixtures/xaif/masks.json")
    assert "two different documents" in first
    assert not any("two different documents" in line for line in rest)
    assert rest[-1].startswith("CASS|")
    comparison = aifgraph.compare(DEBATE / "first.json", "fixtures/xaif/masks.json")
    assert not comparison.notices
    found = comparison.differences()
    assert found.to_dict()["signature"] == comparison.signature
    assert [caveat["code"] for caveat in found.to_dict()["caveats"]] == ["different documents"]
    latex, markdown = found.to_latex(), found.to_markdown()
    assert latex.startswith(f"% {comparison.signature}")
    assert all(text.count("two different documents") == 1 for text in (latex, markdown))
    for name, file in (("ann", DEBATE / "first.json"), ("ben", Path("fixtures/xaif/masks.json"))):
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
    lines = listed(capsys, DEBATE / "first.json", DEBATE / "second.json", "--details")
    said = " ".join(" ".join(lines).split())
    assert "“[some → a] measurement shows that traffic makes the air hard to breathe”" in said
    assert "[Pure Questioning → Assertive Questioning]: “some measurement" in said
    assert said.count("somebody who cannot walk") == 1
    differences = aifgraph.compare(DEBATE / "first.json", DEBATE / "second.json").differences()
    for row, entry in zip(differences, differences.entries(), strict=True):
        ours = "".join(one for one, _ in entry.runs)
        assert row.kind == "cut differently" or " ".join(ours.split()) == row.first_wording


def test_ten_relabelled_items_take_twenty_lines_and_a_hundred_a_screen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
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
