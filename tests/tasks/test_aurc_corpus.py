"""AURC's corpus: reading, candidates for perturbations, subpopulations, agreement, baselines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aifgraph.datasets import open_dataset
from aifgraph.errors import FormatError, InputError, NotFoundError, OptionError
from aifgraph.tasks import aurc
from aifgraph.tasks.aurc.corpus import Tokens
from aifgraph.tasks.aurc.perturbation import dumped
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
    [first, *_] = found = aurc.read_tokens(tmp_path, needs_text=False)
    assert (first.unit, len(first.labels), first.labels.count("pro")) == ("character", 34, 15)
    [made] = [one for one in aurc.candidates(found, "T1") if one.source == "s1"]
    assert (made.start, made.end, made.expected, made.after) == (18, 33, "non", None)
    assert made.material in ("s3", "s4")


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


SENTENCES = [
    sentence("1", "Many people believe that guns save lives .", "nnnnpppn"),
    sentence("2", "Guns kill children .", "cccn"),
    sentence("3", "The report has ten pages .", "nnnnnn"),
    sentence("4", "Guns kill , as the report says .", "ccnnnnnn"),
    sentence("5", "The law was passed in May .", "nnnnnnn", "uniforms"),
]


def test_candidates_t1() -> None:
    [made] = aurc.candidates(SENTENCES, "T1", seed=1)
    assert (made.source, made.operation, made.start, made.end, made.expected) == ("1", "replace", 4, 7, "non")
    assert made.material in ("3", "4")  # never another topic's
    assert made.after.startswith("Many people believe that ")
    assert set((made.after_labels or "").split()) == {"non"}


def test_candidates_t2() -> None:
    [made] = aurc.candidates(SENTENCES, "T2", seed=1)
    assert (made.source, made.material, made.expected) == ("2", "3", "con")
    assert made.after == "Guns kill children and besides , The report has ten pages ."
    assert made.after_labels == "con con con" + " non" * 9


def test_candidates_t3() -> None:
    first, second = aurc.candidates(SENTENCES, "T3")
    assert (first.source, first.after, first.after_labels) == ("1", "guns save lives .", "pro pro pro non")
    assert (second.source, second.after, second.expected) == ("4", "Guns kill", "con")


@pytest.mark.parametrize("test", ["T1", "T2", "T3"])
def test_candidates_do_not_depend_on_order_but_on_the_seed(test: str) -> None:
    more = SENTENCES + [replace(one, id=one.id + "x") for one in SENTENCES]
    found = aurc.candidates(more, test, seed=1)
    backwards = aurc.candidates(more[::-1], test, seed=1)
    assert sorted(found, key=lambda one: one.source) == sorted(backwards, key=lambda one: one.source)
    assert len(json.loads(dumped(found))) == len(found)
    if test != "T3":
        assert any(aurc.candidates(more, test, seed=seed) != found for seed in range(2, 12))


def test_candidates_that_cannot_be_made() -> None:
    with pytest.raises(InputError, match="no sentence is of the kind that T2 needs"):
        aurc.candidates(SENTENCES[2:3], "T2")
    with pytest.raises(OptionError, match="choose from T1, T2, T3"):
        aurc.candidates(SENTENCES, "T4")


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


def test_similarities_from_a_file(folder: Path, tmp_path: Path) -> None:
    run = aurc.read_run(folder / "run.json")
    train = [sentence("a", "x", "p"), sentence("b", "y", "c")]
    path = tmp_path / "s.tsv"
    path.write_text("test\ttrain\tsimilarity\n0\ta\t0.9\n0\tb\t0.2\n1\ta\t0.3\n1\tb\t0.6\n", encoding="utf-8")
    given = aurc.subpopulation(
        run, train, similarity=aurc.read_similarities(path), decision="stance", neighbour="any", ties="pro"
    )
    assert given.runs[run.name]["T5"].value == pytest.approx(-1.0)
    for content, words in (
        ("test\ttrain\tsimilarity\n0\ta\t0.9\n", "no similarity of the pair 0, b"),
        ("test\ttrain\tsimilarity\n0\ta\thigh\n", "'high', not a number"),
        ("test\ttrain\tsimilarity\n0\ta\t1\n0\ta\t1\n", "the pair 0, a is there twice"),
        ("a\tb\n0\t1\n", "expected the columns test, train, similarity; found a, b"),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=words):
            aurc.subpopulation(run, train, similarity=aurc.read_similarities(path), ties="pro")


def test_tfidf_similarity_is_the_default(folder: Path) -> None:
    pytest.importorskip("sklearn")
    run = aurc.read_run(folder / "run.json")
    found = aurc.subpopulation(
        run,
        [sentence("a", "guns save lives", "ppp"), sentence("b", "kill", "c")],
        decision="stance",
        neighbour="any",
        ties="pro",
    )
    assert "tfidf-cosine" in found.signature
    assert [found.sentences[test] for test in ("T4", "T5", "T6")] == [1, 2, 2]


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


@pytest.mark.parametrize("method", ["majority", "random", "tfidf"])
def test_baselines_can_be_scored(method: str, folder: Path, tmp_path: Path) -> None:
    if method == "tfidf":
        pytest.importorskip("sklearn")
    train, test = SENTENCES, aurc.read_tokens(folder / "run.json")
    path = tmp_path / "p.json"
    path.write_text(aurc.written(aurc.predict(train, test, method, seed=2)), encoding="utf-8")
    run = aurc.read_run(path)
    assert all(len(set(one.predicted)) == 1 for one in run.sentences)
    assert aurc.score([run], seed=1).runs[0].token_f1.value is not None
    if method == "majority":  # con and non are as many: the first in the alphabet
        assert {one.predicted[0] for one in run.sentences} == {"con"}
    with pytest.raises(OptionError, match="choose from majority"):
        aurc.predict(train, test, "bert")


@pytest.mark.slow
@pytest.mark.data
def test_candidates_of_the_published_corpus(shared_data: Path) -> None:
    found = aurc.read_tokens(shared_data / "aurc8", domain="cross", split="Test", needs_text=False)
    assert len(found) == 2000
    assert {test: len(aurc.candidates(found, test)) for test in ("T1", "T2", "T3")} == {"T1": 377, "T2": 359, "T3": 655}


def test_candidates_never_mix_topics(folder: Path, tmp_path: Path) -> None:
    """A file of predictions names no topics: T1 and T2 need them, T3 puts nothing in."""
    sentences = aurc.read_tokens(folder / "run.json")
    for test in ("T1", "T2"):
        with pytest.raises(InputError, match="puts in words of the same topic"):
            aurc.candidates(sentences, test)
    two = [
        sentence("a", "guns are bad they kill", "nnncc"),
        sentence("b", "some words without any", "nnnn", "school"),
    ]
    with pytest.raises(InputError, match="no sentence is of the kind"):
        aurc.candidates(two, "T1")
    path = tmp_path / "topics.tsv"
    path.write_text("id\ttopic\na\tguns\nb\tguns\n", encoding="utf-8")
    assert len(aurc.candidates(aurc.with_topics(two, path), "T1")) == 1
    path.write_text("id\ttopic\na\tguns\n", encoding="utf-8")
    with pytest.raises(InputError, match="no topic of the sentence b"):
        aurc.with_topics(two, path)
