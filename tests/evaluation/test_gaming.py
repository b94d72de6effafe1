"""What a system cannot gain by: leaving out, making up, breaking, doubling; and tests that agree with their numbers."""

import json
import re
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from aifgraph import Bootstrap, compare, compare_corpora, evaluate, from_dict
from aifgraph.cli import main
from aifgraph.evaluation.estimates import MetricName, pool
from aifgraph.evaluation.run import compare_corpora as run_corpora
from aifgraph.evaluation.text_tables import macro_table
from aifgraph.report.plots import drawable
from documents import argument
from evaluation.small_corpora import make_corpora

HOW: dict[str, Any] = {"baselines": (), "bootstrap": Bootstrap(9), "test_rounds": 50}
Document = dict[str, Any]
M, CASS = MetricName("M", "kappa"), MetricName("CASS", "kappa")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    ann, ben = make_corpora(tmp_path_factory.mktemp("gaming"), 10)
    return {"ann": ann, "ben": ben}


def system(corpora: dict[str, Path], name: str, change: Callable[[int, Document], Document | str | None]) -> Path:
    """ben, with every map changed; None leaves one out."""
    folder = corpora["ben"].parent / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(corpora["ben"], folder)
    for number in range(10):
        path = folder / f"map{number}.json"
        made = change(number, json.loads(path.read_text("utf-8")))
        path.unlink()
        if made is not None:
            path.write_text(made if isinstance(made, str) else json.dumps(made), "utf-8")
    return folder


def with_junk(document: Document, count: int) -> Document:
    nodes = [{"nodeID": f"j{k}", "type": "I", "text": f"zz{k} qq{k} unlike anything"} for k in range(count)]
    return {**document, "nodes": [*document["nodes"], *nodes]}


def only(document: Document, kinds: set[str]) -> Document:
    kept = {node["nodeID"] for node in document["nodes"] if node["type"] in kinds}
    edges = [edge for edge in document["edges"] if {edge["fromID"], edge["toID"]} <= kept]
    return {**document, "nodes": [node for node in document["nodes"] if node["nodeID"] in kept], "edges": edges}


def test_propositions_that_nobody_links_change_no_kappa(corpora: dict[str, Path]) -> None:
    padded = {f"{n}": system(corpora, f"pad{n}", lambda _, of, n=n: with_junk(of, n)) for n in (0, 20, 1000)}
    result = evaluate(corpora["ann"], padded, **HOW)
    for name in ("argument M-kappa", "dialogue M-kappa", "M-kappa", "argument M-f1"):
        assert len({of[name].value for of in result.macro.values()}) == 1, name
    assert not any("nobody links" in line for line in result.caveats_by_system["0"])
    (line,) = (line for line in result.caveats_by_system["1000"] if "nobody links" in line)
    assert line.startswith("1000 has 10000 of ")
    # Between two annotators every item counts, and padding is said.
    plain = [compare_corpora(corpora["ann"], padded[name]) for name in ("0", "1000")]
    assert plain[0].macro["argument M-kappa"].value < plain[1].macro["argument M-kappa"].value
    assert any("they raise κ" in line for line in plain[1].caveats)
    with_none = evaluate(corpora["ann"], padded, reference="none", **HOW)
    assert with_none.macro["0"]["M-kappa"].value == plain[0].macro["M-kappa"].value


def test_a_layer_that_is_left_out_counts_0(corpora: dict[str, Path]) -> None:
    abstaining = system(corpora, "abstain", lambda number, of: of if number < 3 else only(of, {"L", "TA"}))
    gold = system(corpora, "few", lambda number, of: of if number < 3 else only(of, {"L", "I", "YA", "TA"}))
    result = evaluate(corpora["ann"], {"abstain": abstaining, "few": gold, "ben": corpora["ben"]}, **HOW)
    texts = {name: of["argument M-kappa"].texts for name, of in result.macro.items()}
    assert len(set(texts.values())) == 1
    assert next(iter(result.macro)) == "ben"
    assert result.macro["abstain"]["argument M-kappa"].value <= result.macro["few"]["argument M-kappa"].value


