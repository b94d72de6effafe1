"""Two corpora: which pairs are of one text, what is missing; means over texts, intervals and paired tests."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph import (
    ArgumentGraph,
    Bootstrap,
    CorpusComparison,
    GraphBuilder,
    agreement,
    compare_corpora,
    dump,
    evaluate,
    open_corpus,
    query,
)
from aifgraph.cli import main
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.evaluation.estimates import (
    Estimate,
    MetricName,
    PairedTest,
    TextTable,
    mean_table,
    paired_test,
    pool,
    with_holm,
)
from aifgraph.evaluation.record import Outcome
from aifgraph.evaluation.text_tables import macro_table, micro_tables
from aifgraph.stats import resampling
from aifgraph.text import similarity as axis
from documents import ANN, BEN, argument
from evaluation.small_corpora import make_corpora


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``ann`` and ``ben`` with six maps each, and ``pairs.tsv``: four pairs of ``ann`` with itself, two texts."""
    made = tmp_path_factory.mktemp("texts")
    make_corpora(made, 6, size=4)
    rows = ["first\tsecond", "map0\tmap1", "map1\tmap2", "map3\tmap4", "map2\tmap0"]
    (made / "pairs.tsv").write_text("\n".join(rows), "utf-8")
    return made


@pytest.fixture(scope="module")
def shared(folder: Path) -> CorpusComparison:
    return compare_corpora(folder / "ann", folder / "ann", pair_by=folder / "pairs.tsv", chance=2)


def counts(estimate: Estimate) -> tuple[int, int]:
    return estimate.texts, estimate.pairs


def test_macro_and_micro_of_a_round_are_those_of_the_pairs_drawn(shared: CorpusComparison) -> None:
    """Intervals of every number against a bootstrap written down plainly: texts are drawn with all their pairs."""
    by_text: dict[str, list[Outcome]] = {}
    for outcome in shared.outcomes:
        by_text.setdefault(outcome.text, []).append(outcome)
    texts, rounds = list(by_text.values()), {"macro": [], "micro": []}
    for draw in np.random.default_rng(5).integers(0, len(texts), size=(20, len(texts))).tolist():
        drawn = [replace(of, text=f"{at}") for at, place in enumerate(draw) for of in texts[place]]
        rounds["macro"].append(pool(macro_table(drawn)))
        rounds["micro"].append(pool(*micro_tables(drawn)))
    for name, found in shared.with_intervals(Bootstrap(20, seed=5)).pooled.items():
        for number, estimate in found.items():
            values = [of[number].value for of in rounds[name] if of[number].value is not None]
            if estimate.texts == len(texts):
                assert estimate.undefined == 20 - len(values), number
                ends = tuple(np.quantile(values, [0.025, 0.975])) if values else (None, None)
                assert (estimate.low, estimate.high) == pytest.approx(ends), number


def test_scores_of_a_label_are_undefined_where_nobody_gives_it() -> None:
    corpora: tuple[list[aifgraph.ArgumentGraph], ...] = ([], [])
    for kinds in (("RA", "RA"), ("CA", ""), ("", "MA")):
        for corpus, kind in zip(corpora, kinds, strict=True):
            relations = [f"reason {kind} claim"] if kind else []
            corpus.append(argument(*relations).with_name(f"map{len(corpus)}"))
    micro = compare_corpora(*corpora).with_intervals(Bootstrap(50, seed=1)).micro
    draws = np.random.default_rng(1).integers(0, 3, size=(50, 3))
    for text, label in enumerate(("RA", "CA", "MA")):
        assert micro[f"{label} PR-kappa"].undefined == sum(text not in draw for draw in draws) > 0


@pytest.mark.parametrize(("text", "expected"), [("?!", None), ("yes", 1)])
def test_s_of_sums_without_a_word_and_without_a_place_for_a_boundary(text: str, expected: float | None) -> None:
    corpus = [argument(text=text, claim=text)]
    assert compare_corpora(corpus, corpus).micro["S"].value == expected


