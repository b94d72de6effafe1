"""What the terminal says of a pair and of a corpus: half a page that says what differs, what counts, what to look out
for, and the way on."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.tables import width
from sampled import some_of

DEBATE = ["fixtures/debate/first.json", "fixtures/debate/second.json"]
DEBATES = ["fixtures/debates/ann", "fixtures/debates/ben"]
#: Lines of a terminal of 100 columns.
PAIR, CORPUS = 26, 40


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """What a command prints."""
    assert main([*map(str, words)]) in (0, 2)
    return capsys.readouterr().out


@pytest.fixture
def hundred_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """The lines that a command prints in a terminal of 100 columns."""

    def lines(*words: str | Path) -> list[str]:
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        shown = said(capsys, *words, "--color", "never").rstrip("\n").split("\n")
        assert max(map(width, shown)) <= 100
        return shown

    return lines


@pytest.mark.parametrize("options", [[], ["--chance", "4"], ["--layers", "all"], ["--relations", "CA"]])
def test_a_pair_takes_half_a_page(options: list[str], hundred_columns: Callable[..., list[str]]) -> None:
    assert len(hundred_columns("compare", *DEBATE, *options)) <= PAIR


@pytest.mark.data
@pytest.mark.slow
def test_real_pairs_take_half_a_page(shared_data: Path, hundred_columns: Callable[..., list[str]]) -> None:
    folder = shared_data / "araucaria"
    listed = [line.split("\t") for line in (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:]]
    gold, system = (sorted((shared_data / "dialam-2024" / "test" / side).glob("*.json")) for side in ("gold", "system"))
    pairs = [(folder / first, folder / second) for first, second, _ in some_of(listed[:40], every=4)]
    for first, second in [*pairs, *zip(gold, system, strict=True)]:
        shown = hundred_columns("compare", first, second, "--chance", "2")
        assert len(shown) <= PAIR, "\n".join(shown)


@pytest.mark.parametrize("options", [["--intervals", "--chance", "2"], ["--missing", "zero", "--top", "0"]])
def test_a_corpus_takes_a_page(options: list[str], hundred_columns: Callable[..., list[str]]) -> None:
    assert len(hundred_columns("compare", *DEBATES, *options)) <= CORPUS


@pytest.mark.data
@pytest.mark.slow
def test_real_corpora_take_a_page(shared_data: Path, tmp_path: Path, hundred_columns: Callable[..., list[str]]) -> None:
    folder, tasks = shared_data / "araucaria", shared_data / "dialam-2024" / "test"
    pairs = tmp_path / "pairs.tsv"
    lines = (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines(keepends=True)
    pairs.write_text("".join(line for line in lines if "identical" not in line), "utf-8")
    for words in ([folder, folder, "--pairs", pairs], [tasks / "gold", tasks / "system"]):
        shown = hundred_columns("compare", *words, "--intervals", "--chance", "2")
        assert len(shown) <= CORPUS, "\n".join(shown)


def test_a_sentence_comes_first_and_the_signature_last(capsys: pytest.CaptureFixture[str]) -> None:
    result = aifgraph.compare(*DEBATE)
    lines = said(capsys, "compare", *DEBATE).rstrip().split("\n")
    assert lines[0] == result.differences().summary
    assert lines[-1] == result.signature
    assert f"To see why: aifgraph differences {' '.join(DEBATE)} · every number: --details" in lines


def test_details_add_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (DEBATE, DEBATES):
        short, whole = said(capsys, "compare", *words), said(capsys, "compare", *words, "--details")
        assert "label given attachment" in whole
        assert "label given attachment" not in short
        assert len(short.split("\n")) < len(whole.split("\n")) / 2


def test_a_stored_result_is_shown_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = tmp_path / "result.json"
    said(capsys, "compare", *DEBATE, "--format", "json", "-o", stored)
    for options in ([], ["--details"]):
        assert said(capsys, "show", stored, *options) == said(capsys, "compare", *DEBATE, *options)


def test_only_cass_is_kappa_and_f1(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (DEBATE, DEBATES):
        short = said(capsys, "compare", *words, "--only", "cass")
        assert [line.split()[0] for line in short.split("\n")[3:5]] == ["kappa", "f1"]
        assert "mcc" not in short
        assert "mcc" in said(capsys, "compare", *words, "--only", "cass", "--details")
        assert "mcc" in json.loads(said(capsys, "compare", *words, "--only", "cass", "--format", "json"))["cass"]


def monologue(middle: str) -> aifgraph.ArgumentGraph:
    """A reason for a claim that nobody said, which is a reason for another that was said."""
    build = aifgraph.GraphBuilder()
    claim, unsaid, reason = map(build.proposition, ("Zoos should close", middle, "Lions walk in circles all day"))
    build.inference([reason], unsaid)
    build.inference([unsaid], claim)
    return build.graph()


def monologues() -> aifgraph.Comparison:
    text = "Lions walk in circles all day. Zoos should close."
    first, second = monologue("Animals suffer in cages there"), monologue("What is caged is not happy")
    return aifgraph.compare(first, second, first_text=text, second_text=text)


def test_reconstructed_claims_have_a_row_and_a_warning() -> None:
    result = monologues()
    assert [side.reconstructed for side in result.sides] == [1, 1]
    rows = {row[0].strip(): row for row in result.short_table().rows}
    assert rows["among what was said"][1:3] == [1.0, 1.0]
    assert "links over 2 of 2 and 2 of 2 relations, 1 alike" in rows["among what was said"]
    (line,) = (line for line in result.look_out if "nobody says" in line)
    assert line.startswith(
        "the first adds 1 and the second adds 1 propositions that nobody says, so look at the argument"
    )
    assert line.endswith("which passes over them (but has only 1 decision)")


def test_a_calculation_that_some_pairs_have_not_is_counted_over_those_that_have_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attack = aifgraph.GraphBuilder()
    attack.conflict(attack.proposition("Zoos teach children"), attack.proposition("Zoos should close"))
    for side in ("ann", "ben"):
        (tmp_path / side).mkdir()
        aifgraph.dump(attack.graph(), tmp_path / side / "attack.json")
        for name in ("one", "two"):
            shutil.copy(DEBATE[0], tmp_path / side / f"{name}.json")
    shown = said(capsys, "compare", tmp_path / "ann", tmp_path / "ben", "--top", "1", "--pair-by", "name")
    assert "propositional relations (1 of 3 pairs)" in shown
    assert "transitions (" not in shown
    assert f"To see why: aifgraph differences {tmp_path / 'ann'} {tmp_path / 'ben'} · " in shown
    assert "Pairs, the least kappa first" in shown
    assert "2 more pairs" in shown
    assert "in 3 of 3 pairs both sides are the same map" in shown
    assert "Pairs, as they come" in said(
        capsys, "compare", tmp_path / "ann", tmp_path / "ben", "--top", "1", "--sort", "none"
    )


def test_what_is_nearly_nothing_has_no_sign() -> None:
    assert aifgraph.tables.shown(-0.0001) == "0.000"


def test_every_output_says_what_to_look_out_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = tmp_path / "same.json"
    shutil.copy(DEBATE[0], same)
    shutil.copy("fixtures/debate/first.txt", tmp_path / "same.txt")
    warning = "both sides are the same map"
    assert aifgraph.compare(DEBATE[0], same).look_out[0] == warning
    assert warning not in aifgraph.compare(*DEBATE).look_out
    for format_ in ("text", "markdown", "latex", "html", "json"):
        assert warning in said(capsys, "compare", DEBATE[0], same, "--format", format_)


def test_an_empty_side_is_named(tmp_path: Path) -> None:
    empty = aifgraph.GraphBuilder().graph()
    assert "one side is empty, so that CASS is 0" in aifgraph.compare(DEBATE[0], empty).look_out
    assert aifgraph.compare(empty, empty).summary == "Neither map has a claim. There is nothing to compare."
    for side, graph in (("ann", aifgraph.load(DEBATE[0])), ("ben", empty)):
        (tmp_path / side).mkdir()
        aifgraph.dump(graph, tmp_path / side / "map.json")
    result = aifgraph.compare_corpora(tmp_path / "ann", tmp_path / "ben")
    assert "in 1 of 1 pairs one side is empty, which counts as 0" in result.look_out
    assert "0 propositions in common, of 13 and 0" in result.short_table().title


def test_few_decisions_are_named() -> None:
    result = aifgraph.compare("fixtures/zoo/ann.json", "fixtures/zoo/ben.json", relations="CA")
    (line,) = result.look_out
    assert line.startswith("scores of fewer than 5 decisions say little: propositional relations (2)")
    assert line.endswith("nothing else is in M")


def test_matches_of_other_wording_are_named() -> None:
    one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    for build, text in ((one, "masks help"), (other, "help a lot of people")):
        build.inference([build.proposition(text)], build.proposition("wear one"))
    result = aifgraph.compare(one.graph(), other.graph(), first_text="masks help a lot of people, so wear one")
    (line,) = (line for line in result.look_out if "wording" in line)
    assert line.startswith("1 of 2 matches share less than half of their wording")
    assert "“masks help” and “help a lot of people”" in line


def test_matches_by_meaning_are_listed_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Lions walk in circles all day. Zoos should close."
    graphs = monologue("Animals suffer in cages there"), monologue("What is caged is not happy")
    result = aifgraph.compare(
        *graphs,
        first_text=text,
        second_text=text,
        meaning=lambda texts: [[1.0, 0.1 * ("not" in each)] for each in texts],
    )
    (match,) = result.matched_by_meaning
    assert any("1 matches are by meaning" in line for line in result.look_out)
    stored = tmp_path / "result.json"
    stored.write_text(json.dumps(result.to_dict()), "utf-8")
    shown = said(capsys, "show", stored, "--details"), result.to_html(), stored.read_text("utf-8")
    for each in (match.first, match.second, f"{match.cosine:.3f}"[:5]):
        assert all(each in output for output in shown), each


def test_a_paper_names_the_argument_among_what_was_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = monologues()
    for name, graph in (("first", result.first), ("second", result.second)):
        aifgraph.dump(graph, tmp_path / f"{name}.json")
        (tmp_path / f"{name}.txt").write_text("Lions walk in circles all day. Zoos should close.", "utf-8")
    text = said(capsys, "compare", tmp_path / "first.json", tmp_path / "second.json", "--format", "paper")
    assert "among what was said, in which propositions that the analysts reconstructed are passed through" in text
    assert "κ is 1.000 and F1 1.000." in text


def test_a_text_in_many_pairs_and_few_texts_are_named(tmp_path: Path) -> None:
    for name in ("a", "b", "c", "d"):
        shutil.copy(f"fixtures/debate/{'first' if name in 'ac' else 'second'}.json", tmp_path / f"{name}.json")
    lines = [f"{one}.json\t{other}.json\n" for one, other in (("a", "b"), ("a", "d"), ("c", "b"), ("c", "d"))]
    (tmp_path / "pairs.tsv").write_text("first\tsecond\n" + "".join(lines), "utf-8")
    result = aifgraph.compare_corpora(tmp_path, tmp_path, pair_by=tmp_path / "pairs.tsv")
    assert "1 text says little about others" in result.look_out
    assert result.to_dict()["look_out"] == result.look_out
