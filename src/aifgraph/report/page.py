"""The page of a comparison: one self-contained file with the text, its difference cards and one merged map."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from math import inf
from typing import Any, Final

from markupsafe import Markup

from aifgraph.adjudication.decisions import maps_of, parse_decision
from aifgraph.adjudication.selection import (
    Choice,
    Consequences,
    Sides,
    choices_of,
    needs_decision,
    open_sides,
    sides_kept,
)
from aifgraph.comparison.breakdown import speaker_names
from aifgraph.comparison.differences import Difference
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.result import Comparison, PairResult
from aifgraph.errors import AifgraphError
from aifgraph.evaluation.baselines import reading_order
from aifgraph.graph import SourceText
from aifgraph.graph.columns import gc_paused
from aifgraph.graph.nodes import RELATIONS
from aifgraph.printable import pluralize, printable, unhashed
from aifgraph.report.cards import Card, Part, cards_of
from aifgraph.report.drawing import draw_pair
from aifgraph.report.html import json_for_script, render_page, static
from aifgraph.report.pictures import svg
from aifgraph.report.sentences import HIDDEN, SHOWN, Pair
from aifgraph.stats.scores import NONE
from aifgraph.text.words import words_with_places

#: With more cards, which take about 12 pages, only passages with differences are printed.
MAX_PRINTED = 60
#: In a block of their own.
_SCRIPTS: Final = ("cards.js", "map.js", "deciding.js")
_SIDES: Final[tuple[Choice, ...]] = ("first", "second")


@dataclass
class Passage:
    """A stretch of the text: pieces of text with whether a unit covers them, and which side alone cuts before them."""

    pieces: list[tuple[str, bool, str]]
    classes: set[tuple[str, int]] = field(default_factory=set)
    cards: list[Card] = field(default_factory=list)
    number: int = 0

    @property
    def unit_text(self) -> str:
        """What of it units cover."""
        return "".join(text for text, unit, _ in self.pieces if unit)


@dataclass
class Paragraph:
    speaker: str = ""
    passages: list[Passage] = field(default_factory=list)

    @property
    def words(self) -> int:
        return sum(len(text.split()) for passage in self.passages for text, _, _ in passage.pieces)

    @property
    def text(self) -> str:
        return " ".join("".join(text for passage in self.passages for text, _, _ in passage.pieces).split())


class Page(Pair):
    """The cards and the passages of a pair."""

    @cached_property
    def number_of_node(self) -> dict[NodeNumber, int]:
        """The numbers of cards by node."""
        found = {node: card.number for card in self.cards for node in card.nodes}
        rows = ((row, card.number) for card in self.cards for row in card.rows)
        return found | {node: number for row, number in rows for node in (*row.nodes, *row.follows)}

    @cached_property
    def consequences(self) -> Consequences:
        return Consequences(self.differences)

    @cached_property
    def grouped(self) -> list[Card]:
        """The rows by unit."""
        return cards_of(self.consequences)

    @cached_property
    def cards(self) -> list[Card]:
        """The same in the order of the text, with their words and places."""
        for card in self.grouped:
            units = [unit for row in card.rows for node in row.nodes for unit in self.consequences.units(node)]
            classes = dict.fromkeys(key for node in (*card.nodes, *units) for key in self.classes(node))
            card.parts = [Part(row, self.what(row), self.said(row)) for row in card.rows]
            card.classes = [number for kind, number in classes if kind == "I"]
            keys = (self.classes(node)[0] for node in card.nodes)
            places = (self.passage_of[key] for key in keys if key in self.passage_of)
            card.passage = min(places, default=len(self.passages))
        cards = sorted(self.grouped, key=lambda card: (card.passage, not card.content))
        for number, card in enumerate(sorted(cards, key=lambda card: card.folded), 1):
            card.number = number
        return cards

    def classes(self, node: NodeNumber) -> list[tuple[str, int]]:
        """Return the class of a unit; of a locution also those of the claims that it says."""
        side, number = node
        claims, locutions = self.claims[side], self.locutions[side]
        if number in claims:
            return [("I", claims[number])]
        speaking = self.analyses[side].locutions_of
        said = [("I", claims[claim]) for claim, by in speaking.items() if number in by and claim in claims]
        return [("L", locutions[number]), *said] if number in locutions else said

    @cached_property
    def passages(self) -> list[Passage]:
        passages = [passage for paragraph in self.paragraphs for passage in paragraph.passages]
        for number, passage in enumerate(passages):
            passage.number = number
        return passages

    @cached_property
    def passage_of(self) -> dict[tuple[str, int], int]:
        """The passages of classes: ("I" or "L", number of the class) → number of the passage."""
        found: dict[tuple[str, int], int] = {}
        for passage in self.passages:
            for key in passage.classes:
                found.setdefault(key, passage.number)
        return found

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        placement = self.alignment.placement
        if placement.axis is not None and placement.fits and not self.unlike:
            for side, places in zip(placement.sides, (placement.axis.first, placement.axis.second), strict=True):
                if side.text:
                    return self.text_paragraphs(side.text, places)
        return self.locution_paragraphs()

    def text_paragraphs(self, source: SourceText, places: Sequence[float] | None) -> list[Paragraph]:
        """Return the text, cut where either analysis cuts it; a passage ends where a unit of neither goes on."""
        plain = source.text
        words = words_with_places(plain)
        axis = range(len(words.words)) if places is None else places
        runs: list[tuple[int, int, int, set[tuple[str, int]]]] = []
        for side, placed in enumerate(self.alignment.sides):
            for node, position in placed.positions.items():
                keys = {*self.classes((side, node))}
                runs += [(bisect_left(axis, a), bisect_left(axis, b), side, keys) for a, b in position]
        inside = Counter(word for start, stop, _, _ in runs for word in range(start + 1, stop))
        covered: defaultdict[int, set[tuple[str, int]]] = defaultdict(set)
        cut_by: defaultdict[int, set[int]] = defaultdict(set)
        for start, stop, side, keys in runs:
            cut_by[start].add(side)
            cut_by[stop].add(side)
            for word in range(start, stop):
                covered[word] |= keys
        cuts = sorted({0, *(w for w in cut_by if 0 < w < len(words.words)), len(words.words)})
        paragraphs, passage = [Paragraph()], Passage([])
        for start, stop in pairwise(cuts):
            low = _opening(plain, words.starts[start]) if start else 0
            high = _opening(plain, words.starts[stop]) if stop < len(words.words) else len(plain)
            keys = covered[start]
            alone = f"{min(cut_by[start])}" if inside[start] and len(cut_by[start]) == 1 else ""
            if not inside[start] and any(unit for _, unit, _ in passage.pieces):
                paragraphs[-1].passages.append(passage)
                passage = Passage([])
            for number, line in enumerate(plain[low:high].split("\n")):
                if number and (passage.pieces or paragraphs[-1].passages):
                    paragraphs[-1].passages += [passage] if passage.pieces else []
                    paragraphs.append(Paragraph())
                    passage = Passage([])
                if line.strip():
                    passage.pieces.append((unhashed(line), bool(keys), alone if not number else ""))
                    passage.classes |= keys
        paragraphs[-1].passages += [passage] if passage.pieces else []
        return [paragraph for paragraph in paragraphs if paragraph.passages] + self.reconstructed(paragraphs)

    def locution_paragraphs(self) -> list[Paragraph]:
        """Return the locutions in order, where there is no text; the second's own follow what it says before them."""
        order: dict[tuple[str, int], tuple[float, int]] = {}
        texts: dict[tuple[str, int], tuple[str, str]] = {}
        classes: defaultdict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        for side, analysis in enumerate(self.analyses):
            before = inf if self.unlike else -1.0, 0
            for node in reading_order(analysis):
                kind = self.kind((side, node))
                key = (kind, (self.claims if kind == "I" else self.locutions)[side].get(node, -1))
                order.setdefault(key, (before[0], before[1] + 1) if side else (float(len(order)), 0))
                before = order[key]
                who = ", ".join(sorted(speaker_names(analysis, [node]))) if kind == "L" else ""
                texts.setdefault(key, (unhashed(who), self.text(side, node)))
                classes[key] |= {key, *self.classes((side, node))}
        paragraphs: list[Paragraph] = []
        for key in sorted(order, key=order.__getitem__):
            who, text = texts[key]
            if not paragraphs or paragraphs[-1].speaker != who or not who:
                paragraphs.append(Paragraph(who))
            paragraphs[-1].passages.append(Passage([(f"{text} ", True, "")], classes[key]))
        return paragraphs + self.reconstructed(paragraphs)

    def reconstructed(self, paragraphs: list[Paragraph]) -> list[Paragraph]:
        """Return claims of a difference that stand nowhere in the text: nobody says them, or only in the other text."""
        shown = {key for paragraph in paragraphs for passage in paragraph.passages for key in passage.classes}
        for card in self.grouped:
            keys = {self.classes(node)[0] for node in card.nodes}
            shown |= set() if shown.isdisjoint(keys) else keys
        numbers = {self.claims[s][n] for s, n in self.row_of if n in self.claims[s]}
        more = [n for n in sorted(numbers) if ("I", n) not in shown]
        found = []
        for number in more:
            side = 0 if self.members(number, 0) else 1
            node = self.members(number, side)[0]
            placed = node in self.alignment.sides[side].positions
            where = f"in the text of {self.names[side]}" if placed else "said nowhere"
            found.append(Paragraph(where, [Passage([(self.text(side, node), True, "")], {("I", number)})]))
        return found