def test_caveats_count_the_pairs_that_they_are_about(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 8, size=4)
    (ben / "map0.json").write_text("{", "utf-8")
    (ben / "map1.json").unlink()
    (ben / "map2.json").write_text('{"nodes": [], "edges": []}', "utf-8")
    (ben / "map3.json").write_text('{"nodes": [{"nodeID": "1", "type": "I", "text": "Zebra"}], "edges": []}', "utf-8")
    for suffix in (".json", ".txt"):
        (ben / f"map4{suffix}").write_bytes((ann / f"map4{suffix}").read_bytes())
    for number in (3, 5, 6):
        for corpus in (ann, ben):
            (corpus / f"map{number}.txt").unlink()
    for corpus, unsaid in ((ann, 1), (ben, 2)):
        document = json.loads((corpus / "map7.json").read_text("utf-8"))
        document["nodes"] += [{"nodeID": f"n{k}", "type": "I", "text": f"{'xyz'[k] * 9}"} for k in range(unsaid)]
        (corpus / "map7.json").write_text(json.dumps(document), "utf-8")
    rows = [f"map{number}\tmap{number}\t{'one' if number in (4, 5, 6) else ''}\n" for number in (0, 2, 3, 4, 5, 6, 7)]
    (tmp_path / "pairs.tsv").write_text("first\tsecond\ttext\nmap1\t\n" + "".join(rows), "utf-8")
    found = compare_corpora(ann, ben, missing="zero", pair_by=tmp_path / "pairs.tsv")
    assert list(found.failed) == list(found.to_dict()["failed"]) == ["map0"]
    assert found.coverage == "4 texts in 6 compared pairs; map1 (only ann) counts 0."
    caveats = found.with_intervals(Bootstrap(5)).caveats
    counted = {
        "unreadable maps": 1,
        "copies of one map": 1,
        "side is empty": 1,
        "two different documents": 1,
        "units": 3,
    }
    counted |= {"too narrow": 6, "nobody says some propositions": 1, "are of one text": 3}
    for about, count in counted.items():
        (line,) = (line for line in caveats if about in line)
        assert re.findall(r"\d+", line)[0] == str(count), line


def test_a_pair_of_a_map_with_itself_counts_and_is_said(folder: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nmap0\tmap0\nmap1\tmap2\nmap2\t\nmap3\t\n", "utf-8")
    found = compare_corpora(folder / "ann", folder / "ann", pair_by=pairs, missing="zero")
    assert [pair.name for pair in found.pairs][:2] == ["map0", "map1 ~ map2"]
    assert "pair-itself" in [notice.code for notice in found.notices]
    # A map that has a pair is missing on neither side.
    assert found.header.unpaired_first == ("map3",)


def test_the_signature_says_how_pairs_were_made(folder: Path) -> None:
    ann, ben = folder / "ann", folder / "ben"
    by_text = compare_corpora(ann, ben, pair_by="text", min_text=0.8).signature
    assert "|pair_by=text|min_text=0.8|" in by_text
    assert "|pair_by=table@" in compare_corpora(ann, ann, pair_by=folder / "pairs.tsv").signature
    pairing = aifgraph.pair(ann, ben, "text", min_similarity=0.8)
    assert compare_corpora(ann, ben, pair_by=pairing).signature == by_text


@pytest.mark.parametrize("results", [False, True])
def test_the_signature_says_that_texts_were_too_long_for_difflib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: bool
) -> None:
    ann, ben = make_corpora(tmp_path, 1)
    (ben / "map0.txt").write_text((ben / "map0.txt").read_text("utf-8") + " and more", "utf-8")
    file = tmp_path / "lines.jsonl" if results else None
    assert "axis=" not in compare_corpora(ann, ben).signature
    monkeypatch.setattr(axis, "DIFFLIB_WORDS", 5)
    assert "|axis=anchors|" in compare_corpora(ann, ben, results=file).signature


