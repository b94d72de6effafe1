"""AURC's corpus: reading, subpopulations, agreement."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aifgraph.datasets import open_dataset
from aifgraph.errors import FormatError, InputError, NotFoundError, OptionError
from aifgraph.tasks import aurc
from aifgraph.tasks.aurc.corpus import Tokens
from aifgraph.tasks.aurc.predictions import Predicted, Run


@pytest.fixture
def folder(fixtures: Path) -> Path:
    return fixtures / "tasks" / "aurc"


def sentence(key: str, text: str, labels: str, topic: str = "guns") -> Tokens:
    names = {"n": "non", "p": "pro", "c": "con"}
    return Tokens(key, topic, tuple(text.split()), tuple(names[char] for char in labels))


def test_reading_the_folder(folder: Path) -> None:
    corpus = aurc.read_folder(folder)
    first, *_, last = corpus.sentences
    assert first.gold == ((18, 15, "pro"),)
    assert len(first.workers) == 2
    assert last.damaged == ("ANNOTATOR_01",)
    assert corpus.splits["s1"] == {"In-Domain": "Train", "Cross-Domain": "Test"}


@pytest.mark.parametrize(
    ("cell", "marked"),
    [
        ("('true', None, None)", ()),
        ("('false', '(2,4);', 'pro;')", ((2, 4, "pro"),)),
        # The text of a tuple without white space, and a segment without characters.
        ("('false','(2,4);','pro;')", ((2, 4, "pro"),)),
        ("('false', '(5,0);', 'pro;')", ()),
        ("('false', '(0,3);', 'pro;con;')", None),
        ("false', '(0,3);', 'pro;')", None),
        ("('true', '(0,3);', 'pro;')", None),
        ("('false', '(0,99);', 'pro;')", None),
    ],
)
def test_maps_and_scores_read_a_cell_alike(cell: str, marked: tuple[object, ...] | None, tmp_path: Path) -> None:
    header = "topic\tsentence_hash\tsentence\tlength_in_text\tmerged_segments\tANNOTATOR_00"
    row = f"guns\ts1\tguns save lives\t15\t('true', None, None)\t{cell}"
    (tmp_path / "AURC_DATA.tsv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    [sentence] = aurc.read_folder(tmp_path).sentences
    assert sentence.workers.get("ANNOTATOR_00") == marked
    assert sentence.damaged == (() if marked is not None else ("ANNOTATOR_00",))
    reading = open_dataset("aurc", tmp_path, annotator="each")
    [graph] = reading
    assert len(graph.locutions) == len(marked or ())
    assert len(reading.problems) == len(sentence.damaged)


def test_tokens_of_the_folder(folder: Path) -> None:
    train = aurc.read_tokens(folder, domain="in", split="Train")
    assert [one.id for one in train] == ["s1", "s2"]
    assert train[0].tokens == ("We", "all", "think", "that", "guns", "save", "lives", ".")
    assert train[0].labels == ("non",) * 4 + ("pro",) * 3 + ("non",)
    assert [one.id for one in aurc.read_tokens(folder, domain="cross", split="Test")] == ["s1", "s2"]
    with pytest.raises(InputError, match="no sentence is in the split Dev"):
        aurc.read_tokens(folder, split="Dev")
    with pytest.raises(OptionError, match="choose from in, cross"):
        aurc.read_tokens(folder, domain="out")


def test_a_folder_without_texts(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "AURC_DATA.tsv").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines]
    bare = [cells[0], *([*row[:2], "", *row[3:]] for row in cells[1:])]
    (tmp_path / "AURC_DATA.tsv").write_text("\n".join("\t".join(row) for row in bare) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="sentence s1: the column sentence of AURC_DATA"):
        aurc.read_tokens(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("AURC_DATA.tsv", "topic\tsentence\nx\ty\n", "expected the columns topic, sentence_hash"),
        (
            "AURC_DATA.tsv",
            "topic\tsentence_hash\tsentence\tlength_in_text\tmerged_segments\nx\th\ts\tlong\t('true', None, None)\n",
            "length_in_text is 'long', not a number",
        ),
        (
            "AURC_DATA.tsv",
            "topic\tsentence_hash\tsentence\tlength_in_text\tmerged_segments\nx\th\ts\t1\tnothing\n",
            "line 2: merged_segments: not a tuple",
        ),
        ("other.tsv", "x\n", "no AURC_DATA.tsv"),
    ],
)
def test_bad_folders(tmp_path: Path, name: str, content: str, words: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        aurc.read_folder(tmp_path)


def test_the_dictionary_form(tmp_path: Path) -> None:
    entry = {"tokenized_sentence_spacy": "guns kill", "tokenized_sentence_spacy_labels": "con con"}
    data = {"guns": [{**entry, "sentence_hash": ""}, {**entry, "sentence_hash": "h"}]}
    path = tmp_path / "d.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert aurc.read_tokens(path) == [Tokens("h", "guns", ("guns", "kill"), ("con", "con"))]
    for broken, words in (
        ({"guns": [{"sentence_hash": "h"}]}, "guns, entry 0: expected an object with tokenized"),
        ({"guns": [{**entry, "tokenized_sentence_spacy": "guns"}]}, "1 tokens and 2 labels"),
        ({"guns": ["x"]}, "expected an object"),
    ):
        path.write_text(json.dumps(broken), encoding="utf-8")
        with pytest.raises(FormatError, match=words):
            aurc.read_tokens(path)
    path.write_text(json.dumps({"guns": []}), encoding="utf-8")
    with pytest.raises(InputError, match="no sentence"):
        aurc.read_tokens(path)
    with pytest.raises(NotFoundError):
        aurc.read_tokens(tmp_path / "none.json")


def test_subpopulations_by_hand(folder: Path) -> None:
    run = aurc.read_run(folder / "run.json")
    train = [sentence("a", "x", "p"), sentence("b", "y", "c")]
    table = {("0", "a"): 0.9, ("0", "b"): 0.2, ("1", "a"): 0.3, ("1", "b"): 0.6}
    found = aurc.subpopulation(
        run,
        train,
        similarity=lambda tests, trains: [[table[one.id, other.id] for other in trains] for one in tests],
        decision="stance",
        neighbour="any",
        ties="pro",
    )
    # Mixed: 0 (pro, taken as pro) and 1 (a tie, so pro; taken as con). Nearest: a (pro) of 0, b (con) of 1.
    [(four, five, six)] = [tests.values() for tests in found.runs.values()]
    assert (four.value, four.reason) == (None, "there are fewer than two items")
    assert list(found.sentences.values()) == [1, 2, 2]
    # Right 1, 0; opposite 0.2, 0.6; shares 3/6, 4/5.
    assert (five.value, six.value) == (pytest.approx(-1.0), pytest.approx(-1.0))
    as_argument = aurc.subpopulation(run, decision="argument", ties="pro")
    assert as_argument.runs[run.name]["T6"].reason == "the yes/no variable is constant"
    assert len(as_argument.undefined()) == 3
    assert found.signature != as_argument.signature
    with pytest.raises(OptionError, match="as many pro as con"):
        aurc.subpopulation(run, decision="stance")
    # As the authors' script: of T5 only those whose nearest training sentence is of the opposite label, 1.
    nearest = aurc.subpopulation(
        run,
        train,
        similarity=lambda tests, trains: [[table[one.id, other.id] for other in trains] for one in tests],
        decision="stance",
        ties="pro",
    )
    assert nearest.sentences == {"T4": 1, "T5": 1, "T6": 2}
    assert nearest.signature != found.signature


def test_subpopulations_over_runs_and_without_marks() -> None:
    def run(name: str, *predicted: str) -> Run:
        sentences = []
        for number, (gold, labels) in enumerate(zip(("np.", "nnp.", "npp."), predicted, strict=True)):
            right, given = (sentence("", "", text.replace(".", "n")).labels for text in (gold, labels))
            sentences.append(Predicted(str(number), (*"abc"[: len(gold) - 1], "."), right, given))
        return Run(name, tuple(sentences))

    first, second = run("one", "nnn", "nnnn", "nppn"), run("two", "npn", "nnnn", "nnnn")
    both = aurc.subpopulation([first, second])
    # Shares 1/3, 1/4, 2/4; right 0 0 1 and 1 0 0.
    values = [both.runs[name]["T6"].value for name in ("one", "two")]
    assert values == pytest.approx([0.9449112, -0.1889822], abs=1e-6)
    assert both.mean("T6") == pytest.approx((sum(v or 0 for v in values) / 2, 0.5669468), abs=1e-6)
    assert [table.title for table in both.tables()] == ["Correlations", "Runs"]
    # Without the full stop the shares are 1/2, 1/3, 2/3.
    [left_out] = aurc.subpopulation(first, marks="left-out").runs.values()
    assert left_out["T6"].value == pytest.approx(0.8660254)
    with pytest.raises(InputError, match="not the sentences"):
        aurc.subpopulation([first, Run("less", second.sentences[:2])])


def test_agreement_by_hand(folder: Path) -> None:
    result = aurc.agreement(aurc.read_folder(folder))
    [one] = result.topics
    assert (one.topic, one.sentences, one.left_out, result.unit) == ("guns", 4, 1, "token")
    # Pairs 00 and 01 on s1 and s3: all alike. 00 and 02 on s2, "They kill people .": c c c n and c c n n:
    # agreed 3/4; chance (3·2 + 1·2) / 16 = 1/2; kappa 1/2. Weighted by 8 + 6 and 4 tokens.
    assert (one.kappa, one.pairs) == (pytest.approx((1 * 14 + 0.5 * 4) / 18), 2)
    # con: 16 and 9 characters of 73 from the same place on: 49 of unit against the mean; pro is marked alike.
    assert one.alpha.categories["pro"].value == 1.0
    assert one.alpha.categories["con"].observed == pytest.approx(2 * 49 / (2 * 73**2))


def test_perfect_agreement_is_one_and_places_do_not_matter(folder: Path) -> None:
    corpus = aurc.read_folder(folder)
    alike = [replace(s, workers={"b": s.gold, "a": s.gold}, damage=()) for s in corpus.sentences]
    [one] = aurc.agreement(replace(corpus, sentences=tuple(alike))).topics
    assert (one.alpha.all.value, one.kappa) == (1.0, 1.0)
    alone = [replace(s, workers={"a": s.gold}, damage=()) for s in corpus.sentences]
    with pytest.raises(InputError, match="no sentence was seen by two workers"):
        aurc.agreement(replace(corpus, sentences=tuple(alone)))
    outside = [replace(s, length=5) for s in alike]
    with pytest.raises(InputError, match="sentence s1: a mark ends at 33 of 5"):
        aurc.agreement(replace(corpus, sentences=tuple(outside)))