def _opening(text: str, at: int) -> int:
    """Return the place before the quotation marks and brackets that open in front of a word."""
    while at and text[at - 1] in "“‘\"'([«":
        at -= 1
    return at


# -- numbers -----------------------------------------------------------------------------------------------------------


def matrices(result: PairResult) -> list[dict[str, Any]]:
    """Return the matrices that apply, with the labels in which the two differ, and how often both have the others."""
    found = []
    for name, scored in result.calculations.items():
        if not scored.applicable:
            continue
        matrix, labels = scored.matrix, scored.matrix.labels
        same = matrix.diagonal
        rows = [n for n, row in enumerate(matrix.rows) if sum(row) > same[n] or labels[n] == NONE]
        columns = [n for n in range(len(labels)) if sum(row[n] for row in matrix.rows) > same[n] or labels[n] == NONE]
        found.append({
            "name": name.replace("_", " "), "scores": scored.scores,
            "off": matrix.total - sum(same), "total": scored.label_count, "labels": [labels[n] for n in columns],
            "rows": [(labels[n], [(matrix.rows[n][m], n == m) for m in columns]) for n in rows],
            "alike": ", ".join(f"{labels[n]} {same[n]}" for n in range(len(labels)) if n not in {*rows, *columns}),
        })  # fmt: skip
    return found