@pytest.mark.slow
def test_lists_of_graphs_are_corpora() -> None:
    ann, ben = ([entry.load() for entry in open_corpus(path)] for path in (ANN, BEN))
    wanted = compare_corpora(ANN, BEN).macro["CASS-kappa"].value
    for jobs in (1, 2):
        assert compare_corpora(ann, iter(ben), jobs=jobs).macro["CASS-kappa"].value == wanted
    assert agreement([ann, ben]).macro[()]["CASS-kappa"].value == wanted
    assert evaluate(ann, {"ben": ben}, baselines=(), test_rounds=10).macro["ben"]["M-kappa"].texts == 4
    assert open_corpus(ann).counts().to_dict() == {**open_corpus(ANN).counts().to_dict(), "name": "graphs"}
    conflicts = "SELECT ?n { ?n a aif:CA-node }"
    assert len(query(ann, conflicts).rows) == len(query(ANN, conflicts).rows) == 4
    assert query(ann[0], "ASK { ?n a aif:PA-node }") is False
    for wrong in (lambda: agreement(ann), lambda: compare_corpora(ann[0], ben), lambda: open_corpus([1])):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(FormatError):
        query(ann, "SELECT")


def test_refusals(folder: Path, tmp_path: Path) -> None:
    ann, ben = folder / "ann", folder / "ben"
    for bad in ({"missing": "perhaps"}, {"jobs": 0}, {"measures": "magic"}, {"min_text": 0, "pair_by": "text"}):
        with pytest.raises(OptionError):
            compare_corpora(ann, ben, **bad)
    (tmp_path / "else.json").write_text((ann / "map0.json").read_text())
    for missing in ("skip", "zero"):
        with pytest.raises(InputError):
            compare_corpora(ann, tmp_path, missing=missing)


def test_what_is_written_has_the_numbers(tmp_path: Path) -> None:
    result = compare_corpora(ANN, BEN, seed=3)
    bootstrap = Bootstrap(20, 0.9, 3)
    drawn_from = result.with_intervals(bootstrap)
    assert drawn_from.signature == str(result.how.extend(**bootstrap.parts))
    document = drawn_from.to_dict()
    assert (document["signature"], document["caveats"]) == (drawn_from.signature, drawn_from.caveats)
    arguments = ["compare", str(ANN), str(BEN), "--seed", "3"]
    drawn = ["--intervals", "--set", "level=0.9", "--set", "rounds=20"]
    assert main([*arguments, *drawn, "-o", str(tmp_path / "result.json")]) == 0
    assert json.loads((tmp_path / "result.json").read_text("utf-8")) == json.loads(json.dumps(document))
    pairs = result.pairs_table().records()
    assert [row["CASS-kappa"] for row in pairs] == [pair.kappa for pair in result.pairs]
    assert [row[0] for row in result.tables()[-1].rows] == ["nodeset2", "nodeset1", "nodeset3"]
    assert str(result).splitlines()[-1] == result.how.short


M = MetricName("M", "kappa")
paired = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9)


def table_of(values: Sequence[float | None]) -> TextTable:
    return mean_table([f"t{place}" for place in range(len(values))], {M: [nan if v is None else v for v in values]})


def run_test(first: Sequence[float | None], second: Sequence[float | None], **how: int) -> PairedTest:
    return paired_test({"first": table_of(first), "second": table_of(second)}, M, **how)


@given(
    st.builds(MetricName, st.sampled_from(["CASS", "M'", "ER", "S"]), st.sampled_from(["", "kappa", "f1"]), st.text())
)
def test_numbers_are_read_as_they_are_written(number: MetricName) -> None:
    if number.part == " ".join(number.part.split()) and "-" not in number.part:
        assert MetricName.parse(str(number)) == number


@pytest.mark.slow
@given(
    st.lists(st.integers(-20, 40), min_size=3, max_size=40).filter(lambda values: len(set(values)) > 1),
    st.integers(0, 2**32 - 1),
)
def test_the_interval_of_a_mean_is_that_of_scipy(values: list[int], seed: int) -> None:
    from scipy import stats

    estimate = pool(table_of(values), bootstrap=Bootstrap(400, 0.9, seed))[M]
    expected = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=400,
        confidence_level=0.9,
        method="percentile",
        rng=np.random.default_rng(seed),
        vectorized=True,
    ).confidence_interval
    assert estimate.value == pytest.approx(np.mean(values), abs=1e-12)
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_only_texts_in_which_a_number_is_defined_are_drawn() -> None:
    known = pool(table_of([1.0, None, None, 3.0]), bootstrap=Bootstrap(400, seed=1))[M]
    assert known == pool(table_of([1.0, 3.0]), bootstrap=Bootstrap(400, seed=1))[M]
    assert (known.value, known.texts, known.undefined) == (2.0, 2, 0)
    alone = pool(table_of([0.7, None]), bootstrap=Bootstrap(9))[M]
    assert (alone.value, alone.texts, alone.low, alone.high) == (0.7, 1, None, None)
    nothing = pool(table_of([None, None]), bootstrap=Bootstrap(9))[M]
    assert (nothing.value, nothing.low) == (None, None)
    assert pool(table_of([1.0]))["no such-number"].value is None