@pytest.mark.parametrize("broken", ['{"nodes": [', "\0"])
def test_a_map_that_cannot_be_read_counts_like_one_that_is_missing(corpora: dict[str, Path], broken: str) -> None:
    lacking = system(corpora, "lacking", lambda number, of: of if number else None)
    unreadable = system(corpora, "broken", lambda number, of: of if number else broken)
    result = evaluate(corpora["ann"], {"lacking": lacking, "broken": unreadable}, **HOW)
    for number, estimate in result.macro["lacking"].items():
        found = result.macro["broken"][number]
        assert (found.value, found.texts, found.pairs) == (
            pytest.approx(estimate.value),
            estimate.texts,
            estimate.pairs,
        )
    assert list(result.unreadable["broken"]) == ["map0"]
    assert not result.failed["broken"]
    assert "maps that cannot be read count 0 (broken: 1)" in result.table().title
    assert "unreadable maps, which score zero: 1" in result.caveats_by_system["broken"]
    rows = compare_corpora(corpora["ann"], unreadable, missing="zero").pairs_table().records()
    assert (rows[0]["missing"], rows[0]["CASS-kappa"], rows[1]["missing"]) == ("second", 0, "")


def test_what_a_map_makes_fail_counts_0(corpora: dict[str, Path]) -> None:
    """A system must not lose a bad text by a map that no comparison survives: here one of more than 200 labels."""

    def many_labels(number: int, of: Document) -> Document:
        acts = [{"nodeID": f"y{k}", "type": "YA", "text": f"Label{k}"} for k in range(300)] if number == 0 else []
        (first, *_) = (node["nodeID"] for node in of["nodes"] if node["type"] == "L")
        edges = [{"edgeID": f"e{k}", "fromID": first, "toID": f"y{k}"} for k in range(len(acts))]
        return {**of, "nodes": [*of["nodes"], *acts], "edges": [*of["edges"], *edges]}

    result = evaluate(corpora["ann"], {"many": system(corpora, "many", many_labels)}, **HOW)
    assert list(result.unreadable["many"]) == ["map0"]
    assert result.macro["many"]["S"].texts == 10


def test_maps_that_no_gold_text_is_for_and_duplicates_are_said(corpora: dict[str, Path]) -> None:
    twice = system(corpora, "twice", lambda _, of: {**of, "nodes": [*of["nodes"], *(
        {**node, "nodeID": f"{node['nodeID']}d"} for node in of["nodes"] if node["type"] == "I")]})  # fmt: skip
    shutil.copy(twice / "map0.json", twice / "else.json")
    result = evaluate(corpora["ann"], {"twice": twice, "ben": corpora["ben"]}, **HOW)
    assert result.extra == {"twice": ["else"], "ben": []}
    found = "\n".join(result.caveats_by_system["twice"])
    assert "no gold text is for, and that count nothing: 1 (else)" in found
    assert re.search(r"twice has \d+ propositions with the text of another one", found)


def test_units_of_gold_that_a_system_merges_are_said() -> None:
    """Two of 20 propositions in one class are a tenth."""
    for texts, said in ((["rain falls", "late at night"], True), (["rain falls late at night"], False)):
        claims = {f"c{k}": f"masks{k} help{k} breathe{k}" for k in range(18)}
        whole = argument("c0 RA c1", **claims, last="rain falls late at night").with_name("m")
        gold = argument("c0 RA c1", **claims, **{f"d{k}": text for k, text in enumerate(texts)}).with_name("m")
        result = evaluate([gold], {"whole": [whole]}, **HOW)
        lines = [line for line in result.caveats_by_system["whole"] if "share a class" in line]
        assert [line.startswith("2 of 20 propositions of") for line in lines] == [True] * said
        assert any("granularity=merge" in line for line in result.caveats)
        pair = compare(gold, whole, reference="first").result
        assert ("merged" in {of.code for of in pair.caveats}) == said