def alignment(pair: Page) -> tuple[list[tuple[str, ...]], int]:
    """Return claims that are not worded alike, with their similarity; and how many are."""
    rows = []
    for matched in pair.alignment.propositions.classes:
        texts = [" ¦ ".join(pair.text(side, node) for node in nodes) for side, nodes in enumerate(matched.sides)]
        if texts[0] != texts[1]:
            similarity = "" if matched.similarity is None else f"{matched.similarity:.2f}"
            rows.append((*texts, similarity, pair.alignment.explain(matched)))
    return rows, len(pair.alignment.propositions.classes) - len(rows)


@gc_paused
def report_html(result: Comparison, *, name: str = "", home: str = "", served: str = "") -> str:
    """Return a self-contained page that shows a comparison.

    ``name`` is that of a pair of two corpora, and ``home`` the address of their page. ``served`` is the address at
    which a server keeps the decisions of the page; without one the browser keeps them.

    >>> import aifgraph
    >>> graph = aifgraph.loads('{"nodes": [{"nodeID": 1, "type": "I", "text": "</script>"}], "edges": []}')
    >>> page = report_html(aifgraph.compare(graph, graph))
    >>> page.startswith("<!DOCTYPE html>"), page.count("</script>")
    (True, 2)
    """
    pair = Page(result)
    for card in pair.cards:
        if card.passage < len(pair.passages):
            pair.passages[card.passage].cards.append(card)
    map_, shape, why = drawn_map(pair)
    scores = [(str(name), kappa, f1, str(note)) for name, kappa, f1, *_, note in result.result.short_table().rows]
    argument = any(name == "argument M" for name, *_ in scores)
    return render_page(
        "page.html.j2",
        script="\n".join(['"use strict";', static("served.js") if served else "", "{", *map(static, _SCRIPTS), "}"]),
        connects=bool(served),
        pair=pair,
        names=pair.names,
        total=f"{pluralize(len(pair.differences), 'differences')} on {pluralize(len(pair.cards), 'cards')}"
        if pair.cards
        else "no differences",
        largest=pair.largest and pair.number_of_node[pair.largest.nodes[0]],
        choices=lambda row: choice_labels(pair, row),
        nodes_of=lambda row, side: " ".join(node_name(node) for node in row.nodes if node[0] == side),
        counts=[(group, pluralize(pair.counts[group], group)) for group in SHOWN if pair.counts[group]],
        hidden=[group for group in HIDDEN if pair.counts[group]],
        scores=scores,
        head=[row for row in scores if row[0] in ("argument M" if argument else "dialogue M", "CASS")],
        # The heading says that these are two documents.
        caveats=[caveat.message for caveat in result.caveats if caveat.code != "different documents"],
        notices=result.notices,
        sections=sections(pair),
        long=len(pair.cards) > MAX_PRINTED,
        nowhere=[card for card in pair.cards if card.passage >= len(pair.passages)],
        map=map_,
        shape=shape,
        why=why,
        matrices=matrices(result.result),
        alignment=alignment(pair),
        signature=result.how.short,
        name=name,
        home=home,
        data=Markup(json_for_script(script_data(pair, name, served))),
    )