def test_rounds_without_a_value_are_counted() -> None:
    counts = np.ones(2)
    quotient = TextTable(
        ("a", "b"), np.array([[1.0, 1.0], [1.0, 0.0]]), lambda sums: {M: sums[:, 0] / sums[:, 1]}, {M: counts}
    )
    found = pool(quotient, bootstrap=Bootstrap(400))[M]
    assert found.value == 2
    assert 60 < found.undefined < 140  # a quarter of the draws has only the second text, whose quotient is infinite


def test_the_seed_decides_and_the_size_of_blocks_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [0.125 * value for value in range(20)]  # sums are exact in any order
    others = [*reversed(values[:10]), *values[10:]]

    def drawn(seed: int) -> list[object]:
        return [pool(table_of(values), bootstrap=Bootstrap(100, seed=seed)), run_test(values, others, rounds=500)]

    once = drawn(4)
    assert once == drawn(4) != drawn(5)
    monkeypatch.setattr(resampling, "BLOCK", 33)
    assert once == drawn(4)


def exact_p(first: Sequence[float], second: Sequence[float]) -> float:
    apart = [a - b for a, b in zip(first, second, strict=True)]
    signs = list(product((1, -1), repeat=len(apart)))
    bar = abs(sum(apart)) - 1e-9
    return sum(abs(sum(s * d for s, d in zip(row, apart, strict=True))) >= bar for row in signs) / len(signs)


@given(paired)
def test_few_texts_are_tested_exactly(rows: list[tuple[int, int]]) -> None:
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    test = run_test(first, second, rounds=2 ** len(rows))
    assert (test.exact, test.texts, test.p) == (True, len(rows), exact_p(first, second))
    assert test.p_least == 2 / 2 ** len(rows) <= test.p
    back = run_test(second, first, rounds=2 ** len(rows))
    assert back.p == test.p
    assert back.difference == pytest.approx(-test.difference)


@given(paired, st.integers(0, 1000))
def test_random_exchanges_come_close_to_all(rows: list[tuple[int, int]], seed: int) -> None:
    # Texts in which both are equal change no p, and make too many patterns to count.
    rows = [*rows, *[(0, 0)] * 15]
    first, second = [a / 10 for a, _ in rows], [b / 10 for _, b in rows]
    test = run_test(first, second, rounds=20_000, bootstrap=Bootstrap(9, seed=seed))
    assert not test.exact
    assert test.p == pytest.approx(exact_p(first[:-15], second[:-15]), abs=0.025)


def test_equal_systems_cannot_be_told_apart() -> None:
    assert run_test([0.1, 0.2, 0.7], [0.1, 0.2, 0.7], rounds=5).p == 1
    # Equal sums in another order: every exchange is at least as large, rounding notwithstanding.
    assert run_test([0.1, 0.2, 0.3], [0.3, 0.1, 0.2], rounds=5).p == 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=2, max_size=9))
def test_only_texts_that_both_have_are_tested(rows: list[tuple[int, int, bool]]) -> None:
    first, second = [a / 10 if known else None for a, _, known in rows], [b / 10 for _, b, _ in rows]
    test = run_test(first, second)
    names = tuple(f"t{place}" for place, row in enumerate(rows) if not row[2])
    assert test.left_out == names
    if len(names) == len(rows):
        assert (test.difference, test.p, test.texts, test.p_least) == (None, None, 0, None)
        return
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None]
    alone = run_test([a for a, _ in both], [b for _, b in both])
    assert (test.difference, test.p, test.low) == (alone.difference, alone.p, alone.low)


