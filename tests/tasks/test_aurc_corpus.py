"""AURC's corpus: reading, subpopulations, agreement."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from aifgraph import read_dataset
from aifgraph.datasets import Log
from aifgraph.datasets.aurc import DATA, GOLD
from aifgraph.errors import FormatError, InputError, NotFoundError, OptionError
from aifgraph.tasks import aurc
from aifgraph.tasks.aurc.corpus import AurcCorpus
from aifgraph.tasks.aurc.predictions import Label, Predicted, Run, Tokens

COLUMNS = "topic\tsentence_hash\tsentence\tlength_in_text\tmerged_segments"
NAMES: dict[str, Label] = {"n": "non", "p": "pro", "c": "con"}


@pytest.fixture
def folder(fixtures: Path) -> Path:
    return fixtures / "tasks" / "aurc"


def labels(text: str) -> tuple[Label, ...]:
    return tuple(NAMES[char] for char in text)


def test_reading_the_folder(folder: Path) -> None:
    corpus = aurc.read_folder(folder)
    first, *_, last = corpus.sentences
    assert first.gold == ((18, 15, "pro"),)
    assert len(first.workers) == 2
    assert last.damaged == {"ANNOTATOR_01"}
    assert {domain: split["s1"] for domain, split in corpus.splits.items()} == {
        "In-Domain": "Train",
        "Cross-Domain": "Test",
    }
    assert Counter(map(aurc.kind_of, corpus.sentences)).total() == len(corpus.sentences)


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
    row = f"guns\ts1\tguns save lives\t15\t('true', None, None)\t{cell}"
    (tmp_path / DATA).write_text(f"{COLUMNS}\tANNOTATOR_00\n{row}\n", encoding="utf-8")
    [sentence] = aurc.read_folder(tmp_path).sentences
    assert sentence.workers.get("ANNOTATOR_00") == marked
    assert sentence.damaged == (set() if marked is not None else {"ANNOTATOR_00"})
    log = Log()
    [graph] = read_dataset("aurc", tmp_path, log=log, annotator="each")
    assert len(graph.locutions) == len(marked or ())
    assert len(log.problems) == len(sentence.damaged)


@pytest.mark.parametrize(
    ("marks", "length", "kind"),
    [
        ("('true', None, None)", 15, "non"),
        ("('false', '(0,13);', 'pro;')", 15, "all pro"),
        ("('false', '(1,12);', 'con;')", 15, "mixed"),
        ("('false', '(0,7);(8,7);', 'con;con;')", 15, "mixed"),
        ("('false', '(0,7);(7,8);', 'con;con;')", 15, "all con"),
    ],
)
def test_kinds_of_sentences(marks: str, length: int, kind: str, tmp_path: Path) -> None:
    (tmp_path / DATA).write_text(f"{COLUMNS}\nguns\ts1\t\t{length}\t{marks}\n", encoding="utf-8")
    assert [aurc.kind_of(one) for one in aurc.read_folder(tmp_path).sentences] == [kind]


def test_tokens_of_the_folder(folder: Path) -> None:
    corpus = aurc.read_folder(folder)
    train = aurc.tokens_of(corpus, domain="in", split="Train")
    assert [one.id for one in train] == ["s1", "s2"]
    assert train[0].tokens == ("We", "all", "think", "that", "guns", "save", "lives", ".")
    assert train[0].labels == labels("nnnnpppn")
    assert [one.id for one in aurc.tokens_of(corpus, domain="cross", split="Test")] == ["s1", "s2"]
    with pytest.raises(InputError):
        aurc.tokens_of(corpus, split="Dev")
    with pytest.raises(OptionError):
        aurc.tokens_of(corpus, domain="out")
    with pytest.raises(InputError, match="sentence"):
        aurc.tokens_of(replace(corpus, sentences=tuple(replace(one, text=None) for one in corpus.sentences)))


@pytest.mark.parametrize(
    "content",
    [
        "topic\tsentence\nx\ty\n",
        f"{COLUMNS}\nx\th\ts\tlong\t('true', None, None)\n",
        f"{COLUMNS}\nx\th\ts\t1\tnothing\n",
        f"{COLUMNS}\nx\th\ts\t1\t\n",
        None,
    ],
)
def test_bad_folders(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / DATA).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=str(tmp_path)):
        aurc.read_folder(tmp_path)


def test_perturbation_sets(tmp_path: Path) -> None:
    entry = {"tokenized_sentence_spacy": "guns kill", "tokenized_sentence_spacy_labels": "con con"}
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"guns": [{**entry, "sentence_hash": ""}, {**entry, "sentence_hash": "h"}]}), "utf-8")
    assert aurc.read_topics(path) == [Tokens("h", "guns", ("guns", "kill"), ("con", "con"))]
    for broken in ([{"sentence_hash": "h"}], [{**entry, "tokenized_sentence_spacy": "guns"}], ["x"], "x"):
        path.write_text(json.dumps({"guns": broken}), encoding="utf-8")
        with pytest.raises(FormatError):
            aurc.read_topics(path)
    with pytest.raises(NotFoundError):
        aurc.read_topics(tmp_path / "none.json")


def test_subpopulations_by_hand() -> None:
    """Three mixed sentences, of which the first two are found; nearest are a (argument), b (none), and both."""
    gold = [("0", "np", "np"), ("1", "npp", "nnc"), ("2", "nnnp", "nnnn"), ("3", "nn", "pp")]
    run = Run("run", tuple(Predicted(id_, ("w",) * len(one), labels(one), labels(of)) for id_, one, of in gold))
    train = [Tokens("a", "guns", ("x",), ("pro",)), Tokens("b", "guns", ("y",), ("non",))]

    def similarity(tests: Sequence[str], trains: Sequence[str]) -> list[list[float]]:
        assert (list(tests), list(trains)) == (["w w", "w w w", "w w w w"], ["x", "y"])
        return [[0.9, 0.2], [0.3, 0.6], [0.4, 0.4]]

    nearest = aurc.subpopulation([run], train, similarity)
    assert nearest.sentences == {"T4": 2, "T5": 2, "T6": 3}
    tests = nearest.runs["run"]
    # Right 1, 0 with .9 and .4; 1, 0 with .6 and .4.
    assert (tests["T4"].value, tests["T5"].value) == (pytest.approx(1.0), pytest.approx(1.0))
    # Right 1 1 0 with shares 1/2, 2/3, 1/4.
    assert tests["T6"].value == pytest.approx(0.9176629)
    any_of = aurc.subpopulation([run], train, similarity, neighbour="any")
    assert any_of.sentences == {"T4": 2, "T5": 3, "T6": 3}
    # Right 1 1 0 with .2, .6, .4: no correlation.
    assert any_of.runs["run"]["T5"].value == pytest.approx(0.0, abs=1e-12)
    assert any_of.signature != nearest.signature
    without = aurc.subpopulation([run])
    assert [without.runs["run"][test].value is None for test in ("T4", "T5", "T6")] == [True, True, False]
    assert len(without.undefined()) == 2
    with pytest.raises(InputError):
        aurc.subpopulation([run], train, lambda tests, trains: [[1.0]])
    for wrong in ({"neighbour": "x"}, {"marks": "x"}):
        with pytest.raises(OptionError):
            aurc.subpopulation([run], **wrong)


def test_subpopulations_over_runs_and_without_marks() -> None:
    def run(name: str, *predicted: str) -> Run:
        pairs = zip(("npn", "nnpn", "nppn"), predicted, strict=True)
        sentences = (
            Predicted(str(number), (*"abc"[: len(gold) - 1], "."), labels(gold), labels(given))
            for number, (gold, given) in enumerate(pairs)
        )
        return Run(name, tuple(sentences))

    first, second = run("one", "nnn", "nnnn", "nppn"), run("two", "npn", "nnnn", "nnnn")
    both = aurc.subpopulation([first, second])
    # Shares 1/3, 1/4, 2/4; right 0 0 1 and 1 0 0.
    values = [both.runs[name]["T6"].value for name in ("one", "two")]
    assert values == pytest.approx([0.9449112, -0.1889822], abs=1e-6)
    assert both.mean("T6") == pytest.approx((sum(v or 0 for v in values) / 2, 0.5669468), abs=1e-6)
    # Without the full stop the shares are 1/2, 1/3, 2/3.
    [left_out] = aurc.subpopulation([first], marks="left-out").runs.values()
    assert left_out["T6"].value == pytest.approx(0.8660254)
    with pytest.raises(InputError):
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


def test_perfect_agreement_is_one(folder: Path) -> None:
    corpus = aurc.read_folder(folder)

    def marked(*workers: str) -> AurcCorpus:
        sentences = (
            replace(one, marks=dict.fromkeys((GOLD, *workers), one.gold), damaged=frozenset())
            for one in corpus.sentences
        )
        return replace(corpus, sentences=tuple(sentences))

    [one] = aurc.agreement(marked("b", "a")).topics
    assert (one.alpha.all.value, one.kappa) == (1.0, 1.0)
    with pytest.raises(InputError):
        aurc.agreement(marked("a"))