def script_data(pair: Page, name: str, served: str) -> dict[str, Any]:
    """Return what the script knows of a pair: for each row and card, the nodes (side and number) that are not in the
    map by a choice, or while it is open, and what else a choice does in words; and nodes that need one of some others,
    which several choices take."""
    consequences, undecided = pair.consequences, open_sides(pair.differences, 0)
    rows: dict[str, Any] = {}
    cards: dict[int, list[tuple[str, str]]] = {}
    for card in pair.cards:
        open_rows = [row for row in card.rows if needs_decision(row)]
        for row in open_rows:
            kept = {choice: sides_kept(choice, row) for choice in choices_of(row)} | {"open": undecided[row.id]}
            gone = {
                choice: " ".join(map(node_name, sorted(consequences.without({row: sides}))))
                for choice, sides in kept.items()
            }
            sides = [parse_decision(side, row).choice for side in _SIDES]
            rows[row.id] = {"n": card.number, "g": row.group, "k": row.kind, "sides": sides, "gone": gone}
        cards[card.number] = []
        for side, choice in enumerate(_SIDES):
            whole = {row: sides_kept(choice, row) for row in open_rows}
            cards[card.number].append((whole_label(pair, card, side), also(pair, whole, side, card.number)))
    needs = {
        node_name(n): [" ".join(map(node_name, group)) for group in groups]
        for n, groups in consequences.chains().items()
    }
    return {
        "maps": maps_of(pair.differences),
        "name": printable(name),
        "names": pair.names,
        "rows": rows,
        "cards": cards,
        "needs": needs,
        **({"served": {"rows": served}} if served else {}),
    }


