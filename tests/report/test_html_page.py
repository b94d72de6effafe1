"""The page of a pair: what it says, and that nothing from a map can break out of it."""

import html
import json
import random
import re
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.adjudication.decisions import maps_of
from aifgraph.cli import main
from aifgraph.errors import InputError
from aifgraph.evaluation.estimates import Estimate
from aifgraph.evaluation.run import PairTask
from aifgraph.report.corpus_page import check_folder, measured, row_of, strip, write_pages
from aifgraph.report.page import Page, drawn_map, report_html
from documents import ANN, BEN, argument, compared_debate
from report.hostile_pages import STEERS, Harm, hostile, pages, script

needs_graphviz = pytest.mark.skipif(not find_spec("pygraphviz"), reason="needs Graphviz")


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def words(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def test_the_policy_names_the_script_and_lets_nothing_be_fetched() -> None:
    page = report_html(aifgraph.compare(argument("reason RA claim"), argument("reason RA claim")))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert policy[1].startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_the_cards_are_the_rows_of_the_differences_each_with_its_id(shared_data: Path) -> None:
    pair = [aifgraph.load(shared_data / "xaif" / name) for name in ("28111.json", "28111_mistake.json")]
    for result in (compared_debate(), aifgraph.compare(*pair)):
        page, differences = report_html(result), result.differences()
        rows, parts = data_of(page)["rows"], r'<section class="part"(?: data-row="(.+?)")?>'
        assert rows.keys() == {row.id for row in differences if row.kind != "reworded"}
        cards = sorted(card.number for card in Page(result).cards)
        assert len(re.findall(parts, page)) == len(differences)
        assert cards == list(range(1, len(cards) + 1))
        assert sorted(map(int, re.findall(r'<article [^>]*id="c(\d+)"', page))) == cards
        assert {*filter(None, re.findall(parts, page))} == {*rows}
        assert sum(map(int, re.findall(r"<small[^>]*>cost (\d+)<", page))) == differences.cost
        assert data_of(page)["maps"] == maps_of(differences)


def test_swapping_swaps_the_sides() -> None:
    first, second = argument("reason RA claim"), argument("reason CA claim")
    one, other = (Page(aifgraph.compare(*pair)).cards for pair in ((first, second), (second, first)))
    said = ([part.said for card in cards for part in card.parts] for cards in (one, other))
    assert next(said) == [pair[::-1] for pair in next(said)]


def test_the_text_is_whole_and_cut_where_either_cuts_it() -> None:
    text = "Well masks help everyone because they filter the air and so on for ever"
    first = argument(a="masks help everyone because", b="and so on")
    second = argument(a="masks help everyone", b="they filter the air and")
    page = Page(aifgraph.compare(first, second, first_text=text))
    pieces = [piece for passage in page.passages for piece in passage.pieces]
    assert "".join(text for text, _, _ in pieces) == text
    assert [(words.strip(), unit) for words, unit, _ in pieces][:3] == [
        ("Well", False), ("masks help everyone", True), ("because", True),
    ]  # fmt: skip
    assert pieces[2][2] == "1"  # only the second cuts before "because"


def test_the_axis_of_a_corpus_page_begins_below_what_is_below_0() -> None:
    ticks = strip([{"argument": kappa, "labels": 9} for kappa in (-0.3, 0.5)], Estimate())["ticks"]
    assert [across for across, _ in ticks] == [pytest.approx(2 + 96 * n / 7, abs=0.01) for n in range(8)]


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_line_breaks_of_a_text_begin_paragraphs(blank: str) -> None:
    text = f"Masks help{blank}They filter the air"
    page = Page(aifgraph.compare(argument(a="Masks help"), argument(a="Masks"), first_text=text))
    pieces = ([piece for passage in paragraph.passages for piece in passage.pieces] for paragraph in page.paragraphs)
    assert ["".join(words for words, *_ in each).strip() for each in pieces] == ["Masks help", "They filter the air"]


@pytest.mark.parametrize(("more", "folded"), [(693, False), (694, True)])
def test_what_has_no_difference_is_folded_in_texts_of_more_than_700_words(more: int, folded: bool) -> None:
    """Seven words are of claims."""
    claims = {"a": "Masks help everyone", "b": "They filter the air"}
    text = "\n".join([*claims.values(), " ".join(f"word{number}" for number in range(more))])
    page = report_html(aifgraph.compare(*(argument(f"b {kind} a", text=text, **claims) for kind in ("RA", "CA"))))
    assert (f"{more} words without a difference" in words(page)) is folded


def test_without_pygraphviz_the_page_says_that_it_has_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    page = report_html(aifgraph.compare(argument("reason RA claim"), argument("reason CA claim")))
    assert "No map: pygraphviz is not installed" in page
    assert "data-w" not in page


def claims(links: list[tuple[int, int]]) -> ArgumentGraph:
    """A map of claims of which the first of each pair supports the second."""
    texts = {f"c{n}": f"claim number {n}" for n in range(1 + max(map(max, links)))}
    return argument(*(f"c{source} RA c{target}" for source, target in links), **texts)


@needs_graphviz
@pytest.mark.slow
@pytest.mark.parametrize(
    "links",
    [
        # Turns that answer the one before and one half as far on: routing the lines took long.
        [(turn, other) for turn in range(1, 120) for other in {turn - 1, turn // 2}],
        # The search for places in a row of so many boxes was quadratic.
        [(premise, 0) for premise in range(1, 3000)],
        [(n, random.Random(n).randrange(max(0, n - 60), n)) for n in range(1, 1000)],
    ],
    ids=["tangle", "row", "large"],
)
def test_a_hostile_map_is_laid_out_in_seconds(links: list[tuple[int, int]]) -> None:
    page = Page(aifgraph.compare(claims(links), claims(links)))
    start = time.process_time()
    svg, _, _ = drawn_map(page)
    assert time.process_time() - start < 8
    assert svg.count('class="b all"') == 1 + max(max(link) for link in links)
    assert svg.count('<path class="e ') == len(links)


@pytest.mark.parametrize("graphviz", [True, False])
def test_nothing_that_a_page_or_a_cell_shows_runs_or_steers(
    graphviz: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not graphviz:
        monkeypatch.setitem(sys.modules, "pygraphviz", None)
    elif not find_spec("pygraphviz"):
        pytest.skip("needs Graphviz")
    graph = hostile()
    aifgraph.dump(graph, tmp_path / "a\x1b]0;x\x07.json", format="xaif")
    compared, stats = aifgraph.compare(graph, hostile(other=True)), aifgraph.open_corpus(tmp_path).counts()
    differences, findings = compared.differences(), aifgraph.validate(graph)
    written = {"page": report_html(compared, name=script("name"), home="../index.html")}
    for each in (graph, compared, graph.nodes[0], differences, *differences, findings, *findings, stats):
        views = [name for name in dir(each) if name.startswith("_repr_")]
        written |= {f"{type(each)}.{view}": getattr(each, view)() for view in views}
        assert not set(STEERS) & set(repr(each)), type(each)
    for name, text in written.items():
        assert Harm(text).found == [], name
        assert text.count("<script") == 2 * (name == "page"), name
        assert "49" not in text or "{{ 7 * 7 }}" in text, name
        assert not set(STEERS) & set(text), name
    assert all(("<svg" in each._repr_html_()) is graphviz for each in (graph, compared))
    long = GraphBuilder()
    long.proposition("y" * 100_000)
    assert len(long.graph()._repr_html_()) < 50_000


def test_cards_come_as_the_text_does_and_have_their_unit_first() -> None:
    order = ["propositions", "locutions", "relations", "illocutions", "transitions"]
    cards = Page(compared_debate()).cards
    assert [card.passage for card in cards] == sorted(card.passage for card in cards)
    for card in cards:
        ranks = [order.index(row.group) for row in card.rows]
        assert ranks == sorted(ranks)


def test_only_a_served_page_may_ask_a_server() -> None:
    debate = compared_debate()
    kept, served = report_html(debate), report_html(debate, served="/pairs/1/rows")
    assert data_of(served)["served"] == {"rows": "/pairs/1/rows"}
    assert "served" not in data_of(kept)
    assert ("connect-src" in served, "connect-src" in kept) == (True, False)


def test_two_different_documents_are_told_one_after_the_other() -> None:
    """What only the second says stands nowhere in the first's text."""
    topics = ("masks filter the air in a tram", "Ghent has one bus an hour for old people")
    said = ({"a": topic, "b": f"it is said that {topic}"} for topic in topics)
    compared = aifgraph.compare(*(argument("a RA b", text=". ".join(of.values()), **of) for of in said))
    page, written = Page(compared), report_html(compared)
    assert page.unlike
    assert '<h1 class="unlike">' in written
    assert "These look like two different documents: 0 of 2 propositions match" in words(written)
    assert '<h1 class="unlike">' not in report_html(compared_debate())
    sides = [card.sides for card in page.cards]
    assert sides == sorted(sides)
    assert {side for both in sides for side in both} == {0, 1}


def write(out: Path) -> str:
    write_pages(out, ANN, BEN)
    return (out / "index.html").read_text("utf-8")


def test_every_pair_has_a_page_and_the_lowest_comes_first(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    index = write(out)
    linked = re.findall(r'<th scope="row"><a href="(pairs/\w+\.html)"', index)
    assert sorted(linked) == sorted(path.relative_to(out).as_posix() for path in out.glob("pairs/*"))
    kappas = [float(kappa) for kappa in re.findall(r'</th>\n<td data-v="([^"]+)"', index)]
    pairs = [*aifgraph.compare_corpora(ANN, BEN).pairs]
    assert kappas == sorted(pair.layers["propositional"].mean["kappa"] for pair in pairs)
    assert len(re.findall("<circle", index)) == len(pairs)
    page = (out / linked[0]).read_text("utf-8")
    assert 'href="../index.html"' in page
    assert not re.search(r'src="|href="(?!#|\.\./index\.html)', page)


def test_a_row_says_how_many_of_100_labels_differ() -> None:
    debate = compared_debate()
    differences = debate.differences()
    assert measured([row_of(debate)])["rows"][0]["rate"] == 100 * differences.cost / differences.labels


def test_the_first_sentence_is_the_filter() -> None:
    debate = compared_debate()
    page = report_html(debate)
    head = page[page.index("<header>") : page.index('<button id="decide"')]
    counts = [f"{n} {group if n > 1 else group[:-1]}" for group, n in Page(debate).counts.items()]
    said = words(head.replace("<legend>Differences shown</legend>", ""))
    assert f": {len(debate.differences())} differences on {len(Page(debate).cards)} cards: " in said
    assert sorted(said.partition("cards: ")[2].split()) == sorted(" ".join(counts).split())
    assert head.count('type="checkbox"') == len(counts)
    assert "Relations: 2 attached differently." in words(page)


def test_identical_maps_offer_nothing_to_decide() -> None:
    debate = compared_debate()
    graph = debate.graphs[0]
    page = report_html(aifgraph.compare(graph, graph))
    assert re.search(r'<button id="decide"[^>]* hidden>', page)
    assert 'value="merged"' not in page
    assert 'value="merged"' in report_html(debate)


def test_the_downloads_are_those_of_the_command(tmp_path: Path) -> None:
    write(tmp_path / "pages")
    for name, words in (("scores.csv", []), ("pairs.csv", ["--details"]), ("result.json", []), ("table.tex", [])):
        if not words:
            words = ["--intervals"]
        place = tmp_path / name
        assert main(["compare", str(ANN), str(BEN), *words, "-o", str(place)]) == 0
        assert (tmp_path / "pages" / name).read_bytes() == place.read_bytes(), name


def test_each_pair_is_compared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    compare = PairTask.compare
    monkeypatch.setattr(PairTask, "compare", lambda task, options: compared.append(task.text) or compare(task, options))
    result = write_pages(tmp_path / "pages", ANN, BEN, results=tmp_path / "run.jsonl")
    again = write_pages(tmp_path / "pages", ANN, BEN, results=tmp_path / "run.jsonl", resume=True)
    pairs = len(list((tmp_path / "pages" / "pairs").iterdir()))
    assert pairs == len(set(compared)) == len(compared) / 2
    assert again.macro == result.macro


def test_results_are_never_mixed_and_other_files_never_touched(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    write(out)
    old = out / "pairs" / f"{'0' * 16}.html"
    old.write_text("of a longer result")
    write(out)
    assert not old.exists()
    (tmp_path / "thesis.tex").write_text("mine")
    (tmp_path / "mine" / "pairs").mkdir(parents=True)
    (tmp_path / "mine" / "pairs" / "notes.txt").write_text("mine")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("mine")
    for place in (tmp_path, tmp_path / "thesis.tex", tmp_path / "mine", tmp_path / "site"):
        with pytest.raises(InputError):
            check_folder(place)
        with pytest.raises(InputError):
            write(place)
    for name in ("thesis.tex", "mine/pairs/notes.txt", "site/index.html"):
        assert (tmp_path / name).read_text() == "mine"
    (out / "pairs" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt"):
        write(out)


def test_an_interrupted_run_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "pages"
    write(out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    monkeypatch.setattr(PairTask, "compare", lambda task, options: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write(out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("pygraphviz"), reason="needs Graphviz")
def test_everything_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for name, page in pages(tmp_path):
        assert Harm(page).found == [], name
        assert "window.hits" in page, f"{name}: nothing hostile is in it at all"
        names.append(name)
    capsys.readouterr()
    assert len(names) >= 9


def test_the_two_numbers_have_intervals_even_where_nobody_asked(tmp_path: Path) -> None:
    result = write_pages(tmp_path / "pages", ANN, BEN)
    index = (tmp_path / "pages" / "index.html").read_text("utf-8")
    macro = result.with_intervals(aifgraph.Bootstrap()).macro
    for number in (macro[name] for name in ("argument M-kappa", "CASS-kappa")):
        assert f"{number.value:.3f} (95 % interval {number.low:.3f} to {number.high:.3f})" in words(index)
    assert "nodeset4 (only ann)" in index