def test_source_texts_that_only_a_system_has_or_that_are_unlike_are_said() -> None:
    said = {"a": "dogs bark at night", "b": "nobody sleeps then"}
    both = " ".join(said.values())
    bare = argument("a RA b", **said).with_name("m")
    texts = {"none": "", "same": both, "filler": f"{both} " + " ".join(f"filler{k}" for k in range(20))}
    maps = {name: from_dict({**bare.to_dict(), "text": text}).with_name("m") for name, text in texts.items()}
    expected = {("none", "same"): "only same has a source text", ("same", "filler"): "less than half of their words"}
    for (gold, name), sentence in [*expected.items(), (("same", "none"), ""), (("same", "same"), "")]:
        found = evaluate([maps[gold]], {name: [maps[name]]}, **HOW).caveats_by_system[name]
        lines = [line for line in found if "source text" in line]
        assert [sentence in line for line in lines] == [True] * bool(sentence), (gold, name)
    pair = compare_corpora([maps["same"]], [maps["filler"]])
    assert any("less than half of their words" in line for line in pair.caveats)


def test_the_lowest_pairs_are_ordered_by_argument_M_where_CASS_is_equal() -> None:
    claims = {name: f"claim {name} {name}{name} stands here" for name in "abc"}
    gold = argument("a RA b", "b RA c", **claims)
    worse, bad = argument("b RA a", "c RA b", **claims), argument("a CA c", **claims)
    corpora = [gold.with_name(n) for n in "xyz"], [bad.with_name("x"), worse.with_name("y"), worse.with_name("z")]
    found = compare_corpora(*corpora)
    values = {p.name: (p.kappa, p.layers["propositional"].mean["kappa"]) for p in found.pairs}
    listed = [str(row[0]) for row in found.tables()[-1].rows]
    assert listed == sorted(values, key=lambda name: (*values[name], name))
    assert {of[0] for of in values.values()} == {0}


def contributions(means: list[float], similarities: list[float]) -> list[float]:
    """Section 8, written down plainly."""
    mean, similarity = sum(means) / len(means), sum(similarities) / len(similarities)
    if mean <= 0 or similarity <= 0:
        return [0.0] * len(means)
    of_mean, of_similarity = 2 * similarity**2 / (mean + similarity) ** 2, 2 * mean**2 / (mean + similarity) ** 2
    return [of_mean * m + of_similarity * s for m, s in zip(means, similarities, strict=True)]


def test_cass_is_tested_by_the_contributions_of_texts(corpora: dict[str, Path]) -> None:
    worse = system(corpora, "worse", lambda number, of: only(of, {"L", "I", "YA"}) if number < 4 else of)
    result = evaluate(corpora["ann"], {"ben": corpora["ben"], "worse": worse}, scores=["CASS-kappa"], **HOW | {
        "test_rounds": 2000})  # fmt: skip
    (test,) = result.tests
    values = {name: result.texts[name] for name in ("ben", "worse")}
    own = {name: contributions([of["M-kappa"] for of in texts.values()], [of["S"] for of in texts.values()])
           for name, texts in values.items()}  # fmt: skip
    for name, of in own.items():
        assert sum(of) / len(of) == pytest.approx(result.macro[name]["CASS-kappa"].value)
    apart = [a - b for a, b in zip(own["ben"], own["worse"], strict=True)]
    printed = result.macro["ben"]["CASS-kappa"].value - result.macro["worse"]["CASS-kappa"].value
    assert test.difference == pytest.approx(printed)
    bar = abs(sum(apart)) - 1e-12
    signs = list(product((1, -1), repeat=10))
    exact = sum(abs(sum(s * d for s, d in zip(row, apart, strict=True))) >= bar for row in signs) / len(signs)
    assert (test.exact, test.p) == (True, exact)