def choice_labels(pair: Page, row: Difference) -> list[tuple[str, str]]:
    """Return the choices about a row with their words; none where nobody has to decide."""
    words = {"drop": "leave out", "first": pair.names[0], "second": pair.names[1]}
    choices = choices_of(row) if needs_decision(row) else ()
    return [(choice, words.get(choice, choice)) for choice in choices if choice != "other"]


def whole_label(pair: Page, card: Card, side: int) -> str:
    """Return what to take all of a side does with a card."""
    parts = sum(map(needs_decision, card.rows))
    if not parts:
        return "nothing to decide"
    if len(card.sides) == 1:
        return f"{pair.names[side]}: {'keep it' if side in card.sides else 'leave it out'}"
    return pair.names[side] + {1: "", 2: ": both parts"}.get(parts, f": all {parts} parts")


def node_name(node: NodeNumber) -> str:
    """Return the name of a node on the page, by its side and number."""
    return f"{node[0]}.{node[1]}"


def also(pair: Page, kept: Mapping[Difference, Sides], side: int, card: int) -> str:
    """Return what else choices about a card do: what goes, and what joins a whole instead of its part."""
    consequences = pair.consequences
    own = {node for row in kept for node in row.follows if consequences.kind(node) not in RELATIONS}
    lost = [node for node in consequences.lost(kept) if node not in own]
    words = consequences.in_words(lost, pair.number_of_node, card)
    return "; ".join(
        filter(None, (f"also removes {words}" if lost else "", *(consequences.moved(row, side) for row in kept)))
    )


def drawn_map(pair: Page) -> tuple[str, str, str]:
    """Return the map as SVG, whether it is wide or high, and why there is none."""
    try:
        map_, width, height = svg(draw_pair(pair, cards=pair.number_of_node), "Argument map of both analyses")
    except AifgraphError as error:  # no Graphviz, or too much for it
        return "", "high", error.what
    shape = "wide" if width > 1.1 * height else "high"
    # On paper a map of more than so many points across has letters of less than 4.5 points.
    return map_, shape if min(width, height) < 1350 and max(width, height) < 2000 else f"{shape} large", ""


def sections(pair: Page) -> list[tuple[str, list[Paragraph]]]:
    """Return the paragraphs in order; runs without a difference in a long text, and runs that only one side has, are
    joined and have a label."""
    long = sum(paragraph.words for paragraph in pair.paragraphs) > 700
    runs = groupby(pair.paragraphs, key=lambda paragraph: run_of(pair, paragraph, long=long))
    found: list[tuple[str, list[Paragraph]]] = []
    for kind, group in ((kind, list(group)) for kind, group in runs):
        words, passages = (
            sum(paragraph.words for paragraph in group),
            sum(len(paragraph.passages) for paragraph in group),
        )
        label = f"only {kind} has these {passages} passages" if kind else f"{words} words without a difference"
        found += [(label, group)] if kind is not None and words > 80 else [("", [paragraph]) for paragraph in group]
    return found


def run_of(pair: Page, paragraph: Paragraph, *, long: bool) -> str | None:
    """Return the side that alone has a paragraph, "" where nothing differs, None where it is shown in any case."""
    cards = [[card for card in passage.cards if not card.folded] for passage in paragraph.passages]
    if not any(cards):
        return "" if long else None
    both = zip(cards, paragraph.passages, strict=True)
    repeated = all(own and all(card.repeats_passage(passage.unit_text) for card in own) for own, passage in both)
    sides = {row.sides for own in cards for card in own for row in card.rows}
    return pair.names[sides == {"second"}] if repeated and len(sides) == 1 else None