@pytest.mark.parametrize(
    "bad", [{"rounds": 0}, {"rounds": 1_000_001}, {"rounds": 2.5}, {"seed": -1}, {"seed": 2**32}, {"level": 1.0}]
)
def test_options_out_of_range(bad: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        Bootstrap(**bad)


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12))
def test_holm_keeps_the_order_and_never_lowers(values: list[float | None]) -> None:
    adjusted = [test.p_holm for test in with_holm(PairedTest("a", "b", M, 9, p=p) for p in values)]
    assert [p is None for p in values] == [q is None for q in adjusted]
    both = sorted((p, q) for p, q in zip(values, adjusted, strict=True) if p is not None)
    assert all(p <= q <= 1 for p, q in both)
    assert [q for _, q in both] == sorted(q for _, q in both)


def one_sided_labels(number: int, *, dialogue: bool, labelled: bool) -> ArgumentGraph:
    """A map of three claims of one speaker, with an inference, and with an illocution where there is dialogue, or with
    neither label."""
    build = GraphBuilder()
    claims = [build.proposition(f"claim {number} {word}") for word in ("alpha beta", "gamma delta", "epsilon zeta")]
    if labelled:
        build.relation("RA", claims[:1], claims[1])
    for place, claim in enumerate(claims if dialogue else ()):
        said = build.locution(f"Ann: {('alpha beta', 'gamma delta', 'epsilon zeta')[place]} {number}")
        if labelled or place:
            build.illocution(said, claim, "Asserting")
    return build.graph()


@pytest.mark.parametrize(
    ("dialogues", "pairs", "told"), [(1, 3, True), (4, 9, True), (5, 9, False), (4, 8, True), (3, 3, False)]
)
def test_m_from_few_pairs_is_told(dialogues: int, pairs: int, told: bool) -> None:
    """Told if it is from less than half of the pairs, or from fewer than five; not if it is from all."""
    corpora = [
        [one_sided_labels(number, dialogue=number < dialogues, labelled=labelled) for number in range(pairs)]
        for labelled in (True, False)
    ]
    found = compare_corpora(*corpora)
    lines = [line for line in found.caveats if line.startswith("dialogue M is from")]
    assert len(lines) == told


def test_m_of_exactly_0_is_told_with_and_without_a_layer() -> None:
    gold = [one_sided_labels(number, dialogue=not number, labelled=True) for number in range(3)]
    other = [one_sided_labels(number, dialogue=False, labelled=False) for number in range(3)]
    found = compare_corpora(gold, other, layers="all")
    assert found.micro["M-kappa"].value == 0
    (line,) = (line for line in found.caveats if line.startswith("dialogue M is from"))
    assert re.findall(r"\d\.\d{3}", line) == ["0.000", f"{found.micro['argument M-kappa'].value:.3f}"]


@pytest.mark.parametrize(
    ("sizes", "told"), [((2, 1), False), ((3, 1), True), ((3, *[1] * 27), False), ((4, *[1] * 27), True), ((3,), False)]
)
def test_one_text_that_has_many_of_the_pairs_is_told(sizes: tuple[int, ...], told: bool, tmp_path: Path) -> None:
    """Told if it has more than two pairs, and more than a tenth of them, unless it is the only one."""
    maps = [argument(a=f"claim number {number}", b=f"reason {number}") for number in range(sum(sizes))]
    texts = [text for text, size in enumerate(sizes) for _ in range(size)]
    (tmp_path / "a").mkdir()
    for number, graph in enumerate(maps):
        dump(graph, tmp_path / "a" / f"m{number}.json")
    rows = "".join(f"m{number}\tm{number}\tt{text}\n" for number, text in enumerate(texts))
    (tmp_path / "pairs.tsv").write_text(f"first\tsecond\ttext\n{rows}", "utf-8")
    found = compare_corpora(tmp_path / "a", tmp_path / "a", pair_by=tmp_path / "pairs.tsv", names=("x", "y"))
    assert any("are of one text" in line for line in found.caveats) == told