def test_all_are_tested_against_one(corpora: dict[str, Path]) -> None:
    systems = {f"s{k}": corpora["ben"] for k in range(6)}
    found = evaluate(corpora["ann"], systems, scores=["S"], **HOW)
    assert [(of.first, of.second) for of in found.tests] == [("s0", f"s{k}") for k in range(1, 6)]
    assert any("tested against the first, s0" in line for line in found.caveats)
    found = evaluate(corpora["ann"], systems, scores=["S"], against="chain", **HOW | {"baselines": ["chain"]})
    assert [(of.first, of.second) for of in found.tests] == [(f"s{k}", "chain") for k in range(6)]
    assert "|against=chain|" in found.signature
    found = evaluate(corpora["ann"], systems, scores=["S"], against="s3", **HOW | {"baselines": ["chain"]})
    best = [(f"s{k}", "chain") for k in range(6)]
    assert [(of.first, of.second) for of in found.tests] == [*((f"s{k}", "s3") for k in range(6) if k != 3), *best]


def test_a_resumed_run_has_the_pairs_of_today(corpora: dict[str, Path], tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        shutil.copytree(corpora[name], tmp_path / name)
    how: dict[str, Any] = {"results": tmp_path / "run.jsonl", "resume": True}
    assert len([*run_corpora(tmp_path / "ann", tmp_path / "ben", **how).pairs]) == 10
    for name in ("ann", "ben"):
        (tmp_path / name / "map3.json").unlink()
    found = run_corpora(tmp_path / "ann", tmp_path / "ben", **how)
    assert len([*found.pairs]) == 9
    assert len((tmp_path / "run.jsonl").read_text("utf-8").splitlines()) == 10
    assert pool(macro_table(found.outcomes)) == found.macro


def test_details_have_every_label_and_every_text(corpora: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluate(corpora["ann"], {"ben": corpora["ben"]}, **HOW)
    tables = {table.title: table for table in result.details()}
    report = tables["ben, propositional relations"]
    measures = ("specificity", "balanced accuracy", "informedness")
    assert report.columns == ("", "first", "second", "precision", "recall", *measures, "F1", "κ")
    matrix = result.matrices["ben"]["propositional_relations"]
    first, second = sum(matrix.row_sums[:-1]), sum(matrix.column_sums[:-1])
    supports = {row[0]: row[1:3] for row in report.rows}
    assert [*supports["all labels"]] == [*supports["attachment"]] == [first, second]
    assert sum(own for label, (own, _) in supports.items() if label in matrix.labels) == first
    both = matrix.total - matrix.row_sums[-1] - sum(row[-1] for row in matrix.rows[:-1])
    assert [*supports["label given attachment"]] == [both, both]
    assert main(["evaluate", str(corpora["ann"]), str(corpora["ben"]), "--format", "csv", "--details"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 10 * 4
    document = result.to_dict()
    assert len(document["by_text"]) == 10
    (row,) = (of for of in document["by_text"] if (of["of"], of["text"]) == ("ben", "map0"))
    assert row["argument M-f1"] == result.texts["ben"]["map0"]["argument M-f1"]


def test_numbers_of_many_pairs_can_be_drawn(corpora: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    both = [str(corpora["ann"]), str(corpora["ben"])]
    for command in ("evaluate", "compare", "agreement"):
        assert main([command, *both, "-o", str(tmp_path / f"{command}.json")]) == 0
        assert main(["draw", str(tmp_path / f"{command}.json"), "-o", str(tmp_path / f"{command}.svg")]) == 0
        drawn: Any = drawable(tmp_path / f"{command}.json")
        assert {name.partition(" (")[2] for name in drawn.values} == {"10 texts)"}
    matrix = ["--matrix", "ben: illocutions", "-o", str(tmp_path / "m.svg")]
    assert main(["draw", str(tmp_path / "evaluate.json"), *matrix]) == 0
