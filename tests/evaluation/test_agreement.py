"""Several annotators: means by text of every two, and alpha and Fleiss' kappa of all."""

import shutil
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from aifgraph import Bootstrap, Options, agreement, compare, compare_corpora, open_corpus
from aifgraph.corpus.corpus import GraphEntry
from aifgraph.corpus.pairing import Pair, PairedCorpora, Pairing
from aifgraph.errors import OptionError
from aifgraph.evaluation.agreement import group_maps_by_text, labels_of_text
from aifgraph.stats.alpha import fleiss_of_sums, label_sums, nominal_alpha
from documents import ANN, BEN, argument


def test_two_annotators_have_the_numbers_of_compare() -> None:
    found = agreement([ANN, BEN], bootstrap=Bootstrap(50))
    expected = compare_corpora(ANN, BEN).with_intervals(Bootstrap(50)).macro
    assert found.annotators == ("ann", "ben")
    assert found.between("ben", "ann") == found.between() == found.between("ann") == expected
    plain = agreement([ANN, BEN])
    assert plain.between("ann", "ben") == compare_corpora(ANN, BEN).macro
    assert plain.to_dict()["items"]["ER"] == 26
    assert found.signature == str(plain.how.extend(**Bootstrap(50).parts))


def test_all_are_means_over_texts_of_the_means_over_their_pairs(three: dict[str, Path]) -> None:
    found = agreement(three)
    assert found.texts == {"ann": 8, "ben": 8, "cleo": 4}
    values: dict[tuple[str, str], dict[str, float]] = {}
    for one, other in combinations(three, 2):
        values[one, other] = {pair.text: pair.mean["f1"] for pair in compare_corpora(three[one], three[other]).pairs}
        macro = found.between(one, other)["M-f1"]
        assert (macro.texts, macro.value) == (len(values[one, other]), pytest.approx(mean(values[one, other].values())))
    for names in ((), ("cleo",), ("ann",)):
        by_text: dict[str, list[float]] = {}
        for two, of_pair in values.items():
            if {*names} <= {*two}:
                for text, value in of_pair.items():
                    by_text.setdefault(text, []).append(value)
        estimate = found.between(*names)["M-f1"]
        assert estimate.value == pytest.approx(mean(map(mean, by_text.values())))
        assert (estimate.texts, estimate.pairs) == (len(by_text), sum(map(len, by_text.values())))


def mean(values: object) -> float:
    return float(np.mean(list(values)))  # type: ignore[call-overload]


def test_alpha_of_structure_is_that_of_the_summed_matrices() -> None:
    """Two annotators, three premises each, linked by one of them in part: inner items must not be taken for these."""
    claims = {"claim": "masks help", "one": "they filter", "two": "rain falls", "three": "air cost"}
    corpora = [
        [argument(*relations, **claims)]
        for relations in (("one two RA claim", "three RA claim"), ("one RA claim", "two three RA claim"))
    ]
    options = Options(calculations=("propositional_relations", "argument_structure"))
    found = agreement(corpora, options=options)
    micro = compare_corpora(*corpora, options=options).micro
    for code in ("PR", "AS"):
        assert found.micro[f"{code}-alpha"].value == pytest.approx(micro[f"{code}-alpha"].value)
    assert found.items["AS"] == 3


def test_alpha_and_fleiss_of_all_with_intervals_over_texts(tmp_path: Path) -> None:
    corpora = {"ann": ANN, "ben": BEN, "again": shutil.copytree(ANN, tmp_path / "again")}
    found = agreement(corpora, bootstrap=Bootstrap(80, seed=4)).micro
    texts: list[Counter[tuple[str | None, ...]]] = []
    for name in ("nodeset1", "nodeset2", "nodeset3", "nodeset4"):
        maps = {who: open_corpus(path)[name].load() for who, path in corpora.items() if name in open_corpus(path).names}
        compared = {(one, other): compare(maps[one], maps[other]) for one, other in combinations(maps, 2)}
        texts.append(labels_of_text(list(corpora), compared, Options())["propositional_relations"])
    relations, fleiss = found["PR-alpha"], found["PR-fleiss"]
    assert relations.value == pytest.approx(nominal_alpha(sum(texts, Counter())))
    assert found["RA PR-alpha"].value is not None
    draws = np.random.default_rng(4).integers(0, 4, size=(80, 4))
    values = [nominal_alpha(sum((texts[place] for place in draw), Counter())) for draw in draws.tolist()]
    assert (relations.low, relations.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    # nodeset4 is only ann's, who is in the study twice.
    assert (relations.texts, fleiss.texts) == (4, 3)
    by_all = sum((Counter({row: n for row, n in text.items() if None not in row}) for text in texts), Counter())
    assert fleiss.value == pytest.approx(fleiss_of_sums(np.array([label_sums(by_all)], dtype=float))[0])


def test_pairs_by_text_and_by_a_table(tmp_path: Path) -> None:
    renamed, by = tmp_path / "ben", tmp_path / "pairs.tsv"
    renamed.mkdir()
    for number, suffix in product((1, 2, 3), (".json", ".txt")):
        shutil.copy(BEN / f"nodeset{number}{suffix}", renamed / f"b{number}{suffix}")
    by.write_text("first\tsecond\n" + "".join(f"nodeset{n}\tb{n}\n" for n in (1, 2, 3)), encoding="utf-8")
    for how in ("text", by):
        found = agreement([ANN, renamed], pair_by=how)
        assert found.between() == agreement([ANN, BEN]).between()
        assert f"|pair_by={'text' if how == 'text' else 'table'}" in found.signature
    three = {"ann": ANN, "ben": renamed, "again": ANN}
    with pytest.raises(OptionError):
        agreement(three, pair_by=by)
    result = agreement(three, pair_by="text")
    assert result.between("ann", "again")["CASS-kappa"].value == 1
    assert result.between("again", "ben")["M-kappa"].value == pytest.approx(found.between()["M-kappa"].value)


def test_an_annotator_without_a_common_text_is_said_and_has_no_row(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_bytes((ANN / "nodeset1.json").read_bytes())
    found = agreement({"ann": ANN, "ben": BEN, "dis": tmp_path})
    assert "dis shares no text with the others" in found.caveats
    assert [row[0] for row in found.table().rows] == ["ann – ben"]
    assert len(found.tables()) == 1
    assert "Caveat: dis shares" in str(found)


def test_maps_of_a_text_are_one_group_where_all_that_they_share_are_equal() -> None:
    """Pairs of one text that give an annotator two maps stand apart, whatever else they share."""
    entries = {name: GraphEntry(argument(**{name: name}), name) for name in ("a1", "b1", "b2", "c1")}
    pairs = {("a", "b"): ("a1", "b1"), ("a", "c"): ("a1", "c1"), ("b", "c"): ("b2", "c1")}
    pairings = {
        names: Pairing((Pair(entries[first], entries[second], "", text=f"{first} {second}"),))
        for names, (first, second) in pairs.items()
    }
    grouped = group_maps_by_text(PairedCorpora({}, pairings))
    found = [{name: source.name for name, source in maps.items()} for _, maps in grouped]
    assert found == [{"a": "a1", "b": "b1", "c": "c1"}, {"b": "b2", "c": "c1"}]
